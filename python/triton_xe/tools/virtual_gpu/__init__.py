# SPDX-License-Identifier: MIT
"""A virtual Intel GPU: Intel's own driver and compiler run as they are, on a GPU that a library simulates.

`driver` installs and finds the driver, `starting` starts programs with the GPU in place, `describing` prints what Level
Zero, OpenCL and SYCL report of it, and `command` has the commands (docs/VirtualGPU.md). The library itself runs
`failure_lines`, for the source of a kernel that fails.
"""
