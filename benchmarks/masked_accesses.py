# SPDX-License-Identifier: MIT
"""Native code of kernels with masks, in both forms of masked loads: branches, and constants that they read elsewhere.

The figures are static, so no GPU is needed. A GPU gets the second form, the CPU device the first.

    .venv/bin/python benchmarks/masked_accesses.py [--kernel softmax] [--csv out.csv]
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
import triton
from triton.backends.compiler import GPUTarget

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))

from kernel_suite import embedding, normalization, pointwise, softmax
from kernel_suite.case import Launch

from triton_xe.compiler import XeBackend

#: A bound that is a multiple of 16 gives all elements of a vector one mask.
ODD, EVEN = 1001, 1024


def tensor(dtype: torch.dtype = torch.float16) -> torch.Tensor:
    """Return a tensor to compile for."""
    return torch.empty(16, dtype=dtype)


def rows(kernel: Callable, columns: int, *more: object, pointers: int = 2, **keywords: object) -> Launch:
    """A kernel of rows that are `columns` long and `EVEN` apart."""
    return Launch(kernel, (1,), (*(tensor() for _ in range(pointers)), EVEN, *more, columns), keywords)


def layer_norm(columns: int) -> Launch:
    """Half-precision rows, and their mean and deviation in single precision."""
    pointers = (tensor(), tensor(torch.float32), tensor(torch.float32), tensor(), tensor(), tensor())
    return Launch(normalization.layer_norm_kernel, (1,), (*pointers, EVEN, columns, 1e-5), {"BLOCK": 1024})


def cross_entropy(columns: int) -> Launch:
    """A row of logits in blocks."""
    pointers = (tensor(torch.float32), tensor(torch.float32), tensor(), tensor(torch.int64))
    return Launch(softmax.cross_entropy_kernel, (1,), (*pointers, EVEN, columns, 0.1), {"IGNORE": -100, "BLOCK": 2048})


def embed(columns: int) -> Launch:
    """Rows of a table."""
    pointers = (tensor(), tensor(), tensor(torch.int32))
    return Launch(embedding.embedding_kernel, (1,), (*pointers, ODD, columns), {"ROWS": 4, "BLOCK": 1024})


KERNELS: dict[str, Launch] = {
    "vector add": Launch(pointwise.vector_add_kernel, (1,), (tensor(), tensor(), tensor(), ODD), {"BLOCK": 1024}),
    "vector add, vectors": Launch(
        pointwise.vector_add_kernel, (1,), (tensor(), tensor(), tensor(), EVEN), {"BLOCK": 1024}
    ),
    "softmax": rows(softmax.softmax_row_kernel, ODD, EVEN, BLOCK=1024),
    "softmax, vectors": rows(softmax.softmax_row_kernel, EVEN, EVEN, BLOCK=1024),
    "softmax backward": rows(softmax.softmax_row_backward_kernel, ODD, pointers=3, BLOCK=1024),
    "layer norm": layer_norm(ODD),
    "layer norm, vectors": layer_norm(EVEN),
    "cross entropy": cross_entropy(ODD),
    "gather": Launch(
        embedding.gather_kernel,
        (1,),
        (tensor(torch.float32), tensor(torch.float32), tensor(torch.int32), ODD),
        {"BLOCK": 1024},
    ),
    "embedding": embed(ODD),
    "embedding, vectors": embed(EVEN),
}
FORMS = {"branches": True, "constants": False}
COLUMNS = ("instructions", "sends", "jumps", "waits", "scratch")


def figures(launch: Launch, branches: bool) -> dict[str, int]:
    """Compile a kernel for a GPU; `waits` are instructions that do nothing else."""

    target = GPUTarget("xpu", "pvc", 16)
    source, options = launch.source(target, generate_native_code=True)
    original = XeBackend.wants_cpu_form
    XeBackend.wants_cpu_form = lambda self, options: branches
    try:
        # The form is a matter of the device, hence in no key of the cache.
        with tempfile.TemporaryDirectory(prefix="triton-xe-bench-") as cache:
            triton.knobs.cache.dir = cache
            compiled = triton.compile(source, target=target, options=options)
    finally:
        XeBackend.wants_cpu_form = original
    total = compiled.metadata.native["total"]
    return {
        "instructions": total["instructions"],
        "sends": total["sends"],
        "jumps": total["jumps"],
        "waits": compiled.asm["isa"].count("sync."),
        "scratch": total["scratch_messages"],
    }


def main() -> int:
    """Command line; see --help."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernel", nargs="+", choices=list(KERNELS), default=list(KERNELS))
    parser.add_argument("--csv", type=Path, help="also write the rows to a file")
    arguments = parser.parse_args()
    print(f"{'kernel':<22}{'form':<11}" + "".join(f"{column:>{len(column) + 2}}" for column in COLUMNS))
    table = []
    for kernel in arguments.kernel:
        for form, branches in FORMS.items():
            row = {"kernel": kernel, "form": form, **figures(KERNELS[kernel], branches)}
            table.append(row)
            print(f"{kernel:<22}{form:<11}" + "".join(f"{row[column]:>{len(column) + 2}}" for column in COLUMNS))
    if arguments.csv:
        with arguments.csv.open("w", newline="") as file:
            writer = csv.DictWriter(file, ["kernel", "form", *COLUMNS])
            writer.writeheader()
            writer.writerows(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
