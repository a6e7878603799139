# SPDX-License-Identifier: MIT
"""Triton's means to debug a kernel work for our stages, too: dumps, overrides, timing, preloading."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from numerics import assert_close, poisoned, random_tensor
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import errors

BLOCK = 64
OPT = Path(sys.executable).with_name("triton-xe-opt")


@triton.jit
def scale(x_ptr, y_ptr, n, FACTOR: tl.constexpr, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    tl.store(y_ptr + offsets, tl.load(x_ptr + offsets, mask) * FACTOR, mask)


def run(factor: float = 2.5, **options: object) -> tuple[torch.Tensor, torch.Tensor, triton.compiler.CompiledKernel]:
    """Return input, output, and the kernel; compiled again."""
    scale.device_caches.clear()
    x, y = random_tensor((200,), torch.float32, seed=1), poisoned((200,), torch.float32)
    kernel = scale[(triton.cdiv(200, BLOCK),)](x, y, 200, FACTOR=factor, BLOCK=BLOCK, **options)
    return x, y, kernel


@pytest.fixture(autouse=True)
def same_environment():
    """Restore Triton's variables: its settings write them, also when a test sets a setting back to what it was."""
    before = {name: value for name, value in os.environ.items() if name.startswith("TRITON_")}
    yield
    for name in [name for name in os.environ if name.startswith("TRITON_")]:
        del os.environ[name]
    os.environ.update(before)


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Make separate folders for dumps, overrides and the cache."""
    for name in ("cache", "dump", "override"):
        (tmp_path / name).mkdir()
        monkeypatch.setattr(triton.knobs.cache, "dir" if name == "cache" else f"{name}_dir", str(tmp_path / name))
    return tmp_path


TEXT_STAGES = ("ttir", "ttgir", "llir")
STAGES = (*TEXT_STAGES, "obj")


@pytest.fixture(params=["native", "opencl"])
def binary(request) -> str:
    """Return the stage with the binary that a runtime launches; the test runs on that runtime."""
    request.getfixturevalue(f"on_{request.param}")
    return {"native": "obj", "opencl": "spv"}[request.param]


def test_dump_has_every_stage(folders, monkeypatch, binary):
    monkeypatch.setattr(triton.knobs.compilation, "dump_ir", True)
    _, _, kernel = run()
    dumped = {path.suffix[1:]: path for path in (folders / "dump").rglob("scale.*")}
    assert dumped.keys() - {"source"} == {*TEXT_STAGES, binary}
    assert dumped["ttgir"].read_text() == kernel.asm["ttgir"]
    assert dumped[binary].read_bytes() == kernel.asm[binary]


#: The factor in the text of each stage.
FACTOR = r"2\.500000e\+00"
EDITED_FACTOR = "3.500000e+00"


@pytest.mark.parametrize("stage", [*TEXT_STAGES, "binary"])
@pytest.mark.parametrize("by", ["environment", "option"])
def test_override_takes_the_place_of_a_stage(folders, monkeypatch, binary, stage, by):
    stage = binary if stage == "binary" else stage
    monkeypatch.setattr(triton.knobs.compilation, "dump_ir", True)
    _, _, kernel = run()
    (dumped,) = (folders / "dump").rglob(f"scale.{stage}")
    edited = folders / "override" / dumped.parent.name / dumped.name
    edited.parent.mkdir()
    if stage == binary:
        # The binary of the kernel for another factor.
        edited.write_bytes(run(3.5)[2].asm[binary])
    else:
        text, count = re.subn(FACTOR, EDITED_FACTOR, kernel.asm[stage])
        assert count
        edited.write_text(text)

    monkeypatch.setattr(triton.knobs.compilation, "dump_ir", False)
    monkeypatch.setattr(triton.knobs.compilation, "always_compile", True)
    if by == "environment":
        monkeypatch.setattr(triton.knobs.compilation, "override", True)
        x, y, _ = run()
    else:
        x, y, _ = run(ir_override=str(edited))
    assert torch.equal(y, x * 3.5)


def test_override_with_nonsense_is_an_error(folders, monkeypatch, binary):
    for name, content, error in (
        ("k.ttgir", b"module { nonsense }", errors.CompileError),
        ("k.ttgir", b"\xff\xfe", errors.OptionError),
        (f"k.{binary}", b"short", errors.BinaryError),
    ):
        path = folders / name
        path.write_bytes(content)
        with pytest.raises(error):
            run(ir_override=str(path))
    with pytest.raises(errors.OptionError, match="cannot read"):
        run(ir_override=str(folders / "missing.ttgir"))


def test_other_stages_are_read_by_triton(folders):
    """Taking over our files leaves those of other backends alone."""
    from triton.compiler import compiler

    from triton_xe.compat import overrides

    overrides.install()
    overrides.install()
    path = folders / "kernel.ptx"
    path.write_text("text of another backend")
    assert compiler.parse(str(path), "ptx", None) == "text of another backend"
    path = folders / "kernel.cubin"
    path.write_bytes(b"\x01")
    assert compiler.parse(str(path), "cubin", None) == b"\x01"


def test_listener_is_told_the_time_of_each_stage(folders, monkeypatch):
    heard = []
    monkeypatch.setattr(triton.knobs.compilation, "listener", lambda **event: heard.append(event))
    run()
    scale.device_caches.clear()
    run()
    compiled, cached = heard
    assert not compiled["cache_hit"]
    assert cached["cache_hit"]
    stages = dict(compiled["times"].lowering_stages)
    assert list(stages) == list(STAGES)
    assert all(time > 0 for time in stages.values())


def test_preload_fills_the_cache(folders, monkeypatch):
    """A kernel that was recorded in one process is compiled before its first launch in another."""
    recorded = []

    def record(*_arguments: object, **event: object) -> bool:
        recorded.append(event["compile"]["specialization_data"] if "compile" in event else event["specialization_data"])
        return False

    monkeypatch.setattr(triton.knobs.runtime, "jit_cache_hook", record)
    run()
    monkeypatch.setattr(triton.knobs.runtime, "jit_cache_hook", None)
    (data,) = recorded
    scale.device_caches.clear()
    kernel = scale.preload(data)
    x, y = random_tensor((200,), torch.float32, seed=2), poisoned((200,), torch.float32)
    assert scale[(4,)](x, y, 200, FACTOR=2.5, BLOCK=BLOCK) is kernel
    assert torch.equal(y, x * 2.5)


def test_passes_are_dumped(tmp_path):
    """`MLIR_ENABLE_DUMP` shows Triton's passes and ours."""
    script = Path(__file__).with_name("test_debugging.py")
    program = f"import runpy; runpy.run_path({str(script)!r})['run']()"
    environment = {"MLIR_ENABLE_DUMP": "1", "TRITON_CACHE_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    result = warm_python.run([sys.executable, "-c", program], env=environment, check=True)
    assert "IR Dump Before" in result.stderr
    assert "TritonCombineOps" in result.stderr
    assert "IR Dump After ConvertTritonToTritonGPU" in result.stderr
    assert "IR Dump After ConvertTritonIntelGPUToLLVM" in result.stderr


def test_ir_tree_keeps_everything(folders, monkeypatch):
    """A folder for each kernel, compilation and stage, with passes in their order; nothing is overwritten."""
    monkeypatch.setenv("TRITON_XE_IR_TREE", str(folders / "tree"))
    hashes = [run()[2].hash[:8], run(factor=3.5)[2].hash[:8]]
    assert len(set(hashes)) == 2
    x, y = random_tensor((BLOCK, BLOCK), torch.float32, seed=3), poisoned((BLOCK, BLOCK), torch.float32)
    transpose.device_caches.clear()
    kernel = transpose[(1,)](x, y, BLOCK, BLOCK=BLOCK)
    compilations = {f"scale-{key}" for key in hashes} | {f"transpose-{kernel.hash[:8]}"}
    assert {path.name for path in (folders / "tree").iterdir()} == compilations
    for name in compilations:
        written = folders / "tree" / name
        # Layouts are chosen once: nothing here requests the number of registers.
        assert {path.name for path in written.iterdir()} == {"ttgir", "allocation", "llvm"}
        for stage in written.iterdir():
            numbers = sorted(int(path.name.partition("_")[0]) for path in stage.rglob("*.mlir"))
            assert numbers and len(set(numbers)) == len(numbers)
    text = next((folders / "tree" / f"transpose-{kernel.hash[:8]}" / "llvm").rglob("*.mlir")).read_text()
    assert "@transpose" in text
    # Once more, with an empty cache.
    monkeypatch.setattr(triton.knobs.cache, "dir", str(folders / "other"))
    run()
    assert (folders / "tree" / f"scale-{hashes[0]}" / "llvm-2").is_dir()


def test_override_of_no_stage(folders):
    """A file whose suffix names no stage would be ignored."""
    (folders / "scale.ptx").write_text("")
    with pytest.raises(
        errors.OptionError, match=r"`ir_override`: expected a file of a stage, `\.ttir`, `\.ttgir`.*ptx"
    ):
        run(ir_override=str(folders / "scale.ptx"))


def test_reproducers_of_stages(folders, monkeypatch):
    """`TRITON_REPRODUCER_PATH` writes a file for each stage, which `triton-xe-opt` runs for those of this compiler."""
    monkeypatch.setenv("TRITON_REPRODUCER_PATH", str(folders / "scale"))
    run()
    stages = {"make_ttir": "", "make_ttgir": "triton-xe-ttgir-pipeline{", "make_llir": "triton-xe-llvm-pipeline{"}
    assert {path.name for path in folders.glob("scale.*")} == {f"scale.{stage}.repro.mlir" for stage in stages}
    for stage, pipeline in stages.items():
        path = folders / f"scale.{stage}.repro.mlir"
        text = path.read_text()
        assert pipeline in text and "@scale" in text
        if pipeline:
            result = subprocess.run([OPT, "--run-reproducer", path], capture_output=True, text=True, check=False)
            assert result.returncode == 0 and "@scale" in result.stdout, result.stderr


def test_local_variables_in_llvm_ir(folders, monkeypatch):
    """`LLVM_EXTRACT_DI_LOCAL_VARIABLES` is a part of the cache's key, and names variables."""
    assert "dbg_value" not in run()[2].asm["llir"]
    scale.device_caches.clear()
    monkeypatch.setenv("LLVM_EXTRACT_DI_LOCAL_VARIABLES", "1")
    text = run()[2].asm["llir"]
    assert "dbg_value" in text and '!DILocalVariable(name: "offsets"' in text


def test_ir_tree_where_nothing_can_be_written(folders, monkeypatch):
    (folders / "file").write_text("")
    monkeypatch.setenv("TRITON_XE_IR_TREE", str(folders / "file"))
    with pytest.raises(errors.ToolError, match=r"cannot write IR to .*file"):
        run()


@triton.jit
def transpose(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    pointers = tl.make_block_ptr(x_ptr, (n, n), (n, 1), (0, 0), (BLOCK, BLOCK), (1, 0))
    x = tl.load(pointers)
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i[None, :] * BLOCK + i[:, None], x)


@pytest.mark.needs("block pointers (IR)")
@pytest.mark.parametrize("requested", [True, False])
def test_remarks_say_what_was_missed(folders, monkeypatch, capsys, requested):
    """One line for the block pointer that is none, one for the conversion through shared memory, and no figures. The
    conditions of the code are reported for the kernel."""
    if requested:
        monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    transpose.device_caches.clear()
    x, y = random_tensor((BLOCK, BLOCK), torch.float16, seed=3), poisoned((BLOCK, BLOCK), torch.float16)
    transpose[(1,)](x, y, BLOCK, BLOCK=BLOCK, num_warps=2)
    assert torch.equal(y, x.T)
    first = transpose.starting_line_number
    remarks = re.findall(r"^(.*):(\d+): remark: (.*)$", capsys.readouterr().err, re.MULTILINE)
    expected = [
        (first + 3, "block pointer rewritten to a tensor of pointers: its layout is neither of DPAS nor "),
        (
            first + 1,
            "no barrier orders loads and stores of different arguments in launches where x_ptr and y_ptr do not",
        ),
        (first + 3, "layout conversion through 8192 bytes of shared local memory, from #ttg.blocked<"),
    ]
    assert len(remarks) == (len(expected) if requested else 0)
    for (file, line, text), (expected_line, beginning) in zip(remarks, expected, strict=False):
        assert file == __file__
        assert int(line) == expected_line
        assert text.startswith(beginning)


@triton.jit
def pad(x_ptr, y_ptr, n, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n, other=OTHER))


