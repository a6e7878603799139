# SPDX-License-Identifier: MIT
"""Compile models with AOTInductor into a folder, with inputs and their results in eager execution."""

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
    """The functions of the model, as torch computes them."""

    def forward(self, a: torch.Tensor, b: torch.Tensor, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return a.float() @ b.float() * 2, x + x + 1


def save(
    folder: Path, name: str, models: tuple[nn.Module, nn.Module], sizes: tuple[dict, ...], cases: list[tuple]
) -> None:
    """A package of the first model, and the second one's results for the same inputs."""
    exported = torch.export.export(models[0], cases[0], dynamic_shapes=sizes, strict=True)
    torch._inductor.aoti_compile_and_package(exported, package_path=str(folder / f"{name}.pt2"))
    torch.save([(inputs, models[1](*inputs)) for inputs in cases], folder / f"{name}.pt")


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
    first, second = (torch.export.Dim(name, min=2, max=4096) for name in ("first", "second"))
    network = Network()
    cases = [(torch.randn(batch, 64),) for batch in (10, 2, 333)]
    save(folder, "network", (network, network), ({0: first},), cases)
    # Rows of 73 elements are no whole 16 bytes: 2D block messages cannot address them.
    cases = [
        (torch.randn(m, 64).half(), torch.randn(64, n).half(), torch.randn(size))
        for m, n, size in ((50, 72, 1000), (7, 72, 2), (50, 73, 3999))
    ]
    third = torch.export.Dim("third", min=2, max=4096)
    save(folder, "custom", (Custom(), Eager()), ({0: first}, {1: second}, {0: third}), cases)


if __name__ == "__main__":
    main()
