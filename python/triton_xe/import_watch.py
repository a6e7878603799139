# SPDX-License-Identifier: MIT
"""Watch for the import of a module of others, to change it when a program imports it, and not to load it before."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


def watch(name: str, change: Callable[[ModuleType], None]) -> None:
    """Call `change` with a module right after its execution. A second call for the module does nothing.

    A module that was imported earlier stays as it is.
    """
    if name not in sys.modules and not any(isinstance(each, _Finder) and each.name == name for each in sys.meta_path):
        sys.meta_path.insert(0, _Finder(name, change))


class _Finder:
    """Finds one module by other finders, and changes it after its execution."""

    def __init__(self, name: str, change: Callable[[ModuleType], None]) -> None:
        self.name = name
        self._change = change

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(name, path, target) for finder in others)), None)
        if spec and spec.loader:
            _after_execution(spec.loader, self._change)
        return spec


def _after_execution(loader: Any, change: Callable[[ModuleType], None]) -> None:
    execute = loader.exec_module

    def execute_and_change(module: ModuleType) -> None:
        execute(module)
        change(module)

    loader.exec_module = execute_and_change
