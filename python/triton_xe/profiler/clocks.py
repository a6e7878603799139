# SPDX-License-Identifier: MIT
"""One axis of time for all programs of a session.

The clock of the CPU device is that of the host. The processors of other devices have clocks of their own, each of which
began at a time that is not known, and which are taken to count nanoseconds, as Triton's Proton takes them. Such a clock
is put where no program on its processor begins before the host had submitted its launch, and one of them just then:
times on a processor compare with each other, those on different ones as well as launches wait the same time for both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from triton_xe.profiler import events, records

#: A device, and a processor of it.
_Clock = tuple[str, int]


@dataclasses.dataclass(frozen=True)
class Axis:
    """Microseconds since a time of the host's clock."""

    #: A reading of the host's clock, and its cycles per microsecond.
    origin: int
    frequency: float
    #: What other clocks showed at the origin.
    origins: dict[_Clock, float] = dataclasses.field(default_factory=dict)

    @staticmethod
    def make(launches: Iterable[events.Launch], origin: int, frequency: float) -> Axis:
        """For these launches; waits for those that are not of the CPU device."""
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
        """What the program's clock showed at the origin, and its cycles per microsecond."""
        if launch.device == "cpu":
            return self.origin, self.frequency
        return self.origins[launch.device, program.processor], 1000.0
