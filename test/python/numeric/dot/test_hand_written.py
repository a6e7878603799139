# SPDX-License-Identifier: MIT
"""The kernels by hand in `benchmarks/reference` compute what those of the suite do: no yardstick is a shorter task.

One launch of a case runs the kernel by hand in place of Triton's, with the same arguments: on Intel's OpenCL runtime
for CPUs, and as native code on the simulator. The emulation of 2D block messages on the former takes any pitch, so that
sizes may be what no message of a GPU can have; the latter refuses these.
"""

from __future__ import annotations

import itertools
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from kernel_suite import CASES
from kernel_suite.case import Result, Session
from kernel_suite.experts import mixture_of_experts
from kernel_suite.serving import prefix_prefill
from numerics import TOLERANCES, assert_close, poisoned
from support import Runtime, needs_ocloc

from triton_xe import _simulator, device_compiler, errors
from triton_xe.cpu import simulator

FOLDER = Path(__file__).parents[4] / "benchmarks" / "reference"

SIGNATURES = {
    torch.bfloat16: "*bf16", torch.float16: "*fp16", torch.float32: "*fp32", torch.int32: "*i32", torch.int64: "*i64",
    int: "i32", float: "fp32",
}  # fmt: skip

#: File, macros, kernel, case, and which of its launches.
KERNELS = [
    ("softmax.cl", {"KERNEL": "FORWARD"}, "softmax", "softmax/row_softmax-dtype_bfloat16", 0),
    ("softmax.cl", {"KERNEL": "BACKWARD"}, "softmax_backward", "softmax/row_softmax-dtype_bfloat16", 1),
    ("softmax.cl", {"KERNEL": "LOSS"}, "cross_entropy", "softmax/cross_entropy-dtype_bfloat16-smoothing_0.1", 0),
    ("normalization.cl", {"KERNEL": "LAYER_NORM"}, "layer_norm", "normalization/layer_norm-dtype_bfloat16", 0),
    ("normalization.cl", {"KERNEL": "BACKWARD"}, "layer_norm_backward", "normalization/layer_norm-dtype_bfloat16", 1),
    ("normalization.cl", {"KERNEL": "RMS_NORM"}, "rms_norm", "normalization/rms_norm-dtype_bfloat16", 0),
    ("scan.cl", {}, "cumsum", "scan/cumsum_carried", 0),
    ("sort.cl", {}, "sort", "sorting/sort_rows-descending_False", 0),
    ("linear_attention.cl", {"KERNEL": "STATE"}, "chunk_state", "linear_attention/chunked", 0),
    ("linear_attention.cl", {"KERNEL": "OUTPUT"}, "chunk_output", "linear_attention/chunked", 1),
    *(
        ("attention_backward.cl", {"KERNEL": kernel, "HEAD": head}, f"backward_{kernel.lower()}", case, number)
        for head in (64, 128)
        for case in [f"attention/attention_backward-causal_False-head_{head}"]
        for kernel, number in (("KV", 1), ("Q", 2))
    ),
    *(
        ("attention.cl", {"HEAD": 64, "CAUSAL": int(causal)}, "attention", case, 0)
        for causal in (False, True)
        for case in [f"attention/attention_forward_large-causal_{causal}-head_64"]
    ),
    (
        "decode.cl",
        {"GROUP": 5, "SPLITS": 4},
        "decode",
        "serving/grouped_decode-head_128-page_1-multiple_1",
        0,
    ),
    ("delta_rule.cl", {"KERNEL": "STATES", "HEADS": 2}, "states", "delta_rule/halved_states-block_64", 0),
    ("delta_rule.cl", {"KERNEL": "PARTS", "HEADS": 2}, "parts", "delta_rule/parts", 0),
    ("delta_rule.cl", {"KERNEL": "INVERSES", "HEADS": 2}, "inverses", "delta_rule/inverses", 0),
    (
        "latent_decode.cl",
        {"SPLITS": 4},
        "latent_decode",
        "serving/latent_decode-rank_512-multiple_1-is_value_read_False",
        0,
    ),
    *(
        ("prefill.cl", {"GROUP": 2, "PACKED": packed}, "prefill", f"serving/{case}_prefill-head_64-cache_{cache}", 0)
        for case in ("prefix", "long")
        for packed, cache in ((0, "rows"), (1, "packed"))
    ),
    ("quantized.cl", {}, "int4_gemm", "quantized/int4_gemm", 0),
    (
        "experts.cl",
        {"BLOCK_M": 32, "TOP": 2, "GROUP_M": 2},
        "experts",
        "experts/mixture_of_experts-dtype_bfloat16-b_order_nk",
        0,
    ),
    ("gemm_variants.cl", {"KERNEL": "SLICES"}, "split_k", "matmul/split_k_slices", 0),
    ("gemm_variants.cl", {"KERNEL": "ATOMIC"}, "split_k", "matmul/split_k_atomic", 0),
    ("gemm_variants.cl", {"KERNEL": "STREAM"}, "stream_k", "matmul/stream_k", 0),
    ("gemm_variants.cl", {"KERNEL": "GROUPED"}, "grouped_gemm", "matmul/grouped_gemm", 0),
]

