# SPDX-License-Identifier: MIT
"""Random programs that hand descriptors and block pointers through loops, branches, returns and functions give what
numpy gives.

A program is a list of statements about two places to read from and two to write to. It is written as a kernel, with
functions that are not inlined, and run by an interpreter. All arithmetic is exact, so results are compared bit by bit.
The default selection is the same in every run; `--full` draws new programs each time.
"""

from __future__ import annotations

import abc
import contextlib
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
import torch
from generated import kernel_from_source
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

COMMON = {"deadline": None, "suppress_health_check": list(HealthCheck)}
FEW = settings(max_examples=6, derandomize=True, **COMMON)
MANY = settings(max_examples=300, **COMMON)

BLOCK = 16
#: Readable and writable places; each pair changes among itself alone.
SOURCES, TARGETS = ("p", "q"), ("s", "t")
#: The number that an element which is NaN reads as.
NAN = 7.0
#: The value that all reads go into, in their order.
ZEROS = f"acc = tl.zeros(({BLOCK}, {BLOCK}), tl.int32)"


@dataclass(frozen=True)
class Place:
    """One of the tensors in memory and, for block pointers, where the block begins."""

    tensor: int
    row: int = 0
    column: int = 0


class Return(Exception):
    """Leaves a function of the program."""


@dataclass
class State:
    """The variables of a function, and the tensors in memory."""

    tensors: list[np.ndarray]
    paddings: list[float]
    weights: np.ndarray | None
    flag: int
    places: dict[str, Place] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    acc: np.ndarray | None = None


@dataclass(frozen=True)
class Dialect:
    """The way in which the places of a program are written."""

    #: Descriptors, which hold no position, or block pointers.
    descriptors: bool
    #: This is true if blocks are multiplied, rather than added.
    dot: bool


# ----------------------------------------------------------------------------------------------------------------------
# Statements
# ----------------------------------------------------------------------------------------------------------------------


class Statement(abc.ABC):
    """One that can be written and run."""

    @abc.abstractmethod
    def emit(self, dialect: Dialect) -> list[str]:
        """Its lines."""

    @abc.abstractmethod
    def run(self, state: State) -> None:
        """Execute the statement."""


def indent(statements: list[Statement], dialect: Dialect) -> list[str]:
    return [f"    {line}" for statement in statements for line in statement.emit(dialect)]


def run_all(statements: list[Statement], state: State) -> None:
    for statement in statements:
        statement.run(state)


@dataclass(frozen=True)
class Condition:
    """Depends on the argument of the launch and on the counters of the loops around."""

    divisor: int
    counters: tuple[str, ...]

    def text(self) -> str:
        return f"({' + '.join(('flag', *self.counters))}) % {self.divisor} == 0"

    def holds(self, state: State) -> bool:
        return (state.flag + sum(state.counters[name] for name in self.counters)) % self.divisor == 0


@dataclass(frozen=True)
class Read(Statement):
    """Adds the block at a place, or a product of it, to what was read before."""

    name: str
    row: int
    column: int
    nan: bool
    #: The counter of the innermost loop, which is added to the row. The wheel's own passes fail on a block pointer's
    #: load that they could move out of a loop.
    counter: str | None

    def emit(self, dialect: Dialect) -> list[str]:
        row = f"{self.row} + {self.counter}" if self.counter else str(self.row)
        if dialect.descriptors:
            value = f"{self.name}.load([{row}, {self.column}])"
        else:
            place = f"tl.advance({self.name}, ({row}, {self.column}))"
            padding = "nan" if self.nan else "zero"
            value = f"tl.load({place}, boundary_check=(0, 1), padding_option='{padding}')"
        lines = [f"v = {value}"]
        if dialect.dot:
            lines += [f"v = tl.where(v == v, v, {NAN})", "acc = acc * 5 + tl.dot(v.to(tl.float16), w).to(tl.int32)"]
        else:
            lines.append(f"acc = acc * 5 + tl.where(v == v, v, {NAN}).to(tl.int32)")
        return lines

    def run(self, state: State) -> None:
        place = state.places[self.name]
        tensor = state.tensors[place.tensor]
        descriptor_padding = state.paddings[place.tensor]
        padding = (NAN if self.nan else 0.0) if descriptor_padding is None else descriptor_padding
        value = np.full((BLOCK, BLOCK), padding, np.float64)
        first = place.row + self.row + (state.counters[self.counter] if self.counter else 0)
        for i, j in np.ndindex(BLOCK, BLOCK):
            row, column = first + i, place.column + self.column + j
            if 0 <= row < tensor.shape[0] and 0 <= column < tensor.shape[1]:
                value[i, j] = tensor[row, column]
        if state.weights is not None:
            value = value @ state.weights
        state.acc = state.acc * np.int32(5) + value.astype(np.int32)


