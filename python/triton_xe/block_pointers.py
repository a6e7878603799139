# SPDX-License-Identifier: MIT
"""Block pointers for a Triton whose language has lost them (3.9): `import triton_xe.block_pointers`.

The import gives `triton.language` back `make_block_ptr`, `advance`, and the parameters `boundary_check` and
`padding_option` of `load` and `store`, for all kernels of the process. It does nothing if the language still has them.

A block pointer is an aggregate of scalars; every access builds its addresses and its mask from them. The compiler
raises those to block pointers again (option `raise_pointers`), so that they become 2D block messages.
"""

# The language reads the annotations of aggregates as types: they must not become strings.

import functools
from collections.abc import Iterable
from typing import Any

import triton.language as tl
from triton.language import core

from triton_xe import versions
from triton_xe.compat import changes


def _items(values: Any) -> list[Any]:
    """Return the elements of a tuple, of the language or of Python, or a single value; constants become Python's."""
    values = core._unwrap_if_constexpr(values)
    if not isinstance(values, tuple | list | core.tuple):
        values = [values]
    return [core._unwrap_if_constexpr(value) for value in values]


def _scalars(values: Any, name: str, semantic: Any) -> core.tuple:
    """Convert integers to i64, so that no product with a stride wraps around."""
    scalars = [semantic.to_tensor(value) for value in _items(values)]
    for scalar in scalars:
        if scalar.type.is_block() or not scalar.dtype.is_int():
            raise ValueError(f"`{name}` of a block pointer: expected integers, found {scalar.type}")
    return core.tuple([semantic.cast(scalar, core.int64) for scalar in scalars])


@core._aggregate
class BlockPointer:
    """A block of a strided tensor in memory. `block_shape` and `order` are constants."""

    base: core.tensor
    shape: core.tuple
    strides: core.tuple
    offsets: core.tuple
    block_shape: core.tuple
    order: core.tuple

    def __init__(
        self,
        base: core.tensor,
        shape: Any,
        strides: Any,
        offsets: Any,
        block_shape: Any,
        order: Any,
        _semantic: Any = None,
    ) -> None:
        if not base.type.is_ptr():
            raise ValueError(f"`base` of a block pointer: expected a pointer, found {base.type}")
        self.base = base
        self.shape = _scalars(shape, "shape", _semantic)
        self.strides = _scalars(strides, "strides", _semantic)
        self.offsets = _scalars(offsets, "offsets", _semantic)
        self.block_shape = core.tuple([core.constexpr(size) for size in _items(block_shape)])
        self.order = core.tuple([core.constexpr(dim) for dim in _items(order)])
        rank = len(self.block_shape)
        if {len(self.shape), len(self.strides), len(self.offsets), len(self.order)} != {rank}:
            raise ValueError("a block pointer: expected shape, strides, offsets, block and order of the same length")
        if sorted(_items(self.order)) != list(range(rank)):
            raise ValueError(f"`order` of a block pointer: expected each of the {rank} dimensions once")


def _addresses(block: BlockPointer, boundary_check: Iterable[int], semantic: Any) -> tuple[core.tensor, Any]:
    """Return pointers to the elements of a block, and the mask for `boundary_check`, which is None without checks."""
    sizes = _items(block.block_shape)
    checked = _items(boundary_check)
    if len(set(checked)) != len(checked) or not set(checked) <= set(range(len(sizes))):
        raise ValueError(f"`boundary_check`: expected dimensions below {len(sizes)}, each once, found {checked}")
    pointers, mask = block.base, None
    for dim, size in enumerate(sizes):
        coordinates = semantic.add(semantic.arange(0, size), block.offsets[dim], sanitize_overflow=False)
        for other in range(len(sizes)):
            if other != dim:
                coordinates = semantic.expand_dims(coordinates, other)
        terms = semantic.mul(coordinates, block.strides[dim], sanitize_overflow=False)
        pointers = semantic.add(pointers, semantic.broadcast_impl_shape(terms, sizes), sanitize_overflow=False)
        if dim in checked:
            inside = semantic.and_(
                semantic.greater_equal(coordinates, 0), semantic.less_than(coordinates, block.shape[dim])
            )
            inside = semantic.broadcast_impl_shape(inside, sizes)
            mask = inside if mask is None else semantic.and_(mask, inside)
    return pointers, mask


