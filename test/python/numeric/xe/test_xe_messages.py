# SPDX-License-Identifier: MIT
"""Messages of Xe on the simulator: gathers and scatters, atomics, scratch, fences, barriers.

Memory is that of this process: an address in the flat space is a pointer to a numpy array.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from support import needs_ocloc
from xe_assembly import POISON, REGISTER_BYTES, run, wrap

from triton_xe import errors

pytestmark = needs_ocloc

LOAD, STORE = 0, 4
#: Code of a descriptor, bytes in memory, bytes in a register, and whether it is the upper half there.
SIZES = {
    "d8": (0, 1, 1, False), "d16": (1, 2, 2, False), "d32": (2, 4, 4, False), "d64": (3, 8, 8, False),
    "d8u32": (4, 1, 4, False), "d16u32": (5, 2, 4, False), "d16u32h": (6, 2, 4, True),
}  # fmt: skip
VECTORS = {1: 0, 2: 1, 3: 2, 4: 3, 8: 4, 16: 5, 32: 6, 64: 7}
ADDRESSES, DATA, RESULT = 10, 20, 60
MEMORY_BYTES = 4096


@dataclass
class Access:
    """A gather or scatter, as the tables of the descriptor have it."""

    operation: int
    size: str
    vector: int
    lanes: int
    space: str
    transposed: bool = False

    @property
    def address_bytes(self) -> int:
        return 8 if self.space == "flat" else 4

    @property
    def width(self) -> int:
        """Return the number of lanes that a payload has room for."""
        return 32 if self.lanes > 16 else 16

    @property
    def slice_bytes(self) -> int:
        """Return the bytes of whole registers that each element of the vector takes."""
        return -(-self.width * SIZES[self.size][2] // REGISTER_BYTES) * REGISTER_BYTES

    @property
    def data_registers(self) -> int:
        if self.transposed:
            return -(-self.vector * SIZES[self.size][2] // REGISTER_BYTES)
        return self.vector * self.slice_bytes // REGISTER_BYTES

    def place(self, lane: int, element: int) -> int:
        """Return where an element is in the data payload."""
        if self.transposed:
            return element * SIZES[self.size][2]
        return element * self.slice_bytes + lane * SIZES[self.size][2]

    def text(self, prefix: str = "", extended: str | None = None) -> str:
        address_registers = 1 if self.transposed else self.width * self.address_bytes // REGISTER_BYTES
        descriptor = (
            self.operation | (3 if self.address_bytes == 8 else 2) << 7 | SIZES[self.size][0] << 9
            | VECTORS[self.vector] << 12 | int(self.transposed) << 15 | address_registers << 25
        )  # fmt: skip
        function = "slm" if self.space == "slm" else "ugm"
        if self.space == "scratch":
            descriptor |= 2 << 29
        elif self.space == "indirect":
            descriptor |= 3 << 29
        extended = extended or {"scratch": "a0.2", "indirect": "0xFF000000"}.get(self.space, "0x0")
        destination, data = "null", "null:0"
        if self.operation == LOAD:
            descriptor |= self.data_registers << 20
            destination = f"r{RESULT}"
        else:
            data = f"r{DATA}:{self.data_registers}"
        lanes = 1 if self.transposed else self.lanes
        return f"{prefix}send.{function} ({lanes}|M0) {destination} r{ADDRESSES} {data} {extended} 0x{descriptor:08X}"


def aligned(size: int) -> np.ndarray:
    """Return bytes whose address is a multiple of 64."""
    raw = np.zeros(size + 64, np.uint8)
    begin = -raw.ctypes.data % 64
    return raw[begin : begin + size]


#: Makes the scratch surface's descriptor in a0.2, as the compiler does.
SCRATCH = "(W) and (1|M0) r5.0<1>:ud r0.5<0;1,0>:ud 0xFFFFFC00:ud\n(W) shr (1|M0) a0.2<1>:ud r5.0<0;1,0>:ud 0x4:uw\n"


def shapes(space: str) -> list[tuple[str, int, int, bool]]:
    """Return sizes, vector sizes, lanes, and whether transposed."""
    found = []
    for size in ("d8", "d16", "d32", "d64", "d8u32", "d16u32", "d16u32h"):
        for vector in (1, 2, 3, 4, 8) if size in ("d32", "d64") else (1,):
            for lanes in (1, 8, 16, 32):
                access = Access(LOAD, size, vector, lanes, space)
                if access.data_registers <= 31:
                    found.append((size, vector, lanes, False))
    found += [
        (size, vector, 1, True) for size in ("d32", "d64") for vector in VECTORS if vector * SIZES[size][1] <= 256
    ]
    return found


def draw_offsets(generator: random.Random, access: Access) -> list[int]:
    """Draw places that do not overlap, naturally aligned, in any order."""
    bytes_of_lane = SIZES[access.size][1] * access.vector
    step = 1 << (bytes_of_lane - 1).bit_length()
    step = max(step, SIZES[access.size][1])
    return [place * step for place in generator.sample(range(MEMORY_BYTES // step), access.lanes)]


def check_access(generator: random.Random, access: Access, platform: str) -> None:
    memory = aligned(MEMORY_BYTES)
    memory[:] = np.frombuffer(generator.randbytes(MEMORY_BYTES), np.uint8)
    before = memory.copy()
    offsets = draw_offsets(generator, access)
    bases = [memory.ctypes.data if access.space == "flat" else 0] * access.lanes
    if access.space == "slm":
        # Pointers of the compiler may have a bit that hardware ignores.
        bases = [generator.choice((0, 1 << 28)) for _ in bases]
    live, flag = generator.getrandbits(32) | 1, generator.getrandbits(32)
    if access.transposed:
        flag = generator.getrandbits(1) | flag & ~1
    prefix, enabled = generator.choice(
        (("", live), ("(W) ", 0xFFFFFFFF), ("(f1.0) ", live & flag), ("(W&~f1.0) ", ~flag))
    )
    addresses = np.array(
        [base + offset for base, offset in zip(bases, offsets, strict=True)],
        np.uint64 if access.address_bytes == 8 else np.uint32,
    )
    data = np.frombuffer(generator.randbytes(32 * REGISTER_BYTES), np.uint8)
    registers = {0: np.array([0, 0, 0, 0, 0, 0x12345400 | 7], np.uint32), ADDRESSES: addresses, DATA: data}
    _, in_memory, in_register, is_upper = SIZES[access.size]
    expected = np.full(32 * REGISTER_BYTES, POISON, np.uint8)
    ignored = np.zeros(expected.size, bool)
    for lane, offset in enumerate(offsets):
        if not enabled >> lane & 1:
            continue
        for element in range(access.vector):
            place, start = access.place(lane, element), offset + element * in_memory
            shift = 2 if is_upper else 0
            if access.operation == LOAD:
                value = np.zeros(in_register, np.uint8)
                value[shift : shift + in_memory] = before[start : start + in_memory]
                expected[place : place + in_register] = value
                if in_register > in_memory and platform == "xehpc" and not is_upper:
                    # Xe-HPC leaves them undefined.
                    ignored[place + in_memory : place + in_register] = True
            else:
                memory_after = data[place + shift : place + shift + in_memory]
                before[start : start + in_memory] = memory_after
    flags = f"(W) mov (1|M0) f1.0<1>:ud 0x{flag:X}:ud\n"
    # Shared memory and scratch are filled and read by other messages of the same program.
    state = run_in_space(access, flags, prefix, registers, memory, live, platform)
    name = f"{access} {prefix} {live:#x} {flag:#x}"
    if access.operation == LOAD:
        found = state.bytes.reshape(-1)[RESULT * REGISTER_BYTES :][: expected.size]
        assert (found == expected)[~ignored].all(), name
    assert (memory == before).all(), f"{name}: memory"


def copy_text(space: str, operation: int) -> str:
    """Return code that moves all of the memory of a space, in blocks, from or to the address in r2."""
    function, extended = ("slm", "0x0") if space == "slm" else ("ugm", "a0.2")
    outer = "r55", "ugm", "0x0", 3 << 7
    inner = "r56", function, extended, 2 << 7 | (2 << 29 if space == "scratch" else 0)
    source, target = (outer, inner) if operation == STORE else (inner, outer)
    # Of 64 dwords with one address.
    common = 2 << 9 | 7 << 12 | 1 << 15 | 1 << 25
    return f"""
