# SPDX-License-Identifier: MIT
"""Operations on blocks beyond arithmetic: how each is drawn, what its text is, and its result in numpy.

An operation has an entry in `OPERATIONS`. `DRAWS` has functions that draw a value with some of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .arithmetic import Rejected, convert, sums_exactly
from .programs import (
    FLOATS,
    FP8,
    INTEGERS,
    LANGUAGE_NAMES,
    Expr,
    Tensor,
    binary,
    broadcast,
    cast,
    const,
    expand,
    reduced_type,
    spread,
)  # fmt: skip

if TYPE_CHECKING:
    from .oracle import Machine
    from .values import Writer

Pair = tuple[np.ndarray, np.ndarray]

#: Functions of two pairs, which `tl.associative_scan` and `tl.reduce` combine pairs of elements with.
COMBINE: dict[str, Callable[[Pair, Pair], Pair]] = {
    "linear": lambda x, y: (x[0] * y[0], x[1] * y[0] + y[1]),
    "last": lambda x, y: (np.where(y[1] != 0, y[0], x[0]), x[1] | y[1]),
    "best": lambda x, y: _best(x, y),
    "extent": lambda x, y: (np.minimum(x[0], y[0]), np.maximum(x[1], y[1])),
}


def in_own_type(text: str, dtype: str) -> str:
    """Returns a call of `tl.minimum`, `tl.maximum` or `tl.clamp` in the type of its operands: for bf16 it has f32."""
    return f"{text}.to(tl.bfloat16)" if dtype == "bf16" else text


def _best(x: Pair, y: Pair) -> Pair:
    first = (x[0] > y[0]) | ((x[0] == y[0]) & (x[1] < y[1]))
    return np.where(first, x[0], y[0]), np.where(first, x[1], y[1])


def _turned(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    for _ in range(2):
        a = np.where(a == b, a, np.negative(b))
    return a


CALLS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "least": np.minimum,
    "turned": _turned,
    "twice": lambda a, b: np.minimum(_turned(a, b), b),
}


# ----------------------------------------------------------------------------------------------------------------------
# How numpy computes them
# ----------------------------------------------------------------------------------------------------------------------


def _scan_pairs(e: Expr, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    function, axis, reverse, which = e.attrs
    pair = [np.moveaxis(np.flip(x, axis) if reverse else x, axis, 0).copy() for x in (a, b)]
    for i in range(1, len(pair[0])):
        now = COMBINE[function]((pair[0][i - 1], pair[1][i - 1]), (pair[0][i], pair[1][i]))
        pair[0][i], pair[1][i] = now
    result = np.moveaxis(pair[which], 0, axis)
    return np.flip(result, axis) if reverse else result


def _reduce_pairs(e: Expr, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    function, axis, which = e.attrs
    pair = (np.take(a, 0, axis), np.take(b, 0, axis))
    for i in range(1, a.shape[axis]):
        pair = COMBINE[function](pair, (np.take(a, i, axis), np.take(b, i, axis)))
    return np.asarray(pair[which])


def _histogram(e: Expr, a: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
    bins = e.shape[0]
    a = a.astype(np.int64) if mask is None else a[mask].astype(np.int64)
    if np.any((a < 0) | (a >= bins)):
        raise Rejected("a number outside of the histogram")
    return np.bincount(a, minlength=bins).astype(np.int32)


def _top(e: Expr, a: np.ndarray) -> np.ndarray:
    return np.flip(np.sort(a, axis=-1), -1)[..., : e.shape[-1]]


def _product(machine: Machine, e: Expr, a: np.ndarray) -> np.ndarray:
    axis, reverse = e.attrs
    a = convert(np.flip(a, axis) if reverse else a, e.dtype)
    result = np.cumprod(a, axis=axis, dtype=a.dtype)
    if e.dtype in FLOATS:
        machine.rounded(np.cumprod(np.abs(a), axis=axis), e.dtype)
    return np.flip(result, axis) if reverse else result


def _high_product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    bits = a.dtype.itemsize * 8
    wide = a.astype(object) * b.astype(object) >> bits
    return wide.astype(np.int64 if np.issubdtype(a.dtype, np.signedinteger) else np.uint64).astype(a.dtype)


def _random(seed: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Return the first of four numbers of Philox with ten rounds, of 32 bits."""
    low = np.uint64(0xFFFFFFFF)
    c = [offset.astype(np.uint64) & low, *(np.zeros(offset.shape, np.uint64) for _ in range(3))]
    k = [int(seed) & 0xFFFFFFFF, int(seed) >> 32 & 0xFFFFFFFF]
    for _ in range(10):
        a, b = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [b >> np.uint64(32) ^ c[1] ^ np.uint64(k[0]), b & low, a >> np.uint64(32) ^ c[3] ^ np.uint64(k[1]), a & low]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0].astype(np.uint32)


