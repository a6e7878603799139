# SPDX-License-Identifier: MIT
"""A crash of a device's compiler is an error, and Python goes on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import needs_ocloc

from triton_xe import _compiler, errors, native

KERNEL = """
target triple = "spirv64-unknown-unknown"

define spir_kernel void @kernel(ptr addrspace(1) %out, i64 %n) {
entry:
  %some = icmp ugt i64 %n, 0
  br i1 %some, label %store, label %exit
store:
  store i64 %n, ptr addrspace(1) %out
  br label %exit
exit:
  ret void
}
"""

OP_BRANCH = 249

#: Loads a file of SPIR-V as often as requested, and prints the resulting error.
LOADER = """
import sys
from pathlib import Path
from triton_xe import errors
from triton_xe.cpu.driver import CPUDriver

utils = CPUDriver().utils
for path in sys.argv[1:]:
    try:
        utils.load_binary("kernel", Path(path).read_bytes(), 0, 0)
        print("loaded")
    except errors.TritonXeError as error:
        print(type(error).__name__, error)
"""


def good_binary() -> bytes:
    return _compiler.translate_to_spirv(KERNEL)


def crashing_binary() -> bytes:
    """Return a branch to what is no label: neither compiler checks that, and both follow it."""
    binary = bytearray(good_binary())
    position = 20
    while position < len(binary):
        word = int.from_bytes(binary[position : position + 4], "little")
        if word & 0xFFFF == OP_BRANCH:
            binary[position + 4 : position + 8] = (1).to_bytes(4, "little")
            return bytes(binary)
        position += 4 * (word >> 16)
    raise AssertionError("no branch")


def reproducer(message: str) -> Path:
    """Return the file that a message names."""
    return Path(re.search(r"in kernel `kernel`; its SPIR-V is `(.*)`", message)[1])


def test_opencl_runtime_crashes(tmp_path):
    pytest.importorskip("triton_xe._runtime")
    good, bad = tmp_path / "good.spv", tmp_path / "bad.spv"
    good.write_bytes(good_binary())
    bad.write_bytes(crashing_binary())
    # A module that crashed is no longer of use to its process, and other tests want to use it.
    result = subprocess.run(
        [sys.executable, "-c", LOADER, good, bad, good],
        env=os.environ | {"TRITON_XE_CPU_RUNTIME": "opencl"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    first, crash, later = result.stdout.splitlines()
    assert first == "loaded"
    assert crash.startswith("DeviceCompilerError the device compiler crashed (Segmentation fault)")
    assert reproducer(crash).read_bytes() == crashing_binary()
    assert later.startswith("DeviceError the device compiler crashed in another kernel")


@needs_ocloc
def test_ocloc_crashes():
    with pytest.raises(errors.CompileError, match="`ocloc` crashed") as caught:
        native.compile_native(crashing_binary())
    assert reproducer(str(caught.value)).read_bytes() == crashing_binary()
