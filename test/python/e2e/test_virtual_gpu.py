# SPDX-License-Identifier: MIT
"""Programs on a virtual GPU: Intel's own driver and compiler, below which a library represents the chip.

`triton-xe install-driver` fetches the driver, which `make test` does; a test fails without it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sanitizers
import warm_gpu
import warm_python
from kernel_suite import ALL_CASES
from support import needs_ocloc

from triton_xe import device_compiler, errors
from triton_xe.tools import command_line
from triton_xe.tools.virtual_gpu import driver, starting

PROGRAMS = Path(__file__).resolve().parent.parent / "virtual_gpu"
#: The devices with one tile.
SINGLE = tuple(chip for chip in starting.CHIPS if chip != "pvc2")
CHIPS = pytest.mark.parametrize("chip", SINGLE)
#: One chip of each of the two generations, which programs are submitted to in different ways; the others, whose driver
#: differs by numbers only, in a long run.
GENERATIONS = pytest.mark.parametrize(
    "chip", [pytest.param(chip, marks=() if chip in ("bmg", "pvc") else pytest.mark.full) for chip in SINGLE]
)

pytestmark = pytest.mark.skipif(
    sanitizers.LOADED, reason="the sanitizers' library has to be loaded before all others, as that of the GPU has"
)


def run(*command: str | Path, chip: str = "bmg", options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run a command with the GPU in place, from its start."""
    start = [sys.executable, "-m", "triton_xe", "gpu", "run", "--chip", chip, *options, "--"]
    return subprocess.run([*start, *map(str, command)], capture_output=True, text=True, check=False, timeout=1500)


@pytest.fixture(scope="module")
def spirv(tmp_path_factory) -> Path:
    """Kernels in OpenCL C, as SPIR-V."""
    folder = tmp_path_factory.mktemp("spirv")
    arguments = ("-file", PROGRAMS / "kernels.cl", "-device", "pvc", "-out_dir", folder, "-output", "kernels")
    device_compiler.find().run_ocloc("compile", *arguments, "-spv_only", "-output_no_suffix")
    return folder / "kernels.spv"


def run_script(
    name: str, *arguments: str | Path, chip: str = "bmg", options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """Run a script of the folder with the GPU in place."""
    return warm_gpu.run(sys.executable, PROGRAMS / name, *arguments, chip=chip, options=options, timeout=1500)


def run_program(name: str, spirv: Path, chip: str, *options: str) -> subprocess.CompletedProcess[str]:
    return run_script("programs.py", name, spirv, chip=chip, options=options)


@needs_ocloc
@GENERATIONS
def test_level_zero(chip: str, spirv: Path) -> None:
    """Memory, ids, barriers, private memory, atomics, groups that wait, timestamps, many launches."""
    result = run_program("good", spirv, chip)
    assert result.returncode == 0, result.stderr
    assert re.findall(r"(\w+) ok", result.stdout) == [
        "scale", "ids", "reduce", "permute", "count", "chain", "meet", "times", "repeat", "queues",
    ]  # fmt: skip
    # The virtual GPU reports whatever it does not know.
    assert "virtual GPU" not in result.stderr


@needs_ocloc
@GENERATIONS
def test_time_is_that_of_the_model(chip: str, spirv: Path) -> None:
    """Twice the work takes twice the time, on a machine with other work to do as on one without."""
    first = run_program("modelled", spirv, chip)
    processors = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(processors)})
    try:
        with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
            second = run_program("modelled", spirv, chip)
            other.kill()
    finally:
        os.sched_setaffinity(0, processors)
    assert first.returncode == 0, first.stderr
    assert (second.returncode, second.stdout) == (0, first.stdout), second.stderr
    ticks = [int(word) for word in re.findall(r"\d+", first.stdout.splitlines()[0])]
    # Gigabytes per second of the link and of memory, and the ticks of a microsecond.
    link, memory, rate = {
        "bmg": (15.75, 456, 19.2), "pvc": (63, 852, 25), "lnl": (68.25, 136.5, 19.2), "ptl": (76.8, 153.6, 19.2),
    }[chip]  # fmt: skip
    upload, download, inside = (count / rate for count in ticks[2:])
    kilobytes = (16 << 20) / 1000
    for found in (upload, download):
        assert found == pytest.approx(kilobytes / link, rel=0.05)
    assert inside == pytest.approx(2 * kilobytes / memory, rel=0.25)


