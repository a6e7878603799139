# SPDX-License-Identifier: MIT
"""Parse signatures of the command line, in the notation of `triton.tools.compile`.

A signature has an entry per parameter of the kernel, separated by commas: a type with an optional hint (`*fp32:16`,
`i32:1`), or the value of a constexpr (`64`).
"""

from __future__ import annotations

import ast
import dataclasses
import re
from typing import Any

from triton_xe import errors

#: Scalar types, with their names in triton_xe.h and their types in C. Types of 16 bits are passed as floats.
SCALARS = {
    "i1": ("BOOL", "bool"),
    "u1": ("BOOL", "bool"),
    "i8": ("INT8", "int8_t"),
    "i16": ("INT16", "int16_t"),
    "i32": ("INT32", "int32_t"),
    "i64": ("INT64", "int64_t"),
    "u8": ("UINT8", "uint8_t"),
    "u16": ("UINT16", "uint16_t"),
    "u32": ("UINT32", "uint32_t"),
    "u64": ("UINT64", "uint64_t"),
    "fp16": ("FLOAT16", "float"),
    "bf16": ("BFLOAT16", "float"),
    "fp32": ("FLOAT32", "float"),
    "fp64": ("FLOAT64", "double"),
}
#: Further element types of memory.
FLOAT8 = ("fp8e4nv", "fp8e5", "fp8e4b15")
MAX_RANK = 5

_DESCRIPTOR = re.compile(r"tensordesc<(\w+)\[([\d,\s]+)\]>")


@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of the kernel."""

    name: str
    #: The type in Triton's notation; `constexpr` for a parameter with a value or with the hint 1.
    type: str
    #: 16 for a multiple of 16, 1 for the number 1, otherwise 0.
    hint: int = 0
    #: The value of a constexpr.
    value: Any = None
    #: The type that a parameter with the hint 1 has for the caller.
    declared_type: str = ""

    @property
    def is_argument(self) -> bool:
        """Return whether the caller passes it. An argument that has to be 1 is passed, too, and checked."""
        return self.type != "constexpr" or self.hint == 1

    @property
    def rank(self) -> int:
        """Return the number of dimensions of a descriptor, or 0 for other parameters."""
        match = _DESCRIPTOR.fullmatch(self.type)
        return match[2].count(",") + 1 if match else 0

    @property
    def element_bytes(self) -> int:
        """Return the bytes of an element of a descriptor, or 0 for other parameters."""
        match = _DESCRIPTOR.fullmatch(self.type)
        return element_bytes(match[1]) if match else 0

    def __str__(self) -> str:
        if not self.is_argument:
            return f"{self.name}={self.value!r}"
        return f"{self.name}: {self.declared_type or self.type}" + (f":{self.hint}" if self.hint else "")


def element_bytes(name: str) -> int:
    """Return the bytes of an element type."""
    digits = re.match(r"(?:fp|bf|[iu])(\d+)", name)
    return -(-int(digits[1]) // 8) if digits else 0


def split(text: str) -> list[str]:
    """Split a list at commas that are not inside of brackets or quotes."""
    entries, depth, quote, begin = [], 0, "", 0
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "<[(":
            depth += 1
        elif character in ">])":
            depth -= 1
        elif character == "," and depth == 0:
            entries.append(text[begin:position].strip())
            begin = position + 1
    last = text[begin:].strip()
    return [*entries, last] if entries or last else []


def _check_type(name: str, text: str) -> None:
    """Raise an error if the text is no type of an argument."""
    if text.startswith("*"):
        element = text
        while element.startswith("*"):
            element = element.removeprefix("*").removeprefix("k")
        if element not in SCALARS and element not in FLOAT8:
            raise errors.OptionError(f"`{name}`: `{text}` points to no type of Triton")
    elif text.startswith("tensordesc"):
        match = _DESCRIPTOR.fullmatch(text)
        if not match or (match[1] not in SCALARS and match[1] not in FLOAT8):
            raise errors.OptionError(f"`{name}`: expected `tensordesc<TYPE[SIZE, ...]>`, found `{text}`")
        sizes = [size.strip() for size in match[2].split(",")]
        if len(sizes) > MAX_RANK or not all(size.isdecimal() and int(size).bit_count() == 1 for size in sizes):
            raise errors.OptionError(f"`{name}`: expected 1 to {MAX_RANK} sizes that are powers of two, found `{text}`")
    elif text not in SCALARS:
        raise errors.OptionError(
            f"`{name}`: expected a type such as `*fp32`, `i32` or `tensordesc<fp16[64, 32]>`, or a value, found "
            f"`{text}`"
        )


def _constant(text: str) -> tuple[bool, Any]:
    """Return whether the text is a constant, and its value."""
    # The literals that Python lacks.
    if text in ("inf", "-inf", "nan"):
        return True, float(text)
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    if isinstance(value, bool | int | float | str) or text == "None":
        return True, value
    if text.startswith("tl."):
        import triton.language

        value = getattr(triton.language, text.removeprefix("tl."), None)
        if isinstance(value, triton.language.dtype):
            return True, value
    return False, None


def _parse_entry(name: str, is_constexpr: bool, text: str) -> Parameter:
    known, value = _constant(text)
    if known:
        return Parameter(name, "constexpr", value=value)
    text, colon, hint = text.partition(":")
    text, hint = text.strip(), hint.strip()
    _check_type(name, text)
    if is_constexpr:
        raise errors.OptionError(f"`{name}` is a constexpr: expected a value, found the type `{text}`")
    if not colon:
        return Parameter(name, text)
    if hint not in ("1", "16"):
        raise errors.OptionError(f"`{name}`: expected the hint 1 or 16, found `{hint}`")
    is_integer = text[0] in "iu" and text not in ("i1", "u1")
    if not is_integer and not (text.startswith("*") and hint == "16"):
        raise errors.OptionError(f"`{name}`: a hint `{hint}` does not apply to `{text}`")
    if hint == "1":
        return Parameter(name, "constexpr", hint=1, value=1, declared_type=text)
    return Parameter(name, text, hint=16)


def parse(function: Any, text: str) -> tuple[Parameter, ...]:
    """Return the parameters of a `JITFunction` under a signature. Entries of trailing constexprs with default values
    may be left out.

    Raises `OptionError` that names the parameter.
    """
    entries = split(text)
    parameters = function.params
    names = [parameter.name for parameter in parameters]
    if len(entries) > len(names):
        raise errors.OptionError(
            f"`{function.__name__}` has {len(names)} parameters ({', '.join(names)}), found {len(entries)} entries in "
            f"the signature"
        )
    parsed = []
    for index, parameter in enumerate(parameters):
        if index < len(entries):
            parsed.append(_parse_entry(parameter.name, parameter.is_constexpr, entries[index]))
        elif parameter.is_constexpr and parameter.has_default:
            parsed.append(Parameter(parameter.name, "constexpr", value=parameter.default))
        else:
            raise errors.OptionError(
                f"the signature ends before `{parameter.name}`: expected an entry for each of {', '.join(names)}"
            )
    return tuple(parsed)
