# SPDX-License-Identifier: MIT
"""What kernels are called in a profile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triton_xe.profiler import events


def grouped(number: int) -> str:
    """By thousands."""
    return f"{number:,}".replace(",", " ")


def count(number: int, one: str, several: str) -> str:
    """A number and what it is of."""
    return f"{grouped(number)} {one if number == 1 else several}"


def labels(launches: Sequence[events.Launch]) -> list[str]:
    """Names of the launches' kernels."""
    names = distinguish((launch.kernel, launch.configuration) for launch in launches)
    return [names[launch.kernel, launch.configuration] for launch in launches]


def distinguish(
    kernels: Iterable[tuple[str, events.Configuration]],
) -> dict[tuple[str, events.Configuration], str]:
    """Names of kernels; those of one name that are not the same, as autotuning makes them, also say in what they
    differ: `multiply[BLOCK=64, num_warps=8]`."""
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
