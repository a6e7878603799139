# SPDX-License-Identifier: MIT
"""Run one side of one comparison of `peers.py` on the virtual GPU, check its result, and print what it took, as JSON.

`peers.py` starts this; the log of kernels (`triton-xe gpu run --log`) shows what ran.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python"))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "test" / "python" / "virtual_gpu"))

import peer_graph
import peer_kernels
import peer_libraries
import peer_openvino
import triton
import triton.language as tl
import xpu_double as xpu
from kernel_suite.attention import attention_forward_kernel
from peers import Case, find_case

EPSILON = 1e-5
#: Vector engines of a core, which SYCL counts.
_ENGINES = 8
#: Types of operands and of results.
TYPES = {
    "bf16": (torch.bfloat16, torch.bfloat16, 8e-3),
    "f16": (torch.float16, torch.float32, 1e-5),
    "f32": (torch.float32, torch.float32, 1e-5),
    "tf32": (torch.float32, torch.float32, 2e-3),
    "int8": (torch.int8, torch.int32, 0.0),
}


@dataclasses.dataclass
class Problem:
    """Inputs in memory of the processor, the right results, and an output of the right type, poisoned."""

    inputs: list[torch.Tensor]
    bias: torch.Tensor | None
    added: torch.Tensor | None
    expected: torch.Tensor
    output: torch.Tensor
    tolerance: float

    def check(self, found: torch.Tensor) -> float:
        """Return the largest error, in terms of the largest value. Raises for one that is too large."""
        error = (found.double() - self.expected).abs().max().item() / self.expected.abs().max().item()
        if not error <= self.tolerance:
            raise RuntimeError(f"wrong result: error {error}")
        return error


def draw(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """Return random elements."""
    if dtype == torch.int8:
        return torch.randint(-128, 128, shape, dtype=dtype)
    return torch.randn(shape).to(dtype)


def lay_out(matrix: torch.Tensor, by_columns: bool) -> torch.Tensor:
    """Return the same elements, by columns on request."""
    return matrix.mT.contiguous().mT if by_columns else matrix


def make_problem(case: Case) -> Problem:
    """Return random inputs and their results in 64 bits."""
    element, result, tolerance = TYPES[case.dtype]
    poison = float("nan") if result.is_floating_point else -123456789
    if case.kind == "attention":
        inputs = [draw(case.shape, element) for _ in range(3)]
        expected = torch.nn.functional.scaled_dot_product_attention(
            *(each.double() for each in inputs), is_causal=case.is_causal
        )
        # Results have the type of the operands.
        return Problem(inputs, None, None, expected, torch.full_like(inputs[0], poison), max(tolerance, 2e-3))
    if case.kind != "product":
        rows, columns = case.shape
        x = draw((rows, columns), element)
        scale, shift = torch.randn(columns), torch.randn(columns)
        wide = x.double()
        if case.kind == "softmax":
            inputs, expected = [x], wide.softmax(1)
        elif case.kind == "layer norm":
            inputs = [x, scale, shift]
            expected = torch.nn.functional.layer_norm(wide, (columns,), scale.double(), shift.double(), EPSILON)
        else:
            inputs = [x, scale]
            expected = wide * (wide.square().mean(1, keepdim=True) + EPSILON).rsqrt() * scale.double()
        return Problem(inputs, None, None, expected, torch.full_like(x, poison), tolerance)
    batch, (m, n, k) = case.shape[:-3], case.shape[-3:]
    a, b = (
        lay_out(draw((*batch, m, k), element), case.a_by_columns),
        lay_out(draw((*batch, k, n), element), case.b_by_columns),
    )
    bias = draw((1, n), result) if "bias" in case.epilogue else None
    added = draw((*batch, m, n), result) if "added" in case.epilogue else None
    expected = a.double() @ b.double()
    if bias is not None:
        expected = expected + bias.double()
    if "gelu" in case.epilogue:
        expected = torch.nn.functional.gelu(expected)
    if added is not None:
        expected = expected + added.double()
    output = torch.full((*batch, m, n), poison, dtype=result)
    return Problem([a, b], bias, added, expected, output, tolerance)


def run_onednn(case: Case, problem: Problem, folder: Path) -> Iterator[tuple[str, Callable, Callable]]:
    """Yield what oneDNN would run."""
    if case.kind == "attention":
        divisor = torch.tensor([case.shape[-1] ** 0.5], dtype=problem.output.dtype)
        tensors = [xpu.copy(each) for each in (*problem.inputs, divisor, problem.output)]
        lowest = xpu.copy(torch.tensor([-torch.inf])) if case.is_causal else None
        made = peer_graph.OneDNNGraph(folder, xpu.queue()).attention(*tensors, lowest)
        yield made.implementation, made.execute, lambda: xpu.host(made.read())
        return
    library = peer_libraries.OneDNN(folder)
    if case.kind == "softmax":
        made = library.softmax(*problem.inputs, problem.output)
    elif case.kind == "product":
        made = library.product(
            *problem.inputs,
            problem.output,
            math="tf32" if case.dtype == "tf32" else "strict",
            bias=problem.bias,
            gelu="gelu" in case.epilogue,
            added=problem.added,
        )
    else:
        x, scale, *shift = problem.inputs
        made = library.normalization(x, scale, shift[0] if shift else None, problem.output, EPSILON)
    yield made.implementation, made.execute, made.read


def copy_as_laid_out(tensor: torch.Tensor) -> torch.Tensor:
    """Return a tensor in memory of the GPU with the same strides."""
    if tensor.dim() > 1 and tensor.stride(-1) != 1:
        return xpu.copy(tensor.mT.contiguous()).mT
    return xpu.copy(tensor)


def run_onemkl(case: Case, problem: Problem, folder: Path) -> Iterator[tuple[str, Callable, Callable]]:
    """Yield what oneMKL would run: the product alone, as it has nothing that follows one."""
    if case.kind != "product" or case.epilogue:
        return
    library = peer_libraries.OneMKL(folder, xpu.queue())
    a, b, c = (copy_as_laid_out(tensor) for tensor in (*problem.inputs, problem.output))
    made = library.product(a, b, c, math="tf32" if case.dtype == "tf32" else "strict")
    yield made.implementation, made.execute, lambda: xpu.host(made.read())


def run_openvino(case: Case, problem: Problem, folder: Path) -> Iterator[tuple[str, Callable, Callable]]:
    """Yield what OpenVINO would run, which has f16 and f32 on GPUs."""
    if case.dtype not in ("f16", "f32") or len(case.shape) == 4:
        return
    output = problem.output
    if case.dtype == "f16":
        # Its results have the type of the operands.
        problem.tolerance = max(problem.tolerance, 2e-3)

    def execute() -> None:
        output.copy_(made.execute())

    made = peer_openvino.make(folder / "openvino", case, problem.inputs)
    yield "OpenVINO", execute, lambda: output


def run_ours(case: Case, problem: Problem, _folder: Path) -> Iterator[tuple[str, Callable, Callable]]:
    """Yield our kernels in several configurations."""
    inputs, output = [copy_as_laid_out(tensor) for tensor in problem.inputs], xpu.copy(problem.output)

    def read() -> torch.Tensor:
        found = xpu.host(output)
        output.copy_(problem.output)
        return found

    if case.kind == "attention":
        yield from run_our_attention(case, inputs, output, read)
        return
    if case.kind != "product":
        rows, columns = case.shape
        for config in peer_kernels.row_configs(columns):

            def launch(config: dict[str, int] = config) -> None:
                if case.kind == "softmax":
                    peer_kernels.softmax[(rows,)](*inputs, output, columns, **config)
                else:
                    x, scale, *shift = inputs
                    centred = bool(shift)
                    peer_kernels.normalization[(rows,)](
                        x, scale, shift[0] if shift else scale, output, columns, EPSILON, CENTRED=centred, **config
                    )
                xpu.queue().wait()

            yield f"{config['num_warps']} warps", launch, read
        return
    yield from run_our_products(case, problem, inputs, output, read)


def run_our_attention(
    case: Case, inputs: list[torch.Tensor], output: torch.Tensor, read: Callable
) -> Iterator[tuple[str, Callable, Callable]]:
    """Yield our attention in several configurations."""
    heads, length, head = case.shape
    logarithms = xpu.copy(torch.zeros(heads, length))
    for config in peer_kernels.attention_configs():

        def launch(config: dict[str, int] = config) -> None:
            attention_forward_kernel[(triton.cdiv(length, config["BLOCK_M"]), heads)](
                *inputs, output, logarithms, head**-0.5, heads, 1, length, length, head, head,
                HEAD=head, CAUSAL=case.is_causal, grf_mode="256", **config,
            )  # fmt: skip
            xpu.queue().wait()

        yield f"{config['BLOCK_M']}x{config['BLOCK_N']}, {config['num_warps']} warps", launch, read


def run_our_products(
    case: Case, problem: Problem, inputs: list[torch.Tensor], output: torch.Tensor, read: Callable
) -> Iterator[tuple[str, Callable, Callable]]:
    """Yield our products in several configurations."""
    (a, b), (m, n, k), batch = inputs, case.shape[-3:], case.shape[0] if len(case.shape) == 4 else 1
    bias, added = (None if each is None else xpu.copy(each) for each in (problem.bias, problem.added))
    strides = [
        stride
        for tensor, count in ((a, 3), (b, 3), (output, 2))
        for stride in ([0] * (3 - tensor.dim()) + list(tensor.stride()))[:count]
    ]
    can_split = output.dtype == torch.float32 and not case.epilogue
    cores = xpu.queue().sycl_device.max_compute_units // _ENGINES
    sizes = (m, n, k, a.element_size())
    kinds = {
        "ACC": tl.int32 if a.dtype == torch.int8 else tl.float32,
        "PRECISION": "tf32" if case.dtype == "tf32" else "ieee",
    }
    for config in peer_kernels.product_configs(
        *sizes, case.dtype != "f32", can_split, cores, batch,
        a_by_columns=case.a_by_columns, b_by_columns=case.b_by_columns,
    ):  # fmt: skip
        height = config.get("HEIGHT") or config["BLOCK_M"]
        tiles = triton.cdiv(m, height) * triton.cdiv(n, config["BLOCK_N"])

        def launch(config: dict[str, int] = config, tiles: int = tiles) -> None:
            if config["SPLIT_K"] > 1:
                output.zero_()
            peer_kernels.product[(tiles, config["SPLIT_K"], batch)](
                a, b, output, bias, added, m, n, k, *strides, GROUP_M=4,
                BIAS=bias is not None, GELU="gelu" in case.epilogue, ADDED=added is not None, **kinds, **config,
            )  # fmt: skip
            xpu.queue().wait()

        split = f", {config['SPLIT_K']} parts of K" if config["SPLIT_K"] > 1 else ""
        yield f"{name_tile(config)}{split}", launch, read
    # Parts of a tile are added to what the first one has stored, which has to be as wide as the sums.
    if batch > 1 or m <= 32 or case.dtype == "f32" or output.element_size() < 4 or case.epilogue:
        return
    lock = xpu.copy(torch.zeros(cores, dtype=torch.int32))
    for config in peer_kernels.shared_product_configs(m, n, a.element_size(), cores, a_by_columns=case.a_by_columns):

        def share(config: dict[str, int] = config) -> None:
            peer_kernels.shared_product[(cores,)](
                a, b, output, lock, m, n, k, *a.stride(), *b.stride(), output.stride(0), GROUP_M=4, **kinds, **config
            )
            xpu.queue().wait()

        yield f"{name_tile(config)}, shared by {cores} programs", share, read


def name_tile(config: dict[str, int]) -> str:
    """Return the name of a configuration: its tile and the sub-groups."""
    height = config.get("HEIGHT") or config["BLOCK_M"]
    order = ", transposed" if config.get("TRANSPOSED") else ""
    return f"{height}x{config['BLOCK_N']}x{config['BLOCK_K']}, {config['num_warps']} warps{order}"


SIDES = {"ours": run_ours, "oneDNN": run_onednn, "oneMKL": run_onemkl, "OpenVINO": run_openvino}


def read_log(log: Path, begin: int) -> list[dict[str, Any]]:
    """Return the kernels that have run since the log had this many bytes."""
    with log.open() as file:
        file.seek(begin)
        return [json.loads(line) for line in file]


def main() -> None:
    """Run the configurations of a side, and print each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("side", choices=SIDES)
    parser.add_argument("case")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--configurations", default="", help="only those of ours whose names match")
    arguments = parser.parse_args()
    torch.manual_seed(int.from_bytes(os.urandom(4)))
    log = Path(os.environ["TRITON_XE_VIRTUAL_GPU_LOG"])
    case = find_case(arguments.case)
    problem = make_problem(case)
    xpu.install()
    for name, execute, read in SIDES[arguments.side](case, problem, arguments.folder):
        if arguments.side == "ours" and not re.search(arguments.configurations, name):
            continue
        if arguments.side != "ours":
            # The first call may run kernels that prepare what the library keeps.
            execute()
            read()
        begin = log.stat().st_size
        execute()
        kernels = read_log(log, begin)
        error = problem.check(read())
        print(json.dumps({"name": name, "error": error, "kernels": kernels}), flush=True)


if __name__ == "__main__":
    main()
