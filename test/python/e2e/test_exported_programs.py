# SPDX-License-Identifier: MIT
"""Kernels in programs without Python: `triton-xe compile`, and its use in C and C++ programs."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sanitizers
import torch

from triton_xe.tools import command_line

FOLDER = Path(__file__).with_name("exported")
KERNELS = FOLDER / "kernels.py"
#: Every kernel of the programs: signature, and other options.
EXPORTS = {
    "add": ("*kfp32:16, *kfp32, *fp32, i32, i32:1, 64", ()),
    "gemm": (
        "*fp16, *fp16, *fp32, i32, i32, i32, i32, i32, i32, 32, 32, 32",
        ("--grid", "cdiv(M, BLOCK_M), cdiv(N, BLOCK_N)"),
    ),
    "scalars": ("*i64, *fp64, i1, i8, i16, i32, i64, u8, u16, u32, u64, fp16, bf16, fp32, fp64", ()),
    "softmax": ("*fp32, *fp32, i32, 1024", ("--num-warps", "4")),
    "descriptors": (
        "tensordesc<fp32[16]>, tensordesc<fp32[4, 16]>, tensordesc<fp32[1,4,16]>, *fp32, 16",
        ("--nan-padding", "x2"),
    ),
    "reverse": ("*fp32, *fp32, i32, 1024", ("--num-warps", "8")),
    "checked": ("*i32, i32, i32, 16", ("--debug",)),
}


def export(folder: Path, name: str, *options: str, target: str = "cpu") -> None:
    """Run the command; it must succeed."""
    signature, own = EXPORTS[name]
    arguments = [str(KERNELS), "--kernel-name", name, "--signature", signature, "--target", target, *own, *options]
    assert command_line.main(["compile", *arguments, "--output", str(folder)]) == 0


def run(*command: str | Path, cwd: Path | None = None, environment: dict[str, str] | None = None) -> str:
    """Return the output of a command that must succeed."""
    result = subprocess.run(
        [*map(str, command)], cwd=cwd, env={**os.environ, **(environment or {})}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def library_flags(capsys) -> list[str]:
    """Return the flags of `triton-xe config` that programs are linked with."""
    capsys.readouterr()
    assert command_line.main(["config", "--libs"]) == 0
    return capsys.readouterr().out.split()


def make_inputs(folder: Path) -> dict[str, np.ndarray]:
    """Return the arrays that program.cpp reads."""
    random = np.random.default_rng(7)
    arrays = {
        "add_x": random.standard_normal(1000, np.float32),
        "add_y": random.standard_normal(1000, np.float32),
        "softmax_x": random.standard_normal((5, 1000), np.float32),
        "descriptors_x": random.standard_normal((3, 6, 12), np.float32),
        "reverse_x": random.standard_normal(1000, np.float32),
    }
    for name, (a, b, c) in {"gemm": (96, 72, 72), "odd": (97, 73, 75)}.items():
        arrays[f"{name}_a"] = random.standard_normal((100, a), np.float32).astype(np.float16)
        arrays[f"{name}_b"] = random.standard_normal((96, b), np.float32).astype(np.float16)
        arrays[f"{name}_c"] = np.full((100, c), 777, np.float32)
    for name, array in arrays.items():
        array.tofile(folder / f"{name}.bin")
    return arrays


def check_outputs(folder: Path, inputs: dict[str, np.ndarray]) -> None:
    """Compare what the program has written with numpy."""

    def read(name: str, dtype: type, *shape: int) -> np.ndarray:
        return np.fromfile(folder / f"{name}.bin", dtype).reshape(shape)

    for out in read("add_out", np.float32, 4, 1000):
        np.testing.assert_array_equal(out, inputs["add_x"] + inputs["add_y"])
    for name, stride in (("gemm", 72), ("odd", 75)):
        out = read(f"{name}_out", np.float32, 100, stride)
        a, b = inputs[f"{name}_a"].astype(np.float32), inputs[f"{name}_b"].astype(np.float32)
        np.testing.assert_allclose(out[:, :72], a[:, :96] @ b[:, :72], rtol=1e-4, atol=1e-4)
        # The memory between the rows is not used.
        assert (out[:, 72:] == 777).all()
    integers = read("scalars_integers", np.int64, 9)
    expected = [1, -7, -300, -70000, -(1 << 40), 200, 60000, 4000000000, (1 << 63) + 5 - (1 << 64)]
    np.testing.assert_array_equal(integers, np.array(expected, np.int64))
    halves = [torch.tensor(1 / 3).half().double().item(), torch.tensor(3.14159).bfloat16().double().item()]
    np.testing.assert_array_equal(read("scalars_floats", np.float64, 4), [*halves, np.float32(0.1), 0.1])
    x = inputs["softmax_x"]
    power = np.exp(x - x.max(1, keepdims=True))
    out = read("softmax_out", np.float32, 5, 1000)
    np.testing.assert_allclose(out, power / power.sum(1, keepdims=True), rtol=1e-5, atol=1e-7)
    for out in read("reverse_out", np.float32, 3, 1000):
        np.testing.assert_array_equal(out, inputs["reverse_x"][::-1])
    check_descriptors(inputs["descriptors_x"].ravel(), read("descriptors_out", np.float32, 9, 16))


def check_descriptors(x: np.ndarray, out: np.ndarray) -> None:
    """A block of each rank that reaches beyond the end; that of rank 2 is padded with NaN, the others with 0."""
    expected = np.zeros((9, 16), np.float32)
    expected[0, :12] = x[:12]
    expected[1:5] = np.nan
    for row in range(3):
        expected[1 + row, :12] = x[24 * row :][:12]
    for row in range(4):
        expected[5 + row, :11] = x[72 + 12 * row :][:11]
    np.testing.assert_array_equal(out, expected)


#: The output of the program for launches that are refused: status, and a part of the message.
ERRORS = {
    "fine": (0, ""),
    "empty grid": (0, ""),
    "negative grid": (5, "grid[0] is negative: -1"),
    "large grid": (5, "grid[0] is too large"),
    "hint 16": (4, "argument `x`: the kernel was compiled for multiples of 16, found "),
    "hint 1": (4, "argument `stride`: the kernel was compiled for 1, found 2"),
    "base": (4, "argument `x2`: the base of the descriptor is 4 bytes past a multiple of 16: expected an aligned"),
    "shape": (4, "argument `x2`: shape[0] of the descriptor is -1: expected 0 to 2147483647"),
    "pitch": (4, "argument `x2`: strides[0] of the descriptor is 18 elements of 4 bytes: expected a multiple of 16"),
    "last stride": (4, "argument `x2`: strides[1] of the descriptor is 4: expected 1"),
    "null descriptor": (4, "argument `x2`: expected a descriptor, found a null pointer"),
    "assertion holds": (0, ""),
    "assertion": (6, "too many elements"),
    "exception": (5, "grid[0] is negative: -1"),
}


def check_errors(output: str, expected: dict[str, tuple[int, str]]) -> None:
    """Compare what the program has printed."""
    found = dict(re.findall(r"^([\w ]+): (\d+ .*)$", output, re.MULTILINE))
    assert found.keys() == expected.keys(), output
    for name, (status, message) in expected.items():
        number, _, text = found[name].partition(" ")
        assert int(number) == status and message in text, output


@pytest.mark.conformance
def test_cpu_programs(tmp_path, capsys):
    """A program in C++ and one in C launch every kernel without Python, with numpy's numbers."""
    for name in EXPORTS:
        export(tmp_path, name)
    assert (tmp_path / "gemm.fallback.o").exists()
    assert not (tmp_path / "checked.fallback.o").exists()
    flags = library_flags(capsys)
    objects = []
    for name in EXPORTS:
        # The generated code is C without a warning, and C++ as well.
        strict = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-c", f"{name}.c")
        run("cc", "-std=c99", *strict, "-o", f"{name}.o", cwd=tmp_path)
        run("c++", "-std=c++17", "-x", "c++", *strict, "-o", os.devnull, cwd=tmp_path)
        objects.append(f"{name}.o")
    sources = (FOLDER / "program.cpp", f"-I{tmp_path}")
    run("c++", "-std=c++17", "-Wall", "-Werror", "-pthread", *sources, *objects, *flags, "-o", "program", cwd=tmp_path)
    inputs = make_inputs(tmp_path)
    no_memory = (5, "kernel `add` accessed invalid memory at 0x40 in program (0, 0, 0)")
    check_errors(run(tmp_path / "program", cwd=tmp_path), {**ERRORS, "no memory": no_memory})
    check_outputs(tmp_path, inputs)
    run("cc", "-std=c99", FOLDER / "program.c", f"-I{tmp_path}", "add.o", *flags, "-o", "c_program", cwd=tmp_path)
    assert "grid[0] is negative" in run(tmp_path / "c_program", cwd=tmp_path)


