# SPDX-License-Identifier: MIT
"""Launches that verify themselves: nothing is reported where nothing is wrong, and faults are found and blamed on the
right pass.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import torch
import triton
import triton.language as tl
import triton.profiler.language as pl
import verified_kernels
import warm_python
from kernel_suite import ALL_CASES
from support import needs_ocloc
from test_global_scratch import TARGET, compile_kernel, run_and_check
from test_profile_records import multiply
from triton.profiler.flags import flags
from triton.tools.tensor_descriptor import TensorDescriptor
from verified_kernels import (
    RUNS,
    add_kernel,
    add_within_kernel,
    compact_kernel,
    count_kernel,
    descriptor_product_kernel,
    half,
    run_add,
    run_attention,
    run_descriptors,
    run_product,
    run_quantize,
    run_rotary,
    run_scan,
)

from triton_xe import errors
from triton_xe.cpu.compiler import CPUBackend
from triton_xe.ir_source import IRSource
from triton_xe.tools.profiler import events
from triton_xe.tools.verify import blame, builds, comparison, kernel_text, launches, reproducer

ROOT = Path(__file__).parents[3]


def forget() -> None:
    """Launchers keep whether they verify."""
    for value in [*globals().values(), *vars(verified_kernels).values()]:
        if isinstance(value, triton.JITFunction):
            value.device_caches.clear()


@pytest.fixture
def session(monkeypatch, tmp_path):
    """Verify everything that the test launches."""
    monkeypatch.setenv("TRITON_XE_VERIFY", "1")
    forget()
    with launches.collecting(tmp_path / "differences") as collected:
        yield collected
    forget()


def covers(entry: str, switch: str) -> bool:
    """Return whether an entry of `skip_passes` leaves out this rewrite, `pass:number`."""
    (name, _, numbers), (switch_name, _, number) = entry.partition(":"), switch.partition(":")
    first, dash, last = numbers.partition("-")
    return bool(
        name == switch_name
        and number
        and (not numbers or int(first) <= int(number) <= (int(last or 2**32) if dash else int(first)))
    )


@pytest.fixture
def inject(monkeypatch, tmp_path):
    """Yield a function that makes passes wrong: the result of a stage changes unless all of these are off."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "cache"))
    forget()

    def change(before: str, after: str, *switches: str, stage: str = "make_ttgir") -> None:
        original = getattr(CPUBackend, stage)

        def changed(backend, source, metadata, options):
            text = original(backend, source, metadata, options)
            off = {
                *options.skip_passes,
                *(name for name, value in builds.FLAGS.items() if getattr(options, name) == value),
            }
            is_right = all(switch in off or any(covers(entry, switch) for entry in off) for switch in switches)
            return text if is_right else re.sub(before, after, text)

        monkeypatch.setattr(CPUBackend, stage, changed)

    yield change
    forget()


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.__name__)
def test_nothing_is_wrong(session, run):
    torch.manual_seed(1)
    run()
    (record,) = session.records.values()
    assert (record.launches, record.verified, record.differences, record.reasons) == (1, 1, 0, {})
    assert record.reference > 0 and record.optimized > 0


def test_descriptors_that_pad_with_nan(session):
    run_descriptors("nan")
    assert session.records["descriptor_product_kernel"].verified == 1
    assert not session.differences


def line_of(text: str) -> str:
    """Return `FILE:LINE` of the only line of the kernels that begins with a text, except for blanks."""
    path = Path(verified_kernels.__file__)
    lines = enumerate(path.read_text().splitlines(), 1)
    (number,) = [number for number, line in lines if line.strip().startswith(text)]
    return f"{path}:{number}"


#: The faults: the kernel, the change of its text, the pass, and the line and the argument that show it.
FAULTS = [
    (run_product, "cmpf oge", "cmpf ole", "tritonintelgpu-pipeline", "tl.store(c_ptr + rows[:, None] * N", "c_ptr"),
    (
        run_product,
        "cmpf oge",
        "cmpf ole",
        "tritonintelgpu-remove-layout-conversions",
        "tl.store(c_ptr + rows[:, None] * N",
        "c_ptr",
    ),
    (
        run_attention,
        r"math\.exp2",
        "math.absf",
        "tritonintelgpu-defer-reductions",
        "tl.store(out_ptr + rows",
        "out_ptr",
    ),
    (run_rotary, r"arith\.subf", "arith.addf", "assume_launch", "tl.store(first, x * cos", "q_ptr"),
    (run_scan, "cmpf ogt", "cmpf olt", "raise_pointers", "tl.store(best_ptr + row", "best_ptr"),
    (
        run_add,
        r"arith\.addf",
        "arith.subf",
        "ordinary_surfaces",
        "tl.store(out_ptr + offsets, tl.load(x_ptr",
        "out_ptr",
    ),
    (
        run_quantize,
        r"math\.floor",
        "math.ceil",
        "triton-intel-simplify-comparisons",
        "tl.store(out_ptr + row * N + columns, tl.f",
        "out_ptr",
    ),
]


