# SPDX-License-Identifier: MIT
"""GEMM whose epilogue adds a matrix: C = A @ B + D, in all configurations.

python benchmarks/gemm_postop_addmatrix.py --shape 1024,1024,1024 --dtype bf16
"""

from __future__ import annotations

import sys

from harness import default_configs, make_parser, run, select_device
from problems import gemm_problems


def main() -> int:
    """Command line; see --help."""
    arguments = make_parser(__doc__.splitlines()[0]).parse_args()
    problems = gemm_problems(
        arguments.shape or [(1024, 1024, 1024)],
        arguments.dtype or ["bf16", "int8"],
        select_device(arguments.device),
        addmatrix=True,
    )
    return run(problems, default_configs(arguments.stages or (2, 3)), arguments)


if __name__ == "__main__":
    sys.exit(main())
