# SPDX-License-Identifier: MIT
"""One kernel of every family of operations in native code of the GPU, which no test can run here.

The GPU's compiler accepts functions that it does not know, and drops them or calls an address that is not set: only the
disassembly shows it.
"""

from __future__ import annotations

import pytest
import triton
import triton.language as tl
from kernel_suite.experts import experts_kernel
from numeric.dot import test_dot, test_dot_scaled
from numeric.expressions import make_kernel
from numeric.flow import test_control_flow
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

pytestmark = needs_ocloc


def compile_native(kernel, signature: dict[str, str], constants: dict[str, object], **options):
    """Compile for the GPU; fails on an unknown function."""
    source = ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants)
    options = {"num_warps": 4, "generate_native_code": True} | options
    compiled = triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options=options)
    total = compiled.metadata.native["total"]
    assert total["instructions"] > 40
    assert total["sends"] > 2
    assert total["indirect_calls"] == 0
    assert "calla" not in compiled.asm["isa"]
    return total


def compile_expressions(expressions: dict[str, str], inputs: dict[str, str], **options):
    """Compile a kernel of expressions; values are the types of results and inputs."""
    kernel = make_kernel(tuple(expressions), "".join(inputs))
    signature = {f"{name}_ptr": f"*{kind}" for name, kind in inputs.items()}
    signature |= {f"out{i}_ptr": f"*{kind}" for i, kind in enumerate(expressions.values())}
    return compile_native(kernel, signature, {"SIZE": 256}, **options)


@pytest.mark.parametrize("lanes", [16, 32])
@pytest.mark.parametrize("kind", ["i8", "u16", "i32", "u32", "i64", "u64"])
def test_integers(kind, lanes):
    texts = ["x + y", "x // y", "x % y", "x << y", "x >> y", "tl.abs(x)", "tl.maximum(x, y)", "tl.where(x < y, x, y)"]
    if kind[1:] in ("32", "64"):
        texts.append("tl.umulhi(x, y)")
    compile_expressions(dict.fromkeys(texts, kind), {"x": kind, "y": kind}, warp_size=lanes)


@pytest.mark.parametrize("lanes", [16, 32])
@pytest.mark.parametrize("kind", ["fp16", "bf16", "fp32", "fp64"])
def test_floats(kind, lanes):
    texts = ["x + y", "x / y", "x % y", "tl.fma(x, y, x)", "tl.clamp(x, -1.5, 2.0)", "tl.abs(x)"]
    texts += ["tl.maximum(x, y)", "tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)"]
    compile_expressions(dict.fromkeys(texts, kind), {"x": kind, "y": kind}, warp_size=lanes)


TYPES = {"float16": "fp16", "bfloat16": "bf16", "float32": "fp32", "float64": "fp64", "int8": "i8", "int32": "i32"}
TYPES |= {"int64": "i64", "uint8": "u8", "uint64": "u64"}


@pytest.mark.parametrize("kind", ["fp16", "bf16", "fp32", "fp64", "i8", "i64", "u32"])
def test_conversions(kind):
    compile_expressions({f"x.to(tl.{name})": result for name, result in TYPES.items()}, {"x": kind})


@pytest.mark.parametrize("kind", ["fp16", "bf16", "fp32", "fp64"])
def test_conversions_to_8_bits(kind):
    texts = {"x.to(tl.float8e5)": "fp8e5", "x.to(tl.float8e4nv)": "fp8e4nv", "x.to(tl.float8e4b15)": "fp8e4b15"}
    texts["x.to(tl.float8e5, fp_downcast_rounding='rtz')"] = "fp8e5"
    compile_expressions(texts, {"x": kind})


@pytest.mark.parametrize("kind", ["fp32", "fp64"])
def test_mathematics(kind):
    names = ["exp", "exp2", "log", "log2", "sin", "cos", "sqrt", "rsqrt", "erf", "floor", "ceil"]
    texts = [f"tl.math.{name}(x)" for name in names]
    if kind == "fp32":
        texts += ["tl.math.div_rn(x, x + 1)", "tl.math.sqrt_rn(x)"]
    compile_expressions(dict.fromkeys(texts, kind), {"x": kind})


