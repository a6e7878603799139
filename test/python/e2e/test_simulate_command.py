# SPDX-License-Identifier: MIT
"""`triton-xe simulate` runs kernels of other front ends; `triton-xe report --simulate` shows what ran."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import warm_python
from support import needs_ocloc

from triton_xe import device_compiler

pytestmark = needs_ocloc

#: Work-items of two dimensions, shared local memory of a size that the launch states, private memory, calls of
#: functions.
SOURCE = """
int power(int base, int exponent) { return exponent ? base * power(base, exponent - 1) : 1; }

kernel void turn(global const float *in, global float *out, local float *tile, int width, char scale) {
  int x = get_local_id(0), y = get_local_id(1), size = get_local_size(0);
  tile[y * size + x] = in[get_global_id(1) * width + get_global_id(0)] * scale;
  barrier(CLK_LOCAL_MEM_FENCE);
  int column = get_group_id(1) * size + x, row = get_group_id(0) * size + y;
  out[row * width + column] = tile[x * size + y];
}

kernel void choose(global int *out, int n) {
  int values[32], i = get_global_id(0);
  for (int j = 0; j < 32; ++j) values[j] = i * j;
  int sum = 0;
  for (int j = 0; j < n; ++j) sum += values[(j * 7 + i) & 31];
  out[i] = sum;
}

__attribute__((noinline)) int pick(int *values, int i) { return values[i]; }

kernel void stray(global int *out, int i) {
  int values[8];
  for (int j = 0; j < 8; ++j) values[j] = power(2, j);
  out[get_global_id(0)] = pick(values, i);
}

kernel void show(global const int *x, float f) {
  printf("%d of %s: %.1f\\n", x[get_global_id(0)], "text", f);
  if (get_global_id(0) == 3) printf("vector %v4hld\\n", (int4)(1, -2, 3, 4));
}

kernel void powers(global int *out) { out[get_global_id(0)] = power(3, get_global_id(0) & 7); }
"""


@pytest.fixture(scope="module", params=["pvc", "bmg"])
def zebin(request, tmp_path_factory) -> Path:
    """Return the kernels as the device compiler builds them, without a part of this package."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "kernels.cl").write_text(SOURCE)
    device_compiler.find().run_ocloc(
        "compile", "-file", folder / "kernels.cl", "-device", request.param, "--format", "zebin", "-out_dir", folder,
        "-output", "kernels", "-output_no_suffix", "-options", "-cl-std=CL3.0",
    )  # fmt: skip
    return folder / "kernels.bin"


