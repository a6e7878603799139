# SPDX-License-Identifier: MIT
"""The simulator's checks find a fault in a piece of code that commits it, and none in its neighbour that does not."""

from __future__ import annotations

import numpy as np
import pytest
from support import needs_ocloc
from xe_assembly import END, REGISTER_BYTES, REGISTERS, assemble

from triton_xe import _simulator, errors

pytestmark = needs_ocloc

#: Writes r10 to r12, and waits.
SETUP = """
(W) mov (16|M0) r10.0<1>:ud 1:uw
(W) mov (16|M0) r11.0<1>:ud 2:uw
(W) mov (16|M0) r12.0<1>:f 1.0:f
(W) sync.nop null {A@1}
"""
#: A load of shared memory that was written: the message takes r20, r21 is what comes back.
SHARED = """
(W) mov (16|M0) r20.0<1>:ud 0:uw
(W) mov (16|M0) r22.0<1>:ud 7:uw
(W) send.slm (1|M0) null r20 r22:1 0x0 0x02000504 {A@1,$0}
(W) sync.allwr null
"""


def run(text: str, threads: int = 1, indirect_data: bytes = b"") -> None:
    """Watch a piece of code."""
    registers = np.zeros((threads, REGISTERS, REGISTER_BYTES), np.uint8)
    for index in range(threads):
        registers[index, 0].view(np.uint32)[2] = index | threads << 24
    code = assemble(f"{text}\n(W) sync.nop null {{A@1}}\n{END}\n")
    _simulator.run_code(
        code, "xehpc", registers.tobytes(), 0xFFFF, shared_bytes=256, indirect_data=indirect_data, checks=True
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # An address, data for memory, the lanes of a branch and a barrier's word that were never written.
        ("send.slm (16|M0) r21 r30 null:0 0x0 0x02100500 {$0}", r"its address in lane 0 \(r30, byte 0\)"),
        (
            "mov (16|M0) r20.0<1>:ud 0:uw\nsend.slm (1|M0) null r20 r31:1 0x0 0x02000504 {A@1,$0}",
            r"its data in lane 0 \(r31, byte 0\)",
        ),
        ("(f1.0) goto (16|M0) L1 L1\nL1:\njoin (16|M0) L2\nL2:\nnop", "its predicate was never written for lane 0"),
        ("(W) send.gtwy (1|M0) null r33 null:0 0x0 0x02000004 {$0}", "the barrier's word"),
        # Values that are computed from it are not defined either.
        (
            "add (16|M0) r34.0<1>:ud r10.0<1;1,0>:ud r35.0<1;1,0>:ud\n"
            "send.slm (16|M0) r21 r34 null:0 0x0 0x02100500 {A@1,$0}",
            r"its address in lane 0 \(r34",
        ),
        # A float that is not a number differs from itself, and two registers need not be equal.
        (
            "cmp (16|M0) (eq)f0.0 null<1>:f r35.3<0;1,0>:f r35.3<0;1,0>:f\n"
            "(f0.0) goto (16|M0) L1 L1 {A@1}\nL1:\njoin (16|M0) L2\nL2:\nnop",
            "its predicate was never written",
        ),
        (
            "cmp (16|M0) (eq)f0.0 null<1>:ud r35.3<0;1,0>:ud r35.4<0;1,0>:ud\n"
            "(f0.0) goto (16|M0) L1 L1 {A@1}\nL1:\njoin (16|M0) L2\nL2:\nnop",
            "its predicate was never written",
        ),
        # The upper half of a narrow load is open on this chip.
        (
            SHARED + "(W) send.slm (1|M0) r21 r20 null:0 0x0 0x02100B00 {A@1,$1}\n(W) sync.allwr null\n"
            "(W) send.slm (1|M0) null r20 r21:1 0x0 0x02000504 {$2}",
            r"its data in lane 0 \(r21",
        ),
    ],
)
def test_undefined_registers(text: str, found: str) -> None:
    with pytest.raises(errors.MachineCodeError, match=found):
        run(SETUP + text)