@dataclass(frozen=True)
class Move(Statement):
    """Moves a block pointer."""

    name: str
    row: int
    column: int

    def emit(self, dialect: Dialect) -> list[str]:
        return (
            ["pass"] if dialect.descriptors else [f"{self.name} = tl.advance({self.name}, ({self.row}, {self.column}))"]
        )

    def run(self, state: State) -> None:
        place = state.places[self.name]
        if state.paddings[place.tensor] is None:
            state.places[self.name] = replace(place, row=place.row + self.row, column=place.column + self.column)


#: A function whose result is equal to its argument, and another value for the frontend.
SAME = "@triton.jit\ndef same(x):\n    return x\n\n\n"


@dataclass(frozen=True)
class Assign(Statement):
    """Exchanges two places, or makes one equal to the other."""

    first: str
    second: str
    swap: bool

    def emit(self, dialect: Dialect) -> list[str]:
        if self.swap:
            return [f"{self.first}, {self.second} = {self.second}, {self.first}"]
        # Of two names for one value, a loop of stock Triton's frontend carries one alone, whatever it does to them.
        return [f"{self.first} = same({self.second})"]

    def run(self, state: State) -> None:
        first, second = state.places[self.first], state.places[self.second]
        state.places[self.first] = second
        if self.swap:
            state.places[self.second] = first


@dataclass(frozen=True)
class If(Statement):
    condition: Condition
    then: list[Statement]
    otherwise: list[Statement]

    def emit(self, dialect: Dialect) -> list[str]:
        lines = [f"if {self.condition.text()}:", *indent(self.then, dialect)]
        if self.otherwise:
            lines += ["else:", *indent(self.otherwise, dialect)]
        return lines

    def run(self, state: State) -> None:
        run_all(self.then if self.condition.holds(state) else self.otherwise, state)


@dataclass(frozen=True)
class Loop(Statement):
    """A for or a while loop; its number of iterations is an argument of the launch, or a little more."""

    counter: str
    extra: int
    is_while: bool
    body: list[Statement]

    def emit(self, dialect: Dialect) -> list[str]:
        body = indent(self.body, dialect)
        bound = f"trips + {self.extra}"
        if not self.is_while:
            return [f"for {self.counter} in range({bound}):", *body]
        step = f"    {self.counter} += 1"
        return [f"{self.counter} = 0", f"while {self.counter} < {bound}:", *body, step]

    def run(self, state: State) -> None:
        for i in range(state.flag % 3 + self.extra):
            state.counters[self.counter] = i
            run_all(self.body, state)


@dataclass(frozen=True)
class Leave(Statement):
    """Returns from a function with its variables, in one order or another; from the kernel with a last store."""

    result: tuple[str, str] | None

    def emit(self, dialect: Dialect) -> list[str]:
        if self.result:
            return [f"return {', '.join(self.result)}, acc"]
        store = "tl.store(s, acc.to(tl.float32), boundary_check=(0, 1))"
        if dialect.descriptors:
            store = "s.store([0, 0], acc.to(tl.float32))"
        # A function may have read through the same place.
        return ["tl.debug_barrier()", store, "return"]

    def run(self, state: State) -> None:
        if self.result:
            state.places = {"p": state.places[self.result[0]], "q": state.places[self.result[1]]}
        else:
            place = state.places["s"]
            tensor = state.tensors[place.tensor]
            for i, j in np.ndindex(BLOCK, BLOCK):
                row, column = place.row + i, place.column + j
                if 0 <= row < tensor.shape[0] and 0 <= column < tensor.shape[1]:
                    tensor[row, column] = np.float32(state.acc[i, j])
        raise Return


