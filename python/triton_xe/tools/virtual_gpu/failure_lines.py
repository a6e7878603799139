# SPDX-License-Identifier: MIT
"""Find the lines of Python of an instruction at which a kernel failed on the virtual GPU.

The library of the virtual GPU runs this module: `failure_lines BINARY NAME OFFSET MESSAGE`, where BINARY is the
driver's code of the kernel, which begins at OFFSET, and MESSAGE has the instruction's address. The kernel is looked for
in Triton's cache.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

from triton import knobs as triton_knobs

from triton_xe import errors
from triton_xe.cpu import error_lines


def _candidates(name: str) -> Iterator[tuple[SimpleNamespace, Path]]:
    """Yield the metadata and the LLVM IR of kernels of this name in Triton's cache, the newest first."""
    found = Path(triton_knobs.cache.dir).glob(f"*/{name[:150]}.json")
    for path in sorted(found, key=lambda path: path.stat().st_mtime, reverse=True):
        llvm_ir = path.with_suffix(".llir")
        if llvm_ir.exists():
            yield SimpleNamespace(**json.loads(path.read_text())), llvm_ir


def describe(binary: Path, name: str, offset: int, message: str) -> str:
    """Return where the instruction comes from, innermost call first; the text is empty if it is not known."""
    address = error_lines.find_address(message)
    if address is None:
        return ""
    zebin = binary.read_bytes()
    for metadata, llvm_ir in _candidates(name):
        lines = error_lines.describe_lines(offset + address, metadata, llvm_ir.read_text(), zebin)
        if lines:
            return lines
    return ""


def main() -> int:
    """Print the lines."""
    binary, name, offset, message = sys.argv[1:]
    try:
        sys.stdout.write(describe(Path(binary), name, int(offset), message))
    except (errors.TritonXeError, OSError, ValueError):
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
