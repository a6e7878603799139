# SPDX-License-Identifier: MIT
"""Put the times of all programs of a session on one axis.

The clock of the CPU device is that of the host. On other devices each processor has a separate clock, which started at
an unknown time and is assumed to count nanoseconds, as in Triton's Proton. Such a clock is shifted as far back as
possible without a program on its processor beginning before the host had submitted its launch. Times on one processor
compare exactly. Times on different processors compare as far as launches wait equally long for both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from triton_xe.tools.profiler import events, records

#: A device, and a processor of it.
_Clock = tuple[str, int]


@dataclasses.dataclass(frozen=True)
class Axis:
    """An axis of microseconds since a time of the host's clock."""

    #: A reading of the host's clock, and its cycles per microsecond.
    origin: int
    frequency: float
    #: The readings of other clocks at the origin.
    origins: dict[_Clock, float] = dataclasses.field(default_factory=dict)

    @staticmethod
    def make(launches: Iterable[events.Launch], origin: int, frequency: float) -> Axis:
        """Make the axis for these launches. Waits for launches on other devices than the CPU."""
        axis = Axis(origin, frequency)
        for launch in launches:
            if launch.device == "cpu":
                continue
            submitted = (launch.submitted - origin) / frequency * 1000
            for program in launch.programs():
                clock = (launch.device, program.processor)
                begin = program.begin - submitted
                axis.origins[clock] = min(axis.origins.get(clock, begin), begin)
        return axis

    def of(self, launch: events.Launch, program: records.Program) -> tuple[float, float]:
        """Return the reading of the program's clock at the origin, and its cycles per microsecond."""
        if launch.device == "cpu":
            return self.origin, self.frequency
        return self.origins[launch.device, program.processor], 1000.0
