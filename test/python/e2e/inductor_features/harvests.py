# SPDX-License-Identifier: MIT
"""Models that are recorded: the kernels of Inductor, which come from this process, from its workers or from a cache."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import torch
import warm_python
from checking import normal
from recorded import check_key
from torch import nn
from torch._inductor import config

from triton_xe.tools.harvest import command, records
from triton_xe.tools.harvest.records import Specialization

pytest_plugins = ("enabling",)


def train() -> None:
    """Run a small model forward and backward, twice."""
    torch.manual_seed(0)
    model = torch.compile(nn.Sequential(nn.Linear(20, 48), nn.GELU(), nn.LayerNorm(48)), fullgraph=True)
    x = normal(32, 20)
    for _ in range(2):
        model(x).softmax(-1).square().sum().backward()


def check(found: list[Specialization]) -> None:
    """Each kernel has its source, its place, and one choice, which alone was launched."""
    assert found
    for each in found:
        check_key(each)
        assert each.source[each.qualified_name].startswith(f"def {each.name}(")
        assert Path(each.file).suffix == ".py"
        assert bool(each.launches) == each.winner
    kernels = {each.file for each in found}
    assert kernels == {each.file for each in found if each.winner}


def test_training(tmp_path, monkeypatch):
    path = tmp_path / "harvest.jsonl"
    monkeypatch.setenv("TRITON_XE_HARVEST", str(path))
    train()
    harvest = records.read_all([path])
    assert not harvest.failures
    check(harvest.specializations)
    assert any("backward" in each.name for each in harvest.specializations)
    chosen = command.select(harvest, None, winners=True).specializations
    assert len({each.file for each in chosen}) == len(chosen) < len(harvest.specializations)


def test_templates(tmp_path, monkeypatch):
    """Only the chosen one of the measured products counts as launched."""
    path = tmp_path / "harvest.jsonl"
    monkeypatch.setenv("TRITON_XE_HARVEST", str(path))
    options = {"max_autotune": True, "max_autotune_gemm_backends": "TRITON"}
    with config.patch(options):
        a, b = normal(64, 64), normal(64, 64)
        product = torch.compile(lambda a, b: a @ b, fullgraph=True)
        torch.testing.assert_close(product(a, b), a @ b, rtol=1e-3, atol=1e-3)
    found = records.read([path])
    assert len(found) > 1
    (chosen,) = [each for each in found if each.launches]
    assert chosen.winner


def run() -> None:
    """Train with kernels that workers compile."""
    from torch._inductor.async_compile import AsyncCompile

    from triton_xe import inductor

    config.compile_threads = 2
    inductor.enable()
    torch.compile(lambda x: x + 1)(normal(3, 3))
    AsyncCompile.wait_pool_ready(60)
    train()


@pytest.mark.full
def test_workers_and_caches(tmp_path):
    """Kernels come without their functions: the record is that of a process which has compiled them."""
    found = []
    for number in range(2):
        path = tmp_path / f"harvest-{number}.jsonl"
        environment = {
            **os.environ,
            "TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "cache"),
            "TRITON_CACHE_DIR": str(tmp_path / "cache" / "triton"),
            "TRITON_XE_HARVEST": str(path),
            "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), str(Path(__file__).parents[2]))),
        }
        line = [sys.executable, "-W", "ignore", "-c", "import harvests; harvests.run()"]
        result = warm_python.run(line, env=environment, timeout=300)
        assert result.returncode == 0, result.stderr[-5000:]
        found.append(records.read([path]))
        check(found[-1])
    # From the cache comes what was chosen only.
    assert {each.key for each in found[1]} == {each.key for each in found[0] if each.winner}
    by_key = {each.key: each for each in found[0]}
    for each in found[1]:
        assert (each.source_hash, each.source, each.ttir) == (
            by_key[each.key].source_hash,
            by_key[each.key].source,
            by_key[each.key].ttir,
        )
