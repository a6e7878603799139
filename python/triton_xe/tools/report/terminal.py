# SPDX-License-Identifier: MIT
"""Write a report as text: first the loops, then the source lines with their instructions."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from triton_xe import errors, register_mode
from triton_xe.cpu.simulator import Executed
from triton_xe.tools.report.contents import Contents, Row
from triton_xe.tools.report.hardware import HARDWARE
from triton_xe.tools.report.instructions import Figures
from triton_xe.tools.report.loops import Loop

#: The width if the output is no terminal.
DEFAULT_WIDTH = 160

#: Opcodes that are named before the others are summed up.
MOST_OPCODES = 10

#: Headings, and the field of a row below each. Columns from `IR` on show LLVM IR and TTGIR, all others native code.
COLUMNS: tuple[tuple[str, str], ...] = (
    ("instr", "native instructions"),
    ("mov", "of them moves"),
    ("dpas", "DPAS instructions"),
    ("2Dld", "2D block loads"),
    ("2Dst", "2D block stores"),
    ("2Dpf", "2D block prefetches"),
    ("msg", "other messages: gathers, scatters, atomics, barriers"),
    ("bytes", "bytes of registers that messages to global memory carry, per sub-group"),
    ("SLM", "bytes that messages to shared local memory carry, per sub-group"),
    ("spill", "messages to scratch memory"),
    ("runs", "on the simulator: instructions that all sub-groups executed"),
    ("lane%", "on the simulator: lanes that took part in them, in percent"),
    ("runB", "on the simulator: bytes of memory that their messages moved"),
    ("runCL", "on the simulator: lines of 64 bytes that their messages touched"),
    ("bank", "on the simulator: accesses to shared local memory that waited for their bank"),
    ("model", "timing model: cycles that threads of a core issued or waited"),
    ("mod%", "timing model: these in percent of the kernel's"),
    ("IR2D", "LLVM IR: 2D block messages that a driver gets"),
    ("IRbytes", "LLVM IR: bytes of these, prefetches left out"),
    ("conv", "TTGIR: layout conversions"),
)


def cells(row: Row) -> tuple[int, ...]:
    """Return the numbers of a row, one per column."""
    figures, counts, requested = row.figures, row.figures.counts, row.ir
    return (
        counts.instructions, counts.moves, counts.dpas, counts.load_block2d, counts.store_block2d, counts.prefetches,
        figures.other_messages, figures.bytes, figures.shared_bytes, counts.scratch_messages,
        figures.executed.executions, figures.lanes_percent, figures.executed.bytes, figures.executed.cache_lines,
        figures.executed.bank_conflicts, figures.model.total, figures.model.share,
        requested.loads + requested.stores + requested.prefetches, requested.block_bytes,
        len(row.conversions),
    )  # fmt: skip


def title(report: Contents) -> str:
    """Return the name of the kernel, and how it was compiled."""
    options = ", ".join(f"{name}={value}" for name, value in report.options.items())
    return f"{report.name} for {report.arch} ({options})"


def summary(report: Contents) -> str:
    """Return the totals in words."""
    figures, counts = report.native, report.native.total
    return (
        f"{counts.instructions} instructions, {counts.dpas} dpas, {counts.sends} messages; "
        f"{figures.grf_count} registers, {figures.spilled_registers} spilled; {figures.slm_bytes} bytes of SLM; "
        f"{len(report.loops)} {'loop' if len(report.loops) == 1 else 'loops'}"
    )


def launches_summary(report: Contents) -> list[str]:
    """Return which launches ran this code, where a kernel has variants."""
    return [report.launches.describe()] if report.launches else []


def model_summary(report: Contents) -> list[str]:
    """Return the timing model's result, if it was on."""
    return [report.model.describe()] if report.model else []


def executed_summary(report: Contents) -> list[str]:
    """Return what launches on the simulator executed: in all, and by opcode. Empty without any."""
    total = report.total
    if not report.sub_groups:
        return []
    scratch = sum(
        (each.executed for each in report.instructions if each.executed and each.message and each.message.is_scratch),
        Executed(),
    )
    opcodes = report.by_opcode()
    shown = list(opcodes)[:MOST_OPCODES]
    rest = sum(opcodes[opcode].executed.executions for opcode in list(opcodes)[MOST_OPCODES:])
    shares = [f"{opcode} {_percent(opcodes[opcode].executed.executions, total)}" for opcode in shown]
    if rest:
        shares.append(f"others {_percent(rest, total)}")
    return [
        f"executed: {total.executed.executions} instructions in {_count(report.programs, 'program')}, "
        f"{total.executed.executions / report.sub_groups:.0f} per sub-group, with {total.lanes_percent} % of their "
        f"lanes; scratch memory: {_count(scratch.executions, 'message')}, {scratch.bytes} bytes",
        f"by opcode: {', '.join(shares)}",
    ]


def _percent(executions: int, total: Figures) -> str:
    return f"{100 * executions / total.executed.executions:.1f} %"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def spill_advice(report: Contents) -> list[str]:
    """Return advice for the kernel if it spills."""
    if not report.native.spilled_registers:
        return []
    advice = register_mode.advise(str(report.native.grf_count), report.arch, report.options["num_warps"])
    lines = [f"registers are spilled: {advice}"] if advice else []
    scratch = _count(report.native.total.scratch_messages, "message")
    if fit := report.fit:
        left = _count(fit.scratch_messages, "message") if fit.scratch_messages else "none"
        lines.append(
            f"with num_warps={fit.num_warps} there are {left} to scratch memory instead of {scratch}"
            + (": a smaller tile has less to hold" if fit.scratch_messages else "")
        )
    return lines