@needs_ocloc
@GENERATIONS
def test_time_of_sycl(chip: str, spirv: Path) -> None:
    """The times of commands of a queue that profiles, and those between barriers."""
    result = run_script("sycl_times.py", spirv, chip=chip)
    assert result.returncode == 0, result.stderr
    single, twice = (int(count) for count in re.findall(r"nanoseconds (\d+)", result.stdout))
    assert 1.9 < twice / single < 2.1
    assert "virtual GPU" not in result.stderr


@needs_ocloc
def test_log(spirv: Path, tmp_path: Path) -> None:
    """A line for each kernel, whose cycles are the time that SYCL's own events measure."""
    log = tmp_path / "kernels.json"
    result = run_script("sycl_times.py", spirv, options=("--log", str(log)))
    assert result.returncode == 0, result.stderr
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == 6
    assert all((line["groups"], line["local"]) == ([64, 1, 1], [64, 1, 1]) for line in lines)
    megahertz, nanoseconds_of_tick = 2850, 1000 / 19.2
    for line, found in zip(lines[::3], re.findall(r"nanoseconds (\d+)", result.stdout), strict=True):
        assert line["cycles"] * 1000 / megahertz == pytest.approx(int(found), abs=2 * nanoseconds_of_tick)
    # The kernel reads and writes 4096 numbers, and its loop runs for double the steps in the second half.
    first, second = lines[0], lines[-1]
    assert first["touched_bytes"] == second["touched_bytes"] == 4 * 4096
    assert 1.9 < second["executed"] / first["executed"] < 2.1
    wrong = run("true", options=("--log", str(tmp_path / "none" / "kernels.json")))
    assert wrong.returncode != 0 and "cannot write" in wrong.stderr


@needs_ocloc
@pytest.mark.parametrize(("hierarchy", "devices", "cores"), [("FLAT", 2, 64), ("COMPOSITE", 1, 128)])
def test_two_tiles(hierarchy: str, devices: int, cores: int, spirv: Path, monkeypatch) -> None:
    """As two devices, and as one, whose driver lets both tiles take a part of the groups of every kernel."""
    monkeypatch.setenv("ZE_FLAT_DEVICE_HIERARCHY", hierarchy)
    found = run(sys.executable, "-m", "triton_xe.tools.virtual_gpu.describing", chip="pvc2").stdout
    assert re.findall(r"Level Zero .*Max 1550 .* (\d+) cores", found) == [str(cores)] * devices, found
    if devices == 1:
        result = run_program("good", spirv, "pvc2")
        assert result.returncode == 0, result.stderr
        assert len(re.findall(r" ok$", result.stdout, re.MULTILINE)) == 10
        assert "virtual GPU" not in result.stderr
        other = run_script("kernels.py", chip="pvc2")
        assert (other.returncode, "virtual GPU" in other.stderr) == (0, False), other.stderr
    # The other tile, where it is a separate device; kernels that need what the other tile has written.
    flips = run_script("programs.py", "flips", spirv, str(devices - 1), chip="pvc2")
    assert (flips.returncode, flips.stdout) == (0, "flips ok\n"), flips.stderr


@needs_ocloc
@GENERATIONS
def test_page_fault(chip: str, spirv: Path) -> None:
    """The message names the kernel, the address, the instruction and the program; the program loses the device."""
    result = run_program("fault", spirv, chip)
    assert (result.returncode, result.stdout) == (0, "fault ok\n"), result.stderr
    assert re.search(
        r"virtual GPU: COMPUTE_WALKER at 0x\w+: kernel `fault` at 0x\w+: store\S*: page fault at 0x123450000, where 4 "
        r"bytes cannot be written\n  `send` at 0x\w+, in sub-group 0 of program \(3, 0, 0\)\n.*\n  The device is lost",
        result.stderr,
    ), result.stderr


