# SPDX-License-Identifier: MIT
"""Describe devices in profiles, with the names that Triton's viewer uses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from triton_xe import device_clocks


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


def _describe(active: Any, number: int) -> dict[str, Any]:
    opened = active.open_device(number)
    return {
        "arch": active.architecture(number).name,
        "name": opened.name,
        "num_sms": opened.compute_units,
        "clock_rate": device_clocks.read_cpu_frequency() if opened.is_cpu else opened.clock_rate,
        "memory_clock_rate": None if opened.is_cpu else opened.memory_clock_rate,
        "bus_width": None if opened.is_cpu else opened.memory_bus_width,
    }