#: Sub-groups where kernels by hand have another number than the case, as libraries launch it.
NUM_WARPS = {"serving/latent_decode-rank_512-multiple_1-is_value_read_False": 4}


def num_warps(case: str) -> int:
    """Return the sub-groups of a kernel by hand."""
    return NUM_WARPS.get(case, CASES[case].num_warps[0])


def parameters() -> list:
    """Return all parameters. Kernels that another case of a short run has, too, are for long runs."""
    found, cases = [], {}
    for file, macros, kernel, case, number in KERNELS:
        name = "-".join((file, *map(str, macros.values())))
        is_again = cases.setdefault(name, case) != case
        prefix, marks = ("long-", pytest.mark.full) if is_again else ("", [])
        found.append(pytest.param(file, macros, kernel, case, number, id=prefix + name, marks=marks))
    return found


#: The OpenCL runtime takes seconds to compile the emulation of many messages: in short runs it compiles a reduction,
#: and what native code does not do for these cases. All else is for long runs.
SHORT = {"softmax", "split_k", "grouped_gemm"}


def opencl_parameters() -> list:
    """Return all parameters, and mark those that a short run has."""
    return [
        pytest.param(*each.values, id=each.id, marks=each.marks if each.values[2] in SHORT else pytest.mark.full)
        for each in parameters()
    ]


def llvm_ir(file: str, macros: Mapping[str, str | int]) -> str:
    """Return the LLVM IR of a kernel in OpenCL C."""
    command = [
        "clang-22", "-x", "cl", "-cl-std=CL3.0", "--target=spirv64v1.4-unknown-unknown",
        "-Xclang", "-finclude-default-header", "-O2", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-S", "-DON_CPU",
        *(f"-D{name}={value}" for name, value in macros.items()), str(FOLDER / file), "-o", "-",
    ]  # fmt: skip
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class SessionByHand(Session):
    """Runs one of the launches of a case, by its number, through another kernel."""

    def __init__(self, module: Any, kernel: Any, number: int, num_warps: int) -> None:
        super().__init__(options={"num_warps": num_warps})
        self._module = module
        self._kernel = kernel
        self._number = number
        self.count = 0

    def launch(self, kernel: Any, grid: Sequence[int], *arguments: Any, **keywords: Any) -> None:
        """Launch this kernel or the other one."""
        self.count += 1
        if self.count - 1 != self._number:
            super().launch(kernel, grid, *arguments, **keywords)
            return
        signature = [SIGNATURES[getattr(argument, "dtype", type(argument))] for argument in arguments]
        names = [f"arg{index}" for index in range(len(arguments))]
        lanes = 16 * self.options["num_warps"]
        launcher = self._module.make_launcher(signature, names, "cpu", lanes, True)
        values = [argument.data_ptr() if isinstance(argument, torch.Tensor) else argument for argument in arguments]
        launcher(*(*grid, 1, 1)[:3], 0, self._kernel, None, SimpleNamespace(name="by hand"), None, None, *values)


@pytest.mark.parametrize(("file", "macros", "name", "case", "number"), opencl_parameters())
def test_same_results(file, macros, name, case, number):
    runtime = Runtime("opencl")
    kernel = runtime.load(llvm_ir(file, macros), name)
    session = SessionByHand(runtime.module, kernel, number, num_warps(case))
    results = CASES[case].body(session)
    session.check_untouched()
    assert session.count > number
    for result in results:
        assert_close(result.actual, result.expected, result.tolerance)


def load_native(file: str, macros: Mapping[str, str | int], name: str, arch: str) -> Any:
    """Load a kernel in OpenCL C whose native code the device compiler makes: this package has no part in it."""
    defined = [f"-D{macro}={value}" for macro, value in macros.items()]
    options = " ".join(["-cl-std=CL3.0", "-ze-opt-large-register-file", *defined, f"-I {FOLDER}"])
    with tempfile.TemporaryDirectory() as folder:
        device_compiler.find().run_ocloc(
            "compile", "-file", str(FOLDER / file), "-device", arch, "-options", options, "--format", "zebin",
            "-out_dir", folder, "-output", "kernel", "-output_no_suffix",
        )  # fmt: skip
        return simulator.open_device().load_kernel(Path(folder, "kernel.bin").read_bytes(), name)


#: Cases whose sizes are none that messages can have, with what is wrong: the kernels by hand do not check.
NO_SURFACES = {
    "matmul/grouped_gemm": "the surface's (width|pitch|base)",
    "matmul/split_k_slices": "the surface's (width|pitch|base)",
}


