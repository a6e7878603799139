# SPDX-License-Identifier: MIT
"""The operations that Inductor makes kernels of: operations of torch on CPU tensors, with eager's numbers."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable

import pytest
import torch
from checking import check, integers, normal
from torch import nn
from torch._inductor import compile_fx, config
from torch.nn import functional

from triton_xe import inductor

pytest_plugins = ("enabling",)


class Block(nn.Module):
    """Attention and an MLP with layer norm."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.norm, self.heads = nn.LayerNorm(size), nn.Linear(size, 3 * size)
        self.out, self.up, self.down = nn.Linear(size, size), nn.Linear(size, 2 * size), nn.Linear(2 * size, size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.heads(self.norm(x)).chunk(3, -1)
        x = x + self.out(torch.softmax(q @ k.transpose(-1, -2) / x.shape[-1] ** 0.5, -1) @ v)
        return x + self.down(functional.gelu(self.up(x)))


#: The operations that Inductor makes kernels of, by name.
FEATURES: dict[str, tuple[Callable, tuple[torch.Tensor, ...]]] = {
    "pointwise": (lambda x, y: x * 2 + y.sin() / (1 + x.abs()), (normal(33, 70), normal(33, 70))),
    "broadcast": (lambda x, y: (x[:, None] * y).to(torch.bfloat16), (normal(19), normal(19, 40))),
    "transposed": (lambda x, y: x.t() + y, (normal(33, 70), normal(70, 33))),
    "sum": (lambda x: x.sum(), (normal(64, 300),)),
    "reductions": (lambda x: (x.amax(0), x.mean(1), x.prod(1), x.any(0)), (normal(40, 30),)),
    "variance": (lambda x: torch.var_mean(x, -1), (normal(16, 5000),)),
    "softmax": (lambda x: torch.softmax(x, -1), (normal(20, 300),)),
    "log_softmax": (lambda x: torch.log_softmax(x, 0), (normal(20, 300),)),
    "layer_norm": (lambda x: functional.layer_norm(x, (300,)), (normal(20, 300),)),
    "rms_norm": (lambda x: functional.rms_norm(x, (128,)), (normal(20, 128),)),
    "batch_norm": (lambda x: functional.batch_norm(x, None, None, training=True), (normal(4, 8, 9, 9),)),
    "cross_entropy": (functional.cross_entropy, (normal(64, 128), integers(128, 64))),
    "argmax": (lambda x: (x.argmax(-1), x.argmin(0)), (normal(64, 128),)),
    "cumsum": (lambda x: (x.cumsum(-1), x.cumprod(0)), (normal(20, 60),)),
    "sort": (lambda x: x.sort(-1), (normal(8, 64),)),
    "embedding": (functional.embedding, (integers(50, 6, 9), normal(50, 32))),
    "gather": (lambda x, i: x.gather(1, i), (normal(9, 40), integers(40, 9, 7))),
    "scatter": (lambda x, i: torch.zeros(9, 40).scatter_add(1, i, x), (normal(9, 7), integers(40, 9, 7))),
    "where": (lambda x: torch.where(x > 0, x, x.exp() - 1).clamp(max=1), (normal(33, 70),)),
    "integers": (lambda x, y: (x // (y + 1), x % (y + 1), x << 2, x ^ y), (integers(1000, 300), integers(7, 300))),
    "mlp": (nn.Sequential(nn.Linear(64, 96), nn.GELU(), nn.Linear(96, 32)), (normal(10, 64),)),
    "convolution": (lambda x, w: functional.relu(functional.conv2d(x, w)), (normal(2, 3, 16, 16), normal(8, 3, 3, 3))),
    "attention": (
        lambda q, k, v: functional.scaled_dot_product_attention(q, k, v, is_causal=True) * 2,
        (normal(1, 2, 64, 32), normal(1, 2, 64, 32), normal(1, 2, 64, 32)),
    ),
    "attention and MLP": (Block(64), (normal(2, 24, 64),)),
    "group_norm": (lambda x: functional.group_norm(x, 4), (normal(2, 16, 9, 9),)),
    "pooling": (
        lambda x: (functional.avg_pool2d(x, 3, 1, 1), functional.max_pool2d(x, 3, 2)),
        (normal(2, 4, 16, 16),),
    ),
    "interpolation": (
        lambda x: (functional.interpolate(x, scale_factor=2, mode="bilinear"), functional.interpolate(x, size=(7, 5))),
        (normal(2, 4, 16, 16),),
    ),
    "padding": (
        lambda x: torch.cat([functional.pad(x, (1, 2)).roll(3, 1).flip(0), functional.pad(x, (2, 1), mode="reflect")]),
        (normal(8, 16),),
    ),
    "index_put": (
        lambda x, i: x.clone().index_put_((i,), torch.ones(5, 16), accumulate=True),
        (normal(8, 16), torch.tensor([0, 3, 3, 7, 1])),
    ),
    "scatter_reduce": (
        lambda x, i: torch.zeros(8, 16).scatter_reduce(0, i[:, None].expand(5, 16), x[:5], "amax"),
        (normal(8, 16), torch.tensor([0, 3, 3, 7, 1])),
    ),
    "bucketize": (torch.bucketize, (normal(8, 64), torch.linspace(-2, 2, 9))),
    "cummax": (lambda x: (x.cummax(-1), x.logcumsumexp(-1)), (normal(8, 64),)),
    "float64": (lambda x: torch.softmax(x.double(), -1).sum(), (normal(8, 64),)),
    "small integers": (
        lambda x: (x.to(torch.uint8) + 200, x.to(torch.int8) * 3, x.bool(), x.double() / 3, -x // 3, ~x),
        (integers(50, 300),),
    ),
    "special functions": (
        lambda x: (
            torch.lgamma(x.abs() + 1),
            torch.digamma(x.abs() + 1),
            torch.erfinv(x.tanh()),
            torch.hypot(x, x + 1),
        ),
        (normal(8, 64),),
    ),
    "bessel functions": (
        lambda x: (
            torch.special.i0(x) + 1,
            torch.special.bessel_j0(x) + torch.special.bessel_j1(x) * x,
            torch.special.bessel_y0(x.abs() + 0.1) + torch.special.bessel_y1(x.abs() + 0.1),
            torch.special.modified_bessel_i0(x) + torch.special.modified_bessel_i1(x),
        ),
        (normal(8, 64),),
    ),
}
#: The remarks that the documentation adds.
REMARKS: dict[str, str] = {}
#: The features of the default run: the others consist of them.
COMPACT = ("softmax", "layer_norm", "cross_entropy", "argmax", "cumsum", "attention and MLP")


def feature_parameters() -> list:
    """Return all features; most of them for long runs."""
    parameters = []
    for name in FEATURES:
        shows = pytest.mark.shows(name.replace("_", " "), "forward", remark=REMARKS.get(name, ""))
        parameters.append(pytest.param(name, marks=[shows] if name in COMPACT else [shows, pytest.mark.full]))
    return parameters


@pytest.mark.parametrize("name", feature_parameters())
def test_feature(name):
    """Numbers are eager's, and all kernels are Triton's."""
    function, arguments = FEATURES[name]
    check(function, *arguments, tolerance=1e-4)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.full
@pytest.mark.shows("float16 and bfloat16", "forward")
def test_half_precision(dtype):
    """Numbers are right to the precision of the type."""
    check(lambda x, y: torch.softmax(x * 2 + y, -1), normal(33, 70).to(dtype), normal(33, 70).to(dtype), tolerance=2e-2)


@pytest.mark.shows("attention and MLP", "dynamic")
def test_dynamic_batch():
    """One compilation serves batches of every size."""
    compiled = torch.compile(Block(32), fullgraph=True, dynamic=True)
    model = compiled._orig_mod
    for batch in (2, 3, 7):
        x = normal(batch, 20, 32)
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-5)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


@pytest.mark.shows("attention and MLP", "backward")
def test_backward():
    """Gradients of a model with a loss are eager's."""
    model = Block(32)
    reference = copy.deepcopy(model)
    x, target = normal(2, 16, 32), integers(32, 32)
    for one in (torch.compile(model, fullgraph=True), reference):
        functional.cross_entropy(one(x).view(-1, 32), target).backward()
    for actual, expected in zip(model.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(actual.grad, expected.grad, rtol=1e-4, atol=1e-6)


@pytest.mark.shows(
    "random numbers and dropout", "forward", "backward", remark="Triton's philox; eager's with fallback_random"
)
@pytest.mark.full
def test_random_numbers():
    """Dropout drops the same elements of the gradient; uniform and normal numbers have their moments."""
    torch.manual_seed(0)
    x = torch.ones(4000, requires_grad=True)
    y = torch.compile(lambda x: functional.dropout(x, 0.25, True), fullgraph=True)(x)
    y.sum().backward()
    torch.testing.assert_close(x.grad, y.detach())
    assert abs((y == 0).float().mean() - 0.25) < 0.05
    uniform, gaussian = torch.compile(lambda x: (torch.rand_like(x), torch.randn_like(x)), fullgraph=True)(x.detach())
    assert abs(uniform.mean() - 0.5) < 0.05
    assert abs(gaussian.mean()) < 0.1
    assert abs(gaussian.std() - 1) < 0.1
    with config.patch(fallback_random=True):
        torch._dynamo.reset()
        draws = []
        for function in (torch.rand_like, torch.compile(torch.rand_like, fullgraph=True)):
            torch.manual_seed(3)
            draws.append(function(x.detach()))
        torch.testing.assert_close(*draws)


@pytest.mark.parametrize(
    "option", [None, pytest.param("use_block_ptr", marks=pytest.mark.full), "use_tensor_descriptor"]
)
def test_inputs_of_other_alignment(option):
    """Code is for the alignment of the first inputs; others are copied, and what is written to them is copied back."""
    base = normal(64 * 64 + 8)
    views = [base[start : start + 4096].view(64, 64) for start in (0, 1, 4)]
    with config.patch({f"triton.{option}": True} if option else {}):
        double = torch.compile(lambda x: x * 2 + 1, fullgraph=True)
        double_in_place = torch.compile(lambda x: x.mul_(2), fullgraph=True)
        for view in views:
            expected = view * 2
            torch.testing.assert_close(double(view), expected + 1)
            double_in_place(view)
            torch.testing.assert_close(view, expected)


def test_enabling_twice():
    """A second call changes nothing."""
    before = compile_fx.should_assume_input_aligned
    inductor.enable()
    assert compile_fx.should_assume_input_aligned is before
    assert config.cpu_backend == "triton"


def test_another_torch(monkeypatch):
    """Costs one feature and has a warning that names it, the version of torch and what is missing."""
    monkeypatch.delattr(compile_fx, "get_input_idxs_to_check")
    version = re.escape(torch.__version__)
    with pytest.warns(UserWarning, match=f"aligned inputs on the CPU: torch {version} .*get_input_idxs_to_check"):
        inductor.enable()
    monkeypatch.undo()
    check(lambda x: x.sin() + 1, normal(100))