@pytest.mark.parametrize(("run", "before", "after", "switch", "line", "argument"), FAULTS)
def test_faults_are_blamed(session, inject, capfd, run, before, after, switch, line, argument):
    """The fault is located: the pass, the line of the store, the element, and the launch."""
    inject(before, after, switch)
    torch.manual_seed(1)
    with contextlib.suppress(AssertionError):
        run()
    assert session.differences == 1
    report = capfd.readouterr().err
    assert f"to blame: `{switch}`, without which there is no difference" in report
    assert f"{line_of(line)}: kernel `" in report
    assert re.search(
        rf"element \S.* of `{argument}` is \S+, the reference has \S+; \d+ of \d+ written elements", report
    )
    assert "the launch: grid=(" in report and "num_warps=4" in report


def test_two_passes_are_blamed(session, inject, capfd):
    """Either of them makes the difference: only without both it goes away."""
    inject(r"arith\.addf", "arith.subf", "tritonintelgpu-pipeline", "assume_launch")
    with pytest.raises(AssertionError):
        run_add()
    report = capfd.readouterr().err
    assert "to blame: `tritonintelgpu-pipeline`, `assume_launch`, without which" in report


@pytest.mark.parametrize(
    ("faulty", "blamed"), [([1], "rewrite 1"), ([0, 2], "rewrites 0, 2"), ([0, 1, 2], "rewrites 0-2")]
)
def test_rewrites_are_blamed(session, inject, capfd, faulty, blamed):
    """The masks of the loads and of the store are always true. A fault of the pass that finds some of this is theirs,
    also in a second run, which finds kernels in the cache.
    """
    switch = "triton-intel-simplify-comparisons"
    inject(r"arith\.addf", "arith.subf", *(f"{switch}:{number}" for number in faulty))
    line = line_of("tl.store(out_ptr + at, tl.load(x_ptr")
    x, y, out = torch.randn(1024), torch.randn(1024), torch.empty(1024)
    for _ in range(2):
        add_within_kernel[(1,)](x, y, out, BLOCK=1024)
        assert torch.equal(out, x - y)
        report = capfd.readouterr().err
        assert f"to blame: {blamed} of `{switch}`, without which there is no difference" in report
        places = re.findall(rf"rewrite (\d+) of `{switch}` is about (.*)\n", report)
        assert places == [(str(number), line) for number in faulty]
        forget()


