# SPDX-License-Identifier: MIT
"""Two small kernels that tests put into bundles, and processes that launch them.

As a program this module launches its kernels, and prints whether they are right and whether LLVM was loaded.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import torch
import triton
import triton.language as tl


@triton.jit
def add_one(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def triple(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 3, mask=i < n)


def run(kernel, expected, **options) -> None:
    """Launch a kernel, and check its result."""
    x, y = torch.randn(1000), torch.full((1000,), float("nan"))
    kernel[(4,)](x, y, 1000, 256, **options)
    torch.testing.assert_close(y, expected(x))


def run_all(**options) -> None:
    """Launch both kernels."""
    run(add_one, lambda x: x + 1, **options)
    run(triple, lambda x: x * 3, **options)


@dataclass(frozen=True)
class Result:
    """What a process has printed."""

    status: int
    output: str
    messages: str


def launch(bundle: Path | None, cache: Path, *arguments: str, **variables: str) -> Result:
    """Launch the kernels in a process of its own, which has this bundle and this cache."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRITON_")}
    environment |= {"TRITON_CACHE_DIR": str(cache)} | ({"TRITON_XE_BUNDLE": str(bundle)} if bundle else {})
    process = subprocess.run(
        [sys.executable, __file__, *arguments], env=environment | variables, capture_output=True, text=True, check=False
    )
    return Result(process.returncode, process.stdout, process.stderr)


def cached(folder: Path) -> None:
    """Compile the kernels into a cache of Triton's."""
    result = launch(None, folder)
    assert result.output == "right, with LLVM\n", result.messages


def main() -> None:
    """Launch the kernels with the options of the command line, such as `num_warps=8`."""
    run_all(**{name: int(value) for name, _, value in (text.partition("=") for text in sys.argv[1:])})
    print(f"right, {'with' if 'triton_xe._compiler' in sys.modules else 'without'} LLVM")


if __name__ == "__main__":
    main()
