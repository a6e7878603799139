"""Checks that a tool prints the modules in a folder with the text it has read.

    python check_roundtrip.py [--generic] <tool> <folder>

Only the names of SSA values may change. With --generic the modules go through
their generic form on the way.
"""

import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path


def normalize(text: str) -> list[str]:
    """Drops what does not matter: names of values, blanks at the end of a list."""
    text = re.sub(r"%[\w$.-]+", "%", text)
    return re.sub(r"  +: ", " : ", text).rstrip().splitlines()


def run(tool: str, text: str, *flags: str) -> str:
    return subprocess.run([tool, *flags], input=text, capture_output=True, text=True, check=True).stdout


def check(tool: str, path: Path, generic: bool) -> str:
    """Returns what is wrong, as text; an empty one if nothing is."""
    before = path.read_text()
    flags = ["--mlir-print-debuginfo"] if "loc(" in before else []
    try:
        text = run(tool, before, "--mlir-print-op-generic", *flags) if generic else before
        after = run(tool, text, *flags)
    except subprocess.CalledProcessError as error:
        return f"{path.name}: {error.stderr}"
    return "\n".join(
        difflib.unified_diff(normalize(before), normalize(after), path.name, f"{path.name} printed back", lineterm="")
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generic", action="store_true")
    parser.add_argument("tool")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()

    paths = sorted(arguments.folder.glob("*.ttir"))
    if not paths:
        print(f"no modules in {arguments.folder}")
        return 1
    problems = [check(arguments.tool, path, arguments.generic) for path in paths]
    print("\n".join(filter(None, problems)))
    return int(any(problems))


if __name__ == "__main__":
    sys.exit(main())
