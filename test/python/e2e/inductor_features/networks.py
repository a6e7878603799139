# SPDX-License-Identifier: MIT
"""Small models of many kinds, forward and backward against eager.

`make test` runs three of them with the newest torch, `make test-full` all, with both.
"""

from __future__ import annotations

import copy

import pytest
import torch
from checking import integers, normal
from torch import nn
from torch.nn import functional

pytest_plugins = ("enabling",)


class Perceptron(nn.Module):
    """Three layers with batch norm."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(20, 48), nn.GELU(), nn.LayerNorm(48), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 10)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layers(x)


class Decoder(nn.Module):
    """A layer of a language model: RMS norm, rotary positions, shared heads, a gated MLP."""

    def __init__(self, size: int = 32, heads: int = 4, shared: int = 2) -> None:
        super().__init__()
        self.heads, self.shared, self.width = heads, shared, size // heads
        self.words = nn.Embedding(50, size)
        self.first, self.second = nn.RMSNorm(size), nn.RMSNorm(size)
        self.query, self.key = nn.Linear(size, size), nn.Linear(size, shared * self.width)
        self.value, self.out = nn.Linear(size, shared * self.width), nn.Linear(size, size)
        self.gate, self.up, self.down = nn.Linear(size, 64), nn.Linear(size, 64), nn.Linear(64, size)

    def rotate(self, x: torch.Tensor) -> torch.Tensor:
        half = self.width // 2
        speed = 100.0 ** (-torch.arange(half) / half)
        angle = torch.arange(x.shape[2])[:, None] * speed
        real, imaginary = x[..., :half], x[..., half:]
        cos, sin = angle.cos(), angle.sin()
        return torch.cat((real * cos - imaginary * sin, real * sin + imaginary * cos), -1)

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        q = self.query(x).view(batch, length, self.heads, self.width).transpose(1, 2)
        k, v = (f(x).view(batch, length, self.shared, self.width).transpose(1, 2) for f in (self.key, self.value))
        k, v = (y.repeat_interleave(self.heads // self.shared, 1) for y in (k, v))
        scores = self.rotate(q) @ self.rotate(k).transpose(-1, -2) / self.width**0.5
        later = torch.ones(length, length, dtype=torch.bool).triu(1)
        out = torch.softmax(scores.masked_fill(later, float("-inf")), -1) @ v
        return self.out(out.transpose(1, 2).reshape(x.shape))

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        x = self.words(words)
        x = x + self.attend(self.first(x))
        y = self.second(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class Encoder(nn.Module):
    """torch's own layer of a transformer."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True, norm_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)


class Residual(nn.Module):
    """Convolutions with batch norm and what goes around them."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, padding=1)
        self.one, self.norm = nn.Conv2d(8, 8, 3, padding=1, bias=False), nn.BatchNorm2d(8)
        self.two, self.out = nn.Conv2d(8, 8, 3, padding=1), nn.Linear(8, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.stem(x)
        x = functional.relu(x + self.two(functional.relu(self.norm(self.one(x)))))
        return self.out(x.mean((2, 3)))


class UNet(nn.Module):
    """Down, up again, and both together."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.deep = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.norm, self.up = nn.GroupNorm(4, 16), nn.Conv2d(24, 3, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        wide = functional.silu(self.down(x))
        deep = functional.silu(self.norm(self.deep(functional.avg_pool2d(wide, 2))))
        return self.up(torch.cat((wide, functional.interpolate(deep, scale_factor=2.0)), 1))


