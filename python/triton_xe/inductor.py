"""What PyTorch's Inductor needs to be told about our devices. Nothing here happens unless `enable` is called."""

from __future__ import annotations


def enable() -> None:
    """Let `torch.compile` generate Triton kernels for CPU tensors and Intel GPUs that this package compiles and runs.

    Kernels for CPU tensors then run through the `cpu` backend, where Inductor's own choice is C++
    (`torch._inductor.config.cpu_backend`). What else changes in torch, and why, is in `inductor_changes`:

        alignment     inputs on the CPU count as aligned where they are, which blocks of matrices need
        descriptors   functions may make tensor descriptors, and get the numbers that eager execution has
        flex          flex attention of CPU tensors takes the templates of GPUs
        fallbacks     functions that no kernel can call
        devices       the backend of Intel GPUs counts as one; kernels for CPU tensors can be measured one by one

    AOTInductor saves kernels for CPU tensors with what launches them (`aot_inductor`).
    Once for the process. Raises ImportError without torch, and RuntimeError where torch has not what is set here.
    """
    import torch
    from torch._inductor import config

    from triton_xe import aot_inductor
    from triton_xe.inductor_changes import alignment, descriptors, devices, fallbacks, flex

    try:
        if not hasattr(config, "cpu_backend"):
            raise AttributeError("no `cpu_backend`")
        alignment.change()
        descriptors.change()
        flex.change()
        fallbacks.change()
        devices.leave_launches_alone()
        devices.change_cpu()
        devices.change_xpu()
    except (AttributeError, ImportError) as error:
        raise RuntimeError(f"torch {torch.__version__} has not what is to be changed ({error}); 2.13 does") from error
    config.cpu_backend = "triton"
    aot_inductor.enable()
