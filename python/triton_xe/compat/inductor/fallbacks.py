# SPDX-License-Identifier: MIT
"""Let torch compute functions that our `libdevice` lacks, outside of the kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature

#: Inductor's names of Bessel functions. For other special functions torch has no Triton code, either.
MISSING = (
    *("bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1"),
    *("i0", "i1", "modified_bessel_i0", "modified_bessel_i1"),
)


def change(changes: Changes) -> None:
    """Replace the lowerings of these functions on the devices that this package compiles for."""
    import torch
    from torch._inductor import lowering

    lowerings = changes.keep(lowering, "lowerings")
    for name in MISSING:
        for namespace in (torch.ops.aten, torch.ops.prims):
            for operation, _, _ in lowering._get_pointwise_overrides(namespace, name):
                original = lowerings[operation]
                if not getattr(original, "is_triton_xe", False):
                    lowerings[operation] = compute_outside(operation, original)


def compute_outside(operation: Any, original: Callable) -> Callable:
    """Return the lowering of an operation to a call of torch's own function."""
    from torch._inductor import config, lowering

    call = lowering.fallback_handler(operation)

    def lower(x: Any) -> Any:
        device = x.get_device().type
        ours = device == "xpu" or (device == "cpu" and config.cpu_backend == "triton")
        return call(x) if ours else original(x)

    lower.is_triton_xe = True
    return lower


FEATURES = (Feature("Bessel functions, which torch computes outside of kernels", change),)