(W) mov (1|M0) r55.0<1>:uq r2.0<0;1,0>:uq
(W) mov (1|M0) r56.0<1>:ud 0x0:ud
LCOPY{operation}:
(W) send.{source[1]} (1|M0) r100 {source[0]} null:0 {source[2]} 0x{source[3] | common | 4 << 20:X}
(W) send.{target[1]} (1|M0) null {target[0]} r100:4 {target[2]} 0x{target[3] | common | STORE:X}
(W) add (1|M0) r55.0<1>:uq r55.0<0;1,0>:uq 0x100:uw
(W) add (1|M0) r56.0<1>:ud r56.0<0;1,0>:ud 0x100:uw
(W) cmp (1|M0) (lt)f3.0 null<1>:ud r56.0<0;1,0>:ud 0x{MEMORY_BYTES:X}:ud
(W&f3.0) jmpi (1|M0) LCOPY{operation}
"""


def run_in_space(
    access: Access, flags: str, prefix: str, registers: dict, memory: np.ndarray, live: int, platform: str
):
    """Run the access with `memory` as its space: its content comes from the array, and goes back to it."""
    text, options = access.text(prefix), {}
    registers = {**registers, 2: np.array([memory.ctypes.data], np.uint64)}
    if access.space == "indirect":
        options["indirect_data"] = memory.tobytes()
    if access.space in ("slm", "scratch"):
        text = f"{copy_text(access.space, STORE)}\n{text}\n{copy_text(access.space, LOAD)}"
        options["shared_bytes"] = MEMORY_BYTES
    return run(f"{SCRATCH if access.space == 'scratch' else ''}{flags}{text}", registers, lanes=live,
               platform=platform, **options)  # fmt: skip


@pytest.mark.parametrize("operation", [LOAD, STORE], ids=["load", "store"])
@pytest.mark.parametrize("space", ["flat", "slm"])
def test_gathers_and_scatters(space, operation):
    generator = random.Random(f"{space} {operation}")
    # Each shape in one of the spaces.
    for size, vector, lanes, transposed in shapes(space)[(space == "slm") ^ (operation == STORE) :: 2]:
        check_access(generator, Access(operation, size, vector, lanes, space, transposed), "xehpc")


@pytest.mark.full
@pytest.mark.parametrize("operation", [LOAD, STORE], ids=["load", "store"])
@pytest.mark.parametrize("platform", ["xehpc", "xe2", "xe3"])
def test_every_shape(platform, operation):
    generator = random.Random(f"{platform} {operation}")
    for _ in range(4):
        for size, vector, lanes, transposed in shapes("flat"):
            check_access(generator, Access(operation, size, vector, lanes, "flat", transposed), platform)


def test_narrow_elements_of_xe2():
    """Their upper bits are zeros."""
    generator = random.Random(1)
    for platform in ("xe2", "xe3"):
        for size in ("d8u32", "d16u32", "d16u32h"):
            check_access(generator, Access(LOAD, size, 1, 16, "flat"), platform)


@pytest.mark.parametrize("platform", ["xe2", "xe3"])
def test_offsets_of_xe2(platform):
    """The offsets in the instruction are bytes, with a sign."""
    generator = random.Random(platform)
    memory = aligned(MEMORY_BYTES)
    memory[:] = np.frombuffer(generator.randbytes(MEMORY_BYTES), np.uint8)
    for offset in (4, 0x7FFFC, -4, -0x80000):
        places = [4 * place for place in generator.sample(range(MEMORY_BYTES // 4), 16)]
        addresses = np.array([memory.ctypes.data + place - offset for place in places], np.uint64)
        text = Access(LOAD, "d32", 1, 16, "flat").text(extended=f"0x{(offset & 0xFFFFF) << 12:X}")
        state = run(text, {ADDRESSES: addresses}, platform=platform)
        assert state.read(RESULT, "ud", 16).tolist() == [int(memory.view(np.uint32)[place // 4]) for place in places]


def test_gathered_payloads_of_xe3():
    """The registers of a message are listed, a byte each: first the address, then the data."""
    memory = aligned(256)
    data = np.arange(100, 116, dtype=np.uint32)
    registers = {31: memory.ctypes.data + 8 * np.arange(8, dtype=np.uint64)}
    registers[47] = memory.ctypes.data + 8 * np.arange(8, 16, dtype=np.uint64)
    registers[90] = data
    store = 4 | 3 << 7 | 2 << 9 | 3 << 25
    load = 3 << 7 | 2 << 9 | 2 << 25 | 1 << 20
    text = (
        "(W) mov (1|M0) s0.0<1>:uq 0x5A2F1F:uq\n"
        f"send.ugm (16|M0) null r[s0.0] 0x0 0x{store:08X}\n"
        f"send.ugm (16|M0) r{RESULT} r[s0.0] 0x0 0x{load:08X}"
    )
    state = run(text, registers, platform="xe3")
    assert memory.view(np.uint32)[0:32:2].tolist() == data.tolist()
    assert state.read(RESULT, "ud", 16).tolist() == data.tolist()


@pytest.mark.parametrize("operation", [LOAD, STORE], ids=["load", "store"])
def test_scratch(operation):
    """A surface of the thread's own, whose number is in r0.5."""
    generator = random.Random(operation)
    for size, vector, lanes, transposed in (
        ("d32", 1, 16, False), ("d32", 4, 16, False), ("d8u32", 1, 32, False), ("d32", 16, 1, True),
        ("d32", 64, 1, True), ("d64", 8, 1, True), ("d64", 1, 16, False),
    ):  # fmt: skip
        check_access(generator, Access(operation, size, vector, lanes, "scratch", transposed), "xehpc")


