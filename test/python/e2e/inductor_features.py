"""torch.compile on CPU tensors: Inductor's kernels run through the `cpu` backend, with eager's numbers."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
import triton
import triton.language as tl
from torch import nn
from torch._inductor import config
from torch._inductor.utils import fresh_cache, run_and_get_code
from torch.nn import functional
from torch.utils import _triton
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import inductor


@pytest.fixture(autouse=True)
def enabled(monkeypatch) -> Iterator[None]:
    """Only here, with an empty cache, and compiled in this process."""
    monkeypatch.setattr(_triton, "_device_supports_tma", _triton._device_supports_tma)
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    with config.patch(cpu_backend=config.cpu_backend, compile_threads=1), fresh_cache():
        inductor.enable()
        yield
    torch._dynamo.reset()


def check(function: Callable, *arguments: torch.Tensor, tolerance: float = 1e-5, **options: Any) -> str:
    """Compare with eager execution, and return the generated code, all of which is Triton."""
    actual, code = run_and_get_code(torch.compile(function, fullgraph=True, **options), *arguments)
    torch.testing.assert_close(actual, function(*arguments), rtol=tolerance, atol=tolerance)
    text = "\n".join(code)
    assert "async_compile.triton" in text or "@triton.jit" in text
    assert "async_compile.cpp" not in text
    return text


def normal(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


def integers(limit: int, *shape: int) -> torch.Tensor:
    return torch.randint(0, limit, shape, generator=torch.Generator().manual_seed(limit))


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


#: What Inductor makes kernels of, by name.
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
    "block": (Block(64), (normal(2, 24, 64),)),
}
#: In the default run: what the others are made of.
COMPACT = ("softmax", "layer_norm", "cross_entropy", "argmax", "cumsum", "block")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in COMPACT else pytest.mark.full) for name in FEATURES]
)
def test_feature(name):
    function, arguments = FEATURES[name]
    check(function, *arguments)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.full
def test_half_precision(dtype):
    check(lambda x, y: torch.softmax(x * 2 + y, -1), normal(33, 70).to(dtype), normal(33, 70).to(dtype), tolerance=2e-2)


def test_dynamic_batch():
    """One compilation serves batches of every size."""
    compiled = torch.compile(Block(32), fullgraph=True, dynamic=True)
    model = compiled._orig_mod
    for batch in (2, 3, 7):
        x = normal(batch, 20, 32)
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-5, atol=1e-5)
    assert torch._dynamo.utils.counters["stats"]["unique_graphs"] == 1


def test_backward():
    """Gradients of a model with a loss are eager's."""
    model = Block(32)
    reference = copy.deepcopy(model)
    x, target = normal(2, 16, 32), integers(32, 32)
    for one in (torch.compile(model, fullgraph=True), reference):
        functional.cross_entropy(one(x).view(-1, 32), target).backward()
    for actual, expected in zip(model.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(actual.grad, expected.grad, rtol=1e-4, atol=1e-6)


@pytest.mark.full
def test_templates():
    """Torch's own matrix product, chosen among tiles by measurement."""
    options = {
        "max_autotune": True,
        "max_autotune_gemm_backends": "TRITON",
        "autotune_in_subproc": False,
        "test_configs.autotune_choice_name_regex": "mm_1$",
    }
    with config.patch(options):
        code = check(lambda x, y: (x @ y).relu(), normal(40, 64), normal(64, 48), tolerance=1e-2)
    assert "triton_tem" in code


@triton.jit
def add_vectors(x, y, out, B: tl.constexpr):
    start = tl.program_id(0) * B
    out.store([start], x.load([start]) + y.load([start]))


@triton.jit
def add_matrices(x, y, out, B: tl.constexpr):
    row, column = tl.program_id(0) * B, tl.program_id(1) * B
    out.store([row, column], x.load([row, column]) + y.load([row, column]))


@triton.jit
def scale(x, out, count, factor, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < count) * factor, mask=i < count)


def add_by_descriptors(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The descriptors are made in what is traced."""
    out = torch.empty_like(x)
    block = [16] * x.dim()
    grid = tuple(triton.cdiv(size, 16) for size in x.shape)
    kernel = add_matrices if x.dim() == 2 else add_vectors
    kernel[grid](*[TensorDescriptor.from_tensor(tensor, block) for tensor in (x, y, out)], B=16)
    return out.relu()


class TestOwnKernels:
    """Kernels of users in compiled functions."""

    @pytest.mark.parametrize("shape", [(100,), (40, 64)], ids=len)
    @pytest.mark.parametrize("dynamic", [False, True])
    def test_descriptors_of_the_host(self, shape, dynamic):
        code = check(add_by_descriptors, normal(*shape), normal(*shape) + 1, dynamic=dynamic)
        assert code.count("TensorDescriptor") >= 3

    def test_same_tensor_twice(self):
        x = normal(40, 64)
        check(lambda x: add_by_descriptors(x, x), x)

    def test_view(self):
        """Of every second row, from the second on."""
        x = normal(41, 64)
        check(lambda x: add_by_descriptors(x[1::2] * 1, x[1::2]), x)

    def test_pointers(self):
        def function(x: torch.Tensor) -> torch.Tensor:
            out = torch.empty_like(x)
            scale[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), 3.0, B=64)
            return out + 1

        check(function, normal(10, 33))


def test_enabling_twice():
    """Is no different, and torch's answer about NVIDIA's GPUs stays torch's."""
    before = _triton._device_supports_tma
    inductor.enable()
    assert _triton._device_supports_tma is before
    assert config.cpu_backend == "triton"