def test_a_difference_is_an_error(monkeypatch, inject, tmp_path):
    """It is an error with the option or the variable; tensors have the results of the launch; the pass causes it."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    inject(r"arith\.addf", "arith.subf", "tritonintelgpu-pipeline")
    x, y, out = torch.randn(100), torch.randn(100), torch.empty(100)
    add_kernel[(1,)](x, y, out, 100, BLOCK=128)
    with pytest.raises(errors.VerificationError, match="to blame: `tritonintelgpu-pipeline`"):
        add_kernel[(1,)](x, y, out, 100, BLOCK=128, verify=True)
    assert torch.equal(out, x - y)
    add_kernel[(1,)](x, y, out, 100, BLOCK=128, verify=True, skip_passes=("tritonintelgpu-pipeline",))
    assert torch.equal(out, x + y)
    forget()
    monkeypatch.setenv("TRITON_XE_VERIFY", "1")
    with pytest.raises(errors.VerificationError, match="100 of 100 written elements differ"):
        add_kernel[(1,)](x, y, out, 100, BLOCK=128)


@pytest.mark.parametrize(
    ("run", "before", "after"),
    [
        (run_add, r"arith\.addf", "arith.subf"),
        (run_descriptors, r"dense<0\.0", "dense<1.0"),
        (run_rotary, r"arith\.subf", "arith.addf"),
    ],
)
def test_reproducers(session, inject, capfd, tmp_path, run, before, after):
    """They show the difference as long as the fault exists."""
    inject(before, after, "tritonintelgpu-pipeline")
    with pytest.raises(AssertionError):
        run()
    (script,) = re.findall(r"shows it again: python (.*)", capfd.readouterr().err)
    assert Path(script).parent.parent == session.folder
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(script, run_name="__main__")
    assert ended.value.code == 1
    assert "the reference has" in capfd.readouterr().out
    launch = json.loads(Path(script).with_name("launch.json").read_text())
    assert launch["to_blame"] == ["tritonintelgpu-pipeline"]
    # In another process there is no fault, and nothing that was compiled with it.
    environment = os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "other")}
    result = warm_python.run([sys.executable, script], env=environment)
    assert (result.returncode, result.stdout) == (0, "no difference\n"), result.stderr


def test_writes_happen_once(session):
    """Kernels write in place, by atomic operations, and through views that overlap."""
    memory = torch.arange(100.0)
    expected = memory.clone()
    for _ in range(3):
        add_kernel[(1,)](memory, memory, memory, 50, BLOCK=64)
        expected[:50] *= 2
    assert torch.equal(memory, expected)
    counts = torch.zeros(10, dtype=torch.int32)
    for _ in range(3):
        count_kernel[(1,)](torch.ones(64, dtype=torch.int64), counts, 64, BLOCK=64)
    assert counts.tolist() == [0, 3 * 64, *[0] * 8]
    # Both are views of one storage: what is written here is read there.
    both = torch.ones(128)
    add_kernel[(1,)](both[32:96], both[:64], both[64:], 64, BLOCK=64, num_warps=1)
    assert torch.equal(both, torch.cat([torch.ones(64), torch.full((64,), 2.0)]))
    assert [(record.verified, record.differences) for record in session.records.values()] == [(4, 0), (3, 0)]


class Pair(NamedTuple):
    first: torch.Tensor
    factor: float


@triton.jit
def odd_arguments_kernel(pair, missing, wrapped, row, stride, scalar, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    value = tl.load(row - offsets * stride) * pair[1] * scalar
    if missing is not None:
        value += tl.load(missing + offsets)
    value += tl.load(wrapped + offsets).to(tl.float32)
    tl.store(pair[0] + offsets, value)


def test_odd_arguments(session):
    """Tuples, None, reinterpreted tensors, strides that are negative or 0, scalars."""
    out, row = torch.empty(64), torch.arange(64.0)
    wrapped = triton.reinterpret(torch.zeros(64, dtype=torch.uint8), tl.float8e5)
    for stride in (1, 0):
        odd_arguments_kernel[(1,)](Pair(out, 2.0), None, wrapped, row[63:], stride, 3.0, BLOCK=64)
        assert torch.equal(out, (row.flip(0) if stride else torch.full((64,), 63.0)) * 6)
    odd_arguments_kernel[(1,)]((out, 2.0), row, wrapped, row[63:].expand(5), 0, 3, BLOCK=64)
    assert torch.equal(out, 63 * 6 + row)
    (record,) = session.records.values()
    assert (record.verified, record.differences, record.reasons) == (3, 0, {})
    # No elements, but a storage.
    add_kernel[(1,)](row[:0], row, out, 0, BLOCK=64)
    assert session.records["add_kernel"].verified == 1


@triton.jit
def addresses_kernel(table_ptr, out_ptr, BLOCK: tl.constexpr):
    for index in range(2):
        x_ptr = tl.load(table_ptr + index).to(tl.pointer_type(tl.float32))
        tl.store(out_ptr + index, tl.sum(tl.load(x_ptr + tl.arange(0, BLOCK))))


def test_what_cannot_be_verified(session):
    """Memory of unknown extent is not copied: the launch happens, once, and counts as not verified."""
    x, y, out = torch.ones(64), torch.full((64,), 2.0), torch.empty(2)
    table = torch.tensor([x.data_ptr(), y.data_ptr()])
    addresses_kernel[(1,)](table, out, BLOCK=64)
    assert out.tolist() == [64, 128]

    class Address:
        dtype = torch.float32

        def __init__(self, tensor):
            self.data_ptr = tensor.data_ptr

    add_kernel[(1,)](Address(x), y, x, 64, BLOCK=64)
    assert (x == 3).all()
    reasons = {name: list(record.reasons) for name, record in session.records.items()}
    assert reasons == {
        "addresses_kernel": ["the kernel gets addresses as numbers: their memory cannot be copied"],
        "add_kernel": ["argument `x_ptr` is an address: the extent of its memory is unknown"],
    }


def test_order_by_design(session):
    """Results that are others in each run are no difference."""
    for _ in range(5):
        x, out, count = torch.arange(4096), torch.empty(4096, dtype=torch.int64), torch.zeros(1, dtype=torch.int32)
        compact_kernel[(64,)](x, out, count, BLOCK=64)
        assert torch.equal(out.sort().values, x) and count.item() == 4096
    (record,) = session.records.values()
    assert record.differences == 0
    assert record.verified + sum(record.reasons.values()) == 5


@pytest.mark.parametrize("runtime", ["opencl", pytest.param("simulator", marks=needs_ocloc)])
def test_other_runtimes(session, monkeypatch, runtime):
    """The reference is the same kind of code; Intel's OpenCL runtime takes long to compile larger tiles."""
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", runtime)
    run_product(block=16)
    run_descriptors(block=16)
    assert [(record.verified, record.differences) for record in session.records.values()] == [(1, 0)] * 2


