# SPDX-License-Identifier: MIT
"""State on parameters with a type which of them are 1, as Triton's key of a kernel does.

Triton compiles a kernel again for each set of arguments that are 1, and makes them constants: a stride of 1 is the one
of a contiguous dimension. For a parameter such as `stride: int`, the number is part of the kernel's key, but not of
what is compiled. The IR gets it from here, as an attribute that TritonIntelFoldKnownArguments reads.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Sequence
from typing import Any

from triton.runtime import jit

from triton_xe import errors, tracebacks
from triton_xe import options as xe_options
from triton_xe.compat import changes

#: The attribute of an argument of which all launches pass this value.
ATTRIBUTE = "ttig.value"


def install() -> None:
    """State the value of arguments that are 1. A Triton without such a method stays as it is."""
    with contextlib.suppress(errors.CompatibilityError):
        changes.replace(jit.JITFunction, "_pack_args", _stating_units)


def _is_unit(kind: Any, value: Any) -> bool:
    """Return whether Triton compiles an argument as a number of this kind, though its key states that it is 1."""
    return isinstance(kind, str) and kind[:1] in ("i", "u") and type(value) is int and value == 1


def _stating_units(stock: Callable[..., Any]) -> Callable[..., Any]:
    """Return Triton's method, extended to add the attributes."""

    @tracebacks.end_here
    @functools.wraps(stock)
    def pack_args(
        self: Any, backend: Any, kwargs: Any, bound_args: Any, specialization: Sequence[Any], options: Any
    ) -> Any:
        options, signature, constants, attributes = stock(self, backend, kwargs, bound_args, specialization, options)
        if isinstance(options, xe_options.XeOptions):
            for number, _ in enumerate(self.params):
                kind, value = specialization[number]
                if _is_unit(kind, value):
                    attributes[(number,)] = [*attributes.get((number,), []), [ATTRIBUTE, 1]]
        return options, signature, constants, attributes

    return pack_args
