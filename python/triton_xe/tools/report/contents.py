# SPDX-License-Identifier: MIT
"""The contents of the report of a kernel: rows of source lines, loops, and figures of the whole."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triton_xe import errors, native
from triton_xe.tools.report import ir, loops
from triton_xe.tools.report.instructions import Figures, Instruction
from triton_xe.tools.simulation import timing_model


@dataclass(frozen=True)
class IRFigures:
    """The messages in the LLVM IR, for one sub-group; each access counts once."""

    loads: int = 0
    stores: int = 0
    prefetches: int = 0
    dpas: int = 0
    shuffles: int = 0
    #: The bytes of loads and stores of 2D blocks.
    block_bytes: int = 0
    prefetched_bytes: int = 0
    shared_bytes: int = 0

    @staticmethod
    def of(accesses: Sequence[ir.Access]) -> IRFigures:
        """Count and sum up."""

        def count(kind: str) -> int:
            return sum(access.kind == kind for access in accesses)

        def size(*kinds: str) -> int:
            return sum(access.bytes for access in accesses if access.kind in kinds)

        return IRFigures(
            count("load"), count("store"), count("prefetch"), count("dpas"), count("shuffle"),
            size("load", "store"), size("prefetch"), size("shared"),
        )  # fmt: skip


@dataclass(frozen=True)
class Row:
    """The figures of a source line, or of an inlined line below the line that calls it."""

    location: errors.SourceLocation | None
    figures: Figures
    ir: IRFigures
    conversions: tuple[ir.Conversion, ...]
    remarks: tuple[errors.Diagnostic, ...]
    instructions: tuple[Instruction, ...]
    #: The rows of functions that were inlined here. Their figures are part of this row, too.
    inlined: tuple[Row, ...] = ()

    @property
    def source(self) -> str:
        """Return the text of the line."""
        return linecache.getline(self.location.file, self.location.line).rstrip() if self.location else ""


@dataclass(frozen=True)
class Fit:
    """A kernel that spills with more warps: all of those that fit, or those with which it spills least."""

    num_warps: int
    scratch_messages: int


@dataclass(frozen=True)
class Launches:
    """How often a script's launches of a kernel ran this code of it, and not that of another variant."""

    count: int
    #: The launches of the kernel, whichever variant they ran.
    all: int
    #: Whether this is a variant, for launches that do not satisfy the conditions of the kernel itself.
    is_variant: bool

    def describe(self) -> str:
        """Return both in words."""
        times = f"{self.count} of {self.all} launches ran this code"
        if self.is_variant:
            return f"{times}, a variant for launches that do not satisfy what the remarks of the kernel itself name"
        return f"{times}; the others ran a variant, as they do not satisfy what the remarks name"


@dataclass(frozen=True)
class Contents:
    """A kernel's native code by source lines and by loops."""

    name: str
    arch: str
    #: The kernel's constants, and the options of the compilation that are not the defaults.
    options: dict[str, Any]
    instructions: tuple[Instruction, ...]
    #: The rows in the order of file and line. Code without a line comes last.
    rows: tuple[Row, ...]
    loops: tuple[loops.Loop, ...]
    #: The version of `ocloc` that made the code.
    compiler: str
    native: native.NativeFigures
    total: Figures
    remarks: tuple[errors.Diagnostic, ...]
    #: For a kernel that spills; None if there is no other number of warps.
    fit: Fit | None = None
    #: The figures of the timing model for launches on the simulator.
    model: timing_model.Modelled | None = None
    #: For a kernel of a script of which launches ran several variants.
    launches: Launches | None = None

    @property
    def sub_groups(self) -> int:
        """Return how many sub-groups launches on the simulator ran."""
        ends = (each.executed for each in self.instructions if each.ends_thread and each.executed)
        return sum(executed.executions for executed in ends)

    @property
    def programs(self) -> int:
        """Return how many program instances launches on the simulator ran."""
        return self.sub_groups // self.options["num_warps"]

    def by_opcode(self) -> dict[str, Figures]:
        """Return the figures of each opcode that launches on the simulator executed, the most frequent first."""
        groups: dict[str, list[Instruction]] = {}
        for each in self.instructions:
            if each.executed and each.executed.executions:
                groups.setdefault(each.opcode, []).append(each)
        figures = {opcode: Figures.of(group) for opcode, group in groups.items()}
        return dict(sorted(figures.items(), key=lambda entry: -entry[1].executed.executions))