@pytest.mark.parametrize(
    ("other", "dtype", "padding", "remark"),
    [
        (
            -3.4e38,
            torch.int64,
            -(2**63),
            "the float -3.*E.38 does not fit i64, -9223372036854775808 takes its place",
        ),
        (float("inf"), torch.int16, 2**15 - 1, r"the float \+Inf does not fit i16, 32767 takes its place"),
        (float("nan"), torch.int32, 0, "the float NaN does not fit i32, 0 takes its place"),
        (-1.5, torch.int32, -1, None),
        (float("-inf"), torch.float16, float("-inf"), None),
    ],
)
def test_paddings_that_do_not_fit(folders, monkeypatch, capsys, other, dtype, padding, remark):
    """A remark names the load, and the nearest integer takes the place of a float."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    pad.device_caches.clear()
    x, y = torch.arange(-8, 8).to(dtype), torch.zeros(16, dtype=dtype)
    pad[(1,)](x, y, 5, OTHER=other, BLOCK=16)
    assert y.tolist() == [*x[:5].tolist(), *[padding] * 11]
    remarks = re.findall(r":(\d+): remark: (?!.* do not overlap$)(.*)$", capsys.readouterr().err, re.MULTILINE)
    assert [int(line) for line, _ in remarks] == ([pad.starting_line_number + 3] if remark else [])
    for _, text in remarks:
        assert re.fullmatch(remark, text)


@triton.jit
def print_nest(n, DEPENDENT: tl.constexpr):
    for i in tl.range(0, n, flatten=True):
        print("i", i)
        for j in tl.range(0, i if DEPENDENT else n):
            print("j", j)


@triton.jit
def persistent_product(a, b, c, K, TILES: tl.constexpr, BLOCK: tl.constexpr):
    for tile in tl.range(0, TILES, flatten=True):
        total = tl.zeros((BLOCK, BLOCK), tl.float32)
        for k in range(0, K, BLOCK):
            total = tl.dot(a.load([tile * BLOCK, k]), b.load([k, 0]), total)
        c.store([tile * BLOCK, 0], total)


def read_flatten_remarks(text: str) -> list[int]:
    """Return the lines of the loops that do not become one."""
    pattern = r":(\d+): remark: `flatten=True` has no effect: products are slower in one loop$"
    return [int(line) for line in re.findall(pattern, text, re.MULTILINE)]


@pytest.mark.parametrize("dependent", [False, True])
def test_loops_that_are_to_be_flattened(folders, monkeypatch, capsys, dependent):
    """They become one, with a loop before it that computes the length where bounds depend on the outer loop."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    kernel = print_nest.warmup(10, DEPENDENT=dependent, grid=(1,))
    assert "tt.flatten" in kernel.asm["ttir"]
    assert "tt.flatten" not in kernel.asm["ttgir"]
    assert kernel.asm["ttgir"].count("scf.for") == 1 + dependent
    assert "flatten" not in capsys.readouterr().err


