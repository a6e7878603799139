# SPDX-License-Identifier: MIT
"""Run the model of make_model.py where neither Triton nor its backends can be imported, and compare."""

import sys
from pathlib import Path

sys.modules["triton"] = sys.modules["triton_xe"] = None

import torch  # noqa: E402


def main() -> None:
    folder = Path(sys.argv[1])
    # A package is loaded where the processor has the vectors that it was compiled for. torch compiles three programs to
    # find out which of them the compiler has, too.
    torch._inductor.config.cpp.vec_isa_ok = True
    model = torch._inductor.aoti_load_package(str(folder / "model.pt2"))
    for inputs, expected in torch.load(folder / "model.pt"):
        torch.testing.assert_close(model(*inputs), expected, rtol=1e-4, atol=1e-4)
        print("equal:", *(tuple(one.shape) for one in inputs))


if __name__ == "__main__":
    main()
