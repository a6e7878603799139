# SPDX-License-Identifier: MIT
"""Native code of kernels of every family, next to kernels written by hand for the same task.

One row per kernel and tile. The figures are static, so no GPU is needed: the device compiler's code for our SPIR-V for
a chip with 256 registers, counted in the loop with most DPAS (or in the longest one, or in all of the kernel where
there is none), and the same of an OpenCL C kernel under `reference/` with the same tiles. `scratch` are the messages to
scratch memory of the whole kernel, and `looped` those of the loop that has most of them.

    .venv/bin/python benchmarks/static_cost.py [--filter gemm] [--arch bmg] [--csv out.csv]
    .venv/bin/python benchmarks/static_cost.py --compare /usr/bin/ocloc

Exits with 1 where a kernel spills registers, a product uses shared memory, or a loop is longer than its limit. With
`--compare`, figures of our kernels are next to those that another `ocloc` makes, with their ratio, and kernels of which
it makes longer code, or that spill more with it, are an error.
"""

from __future__ import annotations

import argparse
import csv
import dataclasses
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.errors import TritonError

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import gluon_attention
import gluon_gemm
from kernel_suite import CASES
from kernel_suite.addressing_modes import Gemm
from kernel_suite.case import PVC, Launch, Session
from kernel_suite.experts import experts_kernel, sort_tokens
from kernel_suite.matmul import split_k_kernel
from kernel_suite.operand_gemm import OperandGemm

from triton_xe import compiler, device_compiler, knobs, native, target
from triton_xe import options as xe_options
from triton_xe.tools.report import ir

ROOT = Path(__file__).resolve().parent
COLUMNS = (
    "SLM",
    "convert",
    "ld2d",
    "st2d",
    "pf2d",
    "dpas",
    "sends",
    "movs",
    "others",
    "loop",
    "all",
    "scratch",
    "looped",
)


@dataclasses.dataclass(frozen=True)
class Row:
    """A kernel, and what it is compared with."""

    name: str
    launch: Callable[[], Launch]
    #: A file under `reference/` and its macros.
    reference: str = ""
    macros: Mapping[str, int | str] = dataclasses.field(default_factory=dict)
    #: The largest ratio of our loop to the one by hand; none: nothing is required.
    limit: float | None = None


# ===-----------------------------------------------------------------------===#
# Rows
# ===-----------------------------------------------------------------------===#

_DTYPES = {
    "bf16": (torch.bfloat16, 32, "BF16"),
    "f16": (torch.float16, 32, "F16"),
    "tf32": (torch.float32, 16, "TF32"),
    "int8": (torch.int8, 64, "S8"),
    "fp8e5": (torch.float8_e5m2, 32, "E5M2"),
    "fp8e4": (torch.float8_e4m3fn, 32, "E4M3"),
}
_TILE = (256, 256)


def _recorded(run: Callable[[Session], Any], number: int = 0, **options: Any) -> Launch:
    session = Session(recording=True, options=options)
    run(session)
    return session.launches[number]


def _gemm(problem: OperandGemm | Gemm, *mode: str) -> Callable[[], Launch]:
    return lambda: _recorded(lambda session: problem.run(session, *mode), num_warps=32)


def _case(name: str, number: int = 0, **options: Any) -> Callable[[], Launch]:
    case = CASES[name]
    return lambda: case.launches(**options)[number]


