# SPDX-License-Identifier: MIT
"""Notify sessions of events in the process: launches of kernels, and metrics of the host."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import threading
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from triton_xe import hooks
from triton_xe.tools.profiler import records, scope_stack

if TYPE_CHECKING:
    import torch

#: Constants and options, by name, that distinguish a kernel from others of the same name.
Configuration = tuple[tuple[str, str], ...]
#: A number, a list of numbers, or a tensor of either. Tensors of devices are read when the number is needed.
Metric = Any


@dataclasses.dataclass(frozen=True)
class Operation:
    """The name and metrics that a kernel's `launch_metadata` gives to a launch (hooks.py)."""

    name: str
    metrics: Mapping[str, Metric]


def attach(metadata: Any, operation: Operation) -> None:
    """Attach an operation to the metadata of a launch, which Triton makes for each launch."""
    metadata.triton_xe_operation = operation


def operation_of(metadata: Any) -> Operation | None:
    """Return the operation that was attached to the metadata of a launch."""
    return getattr(metadata, "triton_xe_operation", None)


@dataclasses.dataclass(frozen=True)
class Launch:
    """A launch with records. They may be incomplete until the device was waited for."""

    kernel: str
    #: The scopes of the host around the launch, the outermost first.
    path: tuple[str, ...]
    #: Name and parent (-1 for none) of each scope, by its number.
    scopes: tuple[tuple[str, int], ...]
    layout: records.Layout
    memory: Any
    #: The kernel's own description of the launch, if a session requests it.
    operation: Operation | None = None
    configuration: Configuration = ()
    #: The backend. The clock of `cpu` is that of the host.
    device: str = "cpu"
    #: The host's clock before the launch; 0 if unknown.
    submitted: int = 0
    #: The source lines where scopes begin, by their numbers; 0 if unknown.
    lines: tuple[int, ...] = ()

    def programs(self) -> list[records.Program]:
        """Return the decoded programs. Waits for the device."""
        # Needs numpy, which kernels without a profile do not.
        from triton_xe.tools.profiler import decoding

        return decoding.decode(self.memory.cpu().numpy().tobytes(), self.layout)

    def store(self, buffer: bytearray) -> Launch:
        """Move the records, compressed, to the end of `buffer`, and return the launch with these. Waits for the
        device."""
        data = self.memory.cpu().numpy().tobytes()
        layout = self.layout
        if layout.arena_bytes:
            programs = len(data) - layout.arena_bytes
            layout = dataclasses.replace(layout, arena_bytes=records.used_arena_bytes(data[programs:]))
            data = data[: programs + layout.arena_bytes]
        begin = len(buffer)
        # Zeros for the most part.
        buffer += zlib.compress(data, level=1)
        return dataclasses.replace(self, memory=_Stored(buffer, begin, len(buffer)), layout=layout)


@dataclasses.dataclass(frozen=True)
class _Stored:
    """Memory of a launch, compressed, in a buffer that launches share.

    Separate small pieces between large allocations that come and go would fragment the memory.
    """

    buffer: bytearray
    begin: int
    end: int

    def cpu(self) -> torch.Tensor:
        import torch

        data = bytearray(zlib.decompress(self.buffer[self.begin : self.end]))
        return torch.frombuffer(data, dtype=torch.uint8)


class Time(Protocol):
    """The time when a kernel ran: `LaunchTime` of the SYCL runtime, or `HostTime`."""

    @property
    def is_known(self) -> bool:
        """Return whether `read` returns without waiting."""

    def read(self) -> tuple[int, int]:
        """Return begin and end in nanoseconds, by one clock for all launches of a device."""


@dataclasses.dataclass(frozen=True)
class HostTime:
    """The time of a launch that has ended, by the clock of the host."""

    begin: int
    end: int
    is_known = True

    def read(self) -> tuple[int, int]:
        return self.begin, self.end


@dataclasses.dataclass(frozen=True)
class Run:
    """A launch whose time was measured."""

    kernel: str
    #: The path of scopes, as in `Launch`.
    path: tuple[str, ...]
    #: `CPU` or `XPU`, and the number of the device.
    device_type: str
    device: int
    #: The driver's number of the stream; 0 is the device's own.
    stream: int
    time: Time
    #: This is true if the time is that of the host's clock, around a launch that the host had to wait for.
    is_host_time: bool
    operation: Operation | None = None
    #: The `CompiledKernel.function` of the code that ran, which may be that of a variant.
    code: Any = None


class Listener(Protocol):
    """Gets launches with records and metrics, in the thread where they happen."""

    def launched(self, launch: Launch) -> None:
        """Handle the launch of a kernel that has scopes."""

    def measured(self, path: tuple[str, ...], metrics: Mapping[str, Metric]) -> None:
        """Handle metrics that the host has measured for a scope."""


class RunListener(Protocol):
    """Gets launches whose times are measured, in the thread of the launch."""

    def ran(self, run: Run) -> None:
        """Handle the launch of a kernel, with or without scopes."""


#: True while listeners are not notified of the launches of this thread.
_muted: contextvars.ContextVar[bool] = contextvars.ContextVar("muted", default=False)


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """Notify no listener of launches of this thread: they are not the program's own."""
    token = _muted.set(True)
    try:
        yield
    finally:
        _muted.reset(token)


_lock = threading.Lock()
_listeners: tuple[Listener, ...] = ()
_run_listeners: tuple[RunListener, ...] = ()


def listen(listener: Listener) -> None:
    """Call `listener` from now on."""
    global _listeners
    with _lock:
        _listeners = (*_listeners, listener)


def ignore(listener: Listener) -> None:
    """Stop calling `listener`."""
    global _listeners
    with _lock:
        _listeners = tuple(other for other in _listeners if other is not listener)


def listen_to_runs(listener: RunListener) -> None:
    """Measure the time of every launch from now on, and call `listener`."""
    global _run_listeners
    with _lock:
        _run_listeners = (*_run_listeners, listener)
        _observe()


def ignore_runs(listener: RunListener) -> None:
    """Stop calling `listener`."""
    global _run_listeners
    with _lock:
        _run_listeners = tuple(other for other in _run_listeners if other is not listener)
        _observe()


def _observe() -> None:
    hooks.observe_launches(_announce_run if _run_listeners else None)


def _announce_run(kernel: str, metadata: Any, stream: int, time: Any, code: Any) -> None:
    """Notify listeners of a launch. The launcher calls this."""
    if _muted.get():
        return
    from triton.runtime import driver

    active = driver.active
    on_host = isinstance(time, tuple)
    run = Run(
        kernel=kernel,
        path=scope_stack.current_path(),
        device_type=active.get_current_target().backend.upper(),
        device=active.get_current_device(),
        stream=stream,
        time=HostTime(*time) if on_host else time,
        # The CPU's own runtime ends a launch when its kernel ends.
        is_host_time=not on_host and time.source.name == "HOST",
        operation=operation_of(metadata),
        code=code,
    )
    for listener in _run_listeners:
        listener.ran(run)


def is_anybody_listening() -> bool:
    return bool(_listeners) and not _muted.get()


def announce_launch(launch: Launch) -> None:
    for listener in _listeners:
        listener.launched(launch)


def announce_metrics(path: tuple[str, ...], metrics: Mapping[str, Metric]) -> None:
    for listener in _listeners:
        listener.measured(path, metrics)
