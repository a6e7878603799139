# SPDX-License-Identifier: MIT
"""Layouts of DPAS for kernels in Gluon."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from triton.experimental.gluon.language import DistributedLinearLayout, dtype
from triton.language.core import _unwrap_if_constexpr as unwrap

from triton_xe import errors

#: Rows that are added up in one instruction, in units of 32 bits; the columns of its result; its lanes.
SYSTOLIC_DEPTH, EXECUTION_SIZE, LANES = 8, 16, 16


@dataclass(frozen=True)
class DPASLayout:
    """How the warps of a program share a product of matrices on DPAS.

    An instruction adds up to `repeat_count` rows of 16 columns. Each warp computes a cluster of `rep_cluster`
    instructions (down, across), and warps lie side by side as `warps_per_cta` states (down, across). The clusters of
    all warps together repeat until they cover the result. Warps have 16 lanes.

    The methods return the layouts of tensors, `gl.DistributedLinearLayout` of their shapes. `xe.dot` finds this layout
    again in those of its operands and its accumulator.

    Raises CompileError for numbers that no instruction or kernel can have.
    """

    warps_per_cta: Sequence[int]
    rep_cluster: Sequence[int] = field(default=(1, 1))
    repeat_count: int = 8

    def __post_init__(self) -> None:
        for name in ("warps_per_cta", "rep_cluster"):
            numbers = tuple(unwrap(number) for number in unwrap(getattr(self, name)))
            if len(numbers) != 2:
                raise errors.CompileError(f"expected `{name}` to have two numbers, rows and columns: {list(numbers)}")
            super().__setattr__(name, numbers)
        super().__setattr__("repeat_count", unwrap(self.repeat_count))

    def accumulator(self, shape: Sequence[int]) -> DistributedLinearLayout:
        """Return the layout of a result, or of an accumulator, of this shape (rows, columns)."""
        return _read(self._encoding(bits=16), shape)

    def operand(self, index: int, shape: Sequence[int], element: dtype) -> DistributedLinearLayout:
        """Return the layout of the left (0) or right (1) operand of this shape, with elements of 8, 16 or 32 bits."""
        index, bits = unwrap(index), unwrap(element).primitive_bitwidth
        if index not in (0, 1):
            raise errors.CompileError(f"expected 0 or 1 as number of an operand, found {index}")
        if bits not in (8, 16, 32):
            raise errors.CompileError(f"DPAS has operands of 8, 16 or 32 bits, and `{unwrap(element)}` has {bits}")
        # A lane holds this number of neighbours along K: of a row on the left, in 32 bits of a column on the right.
        neighbours = max(1, SYSTOLIC_DEPTH * (32 // bits) // EXECUTION_SIZE) if index == 0 else 32 // bits
        return _read(f"#ttg.dot_op<{{opIdx = {index}, parent = {self._encoding(bits)}, kWidth = {neighbours}}}>", shape)

    def _encoding(self, bits: int) -> str:
        """Return our compiler's text of this layout for operands of `bits` bits."""
        return (
            f"#ttig.dpas<{{repeatCount = {self.repeat_count}, systolicDepth = {SYSTOLIC_DEPTH}, "
            f"executionSize = {EXECUTION_SIZE}, opsPerChan = {32 // bits}, threadsPerWarp = {LANES}, "
            f"warpsPerCTA = {list(self.warps_per_cta)}, repCluster = {list(self.rep_cluster)}}}>"
        )


def _read(encoding: str, shape: Sequence[int]) -> DistributedLinearLayout:
    return _read_again(encoding, tuple(unwrap(size) for size in unwrap(shape)))


@functools.cache
def _read_again(encoding: str, shape: tuple[int, ...]) -> Any:
    """Return the layout of an encoding for a shape, as Gluon has it. Our compiler knows where the elements are."""
    from triton_xe import compiler

    if len(shape) != 2:
        raise errors.CompileError(f"DPAS multiplies matrices, and the shape {list(shape)} is not one of a matrix")
    bases = dict(compiler.native_compiler().describe_layout(encoding, list(shape)).bases)
    return DistributedLinearLayout(bases["register"], bases["lane"], bases["warp"], [], list(shape))
