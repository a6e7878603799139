# SPDX-License-Identifier: MIT
"""Check the compiler with a user's own launches: each runs as optimized and without optional passes (docs/Verify.md).

launches     what a verified launch does: copies, the reference run, the user's run, the comparison
memory       the memory of the arguments of a launch, and arguments in copies of it
comparison   which bits must be equal, and bounds for all others
kernel_text  what the TTIR of a kernel shows about this, and where its stores are
blame        the passes without which a difference goes away, and the line that wrote the element
reproducer   a folder that shows the difference again
command      `triton-xe verify`
"""
