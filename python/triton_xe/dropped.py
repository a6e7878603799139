# SPDX-License-Identifier: MIT
"""Print which configurations the autotuner drops, and why. Triton silently gives them an infinite time.

The autotuner measures configurations with the driver's benchmarker, which sees the exceptions of their launches.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

from triton_xe import knobs

_said: set[tuple[str, str]] = set()


def _wanted() -> bool:
    """Return whether to print dropped configurations; by default only on a terminal."""
    return knobs.DROPPED.enabled() if knobs.DROPPED.text() else sys.stderr.isatty()


def report(kernel: str, config: str, error: BaseException) -> None:
    """Print a line to stderr, once per kernel and configuration."""
    if (kernel, config) in _said or not _wanted():
        return
    _said.add((kernel, config))
    reason = next(iter(str(error).splitlines()), type(error).__name__)
    print(f"triton-xe: the autotuner drops {kernel} with {config}: {reason}", file=sys.stderr)


def announcing(benchmarker: Callable[..., Any]) -> Callable[..., Any]:
    """Return the benchmarker, extended to print the configurations that the autotuner is going to drop."""

    def measure(kernel_call: Callable[[], Any], *arguments: Any, **options: Any) -> Any:
        # Imported by the autotuner long before.
        from triton.compiler.errors import CompileTimeAssertionFailure
        from triton.runtime.errors import OutOfResources, PTXASError

        try:
            return benchmarker(kernel_call, *arguments, **options)
        except (OutOfResources, CompileTimeAssertionFailure, PTXASError) as error:
            # The autotuner's own function; that of other code raises to its caller.
            variables = inspect.getclosurevars(kernel_call).nonlocals if inspect.isfunction(kernel_call) else {}
            tuner, config = variables.get("self"), variables.get("config")
            if config is not None and hasattr(tuner, "base_fn"):
                report(tuner.base_fn.__name__, str(config), error)
            raise

    return measure
