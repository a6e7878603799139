# SPDX-License-Identifier: MIT
"""The judges of the numeric tests must be able to fail."""

from __future__ import annotations

import pytest
import torch
from numerics import assert_close, column_major, poisoned, random_tensor, relative_error, strided


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.int8, torch.int32])
def test_an_output_that_was_not_written_fails(dtype):
    expected = random_tensor((8, 8), dtype, seed=0)
    actual = expected.clone()
    assert_close(actual, expected, 0.0)
    actual[3, 5] = poisoned((1,), dtype)[0]
    with pytest.raises(AssertionError, match=r"at \(3, 5\)"):
        assert_close(actual, expected, 1e-3)


def test_error_is_relative_to_the_largest_value():
    expected = torch.tensor([100.0, 0.0])
    assert relative_error(torch.tensor([100.0, 1.0]), expected) == pytest.approx(0.01)
    assert relative_error(torch.tensor([float("inf"), 0.0]), expected) == float("inf")


def test_layouts_keep_the_values():
    matrix = random_tensor((2, 6, 10), torch.float16, seed=1)
    padded = strided(matrix, 16)
    assert padded.stride(-2) == 16
    assert torch.equal(padded, matrix)
    stored = column_major(matrix)
    assert stored.stride()[-2:] == (1, 6)
    assert torch.equal(stored, matrix)


def test_random_inputs_are_reproducible_and_differ_by_seed():
    assert torch.equal(random_tensor((64,), torch.int8, 1), random_tensor((64,), torch.int8, 1))
    assert not torch.equal(random_tensor((64,), torch.int8, 1), random_tensor((64,), torch.int8, 2))
