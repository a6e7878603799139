# SPDX-License-Identifier: MIT
"""The modes of scopes as objects, those of `triton.profiler.mode`. `instrumentation_mode` reads their texts."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    from triton.profiler import mode

    return getattr(mode, name)
