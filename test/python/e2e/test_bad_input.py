# SPDX-License-Identifier: MIT
"""Bad input of every kind ends in a Python exception with a clear message, and the process stays usable."""

from __future__ import annotations

import copy
import inspect
import itertools
import json
import pickle
import traceback
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from triton.compiler.errors import CompilationError

from triton_xe import errors
from triton_xe.cpu import runtime


@triton.jit
def increment(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < N
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask=mask) + 1, mask=mask)


@triton.jit
def product(a_ptr, b_ptr, c_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(c_ptr + offsets, tl.dot(tl.load(a_ptr + offsets), tl.load(b_ptr + offsets)))


@triton.jit
def transpose(x_ptr, y_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)[:, None] * BLOCK + tl.arange(0, BLOCK)[None, :]
    value = tl.trans(tl.load(x_ptr + offsets))
    tl.store(y_ptr + offsets, value)


@triton.jit
def use_inline_assembly(x_ptr, y_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    value = tl.inline_asm_elementwise("mov $0, $1;", "=r,r", [x], tl.float32, True, 1)  # the operation
    tl.store(y_ptr + offsets, value)


@triton.jit
def optional(x_ptr, y_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.zeros((BLOCK,), tl.float32)
    if x_ptr is not None:
        value += tl.load(x_ptr + offsets)
    tl.store(y_ptr + offsets, value)


@pytest.mark.parametrize(
    ("kernel", "options", "kind"),
    [
        (use_inline_assembly, {}, errors.CompileError),
        (increment, {"grf_mode": 7}, errors.OptionError),
        (increment, {"num_warps": 128}, errors.OutOfResources),
    ],
    ids=["compiler", "option", "resources"],
)
def test_tracebacks_have_the_frames_of_the_user(monkeypatch, kernel, options, kind):
    """Of this package there is the line that explains how to see the others."""

    def frames() -> list[traceback.FrameSummary]:
        arguments = [ones(64), ones(64)] if kernel is use_inline_assembly else [ones(64), ones(64), 64]
        with pytest.raises(kind) as caught:
            kernel[(1,)](*arguments, BLOCK=64, **options)
        return [frame for frame in traceback.extract_tb(caught.tb) if "triton_xe" in frame.filename]

    (last,) = frames()
    assert "TRITON_FRONT_END_DEBUGGING=1 shows all frames" in last.line
    monkeypatch.setenv("TRITON_FRONT_END_DEBUGGING", "1")
    assert len(frames()) > 1


@pytest.fixture(autouse=True)
def process_stays_usable():
    """After each test a good kernel still runs in this process."""
    yield
    x = torch.arange(100, dtype=torch.float32)
    y = torch.full((100,), float("nan"))
    increment[(2,)](x, y, 100, BLOCK=64)
    assert torch.equal(y, x + 1)


def ones(size: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.ones(size, dtype=dtype)


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (torch.float32, torch.float16, "same dtype. Got fp32 and fp16"),
        (torch.bfloat16, torch.float16, "same dtype. Got bf16 and fp16"),
        (torch.int8, torch.uint8, "same dtype. Got int8 and uint8"),
        (torch.float64, torch.float32, "same dtype. Got fp64 and fp32"),
        (torch.uint8, torch.uint8, "only int8 supported"),
        (torch.int32, torch.int32, "Unsupported lhs dtype int32"),
        (torch.float8_e5m2, torch.float16, "Unsupported lhs dtype fp8e5"),
    ],
    ids=lambda value: str(value).removeprefix("torch.") if isinstance(value, torch.dtype) else "",
)
def test_dtypes_that_do_not_multiply(left, right, message):
    """Combinations without a meaning are refused by name, at the line of the dot."""
    with pytest.raises(CompilationError, match=message) as caught:
        product[(1,)](ones(1024, left), ones(1024, right), ones(1024), BLOCK=32)
    assert "tl.dot" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_warps": 3}, AssertionError, "num_warps must be a power of 2, found 3"),
        ({"num_warps": 0}, errors.OptionError, "num_warps must be a power of 2, found 0"),
        (
            {"num_warps": 128},
            errors.OutOfResources,
            "threads of a work-group, Required: 2048, Hardware limit: 1024. A smaller `num_warps` helps",
        ),
        (
            {"num_warps": 64, "grf_mode": "256"},
            errors.OutOfResources,
            "Required: 64, Hardware limit: 32. A smaller `num_warps`, or another `grf_mode`, helps.",
        ),
        ({"num_stages": -1}, errors.OptionError, "`num_stages`: expected a non-negative integer, found -1"),
        ({"grf_mode": "64"}, errors.OptionError, "`grf_mode`: expected .*, found `64`"),
        ({"warp_size": 8}, errors.OptionError, "`warp_size`: expected 16 or 32, found 8"),
        ({"nonsense": 1}, KeyError, "nonsense"),
    ],
    ids=lambda value: "-".join(map(str, *value.items())) if isinstance(value, dict) and len(value) == 1 else "",
)
def test_impossible_options(options, error, message):
    """Options that no target has, and work-groups that are too large for this one."""
    with pytest.raises(error, match=message):
        increment[(2,)](ones(64), ones(64), 64, BLOCK=32, **options)


