# SPDX-License-Identifier: MIT
"""The documents are followed to the letter: what they instruct readers to run runs, or a comment states why not."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

import documents
import pytest
import warm_python
from support import needs_ocloc

ROOT = Path(__file__).parents[3]
DOCUMENTS = ("README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*.md")))
STEPS = {name: documents.read_steps((ROOT / name).read_text()) for name in DOCUMENTS}
#: The documents that always run.
SHORT = ("README.md", "docs/Profiling.md", "docs/Report.md", "docs/guides/debugging.md")
WITH_STEPS = [name for name in DOCUMENTS if STEPS[name]]


def make_folder(folder: Path) -> dict[str, str]:
    """Make a folder with what a reader has, and return the process environment.

    It has the repository's benchmarks and examples, and the programs of an installation, also where Python is one of
    another environment.
    """
    for name in ("benchmarks", "examples"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "docs").mkdir()
    programs = folder / "programs"
    programs.mkdir()
    warm_python.write_program(programs / "python")
    warm_python.write_program(programs / "triton-xe", "-m", "triton_xe")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TRITON_XE_", "PYTEST_"))}
    places = (str(programs), str(Path(sys.executable).parent), str(ROOT / "build/bin"), os.environ["PATH"])
    # No machine of the tests has a GPU: SYCL's only device is the CPU, by Intel's OpenCL runtime.
    site = importlib.metadata.distribution("intel-opencl-rt").locate_file("")
    library = Path(site).resolve().parents[1] / "libintelocl.so"
    return environment | {"PATH": os.pathsep.join(places), "OCL_ICD_FILENAMES": str(library)}


@pytest.mark.parametrize(
    "name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.full) for name in WITH_STEPS]
)
@needs_ocloc
def test_document(name, tmp_path):
    """Everything that it has, in a separate folder."""
    process = subprocess.run(
        [sys.executable, "-W", "ignore::UserWarning", documents.__file__, name],
        input=json.dumps([dataclasses.asdict(step) for step in STEPS[name]]),
        cwd=tmp_path,
        env=make_folder(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.returncode == 0, process.stdout[-4000:]
    done = [step for step in STEPS[name] if not step.reason]
    assert [line for line in process.stdout.splitlines() if line.startswith("--- ")] == [
        f"--- {name}:{step.line}" for step in done
    ]


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if any(step.kind == "part" for step in STEPS[name])])
def test_parts_of_files(name):
    """The part of a file in a document is in the file."""
    parts = [step for step in STEPS[name] if step.kind == "part"]
    assert {step.text: documents.find_parts(step.text, (ROOT / step.name).read_text()) for step in parts} == {
        step.text: "" for step in parts
    }


def test_parts_that_are_none():
    whole = "def f():\n    a = 1\n    b = 2\n    c = 3\n"
    assert documents.find_parts("a = 1\n...\n  c = 3\n", whole) == ""
    assert documents.find_parts("b = 2\na = 1\n", whole) == "a = 1"
    assert documents.find_parts("a = 2\n", whole) == "a = 2"


def test_what_is_not_run():
    """Few blocks, and each of them with a reason that is a sentence."""
    reasons = [step.reason for name in DOCUMENTS for step in STEPS[name] if step.reason]
    assert len(reasons) <= 6 and all(len(reason.split()) > 4 for reason in reasons)
    assert {"README.md", "docs/AheadOfTime.md", "docs/Profiling.md", "docs/Report.md"} < set(WITH_STEPS)


EXAMPLE = """\
# Title
<!-- also run
x = 3
-->
Text
```python
assert x == 3
open("made", "w").write("by Python")
```
- item
  <!-- file: some.txt -->
  ```
  some text
    with an indent
  ```
<!-- file: other.txt
other
-->
```sh
cat made some.txt other.txt > all.txt
```
Call `X=3 python -c 'open("x.txt", "w")'`, `python y.py ...` or `python`.
<!-- not run: it would take all day -->
```sh
exit 1
```
```mlir
%0 = nonsense
```
"""


def test_steps(tmp_path):
    """Kinds and order; what follows a failure is not done."""
    steps = documents.read_steps(EXAMPLE)
    kinds = [(step.kind, step.line, step.name) for step in steps]
    assert kinds == [
        *(("python", 2, ""), ("python", 6, ""), ("file", 12, "some.txt")),
        *(("file", 16, "other.txt"), ("sh", 19, ""), ("sh", 22, ""), ("sh", 24, "")),
    ]
    assert steps[5].text == """X=3 python -c 'open("x.txt", "w")'"""
    assert [step.reason for step in steps if step.reason] == ["it would take all day"]

    def do(listed: list[documents.Step]) -> int:
        text = json.dumps([dataclasses.asdict(step) for step in listed])
        command = [sys.executable, documents.__file__, "example.md"]
        return subprocess.run(command, input=text, text=True, cwd=tmp_path, capture_output=True).returncode

    assert do(steps) == 0
    assert (tmp_path / "x.txt").exists()
    assert (tmp_path / "all.txt").read_text() == "by Pythonsome text\n  with an indent\nother\n"
    (tmp_path / "all.txt").unlink()
    wrong = dataclasses.replace(steps[1], text="assert x == 4")
    assert do([steps[0], wrong, *steps[2:]]) != 0
    assert do([dataclasses.replace(steps[-1], reason="")]) != 0
    assert not (tmp_path / "all.txt").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- not run: a reason -->\n", "line 1: no block follows"),
        ("<!-- file: a -->\n<!-- file: b -->\n```sh\n```\n", "line 1: no block follows"),
        ("\n<!-- not run -->\n```sh\n```\n", "line 2: `not run` needs other words"),
        ("<!-- also run -->\n", "line 1: `also run` needs Python"),
        ("```cpp\nint main() {}\n```\n", "line 1: nothing builds this block of cpp"),
    ],
)
def test_comments_that_say_nothing(text, message):
    with pytest.raises(ValueError, match=message):
        documents.read_steps(text)
