# SPDX-License-Identifier: MIT
"""Enable PyTorch's Inductor in programs that do not call `triton_xe.inductor.enable`, by an environment variable.

Torch imports Triton, and so this package, in the middle of its compiler, of which no part can be changed before all of
it is imported. From then on the modules of that compiler are watched as they are imported: Inductor is enabled after
the first one that is not imported by another one. `torch.compile` imports one before it compiles anything.
"""

from __future__ import annotations

import importlib.machinery
import sys
import warnings
from collections.abc import Sequence
from types import ModuleType

from triton_xe import knobs

#: The packages of torch's compiler. The first one imports Triton.
_COMPILER = ("torch._dynamo", "torch._inductor")


def install() -> None:
    """Watch torch's compiler if the user wants so; nothing happens otherwise."""
    mode = knobs.INDUCTOR.text().lower()
    if mode in ("", "0", "off", "false", "no"):
        return
    if mode != "auto" and not knobs.INDUCTOR.enabled():
        warnings.warn(f"{knobs.INDUCTOR.name}: expected `1`, `0` or `auto`, found `{mode}`", stacklevel=2)
        return
    sys.meta_path.insert(0, _Watch(for_gpus_only=mode == "auto"))


class _Watch:
    """A finder of modules that finds what others find, and looks at modules when they are complete."""

    def __init__(self, for_gpus_only: bool) -> None:
        self._for_gpus_only = for_gpus_only
        #: How many of the watched modules are being imported, each by the one before.
        self._depth = 0

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where a module of torch's compiler is, and how it is executed."""
        if not f"{name}.".startswith(tuple(f"{package}." for package in _COMPILER)):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_watched(module: ModuleType) -> None:
            self._depth += 1
            try:
                execute(module)
            finally:
                self._depth -= 1
            if self._depth == 0 and self in sys.meta_path and _is_complete(module):
                sys.meta_path.remove(self)
                _enable(self._for_gpus_only)

        # The loader belongs to this spec alone.
        spec.loader.exec_module = execute_watched
        return spec


def _is_complete(finished: ModuleType) -> bool:
    """Return whether torch's compiler is imported, and no module of torch is being imported but the executed one."""
    return _COMPILER[0] in sys.modules and not any(
        getattr(getattr(module, "__spec__", None), "_initializing", False)
        for name, module in list(sys.modules.items())
        if (name == "torch" or name.startswith("torch.")) and module is not finished
    )


def _enable(for_gpus_only: bool) -> None:
    """Enable Inductor; what goes wrong must not keep torch from being imported."""
    import torch

    from triton_xe import inductor

    try:
        if not for_gpus_only:
            inductor.enable()
        elif torch.xpu.is_available():
            inductor.enable(cpu_tensors=False)
    except Exception as error:
        warnings.warn(
            f"{knobs.INDUCTOR.name}: torch.compile works without triton-xe ({type(error).__name__}: {error})",
            stacklevel=2,
        )
