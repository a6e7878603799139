# SPDX-License-Identifier: MIT
"""Uses of a kernel by users and other libraries: tuning, timing, hooks, knobs, and what the documents promise."""

from __future__ import annotations

import dataclasses
import os
import re
import runpy
import subprocess
import sys
from operator import itemgetter
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python

from triton_xe import knobs
from triton_xe.options import XeOptions

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text()
OPTIONS = (ROOT / "docs/reference/options.md").read_text()


@triton.jit
def transpose(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (rows[:, None] < N) & (columns[None, :] < N)
    x = tl.load(x_ptr + rows[:, None] * N + columns[None, :], mask=mask)
    mask = (columns[:, None] < N) & (rows[None, :] < N)
    tl.store(y_ptr + columns[:, None] * N + rows[None, :], tl.trans(x), mask=mask)


def arguments(size: int = 80) -> tuple[torch.Tensor, torch.Tensor, int]:
    x = torch.arange(size * size, dtype=torch.float32).view(size, size)
    return x, torch.full_like(x, float("nan")), size


def grid(meta: dict) -> tuple[int, int]:
    return (triton.cdiv(80, meta["BLOCK"]),) * 2


def test_autotuner_drops_what_does_not_fit():
    """Of two configurations one needs more shared memory than there is: the tuner takes the other, and runs it."""
    configs = [triton.Config({"BLOCK": 256}, num_warps=32), triton.Config({"BLOCK": 32}, num_warps=4)]
    tuned = triton.autotune(configs, key=["N"])(transpose)
    x, y, n = arguments()
    tuned[grid](x, y, n)
    assert torch.equal(y, x.T)
    assert tuned.best_config is configs[1]
    assert tuned.configs_timings[configs[0]][0] == float("inf")
    assert 0 < tuned.configs_timings[configs[1]][0] < float("inf")


def test_do_bench_measures_milliseconds():
    """`triton.testing.do_bench` works on the CPU device, with quantiles and other reductions too."""
    x, y, n = arguments()

    def launch() -> None:
        transpose[grid](x, y, n, BLOCK=32)

    assert 0 < triton.testing.do_bench(launch, warmup=1, rep=5) < 1e4
    low, middle, high = triton.testing.do_bench(launch, warmup=1, rep=5, quantiles=(0.2, 0.5, 0.8))
    assert 0 < low <= middle <= high
    assert triton.testing.do_bench(launch, warmup=1, rep=5, return_mode="min") > 0


def test_warmup_compiles_without_running():
    """`kernel.warmup` gives the compiled kernel and touches no memory; types alone are enough."""
    x, y, n = arguments()
    compiled = transpose.warmup(x, y, n, BLOCK=32, grid=(1,))
    assert torch.isnan(y).all()
    assert compiled.metadata.name == "transpose"
    mocked = transpose.warmup(torch.float32, torch.float32, n, BLOCK=32, grid=(1,))
    assert mocked.asm["ttgir"].startswith("#") or "module" in mocked.asm["ttgir"]
    compiled[(3, 3, 1)](x, y, n, 32)
    assert torch.equal(y, x.T)


def test_launch_hooks(monkeypatch):
    """Hooks see each launch before and after it, with the kernel's name."""
    seen = []
    monkeypatch.setattr(triton.knobs.runtime, "launch_enter_hook", triton.knobs.HookChain())
    monkeypatch.setattr(triton.knobs.runtime, "launch_exit_hook", triton.knobs.HookChain())
    x, y, n = arguments()
    triton.knobs.runtime.launch_enter_hook.add(
        lambda metadata: seen.append(("enter", metadata.get()["name"], bool(torch.isnan(y).all())))
    )
    triton.knobs.runtime.launch_exit_hook.add(
        lambda metadata: seen.append(("exit", metadata.get()["name"], bool(torch.isnan(y).all())))
    )
    transpose[grid](x, y, n, BLOCK=32)
    assert seen == [("enter", "transpose", True), ("exit", "transpose", False)]


def run_python(program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Run a fresh interpreter."""
    environment = os.environ | variables
    return warm_python.run(
        [sys.executable, "-W", "ignore", *(arguments or ("-c", program))],
        env=environment, timeout=120,
    )  # fmt: skip


def test_a_launch_leaves_torch_xpu_alone():
    """Neither `import triton` nor the choice of the CPU driver calls into torch.xpu."""
    result = run_python("""
import torch
calls = []
for name in ("is_available", "device_count", "current_device", "_lazy_init", "init", "get_device_properties"):
    setattr(torch.xpu, name, lambda *a, name=name, **k: calls.append(name))
import triton
driver = triton.runtime.driver.active
assert driver.get_current_target().backend == "cpu", driver
assert driver.get_active_torch_device() == torch.device("cpu")
assert not calls, calls
assert not torch.xpu.is_initialized()
""")
    assert result.returncode == 0, result.stderr


def test_default_backend_knob(monkeypatch):
    """`TRITON_DEFAULT_BACKEND=cpu` chooses the CPU device although there is a GPU."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)

    def active() -> list[str]:
        return [name for name in ("cpu", "xpu") if triton.backends.backends[name].driver.is_active()]

    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "")
    assert active() == []
    monkeypatch.setenv("TRITON_DEFAULT_BACKEND", "cpu")
    assert active() == ["cpu"]


def test_example_of_the_readme(tmp_path):
    """The first Python block of the README runs unchanged."""
    example = re.search(r"^## Example$.*?^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[1]
    path = tmp_path / "example.py"
    path.write_text(example)
    result = run_python("", str(path))
    assert result.returncode == 0, result.stderr
    assert result.stdout == "bytes of shared memory: 0\n"


def table_rows(header: str) -> dict[str, list[str]]:
    """Return the rows of the table of options with this header, by their first cell."""
    lines = OPTIONS[OPTIONS.index(header) :].splitlines()[2:]
    rows = {}
    for line in lines:
        if not line.startswith("|"):
            break
        first, *rest = (cell.strip() for cell in line.strip("|").split("|"))
        rows[first.strip("`")] = rest
    return rows


def test_table_of_environment_variables():
    """The page lists every knob, with the words of its definition, and no other."""
    assert table_rows("| variable | meaning |") == {knob.name: [knob.summary] for knob in knobs.ALL}


def test_table_of_options():
    """The options of the page exist, and every option of ours that is not Triton's is listed."""
    rows = table_rows("| option | values | meaning |")
    fields = {field.name for field in dataclasses.fields(XeOptions)}
    assert rows.keys() <= fields
    assert {"grf_mode", "warp_size", "generate_native_code"} <= rows.keys()


@pytest.mark.parametrize("command", [["info", "--environment"]])
def test_command_line(command):
    """`triton-xe info` names versions, devices, tools and knobs, and never fails."""
    result = run_python("", "-m", "triton_xe", *command)
    assert result.returncode == 0, result.stderr
    for word in ("triton ", "cpu", "ocloc", *(knob.name for knob in knobs.ALL)):
        assert word in result.stdout


@pytest.mark.needs("block pointers (IR)")
def test_table_of_support(request, capsys, monkeypatch):
    """The page states what the tests with the default wheel cover, and no operation of it is without a test.

    The script collects all tests to find out, which takes the time of many of them, unless this run has done so.
    """
    script = Path(__file__).parents[3] / "scripts" / "support_table.py"
    config = request.config
    collected = {Path(argument).resolve() for argument in config.args}
    is_complete = collected == {Path(__file__).parents[1].resolve()} and config.getoption("--one-in") == 1
    chosen = ("--full", "keyword", "markexpr", "deselect", "ignore", "ignore_glob", "lf")
    if not is_complete or any(config.getoption(name, None) for name in chosen):
        result = warm_python.run([sys.executable, str(script), "--check"])
        assert result.returncode == 0, result.stderr
        return
    monkeypatch.syspath_prepend(script.parent)
    update, read_marks = itemgetter("update", "read_marks")(runpy.run_path(str(script)))
    assert update(read_marks(request.session.items), check=True) == 0, capsys.readouterr().err