def test_arguments():
    """The surface 255, which is what the thread starts with."""
    generator = random.Random(2)
    for vector in (8, 16, 32, 64):
        check_access(generator, Access(LOAD, "d32", vector, 1, "indirect", True), "xehpc")
    with pytest.raises(errors.LaunchError, match=r"load.ugm.d32x16t: byte 128 of the arguments, which has 128 bytes"):
        access = Access(LOAD, "d32", 16, 1, "indirect", True)
        run(access.text(), {ADDRESSES: np.array([96], np.uint32)}, indirect_data=bytes(128))


def test_descriptors_in_registers():
    """An address register holds the descriptor, also of one that changes."""
    memory = aligned(256)
    memory[:] = np.arange(256, dtype=np.uint8)
    descriptor = 3 << 7 | 2 << 9 | 2 << 25 | 1 << 20
    text = (
        f"(W) mov (1|M0) a0.0<1>:ud 0x{descriptor:X}:ud\nsend.ugm (16|M0) r60 r10 null:0 0x0 a0.0\n"
        f"(W) mov (1|M0) a0.0<1>:ud 0x{descriptor + (1 << 12) + (1 << 20):X}:ud\n"
        "send.ugm (16|M0) r62 r10 null:0 0x0 a0.0"
    )
    addresses = memory.ctypes.data + 8 * np.arange(16, dtype=np.uint64)
    words = memory.view(np.uint32)
    state = run(text, {ADDRESSES: addresses})
    assert state.read(60, "ud", 16).tolist() == words[0:32:2].tolist()
    assert state.read(62, "ud", 32).tolist() == words[0:32:2].tolist() + words[1:33:2].tolist()


