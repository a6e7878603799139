# SPDX-License-Identifier: MIT
"""Random programs, and damaged IR, caches and binaries, for the compiler and the CPU device (docs/Fuzz.md)."""