def test_a_product_that_is_to_be_flattened(folders, monkeypatch, capsys):
    """The blocks of a persistent product stay 2D blocks in a nest, which a remark names."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    a, b = random_tensor((96, 64), torch.bfloat16, seed=1), random_tensor((64, 32), torch.bfloat16, seed=2)
    c = poisoned((96, 32), torch.float32)
    tiles = [TensorDescriptor.from_tensor(x, [32, 32]) for x in (a, b, c)]
    kernel = persistent_product[(1,)](*tiles, 64, TILES=3, BLOCK=32, num_warps=1)
    assert_close(c, a.double() @ b.double(), 1e-5)
    assert kernel.asm["ttgir"].count("scf.for") == 2
    assert "x!tt.ptr<" not in kernel.asm["ttgir"]
    assert read_flatten_remarks(capsys.readouterr().err) == [persistent_product.starting_line_number + 2]


def test_conditions_of_launches_have_names(folders, monkeypatch, capsys):
    """The parts of a host descriptor have separate names, and constraints that others imply are left out."""
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    persistent_product.device_caches.clear()
    x = torch.zeros((96, 64), dtype=torch.bfloat16)
    tiles = [TensorDescriptor.from_tensor(one, [32, 32]) for one in (x, x.T.contiguous(), x.float())]
    persistent_product.warmup(*tiles, 64, TILES=3, BLOCK=32, num_warps=1, grid=(1,))
    conditions = re.findall(
        r"remark: 2D block messages .* in launches where (.*)$", capsys.readouterr().err, re.MULTILINE
    )
    words = {"mod", "is", "at", "least", "from", "to", "and", "by", "divisible"}
    assert [sorted(set(re.findall(r"[a-z]\w*(?:\.\w+\[\d\])?", text)) - words) for text in conditions] == [
        [name, f"{name}.shape[0]", f"{name}.shape[1]", f"{name}.strides[0]"] for name in ("a", "b", "c")
    ]
    assert conditions[2].split(", ") == [
        *("c.shape[1] is at least 16", "c.strides[0] is from 16 to 2^22", "c.shape[0] is from 1 to 2^24"),
        "c.strides[0] * 4 >= c.shape[1] * 4 + c mod 64",
    ]


@pytest.mark.parametrize("change", [{"debug": True}, {"num_warps": 2}, {"enable_fp_fusion": False}, {"warp_size": 32}])
def test_cache_key_covers_what_changes_code(folders, change):
    assert run()[2].hash != run(**change)[2].hash


def test_lines_reach_the_llvm_ir(folders, monkeypatch, binary):
    """The LLVM IR has the line of an instruction, and object code does; SPIR-V does not depend on it."""
    _, _, kernel = run()
    assert f'filename: "{Path(__file__).name}"' in kernel.asm["llir"]
    line = next(number for number, text in enumerate(Path(__file__).read_text().splitlines(), 1) if "* FACTOR" in text)
    assert f"!DILocation(line: {line}," in kernel.asm["llir"]
    monkeypatch.setattr(triton.knobs.compilation, "disable_line_info", True)
    monkeypatch.setattr(triton.knobs.compilation, "always_compile", True)
    _, _, without = run()
    assert "!dbg" not in without.asm["llir"]
    if binary == "spv":
        assert without.asm["spv"] == kernel.asm["spv"]
    else:
        assert b".debug_line" in kernel.asm["obj"]
        assert b".debug_line" not in without.asm["obj"]
