# SPDX-License-Identifier: MIT
"""A crash of our own compiler is an error that states how to reproduce it; the process and its threads go on."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned, random_tensor
from support import needs_test_passes

from triton_xe import _compiler, compiler, errors

pytestmark = needs_test_passes

KINDS = ["null", "assertion", "overflow", "fatal", "unreachable"]


@triton.jit
def add(x, out, n, VALUE: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n) + VALUE, mask=i < n)


@pytest.fixture
def crashing(monkeypatch):
    """Lets kernels crash in a pass after those of a stage, in this process, on request."""
    _compiler.register_test_passes()
    run_pipeline = compiler.run_pipeline
    chosen: dict[str, str] = {}

    def run_and_crash(module, pipeline):
        for stage, kind in chosen.items():
            if stage in pipeline:
                pipeline += f",test-crash{{kind={kind}}}"
        run_pipeline(module, pipeline)

    monkeypatch.setattr(compiler, "run_pipeline", run_and_crash)
    return chosen


def launch(value: int) -> None:
    """Compile (each value is another kernel), run and compare."""
    x, out = random_tensor((1000,), torch.float32, value), poisoned((1000,), torch.float32)
    add[(8,)](x, out, 1000, VALUE=value, B=128)
    assert torch.equal(out, x + value)


def crash(value: int) -> errors.CompileError:
    """Return the error of a kernel that crashes the compiler."""
    with pytest.raises(errors.CompileError) as caught:
        launch(value)
    return caught.value


def command_of(error: errors.CompileError) -> str:
    """Return the line for a shell that an error ends with."""
    return re.search(r"this shows it again: (.*)", str(error))[1]


def run_command(command: str) -> subprocess.CompletedProcess:
    """Run it as a shell does, with the tool of this environment."""
    tool, *arguments = shlex.split(command)
    path = Path(sys.executable).with_name(tool)
    return subprocess.run([path, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("stage", ["ttgir-pipeline", "allocation-pipeline", "llvm-pipeline"])
def test_crash(crashing, stage, kind):
    """Three crashes in one process, each with the kernel's line, the pass and a reproducer; kernels in between run."""
    base = 100 * (KINDS.index(kind) + 1) + 1000 * len(stage)
    for round_ in range(3):
        crashing[stage] = kind
        error = crash(base + 2 * round_)
        crashing.clear()
        line = add.starting_line_number + 1
        assert str(error).startswith(f"{__file__}:{line}: error: the compiler crashed in the pass `test-crash` (")
        assert ") in kernel `add`, which is a bug of triton-xe; " in str(error)
        launch(base + 2 * round_ + 1)
    result = run_command(command_of(error))
    assert result.returncode != 0
    if kind == "fatal":
        assert "the pass cannot go on" in str(error)
        assert "the pass cannot go on" in result.stderr


def test_threads():
    """Two threads crash at the same time, repeatedly, while a third one compiles."""
    _compiler.register_test_passes()
    text = "module { tt.func public @f(%x: !tt.ptr<f32>) { tt.return } }"
    started = threading.Barrier(3)
    failures: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            started.wait()
            for _ in range(10):
                work()
        except BaseException as error:
            failures.append(error)

    def crash_pass() -> None:
        with pytest.raises(errors.CompileError, match="crashed in the pass `test-crash`"):
            _compiler.Module.parse(text, "ttir").run_pipeline("builtin.module(canonicalize,test-crash)")

    def compile_only() -> None:
        for _ in range(5):
            module = _compiler.Module.parse(text, "ttir")
            module.run_pipeline("builtin.module(canonicalize,cse)")
            assert "tt.func" in module.to_text()

    workers = [threading.Thread(target=run, args=(work,)) for work in (crash_pass, crash_pass, compile_only)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    launch(30_000)


def test_module_after_a_crash():
    """A module in which the compiler crashed reports it in every query."""
    _compiler.register_test_passes()
    module = _compiler.Module.parse("module {}", "ttir")
    with pytest.raises(errors.CompileError, match="crashed in the pass `test-crash` \\(Segmentation fault\\)"):
        module.run_pipeline("builtin.module(test-crash)")
    for query in (module.to_text, module.launch_conditions, module.kernels, module.optimize_llvm_ir):
        with pytest.raises(errors.CompileError, match="the compiler crashed in the pass `test-crash`"):
            query()


def test_parser():
    """MLIR's own parser crashes on such an attribute."""
    text = "module attributes {ttg.x = array<index: 1>} {}"
    with pytest.raises(errors.CompileError, match="crashed in the parser") as caught:
        _compiler.Module.parse(text, "ttir")
    assert run_command(command_of(caught.value)).returncode < 0


def test_reproducer_of_a_failure(tmp_path, monkeypatch):
    """A pass that fails leaves one where the user wants it."""
    path = tmp_path / "failure.mlir"
    _compiler.register_test_passes()
    module = _compiler.Module.parse("module {}", "ttir")
    module.run_pipeline("builtin.module(canonicalize)")
    with pytest.raises(errors.CompileError, match="no such crash: 'none'"):
        module.run_pipeline("builtin.module(test-crash{kind=none})", reproducer_path=str(path))
    assert 'pipeline: "builtin.module(canonicalize,test-crash{kind=none})"' in path.read_text()
    result = run_command(f"triton-xe-opt --run-reproducer {path}")
    assert "no such crash: 'none'" in result.stderr


def test_reproducer_that_cannot_be_written(tmp_path):
    """A missing folder is a separate error."""
    _compiler.register_test_passes()
    module = _compiler.Module.parse("module {}", "ttir")
    missing = Path(tmp_path) / "missing" / "crash.mlir"
    with pytest.raises(errors.CompileError, match=r"cannot write `.*crash.mlir`"):
        module.run_pipeline("builtin.module(test-crash{kind=none})", reproducer_path=str(missing))
