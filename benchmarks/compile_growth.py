# SPDX-License-Identifier: MIT
"""Measure how the time to compile grows with the tile: kernels of many families, each tile doubled.

One row per kernel: milliseconds of each stage, and by how much the stage grows where the tile does: the exponent of the
tile's size, from the kernel that is twice as small. 1 is linear. The stages are those of the CPU device, and two of a
GPU: all up to LLVM IR (`gpu`), and from there to native code (`native`), which is mostly the device compiler's. A stage
that takes less than 50 ms in the smaller kernel has no exponent. Neither have the last two stages of the first kernel
that spills registers (`spills`: its messages to scratch memory): such a kernel is lowered again with loops over slices,
of three sizes, and the device compiler compiles it again by itself. That is up to five and four times the time, for
tiles of any size; the kernels after it show whether these stages grow. The last rows of a family double the warps along
with the tile, so that a lane has the same amount of work as before: their exponents should be 0. Caches are empty.

    .venv/bin/python benchmarks/compile_growth.py [--families softmax,sort] [--largest 2] [--repeat 2] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from compile_time import CPU, OURS, Subject
from kernel_suite import linear_attention
from kernel_suite.case import Launch
from torch._inductor.runtime import triton_helpers

STAGES = ("ttgir", "llir", "obj", "gpu", "native")
#: Milliseconds below which a stage is mostly what it does for any kernel.
SHORTEST = 50


@triton.jit
def pointwise(x, out, n, SIZE: tl.constexpr):
    """A chain of operations under a mask."""
    offsets = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    value = tl.load(x + offsets, mask=offsets < n, other=1.0)
    value = tl.exp(value) * 0.5 + tl.sigmoid(value)
    tl.store(out + offsets, value * tl.log(tl.abs(value) + 1.0), mask=offsets < n)


@triton.jit
def softmax(x, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Rows of a matrix, masked in both directions."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.arange(0, COLUMNS)[None, :]
    mask = (row < rows) & (column < columns)
    value = tl.load(x + row * columns + column, mask=mask, other=float("-inf"))
    value = tl.exp(value - tl.max(value, 1)[:, None])
    tl.store(out + row * columns + column, value / tl.sum(value, 1)[:, None], mask=mask)


@triton.jit
def quotients(x, out, height, width, SIZE: tl.constexpr):
    """Transposes by index: divisions of 64 bits, and a gather."""
    offsets = tl.program_id(0).to(tl.int64) * SIZE + tl.arange(0, SIZE)
    value = tl.load(x + offsets % width * height + offsets // width % height, mask=offsets < height * width)
    tl.store(out + offsets, value, mask=offsets < height * width)


@triton.jit
def product(a, b, out, k, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A product of f32 in full precision, without DPAS."""
    rows, columns, inner = tl.arange(0, ROWS), tl.arange(0, COLUMNS), tl.arange(0, 32)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for first in range(0, k, 32):
        left = tl.load(a + rows[:, None] * k + first + inner[None, :], mask=first + inner[None, :] < k, other=0.0)
        right = tl.load(b + (first + inner)[:, None] * COLUMNS + columns[None, :])
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(out + rows[:, None] * COLUMNS + columns[None, :], total)


@triton.jit
def attention(q, k, v, out, n, ROWS: tl.constexpr, HEAD: tl.constexpr):
    """A forward pass with masked plain pointers."""
    rows, head = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.arange(0, HEAD)
    query = tl.load(q + rows[:, None] * HEAD + head[None, :], mask=rows[:, None] < n, other=0.0)
    total, norm = tl.zeros((ROWS, HEAD), tl.float32), tl.zeros((ROWS,), tl.float32)
    highest = tl.full((ROWS,), float("-inf"), tl.float32)
    for start in range(0, n, 32):
        columns = start + tl.arange(0, 32)
        key = tl.load(k + columns[None, :] * HEAD + head[:, None], mask=columns[None, :] < n, other=0.0)
        score = tl.where(columns[None, :] < n, tl.dot(query, key), float("-inf"))
        new = tl.maximum(highest, tl.max(score, 1))
        weight, scale = tl.exp(score - new[:, None]), tl.exp(highest - new)
        norm = norm * scale + tl.sum(weight, 1)
        value = tl.load(v + columns[:, None] * HEAD + head[None, :], mask=columns[:, None] < n, other=0.0)
        total = tl.dot(weight.to(value.dtype), value, total * scale[:, None])
        highest = new
    tl.store(out + rows[:, None] * HEAD + head[None, :], total / norm[:, None], mask=rows[:, None] < n)


