# SPDX-License-Identifier: MIT
"""Draw the pictures of the documentation: what tools print, and the stages of a compilation.

    .venv/bin/python scripts/draw_pictures.py           # write docs/pictures
    .venv/bin/python scripts/draw_pictures.py --check   # fail if a picture is not what the command prints now

Each picture comes from a command, so that it shows what readers will see. The report differs with the version of the
device compiler: it is compared if that of the picture is installed.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs/pictures"
#: Letters of a line in pictures of a terminal.
COLUMNS = 116
#: The page whose first file the report is about.
FIRST_KERNEL = ROOT / "docs/get-started/first-kernel.md"

#: A stage, the form of the code after it, and the pipelines of `triton-xe-opt` that make it, if they are ours.
STAGES = (
    ("kernel.py", "Python", None),
    ("ttir", "tensors", None),
    (
        "ttgir",
        "tensors with layouts",
        ["--triton-xe-ttgir-pipeline=num-warps=4 raise-pointers=true assume-launch=true"],
    ),
    ("llir", "LLVM IR of one lane", ["--triton-xe-allocation-pipeline", "--triton-xe-llvm-pipeline"]),
    ("spv or obj", "SPIR-V, or x86-64", None),
)
FONT = 'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"'


def program(name: str) -> str:
    """Return a program of the environment that this script runs in."""
    return str(Path(sys.executable).parent / name)


def open_picture(width: int, height: int, font_size: int) -> str:
    """Return the first tag of a picture; sizes are in pixels."""
    size = f'viewBox="0 0 {width} {height}" width="{width}" font-size="{font_size}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT}>'


def draw_terminal(lines: list[str]) -> str:
    """Draw text as a terminal shows it, in a picture that reads well on light and dark pages."""
    width, height = 8 * max(map(len, lines)) + 32, 18 * len(lines) + 28
    text = "\n".join(
        f'<text x="16" y="{28 + 18 * number}" xml:space="preserve">{escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    return (
        f"{open_picture(width, height, 13)}\n"
        f'<rect width="{width}" height="{height}" rx="8" fill="#1e2430"/>\n<g fill="#e6e9ef">\n{text}\n</g>\n</svg>\n'
    )


def draw_report() -> str:
    """Draw the report of the first kernel, without lines that cost nothing."""
    source = re.search(r"<!-- file: first.py -->\n```python\n(.*?)```", FIRST_KERNEL.read_text(), re.DOTALL)
    assert source, "the page has a file of that name"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "first.py").write_text(source[1])
        command = [program("triton-xe"), "report", "--run", "first.py"]
        environment = os.environ | {"COLUMNS": str(COLUMNS)}
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env=environment)
    wanted = ("matmul", "loop", "line", "first.py")
    lines: list[str] = []
    for line in result.stdout.splitlines():
        if not line.startswith(wanted):
            continue
        # The report fits its table into the width, and sentences go on in the next line, as in a terminal.
        is_sentence = line.startswith(("matmul", "loop"))
        lines += textwrap.wrap(line, COLUMNS, subsequent_indent="  ") if is_sentence else [line.rstrip()]
    compiler = re.search(r"ocloc ([\d.]+)", result.stdout)
    assert compiler, "the report names its compiler"
    return draw_terminal(lines).replace("\n", f"\n<!-- ocloc {compiler[1]} -->\n", 1)


def is_current(picture: Path) -> bool:
    """Return whether the report is the one of the picture, as far as this compiler can determine."""
    if not picture.exists():
        return False
    installed = re.search(r"ocloc ([\d.]+)", picture.read_text())
    try:
        report = draw_report()
    except subprocess.CalledProcessError as error:
        # Without a device compiler there is no report to compare with.
        return "install-compiler" in error.stderr
    other_compiler = installed is not None and installed[0] not in report
    return other_compiler or picture.read_text() == report


def list_passes(pipelines: list[str]) -> list[str]:
    """Return the passes of pipelines, in order."""
    command = [program("triton-xe-opt"), *pipelines, "--dump-pass-pipeline", "-"]
    result = subprocess.run(command, input="module {}", capture_output=True, text=True, check=True)
    dump = re.search(r"builtin\.module\((.*)\)", result.stderr, re.DOTALL)
    assert dump, "the tool prints its pipeline"
    # Options are in braces, lists of theirs in separate braces.
    text, changed = dump[1], True
    while changed:
        text, changed = re.subn(r"\{[^{}]*\}", "", text)
    return [name.strip() for name in text.split(",") if name.strip()]


def draw_pipeline() -> str:
    """Draw stages from left to right, and below them the passes of those that are ours."""
    box, gap, row, left = 168, 30, 18, 20
    lists = [(name, list_passes(pipelines)) for name, _, pipelines in STAGES if pipelines]
    width = 2 * left + len(STAGES) * box + (len(STAGES) - 1) * gap
    top, column = 140, (width - left) // len(lists)
    height = top + row * max(len(names) for _, names in lists) + 20
    parts = [
        open_picture(width, height, 13),
        f'<rect width="{width}" height="{height}" rx="8" fill="#f4f6fa"/>',
    ]
    for number, (name, form, _) in enumerate(STAGES):
        x = left + (box + gap) * number
        parts.append(f'<rect x="{x}" y="20" width="{box}" height="60" rx="6" fill="#0068b5"/>')
        parts.append(f'<text x="{x + 12}" y="44" fill="#ffffff" font-weight="bold">{escape(name)}</text>')
        parts.append(f'<text x="{x + 12}" y="66" fill="#dbe9f7" font-size="11">{escape(form)}</text>')
        if number:
            start = f"M{x - gap + 3} 50 h{gap - 8}"
            parts.append(f'<path d="{start} m-7 -6 l7 6 l-7 6" stroke="#2b3242" fill="none" stroke-width="2"/>')
    for number, (name, names) in enumerate(lists):
        x = left + column * number
        parts.append(f'<text x="{x}" y="{top - 24}" fill="#0068b5" font-weight="bold">passes to {escape(name)}</text>')
        parts += [
            f'<text x="{x}" y="{top + row * index}" fill="#2b3242">{escape(one)}</text>'
            for index, one in enumerate(names)
        ]
    return "\n".join([*parts, "</svg>\n"])


def main() -> int:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    pipeline = draw_pipeline()
    if arguments.check:
        if not is_current(PICTURES / "report.svg") or (PICTURES / "pipeline.svg").read_text() != pipeline:
            print("docs/pictures is not up to date: run scripts/draw_pictures.py", file=sys.stderr)
            return 1
        return 0
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "pipeline.svg").write_text(pipeline)
    (PICTURES / "report.svg").write_text(draw_report())
    return 0


if __name__ == "__main__":
    sys.exit(main())
