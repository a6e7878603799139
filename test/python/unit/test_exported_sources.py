# SPDX-License-Identifier: MIT
"""`triton-xe compile` without a program: signatures, grids, conditions in words, and its messages about mistakes."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import pytest
import triton
import triton.language as tl
import triton.profiler.language as pl
from support import needs_ocloc
from triton.profiler.flags import flags

from triton_xe import errors
from triton_xe.tools import command_line
from triton_xe.tools.ahead_of_time import compilation, conditions, grids, signature, sources
from triton_xe.tools.ahead_of_time.signature import Parameter

ROOT = Path(__file__).resolve().parents[3]
KERNELS = ROOT / "test/python/e2e/exported/kernels.py"
GEMM = "*fp16, *fp16, *fp32, i32, i32, i32, i32, i32, i32, 32, 32, 32"


@triton.jit
def parameters(x, n, queue, BLOCK: tl.constexpr, KIND: tl.constexpr = "sum"):
    tl.store(x, n)


def test_signature():
    """Types, both hints, values of every kind, and a default value at the end."""
    parsed = signature.parse(parameters, " *kfp16:16 ,i32:1, tensordesc<fp16[64, 32]>,64 ")
    assert parsed == (
        Parameter("x", "*kfp16", hint=16),
        Parameter("n", "constexpr", hint=1, value=1, declared_type="i32"),
        Parameter("queue", "tensordesc<fp16[64, 32]>"),
        Parameter("BLOCK", "constexpr", value=64),
        Parameter("KIND", "constexpr", value="sum"),
    )
    assert [parameter.is_argument for parameter in parsed] == [True, True, True, False, False]
    assert (parsed[2].rank, parsed[2].element_bytes) == (2, 2)
    values = signature.parse(parameters, "True, -1.5, 'a,b', tl.float16, None")
    assert [parameter.value for parameter in values] == [True, -1.5, "a,b", tl.float16, None]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*fp32, i32", "ends before `queue`: expected an entry for each of x, n, queue, BLOCK, KIND"),
        ("*fp32, i32, i32, 1, 2, 3", "has 5 parameters (x, n, queue, BLOCK, KIND), found 6 entries"),
        ("*fp32, int, i32, 1", "`n`: expected a type such as `*fp32`, `i32`"),
        ("*fp33, i32, i32, 1", "`x`: `*fp33` points to no type of Triton"),
        ("*fp32:8, i32, i32, 1", "`x`: expected the hint 1 or 16, found `8`"),
        ("*fp32:, i32, i32, 1", "`x`: expected the hint 1 or 16, found ``"),
        ("*fp32, fp32:16, i32, 1", "`n`: a hint `16` does not apply to `fp32`"),
        ("*fp32:1, i32, i32, 1", "`x`: a hint `1` does not apply to `*fp32`"),
        ("*fp32, i32, i32, i32", "`BLOCK` is a constexpr: expected a value, found the type `i32`"),
        ("tensordesc<fp16[3]>, i32, i32, 1", "`x`: expected 1 to 5 sizes that are powers of two"),
        ("tensordesc<fp16>, i32, i32, 1", "`x`: expected `tensordesc<TYPE[SIZE, ...]>`"),
        ("", "ends before `x`"),
    ],
)
def test_signature_errors(text, message):
    """Every mistake names the parameter."""
    with pytest.raises(errors.OptionError, match=re.escape(message)):
        signature.parse(parameters, text)


def test_grid():
    """Expressions become C, over arguments and constants."""
    parsed = signature.parse(parameters, "*fp32, i32, i64, 64")
    extents = grids.translate("cdiv(n, BLOCK) * 2, (queue + 7) // 8 % 3", parsed, sources.c_name)
    assert extents == (
        "(cdiv((int64_t)n, INT64_C(64)) * INT64_C(2))",
        "((((int64_t)queue_ + INT64_C(7)) / INT64_C(8)) % INT64_C(3))",
        "1",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x, 1", "`x` is no integer argument; there are `n`, `queue`, `BLOCK`"),
        ("unknown", "`unknown` is no integer argument"),
        ("1, 2, 3, 4", "expected one to three extents, found 4"),
        ("n +", "`n +` is no expression"),
        ("cdiv(n)", "expected numbers"),
        ("system(1, 2)", "expected numbers"),
        ("n ** 2", "expected numbers"),
        ("1.5", "expected numbers"),
    ],
)
def test_grid_errors(text, message):
    """Text that is no grid is not written into a program."""
    parsed = signature.parse(parameters, "*fp32, i32, i64, 64")
    with pytest.raises(errors.OptionError, match=re.escape(message)):
        grids.translate(text, parsed, sources.c_name)


def test_condition_numbers():
    """The numbers of operations are those of the runtime's header."""
    text = (ROOT / "third_party/intel/include/intel/ABI/ConditionOp.h").read_text()
    body = re.sub(r"//.*", "", text[text.index("enum class ConditionOp") :].partition("};")[0].partition("{")[2])
    names = [re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper() for name in re.findall(r"\w+", body)]
    assert {op.name: op.value for op in conditions.Op} == {name: number for number, name in enumerate(names)}