def test_channels_of_quads():
    """Some of four elements, one after the other in registers."""
    memory = aligned(512)
    memory[:] = np.frombuffer(random.Random(5).randbytes(512), np.uint8)
    words = memory.view(np.uint32).reshape(-1, 4)
    addresses = memory.ctypes.data + 16 * np.arange(16, dtype=np.uint64)
    for channels in (0b0001, 0b1010, 0b0111, 0b1111):
        chosen = [channel for channel in range(4) if channels >> channel & 1]
        common = 3 << 7 | 2 << 9 | channels << 12 | 2 << 25
        text = f"send.ugm (16|M0) r{RESULT} r10 null:0 0x0 0x{2 | common | len(chosen) << 20:X}"
        found = run(text, {ADDRESSES: addresses}).read(RESULT, "ud", 16 * len(chosen)).reshape(-1, 16)
        assert (found == words[:16, chosen].T).all()
        data = np.arange(64, dtype=np.uint32) + 1000
        expected = words.copy()
        expected[:16, chosen] = data[: 16 * len(chosen)].reshape(-1, 16).T
        run(f"send.ugm (16|M0) null r10 r20:{len(chosen)} 0x0 0x{6 | common:X}", {ADDRESSES: addresses, DATA: data})
        assert (words == expected).all()


