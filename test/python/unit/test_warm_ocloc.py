# SPDX-License-Identifier: MIT
"""The process that keeps the device compiler loaded: it does what the program does, and the program what it cannot."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import sanitizers
import triton
import triton.language as tl
from kernel_suite.case import PVC
from support import needs_ocloc
from triton.compiler import ASTSource
from warm_ocloc import Compilers, find_libraries

from triton_xe import device_compiler, errors, target

pytestmark = [
    needs_ocloc,
    pytest.mark.skipif(sanitizers.LOADED, reason="with sanitizers, no process keeps the compiler"),
]

#: The answer of `ocloc`: its output, and the files that it writes.
Answer = tuple[str, dict[str, bytes]]


@triton.jit
def double(x_ptr, N: tl.constexpr):
    offsets = tl.arange(0, N)
    tl.store(x_ptr + offsets, 2 * tl.load(x_ptr + offsets))


@pytest.fixture
def programs() -> list[str]:
    """Calls of the program itself."""
    return []


@pytest.fixture
def compilers(warm_device_compiler: Compilers, programs: list[str]):
    """Compilers that have not started yet."""
    if find_libraries(device_compiler.find().ocloc) is None:
        pytest.skip(
            "no library of this `ocloc` can be loaded: only those that `triton-xe install-compiler` fetches are"
        )

    def run_program(name: str, path: str, *arguments: object) -> str:
        programs.append(name)
        return warm_device_compiler.run_program(name, path, *arguments)

    compilers = Compilers(run_program)
    yield compilers
    compilers.end()


def compile_with(
    compilers: Compilers, folder: Path, text: bytes | None = None, device: str = "pvc", path: str = ""
) -> Answer:
    """Return the answer for a kernel, or for a text that is no SPIR-V."""
    source, out = folder / "kernel.spv", folder / "out"
    kernel = triton.compile(ASTSource(double, {"x_ptr": "*fp32", "N": "constexpr"}, {(1,): 64}), target=PVC)
    source.write_bytes(text or kernel.asm["spv"])
    command = ("compile", "-spirv_input", "-file", source, "-device", device, "-out_dir", out, "--format", "zebin")
    options = ("-options", target.resolve("pvc").grf_build_options["256"])
    output = compilers.run("ocloc", path or device_compiler.find().ocloc, *command, *options)
    files = {file.name: file.read_bytes() for file in out.iterdir()}
    for file in out.iterdir():
        file.unlink()
    return output, files


def test_answer_of_the_program(compilers, programs, tmp_path):
    """Its output and its files are the same, for the second kernel of the process, too."""
    answers = [compile_with(compilers, tmp_path) for _ in range(2)]
    assert not programs and compilers.count == 2
    # A path that has no libraries beside it is that of a program.
    program = tmp_path / "ocloc"
    program.symlink_to(device_compiler.find().ocloc)
    answers.append(compile_with(compilers, tmp_path, path=str(program)))
    assert programs == ["ocloc"] and compilers.count == 2
    assert answers[0] == answers[1] == answers[2] and answers[0][1]


@pytest.mark.parametrize("problem", [{"text": b"no SPIR-V"}, {"device": "no such chip"}], ids=str)
def test_errors_are_those_of_the_program(compilers, programs, tmp_path, problem):
    """Whether the libraries report an error, or end the process."""
    with pytest.raises(errors.ToolError, match="`ocloc` failed with status"):
        compile_with(compilers, tmp_path, **problem)
    assert programs == ["ocloc"] and compilers.count == 0
    compile_with(compilers, tmp_path)
    assert programs == ["ocloc"] and compilers.count == 1


def test_process_that_crashes(compilers, programs, tmp_path):
    """The program compiles the kernel at which the process ends, and another process the next one."""
    compile_with(compilers, tmp_path)
    (compiler,) = compilers.running.values()
    # It reads the request, and does not answer.
    os.kill(compiler.process.pid, signal.SIGSTOP)
    killer = signal.signal(signal.SIGALRM, lambda *_: os.kill(compiler.process.pid, signal.SIGKILL))
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    try:
        output, files = compile_with(compilers, tmp_path)
    finally:
        signal.signal(signal.SIGALRM, killer)
    assert programs == ["ocloc"] and files and "Build succeeded" in output
    compile_with(compilers, tmp_path)
    assert programs == ["ocloc"] and compilers.count == 2
