# SPDX-License-Identifier: MIT
"""Kernels in Gluon with everything around kernels: targets, checks, caches, variants, files and commands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.profiler as proton
import triton.profiler.language as pl
import warm_python
from numerics import poisoned
from support import needs_ocloc, record_variants
from triton.backends.compiler import GPUTarget
from triton.compiler import compiler as triton_compiler
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource

from triton_xe import errors
from triton_xe.ir_source import IRSource
from triton_xe.tools.command_line import main
from triton_xe.tools.harvest import records

FOUR = gl.BlockedLayout([4], [16], [4], [0])
ONE = gl.BlockedLayout([1], [16], [4], [0])


@gluon.jit
def mirror(x, y, first: gl.constexpr, second: gl.constexpr):
    place = gl.arange(0, 256, layout=second)
    value = gl.convert_layout(gl.load(x + place), first)
    gl.store(y + 255 - gl.arange(0, 256, layout=first), value + 1)
    gl.barrier()
    gl.store(y + 256 + place, gl.load(x + place))


def mirrored(x: torch.Tensor) -> torch.Tensor:
    return x[:256].flip(0) + 1


@pytest.mark.conformance
def test_tensors_that_overlap(monkeypatch):
    """A launch with one tensor twice takes a variant of the kernel, with a barrier between its loads and its stores."""
    variants = record_variants(monkeypatch, lambda _surfaces, assume_launch: assume_launch, mirror)
    compiled = next(variants)
    x, y = torch.randn(256), poisoned((512,), torch.float32)
    mirror[(1,)](x, y, FOUR, ONE, cpu_checks=True)
    assert torch.equal(y, torch.cat((mirrored(x), x)))
    assert compiled == []
    both = torch.cat((x, x))
    mirror[(1,)](both, both, FOUR, ONE, cpu_checks=True)
    assert torch.equal(both, torch.cat((mirrored(x), mirrored(x))))
    assert compiled == [False]
    next(variants, None)


@gluon.jit
def forgets_barrier(x, first: gl.constexpr, second: gl.constexpr):
    gl.store(x + gl.arange(0, 256, layout=first), 1.0)
    place = gl.arange(0, 256, layout=second)
    gl.store(x + 256 + place, gl.load(x + place))


@gluon.jit
def reads_behind(x, layout: gl.constexpr):
    place = gl.arange(0, 256, layout=layout)
    gl.store(x + place, gl.load(x + place + 1))


@pytest.mark.conformance
def test_checks():
    with pytest.raises(errors.DataRaceError, match="there is no barrier between them"):
        forgets_barrier[(1,)](torch.zeros(512), FOUR, ONE, cpu_checks=True)
    with pytest.raises(errors.MemoryAccessError, match="element 256 of `x`"):
        reads_behind[(1,)](torch.zeros(256), FOUR, cpu_checks=True)


@gluon.jit
def reads_nothing(x, layout: gl.constexpr):
    memory = gl.allocate_shared_memory(gl.float32, [256], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    gl.store(x + gl.arange(0, 256, layout=layout), memory.load(layout))


def test_shared_memory_that_nobody_wrote():
    with pytest.raises(errors.MemoryAccessError, match="shared"):
        reads_nothing[(1,)](torch.zeros(256), FOUR, cpu_checks=True)


@gluon.jit
def turn(x, y, M: gl.constexpr, N: gl.constexpr, layout: gl.constexpr):
    row = gl.arange(0, M, layout=gl.SliceLayout(1, layout))[:, None]
    column = gl.arange(0, N, layout=gl.SliceLayout(0, layout))[None, :]
    memory = gl.allocate_shared_memory(gl.float32, [M, N], gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))
    memory.store(gl.load(x + row * N + column))
    gl.store(y + column * M + row, memory.load(layout))


TILE = gl.BlockedLayout([1, 4], [4, 4], [2, 2], [1, 0])


def source_of_turn(layout: gl.BlockedLayout) -> GluonASTSource:
    signature = {"x": "*fp32", "y": "*fp32"} | dict.fromkeys(("M", "N", "layout"), "constexpr")
    return GluonASTSource(turn, signature, {"M": 32, "N": 64, "layout": layout})


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_code_for_gpus(arch):
    compiled = triton.compile(source_of_turn(TILE), target=GPUTarget("xpu", arch, 16))
    assert f'ttig.target = #ttig.target<arch = "{arch}">' in compiled.asm["ttgir"]
    # A pass that chooses layouts would have found that no store writes neighbours.
    assert compiled.asm["ttgir"].count("#ttg.blocked<") == 1
    assert compiled.metadata.shared == 32 * 64 * 4
    assert compiled.asm["spv"][:4] == (0x07230203).to_bytes(4, "little")


@needs_ocloc
@pytest.mark.parametrize(("arch", "lanes"), [("pvc", 16), ("pvc", 32), ("bmg", 16)])
def test_native_code(arch, lanes):
    layout = gl.BlockedLayout([1, 4], [4, lanes // 4], [2, 2], [1, 0])
    compiled = triton.compile(
        source_of_turn(layout),
        target=GPUTarget("xpu", arch, 16),
        options={"generate_native_code": True, "warp_size": lanes},
    )
    assert compiled.metadata.native["simd_size"] == lanes
    assert compiled.metadata.native["slm_bytes"] == 32 * 64 * 4
    assert compiled.metadata.native["barriers"] == 1
    assert not compiled.metadata.native["spilled_registers"]


@pytest.mark.conformance
def test_stages_from_files(tmp_path):
    x, y = torch.randn(32, 64), poisoned((64, 32), torch.float32)
    compiled = turn[(1,)](x, y, 32, 64, TILE)
    assert torch.equal(y, x.t())
    path = tmp_path / "turn.ttgir"
    path.write_text(compiled.asm["ttgir"])
    again = triton_compiler.compile(IRSource(path), target=compiled.metadata.target)
    y = poisoned((64, 32), torch.float32)
    again[(1, 1, 1)](x, y)
    assert torch.equal(y, x.t())


@gluon.jit
def scoped(x, layout: gl.constexpr):
    place = gl.arange(0, 256, layout=layout)
    with pl.scope("load"):
        value = gl.load(x + place)
    gl.store(x + place, value + 1.0)


def test_edited_stages(tmp_path):
    x = torch.zeros(256)
    compiled = scoped[(1,)](x, FOUR)
    path = tmp_path / "scoped.ttgir"
    path.write_text(compiled.asm["ttgir"].replace("dense<1.000000e+00>", "dense<5.000000e+00>"))
    scoped[(1,)](x, FOUR, ir_override=str(path))
    assert torch.equal(x, torch.full((256,), 6.0))


def test_scopes_of_profiles(tmp_path):
    proton.start(str(tmp_path / "profile"), backend="instrumentation", data="trace")
    try:
        scoped[(1,)](torch.zeros(256), FOUR)
    finally:
        proton.finalize()
    assert (tmp_path / "profile.chrome_trace").read_text().count('"load"') == 4


@triton.autotune([triton.Config({"BLOCK": 256}, num_warps=count) for count in (1, 4)], key=["n"])
@gluon.jit
def tuned(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [16], [gl.num_warps()], [0])
    place = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(y + place, gl.load(x + place, mask=place < n), mask=place < n)


@pytest.mark.conformance
def test_autotuning():
    x, y = torch.randn(1000), poisoned((1000,), torch.float32)
    tuned[(4,)](x, y, 1000)
    assert torch.equal(y, x)
    assert tuned.best_config.num_warps in (1, 4)


def test_cached_kernels(tmp_path, monkeypatch):
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path))
    hits = []

    def listen(*, cache_hit: bool, **_others: object) -> None:
        hits.append(cache_hit)

    monkeypatch.setattr(triton.knobs.compilation, "listener", listen)
    x, y = torch.randn(32, 64), poisoned((64, 32), torch.float32)
    for _ in range(2):
        turn.device_caches.clear()
        turn[(1,)](x, y, 32, 64, TILE)
    turn.device_caches.clear()
    assert hits == [False, True]


SCRIPT = """
import torch
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def twice(x, y, n, BLOCK: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [16], [4], [0])
    place = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=layout)
    gl.store(y + place, gl.load(x + place, mask=place < n) * 2, mask=place < n)


