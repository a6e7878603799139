# SPDX-License-Identifier: MIT
"""Make the record of a compiled kernel from its source and its metadata, which are all inputs of a launcher.

The key of a kernel in Triton's cache is a hash of its source, its options, the backend and the environment. The record
holds each of these by itself, so that the key for another chip can be made. Whether they are right is checked: the key
that they give must be the one that the kernel has.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

from triton_xe import errors, kept_files, origins, seals
from triton_xe import options as xe_options
from triton_xe.tools.harvest import records

#: Fields of the options that are not recorded: the target has its own, and options of other backends have no effect.
_OF_TARGET = ("arch", "backend_name", "without_effect")
#: Options that a backend derives from others unless the launch gives them. They are left out first.
_DERIVED = ("device_compiler", "sanitize_overflow", "cpu_code", "cpu_checks")


def of_kernel(source: Any, metadata: Any, variant_of: str | None) -> records.Specialization:
    """Return the record of a kernel. Raises HarvestError if its TTIR is not known."""
    from triton._C.libtriton import get_cache_invalidating_env_vars
    from triton.compiler.compiler import make_backend

    backend = make_backend(metadata.target)
    environment = get_cache_invalidating_env_vars()
    origin, options, is_key = _find_key(metadata, backend, environment)
    text = _find_ttir(source, metadata)
    function = _function(source)
    file, line = _find_place(function, text)
    return records.Specialization(
        name=source.name,
        module=_text_of(function, "__module__"),
        qualified_name=_text_of(function, "__qualname__"),
        file=file,
        line=line,
        source_hash=origin.source_hash if is_key else "",
        text_hash=origin.text_hash,
        source=_find_texts(source),
        signature={str(name): kind if isinstance(kind, str) else str(kind) for name, kind in source.signature.items()},
        constants={_path(path): records.represent(value) for path, value in _constants(source).items()},
        attributes={_path(path): records.to_json(list(value)) for path, value in getattr(source, "attrs", {}).items()},
        ttir=text,
        options=minimize(backend, options),
        environment=dict(environment),
        # Inductor names no architecture for CPU tensors.
        target={
            "backend": metadata.target.backend,
            "arch": metadata.target.arch or metadata.arch,
            "warp_size": metadata.target.warp_size,
        },
        triton_version=metadata.triton_version,
        triton_key=origins.triton_key_digest(),
        key=metadata.hash,
        launch_conditions=records.to_json(list(metadata.launch_conditions)),
        shared=metadata.shared,
        variant_of=variant_of,
    )


def _path(path: Any) -> str:
    """Return the path of an argument as text: its position, and those in tuples."""
    return ".".join(map(str, path)) if isinstance(path, tuple) else str(path)


def _constants(source: Any) -> dict[Any, Any]:
    return getattr(source, "constants", {})


def _function(source: Any) -> Any:
    """Return the function of a source; None for a file."""
    from triton.runtime.jit import JITCallable

    function = getattr(source, "fn", None)
    return function if isinstance(function, JITCallable) else None


def _text_of(function: Any, name: str) -> str:
    value = getattr(function, name, "")
    return value if isinstance(value, str) else ""


def minimize(backend: Any, options: xe_options.XeOptions) -> dict[str, Any]:
    """Return the options, as JSON, that `backend.parse_options` needs to give these again.

    On another chip they give what the launch would give there: what a backend adds by itself is left out. An option
    that a launch gave with its default value is left out, too. `debug` stays wherever it comes from, since TTIR has
    assertions because of it.
    """
    fields = (field.name for field in dataclasses.fields(options))
    needed = {name: getattr(options, name) for name in fields if name not in _OF_TARGET}
    removable = [name for name in needed if name != "debug" or not options.debug]
    removable.sort(key=lambda name: name not in _DERIVED)
    # An option that others needed can go once they are gone.
    for name in (*removable, *removable):
        rest = {other: value for other, value in needed.items() if other != name}
        if name in needed and _is_parsed(backend, rest | {"arch": options.arch}, options):
            needed = rest
    return records.to_json(needed | dict(options.without_effect))


def _is_parsed(backend: Any, values: dict[str, Any], expected: xe_options.XeOptions) -> bool:
    try:
        parsed = backend.parse_options(values)
    except errors.TritonXeError:
        return False
    return dataclasses.replace(parsed, without_effect=expected.without_effect) == expected


def _find_key(
    metadata: Any, backend: Any, environment: dict[str, str]
) -> tuple[origins.Origin, xe_options.XeOptions, bool]:
    """Return the parts of a kernel's key, the options among them, and whether the key follows from them.

    The source itself need not know its hash: torch drops the function of a kernel that another process has compiled.
    Raises HarvestError if the metadata do not state what the kernel was compiled from.
    """
    from triton.runtime.cache import get_cache_key

    origin = origins.read(metadata._asdict())
    if origin is None:
        raise errors.HarvestError("its metadata do not state what it was compiled from")
    values = dict(origin.options)
    # Options of other backends are entries under their own names.
    values |= dict(values.pop("without_effect", ()))
    options = backend.parse_options(values)
    source = SimpleNamespace(hash=lambda: origin.source_hash)
    key = get_cache_key(source, backend, options, env_vars=environment)
    return origin, options, seals.digest(key.encode()) == metadata.hash


def _find_ttir(source: Any, metadata: Any) -> str:
    """Return the kernel's TTIR. A source that is a file of TTIR has it itself."""
    path = kept_files.find(source, metadata, "ttir")
    if path is None and str(getattr(source, "path", "")).endswith(".ttir"):
        path = str(source.path)
    if path is None:
        raise errors.HarvestError(kept_files.lack_of_ttir(source) or "its TTIR is not in Triton's cache")
    try:
        return Path(path).read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise errors.HarvestError(f"its TTIR cannot be read: {error}") from error


def _find_place(function: Any, ttir: str) -> tuple[str, int]:
    """Return the file and the line of a function. The first location in TTIR is that of the kernel."""
    match = re.search(r'loc\("([^"\n]+)":(\d+):\d+\)', ttir)
    if match:
        return match[1], int(match[2])
    code = getattr(getattr(function, "fn", None), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("", 0)


def _find_texts(source: Any) -> dict[str, str]:
    """Return the Python text of a kernel and of the functions that it calls, by their qualified names."""
    from triton.runtime.jit import JITCallable

    found: list[JITCallable] = []
    waiting = [_function(source), *_constants(source).values()]
    while waiting:
        function = waiting.pop(0)
        if not isinstance(function, JITCallable) or any(function is other for other in found):
            continue
        # The version of Triton determines what its own functions are.
        if not _text_of(function, "__module__").startswith("triton."):
            found.append(function)
            waiting += _called(function.fn)
    texts: dict[str, str] = {}
    for function in found:
        name, module = _text_of(function, "__qualname__"), _text_of(function, "__module__")
        texts[f"{module}.{name}" if name in texts else name] = function.src
    return texts


def _called(function: Any) -> list[Any]:
    """Return the values of all names in a function's code, and those that it takes from modules."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    variables = inspect.getclosurevars(function)
    found = [*variables.globals.values(), *variables.nonlocals.values()]
    modules = [value for value in found if isinstance(value, ModuleType)]
    return found + [vars(module).get(name) for module in modules for name in code.co_names]
