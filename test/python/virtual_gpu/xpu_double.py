# SPDX-License-Identifier: MIT
"""What torch.xpu would give the XPU driver, in a build of torch that has none: a device, its stream, and tensors.

The stream is a queue of dpctl, and tensors are in its shared memory (USM). Nothing of the product is replaced.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import dpctl
import dpctl.memory
import torch

#: SYCL's numbers of architectures, by a part of the name: the IP version, as torch.xpu gives it.
_ARCHITECTURES = {"B580": 20 << 30 | 1 << 22 | 4, "Max 1100": 12 << 30 | 60 << 22 | 7}


class XPUTensor(torch.Tensor):
    """A tensor in memory that the GPU and the processor share, which says that it is on a GPU."""

    @property
    def is_xpu(self) -> bool:
        """Return true, as tensors of a GPU do."""
        return True

    @property
    def device(self) -> torch.device:
        """Return the only GPU."""
        return torch.device("xpu", 0)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Compute on the processor: what comes out is in its memory."""
        with torch._C.DisableTorchFunctionSubclass():
            return function(*args, **(kwargs or {}))


@functools.cache
def queue() -> dpctl.SyclQueue:
    """Return the stream of the device."""
    return dpctl.SyclQueue("level_zero:gpu", property="in_order")


def empty(shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor whose bytes are poison."""
    count = torch.Size(shape).numel()
    size = max(count * dtype.itemsize, 1)
    memory = dpctl.memory.MemoryUSMShared(size, queue=queue())
    memory.copy_from_host(b"\xa5" * size)
    buffer = (ctypes.c_uint8 * size).from_address(memory._pointer)
    # The buffer lives as long as the tensor, and the memory as long as the buffer.
    buffer.memory = memory
    return torch.frombuffer(buffer, dtype=dtype, count=count).view(shape).as_subclass(XPUTensor)


def copy(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor with the same values in the GPU's memory."""
    result = empty(tensor.shape, tensor.dtype)
    result.copy_(tensor)
    return result


def host(tensor: torch.Tensor) -> torch.Tensor:
    """Return the values in memory of the processor, once the stream has come so far."""
    queue().wait()
    return tensor.as_subclass(torch.Tensor).clone()


def install() -> None:
    """Let torch.xpu have the device."""
    name = queue().sycl_device.name
    architecture = next(number for part, number in _ARCHITECTURES.items() if part in name)
    torch._C._has_xpu = True
    torch.xpu.is_available = lambda: True
    torch.xpu.current_device = lambda: 0
    torch.xpu.set_device = lambda _device: None
    torch.xpu.synchronize = lambda _device=None: queue().wait()
    torch.xpu.current_stream = lambda _device=None: SimpleNamespace(sycl_queue=queue().addressof_ref())
    torch.xpu.get_device_capability = lambda _device=None: {"name": name, "architecture": architecture}