def used_columns(rows: Iterable[Row]) -> list[int]:
    """Return the columns that have a number in any row."""
    table = [numbers for _, numbers, _ in _flatten(rows)]
    return [column for column in range(len(COLUMNS)) if any(numbers[column] for numbers in table)]


def provenance(report: Contents) -> list[str]:
    """State where the numbers come from, and what they do not mean."""
    notes = [
        f"native columns: code of ocloc {report.compiler}, by its line table; each instruction counts once, however "
        "often it runs"
    ]
    if report.total.executed.executions:
        notes.append("runs, lane%, runB, runCL, bank: what the simulator executed, all launches of the kernel together")
    if report.model:
        notes.append(
            "model, mod%: cycles of the timing model in which threads of one core issue the line's instructions, or "
            "wait before them (docs/Simulator.md); no hardware has confirmed it"
        )
    if not any(row.location and row.instructions for row in report.rows):
        notes = [
            f"ocloc {report.compiler} wrote no line table for this kernel: by line there are columns of the IR only"
        ]
    return notes


def short_name(location: errors.SourceLocation | None) -> str:
    """Return file and line, without the folder."""
    return f"{os.path.basename(location.file)}:{location.line}" if location else "(no line)"


def describe_loop(loop: Loop) -> str:
    """State what bounds a loop."""
    place = short_name(loop.places[0] if loop.places else None)
    inner = ", without the loops in it" if loop.has_inner else ""
    estimate = loop.estimate
    if estimate is None:
        return f"{place}{inner}"
    others = ", ".join(f"{name} {part:.0f}" for name, part in estimate.parts.items() if name != estimate.bound)
    reuse = (
        f"; memory is the limit instead unless caches serve each byte {estimate.reuse:.1f} times"
        if estimate.reuse > 1
        else ""
    )
    return (
        f"{place}: bound by {estimate.bound}, "
        f"{estimate.cycles:.0f} cycles per iteration at least ({others}){inner}{reuse}"
    )


def loop_counts(loop: Loop) -> str:
    """Return the counts of an iteration in words."""
    figures, counts = loop.figures, loop.figures.counts
    other = counts.instructions - counts.dpas - counts.sends - counts.moves
    return (
        f"{counts.instructions} instructions: {counts.dpas} dpas, {counts.sends} send, {counts.moves} mov, "
        f"{other} other; bytes: {figures.bytes_read} in, {figures.bytes_written} out, SLM {figures.shared_bytes}, "
        f"spills {figures.scratch_bytes}"
    )


def _table(rows: Iterable[tuple[str, Sequence[int] | None, str]], width: int, used: Sequence[int]) -> list[str]:
    """Return lines with a column per number in `used`. The source gets the rest of the width."""
    rows = list(rows)
    names = max([len(name) for name, _, _ in rows] + [4])
    sizes = {
        column: max([len(COLUMNS[column][0])] + [len(str(numbers[column])) for _, numbers, _ in rows if numbers])
        for column in used
    }
    heading = f"{'line':<{names}} " + " ".join(COLUMNS[column][0].rjust(sizes[column]) for column in used)
    lines = [f"{heading}  source"[:width]]
    for name, numbers, text in rows:
        shown = " ".join(
            (str(numbers[column]) if numbers and numbers[column] else "").rjust(sizes[column]) for column in used
        )
        lines.append(f"{name:<{names}} {shown}  {text}"[:width].rstrip())
    return lines


def _flatten(rows: Iterable[Row], depth: int = 0) -> Iterable[tuple[str, Sequence[int], str]]:
    for row in rows:
        # A line may have nothing but a remark.
        yield "  " * depth + short_name(row.location), cells(row), "  " * depth + row.source.strip()
        yield from _flatten(row.inlined, depth + 1)


def render(report: Contents, width: int) -> str:
    """Return the report as text of at most `width` columns, except for remarks."""
    lines = [
        title(report),
        summary(report),
        *launches_summary(report),
        *executed_summary(report),
        *model_summary(report),
        *spill_advice(report),
        "",
    ]
    for loop in report.loops:
        indent = "  " * loop.depth
        lines += [f"{indent}loop {describe_loop(loop)}", f"{indent}  {loop_counts(loop)}"]
    if report.loops and (hardware := HARDWARE.get(report.arch)):
        lines += [f"  cycles of a sub-group on one engine of {hardware.device}; figures: docs/Report.md", ""]
    lines += _table(_flatten(report.rows), width, used_columns(report.rows))
    conversions = [(row.location, conversion) for row in report.rows for conversion in row.conversions]
    if conversions:
        lines += ["", "layout conversions (TTGIR)"]
        lines += [f"  {short_name(location)}: {conversion}" for location, conversion in conversions]
    if report.remarks:
        lines += ["", "remarks"]
        for remark in report.remarks:
            place = short_name(remark.locations[-1] if remark.locations else None)
            lines.append(f"  {place}: {remark.message}")
            lines += [f"    {note.message}" for note in remark.notes]
    lines += ["", *provenance(report)]
    return "\n".join(lines)
