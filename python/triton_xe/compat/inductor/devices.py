# SPDX-License-Identifier: MIT
"""Correct what Inductor assumes about the devices `cpu` and `xpu`, which differs with this package."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triton_xe import knobs
from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature


def leave_launches_alone(_changes: Changes) -> None:
    """Keep torch from tracing functions of this package when it stops to trace their caller."""
    from torch._dynamo import trace_rules

    package = Path(__file__).parents[2]
    if not any(Path(folder) == package for folder in trace_rules.SKIP_DIRS):
        trace_rules.add("triton_xe")


def measure_kernels(changes: Changes) -> None:
    """Let Inductor measure single kernels on the CPU, as it does on GPUs."""
    from torch._dynamo import device_interface
    from torch._inductor.codegen import cpu_device_op_overrides

    # The class before it leaves it to each device.
    changes.put(device_interface.CpuInterface, "device", contextlib.nullcontext)
    # Several lines, which Inductor puts into indented text when it measures a fused kernel.
    changes.replace(
        cpu_device_op_overrides.CpuDeviceOpOverrides,
        "import_get_raw_stream_as",
        lambda _original: lambda _self, name: f"{name} = lambda _device: 0",
    )


def divide_work(changes: Changes) -> None:
    """Report to Inductor how many programs run at a time on the CPU. It queries only GPUs."""
    from torch._inductor import utils

    changes.replace(utils, "get_max_num_sms", count_processors)


def avoid_waiting(changes: Changes) -> None:
    """Disable reductions whose programs wait for others: only one program per processor runs at a time."""
    from torch._inductor import choices

    changes.replace(choices.InductorChoices, "should_use_cooperative_reduction", cooperate_on_gpus, staticmethod)


def count_processors(original: Callable[[], int]) -> Callable[[], int]:
    """Return how many programs run at a time; for GPUs torch knows it."""
    import torch

    def get_max_num_sms() -> int:
        if torch.cuda.is_available() or torch.xpu.is_available():
            return original()
        return multiprocessing.cpu_count()

    return get_max_num_sms


def cooperate_on_gpus(original: Callable[..., bool]) -> Callable[..., bool]:
    """Allow reductions whose programs wait for each other on GPUs only, even if they are requested."""

    def should_use_cooperative_reduction(device: Any, numel: Any, reduction_numel: Any) -> bool:
        return device.type != "cpu" and original(device, numel, reduction_numel)

    return should_use_cooperative_reduction


def change_xpu(changes: Changes) -> None:
    """Accept the backend `xpu` for Intel GPUs, whose kernels are SPIR-V with a separate launcher."""
    from torch._dynamo import device_interface
    from torch._inductor import codecache, utils
    from torch._inductor.codegen import cpp_wrapper_gpu
    from torch._inductor.runtime import triton_heuristics

    changes.replace(device_interface.XpuInterface, "raise_if_triton_unavailable", accept_backend, staticmethod)
    # Torch's launcher of native code knows neither this package's arguments nor the checks of its launches, and the
    # native code is made for inspection.
    for module in (utils, codecache, cpp_wrapper_gpu, triton_heuristics):
        changes.put(module, "XPU_KERNEL_FORMAT", "spv")
    changes.keep(utils, "GPU_KERNEL_BIN_EXTS")["xpu"] = ".spv"
    # Processes that compile for this one read the variable.
    knobs.INDUCTOR_XPU_FORMAT.set("spv")


def accept_backend(original: Callable[..., None]) -> Callable[..., None]:
    """Accept our backend in the place of the one of Intel's Triton, which torch expects by name."""

    def raise_if_triton_unavailable(device: Any = None) -> None:
        import triton.backends

        if "xpu" not in triton.backends.backends:
            original(device)

    return raise_if_triton_unavailable


FEATURES = (
    Feature("launches in functions that are not traced", leave_launches_alone),
    Feature("measuring of single kernels on the CPU", measure_kernels),
    Feature("one program per processor", divide_work),
    Feature("cooperative reductions as ordinary ones on the CPU", avoid_waiting),
    Feature("kernels for Intel GPUs", change_xpu),
)