class Patches(nn.Module):
    """A vision transformer's patches, with a token for the class."""

    def __init__(self) -> None:
        super().__init__()
        self.patches, self.token = nn.Conv2d(3, 32, 4, stride=4), nn.Parameter(normal(1, 1, 32))
        self.places, self.layer, self.out = nn.Parameter(normal(1, 17, 32)), Encoder(), nn.Linear(32, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = torch.cat((self.token.expand(x.shape[0], -1, -1), x), 1) + self.places
        return self.out(self.layer(x)[:, 0])


class Recurrent(nn.Module):
    """A loop over time."""

    def __init__(self) -> None:
        super().__init__()
        self.cell, self.out = nn.GRUCell(8, 16), nn.Linear(16, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        state = x.new_zeros(x.shape[0], 16)
        for step in x.unbind(1):
            state = self.cell(step, state)
        return self.out(state)


class LinearAttention(nn.Module):
    """Sums of what came before, by cumulative sums."""

    def __init__(self) -> None:
        super().__init__()
        self.heads, self.out = nn.Linear(16, 48), nn.Linear(16, 16)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = self.heads(x).chunk(3, -1)
        q, k = functional.elu(q) + 1, functional.elu(k) + 1
        states = (k[..., :, None] * v[..., None, :]).cumsum(1)
        scale = (q * k.cumsum(1)).sum(-1, keepdim=True)
        return self.out((q[..., None, :] @ states)[..., 0, :] / scale)


class Experts(nn.Module):
    """A mixture of experts: each token takes the best two of four."""

    def __init__(self) -> None:
        super().__init__()
        self.router = nn.Linear(16, 4)
        self.up, self.down = nn.Parameter(normal(4, 16, 32) * 0.2), nn.Parameter(normal(4, 32, 16) * 0.2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weights, chosen = self.router(x).softmax(-1).topk(2, -1)
        shares = torch.zeros(x.shape[0], 4).scatter(1, chosen, weights / weights.sum(-1, keepdim=True))
        each = functional.silu(torch.einsum("ti,eio->eto", x, self.up)) @ self.down
        return torch.einsum("te,eto->to", shares, each)


class Graph(nn.Module):
    """Messages along the edges of a graph."""

    def __init__(self) -> None:
        super().__init__()
        self.message, self.update = nn.Linear(32, 16), nn.Linear(32, 16)

    def forward(self, nodes: torch.Tensor, sources: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        messages = functional.relu(self.message(torch.cat((nodes[sources], nodes[targets]), -1)))
        sums = torch.zeros_like(nodes).index_add(0, targets, messages)
        return self.update(torch.cat((nodes, sums), -1))


class Recommender(nn.Module):
    """Tables of embeddings, and all products of two features."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(30, 16) for _ in range(3))
        self.dense, self.out = nn.Linear(8, 16), nn.Linear(32, 1)

    def forward(self, dense: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        features = torch.stack([self.dense(dense), *(table(words[:, i]) for i, table in enumerate(self.tables))], 1)
        products = (features @ features.transpose(1, 2)).flatten(1)
        return torch.sigmoid(self.out(torch.cat((self.dense(dense), products), 1)))


class Depthwise(nn.Module):
    """A block of convolutions of single channels, and an MLP over channels."""

    def __init__(self) -> None:
        super().__init__()
        self.each, self.norm = nn.Conv2d(8, 8, 5, padding=2, groups=8), nn.LayerNorm(8)
        self.up, self.down, self.scale = nn.Linear(8, 32), nn.Linear(32, 8), nn.Parameter(normal(8))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.each(x).permute(0, 2, 3, 1))
        return x + (self.scale * self.down(functional.gelu(self.up(y)))).permute(0, 3, 1, 2)


NETWORKS = {
    "decoder of a language model": (Decoder, (integers(50, 2, 24),)),
    "residual convolutions": (Residual, (normal(2, 3, 12, 12),)),
    "mixture of experts": (Experts, (normal(40, 16),)),
    "perceptron": (Perceptron, (normal(30, 20),)),
    "encoder of a transformer": (Encoder, (normal(2, 20, 32),)),
    "U-net": (UNet, (normal(2, 3, 16, 16),)),
    "vision transformer": (Patches, (normal(2, 3, 16, 16),)),
    "recurrent": (Recurrent, (normal(4, 5, 8),)),
    "linear attention": (LinearAttention, (normal(2, 20, 16),)),
    "graph": (Graph, (normal(20, 16), integers(20, 50), integers(19, 50))),
    "recommender": (Recommender, (normal(12, 8), integers(30, 12, 3))),
    "depthwise convolutions": (Depthwise, (normal(2, 8, 10, 10),)),
}
#: One each of gathers and products, convolutions, and sorting.
NEWEST = ("decoder of a language model", "residual convolutions", "mixture of experts")


def list_cases() -> list:
    cases = []
    for name, case in NETWORKS.items():
        marks = [pytest.mark.full, pytest.mark.shows(f"network: {name}", "forward", "backward")]
        cases.append(
            pytest.param(*case, id=name, marks=[*marks, pytest.mark.newest_torch] if name in NEWEST else marks)
        )
    return cases


@pytest.mark.parametrize(("network", "inputs"), list_cases())
def test_network(network, inputs):
    """The result, and the gradients of all parameters and inputs."""
    torch.manual_seed(0)
    model = network()
    results = []
    for compiled in (True, False):
        one = copy.deepcopy(model)
        leaves = [x.clone().requires_grad_() if x.is_floating_point() else x for x in inputs]
        out = (torch.compile(one, fullgraph=True) if compiled else one)(*leaves)
        (out * normal(*out.shape)).sum().backward()
        gradients = [x.grad for x in (*leaves, *one.parameters()) if x.requires_grad]
        assert all(gradient is not None for gradient in gradients)
        results.append([out.detach(), *gradients])
    torch.testing.assert_close(*results, rtol=1e-3, atol=1e-4)