@needs_ocloc
@pytest.mark.parametrize("chip", ["bmg", pytest.param("pvc", marks=pytest.mark.full)])
def test_page_fault_of_a_triton_kernel(chip: str) -> None:
    """The message names the lines of Python, of the function and of its call, which are found alike for all chips."""
    program = PROGRAMS / "faulty.py"
    result = run_script(program.name, chip=chip)
    assert result.returncode != 0
    lines = program.read_text().splitlines()
    places = [
        f"{program}:{1 + next(i for i, line in enumerate(lines) if mark in line)}" for mark in ("# fault", "# call")
    ]
    assert re.search(
        r"kernel `faulty_kernel` at 0x\w+: store\S*: page fault at 0x\w+, where 4 bytes cannot be written\n"
        rf"  `send` at 0x\w+, in sub-group \d+ of program \(2, 0, 0\)\n  of {places[0]}\n  called from {places[1]}\n",
        result.stderr,
    ), result.stderr


@needs_ocloc
@pytest.mark.parametrize("chip", ["bmg", "pvc"])
def test_checks(chip: str, spirv: Path) -> None:
    """With checks a race loses the device and is reported."""
    result = run_program("race", spirv, chip)
    assert (result.returncode, result.stdout, result.stderr) == (0, "race ok\n", "")
    result = run_program("race", spirv, chip, "--check")
    assert (result.returncode, result.stdout) == (0, "lost\nrace ok\n"), result.stderr
    assert re.search(
        r"kernel `race` at 0x\w+: a (load|store) of byte \d+ of shared local memory, which sub-group \d+ (wrote|read) "
        r"with no barrier in between\n  `send` at 0x\w+, in sub-group \d+ of program \(0, 0, 0\)",
        result.stderr,
    ), result.stderr


@needs_ocloc
@pytest.mark.parametrize("chip", ["pvc", pytest.param("bmg", marks=pytest.mark.full)])
def test_kernels_with_checks(chip: str) -> None:
    """Kernels of the driver and of this project pass them."""
    result = run_script("kernels.py", chip=chip, options=("--check",))
    assert result.returncode == 0, result.stderr
    assert "virtual GPU" not in result.stderr


@needs_ocloc
def test_kernel_without_an_end(spirv: Path) -> None:
    """A program that ends while a kernel runs waits for it no longer than it may run."""
    result = run_program("leave", spirv, "bmg", "--seconds", "1")
    assert result.returncode == 0, result.stderr
    assert re.search(r"kernel `hang` at 0x\w+ has not ended after 1 seconds", result.stderr), result.stderr


@needs_ocloc
def test_programs_that_end_in_a_launch(spirv: Path) -> None:
    """The process ends at once, and with its own status."""
    begin = time.monotonic()
    result = run_program("vanish", spirv, "pvc")
    assert (result.returncode, result.stderr) == (7, "")
    assert time.monotonic() - begin < 60


@needs_ocloc
def test_null_pointers(spirv: Path) -> None:
    result = run_program("null", spirv, "bmg")
    assert (result.returncode, result.stdout) == (0, "null ok\n"), result.stderr
    assert re.search(r"kernel `scale` at 0x\w+: store\S*: page fault at 0x0, where", result.stderr), result.stderr


@needs_ocloc
def test_descriptors_that_are_closed_twice(spirv: Path) -> None:
    result = run_program("close_twice", spirv, "bmg")
    assert (result.returncode, result.stdout) == (0, "close_twice ok\n"), result.stderr
    assert "`arg` is 0x0, where 40 bytes are not memory of the process" in result.stderr