def test_memory_that_overlaps(tmp_path, capsys):
    """A program states how much memory pointers have, or promises that those of two are different."""
    export(tmp_path, "reverse")
    header = (tmp_path / "reverse.h").read_text()
    assert "//     x and out do not overlap\n" in header
    assert "size_t x_bytes, size_t out_bytes);" in " ".join(header.split())
    # If no other version exists, a launch reports that it would have run it.
    source = (tmp_path / "reverse.c").read_text()
    (tmp_path / "alone.c").write_text(source.replace("&triton_xe_kernel_1", "NULL"))
    (tmp_path / "main.cpp").write_text(REVERSE)
    flags = library_flags(capsys)
    for name in ("reverse", "alone"):
        run("cc", "-std=c99", "-Wall", "-Wextra", "-Wno-unused-variable", "-c", f"{name}.c", cwd=tmp_path)
        run("c++", "-std=c++17", "-Wall", "-Werror", "main.cpp", f"{name}.o", *flags, "-o", name, cwd=tmp_path)
    assert run(tmp_path / "reverse").splitlines() == ["right"] * 6
    assert run(tmp_path / "alone").splitlines() == ["right", "right", "right", "no version", "right", "no version"]


#: Reverses without sizes, with sizes, with one of them, with sizes that overlap, nothing into a null pointer, and in
#: place without sizes.
REVERSE = """
#include "reverse.hpp"
#include <cstdio>
#include <cstring>
#include <vector>

template <typename Launch> void test(int distance, const Launch &launch) {
  std::vector<float> memory(3000), before(1000);
  for (int i = 0; i < 1000; ++i)
    before[i] = memory[i] = i;
  try {
    launch(memory.data(), memory.data() + distance);
    bool isRight = true;
    for (int i = 0; i < 1000; ++i)
      isRight &= !distance || memory[distance + i] == before[999 - i];
    std::puts(isRight ? "right" : "wrong");
  } catch (const triton_xe::Error &error) {
    std::puts(std::strstr(error.what(), "does not satisfy the kernel's conditions") ? "no version" : error.what());
  }
}

int main() {
  test(1000, [](float *x, float *out) { reverse::launch({1, 1, 1}, x, out, 1000); });
  test(1000, [](float *x, float *out) { reverse::launch_sized({1, 1, 1}, x, out, 1000, 4000, 4000); });
  test(1000, [](float *x, float *out) {
    reverse::launch_sized({1, 1, 1}, x, out, 1000, TRITON_XE_UNKNOWN_SIZE, 4000);
  });
  test(999, [](float *x, float *out) { reverse::launch_sized({1, 1, 1}, x, out, 1000, 4000, 4000); });
  test(0, [](float *x, float *) { reverse::launch({1, 1, 1}, x, nullptr, 0); });
  test(0, [](float *x, float *) { reverse::launch({1, 1, 1}, x, x, 1000); });
}
"""


