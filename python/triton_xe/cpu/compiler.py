"""Compiler of the `cpu` backend. Triton expects exactly one backend class in this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_xe import compiler as shared

if TYPE_CHECKING:
    from triton.backends.compiler import GPUTarget

    from triton_xe.options import XeOptions


class CPUBackend(shared.XeBackend):
    """The GPU's code with a library that emulates 2D block access and DPAS."""

    target_name = "cpu"
    device_library = "emulation"

    def build_options(self, options: XeOptions) -> str:
        """None: a CPU has no register modes."""
        return ""

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == CPUBackend.target_name
