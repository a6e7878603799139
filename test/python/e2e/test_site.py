# SPDX-License-Identifier: MIT
"""The site of the documentation builds without a warning, its links and pictures exist, and lists are complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warm_python

ROOT = Path(__file__).parents[3]
#: Pages that are read where they are; those of the site are checked when it is built.
PAGES = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "examples/README.md", "benchmarks/README.md")


def test_site(tmp_path):
    """Strictly: a page without a place, a link or an anchor without an aim, a name of Python that does not exist."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site")]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    assert (result.returncode, result.stdout + result.stderr) == (0, "")
    page = (tmp_path / "site" / "reference" / "python.html").read_text()
    assert "MemoryAccessError" in page and "IRSource" in page
    # Nothing is fetched from elsewhere when a page is read.
    home = (tmp_path / "site" / "index.html").read_text()
    assert not re.search(r'(?:src|href)="https?://(?!squidfunk)', home)


@pytest.mark.parametrize("name", PAGES)
def test_links(name):
    """Links to files lead to files."""
    path = ROOT / name
    text = re.sub(r"^```.*?^```$|`[^`]*`\(", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        assert "://" in link or (path.parent / link).exists(), link


def test_readme_is_short():
    assert len((ROOT / "README.md").read_text().splitlines()) <= 120


def test_pictures():
    """The pictures are those that the commands give now."""
    command = [sys.executable, str(ROOT / "scripts" / "draw_pictures.py"), "--check"]
    result = warm_python.run(command)
    assert result.returncode == 0, result.stderr
