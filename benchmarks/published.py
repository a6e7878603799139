# SPDX-License-Identifier: MIT
"""Compare the simulator's timing model with measurements that others have published.

    .venv/bin/python benchmarks/published.py [--write] [NUMBER ...]

Each measurement names its source. The same computation runs here on the model of the same product, by our kernel in
the best of a few configurations: the measured kernels are those of several compilers and libraries, most of which are
not to be had. `--write` puts the table into docs/Simulator.md.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

import peer_kernels
from kernel_suite.attention import attention_forward_kernel

from triton_xe.tools.report import hardware
from triton_xe.tools.simulation import timing_model

PAGE = Path(__file__).resolve().parent.parent / "docs" / "Simulator.md"

SOURCES = {
    "ALCF": "Argonne Leadership Computing Facility, Aurora, node performance overview; a tile, sizes not stated but "
    "chosen for the best result: https://docs.alcf.anl.gov/aurora/node-performance-overview/node-performance-overview",
    "Max1100": "a public repository's report on a Max 1100 (engineering sample, clock fixed at 1550 MHz), 2026-09-22: "
    "`02-compute-peak` and `03-memory-bandwidth`, torch 2.14 (oneDNN) and BabelStream; its address is not known",
    "vLLM": "vllm-xpu-kernels, measured on B60, 2026-04-20; N and K follow from the times and rates: "
    "https://github.com/vllm-project/vllm-xpu-kernels/pull/294",
    "ARK": "auto-round, a BMG GPU that is not named, taken for a B60 here, 2026: "
    "https://github.com/intel/auto-round/pull/1968",
    "XeTLA": "Intel's backend for Triton, XeTLA on Max 1100, 2024-03-28: "
    "https://github.com/intel/intel-xpu-backend-for-triton/issues/773",
}


@dataclass(frozen=True)
class Measurement:
    """A published number: TFLOPS (TOPS for integers), or GB/s of streams."""

    product: str
    kernel: str
    dtype: str
    shape: tuple[int, ...]
    value: float
    software: str
    source: str

    @property
    def unit(self) -> str:
        """Return the unit of the value."""
        return "GB/s" if self.kernel in STREAMS else "TFLOPS"

    @property
    def work(self) -> float:
        """Return the operations, or the bytes of a stream, in 10^12 or 10^9 of them."""
        if self.kernel == "attention":
            batch, length, head = self.shape
            return 4 * batch * length * length * head / 1e12
        if self.kernel == "product":
            m, n, k = self.shape
            return 2 * m * n * k / 1e12
        return STREAMS[self.kernel] * 4 * self.shape[0] / 1e9


#: Arrays that a stream reads and writes.
STREAMS = {"copy": 2, "triad": 3, "dot": 2, "read": 1, "write": 1}
#: Elements of an array. The arrays of the measurements are larger than the caches, which are empty here at the start.
STREAM = (1 << 22,)


def _make_measurements() -> Iterator[Measurement]:
    square = (4096, 4096, 4096)
    for dtype, value in (("bf16", 273), ("f16", 263), ("int8", 577), ("tf32", 110), ("f32", 23)):
        shape = square if dtype != "f32" else (1024, 1024, 1024)
        yield Measurement("max1550-tile", "product", dtype, shape, value, "oneMKL", "ALCF")
    yield Measurement("max1550-tile", "triad", "f32", STREAM, 1000, "OpenMP", "ALCF")
    yield Measurement("max1100", "product", "bf16", square, 225.9, "oneDNN", "Max1100")
    yield Measurement("max1100", "product", "f16", square, 217.0, "oneDNN", "Max1100")
    yield Measurement("max1100", "product", "bf16", (1, 4096, 4096), 2 * 4096**2 / 0.101e-3 / 1e12, "oneDNN", "Max1100")
    for kernel, value in (("copy", 852.0), ("triad", 806.8), ("dot", 701.4), ("read", 696.0), ("write", 862.4)):
        yield Measurement("max1100", kernel, "f32", STREAM, value, "SYCL", "Max1100")
    yield Measurement("max1100", "attention", "bf16", (192, 1024, 64), 65, "XeTLA", "XeTLA")
    for m, onednn, tla in (
        (1, 0.377, 0.433), (8, 2.918, 3.502), (16, 6.260, 6.945), (32, 12.648, 13.811), (64, 23.864, 26.569),
        (128, 47.696, 50.147), (256, 68.233, 72.252), (512, 73.384, 73.338),
    ):  # fmt: skip
        for software, value in (("oneDNN", onednn), ("SYCL-TLA", tla)):
            yield Measurement("b60", "product", "bf16", (m, 4096, 4096), value, software, "vLLM")
    yield Measurement("b60", "product", "bf16", (1024, 4096, 4096), 84.303, "oneDNN", "ARK")
    yield Measurement("b60", "product", "bf16", square, 89.672, "SYCL-TLA", "ARK")


MEASUREMENTS = tuple(_make_measurements())


@triton.jit
def stream(a_ptr, b_ptr, c_ptr, SIZE: tl.constexpr, KERNEL: tl.constexpr):
    """A part of one of the streams."""
    i = tl.program_id(0).to(tl.int64) * SIZE + tl.arange(0, SIZE)
    if KERNEL == "copy":
        tl.store(c_ptr + i, tl.load(a_ptr + i))
    elif KERNEL == "triad":
        tl.store(c_ptr + i, tl.load(a_ptr + i) + 0.4 * tl.load(b_ptr + i))
    elif KERNEL == "dot":
        tl.store(c_ptr + tl.program_id(0), tl.sum(tl.load(a_ptr + i) * tl.load(b_ptr + i)))
    elif KERNEL == "read":
        tl.store(c_ptr + tl.program_id(0), tl.sum(tl.load(a_ptr + i)))
    else:
        tl.store(c_ptr + i, tl.full((SIZE,), 3.0, tl.float32))


def run_stream(each: Measurement, options: dict[str, Any]) -> Iterator[str]:
    """Launch a stream in several configurations, check it, and yield their names."""
    count = each.shape[0]
    a, b = torch.randn(count), torch.randn(count)
    for size, warps in ((1024, 4), (2048, 4), (4096, 8)):
        c = torch.full((count,), torch.nan)
        stream[(count // size,)](a, b, c, size, each.kernel, num_warps=warps, **options)
        products = a * b if each.kernel == "dot" else a
        expected = {"copy": a, "triad": a + 0.4 * b, "write": torch.full_like(a, 3.0)}.get(each.kernel)
        if expected is None:
            expected = products.view(-1, size).sum(1)
        torch.testing.assert_close(c[: expected.numel()], expected, atol=1e-3, rtol=1e-4)
        yield f"{size}, {warps} warps"


#: Types of operands and results of products.
TYPES = {
    "bf16": (torch.bfloat16, torch.float32),
    "f16": (torch.float16, torch.float32),
    "tf32": (torch.float32, torch.float32),
    "f32": (torch.float32, torch.float32),
    "int8": (torch.int8, torch.int32),
}


def choose_tiles(each: Measurement) -> list[tuple[int, int, int, int, int]]:
    """Return tiles of M, N, K with warps and parts of K."""
    m, size = each.shape[0], TYPES[each.dtype][0].itemsize
    if m <= 32:
        rows = max(8, m)
        return [(rows, 64, 64, 4, 1), (rows, 64, 64, 4, 4), (rows, 128, 64, 4, 2), (rows, 256, 64, 8, 4)]
    if each.dtype == "f32":
        return [(128, 64, 8, 16, 1), (64, 64, 8, 8, 1)]
    if m <= 512:
        return [(64, 128, 32, 8, 1), (64, 64, 32, 4, 1), (128, 128, 32, 16, 1), (64, 128, 32, 8, 2)]
    return [(256, 256, 64 // size, 32, 1)] + ([(128, 256, 64 // size, 32, 1)] if m < 4096 else [])


def run_product(each: Measurement, options: dict[str, Any]) -> Iterator[str]:
    """Launch a product in several configurations, check it, and yield their names."""
    m, n, k = each.shape
    element, result = TYPES[each.dtype]
    draw = (lambda *size: torch.randint(-128, 128, size, dtype=element)) if element == torch.int8 else torch.randn
    a, b = draw(m, k).to(element), draw(k, n).to(element)
    expected = a.float() @ b.float()
    for rows, columns, depth, warps, parts in choose_tiles(each):
        c = torch.zeros((m, n), dtype=result)
        grid = (triton.cdiv(m, rows) * triton.cdiv(n, columns), parts, 1)
        peer_kernels.product[grid](
            a, b, c, None, None, m, n, k, 0, k, 1, 0, n, 1, 0, n, BLOCK_M=rows, BLOCK_N=columns, BLOCK_K=depth,
            GROUP_M=4, SPLIT_K=parts, BIAS=False, GELU=False, ADDED=False,
            ACC=tl.int32 if element == torch.int8 else tl.float32,
            PRECISION="tf32" if each.dtype == "tf32" else "ieee", num_warps=warps, **options,
        )  # fmt: skip
        torch.testing.assert_close(c.float(), expected, atol=2e-3 * expected.abs().max().item(), rtol=2e-3)
        yield f"{rows}x{columns}x{depth}, {warps} warps" + (f", {parts} parts of K" if parts > 1 else "")


def run_attention(each: Measurement, options: dict[str, Any]) -> Iterator[str]:
    """Launch attention without a mask, check it, and yield the configuration."""
    heads, length, head = each.shape
    q, k, v = (torch.randn(each.shape).bfloat16() for _ in range(3))
    out, lse = torch.full_like(q, torch.nan), torch.zeros((heads, length))
    rows, columns, warps = 128, 64, 16
    attention_forward_kernel[(triton.cdiv(length, rows), heads)](
        q, k, v, out, lse, head**-0.5, heads, 1, length, length, head, head, HEAD=head, CAUSAL=False, BLOCK_M=rows,
        BLOCK_N=columns, num_warps=warps, grf_mode="256", **options,
    )  # fmt: skip
    expected = torch.nn.functional.scaled_dot_product_attention(q[:2].float(), k[:2].float(), v[:2].float())
    torch.testing.assert_close(out[:2].float(), expected, atol=2e-2, rtol=2e-2)
    yield f"{rows}x{columns}, {warps} warps"


@dataclass(frozen=True)
class Modelled:
    """The model's result for a measurement, in its unit."""

    value: float
    configuration: str


