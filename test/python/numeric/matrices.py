# SPDX-License-Identifier: MIT
"""Matrices anywhere in memory, for tests of what a surface of 2D block messages may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numerics import poisoned, random_tensor


@dataclass
class Matrix:
    """A matrix somewhere in a larger piece of memory, with any distance between its rows."""

    memory: torch.Tensor
    rows: int
    columns: int
    pitch: int
    first: int

    @classmethod
    def make(cls, rows: int, columns: int, pitch: int, dtype: torch.dtype, seed: int, shift: int = 0) -> Matrix:
        """Return random values; poison between and around the rows. `shift` elements after a multiple of 64 bytes."""
        size = max(rows, 1) * max(abs(pitch), columns) + 512
        memory = poisoned((size,), dtype) if dtype.is_floating_point else torch.full((size,), 77, dtype=dtype)
        element = memory.element_size()
        first = 128 + (-(memory.data_ptr() // element) % (64 // element)) + shift
        first += (rows - 1) * -pitch if pitch < 0 else 0
        matrix = cls(memory, rows, columns, pitch, first)
        for row in range(rows):
            matrix.row(row).copy_(random_tensor((columns,), dtype, seed=seed + row))
        return matrix

    def row(self, row: int) -> torch.Tensor:
        start = self.first + row * self.pitch
        return self.memory[start : start + self.columns]

    @property
    def pointer(self) -> torch.Tensor:
        return self.memory[self.first :]

    def numpy(self, begin: int = 0, end: int | None = None) -> np.ndarray:
        """Return all rows, or some of their columns: rows may be long."""
        return np.stack([self.row(row)[begin:end].to(torch.float64).numpy() for row in range(self.rows)])


def window(values: np.ndarray, row: int, column: int, rows: int, columns: int) -> np.ndarray:
    """Return a part of the matrix that is zero outside."""
    result = np.zeros((rows, columns))
    top, left = max(0, -row), max(0, -column)
    inside = values[max(0, row) : row + rows, max(0, column) : column + columns]
    inside = inside[: max(0, rows - top), : max(0, columns - left)]
    result[top : top + inside.shape[0], left : left + inside.shape[1]] = inside
    return result
