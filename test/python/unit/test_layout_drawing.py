# SPDX-License-Identifier: MIT
"""Drawings of layouts: every kind of encoding in both views, and the errors for bad text."""

from __future__ import annotations

import itertools
import re
import subprocess
import sys

import pytest

from triton_xe import errors
from triton_xe.tools import command_line
from triton_xe.tools.layout_drawing import LEVELS, MAX_ELEMENTS, Layout, Style, draw, expand_aliases


def blocked(registers: str, lanes: str, warps: str, order: str) -> str:
    sizes = f"sizePerThread = {registers}, threadsPerWarp = {lanes}, warpsPerCTA = {warps}"
    return f"#ttg.blocked<{{{sizes}, order = {order}}}>"


DPAS = (
    "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, "
    "warpsPerCTA = [2, 2], repCluster = [2, 1]}>"
)
PLANE = blocked("[1, 2]", "[4, 4]", "[2, 1]", "[1, 0]")
CUBE = blocked("[1, 1, 2]", "[2, 2, 4]", "[2, 1, 1]", "[2, 1, 0]")
DISTRIBUTED = {
    "vector": (blocked("[2]", "[16]", "[2]", "[0]"), (128,)),
    "blocked": (PLANE, (8, 16)),
    "copies": (PLANE, (2, 4)),
    "cube": (CUBE, (4, 4, 8)),
    "slice": (f"#ttg.slice<{{dim = 0, parent = {PLANE}}}>", (16,)),
    "linear": (
        "#ttg.linear<{register = [[0, 1], [4, 0]], lane = [[1, 0], [2, 0], [0, 2], [0, 0]], warp = [[0, 4]], "
        "block = []}>",
        (8, 8),
    ),
    "dpas": (DPAS, (32, 32)),
    "operand A": (f"#ttg.dot_op<{{opIdx = 0, parent = {DPAS}, kWidth = 1}}>", (32, 16)),
    "operand B": (f"#ttg.dot_op<{{opIdx = 1, parent = {DPAS}, kWidth = 2}}>", (16, 32)),
    "operand of multiply-adds": (f"#ttg.dot_op<{{opIdx = 1, parent = {PLANE}}}>", (4, 8)),
    "2D block": (
        "#ttig.subgroup_2d_block<{warpsPerCTA = [2, 1], instrShape = [8, 16], numBlocks=2, order=[1, 0], kWidth=2, "
        "threadsPerWarp=16}>",
        (16, 32),
    ),
}
SHARED = {
    "plain": ("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>", (64,)),
    "swizzled": ("#ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>", (8, 16)),
    "buffers of planes": ("#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 2, 0]}>", (2, 4, 4)),
    "padded": ("#ttg.padded_shared<[8:+2, 32:+4] {order = [0, 1], shape = [8, 8]}>", (8, 8)),
    "linear": ("#ttg.shared_linear<{offset = [[0, 1], [1, 1], [2, 0]]}, alignment = 16>", (4, 2)),
}


def read_tables(drawing: str) -> list[tuple[str, list[str], dict[str, list[str]]]]:
    """Return the tables of a drawing: caption, names of columns, and the cells of each row."""
    tables: list[tuple[str, list[str], dict[str, list[str]]]] = []
    caption = ""
    lines = drawing.splitlines()
    start = next(number for number, line in enumerate(lines) if "->" in line)
    for line in lines[start + 1 :]:
        if re.fullmatch(r"-+\+-+", line):
            continue
        head, bar, cells = line.partition("|")
        if not bar:
            caption = line
        elif head.strip() in ("", "lane"):
            tables.append((caption, cells.split(), {}))
        else:
            tables[-1][2][head.strip()] = cells.split()
    return tables


def read_elements(drawing: str, shape: tuple[int, ...]) -> dict[tuple[int, ...], str]:
    """Return the cell of every element in a drawing of a tensor."""
    elements = {}
    for caption, columns, rows in read_tables(drawing):
        outer = tuple(map(int, re.findall(r"\d+", caption)))
        for (row, cells), (column, name) in itertools.product(rows.items(), enumerate(columns)):
            index = (int(row) + int(name),) if len(shape) == 1 else (int(row), int(name))
            elements[(*outer, *index)] = cells[column]
    return elements


