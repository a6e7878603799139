# SPDX-License-Identifier: MIT
"""Name kernels in profiles, and format numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triton_xe.tools.profiler import events


def grouped(number: int) -> str:
    """Format a number with separators between thousands."""
    return f"{number:,}".replace(",", " ")


def count(number: int, one: str, several: str) -> str:
    """Format a number with a noun in singular or plural."""
    return f"{grouped(number)} {one if number == 1 else several}"


def labels(launches: Sequence[events.Launch]) -> list[str]:
    """Return the names of the kernels of launches."""
    names = distinguish((launch.kernel, launch.configuration) for launch in launches)
    return [names[launch.kernel, launch.configuration] for launch in launches]


def distinguish(
    kernels: Iterable[tuple[str, events.Configuration]],
) -> dict[tuple[str, events.Configuration], str]:
    """Return names that distinguish kernels. Different kernels of one name, such as an autotuner tries, get the
    difference into their names: `multiply[BLOCK=64, num_warps=8]`."""
    configurations: dict[str, dict[events.Configuration, None]] = {}
    for kernel, configuration in kernels:
        configurations.setdefault(kernel, {})[configuration] = None
    return {
        (kernel, configuration): _label(kernel, configuration, known)
        for kernel, known in configurations.items()
        for configuration in known
    }


def _label(kernel: str, configuration: events.Configuration, known: Iterable[events.Configuration]) -> str:
    others = [dict(other) for other in known]
    differing = [f"{name}={value}" for name, value in configuration if any(o.get(name) != value for o in others)]
    return f"{kernel}[{', '.join(differing)}]" if differing else kernel
