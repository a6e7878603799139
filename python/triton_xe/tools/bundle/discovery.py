# SPDX-License-Identifier: MIT
"""Find the bundles of this process.

The variable `TRITON_XE_BUNDLE` names folders. Without it, installed packages are searched: one with a bundle declares
an entry point in the group `triton_xe.bundles`, whose value is the package, or a folder in it as `package.folder`. No
code of such a package runs.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

from triton_xe import errors, hooks, knobs
from triton_xe.compat import wheel_key
from triton_xe.tools.bundle import messages

if TYPE_CHECKING:
    from triton_xe.tools.bundle.reading import Bundle


def bundles() -> tuple[Bundle, ...]:
    """Return the bundles that this process uses, in the order in which they are queried."""
    return _open_all(knobs.BUNDLE.text())


@functools.cache
def _open_all(text: str) -> tuple[Bundle, ...]:
    """Open the bundles that a value of the variable names. A folder without one is named on stderr."""
    if text == hooks.NO_BUNDLES:
        return ()
    paths = [Path(part) for part in text.split(os.pathsep) if part] if text else _installed()
    return tuple(bundle for path in paths if (bundle := _open(path)))


def _open(path: Path) -> Bundle | None:
    # Most processes have no bundle, and need not load this.
    from triton_xe.tools.bundle.reading import Bundle

    try:
        bundle = Bundle.open(path)
    except errors.BundleError as error:
        messages.print_once(f"bundle `{path}` is not used: {error}")
        return None
    wheel_key.know(bundle.manifest.triton_keys)
    return bundle


def _installed() -> list[Path]:
    """Return the folders that installed packages declare."""
    return [_locate(entry_point) for entry_point in importlib.metadata.entry_points(group=hooks.BUNDLES)]


def _locate(entry_point: importlib.metadata.EntryPoint) -> Path:
    """Return the folder that an entry point names; a folder without a bundle if the package has none."""
    from triton_xe.tools.bundle.manifest import MANIFEST

    package, *folders = entry_point.value.split(".")
    try:
        found = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        found = None
    places = [Path(place, *folders) for place in (found.submodule_search_locations if found else None) or ()]
    with_bundle = [place for place in places if (place / MANIFEST).exists()]
    return next(iter(with_bundle or places), Path(entry_point.value))
