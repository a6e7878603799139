# SPDX-License-Identifier: MIT
"""Matrix products, convolutions and attention by the Triton templates of torch."""

from __future__ import annotations

import pytest
import torch
from checking import causal, check, check_gradients, integers, normal
from torch._inductor import config
from torch.nn import functional
from torch.nn.attention.flex_attention import AuxRequest, create_block_mask, flex_attention

pytest_plugins = ("enabling",)

#: Templates alone, and few of their tiles: which one is fastest does not matter here.
PRODUCTS = {
    "max_autotune": True,
    "max_autotune_gemm_backends": "TRITON",
    "autotune_in_subproc": False,
    "test_configs.autotune_choice_name_regex": "[05]$",
}


def check_product(*arguments, expected=("triton_tem",), patch=None, **options) -> None:
    with config.patch({**PRODUCTS, **(patch or {})}):
        check(*arguments, tolerance=2e-2, expected=expected, **options)


def halves(*tensors: torch.Tensor) -> list[torch.Tensor]:
    return [tensor.bfloat16() for tensor in tensors]


@pytest.mark.shows("products: mm, with what follows it", "forward", "dynamic")
@pytest.mark.parametrize("dynamic", [False, pytest.param(True, marks=pytest.mark.full)])
def test_product(dynamic):
    """The tiles are chosen by measurement, and the kernel ends with the function that follows."""
    check_product(lambda x, y: (x @ y).relu(), *halves(normal(40, 64), normal(64, 48)), dynamic=dynamic)


@pytest.mark.full
class TestProducts:
    """Other products, each by its template."""

    @pytest.mark.shows("products: sizes that are no multiples of anything", "forward")
    def test_odd_sizes(self):
        check_product(lambda x, y: (x @ y).relu(), *halves(normal(41, 63), normal(63, 47)))

    @pytest.mark.shows("products: addmm", "forward")
    def test_addmm(self):
        check_product(lambda b, x, y: torch.addmm(b, x, y).sigmoid(), normal(48), normal(40, 64), normal(64, 48))

    @pytest.mark.shows("products: bmm, baddbmm", "forward")
    def test_batches(self):
        check_product(lambda x, y: torch.bmm(x, y) * 2, normal(3, 40, 64), normal(3, 64, 48))
        x, y = normal(3, 40, 64), normal(3, 64, 48)
        check_product(lambda b, x, y: torch.baddbmm(b, x, y) * 2, normal(3, 40, 48), x, y)

    @pytest.mark.shows("products: sum of two", "forward")
    def test_sum_of_two(self):
        a, b, c, d = normal(40, 64), normal(64, 48), normal(40, 64, seed=1), normal(64, 48, seed=1)
        check_product(lambda a, b, c, d: a @ b + c @ d, a, b, c, d)

    @pytest.mark.shows("products: with what goes before (prologue_fusion)", "forward")
    def test_prologue(self):
        patch = {"prologue_fusion": True}
        check_product(lambda x, y: x.float() @ y, normal(64, 64).bfloat16(), normal(64, 48), patch=patch)

    @pytest.mark.shows("products: benchmark_epilogue_fusion", "forward")
    def test_measured_epilogue(self):
        """Torch's code to measure a kernel for CPU tensors alone does not parse; ours does."""
        patch = {"benchmark_epilogue_fusion": True}
        check_product(lambda x, y: (x @ y).relu(), normal(40, 64), normal(64, 48), patch=patch)

    @pytest.mark.shows("products: int_mm", "forward")
    def test_integers(self):
        x, y = integers(100, 40, 64, dtype=torch.int8), integers(99, 64, 48, dtype=torch.int8)
        check_product(torch._int_mm, x, y)

    @pytest.mark.shows("products: scaled_mm, of fp8", "forward")
    def test_scaled(self):
        x, y = (normal(rows, 64).to(torch.float8_e4m3fn) for rows in (32, 48))

        def function(x, y, a, b):
            return torch._scaled_mm(x, y.t(), a, b, out_dtype=torch.float32)

        check_product(function, x, y, torch.tensor(0.5), torch.tensor(2.0))

    @pytest.mark.shows("convolution", "forward")
    def test_convolution(self):
        x, w = normal(2, 16, 16, 16), normal(32, 16, 3, 3)
        # Its names end otherwise.
        patch = {"test_configs.autotune_choice_name_regex": "convolution2d_[0-9]*[05]$"}
        check_product(lambda x, w: functional.relu(functional.conv2d(x, w)), x, w, patch=patch)


