# SPDX-License-Identifier: MIT
"""Driver of Intel GPUs. Triton expects exactly one driver class in this module.

Kernels run on the queue of torch.xpu's current stream, and use the memory of its tensors.
"""

from __future__ import annotations

import functools
from typing import Any

from triton import backends
from triton.backends import compiler as triton_compiler

from triton_xe import driver as shared
from triton_xe import dropped, errors, installation, knobs, target


def _refuse_fork() -> None:
    """Raise ToolError where Intel's fork of Triton has a driver for the same GPUs: Triton would name no package."""
    if "intel" in backends.backends and (mixture := installation.find_mixture()):
        raise errors.ToolError(mixture.explain())


class XPUDriver(shared.XeDriver):
    """The devices of torch.xpu."""

    launches_wait = False

    def __init__(self) -> None:
        import torch

        super().__init__()
        self.get_current_device = torch.xpu.current_device
        self.set_current_device = torch.xpu.set_device
        # Each launch queries the stream: by a function of C where torch has one, without an object of Python's.
        self.get_current_stream = getattr(torch._C, "_xpu_getCurrentRawStream", self.get_current_stream)

    @classmethod
    def is_active(cls) -> bool:
        try:
            import torch
        except ImportError:
            return False
        if not getattr(torch._C, "_has_xpu", False) or not torch.xpu.is_available():
            return False
        _refuse_fork()
        # A machine may hold GPUs of two vendors: the other one keeps the default.
        return knobs.DEFAULT_BACKEND.text() == "xpu" or not torch.cuda.is_available()

    @functools.cache  # noqa: B019 - there is one driver per process
    def open_device(self, device: int) -> Any:
        from triton_xe import _runtime

        return _runtime.Device.from_queue(self.get_current_stream(device))

    @functools.cache  # noqa: B019
    def architecture(self, device: int) -> target.Architecture:
        import torch

        return target.resolve(torch.xpu.get_device_capability(device))

    def get_current_target(self) -> triton_compiler.GPUTarget:
        architecture = self.architecture(self.get_current_device())
        return triton_compiler.GPUTarget("xpu", architecture.name, architecture.sub_group_sizes[0])

    def get_current_stream(self, device: int) -> int:
        """Return the address of the `sycl::queue` of torch's current stream."""
        import torch

        return torch.xpu.current_stream(device).sycl_queue

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("xpu", self.get_current_device())

    def get_device_interface(self) -> Any:
        import torch

        return torch.xpu

    def get_benchmarker(self) -> Any:
        from triton.testing import do_bench

        # On a virtual GPU all runs take the same time, that of the model.
        benchmarker = functools.partial(do_bench, warmup=0, rep=0) if knobs.VIRTUAL_GPU_CHIP.text() else do_bench
        return dropped.announcing(benchmarker)

    def get_empty_cache_for_benchmark(self) -> Any:
        import torch

        # Larger than the 408 MB of L2 that the largest PVC has. The model begins each kernel with empty caches.
        size = 0 if knobs.VIRTUAL_GPU_CHIP.text() else 512 * 1024 * 1024
        return torch.empty(size // 4, dtype=torch.int, device="xpu")

    def clear_cache(self, cache: Any) -> None:
        cache.zero_()
