# SPDX-License-Identifier: MIT
"""The command line as a whole: scripts with options on either side, statuses, suggestions, and the first reports."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import triton
import warm_python
from support import needs_ocloc

import triton_xe
from triton_xe import device_compiler, errors
from triton_xe.statuses import Status
from triton_xe.tools import command_line, information, scripts

#: A script that writes down its arguments, and launches a kernel.
SCRIPT = """
import sys
from pathlib import Path
import torch, triton
import triton.language as tl

@triton.jit
def twice(x, y, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(y + at, tl.load(x + at) * 2)

Path("ran").write_text(repr(sys.argv[1:]))
x, y = torch.randn(64), torch.empty(64)
twice[(1,)](x, y, 64)
assert torch.equal(y, x * 2)
"""


def run_tool(folder: Path, *words: str, module: str = "triton_xe.tools.command_line", **environment: str):
    command = [sys.executable, "-W", "ignore", "-m", module, *words]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRITON_XE_")}
    return warm_python.run(command, cwd=folder, env=clean | environment)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "script.py").write_text(SCRIPT)
    return tmp_path


@needs_ocloc
@pytest.mark.parametrize(
    ("words", "chip", "arguments"),
    [
        ("report --target bmg --run script.py 5 --size 7", "bmg", ["5", "--size", "7"]),
        ("report --run script.py --target b580 5", "bmg", ["5"]),
        ("report script.py", "pvc", []),
        ("report script.py --size=7 -t ptl -- --target x", "ptl", ["--size=7", "--target", "x"]),
        ("report --simulate --target bmg script.py", "bmg", []),
        ("report --target bmg --simulate script.py", "bmg", []),
        ("report script.py 5 --simulate --target=bmg", "bmg", ["5"]),
        ("report --target bmg -- ./script.py --target x", "bmg", ["--target", "x"]),
        ("report -t bmg -m script 5", "bmg", ["5"]),
    ],
)
def test_target_of_a_script(folder, words, chip, arguments):
    """The chip is the one that is named, wherever that is; the rest is the script's."""
    result = run_tool(folder, *words.split())
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith(f"twice for {chip} (")
    assert ("\nexecuted: " in result.stdout) == ("--simulate" in words)
    assert (folder / "ran").read_text() == repr(arguments)


@pytest.mark.parametrize("words", ["verify script.py --target bmg 5 --size", "verify -t b580 script.py 5 --size"])
def test_target_of_verify(folder, words):
    (folder / "script.py").write_text(
        SCRIPT + "assert triton.runtime.driver.active.get_current_target().arch == 'bmg'\n"
    )
    result = run_tool(folder, *words.split())
    assert result.returncode == 0, result.stderr
    assert "twice" in result.stdout
    assert (folder / "ran").read_text() == "['5', '--size']"


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("script.py 5 --kernels --size 7", ["5", "--size", "7"]),
        ("./script.py --kernels -- --kernels", ["--kernels"]),
        ("-m script --size --kernels", ["--size"]),
    ],
)
def test_options_of_profile(folder, words, arguments):
    """They are on either side of the script, as those of all commands."""
    result = run_tool(folder, "profile", *words.split())
    assert result.returncode == 0, result.stderr
    # With --kernels nothing is missed.
    assert "wrote script.hatchet" in result.stderr and "has scopes" not in result.stderr
    assert (folder / "ran").read_text() == repr(arguments)


@pytest.mark.parametrize("command", ["report", "rank", "verify", "profile"])
def test_words_after_the_script(command, monkeypatch, capsys):
    """A word that is no option of the command is for the script; a hint names those that are nearly one."""
    taken = []
    monkeypatch.setattr(scripts.Script, "check", lambda script: taken.append(script) or sys.exit(9))
    for words in (["./x.py", "--size", "--modes", "--taget=1", "--"], ["./x.py", "--", "--taget"], ["--", "./x.py"]):
        with pytest.raises(SystemExit, match="9"):
            command_line.main([command, *words])
    rest = [["--size", "--modes", "--taget=1"], ["--taget"], []]
    assert [(script.name, list(script.arguments)) for script in taken] == [("./x.py", words) for words in rest]
    error = capsys.readouterr().err
    if command == "profile":
        assert error == "note: `--modes` is passed to the script: did you mean `--mode`?\n"
    else:
        assert error == "note: `--taget` is passed to the script: did you mean `--target`?\n"
    for words in (["x.py", "-m", "y"], [], ["--"]):
        with pytest.raises(SystemExit, match="2"):
            command_line.main([command, *words])
    error = capsys.readouterr().err
    assert "`-m` has to precede the name of a module" in error and error.count("expected a script") == 2


