"""Where a kernel's native code comes from, line by line, and what bounds its loops.

    report = triton_xe.report.of(compiled)     # a compiled kernel
    print(report)
    report.write_page("report.html")

No device is needed: the code is that of the offline compiler (see `triton_xe.native`).
"""

from __future__ import annotations

from triton_xe.report.kernel import IRFigures, Report, Row, of
from triton_xe.report.loops import Loop
from triton_xe.report.roofline import HARDWARE, Estimate

__all__ = ["HARDWARE", "Estimate", "IRFigures", "Loop", "Report", "Row", "of"]
