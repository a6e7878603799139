# SPDX-License-Identifier: MIT
"""The parts of torch.xpu that the XPU driver uses, for a build of torch without it: a device, its stream, tensors.

Streams are queues of dpctl, and tensors are in their shared memory (USM). Nothing of the product is replaced.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import dpctl
import dpctl.memory
import torch

#: SYCL's numbers of architectures, by a part of the name: the IP version, as torch.xpu gives it.
_ARCHITECTURES = {
    "B580": 20 << 30 | 1 << 22 | 4,
    "GPU Max": 12 << 30 | 60 << 22 | 7,
    "B390": 30 << 30 | 0 << 22 | 4,
    "Arc(TM) Graphics": 20 << 30 | 4 << 22 | 4,
}


#: Functions of tensors that look at no element.
_DESCRIBING = {
    "__get__",
    "data_ptr",
    "dim",
    "element_size",
    "is_contiguous",
    "numel",
    "size",
    "storage_offset",
    "stride",
}
#: The address at which memory of the GPU begins.
_STORAGES: set[int] = set()
#: The queue of the current stream, last, and those that it took the place of.
_streams: list[dpctl.SyclQueue] = []


class XPUTensor(torch.Tensor):
    """A tensor that reports to be on a GPU, if it is in memory that the GPU and the processor share."""

    @property
    def is_xpu(self) -> bool:
        """Return whether it is a tensor of the GPU, or a view of one, and no result of the processor's."""
        with torch._C.DisableTorchFunctionSubclass():
            return self.untyped_storage().data_ptr() in _STORAGES

    @property
    def device(self) -> torch.device:
        """Return the only GPU, or the processor."""
        return torch.device("xpu", 0) if self.is_xpu else torch.device("cpu")

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Read and write elements on the processor, once the stream has come so far."""
        if function.__name__ not in _DESCRIBING:
            queue().wait()
        return super().__torch_function__(function, types, args, kwargs or {})


@functools.cache
def queue() -> dpctl.SyclQueue:
    """Return the default stream of the device."""
    return dpctl.SyclQueue("level_zero:gpu", property="in_order")


def make_queue(*properties: str) -> dpctl.SyclQueue:
    """Return another queue of the device, in the same context."""
    return dpctl.SyclQueue(queue().sycl_context, queue().sycl_device, property=list(properties))


@contextlib.contextmanager
def stream(other: dpctl.SyclQueue) -> Iterator[None]:
    """Launch on another queue."""
    _streams.append(other)
    try:
        yield
    finally:
        _streams.pop()


def _current_stream() -> dpctl.SyclQueue:
    return _streams[-1] if _streams else queue()


def _current_queue(_device: Any = None) -> int:
    return _current_stream().addressof_ref()


class Event:
    """A place in the current stream, which has to be one that measures times."""

    def __init__(self, enable_timing: bool) -> None:
        assert enable_timing

    def record(self) -> None:
        """Take the place that the stream has come to."""
        self.barrier = _current_stream().submit_barrier()

    def elapsed_time(self, end: Event) -> float:
        """Return the milliseconds up to another one."""
        return (end.barrier.profiling_info_start - self.barrier.profiling_info_end) * 1e-6


def empty(shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor whose bytes are poison."""
    count = torch.Size(shape).numel()
    size = max(count * dtype.itemsize, 1)
    memory = dpctl.memory.MemoryUSMShared(size, queue=queue())
    memory.copy_from_host(b"\xa5" * size)
    buffer = (ctypes.c_uint8 * size).from_address(memory._pointer)
    # The buffer lives as long as the tensor, and the memory as long as the buffer. No other tensor comes to an address
    # of memory that was freed: the set keeps those, and only memory of the GPU gets them again.
    buffer.memory = memory
    _STORAGES.add(memory._pointer)
    elements = torch.frombuffer(buffer, dtype=torch.uint8)[: count * dtype.itemsize].view(dtype)
    return elements.view(shape).as_subclass(XPUTensor)


def copy(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor with the same values in the GPU's memory."""
    result = empty(tensor.shape, tensor.dtype)
    result.copy_(tensor)
    return result


def host(tensor: torch.Tensor) -> torch.Tensor:
    """Return the values in memory of the processor."""
    return tensor.clone().as_subclass(torch.Tensor)


def _allocating(function: Any) -> Any:
    """Return a function of torch that makes tensors, also those of the GPU."""

    def make(*sizes: Any, device: Any = None, **options: Any) -> torch.Tensor:
        on_gpu = device is not None and torch.device(device).type == "xpu"
        return copy(function(*sizes, **options)) if on_gpu else function(*sizes, device=device, **options)

    return make


def install() -> None:
    """Let torch.xpu have the device."""
    torch.zeros, torch.empty = _allocating(torch.zeros), _allocating(torch.empty)
    name = queue().sycl_device.name
    architecture = next(number for part, number in _ARCHITECTURES.items() if part in name)
    torch._C._has_xpu = True
    torch.xpu.is_available = lambda: True
    torch.xpu.current_device = lambda: 0
    torch.xpu.set_device = lambda _device: None
    torch.xpu.synchronize = lambda _device=None: _current_stream().wait()
    torch.xpu.Event = Event
    torch.xpu.current_stream = lambda _device=None: SimpleNamespace(sycl_queue=_current_queue())
    torch._C._xpu_getCurrentRawStream = _current_queue
    torch.xpu.get_device_capability = lambda _device=None: {"name": name, "architecture": architecture}
