# SPDX-License-Identifier: MIT
"""The simulator's timing model on whole launches, in reports, and as a benchmark of the autotuner."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from support import needs_ocloc

from triton_xe import _simulator, errors
from triton_xe.cpu import simulator
from triton_xe.tools import report
from triton_xe.tools.report import hardware, rank
from triton_xe.tools.simulation import timing_model

pytestmark = needs_ocloc


@triton.jit
def scale_kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    index = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y_ptr + index, tl.load(x_ptr + index) * 2)


@triton.jit
def strided_kernel(x_ptr, y_ptr, STRIDE: tl.constexpr, SIZE: tl.constexpr):
    index = tl.arange(0, SIZE)
    tl.store(y_ptr + index, tl.load(x_ptr + index * STRIDE))


@triton.jit
def sum_kernel(x_ptr, y_ptr, count, SIZE: tl.constexpr):
    total = tl.zeros((SIZE,), tl.float32)
    for step in range(count):
        total += tl.load(x_ptr + step * SIZE + tl.arange(0, SIZE))
    tl.store(y_ptr + tl.program_id(0), tl.sum(total))


@triton.jit
def waiting_kernel(x_ptr, flag_ptr, result_ptr, count):
    if tl.program_id(0) == 0:
        while tl.atomic_cas(flag_ptr, 1, 1, sem="acquire") != 1:
            pass
        tl.store(result_ptr, tl.load(x_ptr))
    else:
        total = 0.0
        for step in range(count):
            total += tl.load(x_ptr + 1 + step)
        tl.store(x_ptr, total)
        tl.atomic_xchg(flag_ptr, 1, sem="release")


def cycles_of_launch(kernel, grid, *arguments, arch: str = "pvc", **options) -> timing_model.LastLaunch:
    """Launch once, and query the model."""
    with timing_model.modelling(arch):
        kernel[grid](*arguments, cpu_code="zebin", arch=arch, **options)
    return timing_model.last_launch()


def test_waits_for_other_programs_do_not_count() -> None:
    """How often a program looks for what another one has done is no work of the launch."""
    found = []
    for is_done in (False, True):
        x, flag, result = torch.ones(3001), torch.tensor([int(is_done)], dtype=torch.int32), torch.zeros(1)
        launch = cycles_of_launch(waiting_kernel, (2,), x, flag, result, 3000, num_warps=1)
        assert is_done or result.item() == 3000
        found.append(launch.cycles)
    assert found[0] == pytest.approx(found[1], rel=0.05)


def test_off_by_default() -> None:
    x = torch.randn(256)
    y = torch.empty_like(x)
    kernel = scale_kernel[(1,)](x, y, 256, num_warps=1, cpu_code="zebin", num_stages=5)
    assert timing_model.modelled(kernel) is None
    assert torch.equal(y, x * 2)


def test_same_every_time_and_same_results() -> None:
    x = torch.randn(64 * 512)
    expected = x.view(64, 512).sum(0).sum()
    found = []
    for _ in range(3):
        y = torch.full((300,), torch.nan)
        found.append(cycles_of_launch(sum_kernel, (300,), x, y, 64, 512))
        torch.testing.assert_close(y, expected.expand(300), atol=1e-2, rtol=1e-4)
    assert found[0] == found[1] == found[2]


@triton.jit
def part_sum_kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    x = tl.load(x_ptr + tl.program_id(0) * SIZE + tl.arange(0, SIZE))
    tl.store(y_ptr + tl.program_id(0), tl.sum(x))


@pytest.mark.parametrize("arch", ["pvc", "bmg", "lnl", "ptl"])
def test_memory_bandwidth_is_a_floor(arch: str) -> None:
    """A copy takes at least the time that memory needs for every line that it touches, once."""
    size, groups = 4096, 1024
    x = torch.randn(size * groups)
    y = torch.empty_like(x)
    launch = cycles_of_launch(scale_kernel, (groups,), x, y, size, arch=arch)
    figures = hardware.resolve(arch)
    per_cycle = figures.sustained_bandwidth.value / figures.clock.value
    assert launch.cycles == pytest.approx(2 * 4 * size * groups / per_cycle, abs=1)
    # A kernel that writes nearly nothing has what memory gives to reads, which is less for HBM2e.
    reads_per_cycle = figures.sustained_reads.value / figures.clock.value
    read = cycles_of_launch(part_sum_kernel, (groups,), x, y, size, arch=arch)
    assert read.cycles == pytest.approx(4 * size * groups / reads_per_cycle, rel=0.01)
    assert (read.cycles > 1.01 * 4 * size * groups / per_cycle) == (arch == "pvc")
    # One line that all programs read is in the cache after the first one.
    assert cycles_of_launch(sum_kernel, (groups,), x, y, 1, 512, arch=arch).cycles < launch.cycles / 4


def test_cores_fill_in_waves() -> None:
    """Groups go around the cores: a second one on a core overlaps with the first, and more than fit wait."""
    x, y = torch.randn(64 * 512), torch.empty(1 << 15)
    cores = int(hardware.resolve("pvc").cores.value)

    def launch(groups: int) -> timing_model.LastLaunch:
        return cycles_of_launch(sum_kernel, (groups,), x, y, 64, 512, num_warps=4)

    one, same, two, full = launch(1), launch(cores), launch(cores + 1), launch(16 * cores)
    assert (one.threads, same.threads, two.threads, full.threads) == (4, 4, 8, 64)
    assert full.most_threads == 64
    assert one.cycles == same.cycles <= two.cycles < full.cycles < 16 * one.cycles
    assert launch(16 * cores + 1).cycles == 2 * full.cycles


@triton.jit
def triangle_kernel(x_ptr, y_ptr, SIZE: tl.constexpr):
    total = tl.zeros((SIZE,), tl.float32)
    for step in range(tl.program_id(0)):
        total += tl.load(x_ptr + step * SIZE + tl.arange(0, SIZE))
    tl.store(y_ptr + tl.program_id(0), tl.sum(total))


def test_groups_that_differ() -> None:
    """The first group does the least: the launch takes as long as an average one needs."""
    x, y = torch.randn(128 * 64), torch.empty(128)
    triangle = cycles_of_launch(triangle_kernel, (128,), x, y, 64, num_warps=1)
    first = cycles_of_launch(triangle_kernel, (1,), x, y, 64, num_warps=1)
    average = cycles_of_launch(sum_kernel, (128,), x, y, 63, 64, num_warps=1)
    assert first.cycles < average.cycles / 4
    assert average.cycles / 3 < triangle.cycles < average.cycles * 3


@triton.jit
def chain_kernel(lock_ptr, y_ptr):
    program = tl.program_id(0)
    while tl.atomic_cas(lock_ptr, program, program) != program:
        pass
    tl.store(y_ptr + program, program)
    tl.atomic_xchg(lock_ptr, program + 1)


def test_sampled_launches() -> None:
    """They run few groups, and the model's result is that of the whole launch if groups do the same."""
    x = torch.randn(128 * 64)

    def launch(sampled: bool, kernel: triton.JITFunction, count: int, *arguments: int) -> tuple[int, int]:
        y = torch.full((count,), torch.nan)
        with timing_model.modelling("pvc", sampled=sampled):
            kernel[(count,)](x, y, *arguments, num_warps=1, cpu_code="zebin")
        return timing_model.last_launch().cycles, int((~y.isnan()).sum())

    whole, sampled = launch(False, sum_kernel, 1000, 64, 64), launch(True, sum_kernel, 1000, 64, 64)
    assert sampled[0] == whole[0] and whole[1] == 1000 and sampled[1] < 100
    # If groups differ, those of the sample represent all.
    for count in (7, 16, 100, 128):
        whole, sampled = launch(False, triangle_kernel, count, 64), launch(True, triangle_kernel, count, 64)
        assert sampled[0] == pytest.approx(whole[0], rel=0.15) and sampled[1] < whole[1] == count