if __name__ == "__main__":
    x, y = torch.randn(1000), torch.zeros(1000)
    twice[(4,)](x, y, 1000, 256)
    assert torch.equal(y, x * 2)
"""


@pytest.fixture
def script(tmp_path) -> Path:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


@needs_ocloc
def test_report(script, capsys):
    assert main(["report", "--signature", "*fp32, *fp32, i32, 256", str(script)]) == 0
    assert "gl.store(y + place, gl.load(x + place, mask=place < n) * 2, mask=place < n)" in capsys.readouterr().out


def test_export(script, tmp_path, capsys):
    """There is a second version for launches whose tensors overlap."""
    folder = tmp_path / "exported"
    arguments = ["compile", "--signature", "*fp32, *fp32, i32, 256", "--grid", "(n + 255) / 256, 1, 1"]
    assert main([*arguments, "--target", "pvc", "--output", str(folder), str(script)]) == 0
    assert {"twice.cpp", "twice.h", "twice.spv", "twice.fallback.spv"} <= {path.name for path in folder.iterdir()}


def run_command(*arguments: str) -> str:
    command = [sys.executable, "-m", "triton_xe", *arguments]
    return warm_python.run(command, check=True).stdout


@pytest.mark.parametrize(
    ("written", "encoding"),
    [
        ("gl.SliceLayout(0, gl.BlockedLayout([1, 2], [2, 8], [2, 2], [1, 0]))",
         "#ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [2, 8], "
         "warpsPerCTA = [2, 2], order = [1, 0]}>}>"),
        ("gl.PaddedSharedLayout.with_identity_for([[16, 4]], [32], [0])",
         "#ttg.padded_shared<[16:+4] {order = [0], shape = [32]}>"),
    ],
)  # fmt: skip
def test_drawings(written, encoding, capsys):
    """A layout is the same, whether Python or the IR writes it."""
    drawings = []
    for text in (written, encoding):
        assert main(["layout", text, "--shape", "32"]) == 0
        drawings.append(capsys.readouterr().out)
    assert drawings[0] == drawings[1]


def test_drawings_of_products(capsys):
    """The layouts of DPAS are those of the compiler."""
    dpas = (
        "#ttig.dpas<{repeatCount = 8, systolicDepth = 8, executionSize = 16, opsPerChan = 2, threadsPerWarp = 16, "
        "warpsPerCTA = [2, 1], repCluster = [1, 2]}>"
    )
    drawings = []
    for text in ("xe.DPASLayout([2, 1], [1, 2]).accumulator([16, 32])", dpas):
        assert main(["layout", text, "--shape", "16x32"]) == 0
        drawings.append(capsys.readouterr().out)
    assert drawings[0] == drawings[1]


@pytest.mark.parametrize(
    "written",
    [
        "gl.AutoLayout()",
        "gl.Blocked([1])",
        "1",
        "gl.BlockedLayout([3], [16], [4], [0])",
        "xe.DPASLayout([2, 1]).accumulator([32])",
        # Nothing else of Python is evaluated.
        "__import__('sys').exit(7)",
        "(lambda: gl.BlockedLayout([1], [16], [4], [0]))()",
        "gl.BlockedLayout([1], [16], [4], [0]).__class__([1], [16], [4], [0])",
        "[gl.BlockedLayout([1], [16], [4], [0]) for i in (1,)][0]",
        "gl.core",
        "gl.BlockedLayout(",
    ],
)
def test_no_layout_to_draw(written, capsys):
    assert main(["layout", written, "--shape", "32"]) == 2
    assert f"error: `{written}`" in capsys.readouterr().err


def test_commands_that_need_ttir(script, tmp_path):
    """Both report why they leave the kernel out."""
    assert "kernels in Gluon have no TTIR" in run_command("verify", str(script))
    path = tmp_path / "harvest.jsonl"
    run_command("harvest", "--output", str(path), "--", sys.executable, str(script))
    (failure,) = records.read_all([path]).failures
    assert (failure.name, failure.reason) == ("twice", "kernels in Gluon have no TTIR")
