# SPDX-License-Identifier: MIT
"""The operations of the language on elements, in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .programs import COMPARISONS, EXACT, FLOATS, NUMPY_NAMES, Expr

if TYPE_CHECKING:
    from .oracle import Machine

_COMPARE = {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal,
}  # fmt: skip
_SIMPLE = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor, "shl": np.left_shift, "shr": np.right_shift,
}  # fmt: skip


class Rejected(Exception):
    """The launch has no defined result; the message states why."""


def limit(dtype: str) -> int:
    """Return the largest magnitude up to which sums of a type are exact."""
    return EXACT.get(dtype, 1 << 62)


def convert(data: np.ndarray, dtype: str) -> np.ndarray:
    """Return elements as another type, which wraps integers around."""
    return data.astype(NUMPY_NAMES[dtype], copy=False)


def divide(a: np.ndarray, b: np.ndarray, remainder: bool) -> np.ndarray:
    """Divide as C does: towards zero."""
    if np.any(b == 0) or (
        np.issubdtype(a.dtype, np.signedinteger) and np.any((a == np.iinfo(a.dtype).min) & (b == -1))
    ):
        raise Rejected("a division without a result")
    quotient = np.floor_divide(a, b)
    if np.issubdtype(a.dtype, np.signedinteger):
        rest = a - quotient * b
        quotient = quotient + ((rest != 0) & ((a < 0) != (b < 0))).astype(a.dtype)
    return a - quotient * b if remainder else quotient


def _binary(machine: Machine, e: Expr, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if e.op in COMPARISONS:
        # The language promotes the operands to the type in `attrs` before it compares them.
        if e.attrs:
            a, b = convert(a, e.attrs[0]), convert(b, e.attrs[0])
        return _COMPARE[e.op](a, b)
    if e.dtype.startswith("*"):
        raise ValueError("pointers have separate operations")
    a, b = convert(a, e.dtype), convert(b, e.dtype)
    if e.op in ("div", "mod"):
        return divide(a, b, e.op == "mod")
    result = np.asarray(_SIMPLE[e.op](a, b))
    if e.dtype in FLOATS:
        return machine.rounded(result, e.dtype)
    if e.op in ("add", "sub", "mul", "shl") and e.dtype in ("i32", "i64"):
        wide = (
            _SIMPLE[e.op](a.astype(np.float64), b.astype(np.float64))
            if e.op != "shl"
            else (a.astype(np.float64) * 2.0 ** b.astype(np.float64))
        )
        machine.overflow = np.abs(wide - result.astype(np.float64)) > 2.0**31
    return result


def sums_exactly(data: np.ndarray, dtype: str) -> None:
    """Raises `Rejected` if a sum of magnitudes is larger than what the type has all whole numbers of."""
    if dtype in FLOATS and (np.any(data != np.trunc(data)) or data.max(initial=0) > limit(dtype)):
        raise Rejected("a sum that is rounded")


def _reduce(e: Expr, a: np.ndarray) -> np.ndarray:
    function, axis = e.attrs
    if function in ("argmax", "argmin"):
        return getattr(np, function)(a, axis=axis).astype(np.int32)
    a = convert(a, e.dtype)
    if function in ("sum", "custom"):
        sums_exactly(np.abs(a).sum(axis=axis) if e.dtype in FLOATS else a, e.dtype)
        return a.sum(axis=axis, dtype=a.dtype)
    if function == "xor_sum":
        return np.bitwise_xor.reduce(a, axis=axis)
    return getattr(np, function)(a, axis=axis)


def _scan(e: Expr, a: np.ndarray) -> np.ndarray:
    function, axis, reverse = e.attrs
    a = convert(a, e.dtype)
    a = np.flip(a, axis) if reverse else a
    if function in ("cumsum", "add"):
        sums_exactly(np.abs(a).sum(axis=axis) if e.dtype in FLOATS else a, e.dtype)
        a = np.cumsum(a, axis=axis, dtype=a.dtype)
    else:
        a = {"max": np.maximum, "min": np.minimum, "xor": np.bitwise_xor}[function].accumulate(a, axis=axis)
    return np.flip(a, axis) if reverse else a


def _dot(machine: Machine, e: Expr, args: list[np.ndarray]) -> np.ndarray:
    a, b = args[:2]
    wide = np.int64 if e.dtype == "i32" else np.float64
    total = a.astype(wide) @ b.astype(wide)
    size = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    if len(args) > 2:
        total, size = total + args[2], size + np.abs(args[2].astype(np.float64))
    if e.dtype != "i32":
        sums_exactly(size, "fp32")
    if "fp32" in (e.args[0].dtype, e.args[1].dtype):
        # Operands have the digits of tf32.
        sums_exactly(np.maximum(np.abs(a).max(), np.abs(b).max(initial=0)) * 2**13 * np.ones(1), "fp32")
    return total.astype(NUMPY_NAMES[e.dtype])


def _cast(machine: Machine, e: Expr, a: np.ndarray) -> np.ndarray:
    if e.dtype in FLOATS:
        return machine.rounded(a.astype(np.float64), e.dtype)
    if e.dtype == "i1":
        return a != 0
    if e.args[0].dtype in FLOATS:
        info = np.iinfo(NUMPY_NAMES[e.dtype])
        if np.any(a < float(info.min)) or np.any(a >= float(info.max)):
            raise Rejected("a float that no integer of the type is")
        return np.trunc(a).astype(NUMPY_NAMES[e.dtype])
    return convert(a, e.dtype)


def compute(machine: Machine, e: Expr, args: list[np.ndarray]) -> np.ndarray:
    """Return the elements of an expression, from those of its arguments."""
    op = e.op
    if op in _COMPARE or op in _SIMPLE or op in ("div", "mod"):
        return _binary(machine, e, *args)
    if op == "cast":
        return _cast(machine, e, args[0])
    if op == "dot":
        return _dot(machine, e, args)
    if op == "where":
        shape = np.broadcast_shapes(*(one.shape for one in args))
        dtype = np.int64 if e.dtype.startswith("*") else NUMPY_NAMES[e.dtype]
        return np.array(np.broadcast_to(np.where(*args), shape), dtype)
    simple = {
        "neg": lambda a: np.negative(a),
        "not": lambda a: np.invert(a),
        "abs": lambda a: np.abs(a),
        "expand": lambda a: np.expand_dims(a, e.attrs[0]),
        "spread": lambda a: np.array(np.broadcast_to(a, e.shape)),
        "trans": lambda a: np.ascontiguousarray(a.T),
        "reshape": lambda a: a.reshape(e.shape),
        "reduce": lambda a: np.asarray(_reduce(e, a)),
        "scan": lambda a: _scan(e, a),
        "gather": lambda a, i: np.take_along_axis(a, i.astype(np.int64), e.attrs[0]),
    }
    return np.asarray(simple[op](*args))
