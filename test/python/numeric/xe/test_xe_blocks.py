# SPDX-License-Identifier: MIT
"""2D block messages of Xe on the simulator: every kind of shape, within a surface, across its edges and outside."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest
from support import needs_ocloc
from xe_assembly import POISON, REGISTER_BYTES, run

from triton_xe import errors

pytestmark = needs_ocloc

ADDRESS, DATA, RESULT = 10, 20, 60
SIZE_CODES = {1: 0, 2: 1, 4: 2, 8: 3}
GUARD = 1024


@dataclass
class Surface:
    """A rectangle in memory; what is around it and between its rows must not be touched."""

    memory: np.ndarray
    width: int
    height: int
    pitch: int

    @property
    def base(self) -> int:
        return self.memory.ctypes.data + GUARD

    def place(self, row: int, column_bytes: int) -> int:
        return GUARD + row * self.pitch + column_bytes


def draw_surface(generator: random.Random, size: int) -> Surface:
    alignment = max(4, size)
    width = generator.randrange(64 // alignment, 200 // alignment) * alignment
    pitch = -(-width // 8) * 8 + 8 * generator.choice((0, 1, 8))
    height = generator.randrange(1, 40)
    count = 2 * GUARD + (height + 40) * pitch
    raw = np.frombuffer(bytearray(generator.randbytes(count + 64)), np.uint8)
    begin = -raw.ctypes.data % 64
    return Surface(raw[begin : begin + count], width, height, pitch)


@dataclass
class Block:
    """A message: the size of an element, the shape, and how it is laid out in registers."""

    size: int
    width: int
    height: int
    count: int = 1
    is_vnni: bool = False
    is_transposed: bool = False

    @property
    def group(self) -> int:
        """Return the number of rows that are interleaved: those that make a dword."""
        return 4 // self.size if self.is_vnni else 1

    @property
    def row(self) -> int:
        """Return the number of elements of a row in registers: a power of two."""
        length = self.height if self.is_transposed else self.width
        return 1 << (length - 1).bit_length()

    @property
    def block_elements(self) -> int:
        rows = self.width if self.is_transposed else -(-self.height // self.group) * self.group
        in_register = REGISTER_BYTES // self.size
        return -(-self.row * rows // in_register) * in_register

    @property
    def registers(self) -> int:
        return self.count * self.block_elements * self.size // REGISTER_BYTES

    def index(self, block: int, y: int, x: int) -> int:
        """Return where an element is, in elements from the first register."""
        start = block * self.block_elements
        if self.is_transposed:
            return start + x * self.row + y
        q = self.group
        return start + (y - y % q) * self.row + x * q + y % q

    def text(self, stores: bool, prefix: str = "", registers: int | None = None, extended: int = 0) -> str:
        descriptor = (
            (7 if stores else 3) | int(self.is_vnni) << 7 | SIZE_CODES[self.size] << 9 | int(self.is_transposed) << 15
            | 1 << 25
        )  # fmt: skip
        if stores:
            operands = f"null r{ADDRESS} r{DATA}:{self.registers}"
        else:
            # The field has no room for 32.
            descriptor |= min(self.registers if registers is None else registers, 31) << 20
            operands = f"r{RESULT} r{ADDRESS} null:0"
        return f"{prefix}send.ugm (1|M0) {operands} 0x{extended:X} 0x{descriptor:08X}"

    def payload(self, surface: Surface, x: int, y: int, garbage: int = 0xABC00000) -> np.ndarray:
        words = np.full(16, 0xDEADBEEF, np.uint32)
        words[:2] = np.array([surface.base], np.uint64).view(np.uint32)
        words[2:5] = surface.width - 1, surface.height - 1, surface.pitch - 1
        words[5:7] = np.array([x, y], np.int32).view(np.uint32)
        words[7] = self.width - 1 | (self.height - 1) << 8 | (self.count - 1) << 16 | garbage & 0xFFF00000
        return words


def draw_position(generator: random.Random, block: Block, surface: Surface) -> tuple[int, int]:
    """Draw a position inside, across each edge, or outside, on all sides."""
    columns, rows = surface.width // block.size, surface.height
    step = max(1, 4 // block.size)
    total = block.width * block.count
    x = generator.choice(
        (0, generator.randrange(-total - 8, columns + 8), -total, columns, columns - total // 2, -total // 2, -(10**6))
    )
    y = generator.choice(
        (0, generator.randrange(-block.height - 2, rows + 3), -block.height, rows, rows - 1, -1, 10**6, -(10**6))
    )
    return x // step * step, y


def is_within(surface: Surface, column_bytes: int, row: int) -> bool:
    """Return whether a message reads or writes existing elements."""
    return column_bytes in range(surface.width) and row in range(surface.height)


def check_load(generator: random.Random, block: Block, platform: str = "xehpc") -> None:
    surface = draw_surface(generator, block.size)
    x, y = draw_position(generator, block, surface)
    before = surface.memory.copy()
    expected = np.full(33 * REGISTER_BYTES, POISON, np.uint8)
    expected[: block.registers * REGISTER_BYTES] = 0
    for number in range(block.count):
        for row in range(block.height):
            for column in range(block.width):
                place_x, place_y = x + number * block.width + column, y + row
                is_inside = is_within(surface, place_x * block.size, place_y)
                if is_inside:
                    start = block.index(number, row, column) * block.size
                    place = surface.place(place_y, place_x * block.size)
                    expected[start : start + block.size] = before[place : place + block.size]
    # Chips from Xe2 on add an offset that is in the instruction.
    extended, shift = 0, (0, 0)
    if platform != "xehpc":
        step = max(1, 4 // block.size)
        shift = generator.randrange(-60, 60) * step, generator.randrange(-200, 200)
        extended = (shift[0] & 0x3FF) << 12 | (shift[1] & 0x3FF) << 22
    payload = block.payload(surface, x - shift[0], y - shift[1])
    state = run(block.text(False, extended=extended), {ADDRESS: payload}, platform=platform)
    found = state.bytes.reshape(-1)[RESULT * REGISTER_BYTES :][: expected.size]
    assert (found == expected).all(), f"{block} at {x}, {y} of {surface.width} x {surface.height}"
    assert (surface.memory == before).all()


def check_store(generator: random.Random, block: Block) -> None:
    surface = draw_surface(generator, block.size)
    x, y = draw_position(generator, block, surface)
    data = np.frombuffer(generator.randbytes(block.registers * REGISTER_BYTES), np.uint8)
    expected = surface.memory.copy()
    for row in range(block.height):
        for column in range(block.width):
            place_x, place_y = x + column, y + row
            if is_within(surface, place_x * block.size, place_y):
                start = block.index(0, row, column) * block.size
                place = surface.place(place_y, place_x * block.size)
                expected[place : place + block.size] = data[start : start + block.size]
    run(block.text(True), {ADDRESS: block.payload(surface, x, y), DATA: data})
    assert (surface.memory == expected).all(), f"{block} at {x}, {y} of {surface.width} x {surface.height}"


def plain_blocks(generator: random.Random) -> list[Block]:
    blocks = []
    for size in (1, 2, 4, 8):
        for row_bytes in (4, 8, 16, 32, 64):
            for count in (1, 2, 4):
                if row_bytes >= size and row_bytes * count <= 64:
                    block = Block(size, row_bytes // size, generator.randrange(1, 33), count)
                    while block.registers > 32:
                        block.height -= 1
                    blocks.append(block)
    return blocks


def vnni_blocks(generator: random.Random) -> list[Block]:
    blocks = []
    for size, widths, limit in ((1, (4, 8, 12, 16), 64), (2, (2, 4, 6, 8, 12, 16), 32)):
        for width in widths:
            for count in (1, 2, 4):
                if width * count <= limit:
                    q = 4 // size
                    block = Block(size, width, generator.randrange(1, 32 // q + 1) * q, count, is_vnni=True)
                    while block.registers > 32:
                        block.height -= q
                    blocks.append(block)
    return blocks


def transposed_blocks(generator: random.Random) -> list[Block]:
    blocks = [Block(4, width, generator.randrange(1, 33), is_transposed=True) for width in range(1, 9)]
    blocks += [Block(4, 8, height, is_transposed=True) for height in (1, 8, 16, 32)]
    return blocks + [Block(8, width, 8, is_transposed=True) for width in (1, 2, 4)]


def check_loads(generator: random.Random, blocks: list[Block], repeats: int, platform: str = "xehpc") -> None:
    for block in blocks:
        for _ in range(repeats):
            check_load(generator, block, platform)


@pytest.mark.parametrize("draw", [plain_blocks, vnni_blocks, transposed_blocks])
def test_loads(draw):
    generator = random.Random(draw.__name__)
    check_loads(generator, draw(generator), 3)


@pytest.mark.parametrize("rows", [30, 31, 32])
def test_loads_of_most_registers(rows):
    """The field for the length has 31 for two of them."""
    generator = random.Random(rows)
    check_loads(generator, [Block(4, 16, rows), Block(2, 16, rows, 2), Block(8, 8, rows)], 2)


@pytest.mark.full
@pytest.mark.parametrize("draw", [plain_blocks, vnni_blocks, transposed_blocks])
def test_many_loads(draw):
    generator = random.Random(f"many {draw.__name__}")
    for _ in range(10):
        check_loads(generator, draw(generator), 4)


def test_loads_of_xe2():
    """The instruction has an offset, in elements."""
    generator = random.Random(1)
    blocks = [Block(2, 16, 16, 2), Block(2, 16, 32, 2, is_vnni=True), Block(4, 8, 16, is_transposed=True)]
    check_loads(generator, blocks, 3, "xe2")
    check_loads(generator, blocks[:1], 1, "xe3")


def store_blocks(generator: random.Random) -> list[Block]:
    return [
        Block(size, row_bytes // size, generator.randrange(1, 9))
        for size in (1, 2, 4, 8)
        for row_bytes in (4, 8, 16, 32, 64)
        if row_bytes >= size
    ]


def test_stores():
    generator = random.Random(2)
    for block in store_blocks(generator):
        for _ in range(3):
            check_store(generator, block)


@pytest.mark.full
def test_many_stores():
    generator = random.Random(3)
    for _ in range(40):
        for block in store_blocks(generator):
            check_store(generator, block)


def test_the_first_lane_decides():
    """A message without NoMask is carried out where the first lane runs, all of it or nothing."""
    generator = random.Random(4)
    block = Block(4, 16, 2)
    surface = draw_surface(generator, 4)
    payload = {ADDRESS: block.payload(surface, 0, 0), DATA: np.zeros(32, np.uint32)}
    before = surface.memory.copy()
    state = run(f"{block.text(False)}\n{block.text(True)}", payload, lanes=0xFFFE)
    assert (state.read(RESULT, "ub", 128) == POISON).all()
    assert (surface.memory == before).all()
    state = run(block.text(False, "(W) "), payload, lanes=0xFFFE)
    place = surface.place(0, 0)
    assert (state.read(RESULT, "ub", 64) == before[place : place + 64]).all()
    state = run(block.text(False), payload, lanes=0x0001)
    assert (state.read(RESULT, "ub", 64) == before[place : place + 64]).all()


def test_prefetches():
    """They change no register, and may lie outside."""
    generator = random.Random(5)
    block = Block(2, 32, 16)
    surface = draw_surface(generator, 2)
    text = block.text(False, registers=0).replace(f"r{RESULT} ", "null ")
    state = run(text, {ADDRESS: block.payload(surface, 10**6, -(10**6))})
    assert (state.read(RESULT, "ub", 64) == POISON).all()


RULES = {
    "base": (lambda words: words.__setitem__(0, words[0] + 32), "the surface's base is .*, no multiple of 64"),
    "narrow": (lambda words: words.__setitem__(2, 47), "the surface's width is 48, below 64 bytes"),
    "width": (lambda words: words.__setitem__(2, 64), "the surface's width is 65, below 64 bytes or no multiple of 4"),
    "pitch": (lambda words: words.__setitem__(4, 251), "the surface's pitch is 252, .* no multiple of 8"),
    "short": (lambda words: words.__setitem__(2, 1023), "the surface's pitch is .*, less than its width"),
    "column": (lambda words: words.__setitem__(5, 3), "the surface's first column is 3, .* no multiple of 4 bytes"),
}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_rules_of_surfaces(rule):
    """A message that breaks one is an error that names it: what hardware does then is not defined."""
    generator = random.Random(6)
    block = Block(2, 16, 2)
    words = block.payload(draw_surface(generator, 2), 0, 0)
    breaks, text = RULES[rule]
    run(block.text(False), {ADDRESS: words})
    breaks(words)
    with pytest.raises(errors.LaunchError, match=f"load_block2d.ugm.d16: {text}"):
        run(block.text(False), {ADDRESS: words})


def test_width_of_qwords():
    """A row has whole elements."""
    generator = random.Random(7)
    block = Block(8, 2, 2)
    words = block.payload(draw_surface(generator, 8), 0, 0)
    words[2] = 67
    with pytest.raises(errors.LaunchError, match=r"the surface's width is 68, .* no multiple of 8"):
        run(block.text(False), {ADDRESS: words})


@pytest.mark.parametrize(
    ("block", "stores", "platform"),
    [
        (Block(2, 16, 33), False, "xehpc"),
        (Block(2, 3, 4), False, "xehpc"),
        (Block(2, 16, 4, 3), False, "xehpc"),
        (Block(2, 32, 4, 2), False, "xehpc"),
        (Block(1, 2, 4), False, "xehpc"),
        (Block(2, 32, 4, is_vnni=True), False, "xehpc"),
        (Block(1, 16, 6, is_vnni=True), False, "xe2"),
        (Block(2, 16, 8, 4, is_vnni=True), False, "xe2"),
        (Block(4, 9, 8, is_transposed=True), False, "xehpc"),
        (Block(4, 2, 8, 2, is_transposed=True), False, "xehpc"),
        (Block(8, 2, 7, is_transposed=True), False, "xehpc"),
        (Block(2, 4, 8, is_transposed=True), False, "xehpc"),
        (Block(2, 16, 9), True, "xehpc"),
        (Block(2, 16, 4, 2), True, "xehpc"),
    ],
    ids=str,
)
def test_shapes_that_hardware_has_not(block, stores, platform):
    generator = random.Random(9)
    payload = {ADDRESS: block.payload(draw_surface(generator, block.size), 0, 0)}
    text = f"no such message has {block.count} blocks of {block.width} columns and {block.height} rows"
    with pytest.raises(errors.LaunchError, match=text):
        run(block.text(stores), payload, platform=platform)


def test_wide_interleaved_blocks_of_xe2():
    generator = random.Random(10)
    blocks = [Block(2, 32, 8, is_vnni=True), Block(1, 32, 16, 2, is_vnni=True), Block(1, 64, 16, is_vnni=True)]
    check_loads(generator, blocks, 3, "xe2")


def test_blocks_that_do_not_fit_their_registers():
    generator = random.Random(8)
    block = Block(2, 16, 16)
    words = block.payload(draw_surface(generator, 2), 0, 0)
    with pytest.raises(errors.LaunchError, match="a block that needs 8 registers has 7"):
        run(block.text(False, registers=7), {ADDRESS: words})