@needs_ocloc
def test_more_memory_than_there_is(spirv: Path) -> None:
    result = run_program("too_much", spirv, "bmg")
    assert (result.returncode, result.stdout) == (0, "too_much ok\n"), result.stderr
    assert "no room for 1073741824 bytes" in result.stderr


@needs_ocloc
def test_launches_without_execution(spirv: Path) -> None:
    result = run_program("skip", spirv, "bmg", "--no-execute")
    assert (result.returncode, result.stdout) == (0, "skip ok\n"), result.stderr


@needs_ocloc
def test_fork(spirv: Path) -> None:
    result = run_program("fork", spirv, "pvc")
    assert (result.returncode, result.stdout) == (0, "fork ok\n"), result.stderr


@needs_ocloc
def test_killed_programs_leave_nothing(spirv: Path, tmp_path: Path) -> None:
    """All files are in the cache, and complete."""
    environment = os.environ | {"TRITON_CACHE_DIR": str(tmp_path / "cache"), "TMPDIR": str(tmp_path / "temporary")}
    (tmp_path / "temporary").mkdir()
    command = [sys.executable, PROGRAMS / "programs.py", "leave", spirv]
    start = [sys.executable, "-m", "triton_xe", "gpu", "run", "--", *map(str, command)]
    with subprocess.Popen(start, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "leave ok\n"
        time.sleep(0.2)
        process.kill()
    assert list((tmp_path / "temporary").iterdir()) == []
    names = {entry.name.partition("-")[0] for entry in (tmp_path / "cache" / "virtual-gpu").iterdir()}
    assert names == {"files", "kernel", "programs"}


@CHIPS
def test_clinfo(chip: str) -> None:
    """A program of others, which queries everything that OpenCL knows."""
    result = run(driver.find().folder / "usr" / "bin" / "clinfo", chip=chip)
    assert result.returncode == 0, result.stderr
    engines = {"bmg": 160, "pvc": 448, "lnl": 64, "ptl": 96}[chip]
    assert re.search(rf"^ +Max compute units +{engines}$", result.stdout, re.MULTILINE), result.stdout
    assert "virtual GPU" not in result.stderr


@GENERATIONS
def test_opencl(chip: str) -> None:
    """A kernel from source, by the driver of OpenCL."""
    result = run_script("opencl.py", chip=chip)
    assert (result.returncode, result.stdout) == (0, "dot ok\n"), result.stderr
    assert "virtual GPU" not in result.stderr


@GENERATIONS
def test_triton_through_sycl(chip: str, tmp_path: Path) -> None:
    """The XPU driver's launches, by SYCL and Level Zero, with the driver's own compiler."""
    result = run_script("kernels.py", chip=chip)
    assert result.returncode == 0, result.stderr
    programs = ["scale", "differences", "softmax", "gemm", "lock", "printing"]
    assert re.findall(r"^(\w+) ok", result.stdout, re.MULTILINE) == programs
    assert {"11", "22", "33"} <= set(re.findall(r"\d+", result.stdout))
    assert "virtual GPU" not in result.stderr


def choose_cases(request: pytest.FixtureRequest, chip: str) -> list[str]:
    """Return the first case of every eighth kernel for one of the chips; in a long run all cases for all chips.

    `test_simulator.py` runs the first case of each kernel as machine code, too; here what differs is the driver's part.
    """
    if request.config.getoption("--full"):
        return [case.name for case in ALL_CASES]
    first: dict[str, str] = {}
    for case in ALL_CASES:
        if not case.full:
            first.setdefault(case.name.partition("-")[0], case.name)
    return list(first.values())[SINGLE.index(chip) :: 8 * len(SINGLE)]


@CHIPS
def test_kernel_suite(chip: str, request: pytest.FixtureRequest) -> None:
    """Whole kernels give right numbers through the real driver, and write nothing around their buffers."""
    cases = choose_cases(request, chip)
    result = run_script("suite.py", *cases, chip=chip)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-4000:]
    assert len(re.findall(r"^\S.* ok [\d.]+$", result.stdout, re.MULTILINE)) == len(cases)
    assert "virtual GPU" not in result.stderr


