# SPDX-License-Identifier: MIT
"""Compile kernels ahead of time for programs without Python, and write them as C and C++ sources."""
