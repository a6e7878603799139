# SPDX-License-Identifier: MIT
"""Generated programs: a kernel as a tree of statements and expressions, and launches of it.

Everything is immutable, so that a smaller program shares the rest with the one that it was derived from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
#: Types that memory and operands of products have, but no arithmetic.
FP8 = ("fp8e5", "fp8e4nv")
FLOATS = ("fp16", "bf16", "fp32", "fp64", *FP8)

#: The largest magnitude up to which a type has all whole numbers.
EXACT = {"fp8e5": 2**3, "fp8e4nv": 2**4, "bf16": 2**8, "fp16": 2**11, "fp32": 2**24, "fp64": 2**53}

#: The names of types in Triton's language.
LANGUAGE_NAMES = {
    "i1": "tl.int1", "bf16": "tl.bfloat16", "fp16": "tl.float16", "fp32": "tl.float32", "fp64": "tl.float64",
    "fp8e5": "tl.float8e5", "fp8e4nv": "tl.float8e4nv",
    **{f"i{n}": f"tl.int{n}" for n in (8, 16, 32, 64)}, **{f"u{n}": f"tl.uint{n}" for n in (8, 16, 32, 64)},
}  # fmt: skip

#: Integers as numpy has them; floats are f64 in expressions, rounded after each operation.
NUMPY_NAMES = {
    "i1": "bool", **dict.fromkeys(FLOATS, "float64"),
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)}, **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
}  # fmt: skip

ITEM_SIZES = {"i1": 1, "fp8e5": 1, "fp8e4nv": 1, "bf16": 2, "fp16": 2, "fp32": 4, "fp64": 8} | {
    name: int(name[1:]) // 8 for name in INTEGERS
}


def torch_name(dtype: str) -> str:
    """Return the name of a type in torch, as in Triton's language except for `tl.` and for floats of 8 bits."""
    return {"fp8e5": "float8_e5m2", "fp8e4nv": "float8_e4m3fn"}.get(dtype, LANGUAGE_NAMES[dtype].removeprefix("tl."))


def promoted(a: str, b: str) -> str:
    """Return the type of an operation on integers of two types: as C has it, without a least width."""
    bits = {one: int(one[1:]) for one in (a, b)}
    if a[0] == b[0]:
        return a if bits[a] > bits[b] else b
    unsigned, signed = (a, b) if a[0] == "u" else (b, a)
    return unsigned if bits[unsigned] >= bits[signed] else signed


def reduced_type(function: str, dtype: str) -> str:
    """Return the type that the language gives a reduction."""
    if function in ("argmax", "argmin"):
        return "i32"
    if function in ("custom", "xor_sum"):
        return dtype
    if function == "sum":
        small = {"i8": "i32", "i16": "i32", "u8": "u32", "u16": "u32", "bf16": "fp32"}
        return small.get(dtype, dtype)
    small = {"i8": "i32", "i16": "i32", "u8": "i32", "u16": "i32", "bf16": "fp32", "fp16": "fp32"}
    return small.get(dtype, dtype)


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
        """Yield this expression and all within it."""
        yield self
        for one in self.args:
            yield from one.walk()


@dataclass(frozen=True, eq=False)
class Stmt:
    """A statement: `assign`, `store`, `atomic`, `bstore`, `dstore`, `dscatter`, `barrier`, `assume`, `assert`, `leave`
    (a return under a condition), `for`, `while`, `if`."""

    kind: str
    name: str = ""
    exprs: tuple[Expr, ...] = ()
    body: tuple[Stmt, ...] = ()
    other: tuple[Stmt, ...] = ()
    attrs: tuple[Any, ...] = ()

    def walk(self) -> Iterator[Stmt]:
        """Yield this statement and all within it."""
        yield self
        for one in (*self.body, *self.other):
            yield from one.walk()


@dataclass(frozen=True)
class Tensor:
    """A parameter that is a pointer, or a descriptor of the host with this block.

    A table holds addresses of other tensors, its `targets`, in turns.
    """

    name: str
    dtype: str
    block: tuple[int, ...] | None = None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scalar:
    """A parameter that is an integer of 32 bits, known to the compiler or to the launch alone."""

    name: str
    constant: bool


