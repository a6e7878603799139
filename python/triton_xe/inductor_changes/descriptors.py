"""Tensor descriptors in compiled functions: which devices have them, and two mistakes of torch 2.13 about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from triton_xe.inductor_changes.replacement import replace

#: Functions of `torch.utils._triton` that take descriptors for a feature of some GPUs.
DEVICE_QUESTIONS = ("_device_supports_tma", "has_triton_tma_device", "has_triton_stable_tma_api")
#: Functions that remember what those said before.
HOST_QUESTIONS = ("has_triton_tensor_descriptor_host_tma", "has_triton_experimental_host_tma", "has_triton_tma")


def change() -> None:
    """Every device has descriptors, and compiled functions compute with them what they say."""
    from torch._dynamo.variables import functions
    from torch._inductor import ir
    from torch._inductor.codegen import triton as codegen
    from torch._inductor.codegen.cuda import cuda_env
    from torch._inductor.template_heuristics import triton as templates
    from torch.utils import _triton

    for owner in (_triton, codegen, templates):
        for name in DEVICE_QUESTIONS:
            # Two of them are imported by name.
            if owner is _triton or hasattr(owner, name):
                replace(owner, name, device_supports_descriptors)
    for name in HOST_QUESTIONS:
        getattr(_triton, name).cache_clear()
    replace(cuda_env, "is_datacenter_blackwell_arch", ask_only_nvidia)
    replace(codegen.TMACompatibilityChecker, "can_use_tma", can_use_descriptor)
    replace(ir.TMADescriptor, "create", lambda _original: create_descriptor, classmethod)
    replace(functions.CreateTMADescriptorStableVariable, "call_function", check_padding)
    add_persistent_products()


def device_supports_descriptors(asked: Callable[[], bool]) -> Callable[[], bool]:
    """A machine with an NVIDIA GPU is asked what torch asks it."""
    import torch

    return lambda: not torch.cuda.is_available() or asked()


def ask_only_nvidia(asked: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the device has a feature that only NVIDIA's have; torch logs an error where there is none of them."""
    import torch

    return lambda: torch.cuda.is_available() and asked()


def can_use_descriptor(original: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether Inductor's own kernels may access memory by descriptors (`config.triton.use_tensor_descriptor`)."""
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


def add_persistent_products() -> None:
    """The template of matrix products by descriptors (`enable_persistent_tma_matmul`) for CPU tensors, too."""
    from torch._inductor.kernel.mm import persistent_tma_mm_template
    from torch._inductor.template_heuristics import triton as templates
    from torch._inductor.template_heuristics.registry import register_template_heuristic

    class PersistentProduct(templates.TMATemplateConfigMixin, templates.CPUConfigHeuristic):
        def __init__(self) -> None:
            super().__init__()
            self.mm_configs = self.persistent_mm_configs

    class PersistentSum(templates.AddMMConfigMixin, PersistentProduct):
        pass

    for kind, operation in ((PersistentProduct, None), (PersistentSum, "addmm")):
        register_template_heuristic(persistent_tma_mm_template.uid, "cpu", op_name=operation)(kind)


def create_descriptor(cls: type, tensor: Any, metadata: tuple[str, tuple[Any, ...]]) -> Any:
    """A descriptor for each kernel that takes one.

    Torch keeps the first descriptor of a tensor for later kernels. That one depends on what was in the tensor before
    the first kernel, so a kernel that fills the tensor for another one counts as useless and does not run.
    """
    return cls._create_impl(tensor, metadata)


def check_padding(original: Callable) -> Callable:
    """Torch forgets every argument but the tensor and its block: leave a call with others to Python."""
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
