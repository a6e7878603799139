# SPDX-License-Identifier: MIT
"""Inductor's options that change what its kernels look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
import torch
from checking import check, normal
from operations import Block
from torch._inductor import config
from torch.nn import functional

pytest_plugins = ("enabling",)


class Option(NamedTuple):
    """Settings, a function with its arguments, and which part of the code shows that the settings had an effect."""

    settings: dict[str, object]
    function: Callable
    arguments: tuple[torch.Tensor, ...]
    expected: tuple[str, ...] = ()
    remark: str = ""


def mixed(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x.t().sin() + y * 2


def reductions(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.softmax(x, -1), x.sum(0), *torch.var_mean(x, -1)


MIXED = (normal(64, 128), normal(128, 64))
ROWS = (normal(64, 1024),)
TILES = {"triton.prefer_nd_tiling": True, "triton.max_tiles": 2}
BLOCKS = {"use_block_ptr": "make_block_ptr", "use_tensor_descriptor": "make_tensor_descriptor"}

OPTIONS: dict[str, Option] = {
    "max_autotune of pointwise kernels": Option(
        {"max_autotune": True, "max_autotune_pointwise": True}, mixed, (normal(70, 100), normal(100, 70))
    ),
    "coordinate_descent_tuning": Option({"coordinate_descent_tuning": True}, mixed, MIXED),
    "combo_kernels": Option(
        {"combo_kernels": True, "benchmark_combo_kernel": True},
        lambda x, y, z: (x.sum(-1), y.softmax(-1), z.exp()),
        (normal(70, 100), normal(10, 7), normal(33)),
    ),
    "benchmark_fusion": Option({"benchmark_fusion": True}, lambda x: (x.sin() + 1).sum(-1) * 2, ROWS),
    "multi_kernel": Option({"triton.multi_kernel": 1}, lambda x: torch.softmax(x, -1), ROWS, ("multi_kernel",)),
    "mix_order_reduction": Option(
        {"triton.mix_order_reduction": True, "triton.mix_order_reduction_non_strict_mode": True},
        lambda x, w: ((x * w).sum(-1), (x * w).sum(0)),
        (normal(5000, 256), normal(256)),
        ("mix_order",),
    ),
    "nested_reduction": Option(
        {"triton.nested_reduction": True},
        lambda x: functional.rms_norm(x, (128,)).view(64, 4, 32).abs().amax(-1),
        (normal(64, 128),),
    ),
    "persistent_reductions off": Option({"triton.persistent_reductions": False}, reductions, ROWS),
    "cooperative_reductions": Option(
        {"triton.force_cooperative_reductions": True},
        lambda x: x.sum(),
        ROWS,
        remark="as ordinary reductions on the CPU, where not all programs run at a time",
    ),
    "decompose_sort_ops": Option({"triton.decompose_sort_ops": True}, lambda x: x.sort(-1), (normal(4, 1000),)),
    "max_tiles of 3": Option(
        {"triton.max_tiles": 3, "triton.prefer_nd_tiling": True},
        lambda x: x.permute(2, 1, 0) + 1,
        (normal(16, 20, 24),),
    ),
    "autotune_at_compile_time": Option({"triton.autotune_at_compile_time": True}, reductions, ROWS),
    "deterministic": Option({"deterministic": True}, reductions, ROWS),
    "freezing": Option({"freezing": True}, Block(64).eval(), (normal(2, 24, 64),)),
    "memory_planning": Option({"memory_planning": True}, Block(64), (normal(2, 24, 64),)),
}
for option, call in BLOCKS.items():
    cases = {
        "pointwise": Option({}, lambda x, y: x * 2 + y, (normal(70, 128), normal(70, 128))),
        "transposed": Option(TILES, mixed, MIXED),
        "reductions": Option({}, reductions, ROWS),
        "reductions in loops": Option({"triton.persistent_reductions": False}, reductions, ROWS),
        "broadcast": Option(TILES, lambda x, y: x[:, None] + y, (normal(64), normal(64, 128))),
        "views": Option(TILES, lambda x, y: x[::2, 16:48] + y[1::2, 16:48], (normal(64, 64), normal(64, 64, seed=1))),
        "block": Option({}, Block(64), (normal(2, 24, 64),)),
    }
    for name, case in cases.items():
        settings = {f"triton.{option}": True, **case.settings}
        OPTIONS[f"{option}: {name}"] = case._replace(settings=settings, expected=(call,))

#: The options of the default run.
COMPACT = ("benchmark_fusion", "cooperative_reductions", "use_tensor_descriptor: transposed")


def option_parameters() -> list:
    """Return all options; most of them for long runs."""
    parameters = []
    for name, option in OPTIONS.items():
        shows = pytest.mark.shows(f"option: {name}", "forward", remark=option.remark)
        parameters.append(pytest.param(name, marks=[shows] if name in COMPACT else [shows, pytest.mark.full]))
    return parameters


@pytest.mark.filterwarnings("ignore:tl.make_block_ptr is deprecated")
@pytest.mark.parametrize("name", option_parameters())
def test_option(name):
    """Numbers are eager's, and the option has left its trace in the code."""
    option = OPTIONS[name]
    with config.patch(option.settings):
        check(option.function, *option.arguments, tolerance=1e-3, expected=option.expected)
