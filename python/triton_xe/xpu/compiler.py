# SPDX-License-Identifier: MIT
"""Compiler of the `xpu` backend. Triton expects exactly one backend class in this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_xe import compiler as shared

if TYPE_CHECKING:
    from triton.backends.compiler import GPUTarget


class XPUBackend(shared.XeBackend):
    """Compiles for the driver of a GPU, which implements 2D block messages and DPAS."""

    target_name = "xpu"
    device_library = "none"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == XPUBackend.target_name
