# SPDX-License-Identifier: MIT
"""Barriers in two halves, which keep the warps of a program in step."""

from __future__ import annotations

from typing import Any

from triton.experimental.gluon.language._core import builtin

from triton_xe.experimental.gluon.calls import call


@builtin
def arrive_barrier(_semantic: Any = None, _generator: Any = None) -> None:
    """Signal that this warp has come to a barrier, and go on until `wait_barrier`.

    The two take turns on each path through a kernel, and no other barrier is between them, such as the one that shared
    memory or a sum over warps needs; anything else is an error at this line. They order no memory: they keep warps
    that load the same blocks in step, so that one finds in the cache what another has loaded.
    """
    call(_generator, _semantic, "arrive_barrier", ())


@builtin
def wait_barrier(_semantic: Any = None, _generator: Any = None) -> None:
    """Wait until all warps of the program have come to `arrive_barrier`."""
    call(_generator, _semantic, "wait_barrier", ())