def native_parameters() -> list:
    """Return the parameters that the device compiler takes: it leaves atomics of OpenCL C to undefined functions."""
    return [each for each in parameters() if each.values[1].get("KERNEL") not in ("ATOMIC", "STREAM")]


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", pytest.param("bmg", marks=pytest.mark.full)])
@pytest.mark.parametrize(("file", "macros", "name", "case", "number"), native_parameters())
def test_same_results_as_native_code(file, macros, name, case, number, arch):
    session = SessionByHand(_simulator, load_native(file, macros, name, arch), number, num_warps(case))
    if case in NO_SURFACES:
        with pytest.raises(errors.LaunchError, match=NO_SURFACES[case]):
            CASES[case].body(session)
        return
    results = CASES[case].body(session)
    session.check_untouched()
    assert session.count > number
    for result in results:
        assert_close(result.actual, result.expected, result.tolerance)


def run_experts(session: Session, sizes: tuple[int, int, int], tile: tuple[int, int]) -> list[Result]:
    """Run with sizes that are no multiples of tiles and steps, or with other tiles."""
    return mixture_of_experts(session, torch.bfloat16, "nk", sizes, tile)


def run_prefill(session: Session, cache: str, contrast: float) -> list[Result]:
    """Run with weights that differ by much, so that sums are scaled in more steps than the first one."""
    return prefix_prefill(session, 64, cache, contrast)


#: Launches that no case has: file, macros, kernel, and how it is run.
OTHER_LAUNCHES = [
    *(
        ("experts.cl", {"BLOCK_M": tile[0], "TOP": 2, "GROUP_M": 2}, "experts", run_experts, (sizes, tile))
        for sizes, tile in (((37, 76, 72), (32, 64)), ((64, 252, 136), (32, 64)), ((64, 256, 264), (16, 128)))
    ),
    *(
        ("prefill.cl", {"GROUP": 2, "PACKED": packed}, "prefill", run_prefill, (cache, contrast))
        for packed, cache in ((0, "rows"), (1, "packed"))
        for contrast in (10.0, -10.0)
    ),
]


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", pytest.param("bmg", marks=pytest.mark.full)])
@pytest.mark.parametrize(("file", "macros", "name", "run", "arguments"), OTHER_LAUNCHES)
def test_other_launches(file, macros, name, run, arguments, arch):
    session = SessionByHand(_simulator, load_native(file, macros, name, arch), 0, 4)
    results = run(session, *arguments)
    session.check_untouched()
    for result in results:
        assert_close(result.actual, result.expected, result.tolerance)


#: The types of the operands of products in memory.
OPERAND_TYPES = {
    "BF16": torch.bfloat16, "F16": torch.float16, "S8": torch.int8, "TF32": torch.float32, "E5M2": torch.float8_e5m2,
    "E4M3": torch.float8_e4m3fn,
}  # fmt: skip


def products() -> list:
    """Return all types and orders; in short runs those whose left operand has to be transposed in the hardest ways.

    The OpenCL runtime takes up to a minute for each, and has one of them.
    """
    short = {"opencl": {("TF32", 1, 0)}, "simulator": {("S8", 1, 0), ("TF32", 1, 0), ("E4M3", 1, 1)}}
    cases = itertools.product(OPERAND_TYPES, (0, 1), (0, 1), short)
    return [
        pytest.param(
            *case,
            id="-".join(map(str, case)),
            marks=[pytest.mark.full] * (case[:3] not in short[case[3]]) + [needs_ocloc] * (case[3] == "simulator"),
        )
        for case in cases
    ]


@pytest.mark.parametrize(("name", "ta", "tb", "runs"), products())
def test_products(name, ta, tb, runs):
    """`gemm.cl` in the place of a launch of Triton's: two steps of a tile."""
    macros = {"DTYPE": name, "TA": ta, "TB": tb, "STEPWISE": int(name == "F16")}
    if runs == "simulator":
        module, kernel = _simulator, load_native("gemm.cl", macros, "gemm", "pvc")
    else:
        runtime = Runtime(runs)
        module, kernel = runtime.module, runtime.load(llvm_ir("gemm.cl", macros), "gemm")
    dtype = OPERAND_TYPES[name]
    m, n, k = 256, 256, 128
    generator = torch.Generator().manual_seed(list(OPERAND_TYPES).index(name))
    a, b = (torch.randn(shape, generator=generator) for shape in ((m, k), (k, n)))
    if name == "S8":
        a, b = a * 40, b * 40
    a, b = a.to(dtype), b.to(dtype)
    c = poisoned((m, n), torch.int32 if name == "S8" else torch.float32)
    signature = ["*i8", "*i8", "*i8", "i32", "i32", "i32"]
    launcher = module.make_launcher(signature, list("abcmnk"), "cpu", 512, True)
    stored = [x.T.contiguous() if transposed else x for x, transposed in ((a, ta), (b, tb))]
    pointers = [x.data_ptr() for x in (*stored, c)]
    launcher(1, 1, 1, 0, kernel, None, SimpleNamespace(name="by hand"), None, None, *pointers, m, n, k)
    wide = torch.float64 if dtype.is_floating_point else torch.int64
    assert_close(c, a.to(wide) @ b.to(wide), TOLERANCES.get(dtype, 1e-5))
