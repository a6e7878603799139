# SPDX-License-Identifier: MIT
"""Branches of Xe on the simulator.

Random structured programs are made as assembly and as Python at the same time. Lanes of the Python program are masks,
and a statement without lanes is not reached: that is what a thread with one instruction pointer does, also with code
that ignores the mask, which counts how often the thread came by.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from support import needs_ocloc
from xe_assembly import REGISTER_BYTES, Batch, run

from triton_xe import errors

pytestmark = needs_ocloc

LANES = 32
#: Registers of variables: two for each, and one of the counters that ignore masks.
VARIABLES = 6
FIRST_VARIABLE = 10
COUNTERS = 40
#: Loop counters, one for each level.
FIRST_COUNTER = 60


@dataclass
class State:
    """Variables and counters of the Python program: lists of lanes."""

    variables: list[list[int]]
    loops: dict[int, list[int]]
    passes: list[int]


@dataclass
class Flow:
    """Lanes that have left the innermost loop, or its present pass."""

    broken: set[int] = field(default_factory=set)
    continued: set[int] = field(default_factory=set)


Statement = Callable[[State, set[int], list[Flow]], set[int]]


def variable(number: int) -> str:
    return f"r{FIRST_VARIABLE + 2 * number}"


class Generator:
    """Makes a program: its lines, and statements that compute the same."""

    def __init__(self, seed: str, lanes: int) -> None:
        self.random = random.Random(seed)
        self.lanes = lanes
        self.lines: list[str] = []
        self.labels = 0
        self.passes = 0
        self.budget = 40

    def label(self) -> str:
        self.labels += 1
        return f"L{self.labels}"

    def compare(self) -> tuple[str, Callable[[State, int], bool]]:
        """Set f0.0 for a random condition of the lanes that run; return what it means."""
        number, limit = self.random.randrange(VARIABLES), self.random.randrange(-50, 50)
        condition = self.random.choice(("lt", "ge", "eq", "gt"))
        meanings = {
            "lt": lambda value: value < limit, "ge": lambda value: value >= limit,
            "eq": lambda value: value == limit, "gt": lambda value: value > limit,
        }  # fmt: skip
        line = f"cmp ({self.lanes}|M0) ({condition})f0.0 null<1>:d {variable(number)}.0<1;1,0>:d {limit}:w"
        return line, lambda state, lane: meanings[condition](state.variables[number][lane])

    def assignment(self) -> Statement:
        target, source = self.random.randrange(VARIABLES), self.random.randrange(VARIABLES)
        amount = self.random.randrange(-30, 31)
        self.lines.append(f"add ({self.lanes}|M0) {variable(target)}.0<1>:d -{variable(source)}.0<1;1,0>:d {amount}:w")

        def run_it(state: State, mask: set[int], flows: list[Flow]) -> set[int]:
            for lane in mask:
                state.variables[target][lane] = amount - state.variables[source][lane]
            return mask

        return run_it

    def counting(self) -> Statement:
        """Add code that ignores the mask, and counts how often the thread was here."""
        number = self.passes
        self.passes += 1
        register = f"r{COUNTERS + number // 16}.{number % 16}"
        self.lines.append(f"(W) add (1|M0) {register}<1>:d {register}<0;1,0>:d 1:w")

        def run_it(state: State, mask: set[int], flows: list[Flow]) -> set[int]:
            state.passes[number] += 1
            return mask

        return run_it

    def choice(self, depth: int, exits: list[str], loop: tuple[str, str] | None) -> Statement:
        """Add an if, with or without else. `exits` are the joins that lanes may wait at, the next one last."""
        line, holds = self.compare()
        otherwise, end = self.label(), self.label()
        has_else = self.random.random() < 0.6
        first = otherwise if has_else else end
        self.lines += [line, f"(~f0.0) goto ({self.lanes}|M0) {first} {first}"]
        then = self.block(depth, [*exits, first], loop)
        alternative: Statement | None = None
        if has_else:
            # A lane that comes here goes to the end; the others are at the join.
            self.lines.append(f"goto ({self.lanes}|M0) {otherwise} {end}")
            self.lines += [f"{otherwise}:", f"join ({self.lanes}|M0) {end}"]
            alternative = self.block(depth, [*exits, end], loop)
        self.lines += [f"{end}:", f"join ({self.lanes}|M0) {exits[-1]}"]

        def run_it(state: State, mask: set[int], flows: list[Flow]) -> set[int]:
            chosen = {lane for lane in mask if holds(state, lane)}
            rest = mask - chosen
            if chosen:
                chosen = then(state, chosen, flows)
            if rest and alternative:
                rest = alternative(state, rest, flows)
            return chosen | rest

        return run_it

    def loop(self, depth: int, exits: list[str]) -> Statement:
        """Count down for each lane; some lanes leave the loop, or a pass, before its end."""
        head, latch, end = self.label(), self.label(), self.label()
        level = depth
        counter = f"r{FIRST_COUNTER + 2 * level}"
        number, most = self.random.randrange(VARIABLES), self.random.choice((1, 3, 7))
        self.lines += [
            f"and ({self.lanes}|M0) {counter}.0<1>:d {variable(number)}.0<1;1,0>:d {most}:w",
            f"{head}:",
        ]
        body = self.block(depth, [*exits, end, latch], (latch, end))
        condition = f"cmp ({self.lanes}|M0) (gt)f0.0 null<1>:d {counter}.0<1;1,0>:d 0:w"
        self.lines += [
            f"{latch}:",
            f"join ({self.lanes}|M0) {end}",
            f"add ({self.lanes}|M0) {counter}.0<1>:d {counter}.0<1;1,0>:d -1:w",
            condition,
            f"(f0.0) goto.b ({self.lanes}|M0) {end} {head}",
            f"{end}:",
            f"join ({self.lanes}|M0) {exits[-1]}",
        ]

        def run_it(state: State, mask: set[int], flows: list[Flow]) -> set[int]:
            remaining = state.loops.setdefault(level, [0] * LANES)
            for lane in mask:
                remaining[lane] = state.variables[number][lane] & most
            all_lanes, active = set(mask), set(mask)
            left: set[int] = set()
            while active:
                flow = Flow()
                active = body(state, active, [*flows, flow]) | flow.continued
                for lane in active:
                    remaining[lane] -= 1
                active = {lane for lane in active if remaining[lane] > 0}
                left |= flow.broken
            # Nothing else takes lanes out of a loop.
            assert left <= all_lanes
            return all_lanes

        return run_it

    def leave(self, exits: list[str], loop: tuple[str, str]) -> Statement:
        """Add a break or continue of lanes for which a condition holds."""
        line, holds = self.compare()
        breaks = self.random.random() < 0.5
        latch, end = loop
        self.lines += [line, f"(f0.0) goto ({self.lanes}|M0) {exits[-1]} {end if breaks else latch}"]

        def run_it(state: State, mask: set[int], flows: list[Flow]) -> set[int]:
            leaving = {lane for lane in mask if holds(state, lane)}
            (flows[-1].broken if breaks else flows[-1].continued).update(leaving)
            return mask - leaving

        return run_it

    def block(self, depth: int, exits: list[str], loop: tuple[str, str] | None) -> Statement:
        statements = []
        for _ in range(self.random.randrange(2, 5)):
            self.budget -= 1
            kind = self.random.random()
            if kind < 0.25 and depth < 4 and self.budget > 0:
                statements.append(self.choice(depth + 1, exits, loop))
            elif kind < 0.45 and depth < 4 and self.budget > 0:
                statements.append(self.loop(depth + 1, exits))
            elif kind < 0.6 and loop:
                statements.append(self.leave(exits, loop))
            elif kind < 0.8:
                statements.append(self.counting())
            else:
                statements.append(self.assignment())

        def run_it(state: State, mask: set[int], flows: list[Flow]) -> set[int]:
            for statement in statements:
                if not mask:
                    break
                mask = statement(state, mask, flows)
            return mask

        return run_it


def check_program(seed: str, lanes: int) -> None:
    generator = Generator(seed, lanes)
    program = generator.block(0, ["LEND"], None)
    generator.lines += ["LEND:", f"join ({lanes}|M0) LDONE", "LDONE:", "(W) nop"]
    live = generator.random.choice(((1 << lanes) - 1, generator.random.getrandbits(lanes) | 1))
    values = np.array(
        [[generator.random.randrange(-60, 60) for _ in range(LANES)] for _ in range(VARIABLES)], dtype=np.int32
    )
    state = State(values.tolist(), {}, [0] * generator.passes)
    program(state, {lane for lane in range(lanes) if live >> lane & 1}, [])
    registers = {FIRST_VARIABLE: values, COUNTERS: np.zeros(16 * 16, np.int32)}
    result = run("\n".join(generator.lines), registers, lanes=live)
    for number in range(VARIABLES):
        found = result.read(FIRST_VARIABLE + 2 * number, "d", LANES).tolist()
        assert found == [int(np.int32(value)) for value in state.variables[number]], seed
    assert result.read(COUNTERS, "d", 256).tolist()[: generator.passes] == state.passes, seed


@pytest.mark.parametrize("lanes", [16, 32])
def test_structured_programs(lanes):
    for number in range(25):
        check_program(f"{lanes} {number}", lanes)


@pytest.mark.full
@pytest.mark.parametrize("lanes", [16, 32])
def test_many_structured_programs(lanes):
    for number in range(400):
        check_program(f"many {lanes} {number}", lanes)


def test_scalar_jumps():
    """They look at the flag of the first lane, whether it runs or not, and keep the mask."""
    batch = Batch(lanes=16, live=0xFFFE)
    for flag, inverts in ((0, False), (1, False), (0xFFFE, False), (0xFFFF, True), (0xFFFE, True)):
        jumps = bool(flag & 1) != inverts
        number = len(batch.results)
        text = (
            f"(W) mov (1|M0) f0.0<1>:ud 0x{flag:X}:ud\n(W) mov (1|M0) {{dst}}.0<1>:d 1:w\n"
            f"({'~' if inverts else ''}f0.0) jmpi (1|M0) LJ{number}\n"
            f"(W) mov (1|M0) {{dst}}.0<1>:d 2:w\nLJ{number}:"
        )
        batch.add(text, "d", [1 if jumps else 2])
    # Backward, without a predicate, out of it by one.
    text = (
        "(W) mov (1|M0) {dst}.0<1>:d 0:w\nLBACK:\n(W) add (1|M0) (eq)f1.0 null<1>:d {dst}.0<0;1,0>:d -7:w\n"
        "(f1.0) jmpi (1|M0) LOUT\n(W) add (1|M0) {dst}.0<1>:d {dst}.0<0;1,0>:d 1:w\n(W) jmpi (1|M0) LBACK\nLOUT:"
    )
    batch.add(text, "d", [7])
    batch.check()


IDS = """
(W) mov (8|M0) r50.0<1>:uw 0x76543210:v
(W) add (8|M0) r50.8<1>:uw r50.0<1;1,0>:uw 8:uw {I@1}
(W) mov (16|M0) r20.0<1>:d 0:w
mov (16|M0) r22.0<1>:d r50.0<1;1,0>:uw {I@2}
"""


@pytest.mark.parametrize("target", ["LELSE", "LAFTER"])
@pytest.mark.parametrize("limit", [0, 5, 16])
def test_if_and_else(limit: int, target: str) -> None:
    """Lanes take one side each, also none or all of them; `if` names the `else`, or what follows it."""
    text = f"""{IDS}