def _padding(block: BlockPointer, option: Any) -> float | int | None:
    """Return the value that elements outside of the tensor read as; None if it is undefined."""
    is_float = block.base.dtype.element_ty.is_floating()
    if option == "zero":
        return 0.0 if is_float else 0
    if option == "nan" and is_float:
        return float("nan")
    if option:
        raise ValueError(f"`padding_option`: expected `zero`, or `nan` for floats, found `{option}`")
    return None


@core.builtin
def make_block_ptr(
    base: core.tensor, shape: Any, strides: Any, offsets: Any, block_shape: Any, order: Any, _semantic: Any = None
) -> BlockPointer:
    """Return a pointer to a block of a tensor in memory."""
    return BlockPointer(base, shape, strides, offsets, block_shape, order, _semantic=_semantic)


@core.builtin
def advance(base: BlockPointer, offsets: Any, _semantic: Any = None) -> BlockPointer:
    """Return a block pointer that has moved by `offsets` elements."""
    steps = _scalars(offsets, "offsets", _semantic)
    if len(steps) != len(base.offsets):
        raise ValueError(f"`advance`: expected {len(base.offsets)} offsets, found {len(steps)}")
    moved = [
        _semantic.add(offset, step, sanitize_overflow=False) for offset, step in zip(base.offsets, steps, strict=True)
    ]
    return BlockPointer(
        base.base, base.shape, base.strides, core.tuple(moved), base.block_shape, base.order, _semantic=_semantic
    )


@core.builtin
def _load(
    pointer: Any,
    mask: Any = None,
    other: Any = None,
    boundary_check: Any = (),
    padding_option: Any = "",
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    volatile: Any = False,
    _semantic: Any = None,
) -> core.tensor:
    """`tl.load` with the parameters of block pointers."""
    checked, padding = core._unwrap_if_constexpr(boundary_check), core._unwrap_if_constexpr(padding_option)
    if isinstance(pointer, BlockPointer):
        if core._unwrap_if_constexpr(mask) is not None or core._unwrap_if_constexpr(other) is not None:
            raise ValueError("`mask` and `other` do not go with a block pointer")
        other = _padding(pointer, padding)
        pointer, mask = _addresses(pointer, checked, _semantic)
        other = None if mask is None else other
    elif checked or padding:
        raise ValueError("`boundary_check` and `padding_option` are for block pointers")
    return _LOAD(
        pointer,
        mask,
        other,
        cache_modifier=cache_modifier,
        eviction_policy=eviction_policy,
        volatile=volatile,
        _semantic=_semantic,
    )


@core.builtin
def _store(
    pointer: Any,
    value: Any,
    mask: Any = None,
    boundary_check: Any = (),
    cache_modifier: Any = "",
    eviction_policy: Any = "",
    _semantic: Any = None,
) -> core.tensor:
    """`tl.store` with the parameters of block pointers."""
    checked = core._unwrap_if_constexpr(boundary_check)
    if isinstance(pointer, BlockPointer):
        if core._unwrap_if_constexpr(mask) is not None:
            raise ValueError("`mask` does not go with a block pointer")
        pointer, mask = _addresses(pointer, checked, _semantic)
    elif checked:
        raise ValueError("`boundary_check` is for block pointers")
    return _STORE(
        pointer,
        value,
        mask,
        cache_modifier=cache_modifier,
        eviction_policy=eviction_policy,
        _semantic=_semantic,
    )


_LOAD, _STORE = tl.load, tl.store


@functools.cache
def install() -> bool:
    """Put the four functions into `triton.language`, once; false where the language has block pointers."""
    if versions.has_block_pointers():
        return False
    for name, function in {
        "make_block_ptr": make_block_ptr,
        "advance": advance,
        "load": _load,
        "store": _store,
    }.items():
        changes.put(tl, name, function)
    return True


install()
