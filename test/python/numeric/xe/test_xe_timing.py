# SPDX-License-Identifier: MIT
"""The timing model on pieces of code whose cycles can be computed by hand.

The latencies are those that docs/Simulator.md lists. Nothing here is about hardware.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from support import needs_ocloc
from xe_assembly import END, REGISTER_BYTES, REGISTERS, assemble

from triton_xe import _simulator

pytestmark = needs_ocloc

#: An engine with room for eight threads, whose memory is never the bound.
CHIP = {
    "cores": 1, "engines": 1, "threads": {128: 8}, "lanes_per_cycle": 16, "dpas_cycles_per_row": 1,
    "load_store_bytes": 512, "lines_per_cycle": 1, "memory_bytes": 1e9, "memory_read_bytes": 0,
    "cache_bytes": 1 << 16, "shared_bytes": 1 << 12,
}  # fmt: skip
#: 16 lanes; one lane takes the shorter one.
ADD_LATENCY, SCALAR_LATENCY, FLAG_LATENCY, MATH_LATENCY = 11, 10, 16, 21
SHARED_LATENCY, NEAR_LATENCY, FAR_LATENCY = 28, 45, 200
DPAS_LATENCY, BRANCH_LATENCY, BARRIER_LATENCY = 29, 23, 30

ADD = "add (16|M0) r10.0<1>:f r10.0<1;1,0>:f r11.0<1;1,0>:f"
MATH = "math.inv (16|M0) r12.0<1>:f r11.0<1;1,0>:f"
DPAS = "dpas.8x8 (16|M0) r64:f r64:f r80:bf r96.0:bf"
LOAD = f"send.ugm (16|M0) r40 r20 null:0 0x0 0x{3 << 7 | 2 << 9 | 2 << 25 | 1 << 20:X}"
PREFETCH = f"send.ugm (16|M0) null r20 null:0 0x0 0x{3 << 7 | 2 << 9 | 2 << 25:X}"
SHARED_LOAD = "send.slm (16|M0) r40 r30 null:0 0x0 0x02100500"
SIGNAL = "(W) send.gtwy (1|M0) null r8 null:0 0x0 0x02000004"
WAIT = "(W) sync.bar 0x0"


@dataclass
class Modelled:
    """The results of the model."""

    cycles: int
    #: Cycles of the whole launch, threads that were cut off included.
    launch_cycles: int
    instructions: Sequence[tuple[int, int, Sequence[int]]]

    def stalls(self, index: int) -> dict[str, int]:
        """Return the cycles that an instruction waited, by cause."""
        return {
            name: count
            for name, count in zip(_simulator.STALLS, self.instructions[index][2], strict=True)
            if count
        }  # fmt: skip


def model(
    lines: Sequence[str], threads: int = 1, registers: Mapping[int, np.ndarray] | None = None, **chip: object
) -> Modelled:
    """Run lines, the end of the thread after them, and query the model. The end issues one cycle after the last one.

    Registers are those of all threads, and from 256 on those of the second one.
    """
    content = np.zeros((threads, REGISTERS, REGISTER_BYTES), np.uint8)
    content[:, 8].view(np.uint32)[:, 2] = threads << 24 | threads << 16
    for number, array in (registers or {}).items():
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        begin = number % REGISTERS * REGISTER_BYTES
        chosen = slice(None) if number < REGISTERS else number // REGISTERS
        content.reshape(threads, -1)[chosen, begin : begin + raw.size] = raw
    code = assemble("\n".join([*lines, END]) + "\n")
    found = _simulator.model_code(
        code, "xehpc", content.tobytes(), 0xFFFF, 1 << 12, _simulator.ChipModel(**(CHIP | chip))
    )
    assert found["threads"] == threads
    return Modelled(found["core_cycles"], found["cycles"], found["instructions"])


def at(memory: np.ndarray, stride: int) -> dict[int, np.ndarray]:
    """Return addresses of 16 lanes, in bytes apart."""
    return {20: memory.ctypes.data + stride * np.arange(16, dtype=np.uint64)}


def aligned(size: int) -> np.ndarray:
    """Return bytes that begin a line."""
    raw = np.zeros(size + 64, np.uint8)
    begin = -raw.ctypes.data % 64
    return raw[begin : begin + size]


@pytest.mark.parametrize("count", [1, 2, 5, 20])
def test_dependent_instructions(count: int) -> None:
    """A chain takes the latency for each link."""
    assert model([ADD + " {F@1}"] * count).cycles == (count - 1) * ADD_LATENCY + 2
    assert model([MATH + " {M@1}"] * count).cycles == (count - 1) * MATH_LATENCY + 2


def test_distances() -> None:
    """A distance lets younger instructions of the pipe be."""
    for distance in range(1, 8):
        found = model([ADD] * 7 + [ADD + f" {{F@{distance}}}"])
        # The one that is waited for has issued in this cycle.
        issued = 7 - distance
        assert found.cycles == max(issued + ADD_LATENCY, 7) + 2
        assert found.stalls(7) == ({"pipe": issued + ADD_LATENCY - 7} if issued + ADD_LATENCY > 7 else {})


def test_independent_instructions() -> None:
    """They are bound by issue: one per cycle, and wide ones or math more."""
    wide = "add (32|M0) r10.0<1>:f r12.0<1;1,0>:f r14.0<1;1,0>:f"
    assert model([ADD] * 10).cycles == 11
    assert model([wide] * 10).cycles == 2 * 9 + 2
    assert model([MATH] * 10).cycles == 4 * 9 + 2
    assert model([ADD] * 10, lanes_per_cycle=8).cycles == 2 * 9 + 2
    assert model([MATH] * 2).stalls(1) == {"busy": 3}
    # Different pipes do not wait for each other.
    assert model([MATH, ADD] * 2).cycles == 4 + 1 + 2


def test_flags_are_interlocked() -> None:
    """Nothing in the code states it, but a predicate waits for its flag."""
    compare = "cmp (16|M0) (gt)f0.0 null<1>:f r10.0<1;1,0>:f r11.0<1;1,0>:f"
    choose = "(f0.0) sel (16|M0) r12.0<1>:f r10.0<1;1,0>:f r11.0<1;1,0>:f"
    assert model([compare, choose]).cycles == FLAG_LATENCY + 2
    assert model([compare, ADD]).cycles == 3


def test_threads_overlap() -> None:
    """While one waits another issues, up to the rate of the pipe."""
    chain = [ADD + " {F@1}"] * 10
    assert model(chain, threads=1).cycles == 9 * ADD_LATENCY + 2
    # One cycle later, at every link.
    assert model(chain, threads=2).cycles == 9 * ADD_LATENCY + 2 + 1
    assert model(chain, threads=8).cycles == 9 * ADD_LATENCY + 2 + 7
    assert model([ADD] * 100, threads=8).cycles == pytest.approx(800, rel=0.02)
    # Engines do not share their pipes.
    assert model([ADD] * 100, threads=8, engines=8).cycles == 101


def test_dpas() -> None:
    """The array takes a row per cycle; a token waits for the whole result."""
    assert model([DPAS] * 6).cycles == 5 * 8 + 2
    waiting = [f"{DPAS} {{$0}}", "(W) sync.nop null {$0.dst}"] * 3
    found = model(waiting)
    assert found.cycles == 3 * (DPAS_LATENCY + 1) + 1
    assert found.stalls(1) == {"dpas": DPAS_LATENCY - 1}
    assert model([DPAS] * 6, dpas_cycles_per_row=2).cycles == 5 * 16 + 2


def test_loads() -> None:
    """The first one of a line comes from far, the next one from L1; an add waits for them."""
    memory = aligned(1 << 12)
    add = ADD.replace("r11", "r40") + " {$0.dst}"
    first = model([LOAD + " {$0}", add], registers=at(memory, 4))
    assert first.cycles == FAR_LATENCY + 2
    assert first.stalls(1) == {"message": FAR_LATENCY - 1}
    again = model([LOAD + " {$0}", add] * 2, registers=at(memory, 4))
    assert again.cycles == FAR_LATENCY + NEAR_LATENCY + 3
    without = model([LOAD + " {$0}", add] * 2, registers=at(memory, 4), cache_bytes=1 << 12)
    assert without.cycles == 2 * FAR_LATENCY + 3, "shared memory takes all of it"


def test_cache_controls() -> None:
    """A load that L1 does not keep comes from far every time, and fills nothing."""
    memory = aligned(1 << 12)
    load = [LOAD + " {$0}", "(W) sync.allwr null"]
    descriptor = int(LOAD.rpartition("0x")[2], 16)
    for control, is_kept in ((0, True), (1, False), (2, False), (3, True), (4, True)):
        other = [LOAD.rpartition("0x")[0] + f"0x{descriptor | control << 17:X} {{$0}}", load[1]]
        again = NEAR_LATENCY if is_kept else FAR_LATENCY
        assert model(other * 2, registers=at(memory, 4)).cycles == FAR_LATENCY + again + 3
        assert model(other + load, registers=at(memory, 4)).cycles == FAR_LATENCY + again + 3


def test_prefetches() -> None:
    """The data of a prefetch has arrived when the load comes, or on its way."""
    memory = aligned(1 << 12)
    load = [LOAD + " {$0}", "(W) sync.allwr null"]
    assert model([PREFETCH, *load], registers=at(memory, 4)).cycles == FAR_LATENCY + 2
    late = [PREFETCH, *[ADD + " {F@1}"] * 30, *load]
    # The load issues one cycle after the last add, the first of which issued in cycle 1.
    assert model(late, registers=at(memory, 4)).cycles == 1 + 29 * ADD_LATENCY + 1 + NEAR_LATENCY + 2


def test_lines_queue() -> None:
    """A message of more lines takes longer, and a narrow path more so."""
    memory = aligned(1 << 12)
    lines = [LOAD + " {$0}", "(W) sync.allwr null"]
    cycles = [model(lines, registers=at(memory, stride)).cycles for stride in (4, 8, 16, 32, 64)]
    assert cycles == sorted(set(cycles))
    slow = model(lines, registers=at(memory, 64), lines_per_cycle=0.25)
    # 16 lines, the last one 60 cycles after the first; 1024 bytes pass the path to registers in two cycles.
    assert slow.cycles == FAR_LATENCY + 60 + 2 + 2
    assert slow.stalls(1) == {"message": FAR_LATENCY - 1, "queue": 62}


def test_bank_conflicts() -> None:
    """More conflicts, more cycles."""
    lines = [SHARED_LOAD + " {$0}", "(W) sync.allwr null"]
    offsets = np.arange(16, dtype=np.uint32)
    cycles = [model(lines, registers={30: offsets * 4 * step}).cycles for step in (1, 2, 4, 8, 16)]
    assert cycles == [SHARED_LATENCY + conflicts + 2 for conflicts in (0, 1, 3, 7, 15)]


def test_branches() -> None:
    found = model(["(W) jmpi (1|M0) LEND", "LEND:", ADD])
    assert found.cycles == BRANCH_LATENCY + 2
    assert found.stalls(1) == {"branch": BRANCH_LATENCY - 1}


def test_barriers() -> None:
    """All wait for the last one."""
    assert model([SIGNAL, WAIT], threads=1).cycles == BARRIER_LATENCY + 2
    # Of eight threads the last one signals in cycle 7. At the end they send one after the other again.
    found = model([SIGNAL, WAIT], threads=8)
    assert found.cycles == 7 + BARRIER_LATENCY + 2 + 7
    assert found.stalls(1)["barrier"] == sum(7 + BARRIER_LATENCY - thread - 1 for thread in range(8))
    # One that comes later, after a separate chain, holds up the others.
    skip = ["cmp (1|M0) (eq)f0.0 null<1>:ud r9.0<0;1,0>:ud 0:uw", "(W&f0.0) jmpi (1|M0) LBARRIER"]
    late = [*skip, *[ADD + " {F@1}"] * 30, "LBARRIER:", SIGNAL, WAIT]
    # Registers of the second thread lie after those of the first.
    second = {REGISTERS + 9: np.ones(1, np.uint32)}
    found = model(late, threads=2, registers=second)
    assert found.instructions[2][1] == 1, "only the second thread runs the chain"
    assert found.cycles > 29 * ADD_LATENCY + BARRIER_LATENCY
    assert found.stalls(33)["barrier"] > 29 * ADD_LATENCY


def test_long_threads_are_cut_off() -> None:
    """An unrecorded part goes on as it began. Threads without an end are not waited for."""
    chain = [ADD + " {F@1}"] * 99
    whole, part = model(chain), model(chain, max_recorded=50)
    assert sum(issued for _, issued, _ in part.instructions) == 50
    assert part.cycles == 49 * ADD_LATENCY + 1
    assert part.launch_cycles == 2 * part.cycles
    assert part.launch_cycles == pytest.approx(whole.launch_cycles, rel=0.02)
    barriers = [*[ADD + " {F@1}"] * 5, SIGNAL, WAIT] * 4
    cycles = [model(barriers, threads=3, max_recorded=3 * count).launch_cycles for count in range(1, 30)]
    assert cycles[-1] == model(barriers, threads=3).cycles
    assert max(cycles) < 3 * cycles[-1]


def test_same_every_time() -> None:
    memory = aligned(1 << 12)
    lines = [LOAD + " {$0}", ADD + " {$0.dst}", MATH, SIGNAL, WAIT, ADD + " {F@1}"]
    found = [model(lines, threads=8, engines=2, registers=at(memory, 64)) for _ in range(3)]
    assert found[0] == found[1] == found[2]


def test_cycles_are_accounted_for() -> None:
    """The cycles in which threads issue and wait are all of the time until they end."""
    memory = aligned(1 << 12)
    found = model([LOAD + " {$0}", ADD + " {$0.dst}", MATH, SIGNAL, WAIT], registers=at(memory, 64))
    assert sum(issued + sum(stalls) for _, issued, stalls in found.instructions) == found.cycles
