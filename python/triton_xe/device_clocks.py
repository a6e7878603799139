# SPDX-License-Identifier: MIT
"""Read the clocks of a device, and the width of its memory's bus."""

from __future__ import annotations

from pathlib import Path
from typing import Any

#: kHz; of the first core, as its driver reports.
_CPU_FREQUENCY = Path("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")


def read_clocks(opened: Any) -> dict[str, int]:
    """Return clocks in kHz and the width of the memory's bus in bits under the names of CUDA's driver; 0 if unknown."""
    if opened.is_cpu:
        return {"sm_clock_rate": read_cpu_frequency() or 0, "mem_clock_rate": 0, "mem_bus_width": 0}
    return {
        "sm_clock_rate": opened.clock_rate or 0,
        "mem_clock_rate": opened.memory_clock_rate or 0,
        "mem_bus_width": opened.memory_bus_width or 0,
    }


def read_cpu_frequency() -> int | None:
    """Return the highest clock of the processor in kHz; None if the system does not report it."""
    try:
        return int(_CPU_FREQUENCY.read_text())
    except (OSError, ValueError):
        return None
