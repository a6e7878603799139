# SPDX-License-Identifier: MIT
"""The limits of an architecture that the Python side needs.

They come from the compiler's own table (`KnownTargets`). The build writes the table to a file, so that reading it does
not load the compiler.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from triton_xe import errors, products


@dataclass(frozen=True)
class Architecture:
    """Limits of a GPU architecture."""

    name: str
    sub_group_sizes: tuple[int, ...]
    #: Bytes of shared local memory of one work-group.
    shared_memory: int
    max_work_group_size: int
    #: Most sub-groups of a work-group, by the number of registers per thread.
    max_warps: Mapping[int, int]
    #: Bytes of a register.
    register_bytes: int
    #: The option for the GPU's compiler, by `grf_mode`; empty if the compiler decides. `auto` means one of the others.
    grf_build_options: Mapping[str, str]
    #: Major and minor number of the graphics IP of its chips.
    ip_versions: tuple[tuple[int, int], ...]
    #: Substrings of the device names, for properties without a number.
    device_names: tuple[str, ...]
    #: The platform of the disassembler `iga64`.
    isa_platform: str


#: The architecture that the CPU device represents, and the default of a compilation.
DEFAULT = "pvc"


@functools.cache
def installed_file(name: str) -> Path:
    """Return a file that the build puts beside the extension modules, which may lie elsewhere than the Python files."""
    module = importlib.util.find_spec("triton_xe._compiler")
    if module is None or module.origin is None:
        raise errors.ToolError("the extension modules of triton-xe are not installed")
    return Path(module.origin).with_name(name)


@functools.cache
def architectures() -> dict[str, Architecture]:
    """Return every architecture by its name."""
    return {
        limits["name"]: Architecture(
            limits["name"],
            tuple(limits["sub_group_sizes"]),
            limits["shared_memory_bytes"],
            limits["max_work_group_size"],
            {mode["num_registers"]: mode["max_sub_groups"] for mode in limits["register_modes"]},
            limits["register_modes"][0]["register_bytes"],
            {"default": ""} | {str(mode["num_registers"]): mode["build_option"] for mode in limits["register_modes"]},
            tuple((major, minor) for major, minor in limits["ip_versions"]),
            tuple(limits["device_names"]),
            limits["isa_platform"],
        )
        for limits in json.loads(installed_file("targets.json").read_text())
    }


def _ip_version(architecture: object) -> tuple[int, int] | None:
    """Return the IP version of SYCL's number of an architecture, which torch.xpu passes on."""
    # Major number, 8 bits of the minor one, 6 of nothing, 8 of the revision; one byte that is 0.
    if not isinstance(architecture, int):
        return None
    return architecture >> 30, architecture >> 22 & 0xFF


def resolve(arch: object) -> Architecture:
    """Return the architecture of `GPUTarget.arch`: the name of a chip, of a product or a device id, or the property
    dictionary of a torch.xpu device."""
    if isinstance(arch, str):
        name = products.clean(arch)
        name = name if name in architectures() else products.find_chip(arch)
        if name is not None:
            return architectures()[name]
    if isinstance(arch, Mapping):
        version = _ip_version(arch.get("architecture"))
        for architecture in architectures().values():
            if version in architecture.ip_versions:
                return architecture
        # The longest name that fits: one series may have chips of several architectures.
        fitting = [
            (len(name), architecture)
            for architecture in architectures().values()
            for name in architecture.device_names
            if name in str(arch.get("name", ""))
        ]
        if fitting:
            return max(fitting, key=lambda entry: entry[0])[1]
        arch = {key: arch[key] for key in ("name", "architecture") if key in arch}
    known = ", ".join(f"`{name}`" for name in architectures())
    advice = products.suggest(arch, architectures()) if isinstance(arch, str) else ""
    raise errors.OptionError(
        f"unknown architecture: expected {known}, or a product such as `b580`, found `{arch}`{advice}"
    )


def chip(text: str) -> str:
    """Return the name of the chip that an option of a program names, as `type` of argparse."""
    try:
        return resolve(text).name
    except errors.OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
