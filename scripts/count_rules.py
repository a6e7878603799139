# SPDX-License-Identifier: MIT
"""Count what makes the middle end hard to predict: passes, attributes that passes leave for others, and constants.

.venv/bin/python scripts/count_rules.py               # a line for each count
.venv/bin/python scripts/count_rules.py --constants   # the constants, with their comments
.venv/bin/python scripts/count_rules.py --root DIR    # of another checkout, without the counts of a build
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import draw_pictures

ROOT = Path(__file__).resolve().parent.parent

#: Folders with decisions: constants of lowerings and encodings are facts of formats and of instructions.
DECISIONS = (
    "third_party/intel/lib/Analysis",
    "third_party/intel/lib/Dialect/LLVMIR/Transforms",
    "third_party/intel/lib/Dialect/Triton/Transforms",
    "third_party/intel/lib/Dialect/TritonIntelGPU/Transforms",
)

#: The definition of a pass in TableGen, by a class whose name ends so.
_PASS = re.compile(r"^def (\w+)\s*:\s*\w*Pass<", re.MULTILINE)
#: A name of a discardable attribute.
_ATTRIBUTE = re.compile(r'return "(ttig\.\w+)";')
#: The definition of a number: `constexpr unsigned kMaxDepth = 64;`.
_CONSTANT = re.compile(r"^\s*(?:static )?constexpr (?:u?int\d*_t|unsigned|int|size_t|double|float) (\w+) = ([^;]+);")


@dataclass(frozen=True)
class Constant:
    """A number in a pass or an analysis, with the comment above it."""

    path: Path
    line: int
    name: str
    value: str
    comment: str


def find_passes(root: Path) -> list[str]:
    """Return the names of all passes of the repository."""
    files = [*root.glob("include/triton/**/*.td"), *root.glob("third_party/intel/include/**/*.td")]
    return sorted(name for path in files for name in _PASS.findall(path.read_text()))


def find_attributes(root: Path) -> list[str]:
    """Return the discardable attributes of `ttig`, except for those of Intel's own modules (`ttig.support_*`)."""
    folder = root / "third_party/intel/include/intel/Dialect/TritonIntelGPU/IR"
    return sorted(_ATTRIBUTE.findall((folder / "TritonIntelGPUDialect.td").read_text()))


def find_constants(root: Path) -> Iterator[Constant]:
    """Return the constants of passes and analyses."""
    for folder in DECISIONS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            comment: list[str] = []
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if found := _CONSTANT.match(line):
                    yield Constant(path.relative_to(root), number, found[1], found[2], " ".join(comment))
                text = line.strip()
                comment = [*comment, text.lstrip("/ ")] if text.startswith("//") else []


def count_stages() -> list[tuple[str, int]]:
    """Return how many passes run in each of our stages of a compilation. Needs a build."""
    return [
        (name, len(draw_pictures.list_passes(pipelines))) for name, _, pipelines in draw_pictures.STAGES if pipelines
    ]


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--constants", action="store_true", help="list the constants, with their comments")
    parser.add_argument("--root", type=Path, default=ROOT, help="a checkout (default: this one)")
    arguments = parser.parse_args()
    constants = list(find_constants(arguments.root))
    if arguments.constants:
        for one in constants:
            print(f"{one.path.name}:{one.line}: {one.name} = {one.value}\n    {one.comment or 'no comment'}")
        return
    counts = [
        ("own passes", len(find_passes(arguments.root))),
        ("discardable attributes of ttig", len(find_attributes(arguments.root))),
        ("constants in passes and analyses", len(constants)),
    ]
    if arguments.root == ROOT:
        stages = count_stages()
        counts += [(f"passes to {name}", count) for name, count in stages]
        counts.append(("passes of one compilation", sum(count for _, count in stages)))
    for name, count in counts:
        print(f"{count:5}  {name}")


if __name__ == "__main__":
    main()