def test_tensor_on_the_wrong_device():
    """A tensor of another device is named, and the kernel does not touch it."""
    with pytest.raises(errors.ArgumentError, match="`x_ptr`: expected a tensor on device `cpu`, found one on `meta`"):
        increment[(2,)](ones(64).to("meta"), ones(64), 64, BLOCK=32)


@pytest.mark.parametrize("value", [None, "text", 1.5, object()], ids=["None", "string", "float", "object"])
def test_argument_that_is_no_pointer(value):
    """A value that the kernel dereferences must be a pointer: the frontend reports it."""
    with pytest.raises((CompilationError, TypeError)):
        increment[(2,)](value, ones(64), 64, BLOCK=32)


def test_none_for_a_pointer_that_is_not_used():
    """None is a constant to the compiler; a kernel that checks first never touches it."""

    y = torch.full((32,), float("nan"))
    optional[(1,)](None, y, BLOCK=32)
    assert torch.equal(y, torch.zeros(32))


def test_unsupported_operations_name_their_line():
    """An operation that the target does not have fails with the kernel's file and line, and pickles."""
    with pytest.raises(errors.CompileError) as caught:
        use_inline_assembly[(1,)](ones(64), ones(64), BLOCK=32)
    lines, first = inspect.getsourcelines(use_inline_assembly.fn)
    line = first + next(i for i, text in enumerate(lines) if "# the operation" in text)
    assert f"{__file__}:{line}: error: " in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_module_that_does_not_verify(tmp_path):
    """IR that is wrong is refused at its place in the file."""
    from triton.backends.compiler import GPUTarget

    from triton_xe import IRSource

    path = tmp_path / "wrong.ttir"
    path.write_text(
        "module {\n"
        "  tt.func public @wrong(%x: !tt.ptr<f32>) {\n"
        "    %0 = tt.make_range {start = 0 : i32, end = 3 : i32} : tensor<4xi32>\n"
        "    tt.return\n  }\n}\n"
    )
    with pytest.raises(errors.CompileError, match=r"wrong\.ttir:3: error: "):
        triton.compile(IRSource(path), target=GPUTarget("cpu", "pvc", 16))


@pytest.mark.parametrize("grid", [(0,), (1, 0), (3, 1, 0)], ids=str)
def test_empty_grid(grid):
    """A grid without programs runs nothing, and is no error."""
    y = torch.full((64,), float("nan"))
    increment[grid](ones(64), y, 64, BLOCK=32)
    assert torch.isnan(y).all()


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ((-1,), r"grid\[0\] is negative: -1"),
        ((2**31,), r"grid\[0\] is too large: expected at most 2147483647 programs, found 2147483648"),
        ((1, 2**70), r"grid\[1\] does not fit 64 bits"),
        ((1.5,), r"grid\[0\]: expected an integer, found `float`"),
    ],
    ids=["negative", "large", "huge", "float"],
)
def test_impossible_grid(grid, message):
    """Grids that no device can run."""
    with pytest.raises(errors.LaunchError, match=message):
        increment[grid](ones(64), ones(64), 64, BLOCK=32)


def test_too_much_shared_memory():
    """A kernel that needs it: required, limit, and the lines with requests; the error survives pickling and copying."""
    x = ones(512 * 512).half()
    with pytest.raises(triton.runtime.errors.OutOfResources) as caught:
        transpose[(1,)](x, x.clone(), BLOCK=512, num_warps=64)
    error = caught.value
    assert (error.required, error.limit, error.name) == (524288, 131072, "shared memory")
    assert f"524288 bytes for `ttg.convert_layout` at {__file__}:" in str(error)
    lines, first = inspect.getsourcelines(transpose.fn)
    line = first + next(i for i, text in enumerate(lines) if "tl.store" in text)
    assert f"because of `tt.store` at {__file__}:{line}" in str(error)
    for clone in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(clone), str(clone)) == (type(error), str(error))


@triton.jit
def sort_rows(x):
    return tl.sort(x)