#: The values of the numbers of four bits.
_E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])


def _scaled_numbers(raw: np.ndarray, scale: np.ndarray | None, kind: str, axis: int) -> np.ndarray:
    """Return the numbers of an operand with K along `axis`; scales have K along their axis 1."""
    if kind == "e2m1":
        pairs = np.stack([_E2M1[raw & 15], _E2M1[raw >> 4]], axis=axis + 1)
        raw = pairs.reshape([n * (2 if i == axis else 1) for i, n in enumerate(raw.shape)])
    if scale is None:
        return raw
    powers = np.repeat(2.0 ** (scale.astype(np.float64) - 127), 32, axis=1)
    return raw * (powers if axis == 1 else powers.T)


def _scaled(e: Expr, args: list[np.ndarray]) -> np.ndarray:
    kinds, has = e.attrs
    rest = list(args[2:])
    scales = [rest.pop(0) if one else None for one in has]
    a, b = (_scaled_numbers(args[i], scales[i], kinds[i], 1 - i) for i in (0, 1))
    total, size = a @ b, np.abs(a) @ np.abs(b)
    if rest:
        total, size = total + rest[0], size + np.abs(rest[0])
    sums_exactly(size, "fp32")
    return total


def _scaled_text(e: Expr, a: list[str]) -> str:
    kinds, has = e.attrs
    rest = list(a[2:])
    scales = [rest.pop(0) if one else "None" for one in has]
    total = f", acc={rest[0]}" if rest else ""
    return f'tl.dot_scaled({a[0]}, {scales[0]}, "{kinds[0]}", {a[1]}, {scales[1]}, "{kinds[1]}"{total})'


# ----------------------------------------------------------------------------------------------------------------------
# The table
# ----------------------------------------------------------------------------------------------------------------------


def _sizes(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]"


