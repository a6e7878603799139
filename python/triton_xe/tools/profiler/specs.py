# SPDX-License-Identifier: MIT
"""Peak performance of devices for viewers: the devices that `triton.profiler.specs` knows, and ours."""

from __future__ import annotations

import math
from typing import Any

from triton.profiler import specs

from triton_xe.tools.profiler import sessions

_OURS = tuple(target.upper() for target in sessions.TARGETS)


def max_flops(device_type: str, arch: str, width: int, num_sms: int, clock_rate: float) -> float:
    """Return the operations on numbers of `width` bits per second; NaN for our devices, whose peaks are unknown."""
    return math.nan if device_type in _OURS else specs.max_flops(device_type, arch, width, num_sms, clock_rate)


def max_bps(device_type: str, arch: str, bus_width: int, memory_clock_rate: float) -> float:
    """Return the bytes per second; NaN for our devices."""
    return math.nan if device_type in _OURS else specs.max_bps(device_type, arch, bus_width, memory_clock_rate)


def __getattr__(name: str) -> Any:
    return getattr(specs, name)
