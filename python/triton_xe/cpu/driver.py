# SPDX-License-Identifier: MIT
"""Driver of the CPU device. Triton expects exactly one driver class in this module.

Kernels run in this process, on all processors (see runtime.py). The driver is active on machines without an NVIDIA, AMD
or Intel GPU; on others `TRITON_DEFAULT_BACKEND=cpu` selects it.
"""

from __future__ import annotations

from typing import Any

from triton.backends import compiler as triton_compiler

from triton_xe import driver as shared
from triton_xe import dropped, errors, knobs, target, timing
from triton_xe.cpu import runtime


class CPUDriver(shared.XeDriver):
    """The CPU in the place of a GPU, by default a PVC, with torch CPU tensors as memory."""

    launches_wait = True

    @classmethod
    def is_active(cls) -> bool:
        requested = knobs.DEFAULT_BACKEND.text()
        return requested == "cpu" if requested else not _gpu_available()

    def open_device(self, device: int) -> Any:
        return runtime.open_default()

    def open_device_for(self, binary: bytes, device: int) -> Any:
        return runtime.open_for(binary)

    def architecture(self, device: int) -> target.Architecture:
        try:
            return target.resolve(knobs.CPU_ARCHITECTURE.text() or target.DEFAULT)
        except errors.OptionError as error:
            raise errors.OptionError(f"{knobs.CPU_ARCHITECTURE.name}: {error}") from None

    def get_current_target(self) -> triton_compiler.GPUTarget:
        architecture = self.architecture(0)
        return triton_compiler.GPUTarget("cpu", architecture.name, architecture.sub_group_sizes[0])

    def get_current_device(self) -> int:
        return 0

    def set_current_device(self, device: int) -> None:
        if device != 0:
            raise errors.DeviceError(f"there is one CPU device, number 0; found {device}")

    def get_current_stream(self, device: int) -> int:
        """Return 0, which represents the device's own queue."""
        return 0

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> type[timing.CPUInterface]:
        return timing.CPUInterface

    def get_benchmarker(self) -> timing.Benchmarker:
        return dropped.announcing(timing.do_bench)

    def get_empty_cache_for_benchmark(self) -> None:
        """Return nothing to flush: kernels on the CPU device take milliseconds, so the state of caches does not
        matter."""

    def clear_cache(self, cache: None) -> None:
        """See `get_empty_cache_for_benchmark`."""


def _gpu_available() -> bool:
    try:
        import torch
    except ImportError:
        return False
    if torch.cuda.is_available():
        return True
    # CPU builds of torch have no usable torch.xpu, and a query of it may start a GPU runtime.
    return bool(getattr(torch._C, "_has_xpu", False)) and torch.xpu.is_available()