@needs_ocloc
def test_benchmark_names_its_kernels() -> None:
    script = PROGRAMS.parent.parent.parent / "benchmarks" / "virtual_gpu.py"
    command = [sys.executable, script, "--chip", "bmg", "--runs", "1", "--filter", "elementwise"]
    result = warm_python.run(command)
    assert result.returncode == 0, result.stderr
    rows = re.findall(r"^elementwise.* ([\d.]+) ms +([\d.]+) ms +([\d.]+)$", result.stdout, re.MULTILINE)
    assert len(rows) == 1, result.stdout
    assert all(float(number) > 0 for number in rows[0])


@CHIPS
def test_info(chip: str, capfd) -> None:
    """All three interfaces see the same GPUs."""
    assert command_line.main(["gpu", "info", "--chip", chip, "--count", "2"]) == 0
    output = capfd.readouterr().out
    name = {"bmg": "B580", "pvc": "Max 1100", "lnl": "Arc(TM) Graphics", "ptl": "Arc(TM) B390"}[chip]
    for interface, number in (("Level Zero", 2), ("OpenCL", 2), ("SYCL", 4)):
        assert len(re.findall(rf"^{interface} .*{re.escape(name)}", output, re.MULTILINE)) == number, output


def test_bad_commands(capsys, tmp_path: Path) -> None:
    """A program that cannot be started is reported."""
    text = tmp_path / "text"
    text.write_text("no program")
    text.chmod(0o755)
    for command, status, message in (
        ([], 2, "expected a program after `--`"),
        (["no-such-program"], 127, "`no-such-program` is no program"),
        ([str(text)], 126, "neither a program of machine code nor a script"),
    ):
        assert command_line.main(["gpu", "run", "--", *command]) == status
        assert message in capsys.readouterr().err
    for option, value in (("--chip", "none"), ("--count", "0"), ("--count", "99"), ("--seconds", "0")):
        with pytest.raises(SystemExit):
            command_line.main(["gpu", "run", option, value, "--", "true"])


#: Prints whether there is a GPU, as a separate process in several ways.
CHILDREN = """
import ctypes, multiprocessing, os, shlex, subprocess, sys
def look(way):
    print(way, os.path.exists("/dev/dri/renderD128"), flush=True)
if __name__ == "__main__":
    command = [sys.executable, "-c", "import os, sys; print(sys.argv[1], os.path.exists('/dev/dri/renderD128'))"]
    subprocess.run([*command, "subprocess"], check=True)
    subprocess.run(["sh", "-c", 'exec "$@"', "sh", *command, "shell"], check=True)
    subprocess.run([*command, "elsewhere"], check=True, env={"PATH": os.environ["PATH"]})
    os.waitpid(os.posix_spawn(sys.executable, [*command, "spawned"], os.environ), 0)
    if not os.fork():
        os.execlp(sys.executable, *command, "replaced")
    os.wait()
    assert os.system(shlex.join([*command, "system"]) + "; exit 3") == 3 << 8
    # The rest has separate quotes.
    library = ctypes.CDLL(None)
    library.popen.restype = ctypes.c_void_p
    opened = library.popen((shlex.join(command) + " \\"opened 'it' $((40 + 2))\\"").encode(), b"w")
    assert library.pclose(ctypes.c_void_p(opened)) == 0
    child = multiprocessing.get_context("spawn").Process(target=look, args=("multiprocessing",))
    child.start()
    child.join()
"""


def test_children_have_the_gpu(tmp_path: Path) -> None:
    """However a program starts another one; unless its environment is a new one."""
    program = tmp_path / "program.py"
    program.write_text(CHILDREN)
    result = run(sys.executable, program)
    assert result.returncode == 0, result.stderr
    assert dict(line.rsplit(maxsplit=1) for line in result.stdout.splitlines()) == {
        "subprocess": "True", "shell": "True", "elsewhere": "False", "spawned": "True", "replaced": "True",
        "system": "True", "opened 'it' 42": "True", "multiprocessing": "True",
    }  # fmt: skip


