# SPDX-License-Identifier: MIT
"""TRITON_XE_INDUCTOR: programs that know nothing of this package."""

from __future__ import annotations

import os
import sys

import pytest
import warm_python

#: Prints the language of Inductor's kernels, in this process and perhaps in one that it starts.
PROGRAM = """
import multiprocessing, sys, threading
{first}
import torch

def work(runs):
    torch.manual_seed(1)
    model, x = torch.nn.GELU(), torch.randn(8, 32)
    compiled = torch.compile(model)
    print(torch._inductor.config.cpu_backend, "triton_xe.inductor" in sys.modules)
    if runs:
        from torch._inductor.utils import run_and_get_code
        result, (code, *_) = run_and_get_code(compiled, x)
        torch.testing.assert_close(result, model(x), rtol=1e-3, atol=1e-3)
        assert "@triton.jit" in code

if __name__ == "__main__":
    work({runs})
    if {runs}:
        worker = multiprocessing.get_context("spawn").Process(target=work, args=[False])
        worker.start()
        worker.join()
        # An assignment to torch's configuration holds in one thread.
        thread = threading.Thread(target=work, args=[False])
        thread.start()
        thread.join()
        sys.exit(worker.exitcode)
"""


def run(tmp_path, mode: str | None, first: str = "", runs: bool = False) -> tuple[list[str], str]:
    """Return the lines that the program prints, and its messages."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(first=first, runs=runs))
    environment = {name: value for name, value in os.environ.items() if name != "TRITON_XE_INDUCTOR"}
    if mode is not None:
        environment["TRITON_XE_INDUCTOR"] = mode
    environment |= {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"), "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    result = warm_python.run([sys.executable, str(program)], imports_triton=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.splitlines(), result.stderr


def test_enabled_without_a_call(tmp_path):
    """The kernels are Triton's; threads and processes that a program starts are enabled, too."""
    lines, _ = run(tmp_path, "1", runs=True)
    assert lines == ["triton True"] * 3


def test_choice_of_the_program(tmp_path):
    """A program that has chosen C++ keeps it."""
    first = "import torch._inductor.config; torch._inductor.config.cpu_backend = 'cpp'"
    assert run(tmp_path, "1", first)[0] == ["cpp True"]


@pytest.mark.parametrize(
    "first", ["import triton", pytest.param("import torch._inductor.compile_fx", marks=pytest.mark.full)]
)
def test_order_of_imports(tmp_path, first):
    """A program may have Triton, or a part of torch's compiler, before anything else."""
    assert run(tmp_path, "1", first)[0] == ["triton True"]


@pytest.mark.parametrize("mode", [pytest.param(None, marks=pytest.mark.full), "auto"])
def test_not_enabled(tmp_path, mode):
    """Without the variable, and with `auto` where torch has no Intel GPU, nothing changes."""
    assert run(tmp_path, mode)[0] == ["cpp " + str(mode == "auto")]


def test_another_value(tmp_path):
    lines, messages = run(tmp_path, "yes please")
    assert lines == ["cpp False"]
    assert "TRITON_XE_INDUCTOR: expected `1`, `0` or `auto`, found `yes please`" in messages