def expand(ranges: str) -> list[int]:
    """Return `0-2,5` as numbers."""
    pairs = ([int(end) for end in part.split("-")] for part in ranges.split(","))
    return [number for ends in pairs for number in range(ends[0], ends[-1] + 1)]


def read_place_elements(drawing: str) -> dict[tuple[int, ...], tuple[int, ...]]:
    """Return the element of every (warp, lane, register) in a drawing of the hardware."""
    return {
        (int((re.findall(r"\d+", caption) or [0])[0]), int(lane), int(name[1:])): tuple(map(int, cell.split(",")))
        for caption, columns, rows in read_tables(drawing)
        for lane, cells in rows.items()
        for name, cell in zip(columns, cells, strict=True)
    }


@pytest.mark.parametrize("name", DISTRIBUTED)
def test_distributed(name):
    """Both views show the same map: an element's cell names exactly the places whose cells name the element."""
    encoding, shape = DISTRIBUTED[name]
    layout = Layout.parse(encoding, shape)
    tensor, hardware = draw(layout, "tensor"), draw(layout, "hardware")
    places = read_place_elements(hardware)
    assert len(places) == layout.size("warp") * layout.size("lane") * layout.size("register")

    levels = re.search("^element -> .*$", tensor, re.MULTILINE)[0].removeprefix("element -> ").split(":")
    held = {}
    for element, cell in read_elements(tensor, shape).items():
        numbers = dict(zip(levels, map(expand, cell.split(":")), strict=True))
        for place in itertools.product(*(numbers.get(level, [0]) for level in LEVELS)):
            assert held.setdefault(place, element) == element
    assert held == places
    assert set(places.values()) == set(itertools.product(*map(range, shape)))


@pytest.mark.parametrize("name", SHARED)
def test_shared(name):
    """Both views show the same offsets; every element has its own, and between paddings nothing lies."""
    encoding, shape = SHARED[name]
    layout = Layout.parse(encoding, shape)
    offsets = {element: int(cell) for element, cell in read_elements(draw(layout, "tensor"), shape).items()}
    assert offsets.keys() == set(itertools.product(*map(range, shape)))
    assert len(set(offsets.values())) == len(offsets)
    ((_, columns, rows),) = read_tables(draw(layout, "hardware"))
    shown = {
        int(start) + int(column): tuple(map(int, cell.split(",")))
        for start, cells in rows.items()
        for column, cell in zip(columns, cells, strict=True)
        if cell != "."
    }
    assert shown == {offset: element for element, offset in offsets.items()}