#: The text of an operation from those of its arguments, and its elements from theirs.
OPERATIONS: dict[str, tuple[Callable[[Expr, list[str]], str], Callable[[Machine, Expr, list[np.ndarray]], Any]]] = {
    "flip": (lambda e, a: f"tl.flip({a[0]}, {e.attrs[0]})", lambda m, e, x: np.flip(x[0], e.attrs[0])),
    "permute": (lambda e, a: f"tl.permute({a[0]}, {_sizes(e.attrs)})", lambda m, e, x: np.transpose(x[0], e.attrs)),
    "unsqueeze": (
        lambda e, a: f"tl.expand_dims({a[0]}, {e.attrs[0]})",
        lambda m, e, x: np.expand_dims(x[0], e.attrs[0]),
    ),
    "join": (lambda e, a: f"tl.join({a[0]}, {a[1]})", lambda m, e, x: np.stack(x, -1)),
    "interleave": (lambda e, a: f"tl.interleave({a[0]}, {a[1]})", lambda m, e, x: np.stack(x, -1).reshape(e.shape)),
    "split": (lambda e, a: f"tl.split({a[0]})[{e.attrs[0]}]", lambda m, e, x: x[0][..., e.attrs[0]]),
    "histogram": (
        lambda e, a: f"tl.histogram({a[0]}, {e.shape[0]}{f', mask={a[1]}' if len(a) > 1 else ''})",
        lambda m, e, x: _histogram(e, *x),
    ),
    "sort": (
        lambda e, a: f"tl.sort({a[0]}, dim={len(e.shape) - 1}, descending={e.attrs[0]})",
        lambda m, e, x: np.flip(np.sort(x[0], -1), -1) if e.attrs[0] else np.sort(x[0], -1),
    ),
    "topk": (lambda e, a: f"tl.topk({a[0]}, {e.shape[-1]})", lambda m, e, x: _top(e, x[0])),
    "call": (lambda e, a: f"outlined_{e.attrs[0]}({a[0]}, {a[1]})", lambda m, e, x: CALLS[e.attrs[0]](*x)),
    "map_elementwise": (
        lambda e, a: f"tl.map_elementwise(mapped_least, {a[0]}, {a[1]})",
        lambda m, e, x: np.minimum(*x),
    ),
    "randint": (lambda e, a: f"tl.randint({a[0]}, {a[1]})", lambda m, e, x: _random(*x)),
    "exp2": (lambda e, a: f"tl.exp2({a[0]})", lambda m, e, x: m.rounded(np.exp2(x[0]), e.dtype)),
    "cumprod": (
        lambda e, a: f"tl.cumprod({a[0]}, axis={e.attrs[0]}, reverse={e.attrs[1]})",
        lambda m, e, x: _product(m, e, x[0]),
    ),
    "scan pairs": (
        lambda e, a: (
            f"tl.associative_scan(({a[0]}, {a[1]}), {e.attrs[1]}, combine_{e.attrs[0]}, "
            f"reverse={e.attrs[2]})[{e.attrs[3]}]"
        ),
        lambda m, e, x: _scan_pairs(e, *x),
    ),
    "reduce pairs": (
        lambda e, a: f"tl.reduce(({a[0]}, {a[1]}), {e.attrs[1]}, combine_{e.attrs[0]})[{e.attrs[2]}]",
        lambda m, e, x: _reduce_pairs(e, *x),
    ),
    "umulhi": (lambda e, a: f"tl.umulhi({a[0]}, {a[1]})", lambda m, e, x: _high_product(*x)),
    "clamp": (lambda e, a: in_own_type(f"tl.clamp({', '.join(a)})", e.dtype), lambda m, e, x: np.clip(*x)),
    "fma": (lambda e, a: f"tl.fma({', '.join(a)})", lambda m, e, x: m.rounded(x[0] * x[1] + x[2], e.dtype)),
    "bitcast": (
        lambda e, a: f"({a[0]}).to(tl.{'u' * (e.dtype[0] == 'u')}int{e.dtype[1:]}, bitcast=True)",
        lambda m, e, x: convert(x[0], e.dtype),
    ),
    # A number as a pointer to the tensors in `attrs`.
    "address": (
        lambda e, a: f"tl.cast({a[0]}, tl.pointer_type({LANGUAGE_NAMES[e.dtype[1:]]}))",
        lambda m, e, x: x[0],
    ),
    "dot_scaled": (_scaled_text, lambda m, e, x: _scaled(e, x)),
}


# ----------------------------------------------------------------------------------------------------------------------
# How values are drawn
# ----------------------------------------------------------------------------------------------------------------------

Drawn = tuple[Expr, int]


def reshape(e: Expr, shape: tuple[int, ...]) -> Expr:
    return e if e.shape == shape else Expr("reshape", (e,), e.dtype, shape)


def unsqueeze(e: Expr, axis: int) -> Expr:
    return Expr("unsqueeze", (e,), e.dtype, (*e.shape[:axis], 1, *e.shape[axis:]), (axis,))


def flipped(w: Writer, dtype: str, depth: int) -> Drawn:
    a, bound = w.value(dtype, depth)
    return Expr("flip", (a,), dtype, a.shape, (w.rng.choice([0, 1]),)), bound


