# SPDX-License-Identifier: MIT
"""Count messages and layout conversions in the compiler's own IR.

A comparison of these figures of LLVM IR and TTGIR with those of native code shows what the driver's compiler adds.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from triton_xe import errors
from triton_xe.native_lines import Places

_CALL = re.compile(r"\bcall\b.* @([\w.$]+)\(")
#: Bytes of an element, columns, rows and blocks are the first operands of a 2D block message.
_BLOCK = re.compile(
    r"__spirv_Subgroup2DBlock(Load|Store|Prefetch)(Transform|Transpose)?INTEL\w*"
    r"\(i32 (\d+), i32 (\d+), i32 (\d+), i32 (\d+),"
)
_DEBUG = re.compile(r"!dbg !(\d+)")
_NODE = re.compile(r"^!(\d+) = (?:distinct )?!(DI\w+)\((.*)\)$")
_SHARED = re.compile(r"\b(?:(load)(?: volatile)? |(store)(?: volatile)? )(<(\d+) x ([\w]+)>|\w+)")
_BYTES = {"i1": 1, "i8": 1, "i16": 2, "half": 2, "bfloat": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}


def _field(text: str, name: str) -> str:
    """Return a field of a metadata node: the number of a node without `!`, a text without quotes."""
    match = re.search(rf'\b{name}: (?:!(\d+)|"([^"]*)"|(\d+))', text)
    return next((group for group in match.groups() if group is not None), "") if match else ""


class DebugLocations:
    """The locations of textual LLVM IR."""

    def __init__(self, llvm_ir: str) -> None:
        self._nodes = {match[1]: (match[2], match[3]) for line in llvm_ir.splitlines() if (match := _NODE.match(line))}

    def _file(self, scope: str) -> str:
        """Return the file of a scope."""
        kind, text = self._nodes.get(scope, ("", ""))
        if kind == "DIFile":
            name, folder = _field(text, "filename"), _field(text, "directory")
            return name if name.startswith("/") or not folder else f"{folder.rstrip('/')}/{name}"
        return self._file(_field(text, "file") or _field(text, "scope")) if text else ""

    def places(self, number: str) -> Places:
        """Return the place of a `!dbg`, and the calls that it was inlined through."""
        places = []
        while number:
            _, text = self._nodes.get(number, ("", ""))
            if line := int(_field(text, "line") or 0):
                places.append(
                    errors.SourceLocation(self._file(_field(text, "scope")), line, int(_field(text, "column") or 0))
                )
            number = _field(text, "inlinedAt")
        return tuple(places)


@dataclass(frozen=True)
class Access:
    """A message or another operation of the LLVM IR, of one sub-group."""

    #: `load`, `store` and `prefetch` for 2D blocks, `shared` for SLM, `dpas`, `shuffle`.
    kind: str
    bytes: int
    places: Places
    #: The element of a 2D block, in the names of native messages: `d16`, `d16v` (VNNI), `d32t` (transposed).
    element: str = ""


def _bytes(match: re.Match[str], lanes: int) -> int:
    """Return the bytes of a load or store by all lanes."""
    count, element = (int(match[4]), match[5]) if match[4] else (1, match[3])
    return lanes * count * _BYTES.get(element, 0)


def accesses(llvm_ir: str, lanes: int) -> Iterator[Access]:
    """Return the accesses in the LLVM IR of a kernel with sub-groups of `lanes`, in order."""
    locations = DebugLocations(llvm_ir)
    for line in llvm_ir.splitlines():
        if line.startswith(("declare", "!", "define", "@", ";")):
            continue
        debug = _DEBUG.search(line)
        places = locations.places(debug[1]) if debug else ()
        if call := _CALL.search(line):
            if block := _BLOCK.search(line):
                size, columns, rows, blocks = map(int, block.groups()[2:])
                element = f"d{8 * size}" + {"Transform": "v", "Transpose": "t", None: ""}[block[2]]
                yield Access(block[1].lower(), size * columns * rows * blocks, places, element)
            elif "matrix_mad" in call[1]:
                yield Access("dpas", 0, places)
            elif "sub_group_shuffle" in call[1] or "SubgroupShuffle" in call[1]:
                yield Access("shuffle", 0, places)
        elif "addrspace(3)" in line and (match := _SHARED.search(line)):
            yield Access("shared", _bytes(match, lanes), places)


# --- TTGIR ---------------------------------------------------------------------------------------------------------

_ALIAS = re.compile(r"^(#[\w$.-]+) = (.*)$")
_CONVERSION = re.compile(r"ttg\.convert_layout %\S+.* : tensor<(.*)> -> tensor<(.*)> loc\((.*)\)$")
_FILE = re.compile(r'"([^"]*)":(\d+):(\d+)(?: to .*)?$')
_CALLSITE = re.compile(r"callsite\((.*) at (.*)\)$")
_NAMED = re.compile(r'"[^"]*"\((.*)\)$')


@dataclass(frozen=True)
class Conversion:
    """A layout conversion of TTGIR."""

    #: The shape and the element type, such as `64x64xf32`.
    shape: str
    source: str
    target: str
    places: Places

    def __str__(self) -> str:
        return f"{self.shape}: {self.source} -> {self.target}"


@dataclass(frozen=True)
class _Aliases:
    """The named layouts and locations of a module."""

    texts: dict[str, str] = field(default_factory=dict)

    def places(self, text: str) -> Places:
        """Return the places of a location."""
        text = text.strip()
        if text.startswith("#"):
            definition = self.texts.get(text, "")
            return self.places(definition[4:-1]) if definition.startswith("loc(") else ()
        if match := _FILE.match(text):
            return (errors.SourceLocation(match[1], int(match[2]), int(match[3])),)
        if match := _CALLSITE.match(text):
            return self.places(match[1]) + self.places(match[2])
        if match := _NAMED.match(text):
            return self.places(match[1])
        return ()

    def expand(self, encoding: str) -> str:
        """Return the text of an encoding without names."""
        return re.sub(
            r"#\w+", lambda name: self.expand(self.texts[name[0]]) if name[0] in self.texts else name[0], encoding
        ).strip()

    def short(self, encoding: str) -> str:
        """Describe a layout by its kind, and by the parameters that distinguish layouts of this kind."""
        encoding = encoding.strip()
        if encoding in self.texts:
            encoding = self.texts[encoding]
        kind = re.match(r"#tt(?:i)?g\.(\w+)<\{?(.*?)\}?>$", encoding)
        if not kind:
            return encoding
        name, text = kind[1], kind[2]
        if parent := re.search(r"parent = (#\S+(?:<\{.*\}>)?)", text):
            number = re.search(r"(?:opIdx|dim) = (\d+)", text)
            return f"{name}({number[1] if number else ''} of {self.short(parent[1].rstrip(',}>'))})"
        words = []
        for key, word in (("sizePerThread", ""), ("threadsPerWarp", "lanes "), ("warpsPerCTA", "warps ")):
            if match := re.search(rf"{key} = \[([\d, ]+)\]", text):
                words.append(word + match[1].replace(", ", "x"))
        return f"{name}({', '.join(words)})" if words else name


def conversions(ttgir: str) -> Iterator[Conversion]:
    """Return the layout conversions of a module that move elements, in order.

    The layouts of others have two descriptions, and are the same map: these conversions become no code.
    """
    lines = ttgir.splitlines()
    aliases = _Aliases({match[1]: match[2] for line in lines if (match := _ALIAS.match(line))})
    for line in lines:
        if match := _CONVERSION.search(line):
            shape, source = match[1].split(", ", 1)
            target = match[2].split(", ", 1)[1]
            sizes = tuple(int(size) for size in shape.split("x") if size.isdecimal())
            if _bases(aliases.expand(source), sizes) != _bases(aliases.expand(target), sizes):
                yield Conversion(shape, aliases.short(source), aliases.short(target), aliases.places(match[3]))


@functools.lru_cache(maxsize=1024)
def _bases(encoding: str, shape: tuple[int, ...]) -> object:
    """Return where an encoding puts the elements of a tensor."""
    from triton_xe import compiler

    return compiler.native_compiler().describe_layout(encoding, list(shape)).bases