PERSISTENT = {"triton.enable_persistent_tma_matmul": True, "test_configs.autotune_choice_name_regex": "tma"}
IN_KERNEL = ("triton_tem", "make_tensor_descriptor")


@pytest.mark.shows("products: persistent, by descriptors (enable_persistent_tma_matmul)", "forward", "dynamic")
class TestPersistentProducts:
    """The template that torch keeps for NVIDIA's and Intel's GPUs."""

    @pytest.mark.parametrize("dynamic", [False, pytest.param(True, marks=pytest.mark.full)])
    def test_product(self, dynamic):
        """Descriptors are made in the kernel."""
        x, y = halves(normal(96, 64), normal(64, 80))
        check_product(lambda x, y: (x @ y).relu(), x, y, expected=IN_KERNEL, patch=PERSISTENT, dynamic=dynamic)

    @pytest.mark.full
    def test_transposed(self):
        """The descriptor is of the matrix as it lies in memory."""
        x, y = halves(normal(64, 96), normal(64, 80))
        check_product(lambda x, y: (x.t() @ y).relu(), x, y, expected=IN_KERNEL, patch=PERSISTENT)

    @pytest.mark.full
    def test_stores(self):
        """The result leaves by a descriptor, and what is added arrives by one."""
        patch = {
            f"triton.{name}": True for name in ("enable_template_tma_store", "enable_tma_load_for_template_epilogue")
        }
        x, y, z = halves(normal(96, 64), normal(64, 80), normal(96, 80))
        function = lambda x, y, z: (x @ y) + z  # noqa: E731
        check_product(function, x, y, z, expected=IN_KERNEL, patch=PERSISTENT | patch)

    @pytest.mark.full
    def test_addmm(self):
        """A vector is added to the product."""
        x, y = halves(normal(96, 64), normal(64, 80))
        function = lambda b, x, y: torch.addmm(b, x, y).relu()  # noqa: E731
        check_product(function, normal(80).bfloat16(), x, y, expected=IN_KERNEL, patch=PERSISTENT)


#: Changes of scores by their places and by a tensor of the function's surroundings.
BIAS = normal(256)
SCORES = {
    "plain": None,
    "places": lambda score, batch, head, query, key: score + 0.01 * (query - key),
    "captured": lambda score, batch, head, query, key: score + BIAS[key],
    "softcap": lambda score, batch, head, query, key: 20 * torch.tanh(score / 20),
}
MASKS = {
    "causal": causal,
    "window": lambda batch, head, query, key: (query >= key) & (query - key < 64),
}


def heads(count: int = 2, length: int = 256, batch: int = 2, size: int = 32, seed: int = 0) -> torch.Tensor:
    return normal(batch, count, length, size, seed=seed)


def masked(name: str, length: int = 256) -> dict:
    return {"block_mask": create_block_mask(MASKS[name], None, None, length, length, device="cpu")}


def check_attention(*arguments: torch.Tensor, tolerance: float = 1e-2, expected=("flex_attention",), **named) -> None:
    check(lambda q, k, v: flex_attention(q, k, v, **named), *arguments, tolerance=tolerance, expected=expected)