@pytest.mark.parametrize(("option", "value"), [("--num-warps", "8"), ("--num-stages", "3"), ("--grf-mode", "256")])
def test_options_of_launches(folder, option, value):
    """A script's launches have their own: an option without an effect is a wrong call."""
    result = run_tool(folder, "report", "script.py", option, value)
    assert result.returncode == 2
    assert f"error: {option} is for a kernel with --signature" in result.stderr
    assert not (folder / "ran").exists()


@pytest.mark.parametrize("words", ["report --html", "profile --html", "profile --svg"])
@pytest.mark.parametrize(
    ("path", "message"), [("nowhere/x.html", "there is no folder `nowhere`"), (".", "cannot write `.`: Is a directory")]
)
def test_outputs_that_cannot_be_written(folder, words, path, message):
    """That is an error before the script runs. A test of it leaves no file."""
    result = run_tool(folder, *words.split(), path, "script.py")
    assert (result.returncode, result.stderr) == (2, f"error: {message}\n")
    assert sorted(each.name for each in folder.iterdir()) == ["script.py"]


@pytest.mark.parametrize("words", [["--version"], []])
@pytest.mark.parametrize("module", ["triton_xe", "triton_xe.tools.command_line"])
def test_version_and_help(folder, words, module):
    result = run_tool(folder, *words, module=module)
    assert (result.returncode, result.stderr) == (0, "")
    version = f"triton-xe {triton_xe.__version__}, Triton {triton.__version__}\n"
    assert result.stdout == version if words else "doctor" in result.stdout and "report" in result.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("repot script.py", "invalid choice: 'repot'"),
        ("repot script.py", "did you mean `report`?"),
        ("report --taget bmg script.py", "--taget: did you mean `--target`?"),
        ("info --enviroment", "--enviroment: did you mean `--environment`?"),
        ("bundle colect here", "did you mean `collect`?"),
        ("verify --simulater script.py", "did you mean `--simulator`?"),
        ("quantum", "invalid choice: 'quantum'"),
    ],
)
def test_words_that_are_none(words, message, capsys):
    """The nearest word is suggested; abbreviations, which a later option would break, are not taken."""
    with pytest.raises(SystemExit) as caught:
        command_line.main(words.split())
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert message in error and ("did you mean" in error) == (words != "quantum")


@pytest.mark.parametrize(
    "words",
    [
        "report none.py",
        "report --target bmg --run none.py",
        "report --simulate --target bmg none.py",
        "report none.py --signature *fp32",
        "rank none.py",
        "verify none.py",
        "profile none.py",
        "compile none.py --signature *fp32",
        "precompile none.py --arch pvc --output bundle",
        "harvest show none.py",
        "simulate none.py none.json",
        "layout #a --shape 4 --aliases none.py",
    ],
)
def test_files_that_are_not_there(words, capsys):
    """Each command names the file, and has the status of a wrong call."""
    assert command_line.main(words.split()) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ") and "`none.py`" in error and len(error.splitlines()) == 1


@pytest.mark.parametrize(
    "words", ["report script.py", "report --simulate script.py", "rank script.py", "verify --simulator script.py"]
)
def test_missing_device_compiler(folder, words):
    """It is reported before the script runs."""
    result = run_tool(folder, *words.split(), TRITON_XE_OCLOC="no-such-ocloc")
    assert (result.returncode, result.stderr) == (1, "error: `TRITON_XE_OCLOC`: `no-such-ocloc` is no program\n")
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(("answer", "fetches"), [("y\n", True), ("n\n", False), ("", False)])
def test_offer_of_the_device_compiler(monkeypatch, capsys, answer, fetches):
    """On a terminal it may be fetched at once."""

    class Terminal:
        isatty = staticmethod(lambda: True)
        readline = staticmethod(lambda: answer)

    found = device_compiler.DeviceCompiler("ocloc", "iga64", "26.27.1", "folder")

    def missing() -> None:
        raise errors.ToolError("`ocloc` was not found")

    monkeypatch.setattr(device_compiler, "find", missing)
    monkeypatch.setattr(device_compiler, "install", lambda: found)
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    if fetches:
        assert device_compiler.require() is found
    else:
        with pytest.raises(errors.ToolError, match="was not found"):
            device_compiler.require()
    assert "Fetch it now" in capsys.readouterr().err


def test_disassembler_is_missing(monkeypatch):
    monkeypatch.setattr(device_compiler, "find", lambda: device_compiler.DeviceCompiler("ocloc", "", "26.27.1", "PATH"))
    with pytest.raises(errors.ToolError, match="`iga64` is needed"):
        device_compiler.require()