@dataclass(frozen=True)
class Call(Statement):
    """A call of a function that is not inlined, on a pair of places; it returns both, and what it read.

    The frontend allows no tensors as arguments, hence no multiplication inside.
    """

    name: str
    pair: tuple[str, str]
    body: list[Statement]

    def emit(self, dialect: Dialect) -> list[str]:
        pair = ", ".join(self.pair)
        return [f"{pair}, u = {self.name}({pair}, flag, trips)", "acc = acc * 5 + u"]

    def definition(self, dialect: Dialect) -> str:
        body = indent(self.body, replace(dialect, dot=False))
        lines = ["@triton.jit(noinline=True)", f"def {self.name}(p, q, flag, trips):", f"    {ZEROS}", *body]
        return "\n".join(lines) + "\n\n\n"

    def run(self, state: State) -> None:
        inner = replace(state, places=dict(zip("pq", (state.places[name] for name in self.pair), strict=True)))
        inner.counters, inner.weights = {}, None
        inner.acc = np.zeros((BLOCK, BLOCK), np.int32)
        with contextlib.suppress(Return):
            run_all(self.body, inner)
        state.acc = state.acc * np.int32(5) + inner.acc
        for name, place in zip(self.pair, inner.places.values(), strict=True):
            state.places[name] = place


# ----------------------------------------------------------------------------------------------------------------------
# Programs
# ----------------------------------------------------------------------------------------------------------------------

shifts = st.integers(-3, 12)


@st.composite
def statement_lists(
    draw: st.DrawFn, pairs: tuple[tuple[str, str], ...], functions: list[Call], depth: int, loops: tuple[str, ...],
    leave: tuple[tuple[str, str] | None, ...] = (),
) -> list[Statement]:  # fmt: skip
    """Return statements about `pairs` of places in `loops`. `leave` are the ways to return, outside of loops."""

    def inner(loops: tuple[str, ...], leave: tuple = ()) -> list[Statement]:
        return draw(statement_lists(pairs, functions, depth - 1, loops, leave))

    found: list[Statement] = []
    for _ in range(draw(st.integers(1, 4))):
        kinds = ["read", "move", "assign", "assign"]
        kinds += (
            ["if", "loop"] * 2 * (depth > 0) + ["call"] * 3 * bool(functions) + ["return"] * bool(leave and depth > 0)
        )
        kind = draw(st.sampled_from(kinds))
        pair = draw(st.sampled_from(pairs))
        condition = Condition(draw(st.integers(2, 3)), loops)
        if kind == "read" and "p" in pairs[0]:
            found.append(
                Read(
                    draw(st.sampled_from("pq")),
                    draw(shifts),
                    draw(shifts),
                    draw(st.booleans()),
                    loops[-1] if loops else None,
                )
            )
        elif kind == "move":
            found.append(Move(draw(st.sampled_from(pair)), draw(shifts), draw(shifts)))
        elif kind == "if":
            found.append(If(condition, inner(loops, leave), inner(loops, leave) if draw(st.booleans()) else []))
        elif kind == "loop":
            counter = f"i{len(loops)}_{depth}_{len(found)}"
            body = inner((*loops, counter))
            found.append(Loop(counter, draw(st.integers(0, 1)), draw(st.booleans()), body))
        elif kind == "call":
            function = draw(st.sampled_from(functions))
            found.append(Call(function.name, pair, function.body))
        elif kind == "return":
            then = [*inner(loops), Leave(draw(st.sampled_from(leave)))]
            found.append(If(condition, then, inner(loops) if draw(st.booleans()) else []))
        else:
            first, second = draw(st.permutations(pair))
            found.append(Assign(first, second, draw(st.booleans())))
    return found