cmp (16|M0) (lt)f0.0 null<1>:d r22.0<1;1,0>:d {limit}:w {{I@1}}
(f0.0) if (16|M0) {target} LEND
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 100:w
cmp (16|M0) (lt)f1.0 null<1>:d r22.0<1;1,0>:d 3:w
(f1.0) if (16|M0) LINNER LINNER
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 7:w {{I@1}}
LINNER:
endif (16|M0) LELSE
LELSE:
else (16|M0) LEND LEND
LAFTER:
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 1000:w {{I@1}}
LEND:
endif (16|M0) LOUT
LOUT:
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d r22.0<1;1,0>:d {{I@1}}
"""
    found = run(text).read(20, "d", 16).tolist()
    assert found == [(100 + 7 * (lane < 3) if lane < limit else 1000) + lane for lane in range(16)]


def test_if_that_ignores_the_mask() -> None:
    """It starts lanes that do not run, also those that were not dispatched; other lanes wait at the `endif`."""
    text = """
(W) mov (32|M0) r20.0<1>:d 0:w
(W) mov (1|M0) f0.0<1>:ud 0x30004:ud
(W&f0.0) if (32|M0) LEND LEND {I@1}
add (32|M0) r20.0<1>:d r20.0<1;1,0>:d 5:w {I@1}
LEND:
endif (32|M0) LOUT
LOUT:
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 1:w {I@1}
"""
    found = run(text, lanes=0xFFFF).read(20, "d", 32).tolist()
    assert found == [5 * (lane in (2, 16, 17)) + (lane < 16) for lane in range(32)]


def test_while() -> None:
    """Every lane goes around as often as it wants, and all go on together."""
    text = f"""{IDS}
