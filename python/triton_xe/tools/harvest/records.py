# SPDX-License-Identifier: MIT
"""The records of a harvest file, and how they are read and written.

A harvest file has one JSON object per line, so that `cat` merges files. A line is written by one call, under a lock, to
a file that is opened for appending: any number of processes may write into one file. A process that is killed leaves at
most one unfinished line, which readers skip with a warning.

    specialization  a compiled kernel: its source as TTIR, and everything that its key in Triton's cache depends on
    launch          the grid and the arguments of a launch, without the contents of tensors
    winner          an autotuner launched this specialization after it had measured, or without having to
    failure         a kernel that could not be recorded, and why

Nothing in a file is ever evaluated.
"""

from __future__ import annotations

import dataclasses
import fcntl
import json
import math
import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from triton_xe import errors

FORMAT = 1
#: The beginning of every line; a line that begins like this and does not end was cut off.
_BEGINNING = f'{{"format": {FORMAT}, "kind": "'.encode()
#: Longer lines are not read. The largest kernels have some megabytes of TTIR.
_MAX_LINE = 64 * 2**20
#: Values with more levels of lists and objects are neither written nor read.
_MAX_LEVELS = 50
#: Addresses are recorded modulo this, which is more than any specialization or launch condition requires.
ADDRESS_MODULUS = 64

ArgumentKind = Literal["tensor", "descriptor", "scalar", "constant"]


@dataclass(frozen=True)
class Argument:
    """An argument of a launch. Tuples of arguments are flattened, as launchers do it."""

    kind: ArgumentKind
    name: str = ""
    #: The element type as torch names it: `float32`. It is the one of Triton for a `triton.reinterpret`: `fp8e5`.
    dtype: str = ""
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    #: The address modulo `ADDRESS_MODULUS`, since launches are specialized by it.
    address: int = 0
    block_shape: tuple[int, ...] = ()
    padding: str = ""
    #: The value of a scalar or constant as JSON, or `{"repr": text}` if JSON has no such value.
    value: Any = None


@dataclass(frozen=True)
class Launch:
    """A launch of a kernel."""

    grid: tuple[int, int, int]
    arguments: tuple[Argument, ...]

    def outline(self) -> tuple[object, ...]:
        """Return the grid and the shapes: launches that differ in numbers and addresses alone count as one."""
        shapes = ((each.shape, each.strides, each.block_shape, each.padding) for each in self.arguments)
        return (self.grid, *shapes)


@dataclass
class Specialization:
    """A kernel as it was compiled: for these types, constants and options."""

    name: str
    #: The module, qualified name, file and line of the function: empty, and 0, if they are not known.
    module: str
    qualified_name: str
    file: str
    line: int
    #: The `hash()` of the source, from which keys for other chips are made. It is empty if `key` does not follow from
    #: it: then an extension of Triton has added something to the key.
    source_hash: str
    #: The `cache_key` of the function.
    text_hash: str
    #: The Python text of the kernel and of the functions that it calls, by their qualified names.
    source: dict[str, str]
    #: The types of the arguments, and by their paths (`3`, or `3.0` in a tuple) constants and attributes.
    signature: dict[str, str]
    constants: dict[str, str]
    attributes: dict[str, list[Any]]
    ttir: str
    #: The options of the launch that `parse_options` does not find by itself.
    options: dict[str, Any]
    #: Triton's environment variables that are part of keys.
    environment: dict[str, str]
    target: dict[str, Any]
    triton_version: str
    #: The SHA-256 of Triton's `triton_key()`.
    triton_key: str
    #: The key in Triton's cache.
    key: str
    launch_conditions: list[Any] = field(default_factory=list)
    shared: int = 0
    #: The key of the kernel that this is the variant of, for launches that break one of its conditions.
    variant_of: str | None = None
    winner: bool = False
    launches: list[Launch] = field(default_factory=list)

    def describe(self) -> str:
        """Return the name, the types and constants of the arguments, and the options, on one line."""
        return printable(" ".join(filter(None, (f"{self.name}({self.describe_arguments()})", self.describe_options()))))

    def describe_arguments(self) -> str:
        """Return the types of the arguments, and the constants by name."""
        return ", ".join(
            f"{name}={shorten(self.constants.get(str(position), '?'))}" if kind == "constexpr" else kind
            for position, (name, kind) in enumerate(self.signature.items())
        )

    def describe_options(self, without: Collection[str] = ()) -> str:
        """Return the options of the launch, except some."""
        options = {name: value for name, value in sorted(self.options.items()) if name not in without}
        return " ".join(f"{name}={shorten(str(value))}" for name, value in options.items())


