"""What the Python side has to know of an architecture.

The compiler's own table is `KnownTargets`; here are only the limits that are checked outside of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from triton_xe import errors


@dataclass(frozen=True)
class Architecture:
    """Limits of a GPU architecture."""

    name: str
    #: Values that `torch.xpu.get_device_capability()["architecture"]` has for it.
    sycl_architectures: tuple[int, ...]
    #: Substrings of the device names, for properties without an architecture number.
    device_names: tuple[str, ...]
    sub_group_sizes: tuple[int, ...]
    #: Bytes of shared local memory of one work-group.
    shared_memory: int
    max_work_group_size: int
    #: Sub-groups of 16 lanes that fit in a work-group with 256 registers per thread.
    max_warps_large_grf: int


PVC = Architecture(
    name="pvc",
    sycl_architectures=(0x30F000700, 0x30F400700),
    device_names=("Data Center GPU Max", "Ponte Vecchio"),
    sub_group_sizes=(16, 32),
    shared_memory=128 * 1024,
    max_work_group_size=1024,
    max_warps_large_grf=32,
)

ARCHITECTURES = (PVC,)


def resolve(arch: object) -> Architecture:
    """The architecture that `GPUTarget.arch` means: a name, or the property dictionary of a torch.xpu device."""
    if isinstance(arch, str):
        for architecture in ARCHITECTURES:
            if architecture.name == arch.lower():
                return architecture
    if isinstance(arch, Mapping):
        for architecture in ARCHITECTURES:
            if arch.get("architecture") in architecture.sycl_architectures:
                return architecture
            if any(name in str(arch.get("name", "")) for name in architecture.device_names):
                return architecture
        arch = {key: arch[key] for key in ("name", "architecture") if key in arch}
    known = ", ".join(f"`{architecture.name}`" for architecture in ARCHITECTURES)
    raise errors.OptionError(f"unknown architecture: expected {known}, found `{arch}`")