@pytest.mark.parametrize(
    "text",
    [
        # Copies, masks and selections make no use of what they leave out.
        "mov (16|M0) r34.0<1>:ud r35.0<1;1,0>:ud",
        "and (16|M0) r34.0<1>:ud r35.0<1;1,0>:ud 0:uw\nsend.slm (1|M0) null r34 r10:1 0x0 0x02000504 {A@1,$0}",
        "cmp (16|M0) (eq)f0.0 null<1>:ud r10.0<1;1,0>:ud r10.0<1;1,0>:ud {A@1}\n"
        "(f0.0) sel (16|M0) r34.0<1>:ud r11.0<1;1,0>:ud r35.0<1;1,0>:ud {A@1}\n"
        "(W) mov (16|M0) r20.0<1>:ud 0:uw\n"
        "send.slm (1|M0) null r20 r34:1 0x0 0x02000504 {A@1,$0}",
        # An integer equals itself.
        "cmp (16|M0) (eq)f0.0 null<1>:ud r35.3<0;1,0>:ud r35.3<0;1,0>:ud\n(W) mov (16|M0) r20.0<1>:ud 0:uw\n"
        "(W) mov (1|M0) r34.0<1>:ud f0.0<0;1,0>:uw {A@1}\n(W) send.slm (1|M0) null r20 r34:1 0x0 0x02000504 {A@1,$0}",
    ],
)
def test_undefined_registers_that_nobody_uses(text: str) -> None:
    run(SETUP + text)


