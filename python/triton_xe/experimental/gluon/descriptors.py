# SPDX-License-Identifier: MIT
"""Matrices in memory that kernels in Gluon access by 2D block messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language._core import builtin, distributed_type
from triton.language.core import _unwrap_if_constexpr as unwrap
from triton.language.core import base_type, base_value, tensor_descriptor_base_type

from triton_xe import errors
from triton_xe.experimental.gluon.calls import call

#: Through which caches a message may go; empty: as the device decides.
LOAD_CACHES = ("", ".ca", ".cg", ".cs", ".cv")
STORE_CACHES = ("", ".wb", ".cg", ".cs", ".wt")


class tensor_descriptor_type(base_type):
    """The type of a descriptor: those of its parts, and the shape of a block.

    The parts are base, extents and strides. A descriptor of the host is one part, Triton's own descriptor.
    """

    def __init__(self, parts: Sequence[Any], block_shape: Sequence[int]) -> None:
        self.parts = tuple(parts)
        self.block_shape = tuple(block_shape)

    @property
    def element(self) -> Any:
        """The type of the elements."""
        first = self.parts[0]
        return first.block_type.element_ty if isinstance(first, tensor_descriptor_base_type) else first.element_ty

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tensor_descriptor_type) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self.mangle())

    def __str__(self) -> str:
        return f"xe.tensor_descriptor<{self.element}, {list(self.block_shape)}>"

    def _key(self) -> tuple:
        return self.parts, self.block_shape

    def mangle(self) -> str:
        """Return a name for versions of functions."""
        parts = "_".join(part.mangle() for part in self.parts)
        return f"XTD{parts}_{'x'.join(map(str, self.block_shape))}XTD"

    def _flatten_ir_types(self, builder: Any, out: list[Any]) -> None:
        for part in self.parts:
            part._flatten_ir_types(builder, out)

    def _unflatten_ir(self, handles: list[Any], cursor: int) -> tuple[tensor_descriptor, int]:
        values = []
        for part in self.parts:
            value, cursor = part._unflatten_ir(handles, cursor)
            values.append(value)
        return tensor_descriptor(values, self.block_shape), cursor


class tensor_descriptor(base_value):
    """A matrix in memory, of which blocks are loaded, stored and fetched into caches by 2D block messages.

    Offsets are the row and the column of a block's first element. Elements of a block outside of the matrix are loaded
    as zero, or as NaN if a descriptor of the host states it, and are not stored. Where the matrix of a launch breaks
    the rules of messages (its address, or the length of its rows), the launch runs another version of the kernel, with
    ordinary accesses.
    """

    def __init__(self, parts: Sequence[Any], block_shape: Sequence[int]) -> None:
        """Only `make_tensor_descriptor` calls this, and the frontend for arguments, with the parts of the type."""
        super().__init__()
        self._parts = tuple(parts)
        self.type = tensor_descriptor_type([part.type for part in parts], block_shape)

    def _flatten_ir(self, handles: list[Any]) -> None:
        for part in self._parts:
            part._flatten_ir(handles)

    def _set_name(self, builder: Any, name: str) -> None:
        """Name the values of a descriptor that a function gets, as Triton 3.8 and later do."""
        if len(self._parts) == 1:
            self._parts[0]._set_name(builder, name)
            return
        fields = ("base", "shape.0", "shape.1", "strides.0", "strides.1")
        for part, field in zip(self._parts, fields, strict=True):
            part._set_name(builder, f"{name}.{field}")

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        return self.type.element

    @property
    def shape(self) -> Any:
        """Rows and columns of the matrix."""
        return self._parts[0].shape if len(self._parts) == 1 else gl.tuple(self._parts[1:3])

    @property
    def strides(self) -> Any:
        """Elements from one row to the next, and from one column to the next."""
        return self._parts[0].strides if len(self._parts) == 1 else gl.tuple(self._parts[3:5])

    @property
    def block_shape(self) -> list[int]:
        """Rows and columns of a block."""
        return list(self.type.block_shape)

    @builtin
    def load(
        self,
        offsets: Any,
        layout: Any,
        cache_modifier: str = "",
        message: Any = None,
        _semantic: Any = None,
        _generator: Any = None,
    ) -> Any:
        """Return the block at these offsets in a layout that an `xe.DPASLayout` has made.

        `message` states the shape of each message: its rows and columns of memory, and how many such blocks it has side
        by side (one, unless stated). The native code has these messages. A shape that the chip does not have, or that
        does not fill registers of the layout, is an error, which lists those that are possible. If none is stated, the
        compiler chooses the largest, and may split it where registers are short.
        """
        result = distributed_type(self.dtype, self.block_shape, unwrap(layout))
        operands = self._operands(offsets, _semantic)
        attributes = _cache(cache_modifier, LOAD_CACHES) | _message(message)
        return call(_generator, _semantic, "load", operands, result, attributes)

    @builtin
    def store(
        self,
        offsets: Any,
        value: Any,
        cache_modifier: str = "",
        message: Any = None,
        _semantic: Any = None,
        _generator: Any = None,
    ) -> None:
        """Store a block at these offsets. It has the shape of a block, and a layout of an `xe.DPASLayout`.

        `message` states the rows and columns of each message, as in `load`; messages that store have one block.
        """
        shape = [unwrap(size) for size in value.shape]
        if shape != self.block_shape or value.dtype != self.dtype:
            raise errors.CompileError(
                f"expected a block of {self.dtype} of shape {self.block_shape}, found {value.dtype} of shape {shape}"
            )
        operands = [*self._operands(offsets, _semantic), value]
        attributes = _cache(cache_modifier, STORE_CACHES) | _message(message)
        call(_generator, _semantic, "store", operands, attributes=attributes)

    @builtin
    def prefetch(
        self,
        offsets: Any,
        cache_modifier: str = "",
        message: Any = None,
        _semantic: Any = None,
        _generator: Any = None,
    ) -> None:
        """Fetch the block at these offsets into the caches. The warps of the program share the messages.

        `message` states the shape of each message, as in `load`.
        """
        rows, columns = self.block_shape
        attributes = {"rows": rows, "columns": columns} | _cache(cache_modifier, LOAD_CACHES) | _message(message)
        call(_generator, _semantic, "prefetch", self._operands(offsets, _semantic), attributes=attributes)

    def _operands(self, offsets: Any, semantic: Any) -> list[Any]:
        """Return what each access begins with: the matrix, and the offsets in 32 bits."""
        return [*self._parts, *(_integer(semantic, "offset", value, 32) for value in _pair("offsets", offsets))]


def _pair(name: str, values: Any) -> list[Any]:
    values = list(unwrap(values))
    if len(values) != 2:
        raise errors.CompileError(f"expected two {name}, for rows and columns, found {len(values)}")
    return [unwrap(value) for value in values]


def _integer(semantic: Any, name: str, value: Any, bits: int) -> Any:
    """Return an integer of `bits` bits. A wider one is an error: which of its bits count is not known."""
    value = semantic.to_tensor(value)
    if value.type.is_block() or not value.dtype.is_int() or value.dtype.primitive_bitwidth > bits:
        raise errors.CompileError(f"expected each {name} to be an integer of at most {bits} bits, found {value.type}")
    return semantic.cast(value, gl.int64 if bits == 64 else gl.int32)


def _cache(modifier: str, allowed: Sequence[str]) -> dict[str, str]:
    modifier = unwrap(modifier)
    if modifier not in allowed:
        raise errors.CompileError(
            f"expected `cache_modifier` to be one of {', '.join(map(repr, allowed))}, not {modifier!r}"
        )
    return {"cache": modifier[1:]} if modifier else {}


def _message(shape: Any) -> dict[str, int]:
    """Return the attributes of a stated shape: rows, columns and, unless it is one, the number of blocks."""
    if (shape := unwrap(shape)) is None:
        return {}
    sizes = [unwrap(size) for size in shape] if isinstance(shape, (Sequence, gl.tuple)) else []
    if len(sizes) not in (2, 3) or any(not isinstance(size, int) or size < 1 or size & (size - 1) for size in sizes):
        raise errors.CompileError(
            "expected `message` to be rows, columns and perhaps blocks, constants that are powers of two: "
            f"{', '.join(map(str, sizes)) or shape}"
        )
    return dict(zip(("message_rows", "message_columns", "message_blocks"), (*sizes, 1), strict=False))


@builtin
def make_tensor_descriptor(
    base: Any, shape: Any, strides: Any, block_shape: Any, _semantic: Any = None, _generator: Any = None
) -> tensor_descriptor:
    """Describe a matrix in memory, and the blocks that accesses move.

    `shape` and `strides` (in elements) are numbers or values of the kernel; one stride is the constant 1. `block_shape`
    is constant. Raises CompileError for other ranks.
    """
    if not isinstance(base, gl.tensor) or not base.type.is_ptr():
        raise errors.CompileError(f"expected a pointer as base of a descriptor, found {base.type}")
    block = _pair("sizes of a block", block_shape)
    for size in block:
        if not isinstance(size, int) or size < 1 or size & (size - 1):
            raise errors.CompileError(f"expected the sizes of a block to be powers of two, found {block}")
    extents = [_integer(_semantic, "extent", value, 64) for value in _pair("extents", shape)]
    steps = [_integer(_semantic, "stride", value, 64) for value in _pair("strides", strides)]
    return tensor_descriptor([base, *extents, *steps], block)
