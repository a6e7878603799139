# SPDX-License-Identifier: MIT
"""Kernels of users in compiled functions: traced without a graph break, with eager's numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import triton
import triton.language as tl
from checking import check, check_gradients, normal
from triton.tools.tensor_descriptor import TensorDescriptor

pytest_plugins = ("enabling",)

OWN = "own kernels: "


@triton.jit
def add_vectors(x, y, out, B: tl.constexpr):
    start = tl.program_id(0) * B
    out.store([start], x.load([start]) + y.load([start]))


@triton.jit
def add_matrices(x, y, out, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    out.store([row, column], x.load([row, column]) + y.load([row, column]))


@triton.autotune([triton.Config({}, num_warps=warps) for warps in (4, 8)], key=[])
@triton.jit
def add_tuned(x, y, out, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    out.store([row, column], x.load([row, column]) + y.load([row, column]))


@triton.jit
def double_rows(x, out):
    row = tl.program_id(0)
    out.store([row, 0, 0], x.load([row, 0, 0]) * 2)


@triton.jit
def read_beyond(x, out, B: tl.constexpr):
    places = tl.arange(0, B)[:, None] * B + tl.arange(0, B)[None, :]
    tl.store(out + places, x.load([B // 2, 0]))


@triton.jit
def scale(x, out, count, factor, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < count) * factor, mask=i < count)


@triton.autotune([triton.Config({"B": 64}), triton.Config({"B": 128}, num_warps=8)], key=["count"])
@triton.jit
def scale_tuned(x, out, count, factor, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < count) * factor, mask=i < count)


@triton.autotune([triton.Config({"B": 64}), triton.Config({"B": 128})], key=["count"], reset_to_zero=["out"])
@triton.jit
def add_up(x, out, count, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.atomic_add(out, tl.sum(tl.load(x + i, mask=i < count, other=0.0)))


@triton.autotune([triton.Config({"B": 64}), triton.Config({"B": 128})], key=["count"], restore_value=["x"])
@triton.jit
def double_in_place(x, count, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < count) * 2, mask=i < count)


def keep_small(configs, named_args, **options):
    return [config for config in configs if config.kwargs["B"] < 128]


@triton.autotune(
    [triton.Config({"B": 64}), triton.Config({"B": 128})],
    key=["count"],
    prune_configs_by={"early_config_prune": keep_small},
)
@triton.jit
def scale_by_block(x, out, count, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < count) * B, mask=i < count)


@triton.heuristics({"EVEN": lambda arguments: arguments["count"] % arguments["B"] == 0})
@triton.jit
def scale_by_parity(x, out, count, B: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < count) * (2 if EVEN else 3), mask=i < count)


@triton.jit
def multiply_by_block_pointers(a, b, c, M, N, K, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    left = tl.make_block_ptr(a, (M, K), (K, 1), (row, 0), (B, B), (1, 0))
    right = tl.make_block_ptr(b, (K, N), (N, 1), (0, column), (B, B), (1, 0))
    total = tl.zeros((B, B), tl.float32)
    for _ in range(0, K, B):
        total = tl.dot(tl.load(left, boundary_check=(0, 1)), tl.load(right, boundary_check=(0, 1)), total)
        left, right = tl.advance(left, (0, B)), tl.advance(right, (B, 0))
    out = tl.make_block_ptr(c, (M, N), (N, 1), (row, column), (B, B), (1, 0))
    tl.store(out, total, boundary_check=(0, 1))


@triton.jit
def multiply_by_descriptors(a, b, c, M, N, K, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [B, B])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [B, B])
    total = tl.zeros((B, B), tl.float32)
    for k in range(0, K, B):
        total = tl.dot(left.load([row, k]), right.load([k, column]), total)
    tl.make_tensor_descriptor(c, [M, N], [N, 1], [B, B]).store([row, column], total)


def describe(*tensors: torch.Tensor) -> list[TensorDescriptor]:
    return [TensorDescriptor.from_tensor(tensor, [16] * tensor.dim()) for tensor in tensors]


def add_by_descriptors(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The descriptors are made in what is traced."""
    out = torch.empty(x.shape)
    grid = tuple(triton.cdiv(size, 16) for size in x.shape)
    (add_matrices if x.dim() == 2 else add_vectors)[grid](*describe(x, y, out), B=16)
    return out


