# SPDX-License-Identifier: MIT
"""`triton-xe profile`: scripts run as Python runs them, and what their kernels did is reported at the end."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import triton
import warm_python
from profile_memory import BEGIN, make_launch, make_program, record, scope_records
from triton.profiler.flags import flags

from triton_xe.tools import command_line
from triton_xe.tools.profiler import command, totals

KERNEL = """
import torch, triton, triton.language as tl
import triton.profiler.language as pl
import triton_xe.tools.profiler as proton

@triton.jit
def scale(x, n, B: tl.constexpr):
    with pl.scope("all"):
        for i in range(0, n, B):
            with pl.scope("load"):
                v = tl.load(x + i + tl.arange(0, B))
            with pl.scope("store"):
                tl.store(x + i + tl.arange(0, B), v * 2)

def launch():
    scale[(2,)](torch.ones(1024), 1024, 256, num_warps=2)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A kernel exists, and nothing is left of a run in this process."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "kernels.py").write_text(KERNEL)
    before = list(sys.argv), list(sys.path)
    yield tmp_path
    assert (sys.argv, sys.path) == before
    sys.modules.pop("kernels", None)
    assert not flags.command_line and not flags.instrumentation_on


def profile(folder, text: str, *arguments: str, options: tuple[str, ...] = ()) -> int:
    """Run a script in this process."""
    script = folder / "code" / "script.py"
    script.write_text(text)
    return command_line.main(["profile", *options, str(script), *arguments])


def rows(text: str) -> dict[tuple[str, str], list[str]]:
    """Count, two shares, cycles and microseconds, by the names of scopes and the host's scopes around them."""
    line = r"^(\w[\w> ]*?) +(\d+) +([\d.]+%|-) +([\d.]+%|-) +(\d+) +([\d.]+)(?:  (\w.*))?$"
    found = re.findall(line, text, re.MULTILINE)
    return {(name, host): cells for name, *cells, host in found}


def test_a_script_runs_as_python_runs_it(folder, capsys):
    """Its arguments, its folder first in the path, `__main__`, its output and its exit code."""
    text = """
import sys, pathlib, kernels
print(__name__, sys.argv[1:], sys.path[0] == str(pathlib.Path(__file__).parent))
print(sys.modules["__main__"].__file__ == __file__)
kernels.launch()
sys.exit(7)
"""
    assert profile(folder, text, "--", "-n", "--top", "x") == 7
    captured = capsys.readouterr()
    assert captured.out == "__main__ ['-n', '--top', 'x'] True\nTrue\n"
    assert "1 launch of 1 kernel" in captured.err
    assert "wrote script.hatchet" in captured.err
    root, _devices = json.loads((folder / "script.hatchet").read_text())
    assert root["children"][0]["frame"]["name"] == "scale"


def test_the_table(folder, capsys):
    """Counts, shares of all and of the scope around, the host's scopes; the hottest come first."""
    text = """
import kernels
kernels.launch()
with kernels.proton.scope("outer"), kernels.proton.scope("inner"):
    kernels.launch()
"""
    assert profile(folder, text, options=("--top", "7", "-n", "named")) == 0
    error = capsys.readouterr().err
    assert "2 launches of 1 kernel" in error
    assert "and 1 more (--top)" in error
    found = rows(error)
    assert len(found) == 7
    for host in ("", "outer > inner"):
        # One launch of 2 programs of 2 warps, which are in it for 4 steps.
        assert found["scale", host][0] == "1"
        assert found["scale > all", host][0] == "4"
        share, parent = (float(text[:-1]) for text in found["scale > all", host][1:3])
        assert 0 < share < 100 and parent == 100
    shares = [float(cells[1][:-1]) for cells in found.values()]
    assert shares == sorted(shares, reverse=True)
    inner = {name: cells for (name, _host), cells in found.items() if name.count(">") == 2}
    assert inner
    assert all(cells[0] == "16" and 0 < float(cells[2][:-1]) < 100 for cells in inner.values())
    assert (folder / "named.hatchet").exists()


