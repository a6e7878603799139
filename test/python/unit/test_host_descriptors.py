# SPDX-License-Identifier: MIT
"""Descriptors made without Python are those that Triton makes, and errors of one are reported in Triton's words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch
from triton.tools import tensor_descriptor
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe.compat import host_descriptors


@pytest.fixture
def functions(monkeypatch):
    """Return Triton's own function and ours, which is in its place."""
    from triton_xe import _cpu

    def from_tensor(tensor, block_shape, padding="zero", round_f32_to_tf32=False):
        return TensorDescriptor(tensor, tensor.shape, tensor.stride(), block_shape, padding, round_f32_to_tf32)

    monkeypatch.setattr(TensorDescriptor, "from_tensor", staticmethod(from_tensor))
    host_descriptors.install(_cpu)
    assert TensorDescriptor.from_tensor is not from_tensor
    return from_tensor, TensorDescriptor.from_tensor


ZEROS = torch.zeros(8, 64, dtype=torch.float16)


@pytest.mark.parametrize(
    ("tensor", "block"),
    [
        (ZEROS, [4, 16]),
        (torch.zeros(100, dtype=torch.int8), [32]),
        (torch.zeros(2, 3, 4, 5, 16), [1, 1, 2, 4, 16]),
        (ZEROS[:, 8:40], [4, 16]),
        (torch.nn.Parameter(torch.zeros(4, 4)), [4, 4]),
    ],
    ids=lambda value: str(value) if isinstance(value, list) else str(tuple(value.shape)),
)
def test_same_object(functions, tensor, block):
    expected, actual = (function(tensor, block) for function in functions)
    assert type(actual) is TensorDescriptor
    assert vars(actual) == vars(expected) | {"base": actual.base}
    assert actual.base is tensor
    assert actual.block_shape is block
    for options in ({"padding": "nan"}, {"padding": "zero", "round_f32_to_tf32": False}):
        if tensor.dtype.is_floating_point or options["padding"] == "zero":
            assert vars(functions[1](tensor, block, **options))["padding"] == options["padding"]


@pytest.mark.parametrize(
    ("tensor", "block"),
    [
        (ZEROS.view(-1)[1:], [16]),  # a base in the middle
        (torch.zeros(8, 63, dtype=torch.float16), [4, 16]),  # rows that are not aligned
        (ZEROS.t(), [4, 16]),  # columns that are not contiguous
        (ZEROS, [4]),  # another rank
        (ZEROS, [4, 24]),  # no power of two
        (ZEROS, [1024, 2048]),  # too many elements
        (ZEROS, [4, 16.0]),  # no integer
        (torch.zeros(0, 16), [4, 16]),  # no rows
        (torch.tensor(1.0), []),  # no dimension
        (torch.zeros(1, 1, 1, 1, 1, 16), [1, 1, 1, 1, 1, 16]),  # too many dimensions
        (SimpleNamespace(shape=(4,)), [4]),  # no tensor
    ],
    ids=str,
)
def test_same_error(functions, tensor, block):
    texts = []
    for function in functions:
        with pytest.raises((AssertionError, AttributeError, TypeError, ValueError)) as caught:
            function(tensor, block)
        texts.append((caught.type, str(caught.value)))
    assert texts[0] == texts[1]


def test_other_fields_stay_tritons(monkeypatch, functions):
    """A Triton whose descriptors have more in them keeps its own function."""
    from triton_xe import _cpu

    original = functions[0]
    other = type("TensorDescriptor", (), {"__dataclass_fields__": {}, "from_tensor": staticmethod(original)})
    monkeypatch.setattr(tensor_descriptor, "TensorDescriptor", other)
    host_descriptors.install(_cpu)
    assert other.from_tensor is original
