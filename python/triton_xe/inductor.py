# SPDX-License-Identifier: MIT
"""Make PyTorch's Inductor work with our devices. Nothing changes unless `enable` is called, or the variable is set."""

from __future__ import annotations

from triton_xe import hooks
from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature, find_any


def enable(cpu_tensors: bool = True) -> None:
    """Let `torch.compile` generate Triton kernels for CPU tensors and Intel GPUs that this package compiles and runs.

    TRITON_XE_INDUCTOR=1 does the same for programs that cannot be changed. Kernels for CPU tensors then run through the
    `cpu` backend, where Inductor's own choice is C++ (`torch._inductor.config.cpu_backend`), unless `cpu_tensors` is
    false. Other changes in torch, and their reasons, are in `compat.inductor`:

        alignment     inputs on the CPU count as aligned where they are, which blocks of matrices need
        descriptors   functions may make tensor descriptors, and get the numbers that eager execution has
        flex          flex attention of CPU tensors takes the templates of GPUs
        devices       the backend of Intel GPUs counts as one; kernels for CPU tensors can be measured one by one

    AOTInductor saves kernels for CPU tensors with the code that launches them (`aot_inductor`). One call is enough for
    the process. Raises ImportError without torch. If a torch lacks something that a feature changes, a warning names
    this feature, and all others are enabled.
    """
    for feature in list_features(cpu_tensors):
        feature.enable()


def list_features(cpu_tensors: bool = True) -> tuple[Feature, ...]:
    """Return the features that `enable` enables, each by itself."""
    from triton_xe.compat.inductor import alignment, descriptors, devices, flex

    if not cpu_tensors:
        return (*descriptors.FEATURES, *devices.FEATURES)
    features = (feature for module in (alignment, descriptors, flex, devices) for feature in module.FEATURES)
    generation = Feature("Triton kernels for CPU tensors", generate_triton)
    return (*features, *hooks.inductor_features(), generation)


def generate_triton(_changes: Changes) -> None:
    """Let Inductor generate Triton kernels for CPU tensors instead of C++, in all threads.

    A value that is assigned would hold in one thread only. One that the program assigns takes precedence.
    """
    from torch._inductor import config

    name = find_any(config, "cpu_backend")
    config._config[name].default = "triton"
    config._hash_dirty_var.set(True)
    config._mark_get_dict_dirty(name)