LLOOP:
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 3:w {{I@1}}
add (16|M0) (gt)f0.0 r22.0<1>:d r22.0<1;1,0>:d -1:w
(f0.0) while (16|M0) LLOOP {{I@1}}
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 1:w
"""
    assert run(text).read(20, "d", 16).tolist() == [3 * max(lane, 1) + 1 for lane in range(16)]


def test_jumps_by_a_register():
    """The distance counts from the jump itself: into a table of jumps, and back."""
    text = """
(W) mov (1|M0) r30.0<1>:d 0:w
LNEXT:
(W) shl (1|M0) r31.3<1>:d r30.0<0;1,0>:d 4:w
(W) add (1|M0) r31.3<1>:d r31.3<0;1,0>:d 16:w {I@1}
(W) jmpi (1|M0) r31.3 {I@1}
(W) jmpi (1|M0) LFIRST
(W) jmpi (1|M0) LSECOND
(W) jmpi (1|M0) LTHIRD
LSECOND:
(W) add (1|M0) r40.0<1>:d r40.0<0;1,0>:d 20:w
(W) jmpi (1|M0) LDONE
LFIRST:
(W) add (1|M0) r40.0<1>:d r41.0<0;1,0>:d 1:w
(W) jmpi (1|M0) LDONE
LDONE:
(W) add (1|M0) r30.0<1>:d r30.0<0;1,0>:d 1:w
(W) mul (1|M0) r40.0<1>:d r40.0<0;1,0>:d 3:w
(W) jmpi (1|M0) LNEXT
LTHIRD:
(W) mov (1|M0) r42.0<1>:d 7:w
"""
    state = run(text, {41: np.array([5], dtype=np.int32)})
    assert int(state.read(40, "d", 1)[0]) == ((5 + 1) * 3 + 20) * 3
    assert int(state.read(42, "d", 1)[0]) == 7
    backward = """