def _split_k(is_atomic: bool) -> Callable[[], Launch]:
    """Return the kernel of the suite, with sizes that 2D block messages take."""

    def run(session: Session) -> None:
        size, splits = 1024, 4
        a, b = (session.randn((size, size), torch.bfloat16) for _ in range(2))
        part = session.output((splits, size, size))
        grid = (size // 32, size // 32, splits)
        tile = {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32}
        session.launch(
            split_k_kernel, grid, a, b, part, size, size, size, size // splits, ATOMIC=is_atomic, num_warps=4, **tile
        )

    return lambda: _recorded(run)


def _experts() -> Launch:
    """Return a mixture of experts with few rows per expert, as in decoding."""

    def run(session: Session) -> None:
        tokens, top, experts, n, k, block = 64, 2, 4, 1024, 1024, 16
        table, owners = sort_tokens(tokens * top, experts, block, tokens * top, seed=1)
        a, b = session.randn((tokens, k), torch.bfloat16), session.randn((experts, n, k), torch.bfloat16)
        c, weights = session.output((tokens * top, n), torch.bfloat16), session.randn((tokens * top,))
        count = session.input(torch.tensor([len(table)], dtype=torch.int32))
        session.launch(
            experts_kernel, (len(owners) * n // 128,), a, b, c, weights, session.input(table), session.input(owners),
            count, n, k, len(table), tokens * top, *a.stride(), *b.mT.stride(), *c.stride(), TOP=top, BLOCK_M=block,
            BLOCK_N=128, BLOCK_K=128, GROUP_M=1, WHOLE_K=False, NUMBER=tl.int64, ACC=tl.float32, num_warps=4,
        )  # fmt: skip

    return _recorded(run)


def _gluon_gemm(number: int) -> Callable[[], Launch]:
    """Return a step of the tutorial, for the problem of the other products."""

    def make() -> Launch:
        kernel, constants, num_warps = gluon_gemm.STEPS[number - 1]
        a, b, c = (torch.empty(1024, 1024, dtype=dtype) for dtype in (torch.float16, torch.float16, torch.float32))
        return Launch(kernel, (4, 4), (a, b, c, 1024, 1024, 1024), constants | {"num_warps": num_warps})

    return make


def _gluon_attention() -> Launch:
    tensors = (torch.empty(4, 1024, 64, dtype=torch.float16) for _ in range(4))
    constants = {"HEAD": 64, "BLOCK_M": 128, "BLOCK_N": 64, "dpas": gluon_attention.DPAS, "num_warps": 16}
    return Launch(gluon_attention.attention_kernel, (8, 4), (*tensors, 1024, 0.18), constants)


def _serving_rows() -> Iterator[Row]:
    """Yield the kernels of engines for serving and of linear attention with gates; by hand there are none."""
    for label, page in (("attention serving", 64), ("attention pages of 16", 16)):
        yield Row(label, _case(f"attention/serving_attention-page_{page}-tile_64-is_lookup_masked_True-head_128"))
    yield Row("attention latent", _case("attention/latent_attention-page_64-rank_512"))
    # In four sub-groups, as libraries launch them.
    for label, name in (
        ("latent decode", "latent_decode-rank_512-multiple_1-is_value_read_False"),
        ("latent decode, whole blocks", "latent_decode-rank_512-multiple_32-is_value_read_False"),
        ("prefill, rows", "prefix_prefill-head_64-cache_rows"),
        ("prefill, packed", "prefix_prefill-head_64-cache_packed"),
        ("unified attention", "unified_attention-head_128-window_0-softcap_0.0"),
        ("grouped decode, tokens", "grouped_decode-head_128-page_1-multiple_1"),
        ("grouped decode, pages", "grouped_decode-head_128-page_16-multiple_1"),
        ("grouped decode, whole blocks", "grouped_decode-head_128-page_16-multiple_32"),
    ):
        yield Row(label, _case(f"serving/{name}", num_warps=4))
    # The delta rule, in the numbers of sub-groups that libraries choose among.
    for label, name, num_warps in (
        ("delta rule, states", "halved_states-block_64", 4),
        ("delta rule, states, 2", "halved_states-block_64", 2),
        ("delta rule, 32 values", "halved_states-block_32", 4),
        ("delta rule, parts", "parts", 4),
        ("delta rule, corrections", "corrections", 4),
    ):
        yield Row(label, _case(f"delta_rule/{name}", num_warps=num_warps))
    yield Row("gated chunks", _case("linear_attention/gated_chunks", num_warps=4))
    for dtype in ("bfloat16", "float32"):
        name = f"linear_attention/weighted_states-dtype_{dtype}"
        yield Row(f"weighted keys, {dtype}", _case(name, num_warps=4))
    yield Row("experts", _experts)
    yield Row("experts, 4 bits", _case("experts/packed_experts-has_zeros_False", num_warps=4))
    yield Row("experts, 4 bits and zeros", _case("experts/packed_experts-has_zeros_True", num_warps=4))
    bytes_by_columns = OperandGemm((1024,) * 3, (128, 256, 128), torch.int8, (False, True))
    yield Row("int8, 8 sub-groups", lambda: _recorded(lambda s: bytes_by_columns.run(s), num_warps=8))
    yield Row("adapter shrink", _case("serving_products/adapter_shrink-splits_4-size_1024"))
    yield Row("chunk product", _case("serving_products/chunk_product-dtype_bfloat16-chunk_256-tile_(128, 256)"))


def rows() -> Iterator[Row]:
    """Yield all rows, in the order of the table."""
    for name, (dtype, k, macro) in _DTYPES.items():
        for order in ("nn", "nt", "tn", "tt"):
            transposed = (order[0] == "t", order[1] == "t")
            yield Row(
                f"gemm {name} {order}",
                _gemm(OperandGemm((1024, 1024, 1024), (*_TILE, k), dtype, transposed)),
                "gemm.cl",
                {"DTYPE": macro, "TA": int(transposed[0]), "TB": int(transposed[1])},
                limit=1.05,
            )
    by_hand = {"DTYPE": "BF16", "TA": 0, "TB": 0}
    for prologue, epilogue in (("", "matrix"), ("", "row"), ("", "gelu"), ("exp", "")):
        problem = OperandGemm((1024,) * 3, (*_TILE, 32), torch.bfloat16, prologue=prologue, epilogue=epilogue)
        macros = by_hand | {"EXP": int(prologue == "exp")}
        yield Row(f"gemm bf16 {prologue or '+ ' + epilogue}", _gemm(problem), "gemm.cl", macros, 1.05)
    batched = Gemm(shape=(1024,) * 3, tile=(*_TILE, 32), batch=4)
    yield Row("gemm bf16 batched", _gemm(batched, "host_descriptors"), "gemm.cl", by_hand, 1.05)
    f16 = {"DTYPE": "F16", "TA": 0, "TB": 0}
    for number, what in ((4, "prefetches"), (5, "split barriers")):
        macros = f16 | {"STEPWISE": int(number == 5)}
        yield Row(f"gemm in Gluon, {what}", _gluon_gemm(number), "gemm.cl", macros, 1.05)
    yield Row("attention in Gluon", _gluon_attention, "attention.cl", {"HEAD": 64, "CAUSAL": 0}, 1.1)
    # By hand nothing is checked: pitches, and where a stretch of K ends, are what messages want. Ours checks that at
    # run time or at the launch, or has ordinary accesses where the check is not enough.
    for name, launch, kernel in (
        ("split-k-slices", _split_k(is_atomic=False), "SLICES"),
        ("split-k-atomic", _split_k(is_atomic=True), "ATOMIC"),
        ("stream-k", _case("matmul/stream_k"), "STREAM"),
        ("grouped-gemm", _case("matmul/grouped_gemm"), "GROUPED"),
    ):
        yield Row(name, launch, "gemm_variants.cl", {"KERNEL": kernel}, 1.05)
    yield Row("int4 gemm", _case("quantized/int4_gemm"), "quantized.cl", limit=1.2)
    yield Row("int8 weights", _case("quantized/byte_weights-dtype_bfloat16-order_kn"))
    for head in (64, 128):
        for causal in (False, True):
            name = f"attention/attention_forward_large-causal_{causal}-head_{head}"
            label = f"attention {'causal ' if causal else ''}head {head}"
            yield Row(label, _case(name), "attention.cl", {"HEAD": head, "CAUSAL": int(causal)}, 1.1)
        backward = f"attention/attention_backward-causal_False-head_{head}"
        # By hand a sub-group has whole rows of both sums, and nothing is exchanged in the loop.
        for label, number, kernel in (("dK, dV", 1, "KV"), ("dQ", 2, "Q")):
            macros = {"HEAD": head, "KERNEL": kernel}
            yield Row(f"attention {label} head {head}", _case(backward, number), "attention_backward.cl", macros, 1.2)
    # A head's rows take more registers than there are, unless those of Q are read again; by hand there is none.
    yield Row("attention head 256", _case("attention/attention_forward_large-causal_False-head_256"))
    yield from _serving_rows()
    for label, name, number, file, kernel in (
        ("softmax", "softmax/row_softmax-dtype_bfloat16", 0, "softmax", "FORWARD"),
        ("softmax backward", "softmax/row_softmax-dtype_bfloat16", 1, "softmax", "BACKWARD"),
        ("layer norm", "normalization/layer_norm-dtype_bfloat16", 0, "normalization", "LAYER_NORM"),
        ("layer norm backward", "normalization/layer_norm-dtype_bfloat16", 1, "normalization", "BACKWARD"),
        ("RMS norm", "normalization/rms_norm-dtype_bfloat16", 0, "normalization", "RMS_NORM"),
        ("cross entropy", "softmax/cross_entropy-dtype_bfloat16-smoothing_0.0", 0, "softmax", "LOSS"),
        ("cumsum", "scan/cumsum_carried", 0, "scan", ""),
        ("sort", "sorting/sort_rows-descending_False", 0, "sort", ""),
        ("linear attention, state", "linear_attention/chunked", 0, "linear_attention", "STATE"),
        ("linear attention, output", "linear_attention/chunked", 1, "linear_attention", "OUTPUT"),
    ):
        yield Row(label, _case(name, number), f"{file}.cl", {"KERNEL": kernel} if kernel else {}, 1.2)


# ===-----------------------------------------------------------------------===#
# Figures
# ===-----------------------------------------------------------------------===#


def _innermost(loops: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """Return the loops without those around others: they come later, have at least the same counts, and more jumps."""
    return [
        loop
        for index, loop in enumerate(loops)
        if not any(
            loop["jumps"] > inner["jumps"] and all(loop[name] >= count for name, count in inner.items())
            for inner in loops[:index]
        )
    ]


def hot_part(figures: Mapping[str, Any]) -> Mapping[str, int]:
    """Return the loop with most DPAS, of two versions the one with 2D block messages; the longest one; or all of it."""
    loops = figures["loops"]
    products = _innermost([loop for loop in loops if loop["dpas"]])
    if products:
        with_messages = [loop for loop in products if loop["load_block2d"]]
        return min(with_messages or products, key=lambda loop: (-loop["dpas"], loop["instructions"]))
    return max(loops, key=lambda loop: loop["instructions"], default=figures["total"])


def describe(figures: Mapping[str, Any], slm: int, convert: int) -> dict[str, int]:
    part, total = hot_part(figures), figures["total"]
    others = part["instructions"] - part["dpas"] - part["sends"] - part["moves"]
    return {
        "SLM": slm,
        "convert": convert,
        "ld2d": part["load_block2d"],
        "st2d": total["store_block2d"],
        "pf2d": part["prefetches"],
        "dpas": part["dpas"],
        "sends": part["sends"],
        "movs": part["moves"],
        "others": others,
        "loop": part["instructions"],
        "all": total["instructions"],
        "scratch": total["scratch_messages"],
        "looped": max((loop["scratch_messages"] for loop in figures["loops"]), default=0),
    }


def ours(launch: Launch, chip: GPUTarget, **extra: Any) -> dict[str, int]:
    """Return the figures of our kernel, with further options of the launch."""
    source, options = launch.source(chip, grf_mode="256", generate_native_code=True, **extra)
    compiled = triton.compile(source, target=chip, options=options)
    converts = len(list(ir.conversions(compiled.asm["ttgir"])))
    return describe(compiled.metadata.native, compiled.metadata.shared, converts)


def by_hand(file: str, macros: Mapping[str, int | str], arch: str) -> dict[str, int]:
    """Return the figures of a kernel in OpenCL C, which is compiled as ours from LLVM IR on."""
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as folder:
        llvm_ir = Path(folder, "kernel.ll")
        subprocess.run(
            [
                "clang-22", "-x", "cl", "-cl-std=CL3.0", "--target=spirv64v1.4-unknown-unknown",
                "-Xclang", "-finclude-default-header", "-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-S",
                "-DASSEMBLY",
                *(f"-D{name}={value}" for name, value in macros.items()),
                str(ROOT / "reference" / file), "-o", str(llvm_ir),
            ],
            check=True,
        )  # fmt: skip
        text = compiler.native_compiler().optimize_llvm_ir(llvm_ir.read_text())
    spirv = compiler.translate_to_spirv(text, "none", xe_options.XeOptions(arch=arch))
    figures = native.compile_native(spirv, arch, "256", file).figures
    return describe(dataclasses.asdict(figures), figures.slm_bytes, 0)


# ===-----------------------------------------------------------------------===#
# Table
# ===-----------------------------------------------------------------------===#


def faults(row: Row, own: Mapping[str, int], reference: Mapping[str, int] | None) -> list[str]:
    """Return what is not as it should be."""
    found = [f"scratch {own['scratch']}"] if own["scratch"] else []
    if row.limit is None:
        return found
    if row.name.startswith(("gemm", "split-k")):
        found += [f"{name} {own[name]}" for name in ("SLM", "convert") if own[name]]
    if reference and own["loop"] > row.limit * reference["loop"]:
        found.append(f"more than {row.limit} times the loop by hand")
    return found


def print_row(label: str, figures: Mapping[str, int], widths: Sequence[int], ratio: str = "") -> None:
    cells = "".join(f"{figures[name]:>{width}}" for name, width in zip(COLUMNS, widths, strict=True))
    print(f"{label:<28}{cells}{ratio}", flush=True)


def against_hand(chosen: Iterable[Row], chip: GPUTarget, table: Path | None) -> int:
    """Print the table with kernels by hand; return how many kernels are not as they should be."""
    widths = [max(6, len(column) + 2) for column in COLUMNS]
    headings = "".join(f"{column:>{width}}" for column, width in zip(COLUMNS, widths, strict=True))
    print(f"{'kernel':<28}{headings}   ratio")
    lines: list[dict[str, Any]] = []
    failed = 0
    for row in chosen:
        own = ours(row.launch(), chip)
        reference = by_hand(row.reference, row.macros, chip.arch) if row.reference else None
        print_row(row.name, own, widths, f"{own['loop'] / reference['loop']:>8.2f}" if reference else "")
        lines.append({"kernel": row.name, "by hand": False} | own)
        if reference:
            print_row("  by hand", reference, widths)
            lines.append({"kernel": row.name, "by hand": True} | reference)
        found = faults(row, own, reference)
        failed += bool(found)
        for fault in found:
            print(f"  {row.name}: {fault}")
    if table:
        with table.open("w") as file:
            writer = csv.DictWriter(file, ["kernel", "by hand", *COLUMNS])
            writer.writeheader()
            writer.writerows(lines)
    return failed


def against_compiler(chosen: Iterable[Row], chip: GPUTarget, other: str) -> int:
    """Print the table with another compiler; return how many kernels are worse with it."""
    own_path = knobs.OCLOC.text()
    versions = []
    for path in (own_path, other):
        knobs.OCLOC.set(path)
        versions.append(device_compiler.find().version)
    shown = ("sends", "loop", "all", "scratch")
    print(f"ocloc {versions[0]} and {versions[1]}, {chip.arch}")
    print(f"{'kernel':<28}" + "".join(f"{name:>16}" for name in shown) + "   ratio")
    failed = 0
    for row in chosen:
        pair = []
        for path in (own_path, other):
            knobs.OCLOC.set(path)
            try:
                pair.append(ours(row.launch(), chip))
            except TritonError as error:
                print(f"{row.name:<28}  {path or 'ocloc'}: {str(error).splitlines()[0]}", flush=True)
        if len(pair) < 2:
            failed += 1
            continue
        first, second = pair
        cells = "".join(f"{first[name]:>8}{second[name]:>8}" for name in shown)
        print(f"{row.name:<28}{cells}{second['loop'] / first['loop']:>8.2f}", flush=True)
        failed += second["loop"] > 1.03 * first["loop"] or second["scratch"] > first["scratch"]
    knobs.OCLOC.set(own_path)
    return failed


def main() -> int:
    """Command line; see --help."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", default="", help="only rows with this in their names")
    parser.add_argument("--arch", type=target.chip, default=PVC.arch, help="a chip or a product")
    parser.add_argument("--compare", metavar="OCLOC", help="compare with this compiler's code for our kernels")
    parser.add_argument("--csv", type=Path, help="also write the rows to a file")
    arguments = parser.parse_args()
    chosen = [row for row in rows() if arguments.filter in row.name]
    chip = GPUTarget("xpu", arguments.arch, 16)
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
        triton.knobs.cache.dir = cache
        if arguments.compare:
            failed = against_compiler(chosen, chip, arguments.compare)
        else:
            failed = against_hand(chosen, chip, arguments.csv)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
