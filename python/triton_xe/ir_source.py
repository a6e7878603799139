# SPDX-License-Identifier: MIT
"""Compile from a file with the IR of a stage.

Stock `triton.compile("kernel.ttgir")` parses the file with the wheel's MLIR, which does not know the `ttig` dialect.
`triton.compile(IRSource("kernel.ttgir"), target=..., options=...)` passes the text of any of our stages to the next one
instead. The result can be launched like any compiled kernel.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from triton.backends.compiler import Language
from triton.compiler import ASTSource

from triton_xe import _compiler, errors, stage_files


class IRSource(ASTSource):
    """IR in a file, named after its stage: `.ttir`, `.ttgir`, `.llir`, `.spv` or `.obj`.

    `signature` lists the types of the kernel's arguments as Triton writes them (`*fp32`, `i32`, ...). It is not needed
    for TTIR and TTGIR, which contain the types.
    """

    def __init__(self, path: str | Path, signature: Sequence[str] | None = None) -> None:
        path = Path(path)
        suffix = path.suffix.removeprefix(".")
        if suffix not in stage_files.SUFFIXES:
            known = ", ".join(f"`.{name}`" for name in stage_files.SUFFIXES)
            raise errors.OptionError(f"expected a file name that ends in {known}, found `{path.name}`")
        try:
            self.content = path.read_bytes()
        except OSError as error:
            raise errors.OptionError(f"cannot read `{path}`: {error.strerror}") from error
        self.path = path
        self.file = stage_files.StageFile(path, self.content)
        #: The first stage of the compilation, which passes the file on.
        self.ext = suffix
        self.language = Language.TRITON
        self.name = path.stem
        self.constants: dict[Any, Any] = {}
        self.attrs: dict[Any, Any] = {}
        self.module_options: dict[str, int] = {}
        if suffix in ("ttir", "ttgir"):
            signature = self._read_module(signature)
        self.signature = dict(enumerate(signature or ()))
        self.fn = SimpleNamespace(launch_metadata=None, arg_names=[f"#{index}" for index in self.signature])

    def _read_module(self, signature: Sequence[str] | None) -> Sequence[str]:
        """Read name, signature and options from the module itself."""
        module = _compiler.Module.parse(self.content.decode(), str(self.path))
        kernels = module.kernels()
        if len(kernels) != 1:
            raise errors.CompileError(f"expected one kernel in `{self.path}`, found {len(kernels)}")
        self.name = kernels[0].name
        for option, attribute in (("num_warps", "ttg.num-warps"), ("warp_size", "ttg.threads-per-warp")):
            if (value := module.int_attribute(attribute)) is not None:
                self.module_options[option] = value
        return signature or kernels[0].types

    def hash(self) -> str:
        """Return the text that identifies the source in cache keys."""
        return hashlib.sha256(self.ext.encode() + self.content).hexdigest()

    def make_ir(
        self, target: object, options: object, codegen_fns: Mapping, module_map: Mapping, context: object
    ) -> Any:
        """Return the input of the first stage."""
        return self.file

    def parse_options(self) -> dict[str, Any]:
        """Return the options that come with the source. A binary comes with itself, as not each target launches it."""
        return self.module_options | ({stage_files.BINARY: self.file} if self.file.is_binary else {})
