# SPDX-License-Identifier: MIT
"""Compile flex attention of CPU tensors with the Triton templates that torch has for GPUs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from triton_xe.compat import originals
from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature
from triton_xe.compat.functions import with_constants, without_cpu


def change(changes: Changes) -> None:
    """Lower flex attention to Triton, forward and backward, where Inductor generates Triton for CPU tensors."""
    import torch
    from torch._inductor import lowering
    from torch._inductor.kernel.flex import flex_attention, flex_decoding
    from torch.nn.attention import flex_attention as language

    # Torch has a C++ template for CPUs alone, which knows neither gradients nor the logarithm of the sum.
    changes.replace(language, "_validate_device", without_cpu)
    changes.replace(language, "_apply_kernel_options", without_cpu)
    changes.replace(flex_decoding, "get_split_k", split_by_processors)
    # The lowering has its name from there.
    for module in (flex_decoding, flex_attention):
        changes.replace(module, "_use_flex_decoding", decode_in_one_block)
    if not originals.is_replaced(flex_attention, "flex_attention"):
        changes.keep(lowering, "lowerings")
        changes.replace(flex_attention, "flex_attention", choose_template)
        lowering.register_lowering(torch.ops.higher_order.flex_attention, type_promotion_kind=None)(
            flex_attention.flex_attention
        )


def choose_template(original: Callable) -> Callable:
    """Return the lowering of the operation; on other devices, and with another CPU backend, it is torch's own."""
    from torch._inductor import config

    lower = inspect.unwrap(original)
    # Heads may be smaller than the smallest product of an NVIDIA GPU: 16.
    lower_as_gpu = with_constants(lower, {"cpu": None, 16: 0})

    def flex_attention(query: Any, *arguments: Any, **named: Any) -> Any:
        ours = query.get_device().type == "cpu" and config.cpu_backend == "triton"
        return (lower_as_gpu if ours else lower)(query, *arguments, **named)

    return flex_attention


def decode_in_one_block(original: Callable[..., bool]) -> Callable[..., bool]:
    """Return whether a query is short enough for the template of decoding. There, heads that share keys are rows of one
    block, and torch has no kernel for more rows than a block of a mask has."""
    from torch._inductor.virtualized import V
    from torch.nn.attention.flex_attention import _DEFAULT_SPARSE_BLOCK_SIZE

    def use_flex_decoding(query: Any, kv_indices: Any, value: Any, *arguments: Any, **named: Any) -> bool:
        if not original(query, kv_indices, value, *arguments, **named):
            return False
        (_, heads, rows, _), shared = query.get_size(), value.get_size()[1]
        return V.graph.sizevars.optimization_hint(rows * heads // shared) <= _DEFAULT_SPARSE_BLOCK_SIZE

    return use_flex_decoding


def split_by_processors(original: Callable[[int, int, int], int]) -> Callable[[int, int, int], int]:
    """Return into how many parts the keys of a short query are divided. Torch derives this from the size of a GPU."""
    import torch
    from torch._inductor import utils

    def get_split_k(batch: int, heads: int, keys: int) -> int:
        if torch.cuda.is_available() or torch.xpu.is_available():
            return original(batch, heads, keys)
        return max(utils.get_max_num_sms() // max(batch * heads, 1) * 2, 1)

    return get_split_k


FEATURES = (Feature("flex attention of CPU tensors", change),)
