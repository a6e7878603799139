# SPDX-License-Identifier: MIT
"""Time kernels on the CPU device, with the interface of `triton.testing.do_bench`.

A launch there returns when the kernel has ended, so the clock of the host measures it exactly. Kernels take so long
that few runs are enough.
"""

from __future__ import annotations

import contextlib
import contextvars
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

#: True while this thread takes the time of its launches.
_timing: contextvars.ContextVar[bool] = contextvars.ContextVar("timing", default=False)


def is_timing() -> bool:
    """Return whether the time of launches is taken, which should do nothing else then."""
    return _timing.get()


@contextlib.contextmanager
def _taking_times() -> Iterator[None]:
    token = _timing.set(True)
    try:
        yield
    finally:
        _timing.reset(token)


class Benchmarker(Protocol):
    """The benchmarker that Triton's autotuner calls."""

    def __call__(self, kernel_call: Callable[[], Any], *, quantiles: Sequence[float], **kwargs: Any) -> Sequence[float]:
        """Return the times of `kernel_call` in milliseconds at the quantiles."""


class CPUEvent:
    """An event of the CPU device: a point in time."""

    def __init__(self, enable_timing: bool = True) -> None:
        self.time = 0.0

    def record(self, stream: object = None) -> None:
        """Take the time."""
        self.time = time.perf_counter()

    def elapsed_time(self, end: CPUEvent) -> float:
        """Return the milliseconds from this event to `end`."""
        return (end.time - self.time) * 1e3

    def synchronize(self) -> None:
        """Do nothing, since nothing is pending."""

    def query(self) -> bool:
        """Return whether the event has happened."""
        return True


class CPUInterface:
    """The part of a torch device module (such as torch.cuda) that benchmarks use."""

    Event = CPUEvent

    @staticmethod
    def synchronize(device: object = None) -> None:
        """Do nothing, since every launch waits."""

    @staticmethod
    def current_device() -> int:
        """Return 0, the number of the CPU device."""
        return 0

    @staticmethod
    def device_count() -> int:
        """Return 1."""
        return 1

    @staticmethod
    def is_available() -> bool:
        """Return True."""
        return True


def summarize(times: list[float], quantiles: Sequence[float] | None, return_mode: str) -> Any:
    """Reduce times the way `triton.testing.do_bench` does."""
    if quantiles is not None:
        ordered = sorted(times)
        result = [_quantile(ordered, fraction) for fraction in quantiles]
        return result[0] if len(result) == 1 else result
    reductions: dict[str, Callable[[list[float]], Any]] = {
        "all": list,
        "min": min,
        "max": max,
        "mean": statistics.fmean,
        "median": statistics.median,
    }
    return reductions[return_mode](times)


def _quantile(ordered: list[float], fraction: float) -> float:
    position = fraction * (len(ordered) - 1)
    low = int(position)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (position - low)


def do_bench(
    kernel_call: Callable[[], Any],
    warmup: float = 25,
    rep: float = 100,
    grad_to_none: Sequence[Any] | None = None,
    quantiles: Sequence[float] | None = None,
    return_mode: str = "mean",
) -> Any:
    """Run `kernel_call` for about `rep` milliseconds, at least once after the first run, and return its time.

    The first run compiles and is not counted. Caches are not flushed.
    """
    kernel_call()
    deadline = time.perf_counter() + rep / 1e3
    times: list[float] = []
    with _taking_times():
        while not times or time.perf_counter() < deadline:
            for tensor in grad_to_none or ():
                tensor.grad = None
            start = time.perf_counter()
            kernel_call()
            times.append((time.perf_counter() - start) * 1e3)
    return summarize(times, quantiles, return_mode)
