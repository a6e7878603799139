# SPDX-License-Identifier: MIT
"""Computations by OpenVINO's plugin for GPUs, for `peers.py`: a model of one operation, compiled for the GPU.

The plugin uses OpenCL, with separate kernels and those of the oneDNN that is linked into it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from peers import Case


@dataclass(frozen=True)
class Model:
    """A compiled model and its inputs, and the shape of the result."""

    compiled: Any
    inputs: Sequence[Any]
    shape: torch.Size

    def execute(self) -> torch.Tensor:
        """Run the model: the plugin copies inputs to the GPU, and the result back."""
        return torch.from_numpy(self.compiled(list(self.inputs))[0]).reshape(self.shape)


def make(folder: Path, case: Case, tensors: Sequence[torch.Tensor]) -> Model:
    """Return the model of a case, in the precision of the tensors. Raises where the plugin finds no GPU."""
    sys.path.insert(0, str(folder))
    import openvino
    from openvino import opset13 as operations

    # Operands by columns are transposed ones by rows.
    by_columns = [each.dim() > 1 and each.stride(-1) != 1 for each in tensors]
    arrays = [
        (each.mT if is_transposed else each).contiguous().numpy()
        for each, is_transposed in zip(tensors, by_columns, strict=True)
    ]
    if case.kind == "product":
        # The right operand is a constant, which the plugin lays out as it wants before the first call.
        arrays, constants = arrays[:1], arrays[1:]
    elif case.kind == "attention":
        # The operation has a batch of heads.
        arrays = [array[None] for array in arrays]
    given = [operations.parameter(array.shape, array.dtype) for array in arrays]
    if case.kind == "product":
        result = operations.matmul(*given, operations.constant(*constants), *by_columns)
    elif case.kind == "softmax":
        result = operations.softmax(*given, axis=-1)
    elif case.kind == "attention":
        result = operations.scaled_dot_product_attention(*given, causal=case.is_causal)
    else:
        raise RuntimeError(f"OpenVINO has no operation for {case.kind}")
    model = openvino.Model([operations.result(result)], given, "peer")
    precision = openvino.Type.f32 if case.dtype == "f32" else openvino.Type.f16
    compiled = openvino.Core().compile_model(model, "GPU", {"INFERENCE_PRECISION_HINT": precision})
    shape = tensors[0].shape if case.kind != "product" else torch.Size((tensors[0].shape[0], tensors[1].shape[1]))
    return Model(compiled, arrays, shape)