#: Instructions for 16 numbers of f32, at most: measured, and half of that again.
FUNCTION_COSTS = {
    "tl.exp(x)": 4,
    "tl.sigmoid(x)": 7,
    "libdevice.exp(x)": 12,
    "libdevice.tanh(x)": 26,
    "tl.log2(x)": 56,
    "libdevice.log1p(x)": 65,
    "x.to(tl.uint8).to(tl.float32)": 6,
    "x.to(tl.int8).to(tl.float32)": 14,
}


def test_costs_of_functions():
    """Functions of each element take a few instructions; the GPU's compiler takes 16 to 116 for these."""

    def count(text: str) -> int:
        kernel = make_kernel((text,), "x")
        return compile_native(kernel, {"x_ptr": "*fp32", "out0_ptr": "*fp32"}, {"SIZE": 2048})["instructions"]

    copied = count("x")
    costs = {text: (count(text) - copied) / (2048 / 64) for text in FUNCTION_COSTS}
    assert {text: cost for text, cost in costs.items() if cost > FUNCTION_COSTS[text]} == {}


def test_precise_division_stays_in_f64():
    """The optimizer may divide floats as f32 where both operands are f32: a GPU's division of f32 is not as exact."""
    for text in (
        "tl.math.div_rn(x, x + 1)",
        "tl.math.div_rn(x, 3.1)",
        "tl.math.div_rn(1.0, x)",
        "libdevice.div_rn(x, y)",
    ):
        kernel = make_kernel((text,), "xy")
        signature = {"x_ptr": "*fp32", "y_ptr": "*fp32", "out0_ptr": "*fp32", "SIZE": "constexpr"}
        source = ASTSource(kernel, signature, {"SIZE": 256})
        compiled = triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options={"num_warps": 4})
        divisions = [line for line in compiled.asm["llir"].splitlines() if " fdiv " in line]
        assert divisions, text
        assert all("double" in line for line in divisions), text


#: (operands, result, precision, instructions of the systolic array for 32 x 32 x 32 and 4 sub-groups)
DOTS = [
    ("fp16", "fp32", "ieee", 4),
    ("fp16", "fp16", "ieee", 4),
    ("bf16", "fp32", "ieee", 4),
    ("i8", "i32", "ieee", 2),
    ("fp8e5", "fp32", "ieee", 4),
    ("fp32", "fp32", "tf32", 8),
    ("fp32", "fp32", "tf32x3", 24),
    ("fp32", "fp32", "bf16x3", 12),
    ("fp32", "fp32", "bf16x6", 24),
]
RESULTS = {"fp32": tl.float32, "fp16": tl.float16, "i32": tl.int32, "fp64": tl.float64}


@pytest.mark.parametrize(("operand", "result", "precision", "count"), DOTS)
def test_dots(operand, result, precision, count):
    """Split precisions take one instruction per product of parts."""
    signature = {"a_ptr": f"*{operand}", "b_ptr": f"*{operand}", "c_ptr": f"*{result}", "out_ptr": f"*{result}"}
    constants = {"M": 32, "N": 32, "K": 32, "PRECISION": precision, "TYPE": RESULTS[result]}
    assert compile_native(test_dot.dot_kernel, signature, constants)["dpas"] == count


@pytest.mark.parametrize("kind", ["fp32", "fp64"])
def test_dots_without_the_array(kind):
    signature = {"a_ptr": f"*{kind}", "b_ptr": f"*{kind}", "c_ptr": f"*{kind}", "out_ptr": f"*{kind}"}
    constants = {"M": 16, "N": 16, "K": 16, "PRECISION": "ieee", "TYPE": RESULTS[kind]}
    assert compile_native(test_dot.dot_kernel, signature, constants, warp_size=32)["dpas"] == 0


@triton.jit
def exact_products_kernel(
    a_ptr, b_ptr, c_ptr, K, BATCH: tl.constexpr, M: tl.constexpr, N: tl.constexpr, BLOCK: tl.constexpr
):
    batch, inner = tl.arange(0, BATCH)[:, None, None], tl.arange(0, BLOCK)
    rows, columns = tl.arange(0, M)[None, :, None], tl.arange(0, N)[None, None, :]
    c = tl.zeros((BATCH, M, N), tl.float32)
    for k in range(0, K, BLOCK):
        a = tl.load(a_ptr + (batch * M + rows) * K + k + inner[None, None, :])
        b = tl.load(b_ptr + (batch * K + k + inner[None, :, None]) * N + columns)
        c = tl.dot(a, b, c, input_precision="ieee")
    tl.store(c_ptr + (batch * M + rows) * N + columns, c)


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
@pytest.mark.parametrize(
    ("shape", "num_warps"), [((1, 16, 16), 1), ((4, 16, 16), 4), ((1, 64, 16), 4), ((1, 32, 32), 4)]
)
def test_exact_products_in_registers(shape, num_warps, arch):
    """All lanes multiply by the same element of the left operand, which takes a lane of a register."""
    signature = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), "*fp32") | {"K": "i32"}
    constants = dict(zip(("BATCH", "M", "N"), shape, strict=True)) | {"BLOCK": 32}
    total = compile_native(exact_products_kernel, signature, constants, num_warps=num_warps, arch=arch)
    assert total["scratch_messages"] == 0