@triton.jit
def sort(x, out, SIZE: tl.constexpr):
    """A sorting network: its length is the size times the square of its logarithm."""
    offsets = tl.arange(0, SIZE)
    tl.store(out + offsets, tl.sort(tl.load(x + offsets)))


@triton.jit
def transposed(x, out, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A conversion between layouts, through shared memory."""
    rows, columns = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    value = tl.load(x + rows[:, None] * COLUMNS + columns[None, :])
    tl.store(out + columns[:, None] * ROWS + rows[None, :], tl.trans(value) * 2.0)


@triton.jit
def gathered(x, index, out, SIZE: tl.constexpr):
    """Elements of other lanes and warps."""
    offsets = tl.arange(0, SIZE)
    value = tl.gather(tl.load(x + offsets % 1024), tl.load(index + offsets), 0)
    tl.store(out + offsets, tl.maximum(value, 0.0))


@triton.jit
def sort_with_indices(x, out, places, length, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """The sort of PyTorch's compiler, of rows, with the places that the values come from."""
    rows, columns = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    offsets = rows * length + columns
    value = tl.broadcast_to(tl.load(x + offsets, columns < length, other=0.0), [ROWS, COLUMNS])
    index = tl.broadcast_to(columns.to(tl.int16), [ROWS, COLUMNS])
    value, index = triton_helpers.sort_with_index(value, index, length, 1, stable=True, descending=False)
    tl.store(out + offsets, value, columns < length)
    tl.store(places + offsets, index.to(tl.int64), columns < length)


@triton.jit
def long_softmax(x, out, length, SIZE: tl.constexpr):
    """The softmax of PyTorch's sparse matrices, of one row."""
    offsets = tl.arange(0, SIZE)
    value = tl.load(x + offsets, mask=offsets < length, other=-float("inf"))
    value = tl.exp(value - tl.max(value, 0))
    tl.store(out + offsets, value / tl.sum(value, 0), mask=offsets < length)


@triton.jit
def scan(x, out, SIZE: tl.constexpr):
    """A running sum."""
    offsets = tl.arange(0, SIZE)
    tl.store(out + offsets, tl.cumsum(tl.load(x + offsets), 0))


@dataclass(frozen=True)
class Family:
    """A kernel, and its launch at a scale: the tile of scale 2 is twice that of scale 1."""

    kernel: Any
    arguments: Callable[[int], tuple[tuple[Any, ...], dict[str, int]]]
    #: The warps of the first kernel, and the number of times that tiles are doubled.
    num_warps: int = 4
    doublings: int = 3
    #: A function that returns the work of a tile of that scale.
    work: Callable[[int], float] = float

    def subject(self, scale: int, num_warps: int) -> Subject:
        """Return the kernel at that scale, to compile."""
        arguments, constants = self.arguments(scale)
        name = f"{self.kernel.__name__} {'x'.join(map(str, constants.values()))}, {num_warps} warps"
        return Subject(name, Launch(self.kernel, (1,), arguments, constants), num_warps)


def families() -> dict[str, Family]:
    """Return all families, by name."""
    f32, f64, bf16, i32, i64 = (
        torch.zeros(16, dtype=dtype)
        for dtype in (torch.float32, torch.float64, torch.bfloat16, torch.int32, torch.int64)
    )

    def sorting_work(scale: int) -> float:
        return scale * math.log2(512 * scale) * (math.log2(512 * scale) + 1)

    return {
        "pointwise": Family(pointwise, lambda scale: ((f32, f32, 1000), {"SIZE": 8192 * scale})),
        "softmax": Family(softmax, lambda scale: ((f32, f32, 100, 100), {"ROWS": 64 * scale, "COLUMNS": 128})),
        "quotients": Family(quotients, lambda scale: ((f32, f32, 100, 100), {"SIZE": 2048 * scale})),
        "product": Family(product, lambda scale: ((f32, f32, f32, 100), {"ROWS": 32 * scale, "COLUMNS": 64})),
        "attention": Family(attention, lambda scale: ((bf16, bf16, bf16, f32, 100), {"ROWS": 64 * scale, "HEAD": 64})),
        "transposed": Family(transposed, lambda scale: ((f32, f32), {"ROWS": 64 * scale, "COLUMNS": 64})),
        "gathered": Family(gathered, lambda scale: ((f32, i32, f32), {"SIZE": 2048 * scale})),
        "sort": Family(sort, lambda scale: ((f64, f64), {"SIZE": 512 * scale}), 1, 2, sorting_work),
        "long sort": Family(sort, lambda scale: ((f32, f32), {"SIZE": 1024 * scale}), 4, 3, sorting_work),
        "sort with indices": Family(
            sort_with_indices, lambda scale: ((f64, f64, i64, 100), {"ROWS": 8 * scale, "COLUMNS": 128}), 2, 2
        ),
        "long softmax": Family(long_softmax, lambda scale: ((f32, f32, 100), {"SIZE": 8192 * scale}), doublings=2),
        "gated states": Family(
            linear_attention.gated_state_kernel,
            lambda scale: (
                (bf16, bf16, bf16, f32, bf16, 100),
                {"KEY": 64 * scale, "VALUE": 128, "CHUNK": 64, "BLOCK_V": 64},
            ),
            doublings=2,
        ),
        "scan": Family(scan, lambda scale: ((f32, f32), {"SIZE": 4096 * scale})),
    }


def exponents(now: dict[str, float], before: dict[str, float], growth: float) -> list[object]:
    """Return the exponent of each stage, where the work has grown by that factor."""
    return [math.log(now[stage] / before[stage], growth) if before[stage] >= SHORTEST else "-" for stage in STAGES]


def measure(family: Family, doublings: int, repeat: int) -> Iterator[list[object]]:
    """Yield one row per kernel: first the tile is doubled, then tile and warps together."""
    doublings = min(doublings, family.doublings)
    for with_warps in (False, True):
        before, work, spilled = None, 1.0, 0
        for scale in (2**step for step in range(doublings + 1)):
            num_warps = family.num_warps * scale if with_warps else family.num_warps
            if with_warps and scale == 1:
                continue
            subject = family.subject(scale, num_warps)
            stages, _ = subject.best(CPU, repeat)
            native = dataclasses.replace(subject, options={"generate_native_code": True})
            on_gpu, metadata = native.best(OURS, repeat)
            stages |= {"gpu": on_gpu["ttgir"] + on_gpu["llir"], "native": on_gpu["spv"] + on_gpu["zebin"]}
            grown = exponents(stages, before, family.work(scale) / work) if before else ["-"] * len(STAGES)
            spills = metadata.native["total"]["scratch_messages"]
            if spills and not spilled:
                grown[STAGES.index("gpu") :] = ["-", "-"]
            before, work, spilled = stages, family.work(scale), spills
            yield [subject.name, *(stages[stage] for stage in STAGES), spills, *grown]


def main() -> int:
    """Print the table; non-zero when a stage grows faster than allowed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--families", default=",".join(families()), help="only these, by name")
    parser.add_argument("--largest", type=int, default=3, help="how often tiles are doubled, at most")
    parser.add_argument("--repeat", type=int, default=2, help="compilations per kernel; the fastest counts")
    # 2 is quadratic; two runs of one stage differ by 0.2.
    parser.add_argument("--limit", type=float, default=1.75, help="exponents above it are an error")
    # `ocloc` takes 0.7 s for a product of 128 rows and 2.7 s for one of 256 rows, which both spill.
    parser.add_argument("--native-limit", type=float, default=2.25, help="the same for the stage `native`")
    parser.add_argument("--csv", help="also write the table to this file")
    arguments = parser.parse_args()
    chosen = {name: families()[name] for name in arguments.families.split(",")}
    # The first compilation loads the compiler.
    next(iter(chosen.values())).subject(1, 4).best(CPU, 1)
    header = ["kernel (milliseconds, spills, exponents)", *STAGES, "spills", *STAGES]
    first_exponent = header.index("spills") + 1
    print(f"{header[0]:<44}" + "".join(f"{name:>9}" for name in header[1:]))
    rows: list[list[object]] = []
    for family in chosen.values():
        for row in measure(family, arguments.largest, arguments.repeat):
            numbers = "".join(f"{cell:>9.0f}" for cell in row[1:first_exponent])
            grown = "".join(f"{cell:>9}" if isinstance(cell, str) else f"{cell:>9.2f}" for cell in row[first_exponent:])
            print(f"{row[0]:<44}{numbers}{grown}", flush=True)
            rows.append(row)
    if arguments.csv:
        with Path(arguments.csv).open("w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    grown = [(stage, cell) for row in rows for stage, cell in zip(STAGES, row[first_exponent:], strict=True)]
    found = [(stage, cell) for stage, cell in grown if not isinstance(cell, str)]
    native = max((cell for stage, cell in found if stage == "native"), default=0)
    highest = max((cell for stage, cell in found if stage != "native"), default=0)
    print(f"\nlargest exponent {highest:.2f}; with the device compiler {native:.2f}")
    return 0 if highest <= arguments.limit and native <= arguments.native_limit else 1


if __name__ == "__main__":
    sys.exit(main())