(W) mov (1|M0) r30.0<1>:d 0:w
(W) mov (1|M0) r31.0<1>:d -32:w
(W) add (1|M0) r30.0<1>:d r30.0<0;1,0>:d 1:w
(W) cmp (1|M0) (lt)f0.0 null<1>:d r30.0<0;1,0>:d 9:w {I@1}
(W&f0.0) jmpi (1|M0) r31.0
"""
    assert int(run(backward).read(30, "d", 1)[0]) == 9


def test_calls():
    """A function that is called twice, and one that it calls."""
    text = """
(W) mov (16|M0) r20.0<1>:d 1:w
call (16|M0) r30.0 LF
call (16|M0) r30.0 LF
(W) jmpi (1|M0) LEND
LF:
add (16|M0) r20.0<1>:d r20.0<1;1,0>:d 10:w
call (16|M0) r32.0 LG
ret (16|M0) r30.0
LG:
shl (16|M0) r20.0<1>:d r20.0<1;1,0>:d 1:w
ret (16|M0) r32.0
LEND:
(W) nop
"""
    state = run(text, lanes=0xFF0F)
    expected = [(((1 + 10) * 2 + 10) * 2) if 0xFF0F >> lane & 1 else 1 for lane in range(16)]
    assert state.read(20, "d", 16).tolist() == expected
    # The mask of the calling lanes follows the address.
    assert int(state.read(30, "ud", 1, offset=4)[0]) == 0xFF0F


def test_short_instructions_and_waits():
    """Targets are bytes, and some instructions have eight; what the scoreboard waits for changes no value."""
    text = """
