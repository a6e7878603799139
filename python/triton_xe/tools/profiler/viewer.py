# SPDX-License-Identifier: MIT
"""Triton's viewer of profiles, extended by our devices.

python -m triton_xe.tools.profiler.viewer -m time/ms,util FILE
"""

from __future__ import annotations

from typing import Any

from triton.profiler import viewer

from triton_xe.compat import changes
from triton_xe.tools.profiler import specs


def install() -> None:
    """Let Triton's viewer know the peaks of our devices: it queries those of every device in a file."""
    changes.put(viewer, "specs", specs)


install()


def __getattr__(name: str) -> Any:
    return getattr(viewer, name)


if __name__ == "__main__":
    viewer.main()
