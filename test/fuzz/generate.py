# SPDX-License-Identifier: MIT
"""Draws a program and launches of it from a seed.

Kernels are typed by construction. Whether a launch is defined is not proved: the oracle runs it, requests barriers, and
refuses it. Memory is as large as what a launch touches.
"""

from __future__ import annotations

import random
from dataclasses import replace

from .oracle import CAPACITY, Machine, NeedsBarrier, Rejected
from .programs import ITEM_SIZES, Expr, Launch, Program, Scalar, Slot, Stmt, Tensor, map_expression, map_statements
from .values import Writer

ATTEMPTS = 14
#: Numbers of launches of a program. Most of them compile the kernel again, for other sizes or another alignment.
LAUNCHES = (1, 2, 2, 3, 5)
#: The attempt from which on launches are tame if none before had a result.
TAME = 4


def insert_barrier(body: tuple[Stmt, ...], place: Stmt) -> tuple[Stmt, ...]:
    return map_statements(body, lambda one: (Stmt("barrier"), one) if one is place else (one,))


def check_blocks(program: Program) -> Program:
    """Return the program with all dimensions of block pointers checked."""

    def check(e: Expr) -> Expr:
        return replace(e, attrs=((0, 1),)) if e.op == "bload" else e

    def change(s: Stmt) -> tuple[Stmt, ...]:
        exprs = tuple(map_expression(e, check) for e in s.exprs)
        same = all(a is b for a, b in zip(exprs, s.exprs, strict=True))
        return (s if same else replace(s, exprs=exprs),)

    return replace(program, body=map_statements(program.body, change))


