# SPDX-License-Identifier: MIT
"""Launch kernels whose programs need private global memory (`ttg.global_scratch_alloc`)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from triton.runtime import _allocation


def with_global_scratch(launch: Callable[..., None], metadata: Any) -> Callable[..., None]:
    """Return a launcher that gives the kernel memory for all programs.

    The memory comes from the allocator of `triton.set_allocator` or, without one, from torch.
    """
    program_bytes, alignment = metadata.global_scratch_size, metadata.global_scratch_align
    device = metadata.target.backend

    @functools.wraps(launch)
    def launch_with_scratch(*arguments: Any) -> None:
        x, y, z, stream = arguments[:4]
        allocate = _allocation._allocator.get()
        if isinstance(allocate, _allocation.NullAllocator):
            memory = allocate_with_torch(x * y * z * program_bytes, alignment, device)
        else:
            memory = allocate(x * y * z * program_bytes, alignment, stream)
        launch(*arguments, memory)

    return launch_with_scratch


def allocate_with_torch(num_bytes: int, alignment: int, device: str) -> Any:
    """Return a tensor of this many bytes, whose address is a multiple of `alignment`."""
    import torch

    # More than any alignment needs: where it begins is not known before.
    memory = torch.empty(num_bytes + alignment, dtype=torch.uint8, device=device)
    return memory[-memory.data_ptr() % alignment :][:num_bytes]
