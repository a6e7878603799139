# SPDX-License-Identifier: MIT
"""Products and attention by every addressing mode, against float64; every rule of 2D block messages is checked."""

from __future__ import annotations

import pytest
import torch
from allpairspy import AllPairs
from kernel_suite.addressing_modes import ADDRESSING_MODES, Attention, Gemm, needs_whole_tiles
from kernel_suite.case import Session
from numerics import assert_close

TILE = (32, 32, 32)
VARIANTS = {
    "mode": list(ADDRESSING_MODES),
    "dtype": [
        torch.bfloat16, torch.float16, torch.float32, torch.int8, torch.float8_e5m2, torch.float8_e4m3fn,
    ],
    # Whole tiles; rows that messages can have, but no whole tiles; what no message takes.
    "shape": [(64, 96, 128), (48, 80, 112), (33, 72, 40), (7, 5, 3)],
    "columns": ["", "a", "b"],
    "gap": [0, 16, 3],
    "batch": [0, 3],
    "add": [False, True],
}  # fmt: skip


def is_meaningful(values: list) -> bool:
    """Return whether the addressing mode allows the case. A prefix of a combination is checked, too."""
    case = dict(zip(VARIANTS, values, strict=False))
    mode, shape = case["mode"], case.get("shape", (64, 96, 128))
    if mode == "no_masks" and shape != (64, 96, 128):
        return False
    if "descriptors" not in mode:
        return True
    # Rows of a descriptor are multiples of 16 bytes apart, in all Tritons for those of the host.
    dtype = case.get("dtype", torch.int8)
    gap = case.get("gap", 0)
    lengths = (*shape[1:], shape[0]) if case.get("columns") == "a" else shape[1:]
    if any((length + gap) * dtype.itemsize % 16 for length in lengths):
        return False
    return not (mode == "host_descriptors" and case.get("batch") and case.get("columns"))


CASES = [
    dict(zip(VARIANTS, values, strict=True)) for values in AllPairs(list(VARIANTS.values()), filter_func=is_meaningful)
]


def name(case: dict) -> str:
    shape = "x".join(map(str, case["shape"]))
    extras = [f"{case['columns']}_columns"] * bool(case["columns"]) + ["add"] * case["add"]
    words = [
        case["mode"],
        str(case["dtype"]).removeprefix("torch."),
        shape,
        f"gap{case['gap']}",
        f"batch{case['batch']}",
    ]
    return "-".join(words + extras)


def check(problem: Gemm | Attention, mode: str) -> None:
    session = Session(seed=sum(str(problem).encode()))
    for result in problem.run(session, mode):
        assert_close(result.actual, result.expected, result.tolerance)
    session.check_untouched()


@pytest.mark.parametrize("case", CASES, ids=name)
def test_gemm(case):
    keywords = {key: value for key, value in case.items() if key != "mode"}
    check(Gemm(tile=TILE, **keywords), case["mode"])


@pytest.mark.conformance
@pytest.mark.parametrize("mode", list(ADDRESSING_MODES))
def test_attention(mode):
    for length in (64, 96) if needs_whole_tiles(mode, Attention(64, (32, 32))) else (64, 50):
        check(Attention(length, (32, 32), head=32, dtype=torch.float16), mode)


@pytest.mark.conformance
@pytest.mark.parametrize("mode", list(ADDRESSING_MODES))
def test_small_gemm(mode):
    """One product for every Triton."""
    check(Gemm((64, 64, 64), TILE, torch.float16, add=True), mode)