def paired(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw halves of the columns of two blocks side by side, or in turns."""
    if w.columns < 2:
        return flipped(w, dtype, depth)
    halves, bounds = [], []
    half = (w.rows, w.columns // 2)
    for _ in range(2):
        a, bound = w.value(dtype, depth)
        pairs = reshape(a, (*half, 2))
        halves.append(Expr("split", (pairs,), dtype, half, (w.rng.choice([0, 1]),)))
        bounds.append(bound)
    if w.rng.random() < 0.5:
        return Expr("interleave", tuple(halves), dtype, (w.rows, w.columns)), max(bounds)
    joined = Expr("join", tuple(halves), dtype, (*half, 2))
    if w.rng.random() < 0.5:
        joined = Expr("permute", (joined,), dtype, (half[0], 2, half[1]), (0, 2, 1))
    return reshape(joined, (w.rows, w.columns)), max(bounds)


def ranked(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a block of rank 3 or 4, which is permuted, scanned or reduced."""
    rng = w.rng
    a, bound = w.value(dtype, depth)
    shape: list[int] = []
    for n in a.shape:
        part = rng.choice([one for one in (1, 2, 4, 8) if one < n] or [1])
        shape += [part, n // part] if rng.random() < 0.7 or not shape else [n]
    high = reshape(a, tuple(shape))
    axis = rng.randrange(len(shape))
    kind = rng.random()
    if kind < 0.4:
        order = list(range(len(shape)))
        rng.shuffle(order)
        high = Expr("permute", (high,), dtype, tuple(shape[i] for i in order), tuple(order))
    elif kind < 0.6:
        high = Expr("scan", (high,), dtype, high.shape, (rng.choice(["max", "min"]), axis, rng.random() < 0.3))
    elif kind < 0.8:
        high = Expr("flip", (high,), dtype, high.shape, (axis,))
    else:
        rest = tuple(n for i, n in enumerate(shape) if i != axis)
        function = rng.choice(["max", "min"])
        reduced = Expr("reduce", (high,), reduced_type(function, dtype), rest, (function, axis))
        high = spread(unsqueeze(reduced, axis), high.shape)
    return reshape(high, a.shape), bound


def counted(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a histogram of a block, in each row."""
    bins = w.columns
    source = w.rng.choice(["i32", "i32", "i64", "i8" if bins <= 64 else "i16"])
    a = binary("and", w.value(source, depth)[0], const(bins - 1))
    count = w.rows * w.columns
    args: tuple[Expr, ...] = (reshape(a, (count,)),)
    if w.rng.random() < 0.5:
        mask = w.mask()
        args += (reshape(mask, (count,)),) if mask is not None and mask.shape == a.shape else ()
    found = Expr("histogram", args, "i32", (bins,))
    return spread(expand(found, 0), (w.rows, w.columns)), count


def in_order(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw sorted rows, or their largest elements."""
    if w.columns > 64 or w.columns < 2:
        return flipped(w, dtype, depth)
    rng = w.rng
    a, bound = w.value(dtype, depth)
    if rng.random() < 0.5:
        return Expr("sort", (a,), dtype, a.shape, (rng.random() < 0.5,)), bound
    # The language refuses a single element.
    k = rng.choice([n for n in (1, 2, 4, 8, 16) if n < w.columns and n * w.rows > 1])
    top = Expr("topk", (a,), reduced_type("max", dtype), (w.rows, k))
    index = binary("and", w.value("i32", 0)[0], const(k - 1))
    return Expr("gather", (top, index), top.dtype, a.shape, (1,)), bound


def scalar(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw the largest or least element of a block."""
    a, bound = w.value(dtype, depth)
    function = w.rng.choice(["max", "min"])
    for _ in range(2):
        a = Expr("reduce", (a,), reduced_type(function, a.dtype), a.shape[1:], (function, 0))
    return cast(a, dtype), bound


def called(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a call of a function that is not inlined, which the language allows with scalars."""
    (a, x), (b, y) = scalar(w, dtype, depth), scalar(w, dtype, 0)
    names = list(CALLS) if dtype[0] != "u" else ["least"]
    e = Expr("call", (a, b), dtype, (), (w.rng.choice(names),))
    return spread(e, (w.rows, w.columns)), max(x, y)


def mapped(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a function of single elements that has a branch."""
    (a, x), (b, y) = w.value(dtype, depth), w.value(dtype, 0)
    return Expr("map_elementwise", (a, b), dtype, a.shape), max(x, y)


def random_numbers(w: Writer, dtype: str, depth: int) -> Drawn:
    seed = w.rng.choice([w.arg("flag"), w.arg("shift"), const(w.rng.randrange(1 << 31))])
    offset = w.value("i32", depth)[0]
    return Expr("randint", (seed, offset), "u32", offset.shape), 1 << 30


def called_with_pointer(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a call of a function that loads, and is not inlined."""
    tensors = [one for one in w.tensors if not one.block and one.name != "index" and one.dtype not in FP8]
    if not tensors:
        return called(w, dtype, depth)
    tensor = w.rng.choice(tensors)
    first = w.rng.choice([w.pid(0), w.first, w.arg("flag"), binary("mul", w.pid(0), w.stride(tensor))])
    e = Expr("call load", (w.pointer(tensor), first), reduced_type("max", tensor.dtype))
    return spread(e, (w.rows, w.columns)), 16


def power(w: Writer, dtype: str, depth: int) -> Drawn:
    a = cast(w.narrow(w.value("i32", depth)[0], 8), w.rng.choice(["fp32", "fp32", "fp64"]))
    return Expr("exp2", (a,), a.dtype, a.shape), 128


def multiplied(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw products along an axis: of any integers, and of floats that are 1 or -1."""
    a, bound = w.value(dtype, depth)
    if dtype in FLOATS:
        odd = binary("and", cast(a, "i64"), const(1))
        a, bound = cast(binary("sub", const(1, "i64"), binary("mul", odd, const(2)), "i64"), dtype), 1
    result = "fp32" if dtype == "bf16" else dtype
    return Expr("cumprod", (a,), result, a.shape, (w.rng.choice([0, 1]), w.rng.random() < 0.3)), bound


def scanned_pairs(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a scan of pairs with a function that does not commute."""
    rng = w.rng
    kind = dtype if dtype in INTEGERS else "i32"
    function = rng.choice(["linear", "last"])
    first = w.value(dtype if function == "last" else kind, depth)
    second = w.value(kind, 0)[0]
    if function == "last":
        second = binary("and", second, const(1))
    which = rng.choice([0, 1]) if function == "linear" else 0
    a = first[0]
    return Expr(
        "scan pairs", (a, second), a.dtype, a.shape, (function, rng.choice([0, 1]), rng.random() < 0.3, which)
    ), (first[1])


def reduced_pairs(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a reduction of pairs, such as the largest element and its number."""
    rng = w.rng
    (a, x), (b, y) = w.value(dtype, depth), w.value(w.rng.choice(["i32", "i64", dtype]), 0)
    function, axis, which = rng.choice(["best", "extent"]), rng.choice([0, 1]), rng.choice([0, 1])
    dtypes = (a.dtype, b.dtype)
    shape = (a.shape[1 - axis],)
    e = Expr("reduce pairs", (a, b), dtypes[which], shape, (function, axis, which))
    return spread(expand(e, axis), a.shape), (x, y)[which]


def combined(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw functions of two or three numbers."""
    rng = w.rng
    if dtype not in FLOATS:
        if dtype in ("u32", "u64", "i32", "i64") and rng.random() < 0.5:
            kind = "u" + dtype[1:]
            a, b = w.value(kind, depth)[0], w.value(kind, depth)[0]
            return Expr("umulhi", (a, b), kind, a.shape), 1 << 30
        other = ("i" if dtype[0] == "u" else "u") + dtype[1:]
        a, bound = w.value(other, depth)
        return Expr("bitcast", (a,), dtype, a.shape), bound
    a, _ = w.value(dtype, depth)
    if rng.random() < 0.5:
        low, high = (Expr("full", (), dtype, (), (n,)) for n in rng.choice([(-1, 1), (0, 3), (-2, 7)]))
        return Expr("clamp", (a, low, high), dtype, a.shape), 7
    a, b = w.narrow(a, 4), w.narrow(w.value(dtype, 0)[0], 4)
    return Expr("fma", (a, b, w.narrow(w.value(dtype, 0)[0])), dtype, a.shape), 16 + 8


def through_fp8(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw whole numbers that have been of eight bits."""
    kind = w.rng.choice(FP8)
    a = w.narrow(w.value(w.rng.choice(["fp32", "fp16", "bf16"]), depth)[0], 8)
    return cast(cast(a, kind), w.rng.choice(["fp32", "fp16", "bf16"])), 8


def chosen_place(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a load from one of two places that a condition chooses."""
    rng = w.rng
    tensors = [one for one in w.tensors if not one.block and one.name != "index"]
    if not tensors:
        return flipped(w, dtype, depth)
    tensor = rng.choice(tensors)
    shape = (w.rows, w.columns)
    other = rng.choice([one for one in tensors if one.dtype == tensor.dtype])
    if rng.random() < 0.5:
        condition = binary("eq", binary("mod", w.pid(0), const(2)), w.arg("flag"))
    else:
        condition = w.mask() or binary("lt", expand(w.r, 1), expand(w.c, 0))
    a, b = w.address(tensor, False), w.address(other, False)
    if not condition.shape:
        condition = spread(condition, shape)
    place = Expr("where", (condition, a, b), a.dtype, shape)
    mask = w.mask()
    args = (place, mask, const(0, tensor.dtype)) if mask is not None else (place,)
    return w.readable(Expr("load", args, tensor.dtype, shape)), 16


def from_table(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a load from one of two tensors, whose addresses are numbers in a third one: one for all, or for each row.

    Nothing else accesses the two, because no order is promised for pointers from memory.
    """
    rng = w.rng
    table = next((one for one in w.apart if one.targets), None)
    if table is None:
        names = ("far1", "far2")
        w.apart += [Tensor(name, rng.choice(["fp32", "i32", "i8", "fp16"])) for name in names[:1]]
        w.apart.append(Tensor("far2", w.apart[-1].dtype))
        table = Tensor("table", "i64", None, names)
        w.apart.append(table)
    kind = next(one.dtype for one in w.apart if one.name == table.targets[0])
    place = rng.choice([w.pid(0), w.r, w.r])
    number = Expr("ptradd", (w.pointer(table), place), "*i64", place.shape)
    base = Expr("address", (Expr("load", (number,), "i64", place.shape),), f"*{kind}", place.shape, table.targets)
    if place.shape:
        base = expand(base, 1)
    column = expand(w.bend(w.c, "N", False), 0)
    shape = (w.rows, w.columns)
    row = binary("mul", expand(w.bend(w.r, "M", False), 1), w.stride(table))
    pointer = Expr("ptradd", (base, column), base.dtype, broadcast(base.shape, column.shape))
    pointer = Expr("ptradd", (pointer, row), base.dtype, broadcast(pointer.shape, row.shape))
    mask = w.mask()
    args = (pointer, mask, const(0, kind)) if mask is not None else (pointer,)
    return Expr("load", args, kind, shape), 16


def gathered_rows(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw rows of a descriptor whose numbers are a vector."""
    rng = w.rng
    tensors = [one for one in w.tensors if not one.block and one.name != "index" and w.can_pick(one)]
    if not tensors:
        return flipped(w, dtype, depth)
    tensor = rng.choice(tensors)
    made = w.make_rows(tensor)
    index = cast(w.bend(w.r, "M", False), "i32")
    column = rng.choice([const(0), const(8), w.arg("shift")])
    return w.readable(Expr("dgather", (made, index, column), tensor.dtype, (w.rows, w.columns))), 16


def along(v: Expr, axis: int, rank: int) -> Expr:
    """Return a vector as a block of this rank."""
    for other in range(rank):
        v = v if other == axis else unsqueeze(v, other)
    return v


def places(w: Writer, tensor: Tensor, shape: tuple[int, ...], strides: tuple[Expr, ...]) -> Expr:
    """Return pointers to a block of a tensor, with a stride for each dimension."""
    numbers = [Expr("range", (), "i32", (n,)) for n in shape]
    parts = [along(binary("mul", v, strides[axis]), axis, len(shape)) for axis, v in enumerate(numbers)]
    w.rng.shuffle(parts)
    offset = parts[0]
    for one in parts[1:]:
        offset = binary("add", offset, one)
    return Expr("ptradd", (w.pointer(tensor), offset), f"*{tensor.dtype}", offset.shape)


def loaded_rank(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a load of a block of rank 3 or 4."""
    rng = w.rng
    tensors = [one for one in w.tensors if not one.block and one.name != "index"]
    if not tensors or w.rows < 2:
        return flipped(w, dtype, depth)
    tensor = rng.choice(tensors)
    part = rng.choice([n for n in (2, 4, 8) if n <= w.rows])
    shape, strides = [part, w.rows // part, w.columns], [w.stride(tensor), const(rng.choice([1, 3, 32])), const(1)]
    if w.columns >= 4 and rng.random() < 0.5:
        shape[2:], strides[2:] = [2, w.columns // 2], [const(rng.choice([1, w.columns // 2])), const(1)]
    order = list(range(len(shape)))
    rng.shuffle(order)
    place = places(w, tensor, tuple(shape[i] for i in order), tuple(strides[i] for i in order))
    args: tuple[Expr, ...] = (place,)
    if rng.random() < 0.6:
        axis = rng.randrange(len(order))
        bound = binary("lt", Expr("range", (), "i32", (place.shape[axis],)), w.arg(rng.choice(["M", "N", "K"])))
        args = (place, spread(along(bound, axis, len(order)), place.shape), const(0, tensor.dtype))
    e = w.readable(Expr("load", args, tensor.dtype, place.shape))
    return reshape(e, (w.rows, w.columns)), 16


def batched_product(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a product of rank 3, whose second operand is loaded as a block of rank 3."""
    rng = w.rng
    kind = rng.choice(["fp16", "bf16", "fp32", "i8"])
    n, batch = w.columns, 2
    tensors = [one for one in w.tensors if one.dtype == kind and not one.block and one.name != "index"]
    if not tensors or n > 32 or not w.dot:
        return flipped(w, dtype, depth)
    tensor = rng.choice(tensors)
    a, x = w.operand(kind, depth, False)
    place = places(w, tensor, (batch, n, n), (const(rng.choice([0, 1, n])), w.stride(tensor), const(1)))
    b = Expr("load", (place,), kind, place.shape)
    if kind == "i8":
        b = w.narrow(b)
    if rng.random() < 0.3:
        b = Expr("permute", (b,), kind, b.shape, (0, 2, 1))
    result = "i32" if kind == "i8" else "fp32"
    shape = (batch, w.rows // batch, n)
    e = Expr("dot", (reshape(a, (batch, w.rows // batch, n)), b), result, shape)
    return reshape(e, (w.rows, n)), x * 16 * n


def scaled_product(w: Writer, dtype: str, depth: int) -> Drawn:
    """Draw a product of operands in small formats with scales that are powers of two."""
    rng = w.rng
    if not w.dot:
        return flipped(w, dtype, depth)
    k = rng.choice([32, 64])
    kinds, operands, scales = [], [], []
    for axis in (1, 0):
        kind, e = _scaled_operand(w, k, axis)
        kinds.append(kind)
        operands.append(e)
        if kind == "e2m1" or rng.random() < 0.6:
            outer = w.rows if axis == 1 else w.columns
            number = binary("add", expand(Expr("range", (), "i32", (outer,)), 1),
                            expand(Expr("range", (), "i32", (k // 32,)), 0))  # fmt: skip
            scale = binary("add", binary("and", number, const(1)), const(128 if kind == "e2m1" else 127))
            scales.append(cast(scale, "u8"))
        else:
            scales.append(None)
    args = (*operands, *(one for one in scales if one is not None))
    if rng.random() < 0.5:
        args += (w.narrow(w.value("fp32", 0)[0]),)
    has = tuple(one is not None for one in scales)
    return Expr("dot_scaled", args, "fp32", (w.rows, w.columns), (tuple(kinds), has)), 1 << 22


#: The formats of operands by the type of a tensor.
_FORMATS = {"u8": "e2m1", "fp8e5": "e5m2", "fp8e4nv": "e4m3", "bf16": "bf16", "fp16": "fp16"}


def _scaled_operand(w: Writer, k: int, axis: int) -> tuple[str, Expr]:
    """Draw a format, and an operand of it with K along `axis`, loaded with plain pointers."""
    known = [one for one in w.tensors if one.dtype in _FORMATS and not one.block]
    if not known or w.rng.random() < 0.4:
        known = [Tensor(w.fresh("q"), w.rng.choice(list(_FORMATS)))]
        w.tensors += known
    tensor = w.rng.choice(known)
    kind = _FORMATS[tensor.dtype]
    inner = k // 2 if kind == "e2m1" else k
    outer = w.rows if axis == 1 else w.columns
    shape = (outer, inner) if axis == 1 else (inner, outer)
    i, j = (Expr("range", (), "i32", (n,)) for n in shape)
    offset = binary("add", binary("mul", expand(i, 1), const(shape[1])), expand(j, 0))
    place = Expr("ptradd", (w.pointer(tensor), offset), f"*{tensor.dtype}", shape)
    return kind, Expr("load", (place,), tensor.dtype, shape)


DRAWS = (
    flipped, paired, ranked, ranked, counted, in_order, called, called_with_pointer, power, multiplied, scanned_pairs,
    reduced_pairs, combined, combined, through_fp8, chosen_place, from_table, gathered_rows,
    mapped, random_numbers, loaded_rank,
)  # fmt: skip
DOT_DRAWS = (batched_product, scaled_product)