def simulate(zebin: Path, launch: dict, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    (folder / "launch.json").write_text(json.dumps(launch))
    command = [
        sys.executable,
        "-m",
        "triton_xe",
        "simulate",
        zebin,
        folder / "launch.json",
        *options,
    ]
    return warm_python.run(list(map(str, command)))


@pytest.mark.parametrize("checks", [(), ("--checks",)])
def test_two_dimensions(zebin: Path, tmp_path: Path, checks: tuple[str, ...]) -> None:
    width, size = 32, 8
    values = np.random.default_rng(1).standard_normal((width, width), dtype=np.float32)
    np.save(tmp_path / "in.npy", values)
    launch = {
        "kernel": "turn",
        "groups": [width // size, width // size],
        "local": [size, size],
        "arguments": [
            {"npy": "in.npy"},
            {"dtype": "float32", "shape": [width, width], "fill": -1, "output": "out.npy"},
            {"local": size * size * 4},
            {"dtype": "int32", "value": width},
            {"dtype": "int8", "value": -2},
        ],
    }
    result = simulate(zebin, launch, tmp_path, *checks)
    assert result.returncode == 0, result.stderr
    assert re.search(r"executed \d+ instructions \(\d+ lanes\); messages moved \d+ bytes", result.stdout)
    assert np.array_equal(np.load(tmp_path / "out.npy"), values.T * -2)


def test_private_memory(zebin: Path, tmp_path: Path) -> None:
    """Arrays that are indexed at run time are in scratch memory."""
    launch = {
        "kernel": "choose",
        "groups": [2],
        "local": [32],
        "arguments": [
            {"dtype": "int32", "shape": [64], "fill": -1, "output": "out.npy"},
            {"dtype": "int32", "value": 9},
        ],
    }
    result = simulate(zebin, launch, tmp_path, "--checks")
    assert result.returncode == 0, result.stderr
    expected = [sum(i * ((j * 7 + i) & 31) for j in range(9)) for i in range(64)]
    assert np.load(tmp_path / "out.npy").tolist() == expected


def test_calls(zebin: Path, tmp_path: Path) -> None:
    """Lanes call a function from within itself, each a separate number of times."""
    arguments = [{"dtype": "int32", "shape": [64], "fill": -1, "output": "out.npy"}]
    launch = {"kernel": "powers", "groups": [2], "local": [32], "arguments": arguments}
    result = simulate(zebin, launch, tmp_path, "--checks")
    assert result.returncode == 0, result.stderr
    assert np.load(tmp_path / "out.npy").tolist() == [3 ** (i & 7) for i in range(64)]


@pytest.mark.parametrize("index", [5, 700])
def test_private_memory_of_others(zebin: Path, tmp_path: Path, index: int) -> None:
    """Arrays whose address is taken are in global memory, where all sub-groups have theirs."""
    arguments = [
        {"dtype": "int32", "shape": [64], "fill": -1, "output": "out.npy"},
        {"dtype": "int32", "value": index},
    ]
    launch = {"kernel": "stray", "groups": [2], "local": [32], "arguments": arguments}
    result = simulate(zebin, launch, tmp_path, "--checks")
    if index < 8:
        assert result.returncode == 0, result.stderr
        assert (np.load(tmp_path / "out.npy") == 2**index).all()
    else:
        assert result.returncode == 1
        found = r"a load of 4 bytes is outside of the sub-group's private memory, at \d+ of \d+ bytes\n"
        assert re.search(found + r".*in sub-group 0 of program \(0, 0, 0\)", result.stderr)


def test_printf(zebin: Path, tmp_path: Path) -> None:
    """The command prints what OpenCL's printf writes, vectors too."""
    arguments = [{"dtype": "int32", "shape": [8], "fill": 7}, {"dtype": "float32", "value": 1.5}]
    result = simulate(zebin, {"kernel": "show", "local": [8], "arguments": arguments}, tmp_path, "--checks")
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("7 of text: 1.5\n" * 8 + "vector 1,-2,3,4\n")


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ({"kernel": "none"}, "`kernel`: expected turn, choose, stray, show, powers, found `none`"),
        ({"kernel": "choose", "arguments": []}, "takes 2 arguments, found 0"),
        ({"kernel": "choose", "groups": "4"}, "`groups`: expected one to three integers"),
        ({"kernel": "choose", "arguments": [{"npy": "missing.npy"}]}, "missing.npy"),
        ({"kernel": "choose", "arguments": [{"dtype": "int32"}]}, "there is no 'shape'"),
    ],
)
def test_wrong_launches(zebin: Path, tmp_path: Path, launch: dict, message: str) -> None:
    result = simulate(zebin, launch, tmp_path)
    assert result.returncode == (1 if "takes 2" in message else 2)
    assert result.stderr.startswith("error: ")
    assert message in result.stderr


SCRIPT = """
import torch, triton, triton.language as tl

@triton.jit
def sum_kernel(x_ptr, y_ptr, n, SIZE: tl.constexpr):
    total = 0.0
    for start in range(0, n, SIZE):
        total += tl.sum(tl.load(x_ptr + start + tl.arange(0, SIZE)))
    tl.store(y_ptr, total)

x, y = torch.ones(1024), torch.zeros(1)
sum_kernel[(1,)](x, y, 1024, 128, num_warps=1)
assert y.item() == 1024
"""


