# SPDX-License-Identifier: MIT
"""Launch options of Triton's other backends, which are accepted so that kernels tuned for those run unchanged."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from typing import Any

#: The backends of the wheel, with their options.
_OTHERS = (("triton.backends.nvidia.compiler", "CUDAOptions"), ("triton.backends.amd.compiler", "HIPOptions"))
#: Options of earlier Tritons or forks: the division of a specialized kernel into loading and computing warps.
_WARP_SPECIALIZATION = ("num_consumer_groups", "num_buffers_warp_spec", "reg_dec_producer", "reg_inc_consumer")
#: The options of this package that decide about the same thing.
_INSTEAD = dict.fromkeys(("maxnreg", "waves_per_eu"), "`grf_mode` states how many registers a thread has")


def find(options: Mapping[str, Any], own: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return the options that only other backends have, with their values, in order."""
    unknown = {name: value for name, value in options.items() if name not in own and value is not None}
    if not unknown:
        return ()
    names = set(_WARP_SPECIALIZATION)
    for module, options_class in _OTHERS:
        try:
            others = getattr(importlib.import_module(module), options_class)
        except (ImportError, AttributeError):
            continue
        names.update(field.name for field in dataclasses.fields(others))
    return tuple(sorted((name, value) for name, value in unknown.items() if name in names))


def describe(name: str) -> str:
    """Return a text which states that an option has no effect, and which option has."""
    advice = _INSTEAD.get(name)
    return f"the option `{name}` has no effect on this target" + (f": {advice}" if advice else "")
