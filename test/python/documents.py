# SPDX-License-Identifier: MIT
"""Do what a document in Markdown instructs its reader to do: its Python, its commands, its files.

Blocks of Python run one after the other, as in a notebook, and commands of `sh` in between, in one folder. So do
commands about files in the text, such as `gdb --args python kernel.py`, unless they leave something out (`...`).
Comments of the Markdown, which readers do not see, state the rest. Before a block:

    <!-- file: NAME -->             it is a file of this name
    <!-- part of: NAME -->          its lines are in this file of the reader, in this order; others are at `...`
    <!-- not run: REASON -->        it is not run, and why

and anywhere, over several lines:

    <!-- file: NAME                 a file that the reader has of his own
    ...
    -->
    <!-- also run                   Python, such as the reader's own data
    ...
    -->

As a program this module does the steps of a document, which it gets as JSON, in the folder it is called in.
"""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import textwrap
import types
from pathlib import Path

#: Blocks of these languages are something to do; those of others show something.
RUN = ("python", "sh")
#: These are something to do if they are files.
FILES = ("c", "cpp", *RUN)


@dataclasses.dataclass(frozen=True)
class Step:
    """Something to do."""

    #: `python`, `sh`, `file`, or `part`.
    kind: str
    text: str
    #: The line of the document at which the step begins.
    line: int
    #: The file's name.
    name: str = ""
    #: The reason why it is not done; empty for what is done.
    reason: str = ""


_PART = re.compile(
    r"^[ ]*<!--[ ]*(?P<mark>file|part of|not run|also run)\b:?(?P<words>[^\n]*?)(?:-->|\n(?P<hidden>.*?)^[ ]*-->)"
    r"|`(?P<command>(?:[A-Z_]+=\S+ )*(?:python|gdb|triton-xe(?:-opt)?) [^`\n]*\w\.\w[^`\n]*)`"
    r"|^(?P<indent>[ ]*)```(?P<language>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```[ ]*$",
    re.MULTILINE | re.DOTALL,
)


def read_steps(document: str) -> list[Step]:
    """Return what is to do, in order. Raises ValueError for a comment that does not describe a block, or not enough."""
    steps = []
    mark: tuple[str, str, int] | None = None
    for part in _PART.finditer(document):
        line = document.count("\n", 0, part.start()) + 1
        if part["mark"]:
            if mark:
                raise ValueError(f"line {mark[2]}: no block follows")
            kind, words = part["mark"], part["words"].strip()
            if bool(words) == (kind == "also run") or (kind in ("not run", "part of") and part["hidden"] is not None):
                raise ValueError(f"line {line}: `{kind}` needs other words")
            if part["hidden"] is not None:
                hidden = textwrap.dedent(part["hidden"])
                steps.append(Step("file" if kind == "file" else "python", hidden, line, words))
            elif kind == "also run":
                raise ValueError(f"line {line}: `also run` needs Python")
            else:
                mark = kind, words, line
            continue
        if part["command"]:
            if "..." not in part["command"]:
                steps.append(Step("sh", part["command"], line))
            continue
        language, text = part["language"], textwrap.dedent(part["text"])
        kind, words = mark[:2] if mark else ("", "")
        mark = None
        if kind in ("file", "part of"):
            steps.append(Step(kind.split()[0], text, line, words))
        elif language in RUN:
            steps.append(Step(language, text, line, reason=words))
        elif language in FILES and not words:
            raise ValueError(f"line {line}: nothing builds this block of {language}: it is no file")
    if mark:
        raise ValueError(f"line {mark[2]}: no block follows")
    return steps


def find_parts(part: str, whole: str) -> str:
    """Return the first line of `part` that is not in `whole`, after the lines before it; empty if all are.

    Indents do not matter, and `...` represents lines that are left out.
    """
    lines = iter([line.strip() for line in whole.splitlines()])
    for line in map(str.strip, part.splitlines()):
        if line not in ("", "...") and line not in lines:
            return line
    return ""


def do(steps: list[Step], name: str) -> None:
    """Do what is to be done; the first failure ends it."""
    module = types.ModuleType("document")
    sys.modules["document"] = module
    for step in steps:
        if step.reason:
            continue
        # The step before may have left its line open.
        print(f"\n--- {name}:{step.line}", flush=True)
        if step.kind == "file":
            Path(step.name).write_text(step.text)
        elif step.kind == "part":
            if missing := find_parts(step.text, Path(step.name).read_text()):
                raise ValueError(f"`{missing}` is not in {step.name}, or not after the line above it")
        elif step.kind == "sh":
            subprocess.run(["sh", "-e", "-c", step.text], check=True, stdin=subprocess.DEVNULL)
        else:
            # Triton reads kernels from their file.
            path = Path(f"{Path(name).stem}_{step.line}.py").resolve()
            path.write_text(step.text)
            exec(compile(step.text, path, "exec"), vars(module))


if __name__ == "__main__":
    sys.path.insert(0, "")
    do([Step(**step) for step in json.load(sys.stdin)], sys.argv[1])
