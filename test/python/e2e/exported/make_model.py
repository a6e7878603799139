# SPDX-License-Identifier: MIT
"""Compile a model with AOTInductor into a folder, with inputs and their results in eager execution.

It has two parts: torch's wrapper of a model takes five seconds to compile.
"""

import sys
from pathlib import Path

import kernels
import torch
import triton
from torch import nn

from triton_xe import inductor


class Network(nn.Module):
    """Kernels that Inductor writes: pointwise ones, reductions over both dimensions, one with a symbolic float."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(64, 96)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        hidden = nn.functional.gelu(self.layer(x))
        return torch.softmax(hidden.sin() * 0.5, -1), hidden.sum(0), x.cos() * x.mean().item()


class Custom(nn.Module):
    """Kernels of the user's: one with launch conditions, and one whose configurations have different grids."""

    def forward(self, a: torch.Tensor, b: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        c, total = torch.empty(a.shape[0], b.shape[1]), torch.empty_like(x)
        m, k, n = *a.shape, b.shape[1]
        grid = (triton.cdiv(m, 32), triton.cdiv(n, 32))
        kernels.gemm[grid](a, b, c, m, n, k, a.stride(0), b.stride(0), n, BLOCK_M=32, BLOCK_N=32, BLOCK_K=32)
        kernels.tuned_add[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, x, total, x.numel(), 1)
        return c * 2, total + 1


class Eager(nn.Module):
    """The functions of the user's kernels, as torch computes them."""

    def forward(self, a: torch.Tensor, b: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return a.float() @ b.float() * 2, x + x + 1


class Model(nn.Module):
    """Both parts."""

    def __init__(self, network: nn.Module, custom: nn.Module) -> None:
        super().__init__()
        self.network, self.custom = network, custom

    def forward(self, x: torch.Tensor, a: torch.Tensor, b: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return *self.network(x), *self.custom(a, b, y)


def spend_less_time() -> None:
    """Let Inductor measure once, and compile what is torch's alone without optimizing it."""
    config = torch._inductor.config
    config.inductor_default_autotune_warmup = config.inductor_default_autotune_rep = 0
    config.aot_inductor.compile_wrapper_opt_level = "O0"
    # It compiles a program to find out, and no code here has vectors of torch's.
    config.cpp.vec_isa_ok = True


def main() -> None:
    folder = Path(sys.argv[1])
    inductor.enable()
    torch._dynamo.config.capture_scalar_outputs = True
    spend_less_time()
    torch.manual_seed(5)
    network = Network()
    # Rows of 73 elements are no whole 16 bytes: 2D block messages cannot address them.
    cases = [
        (torch.randn(batch, 64), torch.randn(m, 64).half(), torch.randn(64, n).half(), torch.randn(size))
        for batch, m, n, size in ((10, 50, 72, 1000), (2, 7, 72, 2), (333, 50, 73, 3999))
    ]
    batch, m, n, size = (torch.export.Dim(name, min=2, max=4096) for name in ("batch", "m", "n", "size"))
    sizes = ({0: batch}, {0: m}, {1: n}, {0: size})
    exported = torch.export.export(Model(network, Custom()), cases[0], dynamic_shapes=sizes, strict=True)
    torch._inductor.aoti_compile_and_package(exported, package_path=str(folder / "model.pt2"))
    eager = Model(network, Eager())
    torch.save([(inputs, eager(*inputs)) for inputs in cases], folder / "model.pt")


if __name__ == "__main__":
    main()
