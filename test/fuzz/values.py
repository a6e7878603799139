# SPDX-License-Identifier: MIT
"""Draws the kernel: its parameters, addresses, masks, values and statements."""

from __future__ import annotations

import random

from .constructs import DOT_DRAWS, DRAWS
from .programs import (
    COMPARISONS,
    EXACT,
    FLOATS,
    FP8,
    INTEGERS,
    ITEM_SIZES,
    Expr,
    Scalar,
    Stmt,
    Tensor,
    binary,
    broadcast,
    cast,
    const,
    expand,
    promoted,
    reduced_type,
    spread,
    var,
)  # fmt: skip

#: The largest magnitude that a value of a kind may have: what is larger is cut.
SMALL = 8
I32 = "i32"


class Writer:
    """Writes the statements of one kernel, whose blocks have `rows` x `columns` elements."""

    def __init__(self, rng: random.Random, rows: int, columns: int) -> None:
        self.rng, self.rows, self.columns = rng, rows, columns
        self.uses_second_axis = rng.random() < 0.4
        self.scalars: dict[str, Scalar] = {}
        self.tensors: list[Tensor] = []
        #: Tensors of atomic operations alone, tables of addresses, and what these point to.
        self.apart: list[Tensor] = []
        #: Variables with type, shape and the largest magnitude.
        self.scope: list[tuple[Expr, int]] = []
        self.count = 0
        self.dot = False
        #: The constructs of this program: few, so that they meet each other.
        self.draws = (*rng.sample(DRAWS, 6), *DOT_DRAWS * 3)
        self.counters: list[Expr] = []
        self.wide = False

    # ------------------------------------------------------------------------------------------------------------------
    # Names
    # ------------------------------------------------------------------------------------------------------------------

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def arg(self, name: str) -> Expr:
        """Draw a scalar parameter, or one of the launch's constants."""
        if name not in self.scalars:
            # Numbers of the language wrap around, those of Python do not.
            self.scalars[name] = Scalar(name, self.rng.random() < 0.25 and name != "huge")
        return Expr("arg", (), I32, (), (name,))

    def pointer(self, tensor: Tensor) -> Expr:
        return Expr("tensor", (), f"*{tensor.dtype}", (), (tensor.name,))

    def pid(self, axis: int) -> Expr:
        return Expr("pid", (), I32, (), (axis,))

    # ------------------------------------------------------------------------------------------------------------------
    # Addresses and masks
    # ------------------------------------------------------------------------------------------------------------------

    def coordinates(self) -> list[Stmt]:
        """Draw the numbers of the block's rows and columns, as variables."""
        rng = self.rng
        i, j = Expr("range", (), I32, (self.rows,)), Expr("range", (), I32, (self.columns,))
        p = self.pid(0)
        paired = binary("add", binary("mul", binary("div", p, const(2)), const(2)), binary("mod", p, const(2)))
        first = rng.choice([
            binary("mul", p, const(self.rows)),
            binary("mul", paired, const(self.rows)),
            binary("mul", cast(p, I32), const(self.rows)),
        ])  # fmt: skip
        rows = binary("add", first, i) if rng.random() < 0.5 else binary("add", i, first)
        columns = binary("add", binary("mul", self.pid(1), const(self.columns)), j) if self.uses_second_axis else j
        self.r, self.c = var("rows", I32, (self.rows,)), var("cols", I32, (self.columns,))
        self.first = first
        self.again = [Stmt("assign", "rows", (rows,)), Stmt("assign", "cols", (columns,))]
        return list(self.again)

    def bend(self, x: Expr, name: str, injective: bool) -> Expr:
        """Draw a coordinate before it is multiplied with a stride."""
        rng = self.rng
        size = self.arg(name)
        same = [x] * 4 + [binary("sub", binary("add", x, self.arg("shift")), self.arg("shift"))]
        if name == "M":
            mirrored = binary("sub", binary("add", binary("mul", self.first, const(2)), const(self.rows - 1)), x)
            same += [mirrored] if self.rows > 1 else []
            same += [binary("xor", x, const(1))] if self.rows > 1 else []
        same.append(cast(x, "i64"))
        if injective:
            return rng.choice(same)
        one = binary("max", size, const(1))
        bends = [
            lambda: binary("mod", x, one),
            lambda: Expr("where", (binary("lt", x, size), x, Expr("full", (), I32, x.shape, (0,))), I32, x.shape),
            lambda: binary("min", x, binary("sub", one, const(1))),
            lambda: binary("sub", binary("sub", size, const(1)), x),
            lambda: binary("div", x, const(rng.choice([2, 3, 4]))),
            lambda: binary("add", x, self.arg("shift")),
            lambda: binary("mul", x, const(2)),
            lambda: binary("mod", binary("add", x, self.arg("shift")), const(rng.choice([4, 7, 16]))),
            lambda: self.gathered(x),
            lambda: binary("add", x, self.narrow_number()),
        ]
        if self.counters:
            bends.append(lambda: binary("add", x, binary("mul", self.counters[-1], const(rng.choice([1, 16, -1])))))
        return rng.choice(bends)() if rng.random() < 0.55 else rng.choice(same)

    def narrow_number(self) -> Expr:
        """Draw a sum, difference or product of few bits, which mostly wraps around."""
        dtype = self.rng.choice(["i8", "i8", "i16"])
        a, b = cast(self.arg("huge"), dtype), cast(self.arg("shift"), dtype)
        return cast(binary(self.rng.choice(["add", "sub", "mul"]), a, b, dtype), I32)

    def far_load(self, tensor: Tensor) -> Expr:
        """Draw rows that begin at multiples of 2^31 or more, of which the mask leaves few."""
        rng = self.rng
        start = binary("mul", cast(self.pid(0), "i64"), const(1 << rng.choice([31, 32, 33]), "i64"), "i64")
        rows = binary("add", cast(self.r, "i64"), start, "i64")
        if rng.random() < 0.5:
            rows = binary("add", start, cast(self.r, "i64"), "i64")
        line = binary("mul", rows, cast(self.stride(tensor), "i64"), "i64")
        address = Expr("ptradd", (self.pointer(tensor), expand(line, 1)), f"*{tensor.dtype}", (self.rows, 1))
        address = Expr("ptradd", (address, expand(self.c, 0)), address.dtype, (self.rows, self.columns))
        mask = binary("and", expand(binary("lt", rows, self.arg("M")), 1), expand(self.bound(self.c, "N"), 0))
        args = (address, mask, const(0, tensor.dtype))
        return self.readable(Expr("load", args, tensor.dtype, (self.rows, self.columns)))

    def gathered(self, x: Expr) -> Expr:
        """Draw numbers of rows from memory."""
        tensor = next((one for one in self.tensors if one.name == "index"), None)
        if tensor is None:
            tensor = Tensor("index", I32)
            self.tensors.append(tensor)
        place = Expr("ptradd", (self.pointer(tensor), x), "*i32", x.shape)
        return Expr("load", (place,), I32, x.shape)

    def stride(self, tensor: Tensor) -> Expr:
        return self.arg(f"s_{tensor.name}")

    def address(self, tensor: Tensor, injective: bool, shape: tuple[int, ...] | None = None) -> Expr:
        """Draw pointers to a block of a tensor."""
        rng = self.rng
        pointer = self.pointer(tensor)

        def add(a: Expr, b: Expr) -> Expr:
            shape = broadcast(a.shape, b.shape)
            return (
                Expr("ptradd", (a, b), pointer.dtype, shape) if a.dtype[0] == "*" else binary("add", a, b, wider(a, b))
            )

        rows, columns = self.bend(self.r, "M", injective), self.bend(self.c, "N", injective)
        step, unit = self.stride(tensor), const(rng.choice([1, 1, 1, 2]))
        kind = rng.random()
        if kind < 0.8:
            a, b = binary("mul", rows, step), columns if unit.attrs[0] == 1 else binary("mul", columns, unit)
        elif kind < 0.9 or injective:
            a, b = rows, binary("mul", columns, step)
        else:
            a, b = binary("mul", rows, step), binary("mul", columns, self.arg(f"t_{tensor.name}"))
        if self.counters and not injective and rng.random() < 0.3:
            pointer = Expr("ptradd", (pointer, binary("mul", self.counters[-1], const(rng.choice([1, 16, 64])))),
                           pointer.dtype, ())  # fmt: skip
        if shape == (self.rows,):
            return add(pointer, a)
        if shape == (self.columns,):
            return add(pointer, b)
        a, b = expand(a, 1), expand(b, 0)
        form = rng.randrange(5)
        if form == 0:
            return add(add(pointer, a), b)
        if form == 1:
            return add(pointer, add(a, b))
        if form == 2:
            return add(add(pointer, b), a)
        if form == 3:
            return add(pointer, add(b, a))
        both = add(expand(a.args[0], 0), expand(b.args[0], 1))
        return add(pointer, Expr("trans", (both,), both.dtype, (self.rows, self.columns)))

    def bound(self, x: Expr, name: str) -> Expr:
        rng = self.rng
        size = self.arg(name)
        return rng.choice([
            lambda: binary("lt", x, size),
            lambda: binary("lt", x, size),
            lambda: binary("gt", size, x),
            lambda: binary("le", x, binary("sub", size, const(1))),
            lambda: binary("lt", binary("sub", x, size), const(0)),
            lambda: binary("and", binary("ge", x, self.arg("shift")), binary("lt", x, size)),
            lambda: binary("or", binary("lt", x, size), binary("lt", x, const(5))),
            lambda: binary("ne", binary("mod", x, const(3)), const(1)),
            lambda: binary("lt", x, const(rng.choice([0, 1, 8, 20, 1 << 30]))),
            lambda: binary("eq", binary("mod", binary("add", x, self.arg("flag")), const(2)), const(0)),
            lambda: binary("lt", binary("add", x, self.arg("huge")), size),
            lambda: binary("lt", x, binary("sub", size, self.arg("huge"))),
            lambda: binary("lt", binary("mul", x, const(1 << rng.choice([20, 26, 28]))), size),
            lambda: binary("and", binary("ge", binary("sub", x, self.arg("huge")), const(0)), binary("lt", x, size)),
        ])()  # fmt: skip

    def mask(self) -> Expr | None:
        """Draw a mask of a whole block; none means that the access has no mask."""
        rng = self.rng
        shape = (self.rows, self.columns)
        kind = rng.random()
        if kind < 0.25:
            return None
        rows, columns = expand(self.bound(self.r, "M"), 1), expand(self.bound(self.c, "N"), 0)
        if kind < 0.55:
            return binary("and", rows, columns)
        if kind < 0.62:
            return binary("or", rows, columns)
        if kind < 0.72:
            return spread(rows, shape)
        if kind < 0.82:
            return spread(columns, shape)
        if kind < 0.9:
            return binary(rng.choice(list(COMPARISONS)), expand(self.r, 1), expand(self.c, 0))
        if kind < 0.95:
            return spread(binary("gt", self.arg("flag"), const(0)), shape)
        return Expr("not", (binary("and", rows, columns),), "i1", shape)

    def load(self, tensor: Tensor) -> Expr:
        """Return a block of a tensor, with plain pointers."""
        shape = (self.rows, self.columns)
        if self.rng.random() < 0.05:
            return self.far_load(tensor)
        address, mask = self.address(tensor, False), self.mask()
        other = () if self.rng.random() < 0.1 else (const(self.rng.choice([0, 0, 1, 3]), tensor.dtype),)
        args = (address,) if mask is None else (address, mask, *other)
        return self.readable(Expr("load", args, tensor.dtype, shape))

    def readable(self, e: Expr) -> Expr:
        """Return what is loaded as a type that has arithmetic."""
        return cast(e, self.rng.choice(["fp32", "fp16"])) if e.dtype in FP8 else e

    def can_pick(self, tensor: Tensor) -> bool:
        """Return whether the language can gather rows of a descriptor: at least 8 of 32 bytes, elements of up to 4."""
        size = ITEM_SIZES[tensor.dtype]
        return self.rows >= 8 and self.columns * size >= 32 and size <= 4

    def make_rows(self, tensor: Tensor) -> Expr:
        """Return a descriptor of single rows."""
        args = (self.pointer(tensor), self.arg("M"), self.arg("N"), self.stride(tensor))
        block = (1, self.columns)
        return Expr("mkdesc", args, f"desc:{tensor.dtype}", block, (block,))

    def make_block(self, tensor: Tensor, block: tuple[int, int], rows: Expr, columns: Expr) -> Expr:
        """Draw a block pointer to rows of the tensor, or to its columns."""
        order, strides = (1, 0), (self.stride(tensor), const(1))
        if self.rng.random() < 0.2:
            order, strides = (0, 1), strides[::-1]
        args = (self.pointer(tensor), self.arg("M"), self.arg("N"), *strides, rows, columns)
        return Expr("mkblock", args, f"block:{tensor.dtype}", block, (block, order))

    def block_load(self, tensor: Tensor) -> Expr:
        """Draw a block of a tensor, with a block pointer or a descriptor."""
        rng = self.rng
        shape = (self.rows, self.columns)
        columns = binary("mul", self.pid(1), const(self.columns)) if self.uses_second_axis else const(0)
        rows = self.first
        if self.counters and rng.random() < 0.5:
            rows = binary("add", rows, self.counters[-1])
        if rng.random() < 0.3:
            columns = binary("add", columns, self.arg("shift"))
        if tensor.block:
            return self.readable(Expr("dload", (self.pointer(tensor), rows, columns), tensor.dtype, shape))
        if rng.random() < 0.3 and self.columns * 2 >= 16 and ITEM_SIZES[tensor.dtype] > 1:
            args = (self.pointer(tensor), self.arg("M"), self.arg("N"), self.stride(tensor))
            made = Expr("mkdesc", args, f"desc:{tensor.dtype}", shape, (shape,))
            return Expr("dload", (made, rows, columns), tensor.dtype, shape)
        made = self.make_block(tensor, shape, rows, columns)
        if rng.random() < 0.3:
            made = Expr(
                "advance", (made, const(rng.choice([0, 1, 16])), const(rng.choice([0, -1, 8]))), made.dtype, shape
            )
        checked = rng.choice([(0, 1), (0, 1), (0, 1), (0,), (1,), ()])
        return self.readable(Expr("bload", (made,), tensor.dtype, shape, (checked,)))

    # ------------------------------------------------------------------------------------------------------------------
    # Values
    # ------------------------------------------------------------------------------------------------------------------

    def narrow(self, e: Expr, to: int = SMALL) -> Expr:
        """Return a value whose magnitude is below `to`, a power of two: small enough to go on with."""
        wide = cast(e, "i64") if e.dtype in FLOATS else e
        return cast(binary("and", wide, const(to - 1)), e.dtype)

    def convert(self, e: Expr, bound: int, dtype: str) -> tuple[Expr, int]:
        """Return the value as another type, which has the number."""
        if e.dtype == dtype:
            return e, bound
        if dtype in FLOATS and (e.dtype in INTEGERS or bound > EXACT[dtype]):
            return cast(self.narrow(e), dtype), SMALL
        if e.dtype in FLOATS and (dtype in INTEGERS and (dtype[0] == "u" or bound > 100)):
            return cast(self.narrow(e), dtype), SMALL
        return cast(e, dtype), bound

    def value(self, dtype: str, depth: int) -> tuple[Expr, int]:
        """Draw a block of a type, and its largest magnitude if it is of floats."""
        rng = self.rng
        if dtype in FP8:
            return cast(self.narrow(self.value(rng.choice(["fp32", "fp16", "bf16"]), depth)[0]), dtype), SMALL
        kinds = [self.leaf] * 2
        if depth > 0:
            kinds += [self.arithmetic] * 4 + [self.select, self.reduction, self.scan, self.unary, self.moved]
            kinds += [self.construct] * 7 + [self.product] * 3 * self.dot
        e, bound = rng.choice(kinds)(dtype, depth - 1)
        e, bound = self.convert(e, bound, dtype)
        if dtype in FLOATS and bound > min(EXACT[dtype] // 4, 1 << 20):
            e, bound = self.narrow(e), SMALL
        return e, bound

    def construct(self, dtype: str, depth: int) -> tuple[Expr, int]:
        draws = [one for one in self.draws if self.dot or one not in DOT_DRAWS]
        return self.rng.choice(draws)(self, dtype, depth)

    def leaf(self, dtype: str, depth: int) -> tuple[Expr, int]:
        rng = self.rng
        shape = (self.rows, self.columns)
        known = [(e, b) for e, b in self.scope if e.shape == shape]
        kind = rng.random()
        if known and kind < 0.4:
            return rng.choice(known)
        if kind < 0.85:
            tensor = rng.choice([one for one in self.tensors if one.name != "index"])
            block = tensor.block or rng.random() < (0.6 if self.dot else 0.25)
            return (self.block_load if block else self.load)(tensor), 16
        if kind < 0.93:
            e = binary("add", binary("mul", expand(self.r, 1), const(3)), expand(self.c, 0))
            return e, 1 << 30
        return Expr("full", (), dtype, shape, (rng.choice([0, 1, 2, 5]),)), 5

    def arithmetic(self, dtype: str, depth: int) -> tuple[Expr, int]:
        rng = self.rng
        if dtype in FLOATS:
            (a, x), (b, y) = self.value(dtype, depth), self.value(dtype, depth)
            op = rng.choice(["add", "sub", "mul", "min", "max"])
            if op == "mul" and x * y > EXACT[dtype]:
                a, b, x, y = self.narrow(a, 4), self.narrow(b, 4), 4, 4
            if op in ("add", "sub") and x + y > EXACT[dtype]:
                a, b, x, y = self.narrow(a), self.narrow(b), SMALL, SMALL
            return binary(op, a, b), {"add": x + y, "sub": x + y, "mul": x * y}.get(op, max(x, y))
        a, b = self.value(dtype, depth)[0], self.value(dtype, depth)[0]
        op = rng.choice(["add", "sub", "mul", "div", "mod", "and", "or", "xor", "shl", "shr", "min", "max"])
        if op in ("div", "mod"):
            b = (
                const(rng.choice([1, 2, 3, 7, 16]))
                if rng.random() < 0.5
                else binary("or", binary("and", b, const(7)), const(1))
            )
        if op in ("shl", "shr"):
            b = binary("and", b, const(7))
        if rng.random() < 0.15 and op in ("add", "sub", "mul", "and", "or", "xor"):
            other = rng.choice(INTEGERS)
            b = cast(b, other)
            return binary(op, a, b, promoted(dtype, other)), 1 << 30
        return binary(op, a, b), 1 << 30

    def unary(self, dtype: str, depth: int) -> tuple[Expr, int]:
        a, bound = self.value(dtype, depth)
        if dtype in FLOATS or dtype[0] == "i":
            return Expr(self.rng.choice(["neg", "abs"]), (a,), dtype, a.shape), bound
        return Expr("not", (a,), dtype, a.shape), bound

    def select(self, dtype: str, depth: int) -> tuple[Expr, int]:
        (a, x), (b, y) = self.value(dtype, depth), self.value(dtype, depth)
        if self.rng.random() < 0.5:
            c, d = self.value(I32, 0)[0], self.value(I32, 0)[0]
            mask = binary(self.rng.choice(list(COMPARISONS)), c, d)
        else:
            mask = self.mask() or binary("lt", expand(self.r, 1), expand(self.c, 0))
        return Expr("where", (mask, a, b), dtype, a.shape), max(x, y)

    def reduction(self, dtype: str, depth: int) -> tuple[Expr, int]:
        """Draw a reduced block, spread out again."""
        rng = self.rng
        a, bound = self.value(dtype, depth)
        axis = rng.choice([0, 1])
        size = a.shape[axis]
        functions = ["sum", "max", "min", "custom"] + (["xor_sum"] if dtype in INTEGERS else []) + ["argmax", "argmin"]
        function = rng.choice(functions)
        if function in ("sum", "custom") and dtype in FLOATS and bound * size > EXACT[dtype]:
            a, bound = cast(self.narrow(a), "fp32"), SMALL
        result = {"sum": bound * size, "custom": bound * size, "argmax": size, "argmin": size}.get(function, bound)
        shape = (a.shape[1 - axis],)
        e = Expr("reduce", (a,), reduced_type(function, a.dtype), shape, (function, axis))
        return spread(expand(e, 1 - axis if axis == 0 else 1) if axis else expand(e, 0), a.shape), result

    def scan(self, dtype: str, depth: int) -> tuple[Expr, int]:
        rng = self.rng
        a, bound = self.value(dtype, depth)
        axis = rng.choice([0, 1])
        function = rng.choice(["cumsum", "add", "max", "min"] + (["xor"] if dtype in INTEGERS else []))
        if function in ("cumsum", "add"):
            if dtype in FLOATS and bound * a.shape[axis] > EXACT[dtype]:
                a, bound = cast(self.narrow(a), "fp32"), SMALL
            bound *= a.shape[axis]
        kind = reduced_type("sum", a.dtype) if function == "cumsum" else a.dtype
        return Expr("scan", (a,), kind, a.shape, (function, axis, rng.random() < 0.3)), bound

    def moved(self, dtype: str, depth: int) -> tuple[Expr, int]:
        """Draw elements in other places."""
        rng = self.rng
        a, bound = self.value(dtype, depth)
        rows, columns = a.shape
        if rows == columns and rng.random() < 0.5:
            return Expr("trans", (a,), dtype, (columns, rows)), bound
        if rng.random() < 0.5 and rows > 1 and columns > 1:
            transposed = Expr("trans", (a,), dtype, (columns, rows))
            return Expr("reshape", (transposed,), dtype, a.shape), bound
        index = binary("and", self.value(I32, 0)[0], const(a.shape[1] - 1))
        return Expr("gather", (a, index), dtype, a.shape, (1,)), bound

    def product(self, dtype: str, depth: int) -> tuple[Expr, int]:
        """Draw a product of two matrices; the second one is square."""
        rng = self.rng
        kind = rng.choice(["fp16", "bf16", "bf16", "fp32", "i8"])
        a, x = self.operand(kind, depth, False)
        b, y = self.operand(kind, depth, True)
        result = "i32" if kind == "i8" else "fp32"
        bound = x * y * self.columns
        args = (a, b)
        if rng.random() < 0.5:
            total, z = self.value(result, 0)
            args, bound = (a, b, total), bound + z
        return Expr("dot", args, result, (self.rows, self.columns)), bound

    def operand(self, kind: str, depth: int, second: bool) -> tuple[Expr, int]:
        """Draw one of the operands: columns x columns for the second one, from memory, perhaps transposed."""
        rng = self.rng
        if not second:
            e, bound = self.value(kind, max(0, depth - 1) if rng.random() < 0.5 else 0)
            return (self.narrow(e), SMALL) if bound > 16 or kind == "i8" else (e, bound)
        tensors = [one for one in self.tensors if not one.block and one.name != "index"]
        tensor = rng.choice([one for one in tensors if one.dtype == kind] or tensors)
        n = self.columns
        if rng.random() < 0.5:
            made = self.make_block(tensor, (n, n), self.counters[-1] if self.counters else const(0), const(0))
            e = Expr("bload", (made,), tensor.dtype, (n, n), ((0, 1),))
        else:
            k = Expr("range", (), I32, (n,))
            a, b = binary("mul", expand(k, 1), self.stride(tensor)), expand(k, 0)
            if rng.random() < 0.3:
                a, b = binary("mul", expand(k, 0), self.stride(tensor)), expand(k, 1)
            place = Expr("ptradd", (self.pointer(tensor), binary("add", a, b)), f"*{tensor.dtype}", (n, n))
            e = Expr("load", (place,), tensor.dtype, (n, n))
            if rng.random() < 0.5:
                mask = spread(binary("lt", expand(k, rng.choice([0, 1])), self.arg("K")), (n, n))
                e = Expr("load", (place, mask, const(0, tensor.dtype)), tensor.dtype, (n, n))
        if rng.random() < 0.25:
            e = Expr("trans", (e,), e.dtype, (n, n))
        e, bound = self.convert(e, 16, kind)
        return (self.narrow(e), SMALL) if kind == "i8" else (e, bound)

    # ------------------------------------------------------------------------------------------------------------------
    # Statements
    # ------------------------------------------------------------------------------------------------------------------

    def kernel(self, dot: bool) -> tuple[tuple[Tensor, ...], tuple[Scalar, ...], tuple[Stmt, ...]]:
        from .statements import write_kernel

        self.dot = dot
        return write_kernel(self)


def wider(a: Expr, b: Expr) -> str:
    return "i64" if "i64" in (a.dtype, b.dtype) else a.dtype
