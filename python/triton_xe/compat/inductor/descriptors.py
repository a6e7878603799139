# SPDX-License-Identifier: MIT
"""Tensor descriptors in compiled functions: allow them on every device, and correct two mistakes of torch."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature, find_any
from triton_xe.compat.functions import has_constant, without_cpu

#: Functions of `torch.utils._triton` that return whether a device has descriptors, which torch assumes of some GPUs
#: only. The first function has its second name since torch 2.14.
DEVICE_QUESTIONS = (
    ("_device_supports_tma", "_device_supports_tensor_descriptor"),
    ("has_triton_tma_device",),
    ("has_triton_stable_tma_api",),
)
#: Functions that cache the results of these.
HOST_QUESTIONS = ("has_triton_tensor_descriptor_host_tma", "has_triton_experimental_host_tma", "has_triton_tma")


def support_devices(changes: Changes) -> None:
    """Report to torch that every device has descriptors."""
    from torch._inductor.codegen import triton as codegen
    from torch.utils import _triton

    templates = find_templates()
    for names in DEVICE_QUESTIONS:
        name = find_any(_triton, *names)
        for owner in (_triton, codegen, templates):
            # Two of them are imported by name.
            if owner is _triton or hasattr(owner, name):
                changes.replace(owner, name, device_supports_descriptors)
    for name in HOST_QUESTIONS:
        getattr(_triton, name).cache_clear()


def find_templates() -> Any:
    """Return torch's module with the tile sizes of Triton templates, which torch 2.14 has moved."""
    try:
        from torch._inductor.heuristics.template import triton as templates
    except ImportError:
        from torch._inductor.template_heuristics import triton as templates
    return templates


def ask_blackwell(changes: Changes) -> None:
    """Keep torch from logging an error on machines without an NVIDIA GPU."""
    from torch._inductor.codegen.cuda import cuda_env

    changes.replace(cuda_env, "is_datacenter_blackwell_arch", query_only_nvidia)


def use_in_kernels(changes: Changes) -> None:
    """Let Inductor's own kernels use descriptors."""
    from torch._inductor.codegen import triton as codegen

    changes.replace(codegen.TMACompatibilityChecker, "can_use_tma", can_use_descriptor)
    check = "are_block_parameters_compatible"
    # Since torch 2.14 blocks on CPUs may have any size, but Triton refuses rows of less than 16 bytes.
    if has_constant(getattr(codegen.TMACompatibilityChecker, check), "cpu"):
        changes.replace(codegen.TMACompatibilityChecker, check, without_cpu)


def keep_kernels(changes: Changes) -> None:
    """Keep every kernel that reads and writes a tensor through host descriptors."""
    from torch._inductor import ir

    changes.replace(ir.TMADescriptor, "create", lambda _original: create_descriptor, classmethod)


def keep_padding(changes: Changes) -> None:
    """Make compiled functions respect the padding of host descriptors."""
    from torch._dynamo.variables import functions

    changes.replace(functions.CreateTMADescriptorStableVariable, "call_function", check_padding)


def device_supports_descriptors(original: Callable[[], bool]) -> Callable[[], bool]:
    """Return whether a device supports descriptors; for NVIDIA's GPUs torch decides."""
    import torch

    return lambda: not torch.cuda.is_available() or original()


def query_only_nvidia(original: Callable[[], bool]) -> Callable[[], bool]:
    """Return whether the device has a feature of NVIDIA's. Without such a GPU torch would log an error."""
    import torch

    return lambda: torch.cuda.is_available() and original()


def can_use_descriptor(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return whether Inductor's own kernels may use descriptors (`config.triton.use_tensor_descriptor`)."""
    from torch._inductor import config
    from torch._inductor.utils import _TMA_SUPPORTED_DTYPES
    from torch._inductor.virtualized import V

    def can_use_tma(self: Any) -> bool:
        if V.graph.get_current_device_or_throw().type != "cpu":
            return original(self)
        if self.force:
            return True
        asked_for = config.triton.use_tensor_descriptor
        # With one element per program a store cannot have 16 bytes.
        too_small = self.for_store and self.kernel.no_x_dim
        return asked_for and not too_small and self.dtype in _TMA_SUPPORTED_DTYPES

    return can_use_tma


def add_persistent_products(changes: Changes) -> None:
    """Use the template of matrix products with descriptors (`enable_persistent_tma_matmul`) for CPU tensors, too."""
    from torch._inductor.kernel.mm import persistent_tma_mm_template

    templates = find_templates()
    registry = importlib.import_module(templates.__name__.rpartition(".")[0] + ".registry")
    changes.keep(registry, "_TEMPLATE_HEURISTIC_REGISTRY")

    class PersistentProduct(templates.TMATemplateConfigMixin, templates.CPUConfigHeuristic):
        def __init__(self) -> None:
            super().__init__()
            self.mm_configs = self.persistent_mm_configs

    class PersistentSum(templates.AddMMConfigMixin, PersistentProduct):
        pass

    for kind, operation in ((PersistentProduct, None), (PersistentSum, "addmm")):
        registry.register_template_heuristic(persistent_tma_mm_template.uid, "cpu", op_name=operation)(kind)


def create_descriptor(cls: type, tensor: Any, metadata: tuple[str, tuple[Any, ...]]) -> Any:
    """Make a new descriptor for each kernel that takes one.

    Torch reuses the first descriptor of a tensor for later kernels. That descriptor depends on the content of the
    tensor before the first kernel, so torch removes a kernel that fills the tensor for another kernel.
    """
    return cls._create_impl(tensor, metadata)


def check_padding(original: Callable) -> Callable:
    """Leave calls with other arguments to Python, since torch keeps only the tensor and its block."""
    from torch._dynamo.exc import unimplemented

    def call_function(self: Any, tx: Any, args: list, kwargs: dict[str, Any]) -> Any:
        names = ("tensor", "block_shape", "padding", "round_f32_to_tf32")
        given = {**dict(zip(names, args, strict=False)), **kwargs}
        defaults = {"padding": "zero", "round_f32_to_tf32": False}
        for name, default in defaults.items():
            value = given.get(name)
            if value is not None and not (value.is_python_constant() and value.as_python_constant() == default):
                unimplemented(
                    gb_type="TensorDescriptor.from_tensor with options",
                    context=f"args = {args}, kwargs = {kwargs}",
                    explanation=f"a compiled function makes descriptors without `{name}`",
                    hints=["Make the descriptor in the kernel, with `tl.make_tensor_descriptor`."],
                )
        return original(self, tx, args, kwargs)

    return call_function


FEATURES = (
    Feature("tensor descriptors on every device", support_devices),
    Feature("no questions to NVIDIA's driver", ask_blackwell),
    Feature("tensor descriptors in Inductor's own kernels", use_in_kernels),
    Feature("one kernel after another by host descriptors", keep_kernels),
    Feature("padding of host descriptors", keep_padding),
    Feature("persistent products by descriptors", add_persistent_products),
)
