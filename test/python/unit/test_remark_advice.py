# SPDX-License-Identifier: MIT
"""Each remark of the compiler comes with advice."""

from __future__ import annotations

import re
from pathlib import Path

import torch
import triton
import triton.language as tl

from triton_xe import errors
from triton_xe.remark_advice import ADVICE

ROOT = Path(__file__).parents[3]


def read_names() -> set[str]:
    """Return the names of remarks in the sources: in calls, or those of obstacles to messages."""
    sources = {
        path: path.read_text() for folder in ("lib", "third_party/intel/lib") for path in (ROOT / folder).rglob("*.cpp")
    }
    names: set[str] = set()
    for text in sources.values():
        names |= set(re.findall(r'RemarkOpts::name\(\s*"([\w-]+)"\)', text))
        # Passes with several remarks of one kind have a function for it.
        names |= set(re.findall(r'\breport\((?:\w+(?:->|\.))?load, "([\w-]+)"', text))
    obstacles = sources[ROOT / "third_party/intel/lib/Analysis/Blocks/BlockAccess.cpp"]
    names |= set(re.findall(r'case BlockAccessObstacle::\w+:\s+return "([\w-]+)";', obstacles))
    # An access without an obstacle has no remark, and analyses are for tools only.
    return names - {"none", "layout-choice"}


def test_all_remarks_are_there():
    assert read_names() == set(ADVICE)


@triton.jit
def scattered(x, y, N: tl.constexpr):
    rows, columns = tl.arange(0, N)[:, None], tl.arange(0, N)[None, :]
    tl.store(y + rows * N + columns, tl.trans(tl.load(x + rows * N + columns)))


def test_remarks_are_printed_with_it(monkeypatch, capsys):
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    x, y = torch.randn(32, 32), torch.zeros(32, 32)
    scattered[(1,)](x, y, N=32)
    assert torch.equal(y, x.T)
    printed = capsys.readouterr().err
    assert "remark: " in printed
    assert printed.count("remark: ") == len(re.findall(r"^note: (?:good|slower|check|note): ", printed, re.MULTILINE))


def test_remarks_in_reports_keep_it():
    class Native:
        class severity:
            name = "REMARK"

        message, name, locations, notes = "text", "split", (), ()

    remark = errors.Diagnostic.from_native(Native)
    assert [note.message for note in remark.notes] == [str(ADVICE["split"])]