def model(each: Measurement) -> Modelled:
    """Return the best configuration of a computation."""
    arch, product = hardware.PRODUCTS[each.product]
    run = {"product": run_product, "attention": run_attention}.get(each.kernel, run_stream)
    found = []
    with timing_model.modelling(arch, product):
        for name in run(each, {"cpu_code": "zebin", "arch": arch}):
            seconds = timing_model.last_launch().cycles / product.clock.value
            found.append(Modelled(each.work / seconds, name))
    return max(found, key=lambda one: one.value)


def get_peak(each: Measurement) -> float:
    """Return the data sheet's limit of the product for this unit."""
    _, product = hardware.PRODUCTS[each.product]
    if each.unit == "GB/s":
        return product.memory_bandwidth.value / 1e9
    scale = {"int8": 2.0, "tf32": 0.5}.get(each.dtype, 1.0)
    operations = product.vector_operations if each.dtype == "f32" else product.matrix_operations
    return scale * operations.value * product.cores.value * product.clock.value / 1e12


def correlate_ranks(one: Sequence[float], two: Sequence[float]) -> float:
    """Return Spearman's correlation; equal numbers share their rank."""

    def rank(values: Sequence[float]) -> torch.Tensor:
        ordered = sorted(values)
        return torch.tensor(
            [sum(i for i, other in enumerate(ordered) if other == value) / ordered.count(value) for value in values],
            dtype=torch.float64,
        )

    return torch.corrcoef(torch.stack([rank(one), rank(two)]))[0, 1].item()


