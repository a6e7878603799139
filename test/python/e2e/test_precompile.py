# SPDX-License-Identifier: MIT
"""The kernels that a run has recorded are compiled for any chip; another process launches them without compiling."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path

import bundles
import fleet
import pytest
import torch
import triton
import triton.language as tl
import warm_python
from triton._C.libtriton import get_cache_invalidating_env_vars
from triton.backends.compiler import GPUTarget
from triton.compiler import make_backend
from triton.runtime import driver as triton_driver

from triton_xe import target
from triton_xe.tools import command_line
from triton_xe.tools.bundle.reading import Bundle
from triton_xe.tools.harvest import records
from triton_xe.tools.precompile import checks, command, compilation, variants
from triton_xe.tools.verify import builds

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def harvest(tmp_path_factory):
    """Return the harvest of a run on the CPU device."""
    folder = tmp_path_factory.mktemp("harvest")
    path = folder / "harvest.jsonl"
    result = bundles.launch(None, folder / "cache", str(ROOT / "fleet.py"), TRITON_XE_HARVEST=str(path))
    assert result.output == "right, with LLVM\n", result.messages
    return path


@pytest.fixture(scope="module")
def bundle(harvest, tmp_path_factory):
    """Return a bundle with the harvest for the CPU device and two chips, without variants that no launch needed."""
    folder = tmp_path_factory.mktemp("bundle")
    line = ["precompile", str(harvest), "--arch", "cpu,pvc,bmg", "--variants", "recorded", "--output", str(folder)]
    assert command_line.main(line) == 0
    return folder


def precompile(path: Path, folder: Path, *options: str) -> int:
    return command_line.main(["precompile", str(path), "--output", str(folder), *options])


@pytest.mark.conformance
def test_another_process_compiles_nothing(bundle, tmp_path):
    """The bundle is read-only, and the cache is a folder that is never made."""
    for path in (bundle, *bundle.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    result = bundles.launch(bundle, tmp_path / "nowhere", str(ROOT / "fleet.py"))
    assert (result.output, result.messages) == ("right, without LLVM\n", "")
    assert not (tmp_path / "nowhere").exists()
    for path in (bundle, *bundle.rglob("*")):
        path.chmod(0o755)


@pytest.mark.conformance
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_keys_of_a_gpu(bundle, tmp_path, monkeypatch, arch):
    """A driver whose device is a chip finds what it requests: every kernel of the run, compiled for this chip."""
    active = triton_driver.active
    device = GPUTarget("xpu", arch, target.resolve(arch).sub_group_sizes[0])
    monkeypatch.setattr(active, "get_current_target", lambda: device)
    # Other tests of this process may have set what the run did not have, and what is part of keys.
    for name in get_cache_invalidating_env_vars():
        monkeypatch.delenv(name)
    launches = fleet.launches()
    with bundles.as_new_process(tmp_path / "cache", bundle) as compiled:
        for launch in launches:
            launch.kernel.device_caches.clear()
            kernel = launch.kernel.warmup(*launch.arguments, grid=launch.grid, **launch.keywords)
            assert (kernel.metadata.target.backend, kernel.metadata.arch) == ("xpu", arch)
            assert "spv" in kernel.asm
            launch.kernel.device_caches.clear()
    assert compiled == []


def test_second_run_compiles_nothing(harvest, bundle, capsys, monkeypatch):
    monkeypatch.setattr(compilation, "run", lambda job, settings: pytest.fail("nothing is left to compile"))
    assert precompile(harvest, bundle, "--arch", "pvc", "--variants", "recorded") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert rows and all(row[2] == row[4] != "0" and row[5] == "0" for row in rows)


# Only the launch determines whether 2D block messages can have the pitch of `x`.
@triton.jit(do_not_specialize=["stride"])
def copy_block(x, y, M, N, stride, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [M, N], [stride, 1], [BM, BN])
    result = tl.make_tensor_descriptor(y, [M, N], [N, 1], [BM, BN])
    place = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    result.store(place, source.load(place))


def run_copy(pitch: int) -> None:
    x, y = torch.randn(64, pitch)[:, :64], torch.full((64, 64), float("nan"))
    copy_block[(2, 2)](x, y, 64, 64, pitch, 32, 32)
    torch.testing.assert_close(y, x)


@pytest.fixture
def recorded(tmp_path, monkeypatch):
    """Return the record of a kernel with launch conditions, and the file that it is in."""
    path = tmp_path / "one.jsonl"
    copy_block.device_caches.clear()
    with bundles.as_new_process(tmp_path / "recording"):
        monkeypatch.setenv("TRITON_XE_HARVEST", str(path))
        run_copy(64)
        monkeypatch.delenv("TRITON_XE_HARVEST")
    copy_block.device_caches.clear()
    (record,) = records.read([path])
    return record, path


def test_variants(recorded, tmp_path):
    """The run had no launch with a pitch that 2D block messages cannot have; its variant is in the bundle."""
    _, path = recorded
    assert precompile(path, tmp_path / "bundle", "--arch", "cpu", "--jobs", "1") == 0
    with bundles.as_new_process(tmp_path / "cache", tmp_path / "bundle") as compiled:
        run_copy(64)
        run_copy(67)
    copy_block.device_caches.clear()
    assert compiled == []


def change(record: records.Specialization, path: Path, **changes) -> Path:
    """Write a file with a record that was changed."""
    records.write(path, [dataclasses.replace(record, **changes)])
    return path


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"triton_key": "0" * 64, "triton_version": "1.2.3"}, "it was recorded with Triton 1.2.3, and this is "),
        ({"source_hash": ""}, "the key that it had does not follow from its source and options"),
        ({"options": {"num_warps": 3}}, "num_warps must be a power of 2, found 3"),
        ({"options": {"num_warps": 64}, "target": {"warp_size": 32}}, "threads of a work-group"),
        ({"target": {"warp_size": 5}}, "`warp_size`: expected 16 or 32, found 5"),
        ({"ttir": "module {"}, "expected"),
        ({"ttir": "module {}"}, ""),
        ({"ttir": ""}, ""),
    ],
)
def test_failure(recorded, tmp_path, capsys, changes, reason):
    """A record that cannot be compiled is a line with the reason; other kernels are compiled nevertheless."""
    record, path = recorded
    options = ("--arch", "bmg", "--variants", "recorded", "--jobs", "1")
    change(record, path, **changes)
    with path.open("a") as file:
        file.write(json.dumps(records.specialization_line(dataclasses.replace(record, name="other", key="other"))))
    assert precompile(path, tmp_path / "bundle", *options) == 1
    header, *lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: dict(zip(header.split(), line.split(), strict=True)) for line in lines[:2]}
    assert (rows["copy_block"]["failed"], rows["other"]["failed"]) == ("1", "0")
    assert lines[2].startswith("copy_block (bmg) ") and reason in lines[2]
    assert len(list(Bundle.open(tmp_path / "bundle").entries())) == 1


def test_process_that_ends(recorded, tmp_path, monkeypatch, capsys):
    """A crash of the compiler is a failure of its kernel."""
    record, path = recorded
    monkeypatch.setattr("triton_xe.tools.precompile.engines._pool", lambda workers: CrashingPool())
    assert precompile(path, tmp_path / "bundle", "--arch", "bmg") == 1
    assert f"{record.name} (bmg) the process that compiled it ended: gone" in capsys.readouterr().out


class CrashingPool:
    """A pool whose processes end."""

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        return False

    def submit(self, _function, _argument):
        from concurrent.futures import Future
        from concurrent.futures.process import BrokenProcessPool

        future = Future()
        future.set_exception(BrokenProcessPool("gone"))
        return future


@pytest.mark.parametrize("runtime", ["cpu", "simulator"])
def test_check(recorded, runtime):
    """Generated inputs show whether the code computes what it does without optional passes."""
    if runtime == "simulator":
        pytest.importorskip("triton_xe._simulator")
    record, _ = recorded
    settings = compilation.Settings(all_variants=False, check=runtime)
    outcome = compilation.run(compilation.Job(record, "pvc"), settings)
    assert (outcome.problems, outcome.finding) == ((), checks.Finding("agrees"))
    assert os.environ.get("TRITON_XE_CPU_RUNTIME") is None


def test_check_finds_a_difference(recorded, monkeypatch, capfd):
    """An optimized kernel that does something other than the reference."""
    record, _ = recorded
    stock = builds.Subject.build

    def build(self, off, text=""):
        # The reference copies other blocks.
        moved = self.text.silent.replace("%c32_i32 = arith.constant 32", "%c32_i32 = arith.constant 16")
        assert moved != self.text.silent
        return stock(self, off, text or (moved if off else ""))

    monkeypatch.setattr(builds.Subject, "build", build)
    settings = compilation.Settings(all_variants=False, check="cpu")
    outcome = compilation.run(compilation.Job(record, "pvc"), settings)
    assert outcome.finding == checks.Finding("differs")
    assert "kernel `copy_block` gives other results than without optional passes" in capfd.readouterr().err


def test_check_needs_a_launch(recorded):
    record, _ = recorded
    settings = compilation.Settings(all_variants=False, check="cpu")
    never = dataclasses.replace(record, launches=[])
    assert compilation.run(compilation.Job(never, "pvc"), settings).finding.reason == "the harvest has no launch"
    large = records.Argument("tensor", "x", "float32", shape=(1 << 20, 1 << 20), strides=(1 << 20, 1))
    huge = dataclasses.replace(record, launches=[records.Launch((1, 1, 1), (large,))])
    assert "its tensors have " in compilation.run(compilation.Job(huge, "pvc"), settings).finding.reason


def test_arguments_like_those_recorded():
    """Shapes, strides, alignments and types are those of the launch."""
    for dtype in ("float16", "bfloat16", "float8_e5m2", "int32", "bool", "float64"):
        argument = records.Argument("tensor", "x", dtype, (3, 5), (7, 1), address=8)
        tensor = checks.make_argument(0, argument)
        assert (tuple(tensor.shape), tensor.stride(), str(tensor.dtype)) == ((3, 5), (7, 1), f"torch.{dtype}")
        assert tensor.data_ptr() % records.ADDRESS_MODULUS == 8
    reinterpreted = checks.make_argument(0, records.Argument("tensor", "x", "fp8e4b15", (4,), (1,)))
    assert str(reinterpreted.dtype) == "fp8e4b15"
    descriptor = checks.make_argument(
        0, records.Argument("descriptor", "d", "float16", (32, 32), (32, 1), block_shape=(16, 16), padding="nan")
    )
    assert (descriptor.block_shape, descriptor.padding) == ([16, 16], "nan")
    assert checks.make_argument(0, records.Argument("scalar", "n", value=3)) == 3
    assert checks.make_argument(0, records.Argument("tensor", "empty", "float32", (0, 4), (4, 1))).numel() == 0


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([], []),
        ([[0, []]], ["ordinary_surfaces=0"]),
        ([[-1, []]], ["assume_launch=False"]),
        (
            [[0, []], [2, []], [-1, []]],
            ["ordinary_surfaces=0", "ordinary_surfaces=2", "ordinary_surfaces=0,2", "assume_launch=False"],
        ),
        ([[n, []] for n in range(5)], [*(f"ordinary_surfaces={n}" for n in range(5)), "ordinary_surfaces=0,1,2,3,4"]),
    ],
)
def test_variants_of_conditions(conditions, expected):
    assert [str(variant) for variant in variants.with_assumptions(conditions)] == expected
    without = [variant for variant in variants.without_assumptions(conditions) if variant.assume_launch]
    assert without == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["--arch", "a777"], "did you mean `a77"),
        (["--arch", "pvc", "--engine", "ray"], "expected the engine `local` or `dask:ADDRESS`, found `ray`"),
        (["--arch", "pvc", "--kernel", "nothing*"], "no kernel of 1 has a name like `nothing*`"),
    ],
)
def test_misuse(recorded, tmp_path, capsys, line, message):
    assert precompile(recorded[1], tmp_path / "bundle", *line) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "bundle").exists()


def test_no_place(recorded, tmp_path, capsys):
    """The bundle cannot be written."""
    (tmp_path / "file").write_text("")
    assert precompile(recorded[1], tmp_path / "file" / "bundle", "--arch", "bmg", "--variants", "recorded") == 2
    assert "cannot write to the bundle" in capsys.readouterr().err


def test_options_of_another_chip(recorded):
    """A record has what the launch gave, so that the chip's own defaults hold."""
    record, _ = recorded
    for arch in ("pvc", "bmg"):
        options = make_backend(GPUTarget("xpu", arch, 16)).parse_options(dict(record.options))
        assert (options.arch, options.num_warps) == (arch, 4)


