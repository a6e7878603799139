# SPDX-License-Identifier: MIT
"""Measure how much of a scope the scopes in it cover: what measuring itself takes away from a profile.

A GEMM on the CPU device whose tile is load, product and store in turn. Exits with 1 where less than 90 % is covered.

    .venv/bin/python benchmarks/profile_scopes.py
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from profile_gemm import multiply

from triton_xe.tools import profiler

#: M, N, K and the number of warps.
PROBLEMS = ((512, 512, 512, 4), (512, 512, 512, 8), (256, 256, 1024, 1))
LEAST = 0.9


def nodes(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield tree
    for child in tree["children"]:
        yield from nodes(child)


def covered(m: int, n: int, k: int, num_warps: int) -> tuple[float, float]:
    """Return the part of `tile` that is in a separate scope, and cycles of the whole, in millions."""
    a, b = torch.randn(m, k, dtype=torch.bfloat16), torch.randn(k, n, dtype=torch.bfloat16)
    c = torch.empty(m, n)
    with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as folder:
        name = str(Path(folder, "gemm"))
        # All records are kept.
        session = profiler.start(name, backend="instrumentation", mode="default:buffer_strategy=flush")
        for _ in range(3):
            multiply[m // 64, n // 64](a, b, c, m, n, k, 64, 64, 32, num_warps=num_warps)
        profiler.finalize(session)
        root = json.loads(Path(f"{name}.hatchet").read_text())[0]
    tile = next(node for node in nodes(root) if node["frame"]["name"] == "tile")
    cycles = tile["metrics"]["cycles"]
    return sum(child["metrics"]["cycles"] for child in tile["children"]) / cycles, cycles / 1e6


def main() -> int:
    print(f"{'M':>6}{'N':>6}{'K':>6}{'warps':>7}{'covered':>9}{'Mcycles':>9}")
    is_enough = True
    for problem in PROBLEMS:
        part, cycles = covered(*problem)
        is_enough &= part >= LEAST
        print("{:>6}{:>6}{:>6}{:>7}".format(*problem) + f"{part:>9.3f}{cycles:>9.1f}")
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
