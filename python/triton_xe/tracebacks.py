# SPDX-License-Identifier: MIT
"""Hide the frames of this package in tracebacks of errors that it raises on purpose.

Such an error is about a kernel, an option or a binary: the place in the package is of no use to users. As for the
frames of Triton's own frontend, TRITON_FRONT_END_DEBUGGING=1 keeps them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from triton import knobs as triton_knobs

from triton_xe.errors import TritonXeError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def end_here(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Return a function that Triton calls, after which tracebacks have no frames."""

    @functools.wraps(function)
    def call(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        try:
            return function(*arguments, **keywords)
        except TritonXeError as error:
            if triton_knobs.compilation.front_end_debugging:
                raise
            # The traceback shows this line, and so how to see more.
            raise error.with_traceback(None)  # noqa: B904 - TRITON_FRONT_END_DEBUGGING=1 shows all frames

    return call
