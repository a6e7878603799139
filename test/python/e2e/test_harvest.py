# SPDX-License-Identifier: MIT
"""Runs that are recorded: every kernel that they launch is in the harvest file, with all inputs of its key."""

from __future__ import annotations

import copy
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from recorded import check_key, make_key
from triton.backends.compiler import GPUTarget
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import driver
from triton_xe.ir_source import IRSource
from triton_xe.tools.harvest import records
from triton_xe.tools.harvest.records import Argument, Specialization

pytestmark = pytest.mark.conformance


@triton.jit
def double(x):
    return x * 2


@triton.jit
def scale(x, n, factor, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(x + i, double(tl.load(x + i, mask=i < n)) * factor, mask=i < n)


@triton.autotune([triton.Config({"SIZE": 64}), triton.Config({"SIZE": 128}, num_warps=8)], key=["n"])
@triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["SIZE"] == 0})
@triton.jit
def tuned(x, n, SIZE: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    if EVEN:
        tl.store(x + i, 1.0)
    else:
        tl.store(x + i, 1.0, mask=i < n)


@triton.jit
def copy_pair(pair, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    tl.store(pair[0] + i, tl.load(pair[1][0] + i) + pair[1][1])


@triton.jit
def copy_tile(source, target, SIZE: tl.constexpr):
    target.store([0, 0], source.load([SIZE // 2, 0]))


KERNELS = (scale, tuned.fn.fn, copy_pair, copy_tile)


@pytest.fixture
def harvest(monkeypatch, tmp_path):
    """Record what the test launches, and yield a function that returns the specializations of a kernel."""
    path = tmp_path / "harvest.jsonl"
    monkeypatch.setenv("TRITON_XE_HARVEST", str(path))
    # Launchers keep whether they record, and the autotuner its choices.
    for kernel in KERNELS:
        kernel.device_caches.clear()
    tuned.cache.clear()

    def find(name: str) -> list[Specialization]:
        found = [each for each in records.read([path]) if each.name == name]
        for each in found:
            check_key(each)
        return found

    find.path = path
    yield find
    for kernel in KERNELS:
        kernel.device_caches.clear()


def test_just_in_time(harvest):
    x = torch.ones(1000)
    for n in (1000, 1000, 999):
        scale[(4,)](x, n, 0.5, SIZE=256)
    scale[(2, 1, 1)](x[1:], 1000, 0.5, SIZE=512, num_warps=8)
    first, second = harvest("scale")
    assert first.signature == {"x": "*fp32", "n": "i32", "factor": "fp32", "SIZE": "constexpr"}
    assert first.constants == {"3": "256"}
    assert first.attributes["0"] == [["tt.divisibility", 16]]
    assert first.options == {}
    assert second.options == {"num_warps": 8}
    assert (first.module, first.qualified_name, first.file) == (__name__, "scale", __file__)
    assert Path(__file__).read_text().splitlines()[first.line - 1].startswith("def scale")
    assert first.source == {"scale": scale.src, "double": double.src}
    assert first.variant_of is None
    assert not first.winner
    expected = [
        Argument("tensor", "x", "float32", (1000,), (1,), x.data_ptr() % 64),
        Argument("scalar", "n", value=1000),
        Argument("scalar", "factor", value=0.5),
        Argument("constant", "SIZE", value=256),
    ]
    (launch,) = first.launches
    assert (launch.grid, list(launch.arguments)) == ((4, 1, 1), expected)
    (shifted,) = second.launches
    assert shifted.arguments[0].address == x.data_ptr() % 64 + 4
    assert first.describe() == "scale(*fp32, i32, fp32, SIZE=256)"
    assert second.describe() == "scale(*fp32, i32, fp32, SIZE=512) num_warps=8"


def test_keys_for_other_chips(harvest):
    """They follow from the record, and are those of a compilation there."""
    scale[(1,)](torch.ones(64), 64, 0.5, SIZE=64, num_warps=2)
    (record,) = harvest("scale")
    target = GPUTarget("xpu", "bmg", 16)
    types = {"x": "*fp32", "n": "i32", "factor": "fp32", "SIZE": "constexpr"}
    attributes = {tuple(map(int, path.split("."))): value for path, value in record.attributes.items()}
    source = triton.compiler.ASTSource(scale, types, {"SIZE": 64}, attributes)
    compiled = triton.compile(source, target=target, options={"num_warps": 2})
    assert make_key(record, target) == compiled.hash
    assert compiled.asm["ttir"] == record.ttir


def test_autotuner(harvest):
    """Its choice is a winner, and what it merely measures has no launches."""
    x = torch.zeros(1000)
    for _ in range(2):
        tuned[lambda values: (triton.cdiv(1000, values["SIZE"]),)](x, 1000)
    found = harvest("tuned")
    assert [each.constants["2"] for each in found] == ["64", "128"]
    chosen = str(tuned.best_config.kwargs["SIZE"])
    for each in found:
        assert each.constants["3"] == "False"
        assert each.winner == (each.constants["2"] == chosen)
        assert len(each.launches) == each.winner


def test_own_benchmark_of_an_autotuner(harvest):
    """Its launches are measured, too, whatever measures them."""

    def measure(launch, quantiles):
        launch()
        return [1.0] * len(quantiles)

    kernel = triton.autotune([triton.Config({"SIZE": size}) for size in (32, 64)], key=["n"], do_bench=measure)(scale)
    kernel[(1,)](torch.ones(32), 32, 0.5)
    assert [(each.winner, len(each.launches)) for each in harvest("scale")] == [(True, 1), (False, 0)]


def test_heuristics(harvest):
    """They choose nothing that an autotuner would have to choose."""
    kernel = triton.heuristics({"SIZE": lambda arguments: triton.next_power_of_2(arguments["n"])})(scale)
    kernel[(1,)](torch.ones(30), 30, 0.5)
    (record,) = harvest("scale")
    assert record.constants == {"3": "32"}
    assert not record.winner


def test_closure(harvest):
    summand = tl.constexpr(3)

    @triton.jit
    def add(x):
        tl.store(x, double(tl.load(x)) + summand)

    x = torch.ones(1)
    add[(1,)](x)
    assert x == 5
    (record,) = harvest("add")
    assert record.qualified_name == "test_closure.<locals>.add"
    assert record.source == {"test_closure.<locals>.add": add.src, "double": double.src}


def test_tuples(harvest):
    x, y = torch.zeros(16), torch.ones(16)
    copy_pair[(1,)]((x, (y, 2.0)), SIZE=16)
    (record,) = harvest("copy_pair")
    (launch,) = record.launches
    assert [(each.kind, each.name) for each in launch.arguments] == [
        ("tensor", "pair.0"), ("tensor", "pair.1.0"), ("scalar", "pair.1.1"), ("constant", "SIZE"),
    ]  # fmt: skip
    assert record.attributes["0.1.0"] == [["tt.divisibility", 16]]


def test_variants(harvest):
    """A launch that breaks a condition needs another kernel, which is recorded as a variant of the first."""
    a, b = torch.ones(48, 48), torch.zeros(32, 32)
    tiles = [TensorDescriptor.from_tensor(tensor, [32, 32]) for tensor in (a, b)]
    copy_tile[(1,)](*tiles, SIZE=64)
    padded = TensorDescriptor.from_tensor(a, [32, 32], padding="nan")
    copy_tile[(1,)](padded, tiles[1], SIZE=64)
    assert b[16:].isnan().all()
    base, variant = harvest("copy_tile")
    assert base.variant_of is None
    assert base.launch_conditions
    assert variant.variant_of == base.key
    assert variant.options == {"nan_descriptors": [0]}
    assert variant.source_hash == base.source_hash
    assert [launch.arguments[0] for launch in base.launches] == [
        Argument("descriptor", "source", "float32", (48, 48), (48, 1), a.data_ptr() % 64, (32, 32), padding)
        for padding in ("zero", "nan")
    ]
    assert variant.launches == []


def test_options_of_other_backends(harvest):
    """They are recorded under their own names, as other backends would read them."""
    scale[(1,)](torch.ones(32), 32, 0.5, SIZE=32, maxnreg=128, debug=True)
    (record,) = harvest("scale")
    assert record.options == {"debug": True, "maxnreg": 128}


def test_kernel_with_dot_products(harvest):
    """Its threads are fewer lanes wide than in the options, and the key is that of the options."""

    @triton.jit
    def multiply(a, b, c):
        i, j = tl.arange(0, 32)[:, None], tl.arange(0, 32)[None, :]
        tl.store(c + i * 32 + j, tl.dot(tl.load(a + i * 32 + j), tl.load(b + i * 32 + j)))

    a = torch.ones(32, 32, dtype=torch.bfloat16)
    kernel = multiply[(1,)](a, a, torch.empty(32, 32), warp_size=32)
    assert kernel.metadata.warp_size == 16
    (record,) = harvest("multiply")
    assert record.options == {"warp_size": 32}


def test_keys_with_additions(harvest, monkeypatch):
    """An extension of Triton may add something to keys, which then do not follow from the source."""
    monkeypatch.setattr(triton.knobs.runtime, "add_stages_inspection_hook", lambda: ("addition", "hash"))
    scale[(1,)](torch.ones(32), 32, 0.5, SIZE=32)
    (record,) = records.read([harvest.path])
    assert record.source_hash == ""
    assert len(record.launches) == 1


def test_files_of_ir(harvest, tmp_path):
    """A file of TTIR is recorded; a file of a later stage is named as what could not be recorded."""
    kernel = scale.warmup(torch.float32, 64, 0.5, SIZE=64, grid=(1,))
    target = kernel.metadata.target
    for stage in ("ttir", "ttgir"):
        path = tmp_path / f"scale.{stage}"
        path.write_text(kernel.asm[stage])
        compiled = triton.compile(IRSource(path), target=target)
        compiled[(1, 1, 1)](torch.ones(64), 64, 0.5)
    (record,) = harvest("scale")
    assert record.ttir == kernel.asm["ttir"]
    assert record.file == __file__
    assert len(record.launches) == 1
    (failure,) = records.read_all([harvest.path]).failures
    assert (failure.name, failure.reason) == ("scale", "its TTIR is not in Triton's cache")


def test_kernels_without_their_functions(harvest):
    """Torch drops the function of a kernel that another process has compiled. The rest is recorded."""
    found = []
    for size in (32, 64):
        kernel = scale.warmup(torch.float32, size, 0.5, SIZE=size, grid=(1,))
        source = copy.copy(kernel.src)
        source.fn = copy.copy(scale)
        source.fn.fn = source.fn.__globals__ = source.fn.used_global_vals = None
        if size == 64:
            source.fn = SimpleNamespace(fn=None, arg_names=list(scale.arg_names))
        driver.make_launcher(source, kernel.metadata, wait=True)
        found.append((kernel.src.hash(), records.read([harvest.path])[-1]))
    (first_hash, first), (second_hash, second) = found
    assert (first.source_hash, first.source, first.module) == (first_hash, {"scale": scale.src}, __name__)
    assert (second.source_hash, second.source, second.module) == (second_hash, {}, "")
    assert first.text_hash == second.text_hash == scale.cache_key
    assert (first.file, first.line) == (second.file, second.line)
    assert first.file == __file__


def test_variants_without_their_functions(harvest):
    """They are compiled from the TTIR that is kept, which is their source then."""
    a, b = torch.ones(48, 48), torch.zeros(32, 32)
    padded = TensorDescriptor.from_tensor(a, [32, 32], padding="nan")
    target = TensorDescriptor.from_tensor(b, [32, 32])
    compiled = copy_tile.warmup(padded, target, SIZE=64, grid=(1,))
    known = compiled.src.hash()
    compiled.src.fn = copy.copy(copy_tile)
    compiled.src.fn.fn = None
    compiled[(1, 1, 1)](padded, target, 64)
    assert b[16:].isnan().all()
    base, variant = harvest("copy_tile")
    assert base.source_hash == known != variant.source_hash
    assert variant.variant_of == base.key
    assert variant.ttir == base.ttir
    assert variant.file == __file__
    assert list(variant.signature.values())[:2] == list(base.signature.values())[:2]


def test_strange_arguments(harvest):
    """A launch that cannot be described takes place nevertheless."""

    class Address:
        def __init__(self, tensor):
            self.tensor = tensor
            self.dtype = tensor.dtype

        def data_ptr(self):
            return self.tensor.data_ptr()

    x = torch.ones(32)
    scale[(1,)](Address(x), 32, 1.0, SIZE=32)
    assert (x == 2).all()
    (record,) = harvest("scale")
    assert record.launches == []


def test_functions_of_one_name(harvest):
    """Functions of two modules are both recorded."""

    def triple(x):
        return x * 3

    triple.__module__, triple.__qualname__ = "elsewhere", "double"
    triple = triton.jit(triple)

    @triton.jit
    def change_both(x):
        tl.store(x, double(triple(tl.load(x))))

    x = torch.ones(1)
    change_both[(1,)](x)
    assert x == 6
    (record,) = harvest("change_both")
    name = "test_functions_of_one_name.<locals>.change_both"
    assert record.source == {name: change_both.src, "double": double.src, "elsewhere.double": triple.src}


def test_few_launches_are_recorded(harvest):
    """They have different grids and shapes."""
    x = torch.ones(64)
    for programs in range(1, 20):
        scale[(programs,)](x, 20 + programs % 2, programs / 2, SIZE=64)
    (record,) = harvest("scale")
    assert [launch.grid for launch in record.launches] == [(programs, 1, 1) for programs in range(1, 9)]


def test_nothing_is_recorded_by_default(harvest, monkeypatch):
    monkeypatch.delenv("TRITON_XE_HARVEST")
    kernel = scale[(1,)](torch.ones(64), 64, 0.5, SIZE=64)
    assert not hasattr(kernel.run, "__wrapped__")
    assert not harvest.path.exists()


def test_file_that_cannot_be_written(monkeypatch, capfd):
    """Launches go on, and a line reports that nothing more is recorded."""
    monkeypatch.setenv("TRITON_XE_HARVEST", "/dev/full")
    for size in (16, 32):
        scale.device_caches.clear()
        x = torch.ones(size)
        scale[(1,)](x, size, 0.5, SIZE=size)
        assert (x == 1).all()
    scale.device_caches.clear()
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("triton-xe: this process records nothing more in `/dev/full`: ")


SCRIPT = """
import subprocess, sys
import torch, triton
import triton.language as tl

@triton.jit
def fill(x, SIZE: tl.constexpr):
    tl.store(x + tl.arange(0, SIZE), 1.0)

size = int(sys.argv[1])
fill[(1,)](torch.zeros(size), SIZE=size)
if size == 16:
    subprocess.run([sys.argv[2], __file__, "32"], check=True)
    sys.exit(3)
"""


def run_command(*arguments: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "triton_xe", "harvest", *arguments]
    return warm_python.run(command, **options)


def test_command(tmp_path):
    """It records the command and its children, returns the status, and shows and merges what it wrote."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    python = tmp_path / "python"
    warm_python.write_program(python)
    result = run_command("-o", "fill.jsonl", "--", str(python), str(script), "16", str(python), cwd=tmp_path)
    assert result.returncode == 3, result.stderr
    assert re.search(r"^fill +2 +0 +2 +0$", result.stderr, re.MULTILINE)
    assert f"wrote {tmp_path / 'fill.jsonl'}" in result.stderr
    found = records.read([tmp_path / "fill.jsonl"])
    assert [(each.module, each.constants) for each in found] == [("__main__", {"1": "16"}), ("__main__", {"1": "32"})]
    shown = run_command("show", "fill.jsonl", "--kernel", "f*", cwd=tmp_path)
    head, *rows = shown.stdout.splitlines()
    assert head.split() == ["kernel", "arguments", "options", "warps", "launches", "winner", "place"]
    assert [re.split(r"  +", row) for row in rows] == [
        ["fill", f"*fp32, SIZE={size}", "4", "1", f"{script}:7"] for size in (16, 32)
    ]
    merged = run_command("merge", "fill.jsonl", "fill.jsonl", "--launched", "-o", "merged.jsonl", cwd=tmp_path)
    assert merged.returncode == 0, merged.stderr
    assert records.read([tmp_path / "merged.jsonl"]) == found
    shown = run_command("show", "merged.jsonl", "--ir", cwd=tmp_path)
    assert shown.stdout.count("tt.func public @fill") == 2


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        ([], 2, "there is no command to run"),
        (["--", "no-such-command"], 127, "cannot run `no-such-command`: No such file or directory"),
        (["--", "sh", "-c", "kill -9 $$"], 137, "no kernel was launched"),
        (["--output", "missing/harvest.jsonl", "--", "true"], 2, "No such file or directory"),
        (["--output", __file__, "--", "echo", "run"], 1, "no line of a harvest file"),
        (["show", "missing.jsonl"], 2, "cannot read `missing.jsonl`"),
        (["merge", os.devnull, "--output", "missing/merged.jsonl"], 2, "No such file or directory"),
    ],
)
def test_bad_commands(tmp_path, arguments, status, message):
    result = run_command(*arguments, cwd=tmp_path)
    assert result.returncode == status
    assert message in result.stderr
    assert "run" not in result.stdout
    assert "Traceback" not in result.stderr