def test_scratch_blocks():
    """The legacy data port, in units of 32 bytes; also of the second thread, which has its own."""
    data = np.arange(256, dtype=np.uint8)
    write = 1 << 25 | 1 << 19 | 1 << 18 | 1 << 17
    read = 1 << 25 | 1 << 19 | 1 << 18
    text = (
        f"(W) send.dc0 (16|M0) null r3 r{DATA}:2 0x0 0x{write | 2 << 12 | 2:X}\n"
        f"(W) send.dc0 (16|M0) null r3 r{DATA + 2}:2 0x0 0x{write | 2 << 12 | 4:X}\n"
        f"(W) send.dc0 (16|M0) r{RESULT} r3 null:0 0x0 0x{read | 4 << 20 | 3 << 12 | 2:X}"
    )
    other = data[::-1].copy()
    state = run(text, [{DATA: data}, {DATA: other}])
    for thread, source in enumerate((data, other)):
        found = state.thread(thread).read(RESULT, "ub", 192)
        # The second write begins in the middle of what the first one wrote.
        assert (found[:64] == source[:64]).all()
        assert (found[64:192] == source[128:256]).all()


def test_scratch_blocks_at_the_end():
    """Compilers read more registers than they have written; past the end, they are undefined. Writes end there."""
    last = 65536 // 32 - 2
    write, read = 1 << 25 | 1 << 19 | 1 << 18 | 1 << 17, 1 << 25 | 1 << 19 | 1 << 18
    store = "(W) send.dc0 (16|M0) null r3 r{data}:{registers} 0x0 0x{descriptor:X}"
    load = "(W) send.dc0 (16|M0) r{result} r3 null:0 0x0 0x{descriptor:X}"
    data = np.arange(256, dtype=np.uint8)
    text = "\n".join(
        (
            store.format(data=DATA, registers=1, descriptor=write | 1 << 12 | last),
            load.format(result=RESULT, descriptor=read | 4 << 20 | 3 << 12 | last),
        )
    )
    found = run(text, {DATA: data}).thread(0).read(RESULT, "ub", 256)
    assert (found[:64] == data[:64]).all()
    assert (found[64:] == 0xA5).all()
    for text in (
        store.format(data=DATA, registers=2, descriptor=write | 2 << 12 | last),
        load.format(result=RESULT, descriptor=read | 1 << 20 | 1 << 12 | last + 2),
    ):
        with pytest.raises(errors.LaunchError, match="beyond the 65536 bytes of scratch memory of a thread"):
            run(text, {DATA: data})


def test_scratch_vectors_at_the_end():
    """The same of messages to the surface of scratch memory that have one address: 64 bytes are left for 256."""
    end = 1 << 16
    store = Access(STORE, "d32", 16, 1, "scratch", transposed=True)
    load = Access(LOAD, "d32", 64, 1, "scratch", transposed=True)
    data = np.arange(256, dtype=np.uint8)
    state = {ADDRESSES: np.array([end - 64], np.uint32), 0: np.array([0] * 5 + [0x400], np.uint32), DATA: data}
    found = run(f"{SCRATCH}{store.text()}\n{load.text()}", state).thread(0).read(RESULT, "ub", 256)
    assert (found[:64] == data[:64]).all()
    assert (found[64:] == 0xA5).all()
    wide = Access(STORE, "d32", 64, 1, "scratch", transposed=True)
    for access, begin in ((wide, end - 64), (load, end)):
        with pytest.raises(
            errors.LaunchError, match=f"byte {end} of scratch memory of a thread, which has {end} bytes"
        ):
            run(SCRATCH + access.text(), state | {ADDRESSES: np.array([begin], np.uint32)})


def number_of(bits: int, size: str, kind: str) -> float | int:
    if kind == "float":
        integer = {"d16u32": np.uint16, "d32": np.uint32, "d64": np.uint64}[size]
        return np.array([bits], integer).view({2: np.float16, 4: np.float32, 8: np.float64}[SIZES[size][1]])[0]
    return wrap(bits, {2: "w", 4: "d", 8: "q"}[SIZES[size][1]]) if kind == "signed" else bits


def to_code(value: np.floating) -> int:
    return int(np.array([value]).view({2: np.uint16, 4: np.uint32, 8: np.uint64}[value.dtype.itemsize])[0])


