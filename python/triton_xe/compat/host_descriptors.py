# SPDX-License-Identifier: MIT
"""Make tensor descriptors of the host quickly."""

from __future__ import annotations

import contextlib
import dataclasses
from types import ModuleType

from triton import _utils
from triton.tools import tensor_descriptor

from triton_xe import errors
from triton_xe.compat import changes

#: The fields that descriptors made without Python have.
_FIELDS = ("base", "shape", "strides", "block_shape", "padding", "round_f32_to_tf32")


def install(runtime: ModuleType) -> None:
    """Let `TensorDescriptor.from_tensor` make the same objects with the same checks, but not in Python.

    A Triton whose descriptors have other fields keeps its own function.
    """
    cls = tensor_descriptor.TensorDescriptor
    if not hasattr(_utils, "TRITON_MAX_TENSOR_NUMEL"):
        return
    if tuple(field.name for field in dataclasses.fields(cls)) != _FIELDS:
        return
    with contextlib.suppress(errors.CompatibilityError):
        changes.replace(
            cls,
            "from_tensor",
            lambda original: runtime.make_descriptor_function(cls, original, _utils.TRITON_MAX_TENSOR_NUMEL),
            staticmethod,
        )