@triton.jit
def failing_kernel(x_ptr, limit, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.device_assert(x < limit, "too large")
    tl.store(x_ptr + offsets, x + 1)


def test_errors_are_those_of_the_launch(session):
    """They are raised as without verification, and the next launch is verified."""
    x = torch.zeros(64)
    with pytest.raises(errors.DeviceAssertionError, match="too large"):
        failing_kernel[(1,)](x, 0.0, BLOCK=64, debug=True)
    assert (x == 0).all()
    with pytest.raises(errors.MemoryAccessError, match="outside of the memory of `x_ptr`"):
        failing_kernel[(1,)](x, 1.0, BLOCK=128, cpu_checks=True)
    failing_kernel[(1,)](x, 1.0, BLOCK=64, debug=True)
    with pytest.raises(errors.LaunchError):
        failing_kernel[(1 << 40,)](x, 1.0, BLOCK=64)
    with pytest.raises(errors.ArgumentError):
        failing_kernel[(1,)](torch.zeros(64, device="meta"), 1.0, BLOCK=64)
    with pytest.raises((errors.TritonXeError, AttributeError)):
        descriptor_product_kernel.warmup(
            *[TensorDescriptor.from_tensor(half(32, 32), [32, 32])] * 3, 32, BLOCK=32, grid=(1,)
        )[(1, 1, 1)](x, x, x, 32, 32)
    failing_kernel[(0,)](x, 1.0, BLOCK=64)
    assert (x == 1).all()
    record = session.records["failing_kernel"]
    assert (record.verified, record.differences) == (1, 0)
    raised = [reason for reason in record.reasons if reason.startswith("the launch raised ")]
    assert len(raised) >= 3
    assert any(reason.startswith("the launch raised LaunchError: ") for reason in raised), raised


def test_an_error_of_the_reference_is_a_difference(session, inject, capfd):
    inject("tt.assert", "// tt.assert", "tritonintelgpu-pipeline")
    x = torch.zeros(64)
    failing_kernel[(1,)](x, 0.0, BLOCK=64, debug=True)
    report = capfd.readouterr().err
    assert "the reference alone raises DeviceAssertionError: " in report
    assert "to blame: `tritonintelgpu-pipeline`" in report
    assert (x == 1).all() and session.differences == 1


@triton.jit
def printing_kernel(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.device_print("value", tl.load(x_ptr + offsets))
    tl.store(x_ptr + offsets, offsets.to(tl.float32))


def test_what_a_launch_shows_is_shown_once(session, monkeypatch):
    """Lines that it prints, hooks, profiles."""
    entered, ran = [], []
    monkeypatch.setattr(triton.knobs.runtime, "launch_enter_hook", entered.append)

    class Listener:
        def ran(self, run):
            ran.append(run.kernel)

    listener = Listener()
    events.listen_to_runs(listener)
    try:
        script = "import test_verify, torch\ntest_verify.printing_kernel[(1,)](torch.ones(16), BLOCK=16)"
        paths = os.pathsep.join([str(ROOT / "test/python"), str(ROOT / "test/python/e2e")])
        result = warm_python.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONPATH": paths},
            check=True,
        )
        add_kernel[(1,)](torch.ones(64), torch.ones(64), torch.ones(64), 64, BLOCK=64)
    finally:
        events.ignore_runs(listener)
    assert result.stdout.count("value") == 16
    assert ran == ["add_kernel"] and len(entered) == 1
    assert session.records["add_kernel"].verified == 1


def test_scopes_are_recorded_once(session, monkeypatch):
    """Records of a profile are those of the launch."""
    monkeypatch.setattr(flags, "instrumentation_on", True)
    monkeypatch.setattr(triton.knobs.compilation, "instrumentation_mode", "default")
    recorded = []

    class Listener:
        def launched(self, launch):
            recorded.append(launch)

    listener = Listener()
    events.listen(listener)
    pl.enable_semantic("triton")
    try:
        multiply.device_caches.clear()
        a, b, c = half(64, 64), half(64, 64), torch.empty(64, 64)
        multiply[(1, 1)](a, b, c, 64, 64, 64, 64, 64, 32)
    finally:
        pl.disable_semantic("triton")
        events.ignore(listener)
        multiply.device_caches.clear()
    assert len(recorded) == 1 and recorded[0].programs()
    assert (session.records["multiply"].verified, session.differences) == (1, 0)


def test_kernels_from_other_stages(session, tmp_path):
    """They are launched, here with global scratch memory, and not verified: most optional passes are after them."""
    run_and_check(compile_kernel(tmp_path))
    (record,) = session.records.values()
    assert record.reasons == {"the kernel was not compiled from TTIR": 1}
    (tmp_path / "add.ttir").write_text(add_kernel.warmup(*[torch.empty(64)] * 3, 64, BLOCK=64, grid=(1,)).asm["ttir"])
    compiled = triton.compile(IRSource(tmp_path / "add.ttir"), target=TARGET)
    x, out = torch.randn(64), torch.empty(64)
    compiled[(1, 1, 1)](x, x, out, 64)
    assert torch.equal(out, x + x)
    assert session.records["add_kernel"].verified == 1


def test_autotuned_kernels(session):
    """The launches that are timed do nothing else."""
    configs = [triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 256}, num_warps=8)]
    tuned = triton.autotune(configs, key=["n"])(add_kernel)
    x, y, out = torch.randn(1000), torch.randn(1000), torch.empty(1000)
    tuned[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, y, out, 1000)
    assert torch.equal(out, x + y)
    record = session.records["add_kernel"]
    # The first launch of each configuration, and the user's.
    assert record.launches == record.verified == 3


