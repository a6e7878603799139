# SPDX-License-Identifier: MIT
"""Scopes in PVC's native code: what a record costs, and that what is measured stays between readings of the clock."""

from __future__ import annotations

import re

import pytest
import triton
import triton.profiler.language as pl
from support import needs_ocloc
from test_profile_records import attend, multiply
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.profiler.flags import flags

pytestmark = needs_ocloc
PVC = GPUTarget("xpu", "pvc", 16)
#: A reading of the clock takes the low word of it, and then the high one.
READING = re.compile(r"\btm0\.0<")


@pytest.fixture(autouse=True)
def scopes():
    pl.enable_semantic("triton")
    yield
    pl.disable_semantic("triton")


def compile_kernel(monkeypatch, kernel, pointers: str, constants: dict[str, int], instrumented: bool, **options):
    """Compile to native code with scopes, or without; all sizes are multiples of 16."""
    monkeypatch.setattr(flags, "instrumentation_on", instrumented)
    mode = "default" if instrumented else ""
    types = dict(zip(kernel.arg_names, pointers.split(), strict=False))
    signature = {name: "constexpr" if name in constants else types[name] for name in kernel.arg_names}
    positions = {name: (i,) for i, name in enumerate(kernel.arg_names)}
    hints = {positions[name]: [["tt.divisibility", 16]] for name, kind in signature.items() if kind[0] in "*i"}
    source = ASTSource(kernel, signature, {positions[name]: value for name, value in constants.items()}, hints)
    options |= {"grf_mode": "256", "generate_native_code": True, "instrumentation_mode": mode}
    compiled = triton.compile(source, target=PVC, options=options)
    figures = compiled.metadata.native
    loop = max(figures["loops"], key=lambda loop: (loop["dpas"], -loop["instructions"]))
    return figures, loop, compiled.asm["isa"]


def test_matrix_product(monkeypatch):
    """A record in the loop of a GEMM is at most 20 instructions, and no register is spilled for it."""
    case = (multiply, "*bf16 *bf16 *fp32 i32 i32 i32", {"BM": 256, "BN": 256, "BK": 32})
    plain, plain_loop, _ = compile_kernel(monkeypatch, *case, False, num_warps=32, num_stages=3)
    figures, loop, code = compile_kernel(monkeypatch, *case, True, num_warps=32, num_stages=3)
    assert (plain["scratch_bytes"], figures["scratch_bytes"]) == (0, 0)
    assert loop["dpas"] == plain_loop["dpas"] == 32
    # Each of the two scopes begins and ends.
    assert loop["instructions"] - plain_loop["instructions"] <= 4 * 20
    # All of DPAS is in one scope, and no load of a block.
    parts = [part for part in READING.split(code) if "dpas" in part]
    assert len(parts) == 1 and parts[0].count("dpas.") == 32
    assert not re.search(r"send\.ugm[^\n]*load_block2d", parts[0])


def test_attention(monkeypatch):
    """Two products and what is between them: each in a separate stretch."""
    case = (attend, "*fp16 *fp16 *fp16 *fp32 i32 fp32", {"BM": 64, "BN": 32, "D": 64})
    plain, plain_loop, _ = compile_kernel(monkeypatch, *case, False, num_warps=8)
    figures, loop, code = compile_kernel(monkeypatch, *case, True, num_warps=8)
    assert figures["scratch_bytes"] == plain["scratch_bytes"]
    assert loop["instructions"] - plain_loop["instructions"] <= 8 * 20
    with_products = [part for part in READING.split(code) if "dpas." in part]
    assert len(with_products) == 2
    # Exponentials are the softmax's.
    assert not any("math.exp" in part for part in with_products)