#: Code, data elements, kind of number, and the new value of a cell.
ATOMICS: dict[str, tuple[int, int, str, Callable]] = {
    "iinc": (0x08, 0, "unsigned", lambda old, a, b: old + 1),
    "idec": (0x09, 0, "unsigned", lambda old, a, b: old - 1),
    "load": (0x0A, 0, "unsigned", lambda old, a, b: old),
    "store": (0x0B, 1, "unsigned", lambda old, a, b: a),
    "iadd": (0x0C, 1, "unsigned", lambda old, a, b: old + a),
    "isub": (0x0D, 1, "unsigned", lambda old, a, b: old - a),
    "smin": (0x0E, 1, "signed", lambda old, a, b: min(old, a)),
    "smax": (0x0F, 1, "signed", lambda old, a, b: max(old, a)),
    "umin": (0x10, 1, "unsigned", lambda old, a, b: min(old, a)),
    "umax": (0x11, 1, "unsigned", lambda old, a, b: max(old, a)),
    "icas": (0x12, 2, "unsigned", lambda old, a, b: b if old == a else old),
    "fadd": (0x13, 1, "float", lambda old, a, b: old + a),
    "fsub": (0x14, 1, "float", lambda old, a, b: old - a),
    "fmin": (0x15, 1, "float", lambda old, a, b: min(old, a)),
    "fmax": (0x16, 1, "float", lambda old, a, b: max(old, a)),
    "fcas": (0x17, 2, "float", lambda old, a, b: b if old == a else old),
    "and": (0x18, 1, "unsigned", lambda old, a, b: old & a),
    "or": (0x19, 1, "unsigned", lambda old, a, b: old | a),
    "xor": (0x1A, 1, "unsigned", lambda old, a, b: old ^ a),
}


def draw_cell(generator: random.Random, size: str, kind: str) -> int:
    if kind == "float":
        number = {2: np.float16, 4: np.float32, 8: np.float64}[SIZES[size][1]](generator.uniform(-8, 8))
        return to_code(number)
    return generator.getrandbits(8 * SIZES[size][1])


@pytest.mark.parametrize("space", ["flat", "slm"])
@pytest.mark.parametrize("name", sorted(ATOMICS))
def test_atomics(name, space):
    """Several lanes meet at some cells: the lowest comes first. The old value comes back."""
    code, num_data, kind, combine = ATOMICS[name]
    generator = random.Random(f"{name} {space}")
    for size, lanes in {"flat": (("d32", 16), ("d64", 16), ("d16u32", 32)), "slm": (("d32", 32),)}[space]:
        access = Access(code, size, max(num_data, 1), lanes, space)
        _, in_memory, in_register, _ = SIZES[size]
        memory = aligned(MEMORY_BYTES)
        cells = [draw_cell(generator, size, kind) for _ in range(8)]
        for number, cell in enumerate(cells):
            memory[number * in_memory :][:in_memory] = list(cell.to_bytes(in_memory, "little"))
        chosen = [generator.randrange(8) for _ in range(lanes)]
        operands = [[draw_cell(generator, size, kind) for _ in range(lanes)] for _ in range(2)]
        if num_data == 2:
            # Half of them find what they compare with.
            operands[0] = [cells[cell] if lane % 2 else value
                           for lane, (cell, value) in enumerate(zip(chosen, operands[0], strict=True))]  # fmt: skip
        live = generator.getrandbits(lanes) | 1
        data = np.full(32 * REGISTER_BYTES, 0x77, np.uint8)
        for element in range(num_data):
            for lane in range(lanes):
                place = element * access.slice_bytes + lane * in_register
                data[place : place + in_memory] = list(operands[element][lane].to_bytes(in_memory, "little"))
        returned: list[int | None] = [None] * lanes
        for lane in range(lanes):
            if live >> lane & 1:
                old = returned[lane] = cells[chosen[lane]]
                numbers = [number_of(bits, size, kind) for bits in (old, operands[0][lane], operands[1][lane])]
                new = combine(*numbers)
                cells[chosen[lane]] = to_code(new) if kind == "float" else new % (1 << 8 * in_memory)
        base = memory.ctypes.data if space == "flat" else 0
        addresses = [base + cell * in_memory for cell in chosen]
        registers = {ADDRESSES: np.array(addresses, np.uint64 if space == "flat" else np.uint32), DATA: data}
        for returns in (True, False) if (size, lanes) == ("d32", 16) else (True,):
            initial = memory.copy()
            text = atomic_text(access, num_data, returns)
            state = run_in_space(TextAccess(space, text), "", "", registers, memory, live, "xehpc")
            for number, cell in enumerate(cells):
                found = int.from_bytes(memory[number * in_memory :][:in_memory].tobytes(), "little")
                assert found == cell, f"{name} {size}: cell {number}"
            assert (memory[8 * in_memory :] == initial[8 * in_memory :]).all()
            memory[:] = initial
            raw = state.bytes.reshape(-1)[RESULT * REGISTER_BYTES :]
            for lane, value in enumerate(returned):
                found = int.from_bytes(raw[lane * in_register :][:in_memory].tobytes(), "little")
                poison = int.from_bytes(bytes([POISON] * in_memory), "little")
                assert found == (poison if value is None or not returns else value), f"{name} {size}: lane {lane}"


