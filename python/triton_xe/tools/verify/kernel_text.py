# SPDX-License-Identifier: MIT
"""Read what verification has to know about a kernel from the text of its TTIR.

The text is what Triton keeps, so no compiler is needed, and each operation is on separate lines.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from triton_xe import errors, ir_lines

#: Operations without results that other runs of a kernel must not repeat: what they do is seen by users.
_SHOWN = re.compile(r"^\s*(tt\.print|proton\.record)\b.*\n", re.MULTILINE)
_STORE = re.compile(
    r"^\s*(?:%\S+ = )?\"?(tt\.(?:store|descriptor_store|descriptor_scatter|descriptor_reduce|atomic_\w+))"
)
#: Operations whose result is a part of, or a place in, what their first operand points to.
_SAME_MEMORY = (
    "tt.splat",
    "tt.addptr",
    "tt.bitcast",
    "tt.broadcast",
    "tt.expand_dims",
    "tt.reshape",
    "tt.trans",
    "tt.advance",
    "tt.make_tensor_ptr",
    "tt.make_tensor_descriptor",
)
_DEFINITION = re.compile(r"^\s*(%[\w.$-]+)(?::\d+)? = \"?([\w.]+)\"? ?(?:[\w, ]*, )??(%[\w.$-]+)", re.MULTILINE)
_FLOATS = ("f64", "f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3B11FNUZ")


@dataclass(frozen=True)
class Store:
    """An operation that writes memory: the number of its line in the text, from 0, and what it writes to."""

    line: int
    operation: str
    #: The kernel's argument that the address comes from; empty if the text does not show it.
    argument: str
    location: errors.SourceLocation | None

    @property
    def is_removable(self) -> bool:
        """Return whether the text is still a kernel without its line."""
        return not self.operation.startswith("tt.atomic")


@dataclass(frozen=True)
class KernelText:
    """The TTIR of a kernel."""

    text: str

    @functools.cached_property
    def _module(self) -> ir_lines.ModuleText:
        return ir_lines.ModuleText(self.text)

    @functools.cached_property
    def silent(self) -> str:
        """Return the text without operations that print, or that write records of a profile."""
        return _SHOWN.sub("", self.text)

    @functools.cached_property
    def makes_pointers(self) -> bool:
        """Return whether the kernel accesses memory that it gets as a number: an address that is computed or loaded."""
        return "tt.int_to_ptr" in self.text or "!tt.ptr<!tt.ptr" in self.text

    @functools.cached_property
    def is_exact(self) -> bool:
        """Return whether no correct code of the kernel can have other bits.

        Its floats are then neither summed in some order, nor multiplied and added, nor arguments of approximated
        functions.
        """
        if re.search(r"\bmath\.|\btt\.extern_elementwise|\barith\.divf|atomic_rmw fadd", self.text):
            return False
        if re.search(rf"\btt\.dot.*-> tensor<[\dx]*({'|'.join(_FLOATS)})>", self.text):
            return False
        regions = "\n".join(re.findall(r"\"tt\.(?:reduce|scan)\"\(.*?^\s*\}\)", self.text, re.MULTILINE | re.DOTALL))
        if re.search(r"\barith\.(addf|mulf|subf)\b|\btt\.call\b", regions):
            return False
        return not (re.search(r"\barith\.mulf\b", self.text) and re.search(r"\barith\.(addf|subf)\b", self.text))

    @functools.cached_property
    def decides_by_floats(self) -> bool:
        """Return whether integers of the kernel may come from floats: by rounding, comparing, or by their bits."""
        return bool(re.search(r"\barith\.(fptosi|fptoui|cmpf)\b|\bbitcast\b.*f(16|32|64)>? (to|->) .*i\d+", self.text))

    @functools.cached_property
    def rounded_inside(self) -> tuple[str, ...]:
        """Return the types of floats, as MLIR names them, that the kernel rounds to and then goes on computing with."""
        found = set()
        rounds = re.finditer(
            rf"(%\S+) = (?:arith\.truncf|tt\.fp_to_fp) .*(?:to|->) (?:tensor<[\dx]*)?({'|'.join(_FLOATS)})\b", self.text
        )
        for match in rounds:
            uses = re.findall(rf"^(.*)(?<=[ (\[,]){re.escape(match[1])}(?![\w.$-]).*$", self.text, re.MULTILINE)
            if any("tt.store" not in use and "_store" not in use and not _defines(use, match[1]) for use in uses):
                found.add(match[2])
        if re.search(r"tt\.dot .*inputPrecision = tf32\b.*xf32> \* ", self.text):
            found.add("tf32")
        return tuple(sorted(found))

    @functools.cached_property
    def casts(self) -> tuple[tuple[str, str], ...]:
        """Return the arguments whose pointers the kernel casts to pointers to other elements, with their type."""
        pattern = r"(%\S+) = tt\.bitcast (%\S+) : .*-> (?:tensor<[\dx]*)?!tt\.ptr<(\w+)>"
        return tuple(
            (argument, match[3])
            for match in re.finditer(pattern, self.text)
            if (argument := self.argument_of(match[2]))
        )

    @functools.cached_property
    def stores(self) -> tuple[Store, ...]:
        """Return all operations that write memory, in the order of the text."""
        found = []
        for number, line in enumerate(self.text.splitlines()):
            match = _STORE.match(line)
            if match:
                operand = re.search(r"%[\w.$-]+", line[match.end() :])
                argument = self.argument_of(operand[0]) if operand else ""
                found.append(Store(number, match[1], argument, self._module.location(line)))
        return tuple(found)

    @functools.cached_property
    def definition(self) -> errors.SourceLocation | None:
        """Return the line of the kernel's `def`."""
        # The operation ends where its body does, with the location.
        lines = self.text.splitlines()
        begin = next((number for number, line in enumerate(lines) if "tt.func public" in line), len(lines))
        end = next((line for line in lines[begin + 1 :] if line.startswith("  } loc(")), "")
        return self._module.location(end)

    def without(self, store: Store) -> str:
        """Return the text without a store."""
        lines = self.text.splitlines(keepends=True)
        return "".join(lines[: store.line] + lines[store.line + 1 :])

    def argument_of(self, value: str) -> str:
        """Return the name of the kernel's argument that a pointer or descriptor comes from, or an empty string."""
        seen = set()
        while value not in seen:
            seen.add(value)
            if value in self._arguments:
                return self._arguments[value]
            value = self._origins.get(value, value)
        return ""

    @functools.cached_property
    def _arguments(self) -> dict[str, str]:
        """Return the Python names of the arguments of the kernel, by their names in the text."""
        signature = next((line for line in self.text.splitlines() if "tt.func public" in line), "")
        pieces = re.split(r", (?=%)", signature.partition("(")[2])
        found = {}
        for piece in pieces:
            if name := re.match(r"%[\w.$-]+", piece):
                known = re.search(r'loc\("([^"]+)"\(', piece)
                alias = re.search(r"loc\((#loc\d+)\)", piece)
                if not known and alias:
                    known = re.match(r'loc\("([^"]+)"\(', self._module.aliases.get(alias[1], ""))
                found[name[0]] = known[1] if known else name[0][1:]
        return found

    @functools.cached_property
    def _origins(self) -> dict[str, str]:
        """Return the pointer that each pointer is derived from, for operations whose result is in the same memory."""
        found = {}
        for match in _DEFINITION.finditer(self.text):
            if match[2] in _SAME_MEMORY:
                found[match[1]] = match[3]
        for carried in re.findall(r"iter_args\((.*?)\) ->", self.text):
            for inner, initial in re.findall(r"(%[\w.$-]+) = (%[\w.$-]+)", carried):
                found.setdefault(inner, initial)
        return found


def _defines(before: str, value: str) -> bool:
    """Return whether the text before a value is the whole beginning of its line: it is the line that defines it."""
    return not before.strip() or before.strip() == value