@pytest.mark.parametrize(("arch", "count"), [("pvc", 8), ("cri", 4)])
def test_scaled_dot(arch, count):
    """An instruction of scaled bytes takes double the number along K of one of bf16."""
    signature = {"a_ptr": "*fp8e4nv", "a_scale_ptr": "*u8", "b_ptr": "*fp8e5", "b_scale_ptr": "*u8", "out_ptr": "*fp32"}
    constants = {"M": 32, "N": 32, "BLOCK": 64}
    counts = compile_native(test_dot_scaled.loop_kernel, signature | {"K": "i32"}, constants, arch=arch)
    assert counts["dpas"] == count


CONTROL_FLOW = {
    "early_return_kernel": ({"x_ptr": "*fp32", "out_ptr": "*fp32", "mode": "i32"}, {"SIZE": 256}),
    "while_kernel": ({"x_ptr": "*fp32", "out_ptr": "*fp32", "limit": "fp32"}, {"SIZE": 256}),
    "branch_kernel": (
        {"x_ptr": "*fp32", "out_ptr": "*fp32", "flag": "i32", "trips": "i32"},
        {"ROWS": 16, "COLUMNS": 16},
    ),
    "block_pointer_kernel": (
        {"a_ptr": "*fp16", "b_ptr": "*fp16", "out_ptr": "*fp32", "which": "i32", "trips": "i32"},
        {"BLOCK": 16},
    ),
    "call_kernel": ({"x_ptr": "*i32", "out_ptr": "*i32", "limit": "i32"}, {}),
}


@pytest.mark.parametrize("name", list(CONTROL_FLOW))
def test_control_flow_of_all_kinds(name):
    signature, constants = CONTROL_FLOW[name]
    compile_native(getattr(test_control_flow, name), signature, constants)


@pytest.mark.parametrize(("tile", "num_warps", "limit"), [((64, 64), 4, 66), ((64, 128), 8, 66), ((16, 64), 4, 52)])
def test_experts(tile, num_warps, limit):
    """Rows of tokens arrive in the layout of DPAS: a loop of messages and products, nothing through shared memory. Each
    lane reads 16 bytes of a token: a row per message took 116, 97 and 62 instructions, and more cycles in the
    timing model. Vectors of a token are a constant apart, and masks compare 32 bits.
    """
    constants = {"TOP": 2, "BLOCK_M": tile[0], "BLOCK_N": tile[1], "BLOCK_K": 32, "GROUP_M": 8, "WHOLE_K": False}
    constants |= {"NUMBER": tl.int64, "ACC": tl.float32, "stride_ak": 1, "stride_bk": 1, "stride_cn": 1}
    kinds = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), "*bf16") | {"weights_ptr": "*fp32"}
    kinds |= dict.fromkeys(("tokens_ptr", "experts_ptr", "count_ptr"), "*i32")
    names = experts_kernel.arg_names
    signature = {name: kinds.get(name, "i32") for name in names if name not in constants}
    aligned = [name for name in signature if name not in ("slots", "valid")]
    attributes = {(names.index(name),): [["tt.divisibility", 16]] for name in aligned}
    source = ASTSource(experts_kernel, signature | dict.fromkeys(constants, "constexpr"), constants, attributes)
    options = {"num_warps": num_warps, "grf_mode": "256", "generate_native_code": True}
    compiled = triton.compile(source, target=GPUTarget("xpu", "pvc", 16), options=options)
    assert compiled.metadata.shared == 0
    assert compiled.metadata.native["total"]["scratch_messages"] == 0
    (loop,) = [loop for loop in compiled.metadata.native["loops"] if loop["dpas"]]
    assert loop["sends"] <= loop["load_block2d"] + loop["prefetches"] + 4
    assert loop["instructions"] <= limit
