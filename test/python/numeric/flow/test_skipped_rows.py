# SPDX-License-Identifier: MIT
"""Sub-groups skip loops for rows that no store writes: results are right for every number of rows in the last tile.

A prefill in tiles of 128 rows has 32 of them in each of four sub-groups, whose loops are divided for lack of registers:
16 rows are finished before the others begin.
"""

from __future__ import annotations

import pytest
from kernel_suite.case import Session
from kernel_suite.serving import prefix_prefill
from numerics import assert_close
from support import needs_ocloc

from triton_xe.cpu import simulator

NATIVE = {"num_warps": 4, "cpu_code": "zebin", "arch": "pvc"}


@needs_ocloc
@pytest.mark.parametrize("cache", ["rows", "packed"])
def test_any_number_of_rows(cache):
    """Sequences end in each half of a sub-group, at its borders, and next to them."""
    tokens = (1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 49, 112, 113, 127, 128, 129, 145)
    session = Session(options=NATIVE)
    (result,) = prefix_prefill(session, 64, cache, lengths=tuple(token + 20 for token in tokens), tokens=tokens)
    session.check_untouched()
    assert_close(result.actual, result.expected, result.tolerance)


@needs_ocloc
def test_half_of_the_loops():
    """With one row more than half of a sub-group has, it executes the loops of both halves."""

    def count(rows: int) -> int:
        with simulator.counting() as total:
            prefix_prefill(Session(options=NATIVE), 64, "rows", lengths=(rows,) * 2, tokens=(rows,) * 2)
        return total.executed.executions

    one, half, more = (count(rows) for rows in (1, 16, 17))
    assert one == half and more > 1.5 * half
