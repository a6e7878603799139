# SPDX-License-Identifier: MIT
"""Comparison of compiled functions with eager execution, and inputs for it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn
from torch._inductor.utils import run_and_get_code


def check(
    function: Callable,
    *arguments: Any,
    tolerance: float = 1e-5,
    expected: Sequence[str] = (),
    **options: Any,
) -> str:
    """Compare with eager execution, and return the generated code, all of which is Triton.

    The effect on the arguments is compared, too; `expected` is looked for in the code.
    """
    copies = copy.deepcopy(arguments)
    actual, code = run_and_get_code(torch.compile(function, fullgraph=True, **options), *copies)
    torch.testing.assert_close(actual, function(*arguments), rtol=tolerance, atol=tolerance)
    for one, other in zip(copies, arguments, strict=True):
        if isinstance(one, torch.Tensor) and one.dtype.itemsize > 1:
            torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance)
    text = "\n".join(code)
    assert "async_compile.triton" in text or "@triton.jit" in text
    assert "async_compile.cpp" not in text
    for part in expected:
        assert part in text, f"no `{part}` in the code"
    return text


def check_gradients(function: Callable, *arguments: torch.Tensor, tolerance: float, **named: Any) -> None:
    """Compare the result and all gradients with eager execution."""
    results = []
    for one in (torch.compile(function, fullgraph=True), function):
        leaves = [argument.clone().requires_grad_() for argument in arguments]
        out = one(*leaves, **named)
        (out * normal(*out.shape).to(out.dtype)).sum().backward()
        results.append([out.detach(), *(leaf.grad for leaf in leaves)])
    torch.testing.assert_close(*results, rtol=tolerance, atol=tolerance)


def check_training(
    model: nn.Module,
    batches: Sequence[tuple[torch.Tensor, torch.Tensor]],
    loss: Callable,
    tolerance: float = 1e-3,
    dynamic: bool | None = None,
    autocast: torch.dtype | None = None,
) -> None:
    """Some steps of AdamW, compiled too: losses and parameters are those of eager execution."""
    results = []
    for compiled in (True, False):
        trained = copy.deepcopy(model)
        optimizer = torch.optim.AdamW(trained.parameters(), lr=1e-2)
        forward = torch.compile(trained, fullgraph=True, dynamic=dynamic) if compiled else trained
        step = torch.compile(optimizer.step) if compiled else optimizer.step
        losses = []
        for x, target in batches:
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=autocast, enabled=autocast is not None):
                value = loss(forward(x), target)
            value.backward()
            step()
            losses.append(value.detach())
        results.append((losses, [parameter.detach() for parameter in trained.parameters()]))
    torch.testing.assert_close(results[0][0], results[1][0], rtol=tolerance, atol=tolerance)
    # A step divides by the size of the gradient, so small differences grow.
    torch.testing.assert_close(results[0][1], results[1][1], rtol=10 * tolerance, atol=10 * tolerance)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape) + seed))


def integers(limit: int, *shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return torch.randint(0, limit, shape, generator=torch.Generator().manual_seed(limit), dtype=dtype)


def causal(batch: Any, head: Any, query: Any, key: Any) -> Any:
    """Return a mask of attention."""
    return query >= key
