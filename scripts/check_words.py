# SPDX-License-Identifier: MIT
"""The rules of scripts/check_sources.py for words: those of texts, and those of titles of commits.

CONTRIBUTING.md has both lists, and nothing else has to change with them: the first column of the table of words, and
the areas that titles of commits begin with.
"""

from __future__ import annotations

import functools
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

#: Texts that keep their words: the past, and those of others.
EXCLUDED = re.compile(r"CHANGELOG\.md|LICENSE|licenses/|.*\.(json|map|svg|ttir)$")
#: The table of words; its first group are the rows.
_TABLE = re.compile(r"^\| not \|.*\n\|[-|]+\n((?:\|.*\n)+)", re.MULTILINE)
#: The beginning of a line in a comment, a string, a list or a paragraph.
_BEGIN = re.compile(r"""[ \t]*(?:(?:///?<?|//!|#:?|;+|/\*\*?|\|?\*|-)[ \t]+)?(?:"{1,3}|\*\*)?""")
#: The end of the sentence before, in the same line.
_AFTER_SENTENCE = re.compile(r"[.:!?] ")
#: The space between two words of a phrase, also at the end of a line of a comment or of a string.
_SPACE = r"""(?:[ \t]+|[ \t]*"?[ \t]*\n[ \t]*(?:(?:///?<?|//!|#:?|;+|\*)[ \t]+|f?")?)"""

#: Commits that were written before this time (2026-11-30) have titles of any form.
FIRST_TITLE = 1795996800
MAX_TITLE = 72


def read_words(contributing: str) -> list[str]:
    """Return the phrases of the first column of the table of words."""
    table = _TABLE.search(contributing)
    rows = table[1].splitlines() if table else []
    return [phrase for row in rows for phrase in re.findall(r"`([^`]+)`", row.split("|")[1])]


@functools.cache
def compile_phrase(phrase: str) -> re.Pattern[str]:
    """Return a pattern whose first group is the phrase; one that ends in an ellipsis begins a sentence."""
    words = _SPACE.join(map(re.escape, phrase.removesuffix(" …").split()))
    if phrase.endswith(" …"):
        return re.compile(rf"({words})(?=\s)")
    return re.compile(rf"\b([{words[0].upper()}{words[0]}]{words[1:]})\b")


def find_phrase(phrase: str, text: str) -> Iterator[int]:
    """Yield the places of a phrase in a text.

    Few words have a capital letter. A pattern that begins with the beginning of a sentence would be tried everywhere.
    """
    for found in compile_phrase(phrase).finditer(text):
        start = found.start(1)
        line = text.rfind("\n", 0, start) + 1
        if (
            not phrase.endswith(" …")
            or _AFTER_SENTENCE.match(text, max(start - 2, 0), start)
            or _BEGIN.fullmatch(text, line, start)
        ):
            yield start


def check_words(name: str, text: str, phrases: Iterable[str]) -> Iterator[str]:
    """Yield the phrases in a text that the table replaces by others."""
    if EXCLUDED.match(name):
        return
    if name == "CONTRIBUTING.md":
        text = _TABLE.sub(lambda table: "\n" * table[0].count("\n"), text)
    present = {word.lower() for word in set(re.findall(r"[A-Za-z]+", text))}
    for phrase in phrases:
        if not present.issuperset(phrase.removesuffix(" …").lower().split()):
            continue
        for start in find_phrase(phrase, text):
            line = text.count("\n", 0, start) + 1
            yield f"{name}:{line}: expected other words than `{phrase}` (the table of words in CONTRIBUTING.md)"


def read_areas(contributing: str) -> frozenset[str]:
    """Return the areas that titles of commits begin with."""
    areas = re.search(r"^  Areas: ((?:.|\n  )+)", contributing, re.MULTILINE)
    return frozenset(re.findall(r"`(\w+)`", areas[1] if areas else ""))


def check_title(title: str, areas: Collection[str]) -> str:
    """Return the error of a title of a commit; an empty text if there is none."""
    form = re.fullmatch(r"\[(\w+)\] ([A-Z].*[^.])", title)
    if not form:
        return "expected `[Area] Imperative summary`"
    if len(title) > MAX_TITLE:
        return f"expected at most {MAX_TITLE} letters, found {len(title)}"
    return "" if form[1] in areas else f"`{form[1]}` is no area of CONTRIBUTING.md, and no file of a pass"


def new_titles(root: Path) -> list[tuple[str, str]]:
    """Return the numbers and titles of commits to check: none of them without a repository or git.

    A shallow clone has those that it has. Merges have titles of git.
    """
    command = ["git", "log", "--no-merges", f"--since={FIRST_TITLE}", "--format=%h %at %s"]
    try:
        log = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    lines = [line.split(" ", 2) for line in log.splitlines()]
    return [(number, title) for number, written, title in lines if int(written) >= FIRST_TITLE]


def check_titles(titles: Iterable[tuple[str, str]], areas: Collection[str]) -> Iterator[str]:
    """Yield the errors of titles of commits."""
    for number, title in titles:
        if error := check_title(title, areas):
            yield f"commit {number}: {error}: `{title}`"
