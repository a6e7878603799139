# SPDX-License-Identifier: MIT
"""A plugin of all tests of Inductor: our devices are enabled, and the cache is empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


def measure_once(patch: pytest.MonkeyPatch) -> None:
    """Let Inductor run once what it would run for 125 ms: no test depends on which choice is the fastest."""
    from torch._inductor.runtime.benchmarking import Benchmarker

    measure = Benchmarker.benchmark_cpu
    patch.setattr(Benchmarker, "benchmark_cpu", lambda self, function, **_: measure(self, function, 0, 0))
    # Other processes read these.
    for name in ("WARMUP", "REP"):
        patch.setenv(f"TORCHINDUCTOR_DEFAULT_AUTOTUNE_{name}", "0")


@pytest.fixture(autouse=True)
def enabled() -> Iterator[None]:
    """Enable the backend, with an empty cache and compilations in this process; each choice is measured once."""
    import torch
    from torch._inductor import config
    from torch._inductor.utils import fresh_cache

    from triton_xe import inductor

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    with config.patch(compile_threads=1), fresh_cache(), pytest.MonkeyPatch.context() as patch:
        measure_once(patch)
        inductor.enable()
        yield
    torch._dynamo.reset()
