# SPDX-License-Identifier: MIT
"""Intel's driver for GPUs, with its loaders and its compiler, in a separate folder.

The packages are those of the version that the library of the virtual GPU was built with: the requests of the driver to
the kernel, and the commands that it submits, differ between versions.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from triton_xe import errors
from triton_xe.debian_packages import LIBRARIES, LOADER, PackageSet

PACKAGES = PackageSet(
    "the driver",
    "driver",
    (
        "libze-intel-gpu1",
        "libze1",
        "intel-opencl-icd",
        "ocl-icd-libopencl1",
        "libigc2",
        "libigdfcl2",
        "libigc2-tools",
        "clinfo",
        "zlib1g",
    ),
)
#: Files that the packages must have.
_LEVEL_ZERO = "libze_intel_gpu.so.1"
_OPENCL = "intel-opencl/libigdrcl.so"
_DISASSEMBLER = "libiga64.so.2"


@dataclass(frozen=True)
class Driver:
    """The files of a driver, below a folder."""

    folder: Path

    @property
    def libraries(self) -> Path:
        """Return the folder of its libraries."""
        return self.folder / LIBRARIES

    @property
    def loader(self) -> Path:
        """Return the dynamic loader that programs are started with."""
        return self.libraries / LOADER

    @property
    def level_zero(self) -> Path:
        """Return the driver of Level Zero."""
        return self.libraries / _LEVEL_ZERO

    @property
    def opencl(self) -> Path:
        """Return the driver of OpenCL."""
        return self.libraries / _OPENCL

    @property
    def version(self) -> str:
        """Return its version, which is in the name of its file: 1.15.39122."""
        return self.level_zero.resolve().name.partition(".so.")[2]


def _check(root: Path) -> None:
    for name in (LOADER, _LEVEL_ZERO, _OPENCL, _DISASSEMBLER):
        if not (root / LIBRARIES / name).exists():
            raise errors.ToolError(f"there is no `{name}` in the packages {', '.join(PACKAGES.packages)}")


def install(folder: Path | None = None, mirror: str | None = None) -> Driver:
    """Fetch the packages and unpack them below a folder, in the place of its former content. Raises ToolError."""
    return Driver(PACKAGES.install(folder, mirror, _check))


def find() -> Driver:
    """Return the driver that is installed. If there is none, raises ToolError, which explains how to install it."""
    for folder in PACKAGES.folders():
        driver = Driver(folder)
        if driver.level_zero.exists():
            return driver
    raise errors.ToolError("Intel's driver is needed, and was not found; `triton-xe install-driver` fetches it")
