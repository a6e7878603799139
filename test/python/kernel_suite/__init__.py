# SPDX-License-Identifier: MIT
"""Whole kernels in the style of the well-known libraries, with references: see `case.py` for the interface.

`ALL_CASES` lists them, so that tests and tools can go over all of them alike. Kernels that serve several tests or
benchmarks without being cases have modules here, too: `block_pointer_gemm`, `gemm_variants`, `rewritten_pointers`.
(Those whose TTIR is recorded are part of the recording: `test/Inputs`.)
"""

from __future__ import annotations

import importlib
import pkgutil

from kernel_suite.case import CASES, KernelCase

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

ALL_CASES: tuple[KernelCase, ...] = tuple(CASES.values())