@dataclass(frozen=True)
class Failure:
    """A kernel that could not be recorded."""

    name: str
    key: str
    reason: str


@dataclass
class Harvest:
    """The contents of harvest files."""

    specializations: list[Specialization] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def printable(text: str) -> str:
    """Return a text from a file without characters that would control a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def shorten(text: str, length: int = 40) -> str:
    """Return a text, or its beginning if it is longer than `length`."""
    return text if len(text) <= length else f"{text[: length - 2]}.."


def to_json(value: Any, levels: int = 0) -> Any:
    """Return a value as JSON that every reader accepts: what has no such form becomes `{"repr": text}`."""
    if levels < _MAX_LEVELS:
        if isinstance(value, tuple | list):
            return [to_json(each, levels + 1) for each in value]
        if isinstance(value, dict) and all(isinstance(name, str) for name in value):
            return {name: to_json(each, levels + 1) for name, each in value.items()}
    # Subclasses, such as those of numpy and enumerations, would be other values after a reader has them.
    if value is None or type(value) in (bool, str) or (type(value) is float and math.isfinite(value)):
        return value
    if type(value) is int and -(2**63) <= value < 2**64:
        return value
    return {"repr": represent(value)}


def represent(value: Any, length: int = 500) -> str:
    """Return the `repr` of a value, whatever that raises."""
    try:
        return shorten(repr(value), length)
    except Exception as error:
        return f"<{type(value).__name__}, whose repr raises {type(error).__name__}>"


def specialization_line(specialization: Specialization) -> dict[str, Any]:
    """Return the line of a specialization. Whether it is a winner, and its launches, have separate lines."""
    values = {name: getattr(specialization, name) for name in _SPECIALIZATION}
    return {"format": FORMAT, "kind": "specialization", **values}


def launch_line(key: str, launch: Launch) -> dict[str, Any]:
    """Return the line of a launch of the specialization with this key."""
    arguments = [
        {
            each.name: getattr(argument, each.name)
            for each in dataclasses.fields(argument)
            if getattr(argument, each.name) != each.default
        }
        for argument in launch.arguments
    ]
    return {"format": FORMAT, "kind": "launch", "key": key, "grid": list(launch.grid), "arguments": arguments}


def winner_line(key: str) -> dict[str, Any]:
    """Return the line which states that an autotuner chose the specialization with this key."""
    return {"format": FORMAT, "kind": "winner", "key": key}


def failure_line(failure: Failure) -> dict[str, Any]:
    """Return the line of a failure."""
    return {"format": FORMAT, "kind": "failure", **dataclasses.asdict(failure)}


def lines(harvest: Harvest) -> Iterator[dict[str, Any]]:
    """Return all lines of a file with these contents."""
    for specialization in harvest.specializations:
        yield specialization_line(specialization)
        if specialization.winner:
            yield winner_line(specialization.key)
        for launch in specialization.launches:
            yield launch_line(specialization.key, launch)
    yield from map(failure_line, harvest.failures)


def _encode(line: dict[str, Any]) -> bytes:
    return json.dumps(line, allow_nan=False).encode() + b"\n"


def append(path: str | Path, line: dict[str, Any]) -> None:
    """Append a line to a file that other processes may append to as well. Raises OSError."""
    content = _encode(line)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        # The lock belongs to this opening of the file, so that it excludes other threads, too.
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            # A writer was killed while writing the previous line.
            content = b"\n" + content
        if os.write(descriptor, content) != len(content):
            raise OSError(f"only a part of a line could be written to `{path}`")
    finally:
        os.close(descriptor)


def write(path: str | Path, specializations: Iterable[Specialization]) -> None:
    """Write a file with these specializations. Raises OSError, and then leaves the previous content."""
    write_all(path, Harvest(list(specializations)))


def write_all(path: str | Path, harvest: Harvest) -> None:
    """Write a file with these contents. Raises OSError, and then leaves the previous content."""
    path = Path(path)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.writelines(map(_encode, lines(harvest)))
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class _MalformedError(ValueError):
    """A line that is no record; the message states what was expected."""


class _CutOffError(_MalformedError):
    """The beginning of a line."""


Check = Callable[[Any], Any]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _MalformedError("a text")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise _MalformedError("a text of Unicode")
    return value


def _key(value: Any) -> str:
    if not _text(value):
        raise _MalformedError("a text that is not empty")
    return value


def _optional_text(value: Any) -> str | None:
    return None if value is None else _text(value)


def _within(low: int, high: int) -> Check:
    def check(value: Any) -> int:
        if type(value) is not int or not low <= value <= high:
            raise _MalformedError(f"an integer from {low} to {high}")
        return value

    return check


def _one_of(*names: str) -> Check:
    def check(value: Any) -> str:
        if value not in names:
            raise _MalformedError(f"one of {', '.join(names)}")
        return value

    return check


def _anything(value: Any, levels: int = 0) -> Any:
    """Check that a value is one that `to_json` returns."""
    if levels > _MAX_LEVELS:
        raise _MalformedError("fewer levels")
    if isinstance(value, list):
        return [_anything(each, levels + 1) for each in value]
    if isinstance(value, dict):
        return {_text(name): _anything(each, levels + 1) for name, each in value.items()}
    if isinstance(value, str):
        return _text(value)
    if type(value) is int:
        return _within(-(2**63), 2**64 - 1)(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise _MalformedError("finite numbers")
    return value


def _list_of(check: Check, make: Callable[[Iterable[Any]], Any] = list) -> Check:
    def check_all(value: Any) -> Any:
        if not isinstance(value, list):
            raise _MalformedError("a list")
        return make(check(each) for each in value)

    return check_all


def _mapping_to(check: Check) -> Check:
    def check_all(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _MalformedError("an object")
        return {_text(name): check(each) for name, each in value.items()}

    return check_all


_SIZE = _within(0, 2**63 - 1)
_SIZES = _list_of(_SIZE, tuple)
_TEXTS = _mapping_to(_text)

#: The parts of records, each with the function that checks it.
_ARGUMENT: dict[str, Check] = {
    "kind": _one_of(*get_args(ArgumentKind)),
    "name": _text,
    "dtype": _text,
    "shape": _SIZES,
    "strides": _list_of(_within(-(2**63), 2**63 - 1), tuple),
    "address": _within(0, ADDRESS_MODULUS - 1),
    "block_shape": _SIZES,
    "padding": _text,
    "value": _anything,
}
_SPECIALIZATION: dict[str, Check] = {
    "key": _key,
    "name": _text,
    "module": _text,
    "qualified_name": _text,
    "file": _text,
    "line": _SIZE,
    "source_hash": _text,
    "text_hash": _text,
    "source": _TEXTS,
    "signature": _TEXTS,
    "constants": _TEXTS,
    "attributes": _mapping_to(_list_of(_anything)),
    "ttir": _text,
    "options": _mapping_to(_anything),
    "environment": _TEXTS,
    "target": _mapping_to(_anything),
    "triton_version": _text,
    "triton_key": _text,
    "launch_conditions": _list_of(_anything),
    "shared": _SIZE,
    "variant_of": _optional_text,
}
_FAILURE: dict[str, Check] = {"name": _text, "key": _text, "reason": _text}


def _parts(value: Any, checks: Mapping[str, Check], optional: Collection[str] = ()) -> dict[str, Any]:
    """Return the checked parts of an object. Missing `optional` parts are left out."""
    if not isinstance(value, dict):
        raise _MalformedError("an object")
    found = {}
    for name, check in checks.items():
        if name not in value:
            if name in optional:
                continue
            raise _MalformedError(f"an object with `{name}`")
        try:
            found[name] = check(value[name])
        except _MalformedError as error:
            raise _MalformedError(f"as `{name}` {error}") from None
    return found


def _argument(value: Any) -> Argument:
    return Argument(**_parts(value, _ARGUMENT, optional=_ARGUMENT.keys() - {"kind"}))


_LAUNCH: dict[str, Check] = {"key": _key, "grid": _SIZES, "arguments": _list_of(_argument, tuple)}


def _launch(value: Any) -> tuple[str, Launch]:
    parts = _parts(value, _LAUNCH)
    if len(parts["grid"]) != 3:
        raise _MalformedError("as `grid` a list of three integers")
    return parts["key"], Launch(parts["grid"], parts["arguments"])


def _reject(text: str) -> Any:
    raise _MalformedError(f"JSON without `{text}`")


def _parse(line: bytes) -> dict[str, Any]:
    """Return the object of a line. Raises _MalformedError, and _CutOffError for the beginning of a line."""
    try:
        value = json.loads(line, parse_constant=_reject)
    except json.JSONDecodeError:
        if line.startswith(_BEGINNING) or _BEGINNING.startswith(line.rstrip(b"\n")):
            raise _CutOffError from None
        raise _MalformedError("JSON") from None
    except UnicodeDecodeError:
        raise _MalformedError("JSON") from None
    except RecursionError:
        raise _MalformedError("fewer levels") from None
    except ValueError as error:
        # An integer may have more digits than Python reads.
        raise error if isinstance(error, _MalformedError) else _MalformedError("smaller numbers") from None
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise _MalformedError(f"an object with `format` {FORMAT}")
    return value


class _Reader:
    """Collects the records of files."""

    def __init__(self) -> None:
        self.found: dict[str, Specialization] = {}
        self.failures: dict[Failure, None] = {}
        #: Launches by their lines, since values of arguments may be lists.
        self.launches: dict[str, dict[str, Launch]] = {}
        self.winners: set[str] = set()

    def take(self, line: bytes) -> None:
        """Take the record of a line. Raises _MalformedError."""
        value = _parse(line)
        kind = _one_of("specialization", "launch", "winner", "failure")(value.get("kind"))
        if kind == "specialization":
            parts = _parts(value, _SPECIALIZATION)
            self.found.setdefault(parts["key"], Specialization(**parts))
        elif kind == "launch":
            key, launch = _launch(value)
            self.launches.setdefault(key, {}).setdefault(json.dumps(launch_line(key, launch)), launch)
        elif kind == "winner":
            self.winners.add(_parts(value, {"key": _key})["key"])
        else:
            self.failures[Failure(**_parts(value, _FAILURE))] = None

    def harvest(self) -> Harvest:
        """Return what was collected. The records of kernels that no file describes are left out."""
        for key, specialization in self.found.items():
            specialization.winner = key in self.winners
            specialization.launches = list(self.launches.get(key, {}).values())
        missing = len((self.launches.keys() | self.winners) - self.found.keys())
        if missing:
            warnings.warn(f"the files have launches of {missing} kernels that they do not describe", stacklevel=4)
        return Harvest(list(self.found.values()), list(self.failures))


def _read_file(path: str | Path, reader: _Reader) -> None:
    """Read all lines of a file. Raises HarvestError."""
    number = 0
    try:
        with open(path, "rb") as file:
            while line := file.readline(_MAX_LINE):
                number += 1
                try:
                    if len(line) == _MAX_LINE:
                        raise _MalformedError(f"less than {_MAX_LINE} bytes")
                    if line.strip():
                        reader.take(line)
                except _CutOffError:
                    warnings.warn(f"{path}:{number}: a line that is cut off is skipped", stacklevel=4)
    except _MalformedError as error:
        raise errors.HarvestError(f"{path}:{number}: no line of a harvest file: expected {error}") from None
    except OSError as error:
        raise errors.HarvestError(f"cannot read `{path}`: {error.strerror}") from error


def read_all(paths: Iterable[str | Path]) -> Harvest:
    """Return the contents of files. Records of one key are joined, in the order of their first appearance.

    Raises HarvestError for a file that cannot be read or is no harvest file.
    """
    reader = _Reader()
    for path in paths:
        _read_file(path, reader)
    return reader.harvest()


def read(paths: Iterable[str | Path]) -> list[Specialization]:
    """Return the specializations in files. Raises HarvestError as `read_all` does."""
    return read_all(paths).specializations