def test_models_of_inductor(tmp_path):
    """`torch.compile` launches by separate functions."""
    script = tmp_path / "model.py"
    script.write_text(MODEL)
    result = verify_script(script, tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    rows = re.findall(r"^(triton_\w+) +(\d+) +(\d+) +0 ", result.stdout, re.MULTILINE)
    assert rows and all(int(launches) == int(verified) > 0 for _, launches, verified in rows), result.stdout


MODEL = """
import torch, triton_xe.inductor

triton_xe.inductor.enable()

@torch.compile
def model(x, weight, bias):
    return torch.softmax(torch.nn.functional.layer_norm(x, (64,), weight, bias).relu() + x, 1)

x, weight, bias = torch.randn(32, 64), torch.randn(64), torch.randn(64)
for _ in range(2):
    result = model(x, weight, bias)
expected = torch.softmax(torch.nn.functional.layer_norm(x, (64,), weight, bias).relu() + x, 1)
torch.testing.assert_close(result, expected)
"""


def verify_script(script: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command; its reproducers are in `folder / "found"`."""
    command = [
        sys.executable,
        "-m",
        "triton_xe",
        "verify",
        "-o",
        folder / "found",
        script,
        *arguments,
    ]
    environment = os.environ | {
        "TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"),
        "TRITON_CACHE_DIR": str(folder / "triton"),
    }
    return warm_python.run(list(map(str, command)), env=environment, cwd=folder)


SCRIPT = """
import sys, torch, triton, triton.language as tl
from triton_xe.cpu.compiler import CPUBackend
from triton_xe.ir_source import IRSource

original = CPUBackend.make_ttgir

def make_ttgir(self, source, metadata, options):
    text = original(self, source, metadata, options)
    return text.replace("arith.maxnumf", sys.argv[1]) if "tritonintelgpu-pipeline" not in options.skip_passes else text

CPUBackend.make_ttgir = make_ttgir

@triton.jit
def relu(x_ptr, y_ptr, n, SIZE: tl.constexpr):
    places = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(y_ptr + places, tl.maximum(tl.load(x_ptr + places, mask=places < n), 0.0), mask=places < n)

@triton.jit
def fill(x_ptr, SIZE: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, SIZE), 1)

x, y = torch.randn(100), torch.empty(100)
for _ in range(3):
    relu[(1,)](x, y, 100, SIZE=128)
fill[(1,)](x, SIZE=64)
print("end of the script")
"""


@pytest.mark.parametrize(("instead", "status"), [("arith.minnumf", 1), ("arith.maxnumf", 0)])
def test_command(tmp_path, instead, status):
    """The script runs to its end; the table and the status report what was found."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    result = verify_script(script, tmp_path, instead)
    assert result.returncode == status, result.stderr
    printed, heading, relu, fill = result.stdout.splitlines()
    assert printed == "end of the script"
    assert heading.split() == ["kernel", "launches", "verified", "differ", "reference"]
    assert re.fullmatch(rf"relu +3 +3 +{3 * status} +[\d.]+x", relu)
    assert re.fullmatch(r"fill +1 +1 +0 +[\d.]+x", fill)
    # Once per kernel.
    assert result.stderr.count("to blame: `tritonintelgpu-pipeline`") == status
    assert len(list((tmp_path / "found").glob("relu-*/reproduce.py"))) == status


def test_scripts_that_fail(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace('print("end of the script")', "raise ValueError('no')"))
    result = verify_script(script, tmp_path, "arith.maxnumf")
    assert result.returncode == 1
    assert result.stderr.endswith("ValueError: no\n")
    assert result.stdout.startswith("kernel ")
    result = verify_script(tmp_path / "missing.py", tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "there is no file" in result.stderr


def test_smallest_sets():
    everything = tuple("abcdefghijklmnopq")
    for cause in ("a", "q", "h", "cp", "aq", "bgm"):
        tried = []

        def is_good(off, cause=cause, tried=tried):
            tried.append(off)
            return off >= set(cause)

        assert blame.smallest(everything, is_good) == tuple(cause)
        assert len(tried) == len(set(tried)) <= 12 if len(cause) == 1 else 60


ROUNDED = """
%0 = tt.dot %a, %b, %c : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32> loc(#loc)
%1 = arith.truncf %0 : tensor<16x16xf32> to tensor<16x16xbf16> loc(#loc)
tt.store %p, %1 : tensor<16x16x!tt.ptr<bf16>> loc(#loc)
"""


def test_what_texts_say():
    text = kernel_text.KernelText(ROUNDED)
    assert not text.is_exact and text.rounded_inside == ()
    again = kernel_text.KernelText(ROUNDED + "%2 = tt.dot %1, %b, %c : tensor<16x16xbf16> * tensor<16x16xbf16>\n")
    assert again.rounded_inside == ("bf16",)
    assert kernel_text.KernelText("%0 = arith.addf %a, %b : f32\n").is_exact
    assert not kernel_text.KernelText("%0 = arith.addf %a, %b : f32\n%1 = arith.mulf %0, %b : f32\n").is_exact
    assert kernel_text.KernelText("%0 = tt.int_to_ptr %a : i64 -> !tt.ptr<f32>").makes_pointers


def test_numbers_that_are_equal(session):
    """NaNs are, and infinities; an infinity and a number are not."""
    nan, inf = float("nan"), float("inf")
    x, out = torch.tensor([nan, inf, -inf, 1.0] * 16), torch.empty(64)
    add_kernel[(1,)](x, x, out, 64, BLOCK=64)
    assert not session.differences

    def find(one: list[float], other: list[float], text: str) -> comparison.Difference | None:
        tensors = [torch.tensor(each) for each in (one, other)]
        described = launches.Snapshot(["*fp32"], ["x"], [tensors[0]])
        regions = [[each.view(torch.uint8)] for each in (torch.full_like(tensors[0], 7.0), *tensors)]
        return comparison.find(kernel_text.KernelText(text), described.tensors(), *regions)

    exact, inexact = "%0 = arith.addf %a, %b : f32", "%0 = math.exp %a : f32"
    assert find([nan, inf, 1.0], [-nan, inf, 1.0], exact) is None
    assert find([1.0, 0.0], [1.0, 1e-7], inexact) is None
    assert find([1.0, 0.0], [1.0, 1e-7], exact).index == (1,)
    assert find([1.0, 0.0], [1.0, 1e-3], inexact).bound == pytest.approx(1e-4)
    assert find([1.0, inf], [1.0, 3e38], inexact).index == (1,)
    assert find([nan, 1.0], [1.0, 1.0], inexact).index == (0,)


@pytest.mark.full
@pytest.mark.parametrize("case", [pytest.param(case, id=str(case)) for case in ALL_CASES])
def test_kernel_suite(session, case):
    """Nothing is wrong with the suite's kernels. A kernel that gets addresses as numbers cannot be verified."""
    for kernel in case.kernels:
        kernel.device_caches.clear()
    case.run("cpu")
    assert not session.differences
    for record in session.records.values():
        assert record.launches == record.verified or "grouped_gemm" in record.name, record.reasons
    for kernel in case.kernels:
        kernel.device_caches.clear()


@triton.jit
def large_tile_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    """A tile of 512 registers per lane in one warp, in loops over slices on the CPU device."""
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets) * 2.0 + 1.0)


