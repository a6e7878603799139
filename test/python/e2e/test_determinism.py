# SPDX-License-Identifier: MIT
"""The same kernel gives the same bytes in every process."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import warm_python

#: Compiles a few kernels and prints a hash of every stage of each.
PROGRAM = """
import hashlib, sys
sys.path[:0] = sys.argv[1:]
import torch, triton, triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton_xe.cpu import runtime
INSTRUCTION_SETS = runtime.open_native().instruction_sets
from kernel_suite.block_pointer_gemm import gemm_addmatrix
from kernel_suite.rewritten_pointers import copy_cube, gemm_chosen, gemm_nested

def compile(kernel, pointers, constexprs, **options):
    names = kernel.arg_names
    signature = {n: "constexpr" if n in constexprs else pointers.get(n, "i32") for n in names}
    attributes = {(i,): [["tt.divisibility", 16]] for i, n in enumerate(names) if n not in constexprs}
    source = ASTSource(kernel, signature, {(names.index(n),): v for n, v in constexprs.items()}, attributes)
    for target, codes, stages in (("xpu", [""], ["ttir", "ttgir", "llir", "spv"]), ("cpu", INSTRUCTION_SETS, ["obj"])):
        for code in codes:
            chosen = options | {"cpu_code": code}
            compiled = triton.compile(source, target=GPUTarget(target, "pvc", 16), options=chosen)
            for stage in stages:
                content = compiled.asm[stage]
                content = content if isinstance(content, bytes) else content.encode()
                print(kernel.__name__, stage, code, len(content), hashlib.sha256(content).hexdigest())

bf16 = dict(a_ptr="*bf16", b_ptr="*bf16", c_ptr="*fp32", d_ptr="*fp32", a0_ptr="*bf16", a1_ptr="*bf16")
tile = dict(BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, GROUP_M=4, ACC=tl.float32, stride_ak=1, stride_bn=1, stride_cn=1,
            stride_dn=1)
compile(gemm_addmatrix, bf16, tile, num_warps=8, num_stages=3)
compile(gemm_addmatrix, bf16, tile, num_warps=8, num_stages=2, raise_pointers=False)
compile(gemm_chosen, bf16, dict(BLOCK=32))
compile(gemm_nested, bf16, dict(BLOCK=64, INNER=2))
compile(copy_cube, dict(x_ptr="*fp32", y_ptr="*fp32"), dict(BLOCK=8))
"""


TESTS = Path(__file__).parents[1]
#: Compilations: each gives four stages for the GPU, and object code for each instruction set of this processor.
KERNELS = 5


def own_environment() -> dict[str, str]:
    """Return the environment without settings of Triton."""
    return {key: value for key, value in os.environ.items() if not key.startswith("TRITON_")}


def run_two(folder: Path) -> list[list[str]]:
    """Return what two processes print that hash strings with different seeds, and have empty caches."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", PROGRAM, str(TESTS)],
            env=own_environment() | {"PYTHONHASHSEED": seed, "TRITON_CACHE_DIR": str(folder / seed)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "4242")
    ]
    outputs = []
    for process in processes:
        output, error = process.communicate(timeout=300)
        assert process.returncode == 0, error
        outputs.append(output.splitlines())
    return outputs


def test_two_processes_give_the_same_bytes(tmp_path):
    """Different hash seeds and empty caches: every stage of every kernel is the same, byte by byte."""
    first, second = run_two(tmp_path)
    assert len(first) >= KERNELS * (4 + 1)
    assert first == second


def test_binaries_do_not_depend_on_where_the_kernels_lie(tmp_path):
    """Nor on where the process runs. Debug information names the source, and is left out."""
    elsewhere = shutil.copytree(TESTS, tmp_path / "elsewhere", ignore=shutil.ignore_patterns("__pycache__"))
    here, there = (
        warm_python.run(
            [sys.executable, "-W", "ignore", "-c", PROGRAM, str(tree)],
            env=own_environment() | {"TRITON_CACHE_DIR": str(tmp_path / cache), "TRITON_DISABLE_LINE_INFO": "1"},
            cwd=tree,
            check=True,
        ).stdout.splitlines()
        for cache, tree in (("here", TESTS), ("there", elsewhere))
    )
    binaries = [[line for line in lines if line.split()[1] in ("spv", "obj")] for lines in (here, there)]
    assert len(binaries[0]) >= KERNELS * 2
    assert binaries[0] == binaries[1]