@dataclass(frozen=True)
class Slot:
    """The begin of a tensor of a launch: elements from the middle of a buffer, which tensors may share."""

    tensor: str
    buffer: int
    offset: int = 0
    #: Rows, columns and pitch that a descriptor of the host has.
    surface: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel."""

    grid: tuple[int, int]
    warps: int
    stages: int
    values: tuple[tuple[str, int], ...]
    slots: tuple[Slot, ...]
    #: Bytes from an address that is a multiple of 64 to the middle of every buffer.
    misalignment: int
    #: The seed of the contents of buffers.
    seed: int
    #: This is true if the kernel checks itself.
    debug: bool = False

    def options(self) -> dict[str, Any]:
        """Return the launch options. Numbers that wrap around are no error, and need no check."""
        debug = {"debug": True, "sanitize_overflow": False} if self.debug else {}
        return {"num_warps": self.warps, "num_stages": self.stages, **debug}

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
        found = {one.op for one in self.expressions()} - set(PLAIN)
        found |= {one.kind for one in self.statements()} - set(PLAIN)
        found |= {f"load of rank {len(e.shape)}" for e in self.expressions() if e.op == "load" and len(e.shape) > 2}
        found |= {f"dot of rank {len(e.shape)}" for e in self.expressions() if e.op == "dot" and len(e.shape) > 2}
        found |= {one for one in FP8 if any(tensor.dtype == one for tensor in self.tensors)}
        found |= {"host descriptor"} if any(one.block for one in self.tensors) else set()
        found |= {"static_range"} if any(s.kind == "for" and s.attrs for s in self.statements()) else set()
        found |= (
            {"while with two conditions"}
            if any(s.kind == "while" and len(s.exprs) > 1 for s in self.statements())
            else set()
        )
        found |= {f"atomic_{s.attrs[0]} with a result" for s in self.statements() if s.kind == "atomic" and s.attrs[1]}
        for launch in self.launches:
            buffers = [slot.buffer for slot in launch.slots]
            found |= {"shared buffer"} if len(set(buffers)) < len(buffers) else set()
            found |= {"misaligned"} if launch.misalignment % 16 else set()
            found |= {"size 0 or 1"} if any(name in "MNK" and n in (0, 1) for name, n in launch.values) else set()
            found |= {"debug"} if launch.debug else set()
            found |= {"warps 16, 32"} if launch.warps >= 16 else set()
        return found


#: The operations that nearly every program has, which no table has to count.
PLAIN = (
    "assign", "const", "arg", "var", "tensor", "pid", "range", "full", "expand", "spread", "ptradd", "mkblock",
    "mkdesc", "cast", "neg", "not", "min", "max", "abs", *OPERATORS,
)  # fmt: skip


def broadcast(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(n) for n in np.broadcast_shapes(*shapes))


def const(value: float, dtype: str = "i32") -> Expr:
    """Return a literal; it takes the type of what it is combined with."""
    return Expr("const", (), dtype, (), (value,))


def var(name: str, dtype: str, shape: tuple[int, ...]) -> Expr:
    return Expr("var", (), dtype, shape, (name,))


def binary(op: str, a: Expr, b: Expr, dtype: str | None = None) -> Expr:
    """Returns an operation on two expressions of one type, or of types that Triton promotes to `dtype`."""
    return Expr(op, (a, b), "i1" if op in COMPARISONS else dtype or a.dtype, broadcast(a.shape, b.shape))


def cast(a: Expr, dtype: str) -> Expr:
    """Return the expression as another type. Floats of 8 bits become others first, and others become floats before."""
    if a.dtype == dtype:
        return a
    if (a.dtype in FP8 and (dtype not in FLOATS or dtype in FP8)) or (dtype in FP8 and a.dtype not in FLOATS):
        a = Expr("cast", (a,), "fp32", a.shape)
    return Expr("cast", (a,), dtype, a.shape)


def expand(a: Expr, axis: int) -> Expr:
    """Return a vector as a column (axis 1) or a row (axis 0)."""
    shape = (a.shape[0], 1) if axis == 1 else (1, a.shape[0])
    return Expr("expand", (a,), a.dtype, shape, (axis,))


def spread(a: Expr, shape: tuple[int, ...]) -> Expr:
    return a if a.shape == shape else Expr("spread", (a,), a.dtype, shape)


def map_expression(e: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return the expression with each one in it, from the inside, replaced by the result of `change` for it."""
    args = tuple(map_expression(one, change) for one in e.args)
    return change(e if all(a is b for a, b in zip(args, e.args, strict=True)) else replace(e, args=args))


def map_statements(body: tuple[Stmt, ...], change: Callable[[Stmt], tuple[Stmt, ...]]) -> tuple[Stmt, ...]:
    """Return the statements with each one, from the inside, replaced by the result of `change` for it."""
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
