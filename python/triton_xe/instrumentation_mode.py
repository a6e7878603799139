# SPDX-License-Identifier: MIT
"""Parse the mode strings of Triton's Proton, which state how scopes are measured, for our devices."""

from __future__ import annotations

import dataclasses

from triton_xe import errors

#: The number of warps of a unit, whose first warp makes records; 0 means all warps of the program.
GRANULARITIES = {
    "warp": 1,
    "warp_2": 2,
    "warp_4": 4,
    "warp_8": 8,
    "warp_group": 4,
    "warp_group_2": 8,
    "warp_group_4": 16,
    "warp_group_8": 32,
    "cta": 0,
}
BUFFER_TYPES = ("shared", "global")
STRATEGIES = ("circular", "flush")
#: `sched_stores`, `sched_barriers` and `time_shift` change nothing: their effect is always present.
OPTIMIZATIONS = ("clock32", "sched_barriers", "sched_stores", "time_shift")


@dataclasses.dataclass(frozen=True)
class Mode:
    """The settings of a text `NAME[:key=value]*`. `parse` raises `OptionError` for other texts."""

    buffer_type: str = "shared"
    #: `circular` keeps the latest records, `flush` all of them.
    buffer_strategy: str = "circular"
    #: Bytes of records per program; 0 means a suitable default.
    buffer_size: int = 0
    granularity: str = "warp"
    #: The units that make records; an empty tuple means all.
    units: tuple[int, ...] = ()
    #: The programs that make records, by their numbers (x fastest); an empty tuple means all.
    programs: tuple[int, ...] = ()
    optimizations: tuple[str, ...] = ()

    @staticmethod
    def parse(text: str) -> Mode:
        name, *options = text.split(":")
        if name not in ("default", "mma"):
            raise _error(f"expected a mode of the name `default` or `mma`, found `{name}`")
        values: dict[str, str] = {}
        for option in options:
            key, separator, value = option.partition("=")
            if not separator or key not in _KEYS:
                raise _error(f"expected one of {', '.join(_KEYS)} and a value, found `{option}`")
            # As Triton prints its own: BUFFER_TYPE.SHARED.
            values[key] = value.rpartition(".")[2].lower()
        _check(values, "metric_type", ("cycle",))
        _check(values, "buffer_strategy", STRATEGIES)
        _check(values, "buffer_type", BUFFER_TYPES)
        _check(values, "granularity", tuple(GRANULARITIES))
        _check(values, "sampling_strategy", ("none", "selective"))
        optimizations = tuple(filter(None, values.get("optimizations", "").split(",")))
        for optimization in optimizations:
            _check({"optimizations": optimization}, "optimizations", OPTIMIZATIONS)
        if values.get("buffer_strategy") == "flush" and values.get("buffer_type") == "global":
            raise _error("`buffer_strategy`: records of `flush` go through shared memory, not through a global buffer")
        units = _numbers("sampling_options", values.get("sampling_options", ""))
        programs = _numbers("sampling_programs", values.get("sampling_programs", ""))
        is_selective = values.get("sampling_strategy") == "selective"
        return Mode(
            buffer_type=values.get("buffer_type", "shared"),
            buffer_strategy=values.get("buffer_strategy", "circular"),
            buffer_size=(_numbers("buffer_size", values.get("buffer_size", "")) or (0,))[0],
            granularity=values.get("granularity", "warp"),
            units=units if is_selective else (),
            programs=programs if is_selective else (),
            optimizations=optimizations,
        )

    @property
    def clock_bits(self) -> int:
        """Return how many bits of the clock a record has."""
        return 32 if "clock32" in self.optimizations else 43

    def warps_per_unit(self, num_warps: int) -> int:
        """Return how many warps of a program with this many share a unit."""
        return min(GRANULARITIES[self.granularity] or num_warps, num_warps)

    def recording_units(self, num_warps: int) -> tuple[int, ...]:
        """Return the units that make records, in a program with this many warps."""
        units = range(num_warps // self.warps_per_unit(num_warps))
        return tuple(unit for unit in units if not self.units or unit in self.units)

    def pipeline_options(self) -> dict[str, str]:
        """Return the options of `triton-xe-allocation-pipeline`."""
        options = {
            "profile-strategy": self.buffer_strategy,
            "profile-buffer": self.buffer_type,
            "profile-buffer-size": str(self.buffer_size),
            "profile-warps-per-unit": str(GRANULARITIES[self.granularity]),
            "profile-clock32": str("clock32" in self.optimizations).lower(),
        }
        if self.units:
            options["profile-units"] = ",".join(map(str, self.units))
        if self.programs:
            options["profile-programs"] = ",".join(map(str, self.programs))
        return options


_KEYS = (
    "metric_type",
    "buffer_type",
    "buffer_strategy",
    "buffer_size",
    "granularity",
    "sampling_strategy",
    "sampling_options",
    "sampling_programs",
    "optimizations",
)


def _error(text: str) -> errors.OptionError:
    return errors.OptionError(f"`instrumentation_mode`: {text}")


def _check(values: dict[str, str], key: str, known: tuple[str, ...]) -> None:
    if values.get(key, known[0]) not in known:
        raise _error(f"`{key}`: expected {' or '.join(known)}, found `{values[key]}`")


def _numbers(key: str, text: str) -> tuple[int, ...]:
    """Parse a list of numbers, and return them in order without repetitions."""
    numbers = text.split(",") if text else []
    if not all(number.strip().isdecimal() for number in numbers):
        raise _error(f"`{key}`: expected numbers from 0 on, found `{text}`")
    return tuple(sorted(set(map(int, numbers))))
