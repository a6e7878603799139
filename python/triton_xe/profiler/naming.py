"""What kernels are called in a profile."""

from __future__ import annotations

from collections.abc import Sequence

from triton_xe.profiler import events


def labels(launches: Sequence[events.Launch]) -> list[str]:
    """Names of the launches' kernels; those of one name that are not the same, as autotuning makes them, also say in
    what they differ: `multiply[BLOCK=64, num_warps=8]`."""
    configurations: dict[str, set[events.Configuration]] = {}
    for launch in launches:
        configurations.setdefault(launch.kernel, set()).add(launch.configuration)
    names = {
        (kernel, configuration): _label(kernel, configuration, known)
        for kernel, known in configurations.items()
        for configuration in known
    }
    return [names[launch.kernel, launch.configuration] for launch in launches]


def _label(kernel: str, configuration: events.Configuration, known: set[events.Configuration]) -> str:
    others = [dict(other) for other in known]
    differing = [f"{name}={value}" for name, value in configuration if any(o.get(name) != value for o in others)]
    return f"{kernel}[{', '.join(differing)}]" if differing else kernel