@pytest.fixture(scope="module")
def objects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of what was compiled already."""
    return tmp_path_factory.mktemp("objects")


def build_sycl_program(folder: Path, objects: Path) -> Path:
    """Build the program with what was exported. Return the prefix of SYCL.

    The code that launches is the same for all kernels and targets, and so is the program: both are compiled once.
    """
    # <prefix>/lib/python3.x/site-packages
    prefix = Path(importlib.metadata.distribution("intel-sycl-rt").locate_file("")).resolve().parents[2]
    flags = ["-std=c++17", "-Wall", "-Werror", "-pthread", "-DWITH_SYCL", "-DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING"]
    places = [f"-I{folder}", "-isystem", prefix / "include", f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}"]
    # Comments state the target.
    headers = [re.sub(r"^ *//.*\n", "", path.read_text(), flags=re.MULTILINE) for path in sorted(folder.glob("*.h*"))]
    compiled = []
    for source in (FOLDER / "program.cpp", folder / "triton_xe_sycl.cpp"):
        key = hashlib.sha256("".join([source.read_text(), *headers]).encode()).hexdigest()
        compiled.append(objects / f"{source.stem}-{key}.o")
        if not compiled[-1].exists():
            run("c++", *flags, *places[:3], "-c", source, "-o", compiled[-1], cwd=folder)
    kernels = [f"{name}.cpp" for name in EXPORTS]
    run("c++", *flags, *compiled, *kernels, *places, "-lsycl", "-o", "program", cwd=folder)
    return prefix


def check_sycl_program(folder: Path, output: str, inputs: dict[str, np.ndarray]) -> None:
    """Compare what the program has printed and written."""
    no_queue = (4, "expected a `sycl::queue`, found a null pointer")
    check_errors(output, {**ERRORS, "null queue": no_queue, "load with null queue": no_queue})
    check_outputs(folder, inputs)


def test_sycl_program(tmp_path, objects, monkeypatch):
    """The same program runs with SPIR-V and SYCL, on Intel's OpenCL runtime for CPUs, with no library but SYCL's."""
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "opencl")
    for name in EXPORTS:
        export(tmp_path, name)
    assert (tmp_path / "gemm.fallback.spv").exists()
    prefix = build_sycl_program(tmp_path, objects)
    inputs = make_inputs(tmp_path)
    environment = {"OCL_ICD_FILENAMES": str(prefix / "lib" / "libintelocl.so")}
    check_sycl_program(tmp_path, run(tmp_path / "program", cwd=tmp_path, environment=environment), inputs)


@pytest.mark.skipif(sanitizers.LOADED, reason="the sanitizers' library has to be loaded before all others")
@pytest.mark.parametrize("chip", ["bmg", pytest.param("pvc", marks=pytest.mark.full)])
def test_gpu_program(tmp_path, objects, chip):
    """The same program runs on a GPU, which is virtual, through Intel's driver."""
    for name in EXPORTS:
        export(tmp_path, name, target=chip)
    build_sycl_program(tmp_path, objects)
    inputs = make_inputs(tmp_path)
    start = (sys.executable, "-m", "triton_xe", "gpu", "run", "--chip", chip, "--")
    output = run(*start, tmp_path / "program", cwd=tmp_path, environment={"WITH_GPU": "1"})
    check_sycl_program(tmp_path, output, inputs)


def test_example(tmp_path):
    """The statements of the manual hold: its kernel, its program, and the commands that build it."""
    text = (Path(__file__).parents[3] / "docs/AheadOfTime.md").read_text()
    kernel, program, commands = (
        re.search(rf"```{kind}\n(.*?)```", text, re.DOTALL)[1] for kind in ("python", "cpp", "sh")
    )
    (tmp_path / "add.py").write_text(kernel)
    (tmp_path / "main.cpp").write_text(program)
    # An environment with another Triton has no script of that name.
    script = tmp_path / "bin" / "triton-xe"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m triton_xe "$@"\n')
    script.chmod(0o755)
    places = os.pathsep.join((str(script.parent), os.environ["PATH"]))
    output = run("sh", "-e", "-c", commands, cwd=tmp_path, environment={"PATH": places})
    assert output.endswith("\n3\n")