@pytest.mark.parametrize(
    "command",
    [pytest.param("report", marks=needs_ocloc), pytest.param("rank", marks=needs_ocloc), "verify", "profile"],
)
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("def fail():\n    raise ValueError('no')\nfail()\n", ["line 3, in <module>", "line 2, in fail"]),
        ("x = (\n", ["line 1"]),
    ],
)
def test_scripts_that_fail(folder, command, text, lines):
    """That is no wrong call. The traceback begins with the script."""
    (folder / "script.py").write_text(text)
    result = run_tool(folder, command, "script.py")
    assert result.returncode == 1
    found = [line for line in result.stderr.splitlines() if line.startswith("  File ")]
    assert len(found) == len(lines)
    assert all("script.py" in line and line.endswith(end) for line, end in zip(found, lines, strict=True))
    assert "\nValueError: no\n" in result.stderr or "\nSyntaxError: " in result.stderr


def test_statuses_are_documented():
    """The page has a row for each, in their order."""
    page = (Path(__file__).parents[3] / "docs" / "reference" / "options.md").read_text()
    rows = re.findall(r"^\| (\d+) \| ([a-z ]+?)(?: \||:)", page.partition("## Statuses of commands")[2], re.MULTILINE)
    assert rows == [(str(status.value), status.name.lower().replace("_", " ")) for status in Status]


@pytest.mark.parametrize("command", ["harvest", "gpu run"])
def test_statuses_of_programs(folder, command):
    """They are those of a shell, whichever command runs the program."""
    (folder / "text").write_text("no program")
    (folder / "text").chmod(0o755)
    expected = {"": 2, "no-such-program": 127, "./script.py": 126, "./text": 126, "sh -c 'exit 7'": 7}
    for program, status in expected.items():
        result = run_tool(folder, *command.split(), "--", *shlex.split(program))
        if "triton-xe install-driver" in result.stderr:
            pytest.skip(
                "`gpu run` starts programs only with a driver, which `triton-xe install-driver` has not fetched here"
            )
        assert result.returncode == status, (program, result.stderr)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("TRITON_XE_CPU_ARCH", "typo", "TRITON_XE_CPU_ARCH: unknown architecture: expected"),
        ("TRITON_XE_CPU_RUNTIME", "typo", "TRITON_XE_CPU_RUNTIME: expected `native`"),
        ("TRITON_XE_CPU_INSTRUCTIONS", "typo", "TRITON_XE_CPU_INSTRUCTIONS: this processor has"),
        ("TRITON_XE_OCLOC_SECONDS", "typo", "`TRITON_XE_OCLOC_SECONDS`: expected a number"),
        ("TRITON_DEFAULT_BACKEND", "typo", "TRITON_DEFAULT_BACKEND: expected "),
        ("TRITON_XE_CPU_ARCH", " \t", ""),
        ("TRITON_XE_CPU_ARCH", " B580 ", ""),
    ],
)
def test_info_checks_variables(monkeypatch, capsys, name, value, message):
    """`info` reports the errors that a launch would report; a variable of blanks is none."""
    monkeypatch.setenv(name, value)
    assert command_line.main(["info"]) == (2 if message else 0)
    error = capsys.readouterr().err
    assert error.startswith(f"error: {message}") if message else error == ""


@pytest.mark.parametrize("words", ["report script.py -t", "verify script.py -t", "rank script.py -t"])
@pytest.mark.parametrize("name", ["", " "])
def test_empty_names(folder, monkeypatch, capsys, words, name):
    """They name no chip, wherever one is expected."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(device_compiler, "require", lambda: None)
    assert command_line.main([*words.split(), name]) == 2
    assert "unknown architecture: expected" in capsys.readouterr().err
    assert not (folder / "ran").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("profile --top 0 x.py", "expected a number of lines, at least 1, found '0'"),
        ("profile x.py --top -1", "expected a number of lines, at least 1, found '-1'"),
        ("precompile x.jsonl --arch pvc -o x --jobs 0", "expected a number of processes, at least 1, found '0'"),
        ("layout x --shape 4 --width x", "expected a number of letters, at least 0, found 'x'"),
        ("gpu info --count 17", "expected a number of GPUs, 1 to 16, found '17'"),
        ("gpu run --seconds 0 -- true", "expected seconds, 1 to 86400, found '0'"),
    ],
)
def test_numbers_out_of_range(words, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        command_line.main(words.split())
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["install-compiler", "install-driver"])
def test_folders_that_cannot_be_written(command, capsys):
    assert command_line.main([command, "--folder", "/proc/none/folder"]) == 2
    assert capsys.readouterr().err.startswith("error: cannot write below `/proc/none`")


def test_interrupts(monkeypatch, capsys):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(information, "find_gpus", interrupt)
    assert command_line.main(["info"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_reader_that_has_seen_enough(folder):
    """No traceback where the output is closed."""
    command = f"{sys.executable} -W ignore -m triton_xe info --environment | head -1"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=folder)
    assert (result.stdout, result.stderr) == ("versions\n", "")