@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_report_of_what_ran(tmp_path: Path, arch: str) -> None:
    """Bytes of the loop are those of the tensor; its line ran more instructions than it has."""
    script = tmp_path / "sums.py"
    script.write_text(SCRIPT)
    command = [
        sys.executable,
        "-m",
        "triton_xe",
        "report",
        "--target",
        arch,
        "--simulate",
        str(script),
    ]
    environment = os.environ | {"COLUMNS": "200"}
    result = warm_python.run(command, env=environment)
    assert result.returncode == 0, result.stderr
    heading, *lines = result.stdout[result.stdout.index("\nline ") + 1 :].splitlines()
    columns = {name: heading.index(name) + len(name) for name in ("instr", "runs", "runB", "runCL")}
    loop = next(line for line in lines if "tl.load(x_ptr" in line)
    numbers = {name: int(loop[:end].split()[-1]) for name, end in columns.items()}
    assert numbers["runB"] == 1024 * 4
    assert numbers["runCL"] == 1024 * 4 // 64
    assert numbers["runs"] > numbers["instr"]
    # In all: one program of one sub-group, with the instructions of all lines together.
    whole = re.search(
        r"executed: (\d+) instructions in 1 program, (\d+) per sub-group, with (\d+) % of their lanes; "
        r"scratch memory: 0 messages, 0 bytes\nby opcode: (.*)",
        result.stdout,
    )
    top = [line for line in lines if re.match(r"\S", line) and re.match(r"sums\.py|\(no line", line)]
    runs = sum(int("0" + line[: columns["runs"]].rsplit(" ", 1)[1]) for line in top)
    assert int(whole[1]) == int(whole[2]) == runs
    shares = dict(re.findall(r"(\w+) ([\d.]+) %", whole[4]))
    assert "send" in shares and sum(map(float, shares.values())) == pytest.approx(100, abs=0.6)
    # Half of the lanes do not take part in the store.
    assert 50 < int(whole[3]) <= 100


def test_lanes_at_barriers(tmp_path: Path) -> None:
    """A sub-group that waits at a barrier has not executed it: no more lanes take part than there are."""
    script = tmp_path / "sums.py"
    text = SCRIPT.replace("num_warps=1", "num_warps=8")
    script.write_text(text.replace("    tl.store(y_ptr", "        tl.debug_barrier()\n    tl.store(y_ptr"))
    command = [sys.executable, "-m", "triton_xe", "report", "--simulate", str(script)]
    result = warm_python.run(command, env=os.environ | {"COLUMNS": "200"})
    assert result.returncode == 0, result.stderr
    heading, *lines = result.stdout[result.stdout.index("\nline ") + 1 :].splitlines()
    end = heading.index("lane%") + len("lane%")
    shares = [int(cell) for line in lines if (cell := line[:end].rsplit(" ", 1)[-1]).isdigit()]
    assert len(shares) > 3 and max(shares) == 100
    assert any("debug_barrier" in line for line in lines)


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ([], "expected an object, whose `arguments` are a list"),
        ({"kernel": "turn", "arguments": {}}, "expected an object, whose `arguments` are a list"),
        ({"kernel": "turn", "arguments": [3]}, "`arguments`: expected objects, found 3"),
        ({"kernel": "turn", "arguments": [{"local": "much"}]}, '`local`: expected a number of bytes, found "much"'),
        ({"kernel": "turn", "arguments": [{"dtype": "int8", "value": 2**40}]}, "argument {"),
        ({"kernel": "turn", "groups": [2**40]}, "`groups`: expected one to three integers from 0 to 2^32 - 1"),
        ({"kernel": "turn", "local": [-1]}, "`local`: expected one to three integers from 0 to 2^32 - 1"),
        ({"kernel": "turn", "groups": [True]}, "`groups`: expected one to three integers"),
        ({"kernel": ["turn"]}, "`kernel`: expected"),
    ],
)
def test_files_that_are_no_launches(zebin: Path, tmp_path: Path, launch: object, message: str) -> None:
    """The error of the file is reported, without a traceback."""
    result = simulate(zebin, launch, tmp_path)
    assert result.returncode == 2
    assert message in result.stderr and "Traceback" not in result.stderr