def test_whole_kernels(folder, capsys):
    """`--kernels`: those without scopes, too; a kernel is as it is without a profile."""
    text = """
import torch, triton, triton.language as tl, kernels

@triton.jit
def plain(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) * 2)

plain[(1,)](torch.ones(16), 16)
with kernels.proton.scope("outer"):
    for _ in range(3):
        kernels.launch()
"""
    assert profile(folder, text, options=("--kernels", "--data", "tree")) == 0
    error = capsys.readouterr().err
    assert re.search(r"^4 launches of 2 kernels, \d+\.\d{3} ms$", error, re.MULTILINE)
    line = r"^(\w+) +(\d+) +([\d.]+)% +([\d.]+) +([\d.]+) +([\d.]+)(?:  (.*))?$"
    found = {name: cells for name, *cells in re.findall(line, error, re.MULTILINE)}
    assert {name: (cells[0], cells[-1]) for name, cells in found.items()} == {
        "plain": ("1", ""),
        "scale": ("3", "outer"),
    }
    assert sum(float(cells[1]) for cells in found.values()) == pytest.approx(100, abs=0.2)
    for _count, _share, each, least, most, _host in found.values():
        assert 0 < float(least) <= float(each) <= float(most)
    root, devices = json.loads((folder / "script.hatchet").read_text())
    assert {child["frame"]["name"] for child in root["children"]} == {"plain", "outer"}
    assert "CPU" in devices


PLAIN = """
import torch, triton, triton.language as tl

@triton.jit
def plain(x, B: tl.constexpr):
    tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) * 2)

for _ in range(2):
    plain[(1,)](torch.ones(16), 16)
"""


def described(page: Path) -> dict:
    """Return the data that the script of a page reads."""
    return json.loads(re.search(r'id="data">(.*?)</script>', page.read_text(), re.DOTALL)[1])


def test_kernels_without_scopes(folder, capsys):
    """Their whole times are in the table, the page and the file, as with `--kernels`."""
    for options in ((), ("--kernels",)):
        assert profile(folder, PLAIN, options=("--html", "page.html", *options)) == 0
        error = capsys.readouterr().err
        assert ("these are the times of whole kernels" in error) == (not options)
        assert re.search(r"^plain +2 +100\.0%", error, re.MULTILINE)
        assert "wrote script.hatchet page.html" in error
        root, _devices = json.loads((folder / "script.hatchet").read_text())
        (child,) = root["children"]
        assert child["frame"]["name"] == "plain" and child["metrics"]["count"] == 2
        page = described(folder / "page.html")
        assert page["kind"] == "kernels"
        assert [(row["path"], row["count"], row["share"]) for row in page["rows"]] == [(["plain"], 2, 1)]
        (device,) = page["launches"][0]["kept"]
        assert [len(row["slices"]) for row in device["rows"]] == [2 * 4]
        for written in ("script.hatchet", "page.html"):
            (folder / written).unlink()


def test_a_trace_of_kernels_without_scopes(folder, capsys):
    assert profile(folder, PLAIN, options=("--data", "trace")) == 0
    entries = json.loads((folder / "script.chrome_trace").read_text())["traceEvents"]
    assert [entry["name"] for entry in entries if entry["ph"] == "X"] == ["plain", "plain"]


def test_kernels_with_scopes_keep_their_page(folder):
    """Whole kernels that are launched beside them take no part."""
    assert profile(folder, f"{PLAIN}\nimport kernels\nkernels.launch()", options=("--html", "page.html")) == 0
    page = described(folder / "page.html")
    assert page["kind"] == "scopes" and {row["path"][0] for row in page["rows"]} == {"scale"}
    root, _devices = json.loads((folder / "script.hatchet").read_text())
    assert [child["frame"]["name"] for child in root["children"]] == ["scale"]


@pytest.mark.parametrize(
    ("text", "options", "reason"),
    [
        ("", ("--html", "out"), "no kernel was launched"),
        (
            PLAIN,
            ("--svg", "out"),
            "no kernel has scopes (docs/Profiling.md), and --html alone has times of whole kernels",
        ),
    ],
)
def test_nothing_to_show(folder, capsys, text, options, reason):
    """A page or a picture that was requested without anything to show, is an error with the reason."""
    assert profile(folder, text, options=options) == 1
    assert f"error: {reason}: `out` cannot be drawn\n" in capsys.readouterr().err
    assert not (folder / "out").exists()
    assert profile(folder, f"{text}\nimport sys; sys.exit(3)", options=options) == 3


