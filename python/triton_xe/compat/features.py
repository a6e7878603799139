# SPDX-License-Identifier: MIT
"""Features of compiled functions, each a set of changes in torch: all of them are made, or none."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from triton_xe.compat.changes import Changes


@dataclass(frozen=True)
class Feature:
    """A feature of compiled functions, and the changes in torch that it needs."""

    name: str
    change: Callable[[Changes], None]

    def enable(self) -> bool:
        """Make all changes. If one cannot be made, undo the others and warn that this feature is missing.

        Torch moves and renames the functions that are changed here, so any exception means that this torch is
        different.
        """
        import torch

        changes = Changes()
        try:
            self.change(changes)
        except Exception as error:
            changes.undo()
            warnings.warn(
                f"compiled functions do without a feature of triton-xe, {self.name}: torch {torch.__version__} has not "
                f"what it changes ({type(error).__name__}: {error})",
                stacklevel=3,
            )
            return False
        return True


def find_any(owner: Any, *names: str) -> str:
    """Return the first of these names that a module or class has; versions of torch differ in them."""
    for name in names:
        if hasattr(owner, name):
            return name
    described = " or ".join(f"`{name}`" for name in names)
    raise AttributeError(f"`{owner.__name__}` has no {described}")