def test_table(recorded, tmp_path, monkeypatch, capsys):
    """The table has what is known of native code and of results; lines below it name what has to be looked at."""
    _, path = recorded
    options = ("--arch", "pvc", "--variants", "recorded", "--jobs", "1", "--check")
    found = iter([checks.Finding("agrees"), checks.Finding("differs"), checks.Finding("unknown", "it is too large")])
    monkeypatch.setattr(checks, "run", lambda *_arguments: next(found))

    def run_here(_engine, _workers, function, arguments):
        return ((argument, function(argument)) for argument in arguments)

    monkeypatch.setattr("triton_xe.tools.precompile.engines.run", run_here)
    for number, (status, agree, remark) in enumerate([
        (0, "1/1", ""),
        (1, "0/1", "copy_block (pvc) has other results than without optional passes"),
        (0, "0/1", "copy_block (pvc) is not checked: it is too large"),
    ]):  # fmt: skip
        assert precompile(path, tmp_path / f"bundle-{number}", *options) == status
        header, row, *remarks = capsys.readouterr().out.splitlines()
        columns = dict(zip(header.split(), row.split(), strict=True))
        assert (columns["agree"], columns["spills"], remarks) == (agree, "-", [remark] if remark else [])


@triton.jit
def gather_rows(x, index, y, N: tl.constexpr):
    rows = tl.load(index + tl.arange(0, N))
    tl.store(y + tl.arange(0, N), tl.load(x + rows * 4096 - 4096))  # the access