def test_places_and_names(folder, capsys):
    """`-c python`: the functions that launches were made in; `-k triton`: the names that kernels give launches."""
    text = """
import torch, triton, triton.language as tl
import triton.profiler.language as pl

def describe(grid, metadata, arguments):
    return {"name": f"named_{arguments['n']}", "flops": 8}

@triton.jit(launch_metadata=describe)
def scale(x, n, B: tl.constexpr):
    with pl.scope("all"):
        tl.store(x + tl.arange(0, B), tl.load(x + tl.arange(0, B)) * 2)

def work(n):
    scale[(1,)](torch.ones(16), n, 16, num_warps=1)

work(3)
work(4)
"""
    for extra in ((), ("--kernels",)):
        assert profile(folder, text, options=("-c", "python", "-k", "triton", *extra)) == 0
        error = capsys.readouterr().err
        assert "2 launches of 2 kernels" in error
        for number in (3, 4):
            lines = [line for line in error.splitlines() if line.startswith(f"named_{number} ")]
            assert lines
            assert all(re.search(r"\S*script.py:\d+@<module> > \S*script.py:14@work$", line) for line in lines)
            assert not any("runpy" in line or "jit.py" in line for line in lines)


def test_the_example_of_the_docs(folder, capsys):
    """The example of docs/Profiling.md works, in small."""
    script = Path(__file__).parents[3] / "benchmarks" / "profile_gemm.py"
    options = ("--svg", "picture.svg", "-o", str(folder))
    assert command_line.main(["profile", *options, str(script), "--shape", "128,64,64", "--launches", "2"]) == 0
    names = {name.rpartition("> ")[2] for name, _host in rows(capsys.readouterr().err)}
    assert names == {"multiply", "tile", "load", "dot", "store"}
    picture = (folder / "picture.svg").read_text()
    assert "multiply: program" in picture and all(f">{name}</text>" in picture for name in names - {"multiply"})


def test_a_script_that_fails(folder, capsys):
    """Its error is as Python prints it, and earlier measurements are printed."""
    text = """
import kernels
kernels.launch()
def fail():
    raise ValueError("no more")
fail()
"""
    assert profile(folder, text, options=("--data", "trace", "-o", str(folder / "code"))) == 1
    error = capsys.readouterr().err
    trace, _, rest = error.partition("ValueError: no more\n")
    assert trace.startswith("Traceback (most recent call last):\n")
    assert trace.count("  File ") == 2 and "runpy" not in trace
    assert "scale > all > load" in rest
    assert json.loads((folder / "code" / "script.chrome_trace").read_text())["traceEvents"]


@pytest.mark.parametrize(("ends", "status", "printed"), [("'text'", 1, "text\n"), ("None", 0, ""), ("", 0, "")])
def test_other_exits(folder, capsys, ends, status, printed):
    assert profile(folder, f"import sys; sys.exit({ends})") == status
    error = capsys.readouterr().err
    assert error.startswith(printed)
    assert "no kernel was launched" in error


def test_interrupts(folder, capsys):
    """A script is interrupted as by ctrl-C."""
    assert profile(folder, "import kernels\nkernels.launch()\nraise KeyboardInterrupt") == 130
    assert "scale > all" in capsys.readouterr().err


def test_sessions_of_the_script(folder, capsys):
    """Take no part, as with Triton's command: the command's own has all launches."""
    text = """
import kernels
assert kernels.proton.start("other", backend="instrumentation") is None
kernels.launch()
kernels.launch()
"""
    assert profile(folder, text) == 0
    assert "2 launches of 1 kernel" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mode", "default:size=3", "script.py"], "error: `instrumentation_mode`: expected one of .*`size=3`"),
        (["nothing.py"], "error: there is no file `nothing.py`"),
        (["--html", "nowhere/x.html", "pytest"], "error: there is no folder `nowhere`"),
        (["-o", "nowhere", "pytest"], "error: there is no folder `nowhere`"),
        (["--kernels", "--svg", "x.svg", "script.py"], "error: times of whole kernels .* have no --mode and no --svg"),
        (["-m", "no_such_module_here"], "No module named no_such_module_here"),
    ],
)
def test_wrong_arguments(folder, capsys, arguments, message):
    """Each is one error, and no script runs."""
    (folder / "script.py").write_text("print('ran')")
    assert command_line.main(["profile", *arguments]) != 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.search(message, captured.err)


def test_nothing_to_measure(folder, capsys, monkeypatch):
    """Where Triton's profiler is disabled, that is reported, and no script runs."""
    monkeypatch.setattr(triton.knobs.proton, "disable", True)
    assert profile(folder, "print('ran')") == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "error: the environment disables Triton's profiler" in captured.err