def run_large_tile(**options: object) -> None:
    x = torch.randn(8192)
    out = torch.full_like(x, float("nan"))
    large_tile_kernel[(1,)](x, out, 8192, num_warps=1, **options)
    assert torch.equal(out, x * 2 + 1)


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Collect what is compiled for verification."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "cache"))
    kernels = []
    original = builds.Subject._compile

    def compile_and_note(self, off, text):
        kernel, diagnostics = original(self, off, text)
        kernels.append(kernel)
        return kernel, diagnostics

    monkeypatch.setattr(builds.Subject, "_compile", compile_and_note)
    return kernels


def test_the_reference_has_no_slices(session, compiled):
    """Its code for a large tile has no loop; that of the launch has one."""
    run_large_tile()
    (reference,) = compiled
    assert reference.metadata.tile_registers == 0
    assert " phi " not in reference.asm["llir"]
    launched = large_tile_kernel.warmup(*[torch.empty(8192)] * 2, 8192, num_warps=1, grid=(1,))
    assert launched.metadata.tile_registers is None and " phi " in launched.asm["llir"]
    assert session.records["large_tile_kernel"].verified == 1 and session.differences == 0


def test_slices_are_blamed(session, inject, capfd):
    """An effect of a build with slices alone is a difference."""
    inject(r"2\.000000e\+00", "3.000000e+00", "tile_registers", stage="make_llir")
    with contextlib.suppress(AssertionError):
        run_large_tile()
    assert session.differences == 1
    assert "to blame: `tile_registers`, without which there is no difference" in capfd.readouterr().err