HAZARDS = {
    "result of a pipe": (
        "add (16|M0) r13.0<1>:f r12.0<1;1,0>:f r12.0<1;1,0>:f",
        "mov (16|M0) r14.0<1>:f r13.0<1;1,0>:f {wait}",
        "F@1",
        r"it reads r13 \(byte 0\) while `add` at 0x[0-9a-f]+ may still write it",
    ),
    "distance that is too large": (
        "add (16|M0) r13.0<1>:f r12.0<1;1,0>:f r12.0<1;1,0>:f\nadd (16|M0) r15.0<1>:f r12.0<1;1,0>:f r12.0<1;1,0>:f",
        "mov (16|M0) r14.0<1>:f r15.0<1;1,0>:f {wait}",
        "F@1",
        r"it reads r15",
    ),
    "result of another pipe that is overwritten": (
        "math.inv (16|M0) r13.0<1>:f r12.0<1;1,0>:f",
        "mov (16|M0) r13.0<1>:ud r10.0<1;1,0>:ud {wait}",
        "M@1",
        r"it writes r13 \(byte 0\) while `math` at 0x[0-9a-f]+ may still write it",
    ),
    "answer of a message": (
        SHARED + "send.slm (1|M0) r21 r20 null:0 0x0 0x02100500 {$3}",
        "mov (1|M0) r14.0<1>:ud r21.0<0;1,0>:ud {wait}",
        "$3.dst",
        r"it reads r21 \(byte 0\) while `send` at 0x[0-9a-f]+ may still write it",
    ),
    "payload of a message": (
        SHARED + "send.slm (1|M0) null r20 r10:1 0x0 0x02000504 {$4}",
        "mov (16|M0) r10.0<1>:ud r11.0<1;1,0>:ud {wait}",
        "$4.src",
        r"it writes r10 \(byte 0\) while `send` at 0x[0-9a-f]+ may still read it",
    ),
    "weights of a dpas": (
        "".join(f"(W) mov (16|M0) r{number}.0<1>:ud 0:uw\n" for number in range(40, 53))
        + "(W) sync.nop null {A@1}\ndpas.8x8 (16|M0) r60:f null:f r40:bf r48.0:bf {$5}",
        "mov (16|M0) r47.0<1>:ud r10.0<1;1,0>:ud {wait}",
        "$5.src",
        r"it writes r47 \(byte 0\) while `dpas` at 0x[0-9a-f]+ may still read it",
    ),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_missing_waits(name: str) -> None:
    """An instruction without its wait is found; with it, it is not."""
    before, instruction, wait, found = HAZARDS[name]
    with pytest.raises(errors.MachineCodeError, match=found):
        run(SETUP + before + "\n" + instruction.replace(" {wait}", ""))
    run(SETUP + before + "\n" + instruction.replace("{wait}", "{" + wait + "}"))


#: Lane 0 stores to shared memory, by threads of the numbers that a predicate lets through.
BARRIER = """
(W) mov (16|M0) r60.0<1>:ud 0:uw
(W) mov (1|M0) r60.8<1>:uw 0:uw
(W) mov (2|M0) r60.10<1>:ub r0.11<0;1,0>:ub
(W) mov (1|M0) r60.9<1>:ub 0:uw
(W) mov (1|M0) r60.8<1>:ub 0:uw
(W) send.gtwy (1|M0) null r60 null:0 0x0 0x02000004 {A@1,$20}
(W) sync.bar 0x0
"""
STORE_OF_FIRST = """
(W) and (1|M0) r61.0<1>:uw r0.4<0;1,0>:uw 0xFF:uw
(W) cmp (1|M0) (ne)f1.0 null<1>:uw r61.0<0;1,0>:uw 0:uw {A@1}
(W) mov (16|M0) r20.0<1>:ud 0:uw
(W) mov (16|M0) r22.0<1>:ud 7:uw
(W) sync.nop null {A@1}
(W&f1.0) jmpi L1
(W) send.slm (1|M0) null r20 r22:1 0x0 0x02000504 {$0}
L1:
"""
LOAD = "(W) send.slm (1|M0) r21 r20 null:0 0x0 0x02100500 {$1}\n(W) sync.allwr null\n"


def test_shared_memory_race() -> None:
    """A load of what another sub-group stores needs a barrier in between; so does a store after a load."""
    with pytest.raises(errors.DataRaceError, match=r"a load of byte 0 .*, which sub-group 0 wrote with no barrier"):
        run(STORE_OF_FIRST + LOAD, threads=2)
    run(STORE_OF_FIRST + BARRIER + LOAD, threads=2)
    number = "(W) and (16|M0) r22.0<1>:ud r0.2<0;1,0>:ud 0xFF:uw\n"
    with pytest.raises(errors.DataRaceError, match=r"a store of byte 0 .*, which sub-group 0 wrote with no barrier"):
        run(SHARED.replace("(W) mov (16|M0) r22.0<1>:ud 7:uw\n", number), threads=2)
    # All of them may raise the same flag.
    run(SHARED, threads=2)


def test_shared_memory_that_nobody_wrote() -> None:
    with pytest.raises(errors.MemoryAccessError, match="a load of byte 0 of shared local memory, which was never"):
        run("(W) mov (16|M0) r20.0<1>:ud 0:uw\n(W) sync.nop null {A@1}\n" + LOAD)


def test_shared_memory_that_is_not_there() -> None:
    with pytest.raises(errors.LaunchError, match="byte 256 of shared local memory, which has 256 bytes"):
        run("(W) mov (16|M0) r20.0<1>:ud 256:uw\n(W) sync.nop null {A@1}\n" + LOAD)


def test_misaligned_vector() -> None:
    text = "(W) mov (16|M0) r20.0<1>:ud 2:uw\n(W) send.slm (1|M0) r21 r20 null:0 0x0 0x0210D500 {A@1,$1}"
    with pytest.raises(errors.LaunchError, match="an address that is no multiple of 4"):
        run(text)


def test_barrier_that_nobody_waits_for() -> None:
    with pytest.raises(errors.BarrierError, match="after 1 signals of its barrier and 0 waits"):
        run(BARRIER.replace("(W) sync.bar 0x0", ""))
    run(BARRIER)


def test_barrier_that_nobody_comes_to() -> None:
    """Both sub-groups are counted, one of them jumps over the signal."""
    text = STORE_OF_FIRST.replace("(W) send.slm (1|M0) null r20 r22:1 0x0 0x02000504 {$0}\n", BARRIER)
    with pytest.raises(errors.LaunchError, match="a barrier that no other sub-group comes to"):
        run(text, threads=2)


def test_lanes_that_are_left_behind() -> None:
    """The thread ends while lanes wait at a place that it never comes to."""
    text = (
        "cmp (16|M0) (lt)f0.0 null<1>:uw r50.0<1;1,0>:uw 8:uw\n(f0.0) goto (16|M0) L2 L1\nL2:\n"
        + END
        + "\nL1:\njoin (16|M0) L3\nL3:\n"
    )
    setup = "(W) mov (8|M0) r50.0<1>:uw 0x76543210:v\n(W) add (8|M0) r50.8<1>:uw r50.0<1;1,0>:uw 8:uw {A@1}\n"
    with pytest.raises(errors.LaunchError, match="some lanes have not come to the end of the thread"):
        run(setup + "(W) sync.nop null {A@1}\n" + text)
