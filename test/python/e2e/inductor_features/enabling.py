# SPDX-License-Identifier: MIT
"""A plugin of all tests of Inductor: our devices are enabled, and the cache is empty."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def enabled() -> Iterator[None]:
    """Enable the backend, with an empty cache and compilations in this process."""
    import torch
    from torch._inductor import config
    from torch._inductor.utils import fresh_cache

    from triton_xe import inductor

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    with config.patch(compile_threads=1), fresh_cache():
        inductor.enable()
        yield
    torch._dynamo.reset()