def test_without_a_script(capsys):
    with pytest.raises(SystemExit):
        command_line.main(["profile", "--top", "3"])
    assert "expected a script" in capsys.readouterr().err


def run(folder, *arguments: str) -> subprocess.CompletedProcess:
    """Run the installed command, in a separate process."""
    environment = os.environ | {"PYTHONPATH": str(folder / "code")}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    program = [
        sys.executable,
        "-c",
        "import sys; from triton_xe.tools import command_line; sys.exit(command_line.main())",
    ]
    return warm_python.run([*program, "profile", *arguments], cwd=folder, env=environment)


def test_modules_pages_and_pictures(folder):
    """`-m`, in a process: the folder one is in comes first in the path."""
    (folder / "package").mkdir()
    (folder / "package" / "__main__.py").write_text(
        "import sys, os, kernels\nkernels.launch()\nprint(__package__, sys.argv[1:], sys.path[0] == os.getcwd())"
    )
    done = run(folder, "--html", "page.html", "--svg", "picture.svg", "-m", "package", "--flag")
    assert (done.returncode, done.stdout) == (0, "package ['--flag'] True\n"), done.stderr
    assert "wrote package.hatchet page.html picture.svg" in done.stderr
    assert '"programs":2' in (folder / "page.html").read_text()
    assert "warp 1" in (folder / "picture.svg").read_text()
    # Nothing of a terminal's where there is none.
    assert "\r" not in done.stderr and "\x1b" not in done.stderr


def test_tests(folder):
    """`pytest` and its arguments; the exit code is pytest's."""
    (folder / "test_some.py").write_text(
        "import kernels\ndef test_one(): kernels.launch()\ndef test_two(): assert False\n"
    )
    done = run(folder, "pytest", "-q", "-p", "no:cacheprovider", "test_some.py")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "scale > all > load" in done.stderr


def test_configurations_are_rows(capsys):
    """Each configuration that an autotuner tries is a kernel, with what is different in its name."""
    collected = totals.ScopeTotals()
    for block, cycles in ((64, 100), (128, 300), (64, 100)):
        memory = [make_program([scope_records(10, 10 + cycles)], [4], cost=0)]
        configuration = (("BLOCK", str(block)), ("num_warps", "4"))
        collected.launched(make_launch("tuned", [("all", -1)], memory, 1, configuration=configuration))
    collected.finish()
    rows = [(" > ".join(row.path), row.count, row.cycles, row.share) for row in collected.rows()]
    assert rows == [
        *(("tuned[BLOCK=128]", 1, 300, 0.6), ("tuned[BLOCK=128] > all", 1, 300, 0.6)),
        *(("tuned[BLOCK=64]", 2, 200, 0.4), ("tuned[BLOCK=64] > all", 2, 200, 0.4)),
    ]


def test_lost_records():
    """Shares that would be wrong are left out; a scope that has lost its begin exists for those in it."""
    marks = [record(1, False, BEGIN + 10), record(1, True, BEGIN + 20), record(0, True, BEGIN + 30)]
    memory = make_program([[*marks, record(2, False, BEGIN + 40)]], [16], cost=0)
    collected = totals.ScopeTotals()
    collected.launched(make_launch("lossy", [("outer", -1), ("inner", 0), ("open", -1)], [memory], 1))
    collected.finish()
    assert collected.lost == 4
    rows = [(row.path[1:], row.count, row.cycles, row.parent_share) for row in collected.rows()]
    assert rows == [((), 1, 10, None), (("outer",), 0, 0, None), (("outer", "inner"), 1, 10, None)]
    lines = list(command._table(collected, 10))
    assert lines[-1].startswith("4 records are lost")


def test_launches_are_looked_at_in_time(monkeypatch):
    """Not only at the end: their memory would not be free before."""
    monkeypatch.setattr(totals, "_PENDING_LAUNCHES", 3)
    looked = []
    collected = totals.ScopeTotals(look=lambda launch, programs: looked.append(len(programs)))
    memory = [make_program([scope_records(10, 30)], [4])]
    for _ in range(9):
        collected.launched(make_launch("kernel", [("all", -1)], memory, 1))
    assert len(looked) == 8
    collected.finish()
    assert looked == [1] * 9


def test_the_command_is_listed(capsys):
    with pytest.raises(SystemExit):
        command_line.main(["--help"])
    assert "profile" in capsys.readouterr().out
