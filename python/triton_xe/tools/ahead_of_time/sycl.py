# SPDX-License-Identifier: MIT
"""Find the headers and the library of SYCL, with which exported kernels for GPUs are built."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from triton_xe import errors, knobs

_PACKAGE = "intel-sycl-rt"
_HEADER = Path("include/sycl/sycl.hpp")


def find_prefix() -> Path:
    """Return the folder with `include` and `lib`: oneAPI's if the environment names it, else that of the PyPI package.

    Raises ToolError if there is neither.
    """
    if root := knobs.ONEAPI.text():
        if (Path(root) / _HEADER).exists():
            return Path(root)
        raise errors.ToolError(f"{knobs.ONEAPI.name} is `{root}`, in which there is no {_HEADER}")
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.parts[-len(_HEADER.parts) :] == _HEADER.parts:
            return Path(file.locate()).resolve().parents[len(_HEADER.parts) - 1]
    raise errors.ToolError(
        f"SYCL is missing: `pip install {_PACKAGE}` brings its headers and its library, as does Intel's oneAPI, whose "
        f"`setvars.sh` sets {knobs.ONEAPI.name}"
    )


def compile_flags() -> str:
    """Return the flags with which any C++ compiler compiles sources that include `sycl/sycl.hpp`."""
    # The headers are not ours, so that warnings about them are none of the program's; and no device code is in it.
    return f"-isystem {find_prefix() / 'include'} -DSYCL_DISABLE_FSYCL_SYCLHPP_WARNING"


def link_flags() -> str:
    """Return the flags with which a program is linked."""
    folder = find_prefix() / "lib"
    return f"-L{folder} -lsycl -Wl,-rpath,{folder}"