@dataclass
class TextAccess:
    """A message that is written already."""

    space: str
    message: str

    def text(self, prefix: str) -> str:
        return prefix + self.message


def atomic_text(access: Access, num_data: int, returns: bool) -> str:
    registers = access.slice_bytes // REGISTER_BYTES
    address_registers = access.width * access.address_bytes // REGISTER_BYTES
    descriptor = (
        access.operation | (3 if access.address_bytes == 8 else 2) << 7 | SIZES[access.size][0] << 9
        | address_registers << 25 | (registers << 20 if returns else 0)
    )  # fmt: skip
    data = f"r{DATA}:{num_data * registers}" if num_data else "null:0"
    destination = f"r{RESULT}" if returns else "null"
    function = "slm" if access.space == "slm" else "ugm"
    return f"send.{function} ({access.lanes}|M0) {destination} r{ADDRESSES} {data} 0x0 0x{descriptor:08X}"


def test_prefetches_and_fences():
    """A load without a destination may name any address; of a fence only that it is over comes back."""
    load = Access(LOAD, "d32", 1, 16, "flat")
    registers = {ADDRESSES: np.full(16, 0x1234, np.uint64)}
    prefetch = load.text().replace(f"r{RESULT}", "null")
    text = f"{prefetch}\n(W) send.slm (1|M0) r70 r0 null:0 0x0 0x0210001F\n(W) mov (1|M0) r72.0<1>:d 5:w"
    state = run(text, registers)
    assert (state.read(RESULT, "ub", 64) == POISON).all()
    assert state.read(72, "d", 1)[0] == 5


SIGNAL = "(W) send.gtwy (1|M0) null r{register} null:0 0x0 0x02000004"


def payload(barrier: int, role: int, producers: int, consumers: int) -> np.ndarray:
    """Only the third dword counts."""
    words = np.full(16, 0xDEADBEEF, np.uint32)
    words[2] = barrier | role << 14 | producers << 16 | consumers << 24
    return words


@pytest.mark.parametrize("threads", [1, 2, 7, 16])
def test_barriers(threads):
    """All others read after it the data that one wrote before; several times, as a barrier is used again."""
    store = Access(STORE, "d32", 1, 1, "slm", transposed=True).text("(W) ")
    load = Access(LOAD, "d32", 16, 1, "slm", transposed=True).text("(W) ")
    lines = []
    for phase in range(3):
        lines += [
            f"(W) add (1|M0) r{DATA}.0<1>:d r{DATA}.0<0;1,0>:d {100 * phase}:w",
            store,
            SIGNAL.format(register=8),
            "(W) sync.bar 0x0",
            f"(W) mov (1|M0) r{ADDRESSES + 1}.0<1>:ud r{ADDRESSES}.0<0;1,0>:ud",
            f"(W) mov (1|M0) r{ADDRESSES}.0<1>:ud 0x0:ud",
            load,
            f"(W) mov (16|M0) r{80 + phase}.0<1>:ud r{RESULT}.0<1;1,0>:ud",
            f"(W) mov (1|M0) r{ADDRESSES}.0<1>:ud r{ADDRESSES + 1}.0<0;1,0>:ud",
            SIGNAL.format(register=8),
            "(W) sync.bar 0x0",
        ]
    registers = [
        {
            8: payload(0, 0, threads, threads),
            ADDRESSES: np.array([4 * thread], np.uint32),
            DATA: np.array([thread + 1], np.int32),
        }
        for thread in range(threads)
    ]
    state = run("\n".join(lines), registers, shared_bytes=64)
    for phase, added in enumerate((0, 100, 300)):
        expected = [thread + 1 + added for thread in range(threads)] + [0] * (16 - threads)
        for thread in range(threads):
            assert state.thread(thread).read(80 + phase, "d", 16).tolist() == expected


