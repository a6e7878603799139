# SPDX-License-Identifier: MIT
"""Find on the stack the caller of a launch: code that measures it, or an autotuner that has chosen its configuration.

Autotuners make no call when they have chosen, but they launch their choice from a method of theirs. Looking for it
leaves them as they are, and works whether they have measured or found the choice in a cache.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FrameType

from triton.runtime.autotuner import Autotuner

from triton_xe import timing

#: Modules that launch kernels to measure them.
_MEASURING = frozenset({"torch._inductor.runtime.benchmarking", "torch._inductor.autotune_process"})


@dataclass(frozen=True)
class Callers:
    """The facts about the callers of a launch."""

    #: This is true if code measures the launch.
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
        if _measures(frame):
            return Callers(measures=True)
        tuner = tuner or _launches_choice(frame)
        frame = frame.f_back
    return Callers(tuner=tuner)


def _measures(frame: FrameType) -> bool:
    module = frame.f_globals.get("__name__")
    return module in _MEASURING or (module == Autotuner.__module__ and frame.f_code.co_name == "_bench")


def _launches_choice(frame: FrameType) -> bool:
    if frame.f_code.co_name != "run":
        return False
    module = frame.f_globals.get("__name__")
    # The class of heuristics has such a method in the same module.
    if module == Autotuner.__module__:
        return isinstance(frame.f_locals.get("self"), Autotuner)
    return module == "torch._inductor.runtime.triton_heuristics"
