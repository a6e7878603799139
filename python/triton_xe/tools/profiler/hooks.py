# SPDX-License-Identifier: MIT
"""Hooks of launches. Triton's own `HookManager` calls them, and `hook="triton"` reads the metadata of launches.

The function that a kernel gives as `@triton.jit(launch_metadata=...)` names a launch, and gives it metrics.
"""

from __future__ import annotations

import contextlib
import functools
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from triton.profiler.hooks.hook import Hook, HookManager

from triton_xe import errors
from triton_xe.tools.profiler import events, host_scopes, metrics

__all__ = ["Hook", "HookManager", "LaunchHook"]

#: Keys that Triton itself puts into the metadata.
_RESERVED = ("name", "function", "stream")


class _Nesting(threading.local):
    """A flag for each thread: it computes metadata. Kernels that it launches for this have none."""

    is_computing = False


_nesting = _Nesting()


class QuietHook(Hook):
    """A hook that does nothing."""

    def init_handle(self, module: Any, function: Any, name: str, metadata_group: dict[str, str], key: str) -> None:
        """Called when a kernel was loaded."""

    def activate(self) -> None:
        """Called when the first session with the hook becomes active."""

    def deactivate(self) -> None:
        """Called when no session with the hook is still active."""

    def enter(self, metadata: Any) -> None:
        """Called before a launch."""

    def exit(self, metadata: Any) -> None:
        """Called after a launch."""


class LaunchHook(QuietHook):
    """Reads the metadata of a launch for the sessions that have this hook."""

    #: Runs before other hooks, so that launches of theirs are not part of it.
    priority = 100

    def __init__(self, include: str | None = None, exclude: str | None = None) -> None:
        self.configure(include=include, exclude=exclude)

    def configure(self, *, include: str | None = None, exclude: str | None = None) -> None:
        """Select kernels by regular expressions that match the beginnings of names."""
        self.include = re.compile(include) if include else None
        self.exclude = re.compile(exclude) if exclude else None

    def is_wanted(self, name: str | None) -> bool:
        if name is None:
            return True
        return (not self.include or bool(self.include.match(name))) and not (self.exclude and self.exclude.match(name))

    def enter(self, metadata: Any) -> None:
        """Called before a launch."""
        read_metadata(metadata, self.is_wanted)


def read_metadata(metadata: Any, is_wanted: Callable[[str | None], bool]) -> None:
    """Compute the metadata of a launch, and attach them to it, if the name of the kernel is wanted."""
    name = metadata.data.get("name")
    if _nesting.is_computing or not is_wanted(name):
        return
    with _computing(), host_scopes.metadata_state(name):
        values = metadata.get()
        # The metadata may have another name for it.
        if not is_wanted(values["name"]):
            return
        found = {key: value for key, value in values.items() if key not in _RESERVED and metrics.is_metric(value)}
        # Goes with the launch, however that ends.
        events.attach(metadata, events.Operation(values["name"], metrics.convert(found)))


@contextlib.contextmanager
def _computing() -> Iterator[None]:
    _nesting.is_computing = True
    try:
        yield
    finally:
        _nesting.is_computing = False


def begin(hook: Hook, session: str) -> None:
    """Make Triton call the hook for a session. If `hook.activate` raises an exception, the hook is removed again."""
    try:
        HookManager.register(hook, session)
    except BaseException:
        HookManager.session_hooks.pop(session, None)
        raise


def end(session: str) -> None:
    """Stop calling the hook of a session, also when it pauses: Triton's manager mixes up hooks of paused sessions."""
    HookManager.unregister(session)


@functools.cache
def _launch_hook() -> LaunchHook:
    """Return the hook that all sessions share, so that metadata is computed once."""
    return LaunchHook()


def resolve(hook: Any) -> Hook | None:
    """Return the hook for the argument of `start(hook=...)`. Raises OptionError if it is none."""
    from triton.profiler.hooks import launch

    if hook is None:
        return None
    if hook == "triton":
        return _launch_hook()
    if isinstance(hook, launch.LaunchHook):
        # Triton's own computes with kernels of CUDA; its filters are taken over.
        ours = LaunchHook()
        ours.include, ours.exclude = hook._include_re, hook._exclude_re
        return ours
    if isinstance(hook, Hook):
        return hook
    raise errors.OptionError(f"`hook`: expected None, 'triton' or a `triton.profiler.hooks.hook.Hook`, found {hook!r}")


def __getattr__(name: str) -> Any:
    reason = ": sessions instrument kernels themselves" if name == "InstrumentationHook" else ""
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}{reason}")
