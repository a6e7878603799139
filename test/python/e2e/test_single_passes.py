# SPDX-License-Identifier: MIT
"""No pass crashes on valid IR, also on such as no pipeline would give it: `triton-xe-opt` and replaced stages may."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from fuzz.mutating import PASSES, compile_text

from triton_xe import _compiler, errors

FOLDER = Path(__file__).parents[2]
#: Parts that all pairs of a text and a pass are dealt into.
PARTS = 16


def is_valid(text: str) -> bool:
    """Return whether the text can be parsed and verified: some tests have what cannot."""
    try:
        _compiler.Module.parse(text, "lit")
    except errors.CompileError as error:
        assert "crashed" not in str(error)
        return False
    return True


def without_layouts(text: str) -> str:
    """Return the text with tensors as TTIR has them."""
    return re.sub(r", #\w+>", ">", text)


@cache
def texts() -> list[str]:
    """Return the IR of all stages that the lit tests have, with and without layouts."""
    pieces = [
        piece
        for path in sorted(FOLDER.rglob("*.mlir"))
        for piece in re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE)
    ]
    return list(filter(is_valid, dict.fromkeys(pieces + [without_layouts(piece) for piece in pieces])))


def crashes(text: str, name: str) -> list[str]:
    """Return what is wrong with how a pass takes the text, followed by the text."""
    _, finding = compile_text(text, name)
    return [f"{name} {finding}:\n{text}"] if finding else []


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.full) for part in range(1, PARTS))])
def test_every_pass(part):
    """Each text goes through every sixteenth pass, its neighbour through others; with `--full` through all of them."""
    assert len(texts()) > 400
    found = []
    for row, text in enumerate(texts()):
        for column, name in enumerate(PASSES):
            if (row + column) % PARTS == part:
                found += crashes(text, name)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", PASSES)
def test_ttir(name):
    """The wheel's input for the first stage goes through any pass: an error, or another module."""
    found = []
    for path in sorted((FOLDER / "Inputs" / "ttir").glob("*/*.ttir"))[::12]:
        found += crashes(path.read_text(), name)
    assert not found, "\n".join(found)