@dataclass(frozen=True)
class Program:
    dialect: Dialect
    functions: list[Call]
    body: list[Statement]
    #: Extents and pitches of the two tensors to read and the two to write.
    shapes: list[tuple[int, int, int]]
    paddings: list[str]

    def text(self) -> tuple[str, str]:
        """Return the functions and the kernel."""
        tensors = ", ".join(f"x{i}, m{i}, n{i}, pitch{i}" for i in range(4))
        lines = [f"def kernel({tensors}, w_ptr, flag, trips):"]
        for i, name in enumerate(SOURCES + TARGETS):
            shape = f"{BLOCK}, {BLOCK}"
            if self.dialect.descriptors:
                made = f"tl.make_tensor_descriptor(x{i}, [m{i}, n{i}], [pitch{i}, 1], [{shape}], '{self.paddings[i]}')"
            else:
                made = f"tl.make_block_ptr(x{i}, (m{i}, n{i}), (pitch{i}, 1), (0, 0), ({shape}), (1, 0))"
            lines.append(f"    {name} = {made}")
        if self.dialect.dot:
            grid = f"tl.arange(0, {BLOCK})[:, None] * {BLOCK} + tl.arange(0, {BLOCK})[None, :]"
            lines.append(f"    w = tl.load(w_ptr + {grid})")
        lines.append(f"    {ZEROS}")
        lines += indent([*self.body, Leave(None)], self.dialect)[:-1]
        functions = [SAME, *(function.definition(self.dialect) for function in self.functions)]
        return "".join(functions), "\n".join(lines) + "\n"

    def reference(self, tensors: list[np.ndarray], weights: np.ndarray, flag: int) -> list[np.ndarray]:
        """Return the tensors after a run."""
        values = {"zero": 0.0, "nan": NAN}
        paddings = [values[name] if self.dialect.descriptors else None for name in self.paddings]
        state = State([t.astype(np.float64) for t in tensors], paddings, weights if self.dialect.dot else None, flag)
        state.places = {name: Place(i) for i, name in enumerate(SOURCES + TARGETS)}
        state.acc = np.zeros((BLOCK, BLOCK), np.int32)
        with contextlib.suppress(Return):
            run_all([*self.body, Leave(None)], state)
        return state.tensors


@st.composite
def programs(draw: st.DrawFn) -> Program:
    functions: list[Call] = []
    results = (("p", "q"), ("q", "p"), ("p", "p"))
    for i in range(draw(st.sampled_from([2, 1, 0]))):
        # A function may call those before it.
        body = draw(statement_lists((SOURCES,), list(functions), 1, (), results))
        body += [
            Read("p", draw(shifts), draw(shifts), draw(st.booleans()), None),
            Leave(draw(st.sampled_from(results))),
        ]
        functions.append(Call(f"function{i}", SOURCES, body))
    body = draw(statement_lists((SOURCES, SOURCES, TARGETS), functions, 2, (), (None,)))
    body += [Read(name, draw(shifts), draw(shifts), draw(st.booleans()), None) for name in SOURCES]
    # Tensors whose rows begin at multiples of 16 bytes, and others.
    pitch = st.sampled_from([40, 48, 43])
    shapes = [(draw(st.integers(10, 40)), draw(st.integers(10, 40)), draw(pitch)) for _ in range(4)]
    paddings = [draw(st.sampled_from(["zero", "nan"])) for _ in range(4)]
    dialect = Dialect(draw(st.booleans()), draw(st.booleans()))
    return Program(dialect, functions, body, shapes, paddings)


options = st.fixed_dictionaries({"num_warps": st.sampled_from([1, 2, 4]), "warp_size": st.sampled_from([16, 16, 32])})


def check(program: Program, launch: dict[str, int], seed: int) -> None:
    preamble, text = program.text()
    note(preamble + text)
    generator = np.random.default_rng(seed)
    tensors, arguments = [], []
    for rows, columns, pitch in program.shapes:
        storage = torch.from_numpy(generator.integers(-4, 5, (rows, pitch)).astype(np.float32))
        tensors.append(storage[:, :columns])
        arguments += [storage, rows, columns, pitch]
    weights = generator.integers(-1, 2, (BLOCK, BLOCK)).astype(np.float16)
    kernel = kernel_from_source(text, preamble)
    for flag in range(4):
        before = [tensor.numpy().copy() for tensor in tensors]
        expected = program.reference(before, weights.astype(np.float64), flag)
        kernel[(1,)](*arguments, torch.from_numpy(weights), flag, flag % 3, **launch)
        for tensor, wanted in zip(tensors, expected, strict=True):
            np.testing.assert_array_equal(tensor.numpy(), wanted)


@FEW
@given(programs(), options, st.integers(0, 2**32))
def test_flow(program, launch, seed):
    check(program, launch, seed)


@pytest.mark.full
@MANY
@given(programs(), options, st.integers(0, 2**32))
def test_much_flow(program, launch, seed):
    check(program, launch, seed)
