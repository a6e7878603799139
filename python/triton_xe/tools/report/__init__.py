# SPDX-License-Identifier: MIT
"""Report which source lines a kernel's native code comes from, and what bounds its loops.

    report = triton_xe.tools.report.of(compiled)     # a compiled kernel
    print(report)
    report.write_page("report.html")

No device is needed, since the compiler of the driver makes the code (see `triton_xe.native`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triton_xe.tools.report.kernel import Report


def of(kernel: Any) -> Report:
    """Return the report of a compiled kernel (of `triton.compile`, `kernel.warmup`, or a launch).

    A kernel for the CPU device is compiled again for the GPU that the device represents. Raises `ToolError` without
    `ocloc` and `iga64`.
    """
    # Needs Triton, which the command line does not load for its help.
    from triton_xe.tools.report import kernel as kernels

    return kernels.of(kernel)