def test_swizzle_by_definition():
    """Row r lies with its groups of two columns exchanged by r."""
    layout = Layout.parse(*SHARED["swizzled"])
    assert layout.offsets() == {
        (row, column): row * 16 + ((column // 2) ^ (row % 4)) * 2 + column % 2
        for row in range(8)
        for column in range(16)
    }


def test_paddings_by_definition():
    """Two more places after every eighth offset, four more after every 32nd."""
    layout = Layout.parse(*SHARED["padded"])
    linear = {(row, column): row + 8 * column for row in range(8) for column in range(8)}
    assert layout.offsets() == {
        element: offset + offset // 8 * 2 + offset // 32 * 4 for element, offset in linear.items()
    }


def test_drawing_of_a_tensor():
    """A level with one member is left out, and copies are joined."""
    assert draw(Layout.parse(blocked("[1, 2]", "[2, 2]", "[1, 1]", "[1, 0]"), (2, 4))) == (
        "element -> lane:register\n  |   0   1   2   3\n--+----------------\n0 | 0:0 0:1 1:0 1:1\n1 | 2:0 2:1 3:0 3:1"
    )
    assert draw(Layout.parse(blocked("[1]", "[4]", "[2]", "[0]"), (2,))) == (
        "2 does not fill the layout, which wraps around: "
        "each element is in 4 times the number of places as in a tensor of 8\n"
        "element -> warp:lane\n"
        "  |      +0      +1\n"
        "--+----------------\n"
        "0 | 0-1:0,2 0-1:1,3"
    )  # fmt: skip


def test_drawing_of_slices():
    """A tensor of three dimensions is drawn plane by plane."""
    captions = [caption for caption, _, _ in read_tables(draw(Layout.parse(CUBE, (4, 2, 2))))]
    assert captions == [f"[{i}, :, :]" for i in range(4)]


def test_drawing_of_hardware():
    """A table for every warp, with a row per lane."""
    assert draw(Layout.parse(blocked("[2]", "[2]", "[2]", "[0]"), (8,)), "hardware") == (
        "lane, register -> element\n"
        "warp 0\n"
        "lane | r0 r1\n"
        "-----+------\n"
        "   0 |  0  1\n"
        "   1 |  2  3\n"
        "warp 1\n"
        "lane | r0 r1\n"
        "-----+------\n"
        "   0 |  4  5\n"
        "   1 |  6  7"
    )  # fmt: skip


@pytest.mark.parametrize("view", ["tensor", "hardware"])
@pytest.mark.parametrize("case", [DISTRIBUTED["blocked"], SHARED["padded"]])
def test_colours_change_nothing_else(case, view):
    """Coloured cells hold the same text, in more than one colour."""
    layout = Layout.parse(*case)
    coloured = draw(layout, view, Style(coloured=True))
    assert len(set(re.findall(r"\x1b\[30;48;5;\d+m", coloured))) > 1
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == draw(layout, view)


@pytest.mark.parametrize("view", ["tensor", "hardware"])
@pytest.mark.parametrize("name", DISTRIBUTED)
def test_wide_tables_are_drawn_in_parts(name, view):
    """None is wider than requested, nothing is lost, and parts begin at powers of two."""
    layout = Layout.parse(*DISTRIBUTED[name])
    whole, parts = draw(layout, view), draw(layout, view, Style(width=22))
    body = parts[parts.index("->") :].splitlines()[1:]
    assert max(map(len, body)) <= 22 < max(map(len, whole.splitlines()))
    read = read_place_elements if view == "hardware" else lambda text: read_elements(text, layout.shape)
    assert read(parts) == read(whole)
    for _caption, columns, _rows in read_tables(parts):
        assert len(columns).bit_count() == 1
    # Not even a column fits: there is at least one.
    assert read(draw(layout, view, Style(width=1))) == read(whole)


@pytest.mark.parametrize(
    ("name", "shape", "tile"),
    [
        ("dpas", (32, 32), "32x32"),
        ("dpas", (8, 64), "32x64"),
        ("dpas", (16, 8), "32x32"),
        ("operand A", (32, 16), "32x16"),
        ("operand A", (8, 16), "32x16"),
        ("vector", (128,), "128"),
        ("vector", (16,), "64"),
        # Registers that hold nothing new are left out.
        ("linear", (2, 2), "4x8"),
    ],
)
def test_tensors_that_do_not_fill_a_layout(name, shape, tile):
    """It is reported, with the tile that would: copies that remain there are the layout's own."""
    layout = Layout.parse(DISTRIBUTED[name][0], shape)
    assert "x".join(map(str, layout.tile)) == tile
    first = draw(layout).splitlines()[0]
    assert ("does not fill the layout" in first) == (layout.tile != shape)
    if layout.tile != shape:
        factor = int(re.search(r"(\d+) times", first)[1])
        most = max(len(places) for places in layout.places().values())
        without = Layout.parse(DISTRIBUTED[name][0], layout.tile).places().values()
        assert most == factor * max(map(len, without))


def test_aliases():
    """Aliases of a dump represent their definitions, also inside of other aliases; dialects' names do not change."""
    aliases = {"mma": DPAS, "blocked": PLANE, "a": "#ttg.slice<{dim = 1, parent = #mma}>", "loc": "loc(unknown)"}
    source = "module {}\n".join(f"#{name} = {text}\n" for name, text in aliases.items())
    assert expand_aliases("#a", source) == f"#ttg.slice<{{dim = 1, parent = {DPAS}}}>"
    assert expand_aliases("#ttg.slice<{dim = 0, parent = #blocked}>", source) == DISTRIBUTED["slice"][0]
    assert expand_aliases("#mma1", source) == "#mma1"
    # No definition of MLIR's leads back to itself, but a file can contain anything.
    assert expand_aliases("#x", "#x = #y\n#y = #x").startswith("#")


@pytest.mark.parametrize(
    ("encoding", "shape", "message"),
    [
        (PLANE.replace("order", "odrer"), (8, 8), "unknown key 'odrer'"),
        (PLANE.replace("[4, 4]", "[4, 3]"), (8, 8), "expected every entry of 'threadsPerWarp' to be a power of two"),
        (PLANE + " x", (8, 8), "trailing characters"),
        ("", (8,), "expected attribute value"),
        ("#mma", (8, 8), "undefined symbol alias id 'mma'"),
        ("16 : i32", (8,), "expected a layout, found 16 : i32"),
        ("#ttg.shared_memory", (8,), "expected a layout, found #ttg.shared_memory"),
        (PLANE, (8,), "expected a layout of rank 1, found rank 2"),
        (PLANE, (8, 12), "to be a power of two"),
        (PLANE, (0, 8), "to be a power of two"),
        (SHARED["swizzled"][0], (8,), "expected a layout of rank 1, found rank 2"),
        (SHARED["swizzled"][0], (2, 8, 8), "expected a layout of rank 3, found rank 2"),
        (SHARED["swizzled"][0], (8, 12), "expected sizes to be powers of two"),
    ],
)
def test_bad_layouts(encoding, shape, message):
    """The parser's or verifier's own words."""
    with pytest.raises(errors.CompileError, match=re.escape(message)):
        Layout.parse(encoding, shape)


def test_too_much_to_draw():
    """A drawing that is too large to look at is refused before it takes minutes: elements, and copies of them."""
    with pytest.raises(errors.OptionError, match=f"at most {MAX_ELEMENTS} elements"):
        Layout.parse(PLANE, (1 << 20, 1 << 20))
    copies = ", ".join(["[0]"] * 20)
    with pytest.raises(errors.OptionError, match="at most 262144 places to draw, found 2097152"):
        Layout.parse(f"#ttg.linear<{{register = [[1]], lane = [{copies}], warp = [], block = []}}>", (2,))


def test_command(capsys, tmp_path):
    """`triton-xe layout` draws an alias of a dump, and colours only on request or on a terminal."""
    dump = tmp_path / "kernel.ttgir"
    dump.write_text(f"#blocked = {PLANE}\nmodule {{}}\n")
    command = ["layout", "#blocked", "--shape", "8x8", "--aliases", str(dump)]
    assert command_line.main(command) == 0
    assert capsys.readouterr().out == draw(Layout.parse(PLANE, (8, 8))) + "\n"
    assert command_line.main([*command, "--color", "always", "--view", "hardware"]) == 0
    assert capsys.readouterr().out == draw(Layout.parse(PLANE, (8, 8)), "hardware", Style(coloured=True)) + "\n"


def test_command_fits_the_terminal(capsys, monkeypatch):
    """README's tile of 64x64 in the terminal's width, or in another one."""
    command = ["layout", DPAS, "--shape", "64x64"]
    drawing = Layout.parse(DPAS, (64, 64))
    for columns, option, width in (("100", (), 100), ("0", (), 120), ("100", ("--width", "80"), 80)):
        monkeypatch.setenv("COLUMNS", columns)
        assert command_line.main([*command, *option]) == 0
        output = capsys.readouterr().out
        assert output == draw(drawing, style=Style(width=width)) + "\n"
        assert 60 < max(map(len, output.splitlines())) <= width
    assert command_line.main([*command, "--width", "0"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 250
    with pytest.raises(SystemExit):
        command_line.main([*command, "--width", "-3"])
    assert "expected a number of letters, at least 0, found '-3'" in capsys.readouterr().err


def test_command_shows_where_text_is_bad(capsys, tmp_path):
    """The message, the text, and a caret below the place."""
    assert command_line.main(["layout", "#ttg.blocked<{order = 3}>", "--shape", "8"]) == 2
    message, text, caret = capsys.readouterr().err.splitlines()
    assert message == "error: expected key 'sizePerThread'"
    assert text[caret.index("^") :].startswith("<{order")
    assert command_line.main(["layout", PLANE, "--shape", "8"]) == 2
    assert capsys.readouterr().err == "error: expected a layout of rank 1, found rank 2\n"
    assert command_line.main(["layout", "#mma", "--shape", "8", "--aliases", str(tmp_path / "none")]) == 2
    assert "No such file" in capsys.readouterr().err
    for shape in ("8x", "x", "-8", "8,8", "?"):
        with pytest.raises(SystemExit):
            command_line.main(["layout", PLANE, f"--shape={shape}"])
        assert "expected sizes such as 16x16" in capsys.readouterr().err


def test_reader_that_leaves():
    """A closed pipe is no crash."""
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "triton_xe",
        "layout",
        PLANE,
        "--shape",
        "128x128",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 1
