# SPDX-License-Identifier: MIT
"""Any number of different kernels, to see what compilations do not release."""

from __future__ import annotations

import ctypes
import gc
import shutil
from collections.abc import Iterable
from pathlib import Path

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def pointwise(x_ptr, y_ptr, count, NUMBER: tl.constexpr):
    offsets = tl.program_id(0) * 128 + tl.arange(0, 128)
    x = tl.load(x_ptr + offsets, mask=offsets < count)
    tl.store(y_ptr + offsets, tl.exp(x) * NUMBER + x, mask=offsets < count)


@triton.jit
def rows(x_ptr, y_ptr, count, NUMBER: tl.constexpr):
    row, columns = tl.program_id(0), tl.arange(0, 64)
    x = tl.load(x_ptr + row * count + columns, mask=columns < count, other=0.0)
    largest = tl.max(x, 0)
    total = tl.sum(tl.exp(x - largest), 0)
    if total > NUMBER:
        total += 1.0
    tl.store(y_ptr + row * count + columns, x / total, mask=columns < count)


@triton.jit
def product(x_ptr, y_ptr, count, NUMBER: tl.constexpr):
    lines, columns = tl.arange(0, 16), tl.arange(0, 16)
    total = tl.zeros((16, 16), dtype=tl.float32)
    for k in range(0, count, 16):
        x = tl.load(x_ptr + lines[:, None] * count + k + columns[None, :])
        total += tl.dot(x, x * NUMBER, input_precision="tf32")
    tl.store(y_ptr + lines[:, None] * 16 + columns[None, :], total)


KERNELS = (pointwise, rows, product)


def compile_different(target: GPUTarget, numbers: Iterable[int], cache: Path) -> None:
    """Compile a kernel per number, for any device, and drop it. The files of Triton's cache go as well."""
    for number in numbers:
        with triton.knobs.cache.scope():
            triton.knobs.cache.dir = str(cache / str(number))
            signature = {"x_ptr": "*fp32", "y_ptr": "*fp32", "count": "i32", "NUMBER": "constexpr"}
            source = ASTSource(KERNELS[number % len(KERNELS)], signature, {"NUMBER": float(number)})
            triton.compile(source, target=target, options={"num_warps": 4})
        shutil.rmtree(cache / str(number))


def resident_megabytes() -> float:
    """Return the memory of this process, less what is free in it."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    fields = Path("/proc/self/status").read_text().split("VmRSS:")[1].split()
    return int(fields[0]) / 1024
