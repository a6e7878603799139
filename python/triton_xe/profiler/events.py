"""What sessions may want to know of the process: launches of kernels with scopes, and metrics of the host."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Mapping
from typing import Any, Protocol

from triton_xe.profiler import records


@dataclasses.dataclass(frozen=True)
class Launch:
    """A launch, whose records may not all be there before the device has been waited for."""

    kernel: str
    #: The host's scopes around it, the outermost first.
    path: tuple[str, ...]
    #: Name and parent (-1: none) by number.
    scopes: tuple[tuple[str, int], ...]
    layout: records.Layout
    memory: Any

    def programs(self) -> list[records.Program]:
        """Waits for the device."""
        return records.decode(self.memory.cpu().numpy().tobytes(), self.layout)


class Listener(Protocol):
    """Called in the thread of what happens."""

    def launched(self, launch: Launch) -> None:
        """A kernel was launched."""

    def measured(self, path: tuple[str, ...], metrics: Mapping[str, float]) -> None:
        """The host has numbers of a scope."""


_lock = threading.Lock()
_listeners: tuple[Listener, ...] = ()


def listen(listener: Listener) -> None:
    """Call `listener` from now on."""
    global _listeners
    with _lock:
        _listeners = (*_listeners, listener)


def ignore(listener: Listener) -> None:
    """No more."""
    global _listeners
    with _lock:
        _listeners = tuple(other for other in _listeners if other is not listener)


def is_anybody_listening() -> bool:
    return bool(_listeners)


def announce_launch(launch: Launch) -> None:
    for listener in _listeners:
        listener.launched(launch)


def announce_metrics(path: tuple[str, ...], metrics: Mapping[str, float]) -> None:
    for listener in _listeners:
        listener.measured(path, metrics)