@needs_ocloc
def test_the_simulator_as_reference(monkeypatch, inject, compiled, capfd, tmp_path):
    """Native code is compared with that of the CPU device, and a fault in the latter is found and shown again."""
    monkeypatch.setenv("TRITON_XE_VERIFY", "simulator")
    with launches.collecting(tmp_path / "differences") as session:
        run_add()
        (record,) = session.records.values()
        assert (record.verified, record.differences) == (1, 0)
        assert compiled[0].metadata.cpu_code == "zebin"
        forget()
        original = CPUBackend.make_obj
        monkeypatch.setattr(
            CPUBackend,
            "make_obj",
            staticmethod(lambda source, *rest: original(source.replace("fadd", "fsub"), *rest)),
        )
        triton.knobs.cache.dir = str(tmp_path / "empty")
        with contextlib.suppress(AssertionError):
            run_add()
    assert session.differences == 1
    report = capfd.readouterr().err
    assert "to blame: `cpu_code`, without which there is no difference" in report
    (script,) = (tmp_path / "differences").glob("*/reproduce.py")
    assert reproducer.run(script.parent) == 1


def test_values_of_the_option():
    with pytest.raises(errors.OptionError, match="`verify`: expected True, False or `simulator`, found 'twice'"):
        add_kernel.warmup(*[torch.empty(64)] * 3, 64, BLOCK=64, verify="twice", grid=(1,))


def test_the_option_is_in_the_key_alone():
    """A kernel that verifies itself is the same code."""
    compiled = [
        add_kernel.warmup(*[torch.empty(64)] * 3, 64, BLOCK=64, verify=verify, grid=(1,)) for verify in (False, True)
    ]
    assert compiled[0].asm["llir"] == compiled[1].asm["llir"]
    assert [kernel.metadata.verify for kernel in compiled] == [False, True]
