# SPDX-License-Identifier: MIT
"""Find on the stack who makes a launch: whoever measures it, or an autotuner that has chosen its configuration.

Autotuners call nobody when they have chosen, but they launch their choice, from a function of theirs.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from triton_xe import timing

#: The functions that launch a kernel to measure it, with their modules. No name stands for each function of a module.
_MEASURING = frozenset(
    {
        ("triton.runtime.autotuner", "_bench"),
        ("torch._inductor.runtime.benchmarking", ""),
        ("torch._inductor.autotune_process", ""),
    }
)
#: The methods of autotuners that launch the configuration that they have chosen.
_LAUNCHING = frozenset(
    {("triton.runtime.autotuner", "run"), ("torch._inductor.runtime.triton_heuristics", "run")},
)


@dataclass(frozen=True)
class Callers:
    """The facts about the callers of a launch."""

    #: This is true if somebody measures the launch.
    measures: bool = False
    #: This is true if an autotuner launches what it has chosen.
    tuner: bool = False


def find() -> Callers:
    """Return the facts about the callers of the function that calls this one."""
    if timing.is_timing():
        return Callers(measures=True)
    tuner = False
    frame = sys._getframe(1)
    while frame is not None:
        module, function = frame.f_globals.get("__name__", ""), frame.f_code.co_name
        if (module, function) in _MEASURING or (module, "") in _MEASURING:
            return Callers(measures=True)
        tuner = tuner or (module, function) in _LAUNCHING
        frame = frame.f_back
    return Callers(tuner=tuner)
