# SPDX-License-Identifier: MIT
"""Compare what two runs of a launch left in the memory of its arguments.

Two numbers of a float type are equal if both are NaN, or if they differ by at most the bound of the type, relative to
the largest magnitude that the launch wrote to the tensor. The bound is 0 for kernels whose bits no correct code can
change (`KernelText.is_exact`). All else is compared bit by bit, with one exception: where integers come from floats
that may differ, a small share of them may, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triton_xe.tools.verify import memory

if TYPE_CHECKING:
    import torch

    from triton_xe.tools.verify.kernel_text import KernelText

#: The largest relative differences, by Triton's names of the types of elements.
BOUNDS = {
    "fp64": 1e-12,
    "fp32": 1e-4,
    "fp16": 4e-3,
    "bf16": 2e-2,
    "fp8e4nv": 0.125,
    "fp8e4b15": 0.125,
    "fp8e5": 0.25,
}
#: A kernel that rounds to a narrower type, and goes on, is as inexact as that. By MLIR's names.
ROUNDED_BOUNDS = {"tf32": 2e-3, "f16": 4e-3, "bf16": 2e-2, "f8E4M3FN": 0.125, "f8E4M3B11FNUZ": 0.125, "f8E5M2": 0.25}
#: Integers that come from inexact floats: one in this number may differ.
INTEGERS_PER_DIFFERENCE = 100
#: MLIR's names of floats by Triton's.
_MLIR_FLOATS = {
    "f64": "fp64",
    "f32": "fp32",
    "f16": "fp16",
    "bf16": "bf16",
    "f8E4M3FN": "fp8e4nv",
    "f8E5M2": "fp8e5",
    "f8E4M3B11FNUZ": "fp8e4b15",
}
_TORCH = {
    "fp64": "float64",
    "fp32": "float32",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp8e4nv": "float8_e4m3fn",
    "fp8e5": "float8_e5m2",
}
_BYTES = {"1": 1, "8": 1, "16": 2, "32": 4, "64": 8}


@dataclass(frozen=True)
class Difference:
    """Elements of a tensor that differ by more than they may."""

    #: The argument, and its number among `Snapshot.tensors()`.
    name: str
    number: int
    #: Index of the first one; None for memory of the storage that is no element of the tensor.
    index: tuple[int, ...] | None
    #: The place of that element, in bytes from the tensor's first element.
    offset: int
    optimized: Any
    reference: Any
    count: int
    #: Elements of the tensor's type that the launch wrote.
    written: int
    #: The largest difference that is none; 0 means bit by bit.
    bound: float
    #: The region, and the first differing byte in it.
    region: int
    byte: int

    def __str__(self) -> str:
        place = f"element {list(self.index)}" if self.index is not None else f"byte {self.offset} from its first one"
        if self.index is not None and len(self.index) == 1:
            place = f"element {self.index[0]}"
        allowed = f"may differ by {self.bound:.3g}" if self.bound else "must be equal"
        return (
            f"{place} of `{self.name}` is {self.optimized}, the reference has {self.reference}; "
            f"{self.count} of {self.written} written elements differ, which {allowed}"
        )


@dataclass(frozen=True)
class _Interpretation:
    """Memory read as elements of a type."""

    tensor: memory.Tensor
    #: Triton's name.
    element: str
    bound: float

    @property
    def is_float(self) -> bool:
        return self.element in BOUNDS

    @property
    def itemsize(self) -> int:
        if self.element in BOUNDS:
            return {"fp64": 8, "fp32": 4, "fp16": 2, "bf16": 2}.get(self.element, 1)
        return _BYTES.get(self.element.lstrip("iu"), 1)

    def elements(self, region: torch.Tensor) -> torch.Tensor:
        """Return the bytes of the region, an element per row, without those that fill none."""
        begin = self.tensor.offset % self.itemsize
        count = (region.numel() - begin) // self.itemsize
        return region[begin : begin + count * self.itemsize].view(count, self.itemsize)

    def numbers(self, rows: torch.Tensor) -> torch.Tensor:
        """Return the values of some of these rows, as f64 if they are floats."""
        import torch

        rows = rows.clone().contiguous()
        if self.element == "fp8e4b15":
            # The sign, four bits of exponent with f16's bias, and three of the mantissa.
            bits = rows.to(torch.int32)
            return (((bits & 0x80) << 8) | ((bits & 0x7F) << 7)).to(torch.int16).view(torch.float16).double().view(-1)
        if self.is_float:
            return rows.view(getattr(torch, _TORCH[self.element])).to(torch.float64).view(-1)
        return rows.view({1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[self.itemsize]).view(-1)


def find(
    text: KernelText,
    tensors: list[memory.Tensor],
    before: list[torch.Tensor],
    optimized: list[torch.Tensor],
    reference: list[torch.Tensor],
) -> Difference | None:
    """Return the first difference, in the order of the arguments; None if there is none.

    The last three are the regions of memory before the launch and after the two runs.
    """
    import torch

    found = []
    for number, (one, other) in enumerate(zip(optimized, reference, strict=True)):
        if torch.equal(one, other):
            continue
        readings = [
            reading for tensor in tensors if tensor.region == number for reading in _interpretations(text, tensor)
        ]
        # No argument leads to the memory of tensors without elements.
        if readings and (difference := _find_in_region(text, tensors, readings, before[number], one, other)):
            found.append(difference)
    return min(found, key=lambda each: each.number, default=None)


def _interpretations(text: KernelText, tensor: memory.Tensor) -> Iterator[_Interpretation]:
    """Yield the types that elements of an argument may have been written as: its own, and those it is cast to."""
    names = [tensor.element]
    names += [_MLIR_FLOATS[kind] for argument, kind in text.casts if argument == tensor.name and kind in _MLIR_FLOATS]
    inside = max((ROUNDED_BOUNDS.get(kind, 0.0) for kind in text.rounded_inside), default=0.0)
    for name in dict.fromkeys(names):
        bound = 0.0 if text.is_exact else max(BOUNDS.get(name, 0.0), inside)
        yield _Interpretation(tensor, name, bound)


def _find_in_region(
    text: KernelText,
    tensors: list[memory.Tensor],
    readings: list[_Interpretation],
    before: torch.Tensor,
    optimized: torch.Tensor,
    reference: torch.Tensor,
) -> Difference | None:
    bad = optimized != reference
    changed = (optimized != before) | (reference != before)
    inside_any = bad.new_zeros(bad.shape)
    for reading in readings:
        first, last = reading.tensor.extent
        inside_any[first:last] = True
    limits: dict[_Interpretation, float] = {}
    for reading in readings:
        first, last = reading.tensor.extent
        mine = ~inside_any
        mine[first:last] = True
        limits[reading] = _forgive(text, reading, mine, bad, changed, optimized, reference)
    if not bool(bad.any()):
        return None
    byte = int(bad.nonzero()[0])
    inside = [each for each in readings if each.tensor.extent[0] <= byte < each.tensor.extent[1]]
    reading = (inside or readings)[0]
    rows = reading.elements(bad)
    begin = reading.tensor.offset % reading.itemsize
    row = max(0, byte - begin) // reading.itemsize
    offset = row * reading.itemsize + begin - reading.tensor.offset
    values = [_shown(reading, each, row) for each in (optimized, reference)]
    return Difference(
        name=reading.tensor.name,
        number=tensors.index(reading.tensor),
        index=reading.tensor.index_of(offset),
        offset=offset,
        optimized=values[0],
        reference=values[1],
        count=int(rows.any(1).sum()),
        written=int(reading.elements(changed).any(1).sum()),
        bound=limits[reading],
        region=reading.tensor.region,
        byte=byte,
    )


def _shown(reading: _Interpretation, region: torch.Tensor, row: int) -> Any:
    value = reading.numbers(reading.elements(region)[row : row + 1]).item()
    bits = 8 * reading.itemsize
    if reading.is_float:
        # The number of digits that distinguishes the numbers of the type.
        return f"{value:.{17 if bits == 64 else 9}g}"
    if reading.element.startswith("u") and value < 0:
        return value + (1 << bits)
    return value


def _forgive(
    text: KernelText,
    reading: _Interpretation,
    mine: torch.Tensor,
    bad: torch.Tensor,
    changed: torch.Tensor,
    optimized: torch.Tensor,
    reference: torch.Tensor,
) -> float:
    """Clear the bytes of `bad` that belong to elements which may differ as they do. Returns the absolute bound."""
    import torch

    rows = (reading.elements(bad) & reading.elements(mine)).any(1).nonzero().view(-1)
    written = reading.elements(changed).any(1) & reading.elements(mine).any(1)
    if not rows.numel():
        return 0.0
    if not reading.is_float:
        may_differ = not text.is_exact and text.decides_by_floats
        if may_differ and rows.numel() * INTEGERS_PER_DIFFERENCE <= int(written.sum()):
            reading.elements(bad)[rows] = False
        return 0.0
    magnitudes = reading.numbers(reading.elements(reference)[written]).abs()
    magnitudes = magnitudes[torch.isfinite(magnitudes)]
    limit = reading.bound * float(magnitudes.max()) if magnitudes.numel() else 0.0
    one, other = (reading.numbers(reading.elements(each)[rows]) for each in (optimized, reference))
    equal = (one == other) | (one.isnan() & other.isnan()) | ((one - other).abs() <= limit)
    reading.elements(bad)[rows[equal]] = False
    return limit
