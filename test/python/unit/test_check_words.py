# SPDX-License-Identifier: MIT
"""The rules for words and titles of commits (`scripts/check_words.py`), with other lists than the project has."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import support

ROOT = Path(__file__).parents[3]
CONTRIBUTING = """\
- A commit has a title.
  Areas: `Doc`, `Test`,
  `Fuzz`.
- Another rule with `Other`.

| not | but | for example |
|---|---|---|
| `gizmo`, `gizmos` | device | "a `device`" |
| `odd thing` | anomaly | |
| `Hence …` | a clause | |

| word | meaning |
|---|---|
| `fine` | allowed |
"""


@pytest.fixture(scope="module")
def rules():
    """Return the script as a module."""
    return support.load_script("check_words")


def test_the_table_is_read(rules):
    """The first column of one table counts; the list of areas ends with its item."""
    assert rules.read_words(CONTRIBUTING) == ["gizmo", "gizmos", "odd thing", "Hence …"]
    assert rules.read_areas(CONTRIBUTING) == {"Doc", "Test", "Fuzz"}
    assert rules.read_words("") == [] and rules.read_areas("") == frozenset()


def test_the_project_has_a_table(rules):
    """No phrase is in it twice, and there are areas."""
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    phrases = rules.read_words(contributing)
    assert len(phrases) == len(set(phrases)) > 40
    assert {"Doc", "Test"} < rules.read_areas(contributing)


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("a.cpp", "int x;\n// Reads the gizmo.\n", [2]),
        ("a.md", "Gizmos are read.\nA gizmo, too.\n", [2, 1]),
        ("a.cpp", "  /// Returns an odd\n  /// thing.\n", [1]),
        ("a.py", "# An odd\n# thing.\n", [1]),
        ("a.ll", "; An odd\n; thing.\n", [1]),
        ("a.cpp", 'fail("an odd "\n     "thing");\n', [1]),
        ("a.py", 'fail("an odd "\n     f"thing")\n', [1]),
        ("a.td", "// Hence it is legal.\n", [1]),
        ("a.py", '"""Hence it is legal."""\n', [1]),
        ("a.md", "- Hence it is legal.\n", [1]),
        ("a.cpp", "/// Both are equal. Hence one is kept.\n", [1]),
        ("Makefile", "# A gizmo.\n", [1]),
    ],
)
def test_words_are_found(rules, name, text, lines):
    """They are found in any kind of file, also where a line ends in a phrase, with the line that they begin in."""
    found = list(rules.check_words(name, text, rules.read_words(CONTRIBUTING)))
    assert [int(each.split(":")[1]) for each in found] == lines
    assert all("CONTRIBUTING.md" in each for each in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cpp", "int readGizmo(Gizmo_t gizmo_count); // GIZMO\n"),
        ("a.cpp", "/// Both are equal, hence one is kept.\n"),
        ("a.md", "## Hence the name\n"),
        ("a.md", "An odd, thing.\n\nodd\n\nthing\n"),
        ("CHANGELOG.md", "The gizmo.\n"),
        ("CONTRIBUTING.md", CONTRIBUTING),
        ("licenses/Zlib.txt", "The gizmo.\n"),
    ],
)
def test_other_texts_are_kept(rules, name, text):
    """Parts of names, words in capitals, clauses, headings, and files that are not the project's own prose."""
    assert not list(rules.check_words(name, text, rules.read_words(CONTRIBUTING)))


@pytest.mark.parametrize(
    ("title", "error"),
    [
        ("[Doc] Describe the tables", ""),
        ("[Doc] " + "Describe " * 7 + "it", ""),
        ("[Docs] Describe the tables", "`Docs` is no area"),
        ("[Doc] describe the tables", "expected `[Area] Imperative summary`"),
        ("[Doc] Describe the tables.", "expected `[Area] Imperative summary`"),
        ("[Doc]Describe the tables", "expected `[Area] Imperative summary`"),
        ("Describe the tables", "expected `[Area] Imperative summary`"),
        ("[Doc] " + "Describe " * 7 + "them", "at most 72 letters, found 73"),
    ],
)
def test_titles(rules, title, error):
    """An area, a summary with a capital and without a period, and at most 72 letters."""
    found = rules.check_title(title, rules.read_areas(CONTRIBUTING))
    assert error in found and bool(error) == bool(found)
    expected = [f"commit 123: {found}: `{title}`"] if error else []
    assert list(rules.check_titles([("123", title)], rules.read_areas(CONTRIBUTING))) == expected


def test_titles_of_a_repository(rules, tmp_path, monkeypatch):
    """Commits from a certain time on count; an archive has none, and neither has a machine without git."""
    assert rules.new_titles(tmp_path) == []
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    assert rules.new_titles(tmp_path) == []
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"]
    for title, seconds in (("before", rules.FIRST_TITLE - 1), ("[Doc] Describe it", rules.FIRST_TITLE)):
        for variable in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setenv(variable, f"{seconds} +0000")
        command = ["git", *identity, "commit", "--quiet", "--allow-empty", "--message", title]
        subprocess.run(command, cwd=tmp_path, check=True)
    assert [title for _, title in rules.new_titles(tmp_path)] == ["[Doc] Describe it"]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert rules.new_titles(tmp_path) == []
