# SPDX-License-Identifier: MIT
"""Checks that a tool prints the modules in a folder with the text it has read.

    python check_roundtrip.py [--generic] <tool> <folder>

Only the names of SSA values may change, and the spelling of what newer versions
of Triton write in another way than 3.7.1. With --generic the modules go through
their generic form on the way.
"""

import argparse
import difflib
import re
import subprocess
import sys
from pathlib import Path

#: The text of Triton 3.8 and 3.9 where 3.7.1 writes another: blocks without `tensor<>`, in types of descriptors and
#: after the type of their elements; pointers to memory that is only read.
SPELLINGS = (
    (r"tensordesc<(\d[^<>]*)>", r"tensordesc<tensor<\1>>"),
    (r"(make_tensor_descriptor .* : <\w+>, )<(\d[^<>]*)>", r"\1<tensor<\2>>"),
    (r'(!tt\.ptr<[^<>,]+), "constant">', r"\1>"),
)
#: Cache words of 3.9, an attribute among others.
CACHE_POLICY = re.compile(
    r"\{cachePolicy = #tt\.cache_policy<cache_modifier = (\w+), eviction_policy = (\w+)>(?:, )?(.*?)\}"
)
#: The line between two modules of one input.
SEPARATOR = "// -----\n"


def spell_cache_words(policy: re.Match) -> str:
    """The words as 3.7.1 has them, before the other attributes; those without effect are left out."""
    modifier, eviction, attributes = policy.groups()
    words = [f"cacheModifier = {modifier}"] if modifier != "none" else []
    words += [f"evictionPolicy = {eviction}"] if eviction != "evict_normal" else []
    return " ".join([*words, *([f"{{{attributes}}}"] if attributes else [])])


def normalize(text: str) -> list[str]:
    """Drops what does not matter: spelling, names of values, blanks at the end of a list."""
    for pattern, replacement in SPELLINGS:
        text = re.sub(pattern, replacement, text)
    text = CACHE_POLICY.sub(spell_cache_words, text)
    text = re.sub(r"%[\w$.-]+", "%", text)
    return re.sub(r"  +: ", " : ", text).rstrip().splitlines()


def run(tool: str, text: str, *flags: str) -> str:
    return subprocess.run([tool, *flags], input=text, capture_output=True, text=True, check=True).stdout


def print_back(tool: str, texts: list[str], generic: bool, *flags: str) -> list[str]:
    """Returns the texts as the tool prints them; one process reads all, as its start takes longer than a module."""
    text = SEPARATOR.join(texts)
    split = ("--split-input-file", *flags)
    if generic:
        text = run(tool, text, *split, "--mlir-print-op-generic")
    return run(tool, text, *split).split(SEPARATOR)


def check(tool: str, paths: list[Path], generic: bool, *flags: str) -> str:
    """Returns what is wrong, as text; an empty one if nothing is."""
    texts = [path.read_text() for path in paths]
    try:
        printed = print_back(tool, texts, generic, *flags)
    except subprocess.CalledProcessError as error:
        names = ", ".join(path.name for path in paths)
        return f"{names}: {error.stderr}"
    if len(printed) != len(paths):
        return f"expected {len(paths)} modules, found {len(printed)}"
    return "\n".join(
        line
        for path, before, after in zip(paths, texts, printed)
        for line in difflib.unified_diff(
            normalize(before), normalize(after), path.name, f"{path.name} printed back", lineterm=""
        )
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
    located = [path for path in paths if "loc(" in path.read_text()]
    plain = [path for path in paths if path not in located]
    problems = [
        check(arguments.tool, group, arguments.generic, *flags)
        for group, flags in ((plain, ()), (located, ("--mlir-print-debuginfo",)))
        if group
    ]
    print("\n".join(filter(None, problems)))
    return int(any(problems))


if __name__ == "__main__":
    sys.exit(main())
