# SPDX-License-Identifier: MIT
"""The options of a compilation. They cannot be changed, and all of them are part of the cache key."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors, instrumentation_mode, target
from triton_xe.suggestions import suggest

GRF_MODES = ("default", "128", "256", "512", "auto")
CPU_CODES = ("", "avx2", "avx512", "spirv", "zebin")
#: Numbers of rewrites are below this.
_MAX_REWRITES = 2**32


@functools.cache
def optional_passes() -> tuple[str, ...]:
    """Return the passes without which, or without whose rewrites, code is still correct."""
    return tuple(json.loads(target.installed_file("optional_passes.json").read_text()))


def is_range(text: str) -> bool:
    """Return whether a text names rewrites of a pass: `3`, `3-5` or `3-`."""
    match = re.fullmatch(r"([0-9]+)(?:-([0-9]*))?", text)
    if not match:
        return False
    first, last = int(match[1]), int(match[2] or match[1])
    return first <= last < _MAX_REWRITES


#: The value of `verify`, and of its variable, with which the reference is native code on the simulator.
ON_SIMULATOR = "simulator"


@dataclasses.dataclass(frozen=True)
class XeOptions:
    """The options that Triton's frontend and the stages read. Names of other backends' options keep their meaning."""

    num_warps: int = 4
    num_stages: int = 2
    num_ctas: int = 1
    #: Requested number of lanes of a sub-group; kernels that use DPAS always get the smallest.
    warp_size: int = 16
    #: Registers per thread on the GPU; `auto` chooses by what the kernel needs (`register_mode.py`).
    grf_mode: str = "auto"
    #: Also compile to native code with `ocloc`, and put its figures into the metadata.
    generate_native_code: bool = False
    #: The version of that `ocloc`, as part of the cache key.
    device_compiler: str = ""
    #: Turn loads and stores through tensors of pointers into block accesses if they describe blocks.
    raise_pointers: bool = True
    #: Assume that tiles and indices that are divided have no negative numbers, and that no tensor that is loaded
    #: overlaps one that is stored through another argument. Other launches take a variant without this.
    assume_launch: bool = True
    #: Optional passes to leave out, by their names in docs/Passes.md, to find the one that is at fault; `name:3`,
    #: `name:3-5` and `name:3-` leave out rewrites of a pass, which it numbers from 0 on.
    skip_passes: tuple[str, ...] = ()
    #: Numbers of tensors that 2D block messages cannot address; the launcher finds them (`launch_conditions`).
    ordinary_surfaces: tuple[int, ...] = ()
    #: Numbers of the kernel's descriptor arguments that pad with NaN; the launcher finds them.
    nan_descriptors: tuple[int, ...] = ()
    #: The code for the CPU device: `avx2` or `avx512`, `spirv` for the OpenCL runtime, or `zebin`, a GPU's native code,
    #: for the simulator. Empty on a GPU.
    cpu_code: str = ""
    #: Let code for the CPU device check memory, races, barriers and arithmetic; `debug` implies it.
    cpu_checks: bool = False
    #: On the CPU device: run each launch without optional passes and loops over slices, too, and compare the results.
    #: With `simulator` the other one is native code.
    verify: bool | str = False
    #: Number of registers of 32 bits per lane above which a tensor is computed in loops over slices, each with half of
    #: this number; 0 means straight code for all, None the number of the target: 64 on the CPU device, and what a lane
    #: has at most on a GPU.
    tile_registers: int | None = None
    #: The architecture that is compiled for; by default that of the device.
    arch: str = target.DEFAULT
    backend_name: str = "xpu"
    debug: bool = False
    sanitize_overflow: bool = True
    enable_fp_fusion: bool = True
    extern_libs: tuple[tuple[str, str], ...] = ()
    default_dot_input_precision: str = "tf32"
    allowed_dot_input_precisions: tuple[str, ...] = ("tf32", "tf32x3", "ieee", "bf16x3", "bf16x6")
    supported_fp8_dtypes: tuple[str, ...] = ("fp8e4nv", "fp8e5", "fp8e4b15")
    deprecated_fp8_dot_operand_dtypes: tuple[str, ...] = ()
    max_num_imprecise_acc_default: int = 0
    launch_cooperative_grid: bool = False
    instrumentation_mode: str = ""
    #: An option of Triton 3.9's sanitizer of floats, which needs passes of the wheel that other backends use.
    fpsan_homomorphic_casts: bool = False
    ir_override: str | None = None
    #: Options of other backends that this one accepts, with their values.
    without_effect: tuple[tuple[str, object], ...] = ()

    def __post_init__(self) -> None:
        # Triton looks here for the names of known options.
        for name, value in self.without_effect:
            object.__setattr__(self, name, value)
        architecture = target.resolve(self.arch)
        libraries = self.extern_libs.items() if isinstance(self.extern_libs, Mapping) else self.extern_libs or ()
        object.__setattr__(self, "extern_libs", tuple(sorted((str(name), str(path)) for name, path in libraries)))
        object.__setattr__(self, "grf_mode", str(self.grf_mode))
        for name in ("ordinary_surfaces", "nan_descriptors"):
            object.__setattr__(self, name, tuple(sorted(set(getattr(self, name)))))
        # JSON, in which kernels keep their options, has lists only.
        for name in ("allowed_dot_input_precisions", "supported_fp8_dtypes", "deprecated_fp8_dot_operand_dtypes"):
            if isinstance(value := getattr(self, name), list):
                object.__setattr__(self, name, tuple(value))
        skipped = (self.skip_passes,) if isinstance(self.skip_passes, str) else self.skip_passes
        object.__setattr__(self, "skip_passes", tuple(sorted(set(skipped))))

        for entry in self.skip_passes:
            name, colon, numbers = entry.partition(":")
            if name not in optional_passes():
                known = ", ".join(f"`{optional}`" for optional in optional_passes())
                advice = suggest(name, optional_passes())
                raise errors.OptionError(f"`skip_passes`: expected {known}, found `{name}`{advice}")
            if colon and not is_range(numbers):
                raise errors.OptionError(
                    f"`skip_passes`: expected numbers of rewrites such as `3`, `3-5` or `3-` after `{name}:`, "
                    f"found `{numbers}`"
                )
        # A bool is an int to Python, and another text in the options of passes.
        for name in ("num_warps", "num_stages", "warp_size", "num_ctas", "tile_registers"):
            if isinstance(value := getattr(self, name), bool):
                raise errors.OptionError(f"`{name}`: expected a number, found {value}")
        if not isinstance(self.num_warps, int) or self.num_warps < 1 or self.num_warps & (self.num_warps - 1):
            raise errors.WarpCountError(f"num_warps must be a power of 2, found {self.num_warps}")
        if not isinstance(self.num_stages, int) or self.num_stages < 0:
            raise errors.OptionError(f"`num_stages`: expected a non-negative integer, found {self.num_stages}")
        if self.num_ctas != 1:
            raise errors.OptionError(f"`num_ctas`: expected 1 (no work-group clusters), found {self.num_ctas}")
        if self.warp_size not in architecture.sub_group_sizes:
            sizes = " or ".join(map(str, architecture.sub_group_sizes))
            raise errors.OptionError(f"`warp_size`: expected {sizes}, found {self.warp_size}")
        if self.grf_mode not in GRF_MODES:
            modes = ", ".join(f"`{mode}`" for mode in GRF_MODES)
            raise errors.OptionError(f"`grf_mode`: expected {modes}, found `{self.grf_mode}`")
        if self.grf_mode.isdecimal() and int(self.grf_mode) not in architecture.max_warps:
            counts = " or ".join(f"`{count}`" for count in architecture.max_warps)
            raise errors.OptionError(f"`grf_mode`: `{self.arch}` has {counts} registers, found `{self.grf_mode}`")
        if self.cpu_code not in CPU_CODES:
            codes = ", ".join(f"`{code}`" for code in CPU_CODES if code)
            raise errors.OptionError(f"`cpu_code`: expected {codes}, found `{self.cpu_code}`")
        registers = self.tile_registers
        if registers is not None and not (isinstance(registers, int) and (registers == 0 or 2 <= registers < 2**31)):
            raise errors.OptionError(f"`tile_registers`: expected None, 0 or a number from 2 on, found {registers}")
        if self.verify not in (False, True, ON_SIMULATOR):
            raise errors.OptionError(f"`verify`: expected True, False or `{ON_SIMULATOR}`, found {self.verify!r}")
        if self.instrumentation_mode:
            instrumentation_mode.Mode.parse(self.instrumentation_mode)
        if self.fpsan_homomorphic_casts:
            raise errors.OptionError("`fpsan_homomorphic_casts`: there is no sanitizer of floats")

    @property
    def enable_iisan(self) -> bool:
        """Return that a sanitizer is off: Gluon's copies for other chips query it before anything can refuse them."""
        return False

    def hash(self) -> str:
        """Return a key of all options. External libraries count by their content."""
        values = dataclasses.asdict(self)
        del values["without_effect"]
        values["extern_libs"] = [(name, _hash_file(path)) for name, path in self.extern_libs]
        text = "_".join(f"{name}-{value}" for name, value in sorted(values.items()))
        return hashlib.sha256(text.encode()).hexdigest()


def gpu_options_of(metadata: Any) -> XeOptions:
    """Return the options for a compilation for the GPU, as far as the kernel's metadata keep them."""
    names = [field.name for field in dataclasses.fields(XeOptions) if hasattr(metadata, field.name)]
    values = {name: getattr(metadata, name) for name in names}
    values |= {"backend_name": "xpu", "cpu_code": "", "cpu_checks": False, "ir_override": None}
    values["extern_libs"] = tuple(map(tuple, values.get("extern_libs") or ()))
    return XeOptions(**values)


def _hash_file(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise errors.OptionError(f"`extern_libs`: cannot read `{path}`: {error.strerror}") from error