TITLES = ("", "product", "kernel", "measured", "by", "source", "model", "error", "our configuration")


def describe(number: int, each: Measurement, found: Modelled) -> str:
    """Return the row of a measurement."""
    shape = "x".join(map(str, each.shape)) if each.kernel not in STREAMS else ""
    kernel = " ".join(filter(None, (each.dtype, each.kernel, shape)))
    error = f"{100 * (found.value / each.value - 1):+.0f} %"
    cells = (
        str(number), each.product, kernel, f"{each.value:.4g} {each.unit}", each.software, each.source,
        f"{found.value:.4g}", error, found.configuration,
    )  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def summarize(results: Sequence[tuple[Measurement, Modelled]]) -> Iterator[str]:
    """Yield sentences about errors and ranks."""
    ratios = torch.tensor([found.value / each.value for each, found in results], dtype=torch.float64)
    inside = sum(abs(ratio - 1) <= 0.2 for ratio in ratios.tolist())
    shares = [(each.value / get_peak(each), found.value / get_peak(each)) for each, found in results]
    mean = ratios.log().mean().exp().item()
    yield (
        f"{inside} of {len(results)} are within 20 %; the geometric mean of model and measurement is {mean:.2f}. "
        f"Rank correlation of the shares of the data sheets' peaks: {correlate_ranks(*zip(*shares, strict=True)):.2f}."
    )


def make_table(numbers: Sequence[int]) -> str:
    """Return the table of measurements, the sentences about it, and the sources."""
    results = []
    lines = ["| " + " | ".join(TITLES) + " |", "|" + " --- |" * len(TITLES)]
    for number in numbers:
        each = MEASUREMENTS[number - 1]
        found = model(each)
        results.append((each, found))
        lines.append(describe(number, each, found))
        print(lines[-1], flush=True)
    lines += ["", *summarize(results), "", *(f"- {name}: {text}." for name, text in SOURCES.items())]
    return "\n".join(lines)


def find_table(text: str) -> re.Match[str]:
    """Return where the table is in the page, with its lines as a group."""
    found = re.search(r"<!-- table: published -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert found, f"{PAGE} has no such table"
    return found


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="measurements; all without any")
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    arguments = parser.parse_args()
    torch.manual_seed(0)
    everything = range(1, len(MEASUREMENTS) + 1)
    table = make_table(arguments.numbers or everything)
    print("\n" + table[table.index("\n\n") :].strip())
    if arguments.write:
        text = PAGE.read_text()
        begin, end = find_table(text).span(1)
        PAGE.write_text(text[:begin] + table + "\n" + text[end:])


if __name__ == "__main__":
    main()
