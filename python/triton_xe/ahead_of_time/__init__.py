# SPDX-License-Identifier: MIT
"""Kernels for programs without Python: compiled ahead of time, and written as C and C++ sources."""
