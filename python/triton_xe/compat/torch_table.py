# SPDX-License-Identifier: MIT
"""The table of what is replaced in torch, with the reasons."""

from __future__ import annotations

from triton_xe.compat.entries import Entry, Form, anything, callable_object, having, using

#: The series of torch that the tests run with.
_TESTED = ("2.13", "2.14", "2.15")
_INDUCTOR = "triton_xe.compat.inductor"


def _entries(
    reason: str,
    until: str,
    installer: str,
    *symbols: str,
    versions: tuple[str, ...] = _TESTED,
    expected: Form = callable_object,
) -> tuple[Entry, ...]:
    """Return entries for symbols that are replaced together; a colon ends the name of each symbol's module."""
    return tuple(
        Entry(module, name, reason, until, versions, installer, expected)
        for module, name in (symbol.split(":") for symbol in symbols)
    )


def _descriptors(*symbols: str, versions: tuple[str, ...] = _TESTED) -> tuple[Entry, ...]:
    """Return entries for functions that return whether a device has tensor descriptors."""
    return _entries(
        "Compiled functions may make tensor descriptors on every device; torch assumes that only some GPUs have them.",
        "query the active Triton backend whether it has tensor descriptors",
        f"{_INDUCTOR}.descriptors.support_devices",
        *symbols,
        versions=versions,
    )


def _products(*symbols: str, versions: tuple[str, ...]) -> tuple[Entry, ...]:
    """Return entries for the table of templates."""
    return _entries(
        "Matrix products of CPU tensors may take the persistent template with descriptors.",
        "register the template for every device with a Triton backend",
        f"{_INDUCTOR}.descriptors.add_persistent_products",
        *symbols,
        versions=versions,
        expected=having("update"),
    )


def _flex(*symbols: str, expected: Form = callable_object) -> tuple[Entry, ...]:
    """Return entries for functions of flex attention."""
    return _entries(
        "Flex attention of CPU tensors takes the Triton templates of GPUs, which have gradients; torch's template in "
        "C++ has none.",
        "lower flex attention to Triton if the CPU's backend is Triton",
        f"{_INDUCTOR}.flex.change",
        *symbols,
        expected=expected,
    )


def _xpu(*symbols: str, expected: Form = callable_object) -> tuple[Entry, ...]:
    """Return entries for what torch expects of Intel's Triton."""
    return _entries(
        "Torch expects Intel's fork of Triton by name, and launches its native code; our launcher takes SPIR-V and "
        "checks the launch conditions.",
        "accept any Triton backend for Intel GPUs, and SPIR-V as their binary",
        f"{_INDUCTOR}.devices.change_xpu",
        *symbols,
        expected=expected,
    )


