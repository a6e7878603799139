# SPDX-License-Identifier: MIT
"""Arguments that a kernel must not get: one error each, which names the argument, and nothing is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import errors


@triton.jit
def copy_tile(source, target):
    target.store([0, 0], source.load([0, 0]))


@triton.jit
def copy_vector(source, target, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(target + i, tl.load(source + i))


def tensor() -> torch.Tensor:
    return torch.arange(64.0 * 64).view(64, 64)


def descriptor() -> TensorDescriptor:
    return TensorDescriptor.from_tensor(tensor(), [16, 16])


def poisoned() -> torch.Tensor:
    return torch.full((64, 64), float("nan"))


def freed(view: Callable[[torch.Tensor], torch.Tensor] = lambda x: x) -> torch.Tensor:
    """Return a tensor whose memory was given back."""
    result = view(tensor())
    result.untyped_storage().resize_(0)
    return result


def freed_descriptor() -> TensorDescriptor:
    result = descriptor()
    result.base.untyped_storage().resize_(0)
    return result


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: dataclasses.replace(descriptor(), base=tensor().to("meta")), "on device `cpu`, found one on `meta`"),
        (freed_descriptor, "the tensor's storage was freed"),
    ],
    ids=["device", "freed"],
)
def test_descriptor(make, message):
    out = poisoned()
    with pytest.raises(errors.ArgumentError, match=f"argument `source`: .*{message}"):
        copy_tile[(1,)](make(), TensorDescriptor.from_tensor(out, [16, 16]))
    assert out.isnan().all()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"base": tensor().view(-1)[1:]}, "the base of the descriptor is 4 bytes past a multiple of 16"),
        ({"base": tensor().double()}, "expected elements of 4 bytes, found a tensor of `torch.float64`"),
        ({"strides": (63, 1)}, r"strides\[0\] of the descriptor is 63 elements of 4 bytes: expected a multiple of 16"),
        ({"strides": (64, 2)}, r"strides\[1\] of the descriptor is 2: expected 1"),
        ({"shape": (64, -1)}, r"shape\[1\] of the descriptor is -1: expected 0 to 2147483647"),
        ({"shape": [2**31, 64]}, r"shape\[0\] of the descriptor is 2147483648: expected 0 to 2147483647"),
        ({"shape": (64,)}, "expected a descriptor of rank 2"),
        ({"strides": (64, 8, 1)}, "expected a descriptor of rank 2"),
    ],
    ids=["base", "dtype", "stride", "last stride", "negative", "large", "rank of shape", "rank of strides"],
)
def test_field_of_a_descriptor(fields, message):
    """Fields can be assigned after Triton has checked them: launches find what is wrong, however often it was right."""
    source, out = descriptor(), poisoned()
    target = TensorDescriptor.from_tensor(out, [16, 16])
    kernel = None
    for _ in range(4):
        kernel = copy_tile[(1,)](source, target)
    assert torch.equal(out[:16, :16], source.base[:16, :16])
    out.fill_(float("nan"))
    for name, value in fields.items():
        setattr(source, name, value)
    with pytest.raises(errors.ArgumentError, match=f"argument `source`: {message}"):
        kernel[(1, 1, 1)](source, target)
    assert out.isnan().all()


def test_sizes_that_change_in_place():
    """Lists are read in each launch, tuples where they are others than before."""
    source, out = descriptor(), poisoned()
    target = TensorDescriptor.from_tensor(out, [16, 16])
    source.shape, source.strides = [64, 64], [64, 1]
    for rows in (64, 3, 64, 0, 5):
        source.shape[0] = rows
        copy_tile[(1,)](source, target)
        expected = source.base[:16, :16].clone()
        expected[rows:] = 0
        assert torch.equal(out[:16, :16], expected)
    for columns in (64, 8, 64):
        source.shape = (64, columns)
        copy_tile[(1,)](source, target)
        expected = source.base[:16, :16].clone()
        expected[:, columns:] = 0
        assert torch.equal(out[:16, :16], expected)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (freed, "the tensor's storage was freed"),
        (lambda: freed(lambda x: x[8:]), "the tensor's storage was freed"),
        (lambda: tensor().to(torch.float16), "expected elements of 4 bytes, found a tensor of `torch.float16`"),
        (lambda: tensor().to("meta"), "expected a tensor on device `cpu`, found one on `meta`"),
        (lambda: descriptor(), "expected a tensor, an address or None, found `TensorDescriptor`"),
    ],
    ids=["freed", "view of freed", "dtype", "device", "descriptor"],
)
def test_pointer(make, message):
    """Also where a compiled kernel is called, which Triton does not look at."""
    out = poisoned()
    kernel = copy_vector[(1,)](tensor(), out, B=16)
    out.fill_(float("nan"))
    with pytest.raises(errors.ArgumentError, match=f"argument `source`: {message}"):
        kernel[(1, 1, 1)](make(), out, 16)
    assert out.isnan().all()


def test_empty_tensors_are_no_freed_ones():
    """They have no memory either, and nothing of them is read."""
    out = poisoned()

    @triton.jit
    def copy_some(source, target, count, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.store(target + i, tl.load(source + i, mask=i < count, other=1.0))

    copy_some[(1,)](torch.empty(0), out, 0, B=16)
    assert (out.view(-1)[:16] == 1).all()


def test_other_types_of_the_same_size():
    """A kernel compiled for integers may be given their bits as floats."""
    kernel = copy_vector[(1,)](torch.zeros(16, dtype=torch.int32), torch.zeros(16, dtype=torch.int32), B=16)
    x, out = torch.randn(16), poisoned()
    kernel[(1, 1, 1)](x, out, 16)
    assert torch.equal(out.view(-1)[:16], x)
