"""Check rules of the source tree that no other tool knows; prints each violation and fails if there is one.

- C++ and Python files have at most 800 lines.
- The compiler includes nothing of the runtime, and the runtime nothing of the compiler, MLIR or LLVM: what they agree
  on is in intel/ABI, which includes nothing of either.
- The core (include, lib) includes nothing of third_party, passes nothing of the back ends.
- C++ does not read the environment; in Python only knobs.py does.
- Every file ends in a newline and has no tab and no blank at the end of a line.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 800
TEXT = {".cpp", ".h", ".td", ".py", ".cl", ".cmake", ".md", ".sh", ".toml", ".yaml"}

#: (files, forbidden text, what is wrong with it)
FORBIDDEN = (
    (r"^(include|lib)/", r'#include "intel/', "the core includes a header of third_party"),
    (
        r"^(include|lib|bin)/|^third_party/intel/(include/intel|lib)/(?!ABI/|Runtime/)|^python/src/[Cc]ompile",
        r'#include "intel/Runtime/',
        "the compiler includes the runtime",
    ),
    (
        r"^third_party/intel/(include/intel|lib)/(ABI|Runtime)/",
        r'#include "(mlir|llvm|triton)/|#include "intel/(?!ABI/|Runtime/)',
        "the runtime includes the compiler, MLIR or LLVM",
    ),
    (
        r"^third_party/intel/(include/intel|lib)/ABI/",
        r'#include "intel/(?!ABI/)',
        "what the compiler and the runtime share includes one of them",
    ),
    (
        r"^third_party/intel/(include/intel|lib)/(Analysis|Conversion|Dialect|Pipelines)/",
        r'#include "intel/Target/(CPU|LLVMIR|SPIRV)/',
        "a pass includes a back end",
    ),
    (
        r"^(include|lib|bin|third_party|python/src)/(?!.*Runtime/Device\.cpp)",
        r"\bgetenv\(",
        "C++ reads the environment",
    ),
    (r"^python/triton_xe/(?!knobs\.py)", r"os\.(environ|getenv)", "only knobs.py reads the environment"),
)


def tracked_files() -> list[str]:
    """The files under version control."""
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listing.stdout.splitlines() if (ROOT / name).is_file()]


def check_file(name: str, text: str) -> Iterator[str]:
    """Violations in one file."""
    lines = text.splitlines()
    if Path(name).suffix in {".cpp", ".h", ".py"} and len(lines) > MAX_LINES:
        yield f"{name}: expected at most {MAX_LINES} lines, found {len(lines)}"
    if text and not text.endswith("\n"):
        yield f"{name}: no newline at the end"
    for number, line in enumerate(lines, 1):
        if "\t" in line or line != line.rstrip():
            yield f"{name}:{number}: tab, or blank at the end of the line"
    for files, forbidden, reason in FORBIDDEN:
        if re.match(files, name):
            for number, line in enumerate(lines, 1):
                if re.search(forbidden, line):
                    yield f"{name}:{number}: {reason}"


def main() -> int:
    """Check every tracked text file."""
    violations = [
        violation
        for name in tracked_files()
        if Path(name).suffix in TEXT
        for violation in check_file(name, (ROOT / name).read_text())
    ]
    print("\n".join(violations), end="\n" if violations else "")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