def test_errors_of_checks(tmp_path, monkeypatch, capsys):
    """The contents of tensors are not recorded: the line names the error, the line of the kernel, and why."""
    path = tmp_path / "one.jsonl"
    with bundles.as_new_process(tmp_path / "recording"):
        monkeypatch.setenv("TRITON_XE_HARVEST", str(path))
        gather_rows[(1,)](torch.zeros(64), torch.ones(64, dtype=torch.int32), torch.zeros(64), 64)
        monkeypatch.delenv("TRITON_XE_HARVEST")
    gather_rows.device_caches.clear()
    options = ("--arch", "pvc", "--variants", "recorded", "--jobs", "1", "--check")
    assert precompile(path, tmp_path / "bundle", *options) == 0
    remark = capsys.readouterr().out.splitlines()[-1]
    assert remark.startswith("gather_rows (pvc) is not checked: the launch raised MemoryAccessError: ")
    (place,) = [i for i, text in enumerate(gather_rows.raw_src) if "# the access" in text]
    line = gather_rows.starting_line_number + place
    assert f"{__file__}:{line}: load of 4 bytes outside of the memory of `x`" in remark
    assert remark.endswith("; its tensors of integers have 0 and 1 here, which may be no indices of this kernel")


def test_letters_of_terminals():
    """Names and reasons that were put into a harvest do not reach the terminal as they are."""
    report = command.Report()
    report.count(compilation.Outcome("\x1b[2J", "pvc", "key", problems=("\x1b[31m",)))
    assert "\x1b" not in report.render() and report.has_failed


@pytest.mark.full
def test_benchmark(recorded, tmp_path):
    """The benchmark compares one process with several."""
    script, table = ROOT.parents[1] / "benchmarks" / "precompile.py", tmp_path / "table.csv"
    command = [sys.executable, str(script), str(recorded[1]), "--arch", "bmg", "--csv", str(table)]
    warm_python.run(command, check=True)
    header, *rows = table.read_text().splitlines()
    assert header == "processes,seconds,ratio,kernels,MiB"
    assert rows and all(row.split(",")[3] == "1" for row in rows)
