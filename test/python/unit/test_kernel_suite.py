# SPDX-License-Identifier: MIT
"""The interface of the kernel suite notices the errors that it has to notice."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from kernel_suite import ALL_CASES
from kernel_suite.case import Session
from numerics import assert_close


@triton.jit
def fill_kernel(out_ptr, start, count, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + start + offsets, 1.0, mask=offsets < count)


@pytest.mark.parametrize(("start", "count", "place"), [(0, 11, "after"), (-1, 10, "before")])
def test_writing_around_a_buffer_fails(start, count, place):
    session = Session()
    out = session.output((10,))
    session.launch(fill_kernel, (1,), out, start, count, BLOCK=16)
    with pytest.raises(AssertionError, match=f"{place} buffer 0"):
        session.check_untouched()


def test_writing_to_an_input_fails():
    session = Session()
    session.launch(fill_kernel, (1,), session.randn((10,)), 0, 3, BLOCK=16)
    with pytest.raises(AssertionError, match="input 0 was changed"):
        session.check_untouched()


def test_a_missing_element_fails():
    session = Session()
    out = session.output((10,))
    session.launch(fill_kernel, (1,), out, 0, 9, BLOCK=16)
    session.check_untouched()
    with pytest.raises(AssertionError, match="relative error inf"):
        assert_close(out, torch.ones(10), 0.0)


def test_recording_tells_the_launches_without_running_them():
    session = Session(recording=True, options={"num_warps": 2})
    out = session.output((10,))
    session.launch(fill_kernel, (3,), out, 0, 10, BLOCK=16, num_warps=8)
    assert torch.isnan(out).all()
    (launch,) = session.launches
    source, options = launch.source()
    assert launch.grid == (3,)
    assert options == {"num_warps": 2}
    assert source.signature == {"out_ptr": "*fp32", "start": "i32", "count": "i32", "BLOCK": "constexpr"}
    assert source.constants == {(3,): 16}


def test_every_case_names_its_kernels():
    assert len({case.name for case in ALL_CASES}) == len(ALL_CASES)
    for case in ALL_CASES:
        names = {kernel.__name__ for kernel in case.kernels}
        assert names
        assert {source.fn.__name__ for source, _ in case.sources()} == names
