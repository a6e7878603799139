# SPDX-License-Identifier: MIT
"""Let compiled functions assume that inputs on the CPU are aligned, as torch does for GPUs.

On GPUs, torch compiles for the alignment of the first inputs, up to 16 bytes, and copies later inputs with less. On
CPUs it assumes nothing, but blocks of matrices and tensor descriptors need aligned addresses on every device.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature


def change(changes: Changes) -> None:
    """Assume aligned inputs if Inductor generates Triton for CPU tensors."""
    from torch._inductor import compile_fx, graph, utils

    for module in (utils, graph, compile_fx):
        changes.replace(module, "should_assume_input_aligned", assume_aligned)
    changes.replace(compile_fx, "get_input_idxs_to_check", find_inputs_to_check)


def assume_aligned(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return whether code for this input, and for later ones in its place, assumes alignment."""
    from torch._inductor import config
    from torch._inductor.utils import tensor_is_aligned

    def should_assume_input_aligned(example: Any) -> bool:
        if example.device.type != "cpu" or config.cpu_backend != "triton":
            return original(example)
        return config.assume_aligned_inputs or tensor_is_aligned(example)

    return should_assume_input_aligned


def find_inputs_to_check(original: Callable[..., Sequence[int]]) -> Callable[..., Sequence[int]]:
    """Return the inputs that each call copies if they are not aligned."""
    import torch
    from torch._inductor import compile_fx
    from torch._inductor.utils import tensor_is_aligned

    def needs_check(value: Any, static: bool) -> bool:
        if not isinstance(value, torch.Tensor) or value.device.type != "cpu":
            return False
        with compile_fx.maybe_get_suppress_shape_guards_ctx():
            return not (static and tensor_is_aligned(value)) and compile_fx.should_assume_input_aligned(value)

    def get_input_idxs_to_check(inputs: Sequence[Any], static_input_idxs: Sequence[int]) -> Sequence[int]:
        on_cpu = (i for i, value in enumerate(inputs) if needs_check(value, i in static_input_idxs))
        return sorted({*original(inputs, static_input_idxs), *on_cpu})

    return get_input_idxs_to_check


FEATURES = (Feature("aligned inputs on the CPU", change),)