ENTRIES = (
    *_entries(
        "Inputs on the CPU count as aligned where they are, as on GPUs: blocks of matrices need aligned addresses on "
        "every device.",
        "query a backend, not the device type, whether inputs may be taken as aligned",
        f"{_INDUCTOR}.alignment.change",
        "torch._inductor.utils:should_assume_input_aligned",
        "torch._inductor.graph:should_assume_input_aligned",
        "torch._inductor.compile_fx:should_assume_input_aligned",
        "torch._inductor.compile_fx:get_input_idxs_to_check",
    ),
    *_descriptors("torch.utils._triton:_device_supports_tma", versions=("2.13",)),
    *_descriptors("torch.utils._triton:_device_supports_tensor_descriptor", versions=("2.14", "2.15")),
    *_descriptors(
        "torch.utils._triton:has_triton_tma_device",
        "torch.utils._triton:has_triton_stable_tma_api",
        "torch._inductor.codegen.triton:has_triton_stable_tma_api",
    ),
    *_descriptors("torch._inductor.template_heuristics.triton:has_triton_stable_tma_api", versions=("2.13",)),
    *_descriptors("torch._inductor.heuristics.template.triton:has_triton_stable_tma_api", versions=("2.14", "2.15")),
    *_entries(
        "Machines without an NVIDIA GPU log no error about its driver.",
        "log no error on machines without an NVIDIA GPU",
        f"{_INDUCTOR}.descriptors.ask_blackwell",
        "torch._inductor.codegen.cuda.cuda_env:is_datacenter_blackwell_arch",
    ),
    *_entries(
        "Inductor's own kernels on the CPU may use tensor descriptors.",
        "check blocks of its kernels by the sizes of the backend",
        f"{_INDUCTOR}.descriptors.use_in_kernels",
        "torch._inductor.codegen.triton:TMACompatibilityChecker.can_use_tma",
    ),
    *_entries(
        "Inductor's own kernels on the CPU may use tensor descriptors.",
        "check blocks of its kernels by the sizes of the backend",
        f"{_INDUCTOR}.descriptors.use_in_kernels",
        "torch._inductor.codegen.triton:TMACompatibilityChecker.are_block_parameters_compatible",
        versions=("2.14", "2.15"),
        expected=using("cpu"),
    ),
    *_entries(
        "Two kernels with descriptors of one tensor both run; torch drops the first one, and results are wrong.",
        "make a descriptor for each kernel that takes one",
        f"{_INDUCTOR}.descriptors.keep_kernels",
        "torch._inductor.ir:TMADescriptor.create",
    ),
    *_entries(
        'Compiled functions respect `TensorDescriptor.from_tensor(..., padding="nan")`; torch pads with zeros.',
        "keep `padding` of `TensorDescriptor.from_tensor`",
        f"{_INDUCTOR}.descriptors.keep_padding",
        "torch._dynamo.variables.functions:CreateTMADescriptorStableVariable.call_function",
    ),
    *_products("torch._inductor.template_heuristics.registry:_TEMPLATE_HEURISTIC_REGISTRY", versions=("2.13",)),
    *_products("torch._inductor.heuristics.template.registry:_TEMPLATE_HEURISTIC_REGISTRY", versions=("2.14", "2.15")),
    *_flex(
        "torch.nn.attention.flex_attention:_validate_device",
        "torch.nn.attention.flex_attention:_apply_kernel_options",
        expected=using("cpu"),
    ),
    *_flex(
        "torch._inductor.kernel.flex.flex_decoding:get_split_k",
        "torch._inductor.kernel.flex.flex_decoding:_use_flex_decoding",
        "torch._inductor.kernel.flex.flex_attention:_use_flex_decoding",
    ),
    *_flex("torch._inductor.kernel.flex.flex_attention:flex_attention", expected=using("cpu", 16)),
    *_entries(
        "Flex attention of CPU tensors is lowered to Triton.",
        "let a backend choose the lowering of an operation",
        f"{_INDUCTOR}.flex.change",
        "torch._inductor.lowering:lowerings",
        expected=having("update"),
    ),
    *_entries(
        "Inductor can measure single kernels on the CPU; the code that it generates for this does not parse.",
        "generate code that parses when it measures one kernel on the CPU",
        f"{_INDUCTOR}.devices.measure_kernels",
        "torch._dynamo.device_interface:CpuInterface.device",
        "torch._inductor.codegen.cpu_device_op_overrides:CpuDeviceOpOverrides.import_get_raw_stream_as",
    ),
    *_entries(
        "Inductor divides work by how many programs run at a time on the CPU; torch queries only GPUs.",
        "query a backend for how many programs run at a time",
        f"{_INDUCTOR}.devices.divide_work",
        "torch._inductor.utils:get_max_num_sms",
    ),
    *_entries(
        "Cooperative reductions, whose programs wait for each other, become ordinary ones on the CPU, where they would "
        "hang.",
        "use cooperative reductions only on devices whose programs may wait for each other",
        f"{_INDUCTOR}.devices.avoid_waiting",
        "torch._inductor.choices:InductorChoices.should_use_cooperative_reduction",
    ),
    *_xpu("torch._dynamo.device_interface:XpuInterface.raise_if_triton_unavailable"),
    *_xpu(
        "torch._inductor.utils:XPU_KERNEL_FORMAT",
        "torch._inductor.codecache:XPU_KERNEL_FORMAT",
        "torch._inductor.codegen.cpp_wrapper_gpu:XPU_KERNEL_FORMAT",
        "torch._inductor.runtime.triton_heuristics:XPU_KERNEL_FORMAT",
        expected=anything,
    ),
    *_xpu("torch._inductor.utils:GPU_KERNEL_BIN_EXTS", expected=having("update")),
    *_entries(
        "Models of AOTInductor run kernels on the CPU device, with the launcher that this package brings along.",
        "let a backend write the launcher of its kernels in models of AOTInductor",
        "triton_xe.tools.ahead_of_time.inductor.change",
        "torch._inductor.runtime.triton_heuristics:CachingAutotuner.save_cpu_kernel",
        "torch._inductor.codegen.cpp_wrapper_cpu:DeferredCpuTritonCallWrapper._get_cpp_param_type",
        "torch._inductor.codegen.cpp_wrapper_cpu:DeferredCpuTritonCallWrapper.generate",
    ),
)
