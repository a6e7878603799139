# SPDX-License-Identifier: MIT
"""The part of Level Zero that a program needs to launch a kernel, without a binding: calls by `ctypes`."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from typing import Any

#: Numbers of structures (`ze_structure_type_t`).
_CONTEXT, _QUEUE, _DEVICE_MEMORY, _HOST_MEMORY, _MODULE, _KERNEL = 0x0D, 0x0E, 0x15, 0x16, 0x1B, 0x1D
_EVENT_POOL, _EVENT = 0x10, 0x11
DEVICE_LOST = 0x70000001
_FOREVER = ctypes.c_uint64(-1)
_VISIBLE_TO_HOST, _WITH_TIMESTAMPS = 1, 4


class Failure(Exception):
    """A call that failed."""

    def __init__(self, name: str, status: int) -> None:
        super().__init__(f"{name}: 0x{status:x}")
        self.status = status


def _pack(layout: str, *values: Any) -> ctypes.Array:
    """Return a structure that begins with its number and a null pointer."""
    return ctypes.create_string_buffer(struct.pack("@" + layout, *values))


class Device:
    """The GPU of this number, with a queue that takes commands at once."""

    def __init__(self, number: int = 0, *, in_order: bool = True) -> None:
        self.library = ctypes.CDLL("libze_loader.so.1")
        self.call("zeInit", 0)
        self.driver = self.list_handles("zeDriverGet", 1)[0]
        self.device = self.list_handles("zeDeviceGet", number + 1, self.driver)[number]
        self.context = self.make("zeContextCreate", self.driver, _pack("IPI", _CONTEXT, 0, 0))
        self.list = self.make_list(in_order=in_order)

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function. Raises Failure."""
        status = getattr(self.library, name)(*arguments) & 0xFFFFFFFF
        if status:
            raise Failure(name, status)

    def make(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        """Return the handle that a function makes."""
        handle = ctypes.c_void_p()
        self.call(name, *arguments, ctypes.byref(handle))
        return handle

    def list_handles(self, name: str, wanted: int, *arguments: Any) -> list[ctypes.c_void_p]:
        """Return the first handles that a function lists."""
        count, handles = ctypes.c_uint32(wanted), (ctypes.c_void_p * wanted)()
        self.call(name, *arguments, ctypes.byref(count), handles)
        return [ctypes.c_void_p(handle) for handle in handles]

    def make_list(self, *, in_order: bool = True) -> ctypes.c_void_p:
        """Return a list that takes commands at once."""
        # Ordinal, index, flags (2: in order), mode (2: asynchronous), priority.
        queue = _pack("IPIIIIi", _QUEUE, 0, 0, 0, 2 if in_order else 0, 2, 0)
        return self.make("zeCommandListCreateImmediate", self.context, self.device, queue)

    def load(self, spirv: bytes) -> ctypes.c_void_p:
        """Return SPIR-V as a module."""
        code = ctypes.create_string_buffer(spirv, len(spirv))
        description = _pack("IPINPPP", _MODULE, 0, 0, len(spirv), ctypes.addressof(code), 0, 0)
        module = ctypes.c_void_p()
        self.call("zeModuleCreate", self.context, self.device, description, ctypes.byref(module), None)
        return module

    def find_kernel(self, module: ctypes.c_void_p, name: str) -> ctypes.c_void_p:
        """Return a kernel of a module."""
        text = ctypes.create_string_buffer(name.encode())
        return self.make("zeKernelCreate", module, _pack("IPIP", _KERNEL, 0, 0, ctypes.addressof(text)))

    def allocate(self, kind: str, size: int) -> ctypes.c_void_p:
        """Return memory of the `Device`, of the `Host`, or `Shared` by both."""
        on_device, on_host = _pack("IPII", _DEVICE_MEMORY, 0, 0, 0), _pack("IPI", _HOST_MEMORY, 0, 0)
        descriptions = {"Device": [on_device], "Host": [on_host], "Shared": [on_device, on_host]}[kind]
        place = [] if kind == "Host" else [self.device]
        alignment = ctypes.c_size_t(64)
        return self.make(f"zeMemAlloc{kind}", self.context, *descriptions, ctypes.c_size_t(size), alignment, *place)

    def copy(self, destination: Any, source: Any, size: int, event: ctypes.c_void_p | None = None) -> None:
        """Copy memory, and wait."""
        count = ctypes.c_size_t(size)
        self.call("zeCommandListAppendMemoryCopy", self.list, destination, source, count, event, 0, None)
        self.wait()

    def launch(
        self,
        kernel: ctypes.c_void_p,
        groups: Sequence[int],
        local: Sequence[int],
        arguments: Sequence[Any],
        event: ctypes.c_void_p | None = None,
        before: ctypes.c_void_p | None = None,
    ) -> None:
        """Launch a kernel, which signals one event and waits for another. Does not wait itself."""
        self.call("zeKernelSetGroupSize", kernel, *local)
        for index, argument in enumerate(arguments):
            size = ctypes.c_size_t(ctypes.sizeof(argument))
            self.call("zeKernelSetArgumentValue", kernel, index, size, ctypes.byref(argument))
        count = (ctypes.c_uint32 * 3)(*groups)
        waits = (0, None) if before is None else (1, ctypes.byref(before))
        self.call("zeCommandListAppendLaunchKernel", self.list, kernel, ctypes.byref(count), event, *waits)

    def wait(self) -> None:
        """Wait for all commands."""
        self.call("zeCommandListHostSynchronize", self.list, _FOREVER)

    def make_event(self) -> ctypes.c_void_p:
        """Return an event that knows when its kernel ran."""
        pool = ctypes.c_void_p()
        description = _pack("IPII", _EVENT_POOL, 0, _VISIBLE_TO_HOST | _WITH_TIMESTAMPS, 1)
        self.call("zeEventPoolCreate", self.context, description, 0, None, ctypes.byref(pool))
        return self.make("zeEventCreate", pool, _pack("IPIII", _EVENT, 0, 0, _VISIBLE_TO_HOST, _VISIBLE_TO_HOST))

    def read_times(self, event: ctypes.c_void_p) -> tuple[int, int]:
        """Return when the kernel of an event began and ended, in ticks."""
        times = (ctypes.c_uint64 * 4)()
        self.call("zeEventQueryKernelTimestamp", event, ctypes.byref(times))
        return times[0], times[1]


def read_array(memory: ctypes.c_void_p, kind: Any, count: int) -> list[Any]:
    """Return what is in memory that the processor sees."""
    return list((kind * count).from_address(memory.value))


def write_array(memory: ctypes.c_void_p, kind: Any, values: Sequence[Any]) -> None:
    """Write to memory that the processor sees."""
    (kind * len(values)).from_address(memory.value)[:] = values