class TestFlexAttention:
    """Flex attention by the templates of GPUs: torch's own for CPUs is C++, and forward only."""

    @pytest.mark.shows("flex attention: causal, sliding window", "forward")
    @pytest.mark.parametrize("mask", [pytest.param("causal"), pytest.param("window", marks=pytest.mark.full)])
    def test_masks(self, mask):
        """Blocks that the mask leaves out are not computed."""
        q, k, v = halves(*(heads(seed=seed) for seed in range(3)))
        check_attention(q, k, v, tolerance=3e-2, **masked(mask))

    @pytest.mark.full
    @pytest.mark.shows("flex attention: score_mod", "forward", "dynamic")
    @pytest.mark.parametrize("score", SCORES)
    def test_scores(self, score):
        """Functions of scores are right in float32."""
        check_attention(*(heads(seed=seed) for seed in range(3)), score_mod=SCORES[score])

    @pytest.mark.full
    def test_sizes(self):
        """One compilation for several lengths."""
        compiled = torch.compile(
            lambda q, k, v: flex_attention(q, k, v, score_mod=SCORES["places"]), dynamic=True, fullgraph=True
        )
        for batch in (2, 3):
            tensors = [heads(batch=batch, length=128 * batch, seed=seed) for seed in range(3)]
            expected = flex_attention(*tensors, score_mod=SCORES["places"])
            torch.testing.assert_close(compiled(*tensors), expected, rtol=1e-2, atol=1e-2)

    @pytest.mark.full
    @pytest.mark.shows(
        "flex attention: shared heads (GQA), lengths that are no multiples, auxiliary outputs", "forward"
    )
    def test_shapes(self):
        """Attention has a causal mask, keys for half of the heads, and other data of each row."""
        few = [heads(1, seed=seed) for seed in range(2)]
        check_attention(heads(), *few, enable_gqa=True)
        check_attention(heads(), *few, enable_gqa=True, **masked("causal"))
        # Heads that share keys have more rows together than a block of the mask.
        short = [heads(count, length=100, seed=seed) for seed, count in enumerate((2, 1, 1))]
        check_attention(*short, enable_gqa=True, **masked("causal", 100))
        check_attention(*(heads(length=200, batch=1, seed=seed) for seed in range(3)))
        both = AuxRequest(lse=True, max_scores=True)
        check_attention(*(heads(seed=seed) for seed in range(3)), return_aux=both)

    @pytest.mark.full
    @pytest.mark.shows("flex attention: by descriptors (USE_TMA)", "forward", "backward", remark="xpu: by default")
    def test_descriptors(self):
        """Descriptors are used as on Intel's GPUs."""
        options = {"kernel_options": {"USE_TMA": True}}
        tensors = [heads(seed=seed) for seed in range(3)]
        check_attention(*tensors, expected=("make_tensor_descriptor",), **options)
        check_attention(heads(length=1), *tensors[1:], expected=("make_tensor_descriptor", "SPLIT_KV"), **options)
        check_gradients(flex_attention, *tensors, tolerance=2e-2, **options)

    @pytest.mark.full
    @pytest.mark.shows("flex attention: decoding, by parts of the keys", "forward")
    @pytest.mark.parametrize("queries", [1, 16])
    def test_decoding(self, queries):
        """Few queries, of the heads of the keys and of more."""
        few = [heads(1, seed=seed) for seed in range(2)]
        many = [heads(seed=seed) for seed in range(2)]
        query = heads(length=queries)
        check_attention(query, *many, expected=("SPLIT_KV",), score_mod=SCORES["places"])
        check_attention(query, *few, expected=("SPLIT_KV",), enable_gqa=True)

    @pytest.mark.shows("flex attention: gradients", "forward", "backward")
    def test_gradients(self):
        """Gradients are of queries, keys and values, with a mask, in bfloat16."""
        tensors = halves(*(heads(seed=seed) for seed in range(3)))
        check_gradients(flex_attention, *tensors, tolerance=5e-2, **masked("causal"))

    @pytest.mark.full
    def test_more_gradients(self):
        """Through a change of the scores, and with shared heads, in float32."""
        q, k, v = (heads(seed=seed) for seed in range(3))
        check_gradients(flex_attention, q, k, v, tolerance=2e-2, score_mod=SCORES["places"])
        check_gradients(flex_attention, q, k[:, :1], v[:, :1], tolerance=2e-2, enable_gqa=True)

    @pytest.mark.full
    @pytest.mark.shows("flex attention: gradients of tensors that score_mod takes", "forward", "backward")
    def test_gradients_of_captured_tensors(self):
        """A sum over rows, by atomic additions."""

        def function(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
            return flex_attention(q, k, v, score_mod=lambda score, batch, head, query, key: score + bias[key])

        check_gradients(function, *(heads(seed=seed) for seed in range(3)), BIAS, tolerance=2e-2)

    @pytest.mark.full
    @pytest.mark.shows("flex attention: heads of 8 elements", "forward", "backward", remark="torch: of 16 at least")
    def test_small_heads(self):
        """Products that are too small for DPAS."""
        tensors = [heads(length=128, size=8, seed=seed) for seed in range(3)]
        check_attention(*tensors)
        check_attention(heads(length=1, size=8), *tensors[1:], expected=("SPLIT_KV",))
        check_gradients(flex_attention, *tensors, tolerance=2e-2)
