# SPDX-License-Identifier: MIT
"""What a generated program is: a kernel as a tree of statements and expressions, and launches of it.

Everything is immutable, so that a smaller program shares the rest with the one that it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("fp16", "bf16", "fp32", "fp64")

#: The largest magnitude up to which a type has all whole numbers.
EXACT = {"bf16": 2**8, "fp16": 2**11, "fp32": 2**24, "fp64": 2**53}

#: How Triton's language names a type.
LANGUAGE_NAMES = {
    "i1": "tl.int1", "bf16": "tl.bfloat16", "fp16": "tl.float16", "fp32": "tl.float32", "fp64": "tl.float64",
    **{f"i{n}": f"tl.int{n}" for n in (8, 16, 32, 64)}, **{f"u{n}": f"tl.uint{n}" for n in (8, 16, 32, 64)},
}  # fmt: skip

#: Integers as numpy has them; floats are f64 in expressions, rounded after each operation.
NUMPY_NAMES = {
    "i1": "bool", "bf16": "float64", "fp16": "float64", "fp32": "float64", "fp64": "float64",
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)}, **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
}  # fmt: skip

ITEM_SIZES = {"i1": 1, "bf16": 2, "fp16": 2, "fp32": 4, "fp64": 8} | {name: int(name[1:]) // 8 for name in INTEGERS}


def torch_name(dtype: str) -> str:
    """The name of a type in torch, which is that of Triton's language but for `tl.`."""
    return LANGUAGE_NAMES[dtype].removeprefix("tl.")


COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "//", "mod": "%", "and": "&", "or": "|", "xor": "^", "shl": "<<",
    "shr": ">>", **COMPARISONS,
}  # fmt: skip


@dataclass(frozen=True)
class Expr:
    """An operation on its arguments.

    A type that begins with `*` is a pointer to elements, `block` a block pointer, `desc` a descriptor.
    """

    op: str
    args: tuple[Expr, ...] = ()
    dtype: str = "i32"
    shape: tuple[int, ...] = ()
    attrs: tuple[Any, ...] = ()

    def walk(self) -> Iterator[Expr]:
        """This expression and all within it."""
        yield self
        for one in self.args:
            yield from one.walk()


@dataclass(frozen=True, eq=False)
class Stmt:
    """A statement: `assign`, `store`, `atomic`, `bstore`, `dstore`, `barrier`, `for`, `while`, `if`."""

    kind: str
    name: str = ""
    exprs: tuple[Expr, ...] = ()
    body: tuple[Stmt, ...] = ()
    other: tuple[Stmt, ...] = ()
    attrs: tuple[Any, ...] = ()

    def walk(self) -> Iterator[Stmt]:
        """This statement and all within it."""
        yield self
        for one in (*self.body, *self.other):
            yield from one.walk()


@dataclass(frozen=True)
class Tensor:
    """A parameter that is a pointer, or a descriptor of the host with this block."""

    name: str
    dtype: str
    block: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Scalar:
    """A parameter that is an integer of 32 bits, known to the compiler or to the launch alone."""

    name: str
    constant: bool


@dataclass(frozen=True)
class Slot:
    """Where a tensor of a launch begins: elements from the middle of a buffer, which tensors may share."""

    tensor: str
    buffer: int
    offset: int = 0
    #: Rows, columns and pitch that a descriptor of the host has.
    surface: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Launch:
    """How a kernel is launched once."""

    grid: tuple[int, int]
    warps: int
    stages: int
    values: tuple[tuple[str, int], ...]
    slots: tuple[Slot, ...]
    #: Bytes from an address that is a multiple of 64 to the middle of every buffer.
    misalignment: int
    #: Of the contents of buffers.
    seed: int

    def value(self, name: str) -> int:
        return dict(self.values)[name]


@dataclass(frozen=True)
class Program:
    """A kernel and its launches."""

    tensors: tuple[Tensor, ...]
    scalars: tuple[Scalar, ...]
    body: tuple[Stmt, ...]
    launches: tuple[Launch, ...] = field(default=())

    def statements(self) -> Iterator[Stmt]:
        for one in self.body:
            yield from one.walk()

    def expressions(self) -> Iterator[Expr]:
        for statement in self.statements():
            for one in statement.exprs:
                yield from one.walk()

    def tensor(self, name: str) -> Tensor:
        return next(one for one in self.tensors if one.name == name)

    def features(self) -> set[str]:
        """Returns the names of what the program has, which the table of a run counts."""
        found = {one.op for one in self.expressions()} & set(FEATURES)
        found |= {one.kind for one in self.statements()} & set(FEATURES)
        found |= {"host descriptor"} if any(one.block for one in self.tensors) else set()
        for launch in self.launches:
            buffers = [slot.buffer for slot in launch.slots]
            found |= {"shared buffer"} if len(set(buffers)) < len(buffers) else set()
            found |= {"misaligned"} if launch.misalignment % 16 else set()
            found |= {"size 0 or 1"} if any(name in "MNK" and n in (0, 1) for name, n in launch.values) else set()
            found |= {"warps 16, 32"} if launch.warps >= 16 else set()
        return found


FEATURES = (
    "load", "store", "bload", "bstore", "dload", "dstore", "atomic", "barrier", "for", "while", "if", "dot", "reduce",
    "scan", "trans", "where", "gather",
)  # fmt: skip


def broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(n) for n in np.broadcast_shapes(*shapes))


def const(value: float, dtype: str = "i32") -> Expr:
    """A literal; it takes the type of what it is combined with."""
    return Expr("const", (), dtype, (), (value,))


def var(name: str, dtype: str, shape: tuple[int, ...]) -> Expr:
    return Expr("var", (), dtype, shape, (name,))


def binary(op: str, a: Expr, b: Expr, dtype: str | None = None) -> Expr:
    """Returns an operation on two expressions of one type, or of types that Triton promotes to `dtype`."""
    return Expr(op, (a, b), "i1" if op in COMPARISONS else dtype or a.dtype, broadcast(a.shape, b.shape))


def cast(a: Expr, dtype: str) -> Expr:
    return a if a.dtype == dtype else Expr("cast", (a,), dtype, a.shape)


def expand(a: Expr, axis: int) -> Expr:
    """A vector as a column (axis 1) or a row (axis 0)."""
    shape = (a.shape[0], 1) if axis == 1 else (1, a.shape[0])
    return Expr("expand", (a,), a.dtype, shape, (axis,))


def spread(a: Expr, shape: tuple[int, ...]) -> Expr:
    return a if a.shape == shape else Expr("spread", (a,), a.dtype, shape)


def map_statements(body: tuple[Stmt, ...], change: Callable[[Stmt], tuple[Stmt, ...]]) -> tuple[Stmt, ...]:
    """The statements with each one, from the inside, replaced by what `change` makes of it."""
    found: list[Stmt] = []
    for one in body:
        inner, other = map_statements(one.body, change), map_statements(one.other, change)
        same = all(a is b for a, b in zip((*inner, *other), (*one.body, *one.other), strict=False)) and (
            len(inner) == len(one.body) and len(other) == len(one.other)
        )
        changed = change(one)
        if len(changed) == 1 and changed[0] is one and not same:
            changed = (replace(one, body=inner, other=other),)
        elif not same:
            # `change` has added statements around this one, whose own statements have changed, too.
            changed = tuple(replace(c, body=inner, other=other) if c is one else c for c in changed)
        found.extend(changed)
    return tuple(found)