def test_conditions_in_words():
    """Arguments have names, also the fields of descriptors; a constraint of two tensors is stated once."""
    parsed = (Parameter("a", "tensordesc<fp16[64, 32]>"), Parameter("n", "i32"))
    op = conditions.Op
    code = (
        op.ARGUMENT, 3, op.CONSTANT, 2, op.MULTIPLY, op.ARGUMENT, 9, op.CONSTANT, 8, op.MODULO, op.ADD,
        op.NON_NEGATIVE, op.GRID_EXTENT, 1, op.CONSTANT, -4, op.ADD, op.ZERO,
    )  # fmt: skip
    assert conditions.describe([(0, code), (1, code)], parsed) == [
        "a.strides[0] * 2 + (n mod 8) >= 0",
        "grid_y - 4 == 0",
    ]


def test_compared_arguments_in_words():
    """Two pointers whose memory is compared have their names, and are found again; descriptors know their memory."""
    parsed = (
        Parameter("x", "*fp32"), Parameter("BLOCK", "constexpr", value=64), Parameter("d", "tensordesc<fp16[64]>"),
        Parameter("y", "*fp32"), Parameter("out", "*fp32"),
    )  # fmt: skip
    op = conditions.Op
    found = [
        (-1, (op.ARGUMENT, 0, op.CONSTANT, int(op.DISJOINT), op.MODULO, op.ZERO, op.DISJOINT, 0, 7)),
        (2, (op.DISJOINT, 1, 7)),
    ]
    assert conditions.describe(found, parsed) == [
        "x mod 10 == 0",
        "x and out do not overlap",
        "d and out do not overlap",
    ]
    assert [parameter.name for parameter in conditions.compared_pointers(found, parsed)] == ["x", "out"]


def test_types():
    """Pointers have the types of C where it has one, and those of SYCL where that has one."""
    assert sources.c_type("*fp32") == "float *"
    assert sources.c_type("*ku8") == "const uint8_t *"
    assert sources.c_type("*bf16") == "void *"
    assert sources.c_type("*bf16", with_sycl=True) == "sycl::ext::oneapi::bfloat16 *"
    assert sources.c_type("**fp64") == "double **"
    assert sources.c_type("*fp8e5", with_sycl=True) == "void *"


def test_names():
    """Words of C and of generated code, and letters that C lacks, get another name."""
    assert [sources.c_name(name) for name in ("n", "class", "queue", "größe")] == [
        "n",
        "class_",
        "queue_",
        "gr_uf6_udfe",
    ]


