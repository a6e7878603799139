# SPDX-License-Identifier: MIT
"""Compiler of the `xpu` backend. Triton expects exactly one backend class in this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_xe import compiler as shared

if TYPE_CHECKING:
    from triton.backends.compiler import GPUTarget


class XPUBackend(shared.XeBackend):
    """Code for the GPU's driver, which provides 2D block access and DPAS itself."""

    target_name = "xpu"
    device_library = "none"

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == XPUBackend.target_name
