# SPDX-License-Identifier: MIT
"""Draws products of two matrices in a loop, whose tiles move along K in all the ways that kernels write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .programs import Expr, Stmt, Tensor, binary, broadcast, cast, const, expand, spread, var

if TYPE_CHECKING:
    from .values import Writer

#: Types of operands. Products of f32 are of tf32, which has the small numbers of the buffers.
OPERAND_TYPES = ("bf16", "bf16", "fp16", "fp32", "i8", "fp8e5", "fp8e4nv")


def tensor_of(w: Writer, dtype: str, taken: tuple[str, ...]) -> Tensor:
    """Returns one of the tensors with this type, or a new one."""
    known = [one for one in w.tensors if one.dtype == dtype and not one.block and one.name not in (*taken, "index")]
    if known and w.rng.random() < 0.8:
        return w.rng.choice(known)
    tensor = Tensor(w.fresh("m"), dtype)
    w.tensors.append(tensor)
    return tensor


class Operand:
    """An operand of the product: `rows` x `columns` elements of a tensor, with K along `axis`."""

    def __init__(self, w: Writer, tensor: Tensor, shape: tuple[int, int], axis: int) -> None:
        self.w, self.tensor, self.shape, self.axis = w, tensor, shape, axis
        self.step = shape[axis]
        self.form = w.rng.choice(["recomputed", "carried", "scalar", "block", "carried block"])
        self.name = w.fresh("p")
        self.transposed = w.rng.random() < 0.25
        self.masked = w.rng.random() < 0.6
        self.packed = tensor.dtype in ("bf16", "fp16") and self.step >= 16 and w.rng.random() < 0.2
        #: Statements of an iteration that come before the tile.
        self.ahead: list[Stmt] = []

    def outer(self) -> Expr:
        """Return numbers along the dimension that is not K, as a vector."""
        x, name = (self.w.r, "M") if self.axis == 1 else (self.w.c, "N")
        return self.w.bend(x, name, self.w.rng.random() < 0.5)

    def strides(self) -> tuple[Expr, Expr]:
        step = self.w.stride(self.tensor)
        return (const(1), step) if self.transposed else (step, const(1))

    def place(self, inner: Expr) -> Expr:
        """Return pointers to the tile whose numbers along K are `inner`."""
        strides = self.strides()
        terms = [None, None]
        terms[1 - self.axis] = self.outer()
        terms[self.axis] = inner
        parts = []
        for axis, term in enumerate(terms):
            scaled = term if strides[axis].op == "const" else binary("mul", term, strides[axis])
            parts.append(expand(scaled, 1 - axis))
        self.w.rng.shuffle(parts)
        pointer = self.w.pointer(self.tensor)
        if self.w.rng.random() < 0.5:
            wide = "i64" if "i64" in (parts[0].dtype, parts[1].dtype) else "i32"
            return add(pointer, binary("add", *parts, wide))
        return add(add(pointer, parts[0]), parts[1])

    def block(self, along: Expr) -> Expr:
        w = self.w
        offsets = [w.first, along]
        if self.axis == 0:
            columns = binary("mul", w.pid(1), const(w.columns)) if w.uses_second_axis else const(0)
            offsets = [along, columns]
        sizes = (w.arg("M"), w.arg("K")) if self.axis == 1 else (w.arg("K"), w.arg("N"))
        order = (0, 1) if self.transposed else (1, 0)
        args = (w.pointer(self.tensor), *sizes, *self.strides(), *offsets)
        return Expr("mkblock", args, f"block:{self.tensor.dtype}", self.shape, (self.shape, order))

    def mask(self, inner: Expr) -> tuple[Expr, ...]:
        """Return mask and other."""
        w = self.w
        if not self.masked:
            return ()
        bound = expand(binary("lt", inner, w.arg("K")), 1 - self.axis)
        if w.rng.random() < 0.5:
            x, name = (w.r, "M") if self.axis == 1 else (w.c, "N")
            bound = binary("and", bound, expand(w.bound(x, name), self.axis))
        return spread(bound, self.shape), const(0, self.tensor.dtype)

    def unpacked(self, now: Expr) -> Expr:
        """Draw a tile of digits of words that several neighbours along K share, in two ways that meet again."""
        w = self.w
        words = tensor_of(w, "i32", (self.tensor.name,))
        self.tensor, dtype = words, self.tensor.dtype
        loaded = Expr("load", (self.place(binary("div", now, const(8))), *self.mask(now)), "i32", self.shape)
        name = w.fresh("v")
        self.ahead.append(Stmt("assign", name, (loaded,)))
        word = var(name, "i32", self.shape)
        low, high = binary("and", word, const(3)), binary("and", binary("shr", word, const(4)), const(3))
        return cast(w.rng.choice([binary("add", low, high), binary("mul", low, high)]), dtype)

    def write(self, counter: Expr) -> tuple[list[Stmt], Expr, list[Stmt]]:
        """Return statements ahead of the loop, the tile in an iteration, and what moves it on."""
        along = binary("mul", counter, const(self.step))
        numbers = Expr("range", (), "i32", (self.step,))
        now = binary("add", along, numbers)
        dtype = self.tensor.dtype
        if self.packed:
            return [], self.unpacked(now), []
        if self.form == "block":
            return [], Expr("bload", (self.block(along),), dtype, self.shape, ((0, 1),)), []
        if self.form == "carried block":
            start = self.block(const(0))
            place = Expr("var", (), start.dtype, self.shape, (self.name,))
            steps = [const(0), const(0)]
            steps[self.axis] = const(self.step)
            moved = Expr("advance", (place, *steps), start.dtype, self.shape)
            tile = Expr("bload", (place,), dtype, self.shape, ((0, 1),))
            return [Stmt("assign", self.name, (start,))], tile, [Stmt("assign", self.name, (moved,))]
        if self.form == "recomputed":
            return [], Expr("load", (self.place(now), *self.mask(now)), dtype, self.shape), []
        start = self.place(numbers)
        distance = const(self.step)
        stride = self.strides()[self.axis]
        distance = distance if stride.op == "const" else binary("mul", stride, distance)
        if self.form == "scalar":
            place = add(start, binary("mul", counter, distance))
            return [], Expr("load", (place, *self.mask(now)), dtype, self.shape), []
        place = var(self.name, start.dtype, self.shape)
        tile = Expr("load", (place, *self.mask(now)), dtype, self.shape)
        return [Stmt("assign", self.name, (start,))], tile, [Stmt("assign", self.name, (add(place, distance),))]


def add(pointer: Expr, offset: Expr) -> Expr:
    return Expr("ptradd", (pointer, offset), pointer.dtype, broadcast(pointer.shape, offset.shape))


def product_loop(w: Writer) -> list[Stmt]:
    """Draw total += a @ b, over tiles along K."""
    rng = w.rng
    dtype = rng.choice(OPERAND_TYPES)
    step = rng.choice([16, 32, 32, 64])
    result = "i32" if dtype == "i8" else "fp32"
    a = Operand(w, tensor_of(w, dtype, ()), (w.rows, step), 1)
    b = Operand(w, tensor_of(w, dtype, (a.tensor.name,)), (step, w.columns), 0)
    total, counter = var(w.fresh("t"), result, (w.rows, w.columns)), var(w.fresh("i"), "i32", ())
    before, body, after = [], [], []
    tiles = []
    for operand in (a, b):
        start, tile, moved = operand.write(counter)
        before += start
        after += moved
        body += operand.ahead
        if dtype == "i8":
            tile = binary("and", tile, const(7))
        name = w.fresh("v")
        body.append(Stmt("assign", name, (tile,)))
        tiles.append(var(name, dtype, tile.shape))
    body.append(Stmt("assign", total.attrs[0], (Expr("dot", (*tiles, total), result, total.shape),)))
    if rng.random() < 0.15:
        # Coordinates that are assigned again, as they are.
        body.append(rng.choice(w.again))
    if rng.random() < 0.2:
        body.append(Stmt("assign", total.attrs[0], (w.narrow(total, 64),)))
    trips = rng.choice([const(2), const(3), w.arg("trips")])
    if rng.random() < 0.5:
        trips = binary("div", binary("add", binary("max", w.arg("K"), w.pid(0)), const(step - 1)), const(step))
    start = Stmt("assign", total.attrs[0], (Expr("full", (), result, total.shape, (0,)),))
    w.scope.append((total, 1 << 16))
    loop = Stmt("for", counter.attrs[0], (const(0), trips, const(1)), (*body, *after))
    return [start, *before, loop]
