# SPDX-License-Identifier: MIT
"""Kernels built from expressions of the language, to test elementwise code over many operations and types."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import torch

#: Elements of every tensor: 8 registers of each work-item with 4 sub-groups of 16, so that vectors are whole.
SIZE = 512

_HEADER = """
import triton
import triton.language as tl
from triton.language.extra import libdevice

"""


@cache
def _directory() -> Path:
    return Path(tempfile.mkdtemp(prefix="triton-xe-expressions-"))


def _write_module(source: str) -> object:
    """Return the kernel in `source`. Triton reads a kernel from its file, so there must be one."""
    name = "kernel_" + hashlib.sha256(source.encode()).hexdigest()[:16]
    if name not in sys.modules:
        path = _directory() / f"{name}.py"
        path.write_text(source)
        specification = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(specification)
        sys.modules[name] = module
        specification.loader.exec_module(module)
    return sys.modules[name]


def make_kernel(expressions: Sequence[str], inputs: str = "x", shape: str = "vector") -> Callable:
    """Return a kernel that stores each of `expressions` over the names in `inputs`.

    `shape` is `vector` (tensors of SIZE elements) or `scalar` (program i handles element i).
    """
    names = list(inputs)
    arguments = [f"{name}_ptr" for name in names] + [f"out{i}_ptr" for i in range(len(expressions))]
    lines = ["@triton.jit", f"def kernel({', '.join(arguments)}, SIZE: tl.constexpr):"]
    lines += ["    index = tl.arange(0, SIZE)" if shape == "vector" else "    index = tl.program_id(0)"]
    lines += [f"    {name} = tl.load({name}_ptr + index)" for name in names]
    lines += [f"    tl.store(out{i}_ptr + index, {text})" for i, text in enumerate(expressions)]
    return _write_module(_HEADER + "\n".join(lines) + "\n").kernel


def evaluate(
    expressions: Sequence[str],
    inputs: dict[str, torch.Tensor],
    outputs: Sequence[torch.dtype],
    shape: str = "vector",
    **options: object,
) -> list[torch.Tensor]:
    """Run `expressions` on the device. Outputs start with a pattern that no test expects everywhere."""
    kernel = make_kernel(tuple(expressions), "".join(inputs), shape)
    results = [torch.full((SIZE * dtype.itemsize,), 0xA5, dtype=torch.uint8).view(dtype) for dtype in outputs]
    grid = (1,) if shape == "vector" else (SIZE,)
    kernel[grid](*inputs.values(), *results, SIZE=SIZE, **options)
    return results