def test_sampled_launches_end() -> None:
    """The groups of the sample wait for others, which run then, too."""
    lock, y = torch.zeros(1, dtype=torch.int32), torch.full((40,), torch.nan)
    with timing_model.modelling("pvc", sampled=True):
        chain_kernel[(40,)](lock, y, num_warps=1, cpu_code="zebin")
    assert torch.equal(y, torch.arange(40.0)) and lock.item() == 40


def test_more_lines_take_longer() -> None:
    x = torch.randn(1024 * 32)
    y = torch.empty(1024)
    cycles = [cycles_of_launch(strided_kernel, (1,), x, y, stride, 1024).cycles for stride in (1, 4, 8, 16, 32)]
    assert cycles == sorted(cycles) and cycles[-1] > cycles[0]


def test_loops_take_longer() -> None:
    x, y = torch.randn(64 * 512), torch.empty(1)
    cycles = [cycles_of_launch(sum_kernel, (1,), x, y, count, 512).cycles for count in (1, 4, 16, 64)]
    assert cycles == sorted(set(cycles))


def test_cycles_of_instructions() -> None:
    """A kernel's issued instructions are those that its traced threads execute, and the report shows it by line."""
    x, y = torch.randn(64 * 512), torch.empty(1)
    with simulator.counting(), timing_model.modelling("pvc"):
        kernel = sum_kernel[(1,)](x, y, 64, 512, num_warps=8, cpu_code="zebin", num_stages=4)
    modelled, executed = timing_model.modelled(kernel), simulator.executed(kernel)
    assert modelled.launches == 1 and modelled.threads == 8 and modelled.waves == 1
    # There is one group, and all of it is traced.
    assert {address: each.issued for address, each in modelled.instructions.items()} == {
        address: each.executions for address, each in executed.items()
    }
    assert modelled.core_cycles <= modelled.total.total <= 8 * modelled.core_cycles
    made = report.of(kernel)
    assert made.total.model.total == modelled.total.total and made.total.model.share == 100
    assert f"model: {modelled.cycles} cycles" in str(made)
    # Most of it is the loop.
    shares = {row.location.line: row.figures.model.share for row in made.rows if row.location}
    assert sum(shares.values()) == pytest.approx(100, abs=10)
    assert max(shares.values()) > 40