def scaled_by(kernel: Callable, *options: float) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return a function with a launch of a kernel that chooses its block itself, or takes one of 64."""

    def function(x: torch.Tensor) -> torch.Tensor:
        out = torch.empty_like(x)
        fixed = {} if isinstance(kernel, triton.runtime.Autotuner) else {"B": 64}
        kernel[lambda meta: (triton.cdiv(x.numel(), meta["B"]),)](x, out, x.numel(), *options, **fixed)
        return out + 1

    return function


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.shows(OWN + "pointers", "forward", "dynamic")
def test_pointers(dynamic):
    """The numbers that the kernel computes reach Inductor's code for the rest."""
    check(scaled_by(scale, 3.0), normal(10, 33), dynamic=dynamic)


@pytest.mark.full
class TestTuning:
    """Decorators of a kernel choose as they do in eager execution."""

    @pytest.mark.shows(OWN + "autotune", "forward", "dynamic")
    @pytest.mark.parametrize("dynamic", [False, True])
    def test_autotune(self, dynamic):
        """Block and warps are tuned when the function runs."""
        check(scaled_by(scale_tuned, 3.0), normal(10, 33), dynamic=dynamic)

    @pytest.mark.shows(OWN + "autotune with reset_to_zero", "forward")
    def test_reset_to_zero(self):
        """Measuring leaves nothing in the sum."""

        def function(x: torch.Tensor) -> torch.Tensor:
            out = torch.zeros(1)
            add_up[lambda meta: (triton.cdiv(x.numel(), meta["B"]),)](x, out, x.numel())
            return out * 2

        check(function, normal(10, 33), tolerance=1e-4)

    @pytest.mark.shows(OWN + "autotune with restore_value", "forward")
    def test_restore_value(self):
        """An input is changed once, however often the kernel is measured."""

        def function(x: torch.Tensor) -> torch.Tensor:
            double_in_place[lambda meta: (triton.cdiv(x.numel(), meta["B"]),)](x, x.numel())
            return x + 1

        check(function, normal(10, 33))

    @pytest.mark.shows(OWN + "autotune with prune_configs_by", "forward")
    def test_prune_configs_by(self):
        """The result shows the block."""
        check(scaled_by(scale_by_block), normal(10, 33))

    @pytest.mark.shows(OWN + "heuristics", "forward")
    @pytest.mark.parametrize("count", [128, 130])
    def test_heuristics(self, count):
        """The result shows the value of the heuristic."""
        check(scaled_by(scale_by_parity), normal(count))


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("sizes", [(70, 64, 48), (71, 63, 47)], ids=str)
@pytest.mark.parametrize(
    "kernel", [multiply_by_block_pointers, multiply_by_descriptors], ids=["pointers", "descriptors"]
)
@pytest.mark.shows(OWN + "block pointers, descriptors made in the kernel", "forward", "dynamic")
@pytest.mark.full
def test_blocks(kernel, sizes, dynamic):
    """Matrices that 2D block messages can address, and ones that they cannot; no allocator is used for memory."""
    rows, depth, columns = sizes

    def function(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        c = torch.empty(a.shape[0], b.shape[1])
        grid = (triton.cdiv(a.shape[0], 32), triton.cdiv(b.shape[1], 32))
        kernel[grid](a, b, c, a.shape[0], b.shape[1], a.shape[1], B=32)
        return c.relu()

    a, b = normal(rows, depth).bfloat16(), normal(depth, columns).bfloat16()
    check(function, a, b, tolerance=1e-2, dynamic=dynamic)


class TestHostDescriptors:
    """The generated code makes the descriptors."""

    @pytest.mark.shows(OWN + "host descriptors, of 1, 2 and 3 dimensions", "forward", "dynamic")
    @pytest.mark.parametrize("shape", [(100,), (40, 64)], ids=len)
    @pytest.mark.parametrize("dynamic", [False, True])
    def test_ranks(self, shape, dynamic):
        """Three of them, and what follows the kernel is Inductor's."""
        code = check(lambda x, y: add_by_descriptors(x, y).relu(), normal(*shape), normal(*shape) + 1, dynamic=dynamic)
        assert code.count("TensorDescriptor") >= 3

    @pytest.mark.full
    @pytest.mark.parametrize("dynamic", [False, True])
    def test_batches(self, dynamic):
        """Blocks of one matrix of a batch."""

        def function(x: torch.Tensor) -> torch.Tensor:
            out = torch.empty_like(x)
            double_rows[(x.shape[0],)](*(TensorDescriptor.from_tensor(t, [1, 16, 16]) for t in (x, out)))
            return out + 1

        check(function, normal(5, 16, 16), dynamic=dynamic)

    @pytest.mark.shows(OWN + "host descriptors of views", "forward")
    def test_views(self):
        """Views are of a tensor twice, of rows after the first ones, and of every second row."""
        x = normal(49, 64)
        check(lambda x: add_by_descriptors(x, x) * 2, x)
        check(lambda x: add_by_descriptors(x[8:], x[:-8]) * 2, x)
        check(lambda x: add_by_descriptors(x[1::2] * 1, x[1::2]) * 2, x)

    def test_sizes(self):
        """One compilation serves matrices of every size."""
        compiled = torch.compile(lambda x, y: add_by_descriptors(x, y) * 2, fullgraph=True, dynamic=True)
        for rows, columns in ((40, 64), (56, 80), (33, 64)):
            x, y = normal(rows, columns), normal(rows, columns, seed=1)
            torch.testing.assert_close(compiled(x, y), (x + y) * 2)
        assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1

    @pytest.mark.shows(
        OWN + "one kernel after another, by host descriptors", "forward", remark="torch alone drops the first"
    )
    def test_chains(self):
        """A kernel reads what another one has written, both through descriptors of the same tensor."""

        def function(x: torch.Tensor) -> torch.Tensor:
            for _ in range(3):
                x = add_by_descriptors(x, x)
            return x + 1

        assert check(function, normal(40, 64)).count(".run(") >= 4

    @pytest.mark.shows(OWN + "host descriptors of inputs that a kernel changes", "forward")
    def test_inputs_that_change(self):
        """First read, then written, then read again, each through a descriptor."""

        def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            before = add_by_descriptors(x, y)
            add_matrices[(3, 4)](*describe(x, y, x), B=16)
            return before + add_by_descriptors(x, x)

        check(function, normal(40, 64), normal(40, 64, seed=1))

    @pytest.mark.full
    def test_tuned(self):
        """A kernel with descriptors is tuned, too."""

        def function(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            out = torch.empty_like(x)
            add_tuned[(3, 4)](*describe(x, y, out), B=16)
            return out + 1

        check(function, normal(40, 64), normal(40, 64, seed=1))

    @pytest.mark.shows(
        OWN + "host descriptors that pad with NaN", "forward", remark="a graph break: torch keeps no padding"
    )
    def test_padding(self):
        """Eager's numbers by a graph break, or an error where none may be; the default may be spelled out."""

        def function(x: torch.Tensor, padding: str = "nan") -> torch.Tensor:
            out = torch.empty(16, 16)
            read_beyond[(1,)](TensorDescriptor.from_tensor(x, [16, 16], padding=padding), out, B=16)
            return out * 2

        with pytest.raises(torch._dynamo.exc.Unsupported, match="makes descriptors without `padding`"):
            torch.compile(function, fullgraph=True)(normal(16, 16))
        torch._dynamo.reset()
        expected = torch.cat([normal(16, 16)[8:] * 2, torch.full((8, 16), torch.nan)])
        torch.testing.assert_close(torch.compile(function)(normal(16, 16)), expected, equal_nan=True)
        torch._dynamo.reset()
        check(lambda x: function(x, "zero"), normal(16, 16))


class AddTwice(torch.autograd.Function):
    """A kernel in each direction."""

    @staticmethod
    def forward(ctx, x, y):
        return add_by_descriptors(x, y)

    @staticmethod
    def backward(ctx, gradient):
        gradient = gradient.contiguous()
        return add_by_descriptors(gradient, gradient), gradient


@pytest.mark.shows(OWN + "autograd.Function", "forward", "backward")
@pytest.mark.full
def test_autograd_function():
    """Forward and backward of a function with kernels are traced."""
    check_gradients(lambda x, y: AddTwice.apply(x, y) * x, normal(40, 64), normal(40, 64, seed=1), tolerance=1e-5)


@torch.library.triton_op("triton_xe_test::scaled", mutates_args={})
def scaled(x: torch.Tensor, factor: float) -> torch.Tensor:
    out = torch.empty_like(x)
    torch.library.wrap_triton(scale)[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), factor, B=64)
    return out


def keep_factor(ctx, inputs, output):
    ctx.factor = inputs[1]


scaled.register_autograd(lambda ctx, gradient: (scaled(gradient, ctx.factor), None), setup_context=keep_factor)


@pytest.mark.shows(OWN + "torch.library.triton_op", "forward", "backward", "dynamic")
@pytest.mark.full
def test_triton_op():
    """An operation of a kernel, with its gradient; the kernel is in the generated code."""
    assert "scale_" in check(lambda x: scaled(x.sin(), 3.0) + 1, normal(10, 33), dynamic=True)
    check_gradients(lambda x: scaled(x.sin(), 3.0) + 1, normal(10, 33), tolerance=1e-5)
