# SPDX-License-Identifier: MIT
"""Recognize the messages of the device compiler where a kernel needs more of a resource than there is.

`ocloc` and the drivers contain the same compiler, and they report nothing but its texts. Other configurations of the
kernel may need less, so that an autotuner has to go on: see `errors.DeviceCompilerRefusal`.
"""

from __future__ import annotations

import re

from triton_xe import errors

#: Bytes of scratch memory that a kernel may use. Code of `ocloc` 26.27 with more gives wrong numbers
#: (docs/DeviceCompiler.md).
SAFE_SCRATCH = 128 * 1024

#: Texts of the compiler, and of the runtimes that call it, with the resource that they are about.
_LACKS = tuple(
    (re.compile(pattern), resource)
    for pattern, resource in (
        (
            r"total scratch space exceeds HW supported limit[^:\n]*: (?P<required>\d+) bytes"
            r"(?: \(max permitted PTSS (?P<limit>\d+) bytes\))?",
            "scratch memory of a thread",
        ),
        (
            r"Total scratch size used by shader exceeds platform capability: (?P<required>\d+)?",
            "scratch memory of a thread",
        ),
        (r"Kernel inputs exceed total register size", "registers for arguments"),
        (
            r"Total size of kernel arguments exceeds limit! Total arguments size: (?P<required>\d+)"
            r"(?:\D+(?P<limit>\d+))?",
            "bytes of arguments",
        ),
        (
            r"\(size = (?P<required>\d+) bytes\) is indirectly addressed and spans complete GRF file",
            "registers of a thread",
        ),
        (r"SLM size exceeds target limits", "shared memory"),
        (
            r"IGC: Out Of Memory|LLVM ERROR: out of memory|std::bad_alloc|_OUT_OF_HOST_MEMORY",
            "memory of the device compiler",
        ),
        (r"_OUT_OF_DEVICE_MEMORY", "memory of the device"),
        (r"_OUT_OF_RESOURCES", "resources of the device"),
    )
)

#: The output of the compiler on a crash that it has caught itself.
_CRASH = re.compile(r"internal compiler error(?:: (?P<reason>[^\n]+))?", re.IGNORECASE)


def find(text: str) -> errors.DeviceCompilerRefusal | None:
    """Return the error for a text of the device compiler; None if the text is not about a resource."""
    for pattern, resource in _LACKS:
        if found := pattern.search(text):
            numbers = {name: int(value or 0) for name, value in found.groupdict().items()}
            start = text.rfind("\n", 0, found.start()) + 1
            reported = text[start:].split("\n", 1)[0].strip()
            return errors.DeviceCompilerRefusal(numbers.get("required", 0), numbers.get("limit", 0), resource, reported)
    return None


def check_spills(scratch_bytes: int) -> None:
    """Raise `DeviceCompilerRefusal` for machine code with more scratch memory than the device compiler gets right."""
    if scratch_bytes > SAFE_SCRATCH:
        raise errors.DeviceCompilerRefusal(
            scratch_bytes, SAFE_SCRATCH, "scratch memory of a thread", "its code for this size has errors"
        )


def find_crash(text: str) -> str:
    """Return how the device compiler crashed, if a text reports it; otherwise an empty text."""
    found = _CRASH.search(text)
    return (found["reason"] or found[0]).strip() if found else ""


def find_kernel(llvm_ir: str, name: str) -> errors.SourceLocation | None:
    """Return the line where a kernel is defined; None if the LLVM IR has no lines."""
    kernel = re.search(rf'distinct !DISubprogram\(name: "{re.escape(name)}",.*?file: (!\d+), line: (\d+)', llvm_ir)
    if kernel is None:
        return None
    file = re.search(rf'^{kernel[1]} = !DIFile\(filename: "(.*?)", directory: "(.*?)"', llvm_ir, re.MULTILINE)
    if file is None:
        return None
    return errors.SourceLocation(f"{file[2]}/{file[1]}" if file[2] else file[1], int(kernel[2]), 1)
