# SPDX-License-Identifier: MIT
"""Draw layouts as text: which lane holds an element, or which element a lane holds.

A layout is linear over bits (see `include/triton/Tools/LinearLayout.h`), so its bases define it. The compiler computes
them from the text of an encoding. There are two views of the same map:

    tensor      for every element the places that hold it, `warp:lane:register`, or its offset in shared memory
    hardware    for every place its element: a row per lane, a column per register; or memory, row by row

A level of the hardware with one member is left out. Copies are joined: `0-3:5:1` is register 1 of lane 5 in four warps.
Tables that are wider than they may be are drawn in parts, one below the other.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from triton_xe import errors

#: The largest drawing: elements, and places including copies.
MAX_ELEMENTS = 1 << 14
MAX_PLACES = 1 << 18
#: Elements in one row of a tensor of one dimension.
VECTOR_ROW = 16
#: The levels of the hardware, in the order in which they are written.
LEVELS = ("warp", "lane", "register")
#: Colours of a 256-colour terminal that black text is readable on; neighbours differ.
COLOURS = (117, 222, 150, 211, 183, 159, 229, 114, 216, 147, 123, 186, 218, 80, 180, 252)

Element = tuple[int, ...]


class Place(NamedTuple):
    """A place that holds an element, by its number on each of LEVELS."""

    warp: int
    lane: int
    register: int


@dataclass(frozen=True)
class Cell:
    """A cell of a table. Cells of one group have one colour."""

    text: str
    group: int | None = None


@dataclass(frozen=True)
class Style:
    """The style of tables."""

    coloured: bool = False
    #: Letters in a line; 0 means no limit.
    width: int = 0


@dataclass(frozen=True)
class Layout:
    """The bases of a layout on a tensor of one shape: per level, one coordinate list per bit."""

    shape: tuple[int, ...]
    is_shared: bool
    bases: dict[str, list[list[int]]]
    paddings: tuple[tuple[int, int], ...] = ()
    #: The smallest shape, at least this one, in which elements have as few copies as in larger shapes.
    tile: tuple[int, ...] = ()

    @staticmethod
    def parse(encoding: str, shape: Sequence[int]) -> Layout:
        """Return the layout of an encoding for a tensor of this shape. Raises `CompileError` with the parser's
        message."""
        from triton_xe import _compiler

        if math.prod(shape) > MAX_ELEMENTS:
            raise errors.OptionError(f"expected at most {MAX_ELEMENTS} elements to draw, found {math.prod(shape)}")
        native = _compiler.describe_layout(encoding, list(shape))
        tile = tuple(shape) if native.is_shared else _find_tile(encoding, list(shape))
        layout = Layout(tuple(shape), native.is_shared, dict(native.bases), tuple(native.paddings), tile)
        places = math.prod(map(layout.size, layout.bases))
        if places > MAX_PLACES:
            raise errors.OptionError(f"expected at most {MAX_PLACES} places to draw, found {places}")
        return layout

    def size(self, level: str) -> int:
        """Return the number of places on a level."""
        return 1 << len(self.bases[level])

    def element(self, **place: int) -> Element:
        """Return the coordinates of the element in a place. Levels that are left out count as 0."""
        coordinates = [0] * len(self.shape)
        for level, index in place.items():
            for bit, basis in enumerate(self.bases[level]):
                if index >> bit & 1:
                    coordinates = [a ^ b for a, b in zip(coordinates, basis, strict=True)]
        return tuple(coordinates)

    def places(self) -> dict[Element, list[Place]]:
        """Return the places of every element."""
        result: dict[Element, list[Place]] = {}
        for place in itertools.starmap(Place, itertools.product(*(range(self.size(level)) for level in LEVELS))):
            result.setdefault(self.element(**place._asdict()), []).append(place)
        return result

    def offsets(self) -> dict[Element, int]:
        """Return the offset of every element in shared memory, with padding."""
        return {self.element(offset=offset): self.pad(offset) for offset in range(self.size("offset"))}

    def pad(self, offset: int) -> int:
        """Add the padding before an offset to it."""
        return offset + sum(offset // interval * padding for interval, padding in self.paddings)


def _find_tile(encoding: str, shape: list[int]) -> tuple[int, ...]:
    """Return `Layout.tile`, by doubling each dimension as long as this makes fewer copies."""
    from triton_xe import _compiler

    def count_copying_bits(sizes: list[int]) -> int:
        """Return the number of bits of places that do not affect the element."""
        bases = itertools.chain.from_iterable(level for _, level in _compiler.describe_layout(encoding, sizes).bases)
        return sum(not any(basis) for basis in bases)

    copies = count_copying_bits(shape)
    for dimension in range(len(shape)):
        while True:
            larger = [size * 2 if place == dimension else size for place, size in enumerate(shape)]
            remaining = count_copying_bits(larger)
            if remaining == copies:
                break
            copies, shape = remaining, larger
    return tuple(shape)


def expand_aliases(encoding: str, source: str) -> str:
    """Replace aliases (`#mma`) by their definitions in the IR `source`."""
    definitions = dict(re.findall(r"^#(\w+) = (.+)$", source, re.MULTILINE))
    alias = re.compile(r"#(\w+)\b(?!\.)")
    # Definitions are above their uses, so that none leads back to itself; each round resolves one level.
    for _ in definitions:
        expanded = alias.sub(lambda match: definitions.get(match[1], match[0]), encoding)
        if expanded == encoding:
            break
        encoding = expanded
    return encoding


def _ranges(values: Iterable[int]) -> str:
    """Format numbers, with neighbours joined: `0-3,8`."""
    parts = []
    for _, run in itertools.groupby(enumerate(sorted(values)), lambda item: item[1] - item[0]):
        numbers = [number for _, number in run]
        parts.append(str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}")
    return ",".join(parts)


def _join(coordinates: Sequence[int]) -> str:
    return ",".join(map(str, coordinates))


def _table(
    corner: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[Cell]]], style: Style
) -> Iterator[str]:
    """Yield the lines of a table with a header for every column and row. A table that is too wide is divided."""
    rows = list(rows)
    head = max(len(corner), *(len(name) for name, _ in rows))
    widths = [max(map(len, [name, *(cells[i].text for _, cells in rows)])) for i, name in enumerate(columns)]

    def show(cell: Cell, width: int) -> str:
        text = f"{cell.text:>{width}}"
        if not style.coloured or cell.group is None:
            return text
        return f"\x1b[30;48;5;{COLOURS[cell.group % len(COLOURS)]}m{text}\x1b[0m"

    step = _fit_columns(widths, style.width - head - 2 if style.width else 0)
    for first in range(0, len(columns), step):
        part = slice(first, first + step)
        names = (f"{name:>{width}}" for name, width in zip(columns[part], widths[part], strict=True))
        yield " ".join([f"{corner:>{head}} |", *names]).rstrip()
        yield "-" * head + "-+" + "-" * (sum(widths[part]) + len(widths[part]))
        for name, cells in rows:
            shown = (show(cell, width) for cell, width in zip(cells[part], widths[part], strict=True))
            yield " ".join([f"{name:>{head}} |", *shown])


def _fit_columns(widths: Sequence[int], room: int) -> int:
    """Return the number of columns in a part of a table: all, or a power of two, so that parts begin where tiles do."""
    step = len(widths)
    while (
        room
        and step > 1
        and any(sum(widths[first : first + step]) + step > room for first in range(0, len(widths), step))
    ):
        step = 1 << ((step - 1).bit_length() - 1)
    return step


def _draw_elements(shape: Sequence[int], cell: Callable[[Element], Cell], style: Style) -> Iterator[str]:
    """Draw tables of the last two dimensions, one for each index of the others. A single dimension is broken into
    rows."""
    if len(shape) == 1:
        width = min(VECTOR_ROW, shape[0])
        rows = [(str(row), [cell((row + i,)) for i in range(width)]) for row in range(0, shape[0], width)]
        yield from _table("", [f"+{i}" for i in range(width)], rows, style)
        return
    *outer, height, width = shape
    for index in itertools.product(*map(range, outer)):
        if outer:
            yield f"[{_join(index)}, :, :]"
        rows = [(str(row), [cell((*index, row, column)) for column in range(width)]) for row in range(height)]
        yield from _table("", [str(column) for column in range(width)], rows, style)


def _draw_distributed_tensor(layout: Layout, style: Style) -> Iterator[str]:
    levels = [level for level in LEVELS if layout.size(level) > 1] or ["register"]
    # Neighbours of the coarsest level that there is more than one of are distinguished.
    colour_level = levels[0]
    places = layout.places()

    def cell(element: Element) -> Cell:
        # Bits that make copies do nothing else, so the copies are all combinations of what each level has.
        held = {level: {getattr(place, level) for place in places[element]} for level in levels}
        return Cell(":".join(_ranges(held[level]) for level in levels), min(held[colour_level]))

    yield f"element -> {':'.join(levels)}"
    yield from _draw_elements(layout.shape, cell, style)


def _draw_distributed_hardware(layout: Layout, style: Style) -> Iterator[str]:
    registers = range(layout.size("register"))
    yield "lane, register -> element"
    for warp in range(layout.size("warp")):
        if layout.size("warp") > 1:
            yield f"warp {warp}"
        rows = [
            (
                str(lane),
                [Cell(_join(layout.element(warp=warp, lane=lane, register=register)), lane) for register in registers],
            )
            for lane in range(layout.size("lane"))
        ]
        yield from _table("lane", [f"r{register}" for register in registers], rows, style)


def _memory_row(layout: Layout) -> int:
    """Return the number of elements in a row of a drawing of memory: those along the dimension of neighbouring
    offsets."""
    first = layout.bases["offset"][0] if layout.bases["offset"] else [1]
    return layout.shape[next(dim for dim, step in enumerate(first) if step)]


def _draw_shared_tensor(layout: Layout, style: Style) -> Iterator[str]:
    offsets = layout.offsets()
    row = _memory_row(layout)
    yield "element -> offset"
    yield from _draw_elements(layout.shape, lambda element: Cell(str(offsets[element]), offsets[element] % row), style)


def _draw_shared_hardware(layout: Layout, style: Style) -> Iterator[str]:
    elements = {offset: element for element, offset in layout.offsets().items()}
    width = min(_memory_row(layout), 2 * VECTOR_ROW)
    yield "offset -> element"
    rows = []
    for start in range(0, max(elements) + 1, width):
        row = [elements.get(offset) for offset in range(start, start + width)]
        rows.append((str(start), [Cell("." if held is None else _join(held), held and held[-1]) for held in row]))
    yield from _table("", [f"+{i}" for i in range(width)], rows, style)


_DRAWINGS = {
    (False, "tensor"): _draw_distributed_tensor,
    (False, "hardware"): _draw_distributed_hardware,
    (True, "tensor"): _draw_shared_tensor,
    (True, "hardware"): _draw_shared_hardware,
}

VIEWS = ("tensor", "hardware")


def draw(layout: Layout, view: str = "tensor", style: Style = Style()) -> str:
    """Return the lines of the drawing."""
    return "\n".join([*_describe_copies(layout), *_DRAWINGS[layout.is_shared, view](layout, style)])


def _describe_copies(layout: Layout) -> Iterator[str]:
    """State that the tensor does not fill the layout, if so. Otherwise its copies would look like a part of the
    layout."""
    if layout.is_shared or layout.tile == layout.shape:
        return
    shape, tile = ("x".join(map(str, sizes)) for sizes in (layout.shape, layout.tile))
    copies = math.prod(layout.tile) // math.prod(layout.shape)
    yield (
        f"{shape} does not fill the layout, which wraps around: "
        f"each element is in {copies} times the number of places as in a tensor of {tile}"
    )


def explain(error: errors.CompileError, encoding: str) -> str:
    """Return the parser's message, with a caret below the place in the encoding that it is about."""
    lines = [f"error: {error.message}"]
    places = [place for diagnostic in error.diagnostics for place in diagnostic.locations]
    text = encoding.splitlines()
    if places and 0 < places[0].line <= len(text):
        lines += [f"  {text[places[0].line - 1]}", " " * (places[0].column + 1) + "^"]
    return "\n".join(lines)