def test_split_and_named_barriers():
    """Signals run ahead of waits; producers do not wait, and the number may be in a flag."""
    text = (
        "(W) cmp (1|M0) (eq)f0.0 null<1>:d r9.0<0;1,0>:d 0:w\n"
        f"{SIGNAL.format(register=8)}\n(W) mov (1|M0) r20.0<1>:d 1:w\n(f0.0) jmpi (1|M0) LEND\n"
        "(W) mov (1|M0) f1.0<1>:uw 0x5:uw\n(W) sync.bar f1.0\n(W) mov (1|M0) r20.0<1>:d 2:w\nLEND:\n(W) nop"
    )
    # Thread 0 produces only, 1 both, 2 consumes only.
    registers = [{8: payload(5, role, 2, 2), 9: np.array([number], np.int32)} for number, role in enumerate((1, 0, 2))]
    state = run(text, registers)
    assert [int(state.thread(thread).read(20, "d", 1)[0]) for thread in range(3)] == [1, 2, 2]


def test_phases_of_a_barrier():
    """A signal counts once: a consumer that comes twice waits for two signals of its producer."""
    text = (
        "(W) cmp (1|M0) (eq)f0.0 null<1>:d r10.0<0;1,0>:d 0:w\nLAGAIN:\n"
        f"{SIGNAL.format(register=8)}\n(f0.0) jmpi (1|M0) LSKIP\n(W) sync.bar 0x5\nLSKIP:\n"
        "(W) add (1|M0) (gt)f1.0 r9.0<1>:d r9.0<0;1,0>:d -1:w\n(f1.0) jmpi (1|M0) LAGAIN"
    )
    for produced in (2, 1):
        registers = [
            {8: payload(5, 2 - is_producer, 1, 1), 9: np.array([count], np.int32), 10: np.array([1 - is_producer])}
            for is_producer, count in ((0, 2), (1, produced))
        ]
        if produced == 2:
            assert run(text, registers).thread(0).read(9, "d", 1)[0] == 0
            continue
        with pytest.raises(errors.LaunchError, match="a barrier that no other sub-group comes to"):
            run(text, registers)


def test_barriers_that_nobody_releases():
    registers = [{8: payload(0, 0, 3, 3)}] * 2
    with pytest.raises(errors.LaunchError, match="a barrier that no other sub-group comes to"):
        run(f"{SIGNAL.format(register=8)}\n(W) sync.bar 0x0", registers)
    with pytest.raises(errors.LaunchError, match="a barrier that no other sub-group comes to"):
        run("(W) sync.bar 0x3", registers)
    with pytest.raises(errors.LaunchError, match=r"barrier signal.gtwy: there is no such barrier"):
        run(SIGNAL.format(register=8), {8: payload(77, 0, 1, 1)})


def test_accesses_outside():
    access = Access(LOAD, "d32", 1, 16, "slm")
    registers = {ADDRESSES: np.array([0] * 15 + [64], np.uint32)}
    with pytest.raises(errors.LaunchError, match=r"load.slm.d32: byte 64 of shared local memory, which has 64 bytes"):
        run(access.text(), registers, shared_bytes=64)
    # The address of a lane that is off does not matter.
    run(access.text(), registers, lanes=0x7FFF, shared_bytes=64)
    registers = {ADDRESSES: np.array([1 << 16], np.uint32), 0: np.array([0] * 5 + [0x400], np.uint32)}
    with pytest.raises(errors.LaunchError, match="of scratch memory of a thread"):
        run(SCRATCH + Access(LOAD, "d32", 1, 1, "scratch").text(), registers)
    surface = Access(LOAD, "d32", 1, 1, "indirect").text(extended="0x03000000")
    with pytest.raises(errors.LaunchError, match="surface 3 of the binding table"):
        run(surface, registers)


def test_messages_that_are_not_simulated():
    with pytest.raises(errors.LaunchError, match=r"operation 63.ugm: messages of this kind are not simulated"):
        run("(W) send.ugm (1|M0) r20 r10 null:0 0x0 0x0210053F")
    with pytest.raises(errors.LaunchError, match="another function: messages of this kind are not simulated"):
        run("(W) send.dc1 (1|M0) r20 r10 null:0 0x0 0x02100000")


def test_misaligned_atomics():
    memory = aligned(64)
    registers = {ADDRESSES: np.array([memory.ctypes.data + 2], np.uint64), DATA: np.array([1], np.uint32)}
    text = atomic_text(Access(0x0C, "d32", 1, 1, "flat"), 1, returns=False)
    with pytest.raises(errors.LaunchError, match=r"atomic_iadd.ugm.d32: an address that is no multiple of 4"):
        run(text, registers)
