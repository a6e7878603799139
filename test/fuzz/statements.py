# SPDX-License-Identifier: MIT
"""Draws the statements of a kernel: stores, atomic operations, loops and branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .gemm import product_loop
from .programs import FLOATS, FP8, INTEGERS, ITEM_SIZES, Expr, Scalar, Stmt, Tensor, binary, cast, const, var

if TYPE_CHECKING:
    from .values import Writer

#: Functions of atomic operations that integers have.
ATOMICS = ("add", "max", "min", "and", "or", "xor")


def write_kernel(w: Writer) -> tuple[tuple[Tensor, ...], tuple[Scalar, ...], tuple[Stmt, ...]]:
    """Draw the parameters and statements of a kernel."""
    rng = w.rng
    types = ["fp16", "bf16", "bf16", "fp32", "fp32", "i32", "i8", "fp64", *FP8, *INTEGERS]
    if w.dot:
        types = ["fp16", "bf16", "bf16", "fp32", "i8", "i32", *FP8]
    favourite = rng.choice(types)
    for name in ("a", "b", "c")[: rng.choice([1, 2, 2, 3])]:
        dtype = favourite if rng.random() < 0.6 else rng.choice(types)
        w.tensors.append(Tensor(name, dtype))
    if rng.random() < 0.12 and w.columns >= 16:
        w.tensors.append(Tensor("d", favourite, (w.rows, w.columns)))
    body = w.coordinates()
    for _ in range(rng.choice([1, 1, 2, 3])):
        body += statement(w, 2)
        body += leave(w) if rng.random() < 0.06 else []
    if not any(
        one.kind in ("store", "bstore", "dstore", "dscatter", "atomic") for outer in body for one in outer.walk()
    ):
        body += [store(w)]
    used = {e.attrs[0] for s in body for one in s.walk() for x in one.exprs for e in x.walk() if e.op == "tensor"}
    used |= {name for one in w.apart if one.name in used for name in one.targets}
    tensors = tuple(one for one in (*w.tensors, *w.apart) if one.name in used)
    w.wide = any(ITEM_SIZES[one.dtype] == 8 for one in tensors)
    parameters = sorted([*tensors, *w.scalars.values()], key=lambda one: rng.random())
    ordered = [one for one in parameters if isinstance(one, Tensor)]
    scalars = [one for one in parameters if isinstance(one, Scalar)]
    return tuple(ordered), tuple(scalars), tuple(body)


def statement(w: Writer, depth: int) -> list[Stmt]:
    """Returns one or a few statements."""
    rng = w.rng
    kinds = [lambda: [store(w)]] * 4 + [lambda: assign(w)] * 2 + [lambda: atomic(w), lambda: atomic(w)]
    kinds += [lambda: promise(w), lambda: scatter(w)]
    if depth > 0:
        kinds += [lambda: loop(w, depth)] * 3 + [lambda: branch(w, depth)] * 2
        kinds += [lambda: pointer_loop(w)] * 2
        kinds += [lambda: product_loop(w)] * 6 * (w.dot and len(w.tensors) < 6)
    return rng.choice(kinds)()


def block(w: Writer, depth: int) -> tuple[Stmt, ...]:
    """Draw the inside of a loop or a branch, whose variables end with it."""
    known = len(w.scope)
    found = [one for _ in range(w.rng.choice([1, 1, 2])) for one in statement(w, depth)]
    del w.scope[known:]
    return tuple(found)


def assign(w: Writer) -> list[Stmt]:
    """Draw a new variable."""
    dtype = w.rng.choice([one.dtype for one in w.tensors if one.name != "index"])
    value, bound = w.value(dtype, 2)
    name = w.fresh("x")
    w.scope.append((var(name, dtype, value.shape), bound))
    return [Stmt("assign", name, (value,))]


def targets(w: Writer) -> list[Tensor]:
    return [one for one in w.tensors if one.name != "index"]


def store(w: Writer) -> Stmt:
    """Draw a block, through pointers, a block pointer or a descriptor."""
    rng = w.rng
    tensor = rng.choice(targets(w))
    value = w.value(tensor.dtype, rng.choice([0, 1, 2, 3]))[0]
    if tensor.dtype in FLOATS:
        value = w.narrow(value, 128)
    if not tensor.block and rng.random() < 0.7:
        address, mask = w.address(tensor, rng.random() < 0.95), w.mask()
        return Stmt("store", "", (address, value, *([mask] if mask else [])))
    columns = binary("mul", w.pid(1), const(w.columns)) if w.uses_second_axis else const(0)
    if tensor.block:
        return Stmt("dstore", "", (w.pointer(tensor), w.first, columns, value))
    made = w.make_block(tensor, (w.rows, w.columns), w.first, columns)
    return Stmt("bstore", "", (made, value), (), (), ((0, 1),))


def atomic(w: Writer) -> list[Stmt]:
    """Draw an atomic operation: many elements may meet on one if its result is unused; otherwise it is a variable."""
    rng = w.rng
    types = ("i32", "u32", "i64", "u64", "fp32")
    counts = [one for one in w.apart if one.name == "counts"]
    plain = [one for one in targets(w) if not one.block and one.dtype in types] + counts
    if not counts and (not plain or rng.random() < 0.5):
        plain = [Tensor("counts", rng.choice(types))]
        w.apart += plain
    tensor = rng.choice(plain)
    value, bound = w.value(tensor.dtype, rng.choice([0, 1]))
    if tensor.dtype in FLOATS:
        value, bound = w.narrow(value), 8
    used = rng.random() < 0.6
    functions = ATOMICS if tensor.dtype in INTEGERS else ("add", "max", "min")
    function = rng.choice((*functions, "xchg", "cas", "xchg", "cas") if used else functions)
    address, mask = w.address(tensor, used and rng.random() < 0.9), w.mask()
    exprs = (address, value, *([mask] if mask else []))
    if function == "cas":
        # Some of the elements have the number that is compared with.
        compared = Expr("full", (), tensor.dtype, value.shape, (rng.choice([0, 1, 3]),))
        exprs = (address, value, compared)
    name = w.fresh("u")
    if used:
        w.scope.append((var(name, tensor.dtype, (w.rows, w.columns)), max(bound, 16)))
    return [Stmt("atomic", name, exprs, (), (), (function, used))]


def promise(w: Writer) -> list[Stmt]:
    """Draw what is true for most launches, as an assumption or an assertion; other launches are refused."""
    rng = w.rng
    sizes = [one for one in w.scalars.values() if not one.constant] or [Scalar("M", False)]
    size = w.arg(rng.choice(sizes).name)
    condition = rng.choice([
        lambda: binary("ge", size, const(0)),
        lambda: binary("lt", size, const(1 << 20)),
        lambda: binary("eq", binary("mod", size, const(rng.choice([2, 16]))), const(0)),
        lambda: binary("ge", binary("add", w.pid(0), size), const(rng.choice([0, 1]))),
        lambda: binary("le", size, w.arg("N")),
    ])()  # fmt: skip
    if rng.random() < 0.5:
        return [Stmt("assume", "", (condition,))]
    if rng.random() < 0.5:
        condition = binary("ge", binary("and", w.value("i32", 1)[0], const(15)), const(0))
    return [Stmt("assert", "", (condition,))]


def leave(w: Writer) -> list[Stmt]:
    """Draw a condition under which programs end here. Triton cannot compile what follows one that it knows."""
    left = w.rng.choice([w.pid(0), binary("add", w.pid(0), w.arg("flag"))])
    right = w.rng.choice([const(1), const(2), w.arg("trips"), w.arg("flag")])
    return [Stmt("leave", "", (binary(w.rng.choice(["ge", "eq", "gt"]), left, right),))]


def scatter(w: Writer) -> list[Stmt]:
    """Draw a store to rows of a descriptor whose numbers are a vector."""
    tensors = [one for one in targets(w) if not one.block and w.can_pick(one)]
    if not tensors:
        return [store(w)]
    tensor = w.rng.choice(tensors)
    value = w.value(tensor.dtype, 1)[0]
    if tensor.dtype in FLOATS:
        value = w.narrow(value, 8)
    index = cast(w.bend(w.r, "M", True), "i32")
    return [Stmt("dscatter", "", (w.make_rows(tensor), index, const(w.rng.choice([0, 0, 8])), value))]


def loop(w: Writer, depth: int) -> list[Stmt]:
    """Draw a loop with an accumulator."""
    rng = w.rng
    dtype = rng.choice(
        ["fp32", "i32", rng.choice([one.dtype for one in targets(w) if one.dtype not in FP8] or ["fp32"])]
    )
    total = var(w.fresh("t"), dtype, (w.rows, w.columns))
    start = Stmt("assign", total.attrs[0], (Expr("full", (), dtype, total.shape, (rng.choice([0, 1]),)),))
    counter = var(w.fresh("i"), "i32", ())
    w.counters.append(counter)
    body = list(block(w, depth - 1)) if rng.random() < 0.5 else []
    value, _ = w.value(dtype, 2)
    if dtype in FLOATS:
        value = w.narrow(value)
        kept = total if dtype in ("fp32", "fp64") else w.narrow(total, 64)
        change = binary("add", kept, value)
    else:
        change = binary(rng.choice(["add", "xor", "max"]), total, value)
    if w.dot and dtype == "fp32" and rng.random() < 0.7:
        a, _ = w.operand("bf16", 0, False)
        b, _ = w.operand("bf16", 0, True)
        change = Expr("dot", (a, b, total), "fp32", total.shape)
    body.append(Stmt("assign", total.attrs[0], (change,)))
    if rng.random() < 0.1:
        # Coordinates that are assigned again, as they are.
        body.append(rng.choice(w.again))
    w.counters.pop()
    trips = rng.choice([const(2), const(3), w.arg("trips"), w.arg("trips"), binary("add", w.arg("trips"), const(1))])
    w.scope.append((total, 1 << 16 if dtype in ("fp32", "fp64") else 64 + 8))
    if rng.random() < 0.25:
        return [start, Stmt("while", counter.attrs[0], (trips, *also(w, total)), tuple(body))]
    bounds = (const(0), trips, const(1))
    if trips.op == "const" and rng.random() < 0.4:
        return [start, Stmt("for", counter.attrs[0], bounds, tuple(body), (), ("static",))]
    if rng.random() < 0.2:
        bounds = (binary("sub", trips, const(1)), const(-1), const(-1))
    return [start, Stmt("for", counter.attrs[0], bounds, tuple(body))]


def also(w: Writer, total: Expr) -> tuple[Expr, ...]:
    """Draw perhaps a second condition of a loop, which depends on what the loop computes."""
    if w.rng.random() < 0.5:
        return ()
    e = binary("and", cast(total, "i64"), const(63))
    for _ in range(2):
        e = Expr("reduce", (e,), "i64", e.shape[1:], ("max", 0))
    return (binary("lt", e, const(w.rng.choice([8, 40, 64]))),)


def pointer_loop(w: Writer) -> list[Stmt]:
    """Draw a loop that carries pointers, or block pointers, from block to block."""
    rng = w.rng
    tensor = rng.choice([one for one in targets(w) if not one.block] or targets(w))
    if tensor.block:
        return loop(w, 1)
    shape = (w.rows, w.columns)
    dtype = "fp32" if tensor.dtype in FLOATS and tensor.dtype != "fp64" else tensor.dtype
    total, name = var(w.fresh("t"), dtype, shape), w.fresh("p")
    if rng.random() < 0.5:
        start = w.make_block(tensor, shape, w.first, const(0))
        place = Expr("var", (), start.dtype, shape, (name,))
        value = Expr("bload", (place,), tensor.dtype, shape, ((0, 1),))
        moved = Expr("advance", (place, const(rng.choice([0, 1, w.rows])), const(rng.choice([0, 8, w.columns]))),
                     start.dtype, shape)  # fmt: skip
    else:
        start = w.address(tensor, rng.random() < 0.5)
        place = var(name, start.dtype, shape)
        mask = w.mask()
        value = Expr("load", (place, mask, const(0, tensor.dtype)) if mask else (place,), tensor.dtype, shape)
        step = rng.choice(
            [const(w.columns), w.stride(tensor), const(16), const(-1), binary("mul", w.stride(tensor), const(w.rows))]
        )
        moved = Expr("ptradd", (place, step), start.dtype, shape)
    value, _ = w.convert(value, 16, dtype)
    if w.dot and dtype == "fp32" and rng.random() < 0.7 and tensor.dtype in ("bf16", "fp16"):
        other, _ = w.operand(tensor.dtype, 0, True)
        change = Expr("dot", (value.args[0], other, total), "fp32", shape)
    else:
        change = binary("add", total, value)
    counter = w.fresh("i")
    body = (Stmt("assign", total.attrs[0], (change,)), Stmt("assign", name, (moved,)))
    w.scope.append((total, 1 << 16))
    return [
        Stmt("assign", total.attrs[0], (Expr("full", (), dtype, shape, (0,)),)),
        Stmt("assign", name, (start,)),
        Stmt("for", counter, (const(0), rng.choice([const(2), w.arg("trips")]), const(1)), body),
    ]


def branch(w: Writer, depth: int) -> list[Stmt]:
    """Draw statements under a condition, which may change a variable."""
    rng = w.rng
    terms = [w.arg("flag"), w.pid(0), *w.counters]
    left = rng.choice(terms)
    right = rng.choice([const(rng.choice([0, 1, 2])), w.arg("flag"), w.arg("trips")])
    condition = binary(rng.choice(["lt", "ge", "eq", "ne", "gt"]), left, right)
    if rng.random() < 0.2:
        condition = binary("eq", binary("mod", binary("add", w.pid(0), left), const(2)), const(0))
    then, other = block(w, depth - 1), block(w, depth - 1) if rng.random() < 0.5 else ()
    known = [e for e, _ in w.scope if e.dtype in INTEGERS]
    if known and rng.random() < 0.4:
        e = rng.choice(known)
        then = (*then, Stmt("assign", e.attrs[0], (w.value(e.dtype, 1)[0],)))
    return [Stmt("if", "", (condition,), then, other)]