def run_compile(*arguments: str | Path) -> int:
    return command_line.main(["compile", *map(str, arguments)])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.py", "-s", ""), "there is no file `nowhere.py`"),
        ((KERNELS, "-s", ""), "expected one kernel, or a name of one, found `add`, "),
        ((KERNELS, "-n", "missing", "-s", ""), "`missing` does not exist"),
        ((KERNELS, "-n", "tl", "-s", ""), "`tl` is no kernel"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "-t", "riscv"), "riscv"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "-t", "cuda:80:32"), "found `cuda:80:32`"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "-on", "class"), "expected a name that C takes"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "-on", "a-b"), "expected a name that C takes"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "-w", "3"), "num_warps must be a power of 2"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "--nan-padding", "x"), "`x` is no descriptor"),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 7"), "kernels.py`: at "),
        ((KERNELS, "-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "-o", "/dev/null/x"), "cannot write to"),
    ],
)
def test_command_errors(arguments, message, capsys, tmp_path, monkeypatch):
    """A mistake is one error, with its place, and no file. Errors of the kernel have another status."""
    monkeypatch.chdir(tmp_path)
    assert run_compile(*arguments) == (1 if "kernels.py" in message else 2)
    captured = capsys.readouterr()
    assert captured.err.startswith("error: ") and message in captured.err
    assert not captured.out and not list(tmp_path.iterdir())


def test_broken_file(capsys, tmp_path):
    """The exception of the file is reported, with the file."""
    path = tmp_path / "broken.py"
    path.write_text("import triton\n1 / 0\n")
    assert run_compile(path, "-s", "") == 1
    trace = (
        f'error: cannot import `{path}`:\nTraceback (most recent call last):\n  File "{path}", line 2, in <module>\n'
    )
    assert capsys.readouterr().err.startswith(trace)


@triton.jit
def measured(x):
    with pl.scope("store"):
        tl.store(x, 1)


def test_profile(monkeypatch):
    """The memory for a profile's records comes from a launch in Python: no program may leave it out. A session that
    happens to be active is not of programs."""
    pl.enable_semantic("triton")
    monkeypatch.setattr(flags, "instrumentation_on", True)
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default")
    case = measured, (Parameter("x", "*i32"),), compilation.parse_target("cpu")
    try:
        with pytest.raises(errors.CompileError, match="`measured` has scopes of a profile"):
            compilation.compile_kernel(*case, {"instrumentation_mode": "default"})
        assert compilation.compile_kernel(*case, {}).versions
    finally:
        pl.disable_semantic("triton")


def test_versions():
    """A kernel with conditions has a second version that has none; a kernel without has one version."""
    module = compilation.load_module(KERNELS)
    target = compilation.parse_target("pvc")
    gemm = compilation.find_kernel(module, "gemm")
    first, second = compilation.compile_kernel(gemm, signature.parse(gemm, GEMM), target, {}).versions
    assert first.conditions and not second.conditions
    assert b"2d_block" in first.binary and b"2d_block" not in second.binary
    softmax = compilation.find_kernel(module, "softmax")
    parsed = signature.parse(softmax, "*fp32, *fp32, i32, 64")
    # One sub-group keeps its own order, whatever its tensors are.
    assert len(compilation.compile_kernel(softmax, parsed, target, {"num_warps": 1}).versions) == 1


def test_files(tmp_path):
    """A GPU gets SPIR-V, sources that are the same every time, and everything else that a program needs."""
    for folder in ("one", "two"):
        assert run_compile(KERNELS, "-n", "gemm", "-s", GEMM, "-on", "product", "-o", tmp_path / folder) == 0
    names = {path.name for path in (tmp_path / "one").iterdir()}
    assert names == {
        "product.cpp", "product.h", "product.hpp", "product.spv", "product.fallback.spv",
        "triton_xe.h", "triton_xe.hpp", "triton_xe_sycl.cpp",
    }  # fmt: skip
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    text = (tmp_path / "one/product.hpp").read_text()
    assert "inline void launch(sycl::queue &queue, triton_xe::Grid grid, sycl::half *a," in text
    assert "a mod 4 == 0" in (tmp_path / "one/product.h").read_text()


@needs_ocloc
def test_native_code(tmp_path):
    """Native code on request, beside the SPIR-V."""
    arguments = ("-n", "softmax", "-s", "*fp32, *fp32, i32, 64", "--native", "-o", tmp_path)
    assert run_compile(KERNELS, *arguments) == 0
    assert (tmp_path / "softmax.zebin").read_bytes()[:4] == b"\x7fELF"


def test_config(capsys):
    """Folders that hold what is requested."""
    found = {}
    for name in ("includedir", "libdir", "srcdir"):
        assert command_line.main(["config", f"--{name}"]) == 0
        found[name] = Path(capsys.readouterr().out.strip())
    assert (found["includedir"] / "triton_xe.h").exists()
    assert (found["libdir"] / "libtriton_xe_cpu.so").exists()
    assert (found["srcdir"] / "triton_xe_sycl.cpp").exists()
    assert command_line.main(["config"]) == 0
    assert "libdir " in capsys.readouterr().out


def test_config_finds_sycl(capsys, monkeypatch, tmp_path):
    """It finds the package from PyPI, or oneAPI where a shell has it; without either it explains how to get one."""
    monkeypatch.delenv("CMPLR_ROOT", raising=False)
    assert command_line.main(["config", "--sycl-cflags", "--sycl-libs"]) == 0
    flags = capsys.readouterr().out.split()
    assert (Path(flags[flags.index("-isystem") + 1]) / "sycl" / "sycl.hpp").exists()
    (folder,) = (flag.removeprefix("-L") for flag in flags if flag.startswith("-L"))
    assert (Path(folder) / "libsycl.so").exists() and f"-Wl,-rpath,{folder}" in flags
    monkeypatch.setenv("CMPLR_ROOT", str(tmp_path))
    assert command_line.main(["config", "--sycl-libs"]) == 1
    assert f"error: CMPLR_ROOT is `{tmp_path}`, in which there is no" in capsys.readouterr().err
    (tmp_path / "include" / "sycl").mkdir(parents=True)
    (tmp_path / "include" / "sycl" / "sycl.hpp").write_text("")
    assert command_line.main(["config", "--sycl-libs"]) == 0
    assert f"-L{tmp_path / 'lib'} -lsycl" in capsys.readouterr().out
    monkeypatch.delenv("CMPLR_ROOT")

    def find_nothing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", find_nothing)
    assert command_line.main(["config", "--sycl-cflags"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "error: SYCL is missing: `pip install intel-sycl-rt`" in captured.err
    # Answers that need no SYCL are given nevertheless.
    assert command_line.main(["config"]) == 0
    assert re.search(r"^libdir +/.*\n(.*\n)*sycl-libs +SYCL is missing", capsys.readouterr().out, re.MULTILINE)