class Generator:
    """Draws one program."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        #: The share of launches in which the kernel checks itself.
        self.checked = 0.05
        rng = self.rng
        self.dot = rng.random() < 0.3
        if self.dot:
            self.rows, self.columns = rng.choice([16, 16, 32, 64]), rng.choice([16, 32, 32, 64])
        else:
            self.rows, self.columns = rng.choice(
                [(1, 64), (2, 32), (4, 16), (8, 8), (16, 16), (32, 32), (8, 128), (64, 16), (128, 4), (16, 1), (64, 64)]
            )
        self.writer = Writer(rng, self.rows, self.columns)

    def kernel(self) -> Program:
        """Return a program without launches."""
        return Program(*self.writer.kernel(self.dot))

    def program(self) -> Program | None:
        """Return a program with launches that have a defined result; none if there is no such launch."""
        program = self.kernel()
        if any(one.kind == "assert" for one in program.statements()):
            self.checked = 0.4
        launches: list[Launch] = []
        wanted = self.rng.choice(LAUNCHES)
        base = self.launch(program)
        for attempt in range(ATTEMPTS):
            tame = attempt >= TAME and not launches
            if attempt == TAME and tame:
                program = check_blocks(program)
            if tame:
                launch = self.launch(program, tame)
            elif attempt == 0:
                launch = base
            else:
                launch = self.vary(program, base if self.rng.random() < 0.7 else self.launch(program))
            program, accepted = admit(program, launch)
            if accepted:
                launches.append(launch)
                base = launches[0]
            if len(launches) >= wanted:
                break
        return replace(program, launches=tuple(launches)) if launches else None

    def tame_value(self, name: str) -> int:
        """Return sizes that a block fills, and strides of rows that do not overlap, which descriptors allow."""
        rng = self.rng
        known = {
            "M": self.rows,
            "N": self.columns,
            "K": rng.choice([16, 32]),
            "shift": 0,
            "huge": 3,
            "flag": rng.choice([0, 1]),
        }
        known["trips"] = rng.choice([1, 2])
        return known.get(name, (self.columns + 63) // 64 * rng.choice([128, 192]))

    def value_of(self, scalar: Scalar, grid: tuple[int, int]) -> int:
        rng = self.rng
        rows, columns = self.rows * grid[0], self.columns * grid[1]
        if scalar.name == "M":
            return rng.choice([rows, rows, rows - 1, rows - 3, rows // 2 + 1, 1, 0, rows + 5, max(rows // 3, 1)])
        if scalar.name == "N":
            return rng.choice([columns, columns, columns - 1, columns // 2, 1, 0, columns + 3, 16])
        if scalar.name == "K":
            return rng.choice([16, 32, 48, 17, 5, 1, 0])
        if scalar.name == "trips":
            return rng.choice([0, 1, 2, 3, 4])
        if scalar.name == "flag":
            return rng.choice([0, 1, 2, 3, 7, -1, 16])
        if scalar.name == "huge":
            return rng.choice([3, -5, 1 << 30, (1 << 31) - 10, (1 << 31) - 1, -(1 << 31)])
        if scalar.name == "shift":
            return rng.choice([0, 1, 3, 8, 16, 31, -2])
        widths = [columns, columns, columns + 1, columns + 16, (columns + 63) // 64 * 64, columns * 2]
        heights = [rows, rows + 1, (rows + 15) // 16 * 16]
        other = [0, 1, -columns, 3, 128, 160]
        return rng.choice(widths * 2 + heights + other if rng.random() < 0.5 else widths)

    def launch(self, program: Program, tame: bool = False) -> Launch:
        """Return a launch; a tame one has one program, sizes that fit, and no buffer twice."""
        rng = self.rng
        grid = rng.choice([(1, 1), (1, 1), (2, 1), (3, 1), (4, 1), (2, 2), (3, 2), (1, 3)])
        if not self.writer.uses_second_axis:
            grid = (grid[0], 1)
        grid = (1, 1) if tame else grid
        values = tuple(
            (one.name, self.tame_value(one.name) if tame else self.value_of(one, grid)) for one in program.scalars
        )
        slots = tuple(Slot(one.name, i, 0, self.surface(one, grid)) for i, one in enumerate(program.tensors))
        launch = Launch(
            grid, rng.choice([1, 2, 4, 4, 8, 16, 32]), rng.choice([1, 2, 3]), values, slots,
            rng.choice([0, 0, 0, 16, 32]), rng.randrange(1 << 20), rng.random() < self.checked,
        )  # fmt: skip
        return self.shared(program, launch) if rng.random() < 0.35 and not tame else launch

    def surface(self, tensor: Tensor, grid: tuple[int, int]) -> tuple[int, int, int] | None:
        if not tensor.block:
            return None
        rng = self.rng
        rows = max(1, tensor.block[0] * grid[0] + rng.choice([0, 0, -1, 5]))
        columns = max(1, tensor.block[1] * grid[1] + rng.choice([0, 0, -1, 3]))
        unit = 16 // ITEM_SIZES[tensor.dtype]
        return rows, columns, -(-columns // unit) * unit + rng.choice([0, unit, 8 * unit])

    def shared(self, program: Program, launch: Launch) -> Launch:
        """Return the launch with two tensors of one type in one buffer: the same one, or views that may overlap."""
        rng = self.rng
        alone = {name for one in program.tensors if one.targets for name in (one.name, *one.targets)}
        free = [one for one in program.tensors if one.name not in alone]
        pairs = [(a.name, b.name) for a in free for b in free if a.name < b.name and a.dtype == b.dtype]
        if not pairs:
            return launch
        first, second = rng.sample(rng.choice(pairs), 2)
        slots = {slot.tensor: slot for slot in launch.slots}
        shift = rng.choice([0, 0, 0, 1, 16, self.columns, self.rows * self.columns, 4096])
        slots[second] = replace(slots[second], buffer=slots[first].buffer, offset=slots[first].offset + shift)
        return replace(launch, slots=tuple(slots.values()))

    def vary(self, program: Program, launch: Launch) -> Launch:
        """Return another launch of the same code, mostly: constants and warps stay."""
        rng = self.rng
        constants = {one.name for one in program.scalars if one.constant}
        values = tuple(
            (n, self.value_of(Scalar(n, False), launch.grid) if n not in constants and rng.random() < 0.4 else v)
            for n, v in launch.values
        )
        launch = replace(launch, values=values, seed=rng.randrange(1 << 20))
        if rng.random() < 0.3:
            launch = replace(launch, misalignment=rng.choice([0, 16, 32, 8, 4 if not self.writer.wide else 8]))
        if rng.random() < 0.4:
            slots = tuple(Slot(s.tensor, i, 0, s.surface) for i, s in enumerate(launch.slots))
            launch = self.shared(program, replace(launch, slots=slots))
        return launch


def admit(program: Program, launch: Launch) -> tuple[Program, bool]:
    """Return the program, perhaps with more barriers, and whether the launch is defined."""
    for _ in range(30):
        missing, good = judge(program, launch)
        if missing is None:
            return program, good
        program = replace(program, body=insert_barrier(program.body, missing))
    return program, False


def judge(program: Program, launch: Launch) -> tuple[Stmt | None, bool]:
    """Return the statement that needs a barrier, if there is one, and whether the launch is defined."""
    try:
        machine = Machine(program, launch)
        machine.run()
        check_extents(machine)
        if has_undefined_values(program):
            # Elements that a mask leaves undefined must not reach memory: two contents for them give the same memory.
            other = Machine(program, launch, fill=5)
            other.run()
            return None, all((other.buffers[n].memory == b.memory).all() for n, b in machine.buffers.items())
    except NeedsBarrier as need:
        return need.statement, False
    except Rejected:
        return None, False
    return None, True


def has_undefined_values(program: Program) -> bool:
    """Return whether the language leaves elements undefined: loads without `other`, old values of atomic operations."""
    return any(e.op == "load" and len(e.args) == 2 for e in program.expressions()) or any(
        s.kind == "atomic" and s.attrs[1] and len(s.exprs) > 2 for s in program.statements()
    )


def check_extents(machine: Machine) -> None:
    """Views of one buffer have to cover what is accessed through them: no tensor describes the memory ahead of it."""
    used = [slot.buffer for slot in machine.launch.slots]
    for name, (low, _) in machine.touched.items():
        slot = machine.slots[name]
        size = ITEM_SIZES[machine.program.tensor(name).dtype]
        if used.count(slot.buffer) > 1 and low < CAPACITY // 2 + slot.offset * size:
            raise Rejected("accesses ahead of a view")


def generate(seed: int) -> Program | None:
    """Return the program of a seed, if it has one."""
    return Generator(seed).program()