@triton.jit
def sort(x_ptr, y_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(y_ptr + offsets, sort_rows(tl.load(x_ptr + offsets)))


def test_too_much_shared_memory_in_a_library():
    """The kernel's line comes first, and then the way to the line of Triton's library."""
    x = ones(65536)
    with pytest.raises(triton.runtime.errors.OutOfResources) as caught:
        sort[(1,)](x, x.clone(), BLOCK=65536)
    _, request, _, _, *rest = str(caught.value).splitlines()
    way = list(itertools.takewhile(lambda line: "by way of" in line, rest))
    place = f"{__file__}:{sort.starting_line_number + 3}"
    assert request == f"262144 bytes for `tt.reduce` at {place}"
    assert way[0] == f"    by way of {__file__}:{sort_rows.starting_line_number + 2}"
    assert all("standard.py" in line for line in way[1:]) and len(set(way)) == len(way)


@pytest.mark.parametrize(
    ("name", "remark"),
    [
        ("maxnreg", "has no effect on this target: `grf_mode` states how many registers a thread has"),
        ("waves_per_eu", "has no effect on this target: `grf_mode` states how many registers a thread has"),
        ("matrix_instr_nonkdim", "has no effect on this target"),
        ("num_consumer_groups", "has no effect on this target"),
    ],
)
def test_options_of_other_backends(monkeypatch, tmp_path, capsys, name, remark):
    """A remark states that they do nothing."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path))
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    increment.device_caches.clear()
    x, y = ones(64), ones(64)
    increment[(1,)](x, y, 64, BLOCK=64, **{name: 2})
    assert torch.equal(y, x + 1)
    assert f"remark: the option `{name}` {remark}\n" in capsys.readouterr().err
    with pytest.raises(KeyError, match="no_such_option"):
        increment[(1,)](x, y, 64, BLOCK=64, no_such_option=2)


def test_configurations_for_other_backends():
    """The autotuner's own argument for registers."""
    tuned = triton.autotune([triton.Config({"BLOCK": 32}, maxnreg=128)], key=[])(increment)
    x, y = ones(32), ones(32)
    tuned[(1,)](x, y, 32)
    assert torch.equal(y, x + 1)


def launch_increment() -> None:
    """A launch whose cached files are damaged by the test below."""
    x = torch.arange(100, dtype=torch.float32)
    y = torch.full((100,), float("nan"))
    increment[(2,)](x, y, 100, BLOCK=64)
    assert torch.equal(y, x + 1)


@pytest.fixture(params=["native", "opencl"])
def binary(request) -> str:
    """Return the suffix of the binary that a runtime launches; the test runs on that runtime."""
    if request.param == "opencl":
        request.getfixturevalue("on_opencl")
    else:
        request.getfixturevalue("on_native")
    return {"native": ".obj", "opencl": ".spv"}[request.param]


@pytest.fixture
def cached(tmp_path, monkeypatch, binary) -> list[Path]:
    """Return the files of a freshly cached kernel."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path))
    increment.device_caches.clear()
    launch_increment()
    increment.device_caches.clear()
    # Below the name of Triton's wheel, which the first compilation of a process puts there.
    files = sorted(tmp_path.glob("*/*"))
    assert {path.suffix for path in files} == {".ttir", ".ttgir", ".source", ".llir", binary, ".json"}
    return files


def test_truncated_cache_files(cached, binary):
    """Every file of a cached kernel, cut off at several places: recompiled, or a Python exception that reports it."""
    outcomes = {}
    for path in cached:
        content = path.read_bytes()
        for size in (0, 4, len(content) // 2 // 4 * 4, len(content) // 2 + 1, len(content) - 4):
            path.write_bytes(content[:size])
            increment.device_caches.clear()
            try:
                launch_increment()
                outcome = "runs"
            except (errors.BinaryError, json.JSONDecodeError) as error:
                outcome = type(error).__name__
                assert str(error)
            outcomes.setdefault(path.suffix + ("group" if path.name.startswith("__grp__") else ""), set()).add(outcome)
            path.write_bytes(content)
    increment.device_caches.clear()
    # Text is for reading only; a group file that cannot be read means a new compilation.
    assert outcomes.pop(".jsongroup") == {"runs"}
    assert outcomes.pop(".json") == {"JSONDecodeError"}
    assert outcomes.pop(binary) == {"BinaryError"}
    assert all(outcome == {"runs"} for outcome in outcomes.values()), outcomes


@pytest.mark.parametrize("missing", ["binary", "llir"])
def test_missing_cache_file(cached, binary, missing):
    """A cached kernel with a file gone: only the binary is needed."""
    suffix = binary if missing == "binary" else ".llir"
    next(path for path in cached if path.suffix == suffix).unlink()
    if missing == "binary":
        with pytest.raises(KeyError, match=binary[1:]):
            launch_increment()
    else:
        launch_increment()


@pytest.mark.parametrize("binary", ["native"], indirect=True)
def test_damaged_object_code(cached, binary):
    """The head of an object and its table of sections, byte by byte: an exception that reports it, or a loaded kernel.

    The loader does not look at everything (debug information, names of sections). Damaged instructions are not found:
    there is no checksum.
    """
    path = next(path for path in cached if path.suffix == binary)
    content = path.read_bytes()
    tables = int.from_bytes(content[0x28:0x30], "little")
    for place in [*range(64), *range(tables, len(content), 7)]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 0xFF]) + content[place + 1 :])
        try:
            runtime.open_native().load_kernel(path.read_bytes(), "increment")
        except errors.BinaryError as error:
            assert str(error)
    path.write_bytes(content)
    launch_increment()
    increment.device_caches.clear()