#: Prints the kinds and numbers of nodes, however a program looks at them.
NODES = """
import os, stat
def look(found):
    assert stat.S_ISCHR(found.st_mode), oct(found.st_mode)
    print(os.major(found.st_rdev), os.minor(found.st_rdev), found.st_size)
folder = os.open("/dev/dri", os.O_RDONLY)
for name in ("card1", "renderD129"):
    look(os.stat(f"/dev/dri/{name}"))
    look(os.lstat(f"/dev/dri/{name}"))
    look(os.stat(name, dir_fd=folder))
    assert os.access(f"/dev/dri/{name}", os.R_OK, effective_ids=True)
    assert os.listxattr(f"/dev/dri/{name}") == []
with os.scandir("/dev/dri") as entries:
    print(sorted(entry.name for entry in entries if not entry.is_file() and not entry.is_dir()))
look(os.fstat(os.open("renderD129", os.O_RDWR, dir_fd=folder)))
link = "/dev/dri/by-path/pci-0001:03:00.0-card"
assert stat.S_ISLNK(os.lstat(link).st_mode) and os.path.realpath(link) == "/dev/dri/card1"
look(os.stat(link))
"""


def test_nodes_are_devices(tmp_path: Path) -> None:
    """Each GPU has two, for programs of this and of older C libraries, and for those that list files."""
    program = tmp_path / "program.py"
    program.write_text(NODES)
    result = run(sys.executable, program, options=("--count", "2"))
    assert result.returncode == 0, result.stderr
    *nodes, names, opened, link = result.stdout.splitlines()
    assert nodes == ["226 1 0"] * 3 + ["226 129 0"] * 3
    assert names == "['card0', 'card1', 'renderD128', 'renderD129']"
    assert (opened, link) == ("226 129 0", "226 1 0")
    result = run("ls", "-l", "/dev/dri", options=("--count", "2"))
    assert (result.returncode, result.stderr) == (0, "")
    lines = [re.split(" +", line) for line in result.stdout.splitlines() if line.startswith("c")]
    assert [(line[0], line[4], line[5], line[-1]) for line in lines] == [
        ("crw-rw-rw-", "226,", minor, name)
        for minor, name in (("0", "card0"), ("1", "card1"), ("128", "renderD128"), ("129", "renderD129"))
    ]


def test_scripts_run_by_their_interpreter(tmp_path: Path, monkeypatch) -> None:
    """The one in the first line, or the one that `env` there finds."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for first in (f"#!{sys.executable}", "#!/usr/bin/env python3", "#!/usr/bin/env -S python3 -B"):
        script = tmp_path / "script"
        script.write_text(f"{first}\nimport os, sys\nprint(os.path.exists('/dev/dri/renderD128'), sys.argv[1:])\n")
        script.chmod(0o755)
        for name in (script, "./script"):
            monkeypatch.chdir(tmp_path)
            result = run(name, "an", "argument")
            assert (result.returncode, result.stdout) == (0, "True ['an', 'argument']\n"), result.stderr


def test_programs_of_the_current_folder(tmp_path: Path, monkeypatch) -> None:
    """The loader takes a name without a slash for one of a library."""
    (tmp_path / "program").symlink_to("/bin/echo")
    monkeypatch.chdir(tmp_path)
    result = run("./program", "started")
    assert (result.returncode, result.stdout) == (0, "started\n"), result.stderr


def test_no_driver(monkeypatch, tmp_path: Path, capsys) -> None:
    """The error explains how to get it."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(errors.ToolError, match="`triton-xe install-driver` fetches it"):
        driver.find()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_line.main(["install-driver", "--folder", str(tmp_path / "new" / "driver")]) == 1
    assert "installing the driver needs `apt-get`" in capsys.readouterr().err
    assert list((tmp_path / "new").iterdir()) == []