(W) mov (16|M0) r20.0<1>:d 0:w {Compacted,I@1}
(W) mov (1|M0) r30.0<1>:ud r31.0<0;1,0>:ud {Compacted,A@1}
(W) mov (1|M0) r40.0<1>:ud 5:w {$3.dst}
LBACK:
(W) add (16|M0) r20.0<1>:d r20.0<1;1,0>:d r21.0<1;1,0>:d {Compacted,I@2}
(W) sync.nop null {Compacted,$3.src}
(W) sync.allrd ($3)
(W) sync.allwr null
(W) add (1|M0) (gt)f0.0 r40.0<1>:d r40.0<0;1,0>:d -1:w {F@1}
(W&f0.0) jmpi (1|M0) LBACK {I@1}
(W) nop
"""
    state = run(text, {21: np.arange(16, dtype=np.int32)})
    assert state.read(20, "d", 16).tolist() == [5 * lane for lane in range(16)]


def test_lanes_that_are_parked_at_the_end():
    text = "(W) mov (1|M0) f0.0<1>:ud 0x6:ud\n(f0.0) goto (16|M0) LNEXT LAFTER\nLNEXT:\n(W) nop"
    with pytest.raises(errors.LaunchError, match="lanes have not come to the end"):
        run(f"{text}\n(W) jmpi (1|M0) LDONE\nLAFTER:\njoin (16|M0) LDONE\nLDONE:\n(W) nop", lanes=0xFFFF)


def test_address_registers_out_of_range():
    """It is an error for a lane that takes part; for others it does not matter."""
    text = (
        "(W) mov (8|M0) a0.0<1>:uw 0x40:uw\n(W) mov (1|M0) a0.5<1>:uw 0x4000:uw\n"
        "(W) mov (1|M0) f0.0<1>:ud 0x{flag:X}:ud\n(f0.0) mov (8|M0) r20.0<1>:ud r[a0.0]<1,0>:ud"
    )
    source = {1: np.arange(16, dtype=np.uint32)}
    assert run(text.format(flag=0xDF), source).read(20, "ud", 5).tolist() == [0] * 5
    with pytest.raises(errors.LaunchError, match="an address register has 16384, which is no byte of a register"):
        run(text.format(flag=0x20), source)
    region = "(W) mov (1|M0) a0.0<1>:uw 0x{address:X}:uw\nmov (8|M0) r20.0<1>:ud r[a0.0,64]<8;8,1>:ud"
    assert REGISTER_BYTES * 256 == 0x4000
    with pytest.raises(errors.LaunchError, match="an address register has 16384"):
        run(region.format(address=0x3FC0))


def test_instructions_that_are_not_simulated():
    with pytest.raises(errors.LaunchError, match="`brd`: instructions of this kind are not simulated"):
        run("LX:\nbrd (16|M0) LX")


def test_code_that_does_not_end():
    with pytest.raises(errors.LaunchError, match="does not end"):
        run("LX:\n(W) jmpi (1|M0) LX")


def test_calls_of_some_lanes():
    text = (
        "(W) mov (1|M0) f0.0<1>:ud 0x3:ud\n(f0.0) call (16|M0) r30.0 LF\n(W) jmpi (1|M0) LEND\nLF:\nret (16|M0) r30.0"
    )
    with pytest.raises(errors.LaunchError, match="a call by some of the lanes that run"):
        run(f"{text}\nLEND:\n(W) nop", lanes=0xFFFF)


def test_code_that_cannot_be_read():
    """The instruction and its address are named."""
    with pytest.raises(errors.BinaryError, match=r"at 0x10, `mov`: unknown register `fc`"):
        run("(W) mov (1|M0) r20.0<1>:ud fc0.0<0;1,0>:ud")
    with pytest.raises(errors.LaunchError, match="there is no barrier 77"):
        run("(W) mov (1|M0) f0.0<1>:uw 77:uw\n(W) sync.bar f0.0")
