# SPDX-License-Identifier: MIT
"""A run that serves: attention over pages, experts and norms, launched from the suite of kernels.

As a program this module launches its cases, checks their numbers, and prints whether LLVM was loaded.
"""

from __future__ import annotations

import sys

from kernel_suite import CASES
from kernel_suite.case import Launch
from numerics import assert_close

#: Kernels in the style of serving libraries: descriptors and pointers, constants and arguments, tuples of pages.
NAMES = (
    "serving/unified_attention-head_64-window_0-softcap_2.0",
    "attention/paged_attention",
    "experts/mixture_of_experts-dtype_bfloat16-b_order_nk",
    "normalization/rms_norm-dtype_bfloat16",
    "matmul/descriptor_gemm-made_on_host",
)


def launches() -> list[Launch]:
    """Return the launches of all cases, which are not made."""
    return [launch for name in NAMES for launch in CASES[name].launches()]


def main() -> None:
    """Launch all cases."""
    for name in NAMES:
        for result in CASES[name].run():
            assert_close(result.actual, result.expected, result.tolerance)
    print(f"right, {'with' if 'triton_xe._compiler' in sys.modules else 'without'} LLVM")


if __name__ == "__main__":
    main()
