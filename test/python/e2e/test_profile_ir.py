# SPDX-License-Identifier: MIT
"""Records in IR that was written by hand, and what sessions leave of themselves in code: nothing."""

from __future__ import annotations

import json
import os
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
import warm_python
from triton.backends.compiler import GPUTarget

import triton_xe.tools.profiler as proton
from triton_xe import IRSource, errors

TARGET = GPUTarget("cpu", "pvc", 16)

TTIR = """\
module {
  tt.func public @kernel(%x: !tt.ptr<f32>) {
    %two = arith.constant dense<2.0> : tensor<256xf32>
    proton.record start "by hand"
    %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %s = tt.splat %x : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>>
    %p = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>>, tensor<256xi32>
    %v = tt.load %p : tensor<256x!tt.ptr<f32>>
    %w = arith.mulf %v, %two : tensor<256xf32>
    tt.store %p, %w : tensor<256x!tt.ptr<f32>>
    proton.record end "by hand"
    tt.return
  }
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Files go there; no session outlives its test."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    proton.finalize()


def write(name: str, text: str) -> Path:
    path = Path(name).absolute()
    path.write_text(text)
    return path


def run(kernel) -> None:
    x = torch.ones(256)
    kernel[(1, 1, 1)](x)
    assert x.tolist() == [2] * 256


def find(node: dict, *path: str) -> dict:
    for name in path:
        (node,) = (child for child in node["children"] if child["frame"]["name"] == name)
    return node


@pytest.mark.parametrize("way", ["ttir", "ttir, as Triton reads it", "ttgir"])
def test_records_by_hand(way):
    """They are scopes in a session, which need not exist when the file is compiled; the file of the next stage may
    have other names."""
    path, name = write("kernel.ttir", TTIR), "by hand"
    source = IRSource(path)
    if way == "ttgir":
        text = triton.compile(source, target=TARGET, options={"num_warps": 2}).asm["ttgir"]
        name = "by another hand"
        source = IRSource(write("kernel.ttgir", text.replace("by hand", name)))
    elif way != "ttir":
        source = str(path)
    kernel = triton.compile(source, target=TARGET, options={"num_warps": 2})
    run(kernel)
    proton.start("hand", backend="instrumentation")
    run(kernel)
    run(kernel)
    proton.finalize()
    scope = find(json.loads(Path("hand.hatchet").read_text())[0], "kernel", name)["metrics"]
    assert scope["count"] == 2 * 2
    assert scope["cycles"] > 0


def test_a_mode_of_its_own():
    """The mode of a session counts for kernels of its functions; files have the option."""
    kernel = triton.compile(
        IRSource(write("kernel.ttir", TTIR)),
        target=TARGET,
        options={"num_warps": 4, "instrumentation_mode": "default:granularity=cta"},
    )
    proton.start("mode", backend="instrumentation")
    run(kernel)
    proton.finalize()
    root = json.loads(Path("mode.hatchet").read_text())[0]
    assert find(root, "kernel", "by hand")["metrics"]["count"] == 1


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('    proton.record end "by hand"\n', "", 4, "scope 'by hand' begins here, but it does not end"),
        ('    proton.record start "by hand"\n', "", 10, "scope 'by hand' ends here, but it does not begin"),
    ],
)
def test_unbalanced_records(old, new, line, message):
    """The error names the line."""
    path = write("kernel.ttir", TTIR.replace(old, new))
    with pytest.raises(errors.CompileError, match=message) as caught:
        triton.compile(IRSource(path), target=TARGET, options={"num_warps": 2})
    assert str(caught.value).startswith(f"ttir:{line}: error: ")


@triton.jit
def scale(x, B: tl.constexpr):
    i = tl.arange(0, B)
    with pl.scope("all"):
        tl.store(x + i, tl.load(x + i) * 2)


def test_modes_have_their_own_code():
    """The same kernel in two modes, and without one, are three kernels, each found again."""
    x = torch.ones(256)
    kernels = {"": scale.warmup(x, 256, grid=(1,))}
    for mode in ("default:granularity=cta", "default:optimizations=clock32"):
        session = proton.start("mode", backend="instrumentation", mode=mode)
        kernels[mode] = scale.warmup(x, 256, grid=(1,))
        assert scale.warmup(x, 256, grid=(1,)) is kernels[mode]
        proton.finalize(session)
    assert scale.warmup(x, 256, grid=(1,)) is kernels[""]
    assert len({kernel.hash for kernel in kernels.values()}) == 3
    assert len({kernel.asm["llir"] for kernel in kernels.values()}) == 3
    assert [kernel.metadata.profile_scratch_size > 0 for kernel in kernels.values()] == [False, True, True]


@triton.jit
def many(x, B: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, B)
    with pl.scope("all"):
        tl.store(x + i, tl.load(x + i) + N)


def test_sessions_of_other_threads():
    """A kernel has records if its key states it, whatever begins and ends while it is compiled."""
    kernels, failures = [], []

    def compile_many() -> None:
        try:
            kernels.extend(many.warmup(torch.ones(16), 16, N, grid=(1,), num_warps=1) for N in range(30))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=compile_many)
    thread.start()
    while thread.is_alive():
        session = proton.start("short", backend="instrumentation")
        time.sleep(0.001)
        proton.finalize(session)
        time.sleep(0.001)
    thread.join()
    assert not failures
    modes = [bool(kernel.metadata.instrumentation_mode) for kernel in kernels]
    assert modes == [kernel.metadata.profile_scratch_size > 0 for kernel in kernels]
    assert set(modes) == {True, False}


PROGRAM = textwrap.dedent("""
    import hashlib, sys, torch, triton, triton.language as tl
    import triton.profiler.language as pl

    @triton.jit
    def scale(x, B: tl.constexpr):
        i = tl.arange(0, B)
        with pl.scope("all"):
            tl.store(x + i, tl.load(x + i) * 2)

    pl.enable_semantic("triton")
    if sys.argv[1] != "none":
        import triton_xe.tools.profiler as proton
        before = proton.start("before", backend="instrumentation")
        scale[(1,)](torch.ones(256), 256)
        proton.finalize(before)
    if sys.argv[1] == "times":
        proton.start("times", hook="triton")
    kernel = scale.warmup(torch.ones(256), 256, grid=(1,))
    for stage in ("ttir", "ttgir", "llir", "obj"):
        content = kernel.asm[stage]
        content = content if isinstance(content, bytes) else content.encode()
        print(stage, len(content), hashlib.sha256(content).hexdigest())
""")


def test_code_without_a_session(folder):
    """Code has the same bytes in a process without sessions, after one, and while whole kernels are measured."""
    program = write("program.py", PROGRAM)
    outputs = [
        warm_python.run(
            [sys.executable, program, case], env=os.environ | {"TRITON_CACHE_DIR": str(folder / case)}, check=True
        ).stdout
        for case in ("none", "ended", "times")
    ]
    assert outputs[0].count("\n") == 4
    assert len(set(outputs)) == 1
