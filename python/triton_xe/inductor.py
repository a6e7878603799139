"""What PyTorch's Inductor needs to be told about our devices. Nothing here happens unless `enable` is called."""

from __future__ import annotations

import functools

from triton_xe import aot_inductor


def enable() -> None:
    """Let `torch.compile` generate Triton kernels for CPU tensors, and trace tensor descriptors made on the host.

    Kernels for CPU tensors then run through the `cpu` backend, where Inductor's own choice is C++
    (`torch._inductor.config.cpu_backend`). `TensorDescriptor.from_tensor` in a compiled function needs no graph break:
    torch takes such descriptors for a feature of some GPUs (`torch.utils._triton`), but here every device has them.
    A machine with an NVIDIA GPU is asked what torch asks it.

    Raises ImportError without torch, and RuntimeError where torch has not what is set here.
    """
    import torch
    from torch._inductor import config
    from torch.utils import _triton

    if not hasattr(config, "cpu_backend") or not hasattr(_triton, "_device_supports_tma"):
        raise RuntimeError(f"torch {torch.__version__} has no Triton backend for CPUs to enable; 2.13 does")
    config.cpu_backend = "triton"
    aot_inductor.enable()

    asked = _triton._device_supports_tma
    if getattr(asked, "is_triton_xe", False):
        return

    @functools.cache
    def device_supports_descriptors() -> bool:
        return not torch.cuda.is_available() or asked()

    device_supports_descriptors.is_triton_xe = True
    _triton._device_supports_tma = device_supports_descriptors
    # They remember what they were told before.
    for name in ("has_triton_tensor_descriptor_host_tma", "has_triton_experimental_host_tma", "has_triton_tma"):
        getattr(_triton, name).cache_clear()
