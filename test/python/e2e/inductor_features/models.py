# SPDX-License-Identifier: MIT
"""Models with their losses and optimizers, compiled without a graph break."""

from __future__ import annotations

import pytest
import torch
from checking import causal, check, check_training, integers, normal
from torch import nn
from torch.nn import functional
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

pytest_plugins = ("enabling",)

WORDS = 96


class Layer(nn.Module):
    """Attention to what came before, and an MLP, each with layer norm."""

    def __init__(self, size: int, flex: bool) -> None:
        super().__init__()
        self.norm, self.heads, self.out = nn.LayerNorm(size), nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down, self.flex = nn.Linear(size, 2 * size), nn.Linear(2 * size, size), flex

    def attend(self, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        if self.flex:
            mask = create_block_mask(causal, None, None, q.shape[1], k.shape[1], device="cpu")
            return flex_attention(q[:, None], k[:, None], v[:, None], block_mask=mask)[:, 0]
        scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        later = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return torch.softmax(scores.masked_fill(later, float("-inf")), -1) @ v

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.out(self.attend(*self.heads(self.norm(x)).chunk(3, -1)))
        return x + self.down(functional.gelu(self.up(x)))


class LanguageModel(nn.Module):
    """A language model with tied weights of embedding and head."""

    def __init__(self, size: int = 32, layers: int = 1, flex: bool = False) -> None:
        super().__init__()
        self.embedding, self.places = nn.Embedding(WORDS, size), nn.Parameter(torch.randn(128, size) * 0.02)
        self.layers, self.norm = nn.Sequential(*(Layer(size, flex) for _ in range(layers))), nn.LayerNorm(size)
        self.head = nn.Linear(size, WORDS, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.head(self.norm(self.layers(self.embedding(words) + self.places[: words.shape[1]])))


def text(sizes: tuple[int, ...], length: int = 24) -> list[tuple[torch.Tensor, torch.Tensor]]:
    return [(integers(WORDS - i, size, length), integers(WORDS - i - 9, size, length)) for i, size in enumerate(sizes)]


def word_loss(out: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
    return functional.cross_entropy(out.flatten(0, 1), words.flatten())


@pytest.mark.full
class TestLanguageModel:
    """Embedding, attention, loss, and steps of AdamW in compiled kernels for all parameters at once."""

    @pytest.mark.shows("transformer with loss and AdamW", "forward", "backward", "dynamic")
    @pytest.mark.parametrize("dynamic", [False, True])
    def test_training(self, dynamic):
        """Losses and parameters are those of eager execution."""
        torch.manual_seed(0)
        batches = text((4, 3, 5)) if dynamic else text((4, 4, 4))
        check_training(LanguageModel(), batches, word_loss, dynamic=dynamic)

    @pytest.mark.shows("transformer under autocast", "forward", "backward", remark="bfloat16 and float16")
    @pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=str)
    def test_autocast(self, dtype):
        """Losses and parameters are those of eager execution."""
        torch.manual_seed(0)
        check_training(LanguageModel(), text((4, 4)), word_loss, tolerance=3e-2, autocast=dtype)

    @pytest.mark.shows("transformer with flex attention", "forward", "backward")
    def test_flex_attention(self):
        """Losses and parameters are those of eager execution."""
        torch.manual_seed(0)
        check_training(LanguageModel(flex=True), text((2, 2), 128), word_loss, tolerance=2e-2)


class ConvolutionNet(nn.Module):
    """Without a bias before the normalization, which would have no gradient."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2d(3, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8)
        self.second, self.groups = nn.Conv2d(8, 16, 3, stride=2), nn.GroupNorm(4, 16)
        self.out = nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = functional.max_pool2d(functional.relu(self.norm(self.first(x))), 2)
        x = functional.silu(self.groups(self.second(x)))
        return self.out(functional.adaptive_avg_pool2d(x, 1).flatten(1))


class Recurrent(nn.Module):
    """A loop over time in Python."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.out = nn.GRUCell(8, 16), nn.LSTMCell(16, 16), nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = x.new_zeros(x.shape[0], 16)
        state = (h, h)
        for step in x.unbind(1):
            h = self.first(step, h)
            state = self.second(h, state)
        return self.out(state[0])


@pytest.mark.full
@pytest.mark.shows("convolution net with batch and group norm, AdamW", "forward", "backward")
def test_convolution_net():
    """Batch norm changes its statistics."""
    torch.manual_seed(0)
    batches = [(normal(4, 3, 16, 16, seed=seed), integers(10 - seed, 4)) for seed in range(2)]
    check_training(ConvolutionNet(), batches, functional.cross_entropy)


@pytest.mark.full
@pytest.mark.shows("recurrent cells, AdamW", "forward", "backward")
def test_recurrent_cells():
    """GRU and LSTM."""
    torch.manual_seed(0)
    batches = [(normal(4, 5, 8, seed=seed), integers(10 - seed, 4)) for seed in range(2)]
    check_training(Recurrent(), batches, functional.cross_entropy)


@pytest.mark.full
@pytest.mark.shows("int8 quantization", "forward")
def test_quantized():
    """Inputs and weights are quantized, or weights alone."""

    def quantized(x: torch.Tensor, w: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        step = x.abs().amax(-1, keepdim=True) / 127
        return torch._int_mm((x / step).round().clamp(-128, 127).to(torch.int8), w).float() * step * scale

    w, scale = integers(100, 64, 48, dtype=torch.int8), normal(48).abs()
    check(quantized, normal(40, 64), w, scale, tolerance=1e-3)
    check(lambda x, w, scale: (x @ (w.float() * scale)).relu(), normal(40, 64), w, scale, tolerance=1e-3)
