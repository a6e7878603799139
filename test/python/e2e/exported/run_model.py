# SPDX-License-Identifier: MIT
"""Run the models of make_model.py where neither Triton nor its backends can be imported, and compare."""

import sys
from pathlib import Path

sys.modules["triton"] = sys.modules["triton_xe"] = None

import torch  # noqa: E402


def main() -> None:
    folder = Path(sys.argv[1])
    # A package is loaded where the processor has the vectors that it was compiled for. torch compiles three programs to
    # find out which of them the compiler has, too.
    torch._inductor.config.cpp.vec_isa_ok = True
    for package in sorted(folder.glob("*.pt2")):
        model = torch._inductor.aoti_load_package(str(package))
        for inputs, expected in torch.load(package.with_suffix(".pt")):
            torch.testing.assert_close(model(*inputs), expected, rtol=1e-4, atol=1e-4)
        print("equal:", package.stem)


if __name__ == "__main__":
    main()
