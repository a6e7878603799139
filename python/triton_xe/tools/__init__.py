# SPDX-License-Identifier: MIT
"""The tools of the command `triton-xe`, beside the core that compiles and launches kernels.

Tools import the core, which imports no tool: `triton_xe.hooks` loads one that takes part in a compilation or a launch.
No file of this folder is part of a kernel's key.
"""
