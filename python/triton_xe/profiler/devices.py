# SPDX-License-Identifier: MIT
"""Describe devices in profiles, with the names that Triton's viewer uses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

#: kHz; of the first core, as its driver reports.
_CPU_FREQUENCY = Path("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq")


def describe(devices: Iterable[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Return the devices by type and number: architecture, number of processors, clocks in kHz and width of the
    memory's bus in bits. Unknown values are None."""
    from triton.runtime import driver

    table: dict[str, dict[str, Any]] = {}
    for kind, number in sorted(devices):
        # Another driver may be active by now; it knows its own devices.
        if kind == driver.active.get_current_target().backend.upper():
            table.setdefault(kind, {})[number] = _describe(driver.active, int(number))
    return table


def read_clocks(opened: Any) -> dict[str, int]:
    """Return clocks in kHz and the width of the memory's bus in bits under the names of CUDA's driver; 0 if unknown."""
    if opened.is_cpu:
        return {"sm_clock_rate": _read_cpu_frequency() or 0, "mem_clock_rate": 0, "mem_bus_width": 0}
    return {
        "sm_clock_rate": opened.clock_rate or 0,
        "mem_clock_rate": opened.memory_clock_rate or 0,
        "mem_bus_width": opened.memory_bus_width or 0,
    }


def _describe(active: Any, number: int) -> dict[str, Any]:
    opened = active.open_device(number)
    return {
        "arch": active.architecture(number).name,
        "name": opened.name,
        "num_sms": opened.compute_units,
        "clock_rate": _read_cpu_frequency() if opened.is_cpu else opened.clock_rate,
        "memory_clock_rate": None if opened.is_cpu else opened.memory_clock_rate,
        "bus_width": None if opened.is_cpu else opened.memory_bus_width,
    }


def _read_cpu_frequency() -> int | None:
    try:
        return int(_CPU_FREQUENCY.read_text())
    except (OSError, ValueError):
        return None