@triton.jit
def exact_product_kernel(x_ptr, y_ptr, out_ptr, SIZE: tl.constexpr):
    rows, columns, inner = tl.arange(0, 8)[:, None], tl.arange(0, 16)[None, :], tl.arange(0, SIZE)
    x = tl.load(x_ptr + rows * SIZE + inner[None, :])
    y = tl.load(y_ptr + inner[:, None] * 16 + columns)
    tl.store(out_ptr + rows * 16 + columns, tl.dot(x, y, input_precision="ieee"))


def test_accumulators_do_not_wait_for_each_other() -> None:
    """Eight sums in turn: a multiply-add waits for the one that wrote its accumulator, not for the one before."""
    cycles = []
    for size in (32, 64):
        x, y, out = torch.randn(8, size), torch.randn(size, 16), torch.empty(8, 16)
        cycles.append(cycles_of_launch(exact_product_kernel, (1,), x, y, out, size, num_warps=1, grf_mode="256").cycles)
        torch.testing.assert_close(out, x @ y)
    added = 32 * 8
    assert added <= cycles[1] - cycles[0] < 3 * added


def test_chips_without_figures() -> None:
    with (
        pytest.raises(errors.OptionError, match=r"there are figures of pvc, bmg, lnl, ptl, not of `nvl-s`"),
        timing_model.modelling("nvl-s"),
    ):
        pass
    assert _simulator.model_timing(None) is None


SCRIPT = """
import torch, triton
import triton.language as tl

CONFIGS = [triton.Config({"BM": m, "BN": n}, num_warps=w) for m, n, w in [(128, 128, 16), (32, 32, 2), (64, 64, 4)]]
# More sub-groups than a work-group may have.
CONFIGS.append(triton.Config({"BM": 16, "BN": 16}, num_warps=128))

@triton.autotune(configs=CONFIGS, key=["K"])
@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr):
    ad = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, 32])
    bd = tl.make_tensor_descriptor(b, [K, N], [N, 1], [32, BN])
    cd = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, 32):
        total = tl.dot(ad.load([row, k]), bd.load([k, column]), total)
    cd.store([row, column], total)

S = 128
a, b = torch.randn(S, S, dtype=torch.bfloat16), torch.randn(S, S, dtype=torch.bfloat16)
c = torch.full((S, S), float("nan"))
matmul[lambda meta: (S // meta["BM"], S // meta["BN"])](a, b, c, S, S, S)
assert torch.allclose(c, a.float() @ b.float(), atol=1e-2)
"""


