# SPDX-License-Identifier: MIT
"""Report why a kernel of a bundle cannot be used.

A kernel that no bundle has is compiled. If a bundle has a kernel of the same name, one line states what the difference
is: another compiler, another chip, another option, another text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import triton

from triton_xe.compat import key_parts
from triton_xe.tools.bundle import discovery, entries, groups, messages
from triton_xe.tools.bundle.manifest import Build, Entry


def explain(key: str) -> None:
    """Report why no bundle has the kernel with this key, if one has a kernel of its name."""
    parts, bundles = key_parts.last(), discovery.bundles()
    # A bundle that lists this very kernel has reported why it is not used.
    if parts is None or any(key in bundle.manifest.kernels for bundle in bundles):
        return
    stem = groups.stem_of(parts.source.name)
    candidates = [(bundle, entry) for bundle in bundles for entry in bundle.named(stem)]
    if not candidates:
        return
    wanted = entries.describe(parts.source, parts.backend, parts.options, parts.environment)
    if wanted.key != key:
        # Triton has added something to the key, and only a hook of the user knows what.
        return
    found = [(bundle, _differences(entry, wanted, bundle.manifest.builds)) for bundle, entry in candidates]
    bundle, differences = min(found, key=lambda each: (_TEXT in each[1], len(each[1])))
    messages.print_once(
        f"kernel `{wanted.name}` is compiled, since bundle `{bundle.path}` has another: {'; '.join(differences)}"
    )


#: Triton's key has the line on which a kernel begins, so that a line above it makes another kernel of it.
_TEXT = "the kernel's text has changed, or that of a function that it calls, or its line in the file"
_ARGUMENTS = "the types, constants or divisibility of its arguments are others"
_UNKNOWN = "its text, or the types, constants or divisibility of its arguments, are others"


def _differences(entry: Entry, wanted: Entry, builds: Sequence[Build]) -> list[str]:
    """Return the parts of the key in which an entry of a bundle is another kernel than the wanted one."""
    found = [*_source(entry, wanted), *_compiler(entry, wanted, builds), *_options(entry, wanted)]
    variables = sorted(_differing(entry.environment, wanted.environment))
    found += [f"the environment variable `{name}`: {text}" for name, text in variables]
    return found or [_UNKNOWN]


def _source(entry: Entry, wanted: Entry) -> Iterator[str]:
    if entry.source_hash in ("", wanted.source_hash):
        return
    if not entry.text_hash or not wanted.text_hash:
        yield _UNKNOWN
    else:
        yield _ARGUMENTS if entry.text_hash == wanted.text_hash else _TEXT


def _compiler(entry: Entry, wanted: Entry, builds: Sequence[Build]) -> Iterator[str]:
    """Yield differences of Triton, of this package, and of the device."""
    if entry.triton_key != wanted.triton_key:
        versions = sorted({build.triton for build in builds if build.triton_key == entry.triton_key})
        yield f"another build of Triton ({', '.join(versions) or 'unknown'} in the bundle, {triton.__version__} here)"
    there, here = _split(entry.backend_hash), _split(wanted.backend_hash)
    if there[2] != here[2]:
        yield f"another build of triton-xe ({there[2][:12] or 'unknown'} in the bundle, {here[2][:12]} here)"
    for what, one, other in zip(("device", "chip"), there, here, strict=False):
        if one != other:
            yield f"the {what}: {one} in the bundle, {other} here"


def _split(backend_hash: str) -> tuple[str, str, str]:
    """Return device, chip and compiler of a backend's part of the key. The name of a chip may have a hyphen in it."""
    device, _, rest = backend_hash.partition("-")
    chip, _, toolchain = rest.rpartition("-")
    return device, chip, toolchain


def _options(entry: Entry, wanted: Entry) -> Iterator[str]:
    if entry.options_hash == wanted.options_hash or _split(entry.backend_hash)[0] != _split(wanted.backend_hash)[0]:
        # Many defaults are others on another device.
        return
    # These follow from the chip.
    differing = [each for each in _differing(entry.options, wanted.options) if each[0] not in ("arch", "backend_name")]
    for name, text in sorted(differing):
        yield f"the option `{name}`: {text}"
    if not differing and entry.options.get("arch") == wanted.options.get("arch"):
        yield "the content of a library in the option `extern_libs`"


def _differing(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the names with other values, and a text with both."""
    for name in there.keys() | here.keys():
        one, other = (repr(values[name]) if name in values else "unset" for values in (there, here))
        if one != other:
            yield name, f"{one} in the bundle, {other} here"
