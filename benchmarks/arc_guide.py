# SPDX-License-Identifier: MIT
"""Measure, in the simulator's timing model, what docs/guides/tune-for-arc.md shows in tables.

    .venv/bin/python benchmarks/arc_guide.py [--write] [TABLE ...]

All results are compared with those of torch. `--write` puts the tables into the page.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
import triton
import triton.language as tl

from triton_xe.tools.report import hardware
from triton_xe.tools.simulation import timing_model

PAGE = Path(__file__).resolve().parent.parent / "docs" / "guides" / "tune-for-arc.md"
CHIPS = ("bmg", "lnl", "ptl")

#: Tiles of M, N and K with their warps.
TILES = (
    (256, 256, 32, 32),
    (128, 256, 32, 32),
    (128, 128, 32, 16),
    (128, 64, 32, 8),
    (64, 128, 32, 8),
    (64, 64, 32, 4),
    (64, 64, 32, 8),
    (32, 64, 32, 2),
)
#: Columns of a softmax, and warps.
ROWS = ((1000, 1), (1000, 4), (4096, 4), (4096, 8), (4096, 16))
#: Depths of a product: whose rows of 2 bytes each are a multiple of 16 bytes, or not.
DEPTHS = (1000, 1001, 1004, 1008)


@triton.jit
def matmul(a, b, c, M, N, K, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    m = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    k = tl.arange(0, BLOCK_K)
    total = tl.zeros((BLOCK_M, BLOCK_N), tl.float32)
    for start in range(0, K, BLOCK_K):
        inner = start + k
        x = tl.load(a + m[:, None] * K + inner[None, :], (m[:, None] < M) & (inner[None, :] < K), 0.0)
        y = tl.load(b + inner[:, None] * N + n[None, :], (inner[:, None] < K) & (n[None, :] < N), 0.0)
        total = tl.dot(x, y, total)
    tl.store(c + m[:, None] * N + n[None, :], total, (m[:, None] < M) & (n[None, :] < N))


@triton.jit
def softmax(x, y, count, SIZE: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, SIZE)
    values = tl.load(x + row * count + i, i < count, -float("inf"))
    powers = tl.exp(values - tl.max(values))
    tl.store(y + row * count + i, powers / tl.sum(powers), i < count)


def measure(arch: str, launch: Callable[[dict], object]) -> timing_model.LastLaunch:
    """Return what the model reports of a launch, which takes these options."""
    with timing_model.modelling(arch):
        launch({"cpu_code": "zebin", "arch": arch})
    return timing_model.last_launch()


def run_matmul(arch: str, shape: tuple[int, int, int], tile: tuple[int, int, int, int]) -> timing_model.LastLaunch:
    """Launch a product of f16, and check it."""
    (m, n, k), (rows, columns, depth, warps) = shape, tile
    a, b = torch.randn(m, k, dtype=torch.float16), torch.randn(k, n, dtype=torch.float16)
    c = torch.full((m, n), torch.nan)
    grid = (triton.cdiv(m, rows), triton.cdiv(n, columns))
    found = measure(
        arch, lambda options: matmul[grid](a, b, c, m, n, k, rows, columns, depth, num_warps=warps, **options)
    )
    torch.testing.assert_close(c, a.float() @ b.float(), atol=k**0.5 * 2e-3, rtol=1e-3)
    return found


def run_softmax(arch: str, count: int, warps: int, lanes: int) -> timing_model.LastLaunch:
    """Launch a softmax of a row for each core of the chip, and check it."""
    rows = int(hardware.resolve(arch).cores.value)
    x = torch.randn(rows, count)
    y = torch.full_like(x, torch.nan)
    size = triton.next_power_of_2(count)
    found = measure(
        arch,
        lambda options: softmax[(rows,)](x, y, count, size, num_warps=warps, warp_size=lanes, **options),
    )
    torch.testing.assert_close(y, x.softmax(1), atol=1e-5, rtol=1e-4)
    return found


def get_peak_share(arch: str, shape: tuple[int, int, int], cycles: int) -> int:
    """Return the rate of a product in percent of what the matrix engines can do."""
    figures = hardware.resolve(arch)
    m, n, k = shape
    return round(100 * 2 * m * n * k / (figures.matrix_operations.value * figures.cores.value * cycles))


def describe_tile(tile: tuple[int, int, int, int], shape: tuple[int, int, int]) -> list[str]:
    """Return a row of the table of tiles."""
    found = [run_matmul(arch, shape, tile) for arch in CHIPS]
    shares = [f"{get_peak_share(arch, shape, each.cycles)} %" for arch, each in zip(CHIPS, found, strict=True)]
    return ["{}x{}x{}".format(*tile[:3]), str(tile[3]), str(found[0].registers), *shares]


def describe_row(count: int, warps: int) -> list[str]:
    """Return a row of the table of sub-groups."""
    found = [run_softmax("bmg", count, warps, lanes) for lanes in (16, 32)]
    return [str(count), str(warps), *(f"{each.cycles}, {each.registers} registers" for each in found)]


def describe_depth(depth: int) -> list[str]:
    """Return a row of the table of rows' lengths."""
    found = run_matmul("bmg", (512, 512, depth), (128, 64, 32, 8))
    return [str(depth), str(2 * depth), "yes" if 2 * depth % 16 == 0 else "no", str(found.cycles)]


def format_table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [titles, ["---"] * len(titles), *rows])


def make_tiles() -> str:
    """Return the table of tiles."""
    titles = ["tile", "`num_warps`", "registers", *(f"`{chip}`" for chip in CHIPS)]
    return format_table(titles, [describe_tile(tile, (1024, 1024, 1024)) for tile in TILES])


def make_sub_groups() -> str:
    """Return the table of sub-groups."""
    titles = ["columns", "`num_warps`", "cycles with 16 lanes", "cycles with 32 lanes"]
    return format_table(titles, [describe_row(*row) for row in ROWS])


def make_padding() -> str:
    """Return the table of rows' lengths."""
    titles = ["K", "bytes of a row of A", "multiple of 16", "cycles"]
    return format_table(titles, [describe_depth(depth) for depth in DEPTHS])


TABLES = {"tiles": make_tiles, "sub-groups": make_sub_groups, "padding": make_padding}


def find_table(name: str, text: str) -> re.Match[str]:
    """Return where a table is in the page, with its lines as a group."""
    found = re.search(rf"<!-- table: {name} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert found, f"{PAGE} has no table `{name}`"
    return found


def main() -> None:
    """Print tables, or write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--write", action="store_true", help="put the tables into the page")
    arguments = parser.parse_args()
    for name in arguments.tables or TABLES:
        table = TABLES[name]()
        print(table, end="\n\n", flush=True)
        if arguments.write:
            text = PAGE.read_text()
            begin, end = find_table(name, text).span(1)
            PAGE.write_text(text[:begin] + table + "\n" + text[end:])


if __name__ == "__main__":
    main()