PLAIN = """
import torch, triton
import triton.language as tl

@triton.jit
def double(x):
    tl.store(x + tl.arange(0, 64), tl.load(x + tl.arange(0, 64)) * 2)

double[(1,)](torch.ones(64))
"""


def run_tool(*arguments: str | Path) -> subprocess.CompletedProcess:
    tool = Path(sys.executable).with_name("triton-xe")
    return warm_python.run([sys.executable, tool, *arguments])


def test_reports_of_a_script(tmp_path) -> None:
    """They have the model's columns where there are figures of the chip, and only there, on the page as well."""
    script, page = tmp_path / "plain.py", tmp_path / "page.html"
    script.write_text(PLAIN)
    for chip, is_modelled in (("pvc", True), ("bmg", True), ("nvl-s", False)):
        result = run_tool("report", "--target", chip, "--html", page, "--simulate", script)
        assert result.returncode == 0, result.stderr
        for text in (result.stdout, page.read_text()):
            assert (
                bool(re.search(r"model: \d+ cycles; 1 x \d+ of a core with \d+ threads; stalls: ", text)) == is_modelled
            )
            assert ("mod%" in text) == is_modelled


def test_rank(tmp_path) -> None:
    """All configurations, in the order of their cycles; the best one runs on."""
    script = tmp_path / "gemm.py"
    script.write_text(SCRIPT)
    result = run_tool("rank", script)
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0].startswith("matmul for pvc: cycles of the timing model")
    assert re.search(r"BM: 16, .* - +- +- +-  out of resource: threads of a work-group", lines[-1])
    rows = [re.search(r"BM: (\d+), .*?(\d+) +(\d+\.\d\d) +(\d+)/\d+ +(\d+)  (.+)", line) for line in lines[2:-1]]
    assert sorted(int(row[1]) for row in rows) == [32, 64, 128]
    cycles = [int(row[2]) for row in rows]
    assert cycles == sorted(set(cycles))
    assert [row[3] for row in rows] == [f"{each / cycles[0]:.2f}" for each in cycles]
    assert all(re.match(r"\w+ \d+ %", row[6]) for row in rows)
    assert run_tool("rank", script).stdout == result.stdout, "and the same every time"


@triton.jit
def add_in_place_kernel(x_ptr, SIZE: tl.constexpr):
    index = tl.program_id(0).to(tl.int64) * SIZE + tl.arange(0, SIZE)
    tl.store(x_ptr + index, tl.load(x_ptr + index) + 1)


def test_rank_by_samples() -> None:
    """Benchmarks leave memory as it was, and all configurations have the floor of the memory's bandwidth."""
    sizes, count = (64, 512, 2048), 1 << 20
    configs = [triton.Config({"SIZE": size}, num_warps=4) for size in sizes]
    found = []
    for all_groups in (False, True):
        x = torch.randn(count)
        expected = x + (1 if not all_groups else 1 + len(sizes))
        tuned = triton.autotune(configs=configs, key=[])(add_in_place_kernel)
        with timing_model.modelling("pvc"), rank.ranking("pvc", all_groups=all_groups) as rankings:
            tuned[lambda meta: (count // meta["SIZE"],)](x, cpu_code="zebin", arch="pvc")
        torch.testing.assert_close(x, expected, atol=1e-5, rtol=0)
        found.append({each.config: each.launch.cycles for each in rankings[0].ordered})
    assert len(found[0]) == len(sizes)
    assert found[0] == pytest.approx(found[1], rel=0.02)


def test_rank_without_configurations(tmp_path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(PLAIN)
    result = run_tool("rank", script)
    assert result.returncode == 1
    assert "tunes no kernel with several configurations" in result.stderr
    assert run_tool("rank", "--target", "nvl-s", script).stderr.startswith("error: there are figures of pvc")
