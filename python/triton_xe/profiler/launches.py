"""Launches of kernels whose scopes are measured, and who wants to know of them."""

from __future__ import annotations

import dataclasses
import functools
import threading
from collections.abc import Callable
from typing import Any

from triton_xe.profiler import mode as profile_mode
from triton_xe.profiler import records


@dataclasses.dataclass(frozen=True)
class Launch:
    """A launch, whose records may not all be there before the device has been waited for."""

    kernel: str
    #: Name and parent (-1: none) by number.
    scopes: tuple[tuple[str, int], ...]
    layout: records.Layout
    memory: Any

    def programs(self) -> list[records.Program]:
        """Waits for the device."""
        return records.decode(self.memory.cpu().numpy().tobytes(), self.layout)


_lock = threading.Lock()
_listeners: list[Callable[[Launch], None]] = []


def listen(listener: Callable[[Launch], None]) -> None:
    """Call `listener` with every launch from now on, in the thread of the launch."""
    with _lock:
        _listeners.append(listener)


def ignore(listener: Callable[[Launch], None]) -> None:
    """No more."""
    with _lock:
        _listeners.remove(listener)


def with_profile_memory(launch: Callable[..., None], metadata: Any) -> Callable[..., None]:
    """A launcher that gives the kernel memory for its records, and hands them on."""
    mode = profile_mode.Mode.parse(metadata.instrumentation_mode or "default")
    warps = metadata.num_warps
    layout = records.Layout(
        program_bytes=metadata.profile_scratch_size,
        num_warps=warps,
        units=mode.recording_units(warps),
        warps_per_unit=mode.warps_per_unit(warps),
        clock_bits=mode.clock_bits,
    )
    scopes = tuple((name, parent) for name, parent in metadata.profile_scopes)
    device = metadata.target.backend

    @functools.wraps(launch)
    def launch_with_memory(*arguments: Any) -> None:
        import torch

        x, y, z = arguments[:3]
        # Programs that make no records leave no preamble: zero is none.
        memory = torch.zeros(x * y * z * layout.program_bytes, dtype=torch.uint8, device=device)
        launch(*arguments, memory)
        made = Launch(metadata.name, scopes, layout, memory)
        for listener in tuple(_listeners):
            listener(made)

    return launch_with_memory
