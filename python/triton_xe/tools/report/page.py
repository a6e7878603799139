# SPDX-License-Identifier: MIT
"""Write reports as one HTML file: loops as bars, and source lines with their instructions."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from pathlib import Path

from triton_xe.errors import Diagnostic
from triton_xe.tools.report import terminal
from triton_xe.tools.report.contents import Contents, Row
from triton_xe.tools.report.hardware import HARDWARE
from triton_xe.tools.report.loops import Loop

_PAGE = Path(__file__).with_name("page.html")
#: Width of the bar of a loop's bound.
_BAR = 320


def _bars(loop: Loop) -> str:
    """Draw the parts of an estimate in SVG. The longest bar is the bound. Returns an empty text without an estimate."""
    if loop.estimate is None:
        return ""
    parts = loop.estimate.parts
    height = 20 * len(parts)
    shapes = []
    for index, (name, cycles) in enumerate(parts.items()):
        width = _BAR * loop.estimate.ratios[name]
        chosen = " bound" if name == loop.estimate.bound else ""
        shapes.append(
            f'<text x="0" y="{20 * index + 14}">{name}</text>'
            f'<rect class="bar{chosen}" x="50" y="{20 * index + 3}" width="{width:.1f}" height="14"/>'
            f'<text x="{56 + width:.1f}" y="{20 * index + 14}">{cycles:.0f}</text>'
        )
    width = _BAR + 110
    return f'<svg role="img" viewBox="0 0 {width} {height}" width="{width}">{"".join(shapes)}</svg>'


def _loop(loop: Loop) -> str:
    indent = f' style="margin-left: {loop.depth * 2}em"' if loop.depth else ""
    words = html.escape(terminal.describe_loop(loop))
    return (
        f'<section class="loop"{indent}><h3>loop {words}</h3>{_bars(loop)}'
        f"<p>{html.escape(terminal.loop_counts(loop))}</p></section>"
    )


def _remark(remark: Diagnostic) -> str:
    """Return a remark and, below it, how to take it."""
    advice = "".join(f'<p class="advice">{html.escape(note.message)}</p>' for note in remark.notes)
    return f'<p class="remark">{html.escape(remark.message)}</p>{advice}'


def _details(row: Row) -> str:
    """Return remarks, conversions and instructions of a line, folded."""
    parts = [_remark(remark) for remark in row.remarks]
    parts += [f'<p class="conversion">{html.escape(str(conversion))}</p>' for conversion in row.conversions]
    if row.instructions and not row.inlined:
        code = "\n".join(f"{item.address:05x}  {item.text}" for item in row.instructions)
        parts.append(f"<pre>{html.escape(code)}</pre>")
    elif row.instructions:
        own = [item for item in row.instructions if len(item.places) == 1]
        code = "\n".join(f"{item.address:05x}  {item.text}" for item in own)
        parts.append(f"<pre>{html.escape(code)}</pre>" if own else "")
    return "".join(parts)


def _rows(rows: Iterable[Row], used: Sequence[int], depth: int = 0) -> Iterable[str]:
    """Return rows with a column per number in `used`. The source is beside its place, where it is visible at any
    width."""
    for row in rows:
        numbers = "".join(
            # Narrow windows have no heading above the numbers.
            f'<td class="number" data-label="{terminal.COLUMNS[column][0]}">{terminal.cells(row)[column] or ""}</td>'
            for column in used
        )
        details = _details(row)
        button = '<button type="button" aria-expanded="false">+</button>' if details else ""
        marks = " *" if row.remarks else ""
        place = html.escape(terminal.short_name(row.location)) + marks
        line = row.location.line if row.location else 1 << 30
        # Rows of inlined lines stay below the row that calls them, however the table is sorted.
        kind = "inlined" if depth else "line"
        yield (
            f'<tr class="{kind}" data-line="{line}">'
            f'<th scope="row" style="padding-left: {depth * 1.5 + 0.5}em">{button}'
            f'{place}</th><td class="source" title="{html.escape(row.source.strip())}">'
            f"<code>{html.escape(row.source)}</code></td>{numbers}</tr>"
        )
        if details:
            yield f'<tr class="details" hidden><td colspan="{len(used) + 2}">{details}</td></tr>'
        yield from _rows(row.inlined, used, depth + 1)


def _sources(arch: str) -> str:
    """Return the figures of the hardware with their sources; empty without any."""
    if arch not in HARDWARE:
        return ""
    hardware = HARDWARE[arch]
    rows = "".join(
        f"<tr><td>{name.replace('_', ' ')}</td><td>{html.escape(str(figure))}</td>"
        f"<td>{html.escape(figure.source)}</td></tr>"
        for name, figure in hardware.figures().items()
    )
    return f"<details><summary>figures of {hardware.device}</summary><table class='figures'>{rows}</table></details>"


def _legend(used: Sequence[int]) -> str:
    """Return what the columns of a table mean."""
    terms = "".join(
        f"<dt>{name}</dt><dd>{html.escape(text)}</dd>" for name, text in (terminal.COLUMNS[column] for column in used)
    )
    return f'<details class="legend"><summary>what the columns mean</summary><dl>{terms}</dl></details>'


def _bound(report: Contents) -> str:
    """Return what bounds the loop that does the most; empty if there is none with an estimate."""
    estimates = [loop.estimate for loop in report.loops if loop.estimate]
    return max(estimates, key=lambda estimate: estimate.cycles).bound if estimates else ""


def _overview(reports: Sequence[Contents]) -> str:
    """Return a table of the kernels, with links to their reports, if there are several."""
    if len(reports) < 2:
        return ""
    heads = ("instructions", "dpas", "spilled", "SLM bytes", "bound by")
    headings = "".join(f'<th scope="col">{head}</th>' for head in heads)
    rows = ""
    for number, report in enumerate(reports):
        figures, counts = report.native, report.native.total
        values = (counts.instructions, counts.dpas, figures.spilled_registers, figures.slm_bytes, _bound(report))
        cells = "".join(
            f'<td class="number" data-label="{head}">{value or ""}</td>'
            for head, value in zip(heads, values, strict=True)
        )
        name = html.escape(terminal.title(report))
        rows += f'<tr class="line"><th scope="row"><a href="#kernel-{number}">{name}</a></th>{cells}</tr>'
    return (
        f'<div class="wide"><table class="overview"><thead><tr><th scope="col">kernel</th>{headings}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _report(report: Contents, number: int) -> str:
    used = terminal.used_columns(report.rows)
    headings = "".join(
        f'<th scope="col" title="{html.escape(text)}"><button type="button" class="sort">{name}</button></th>'
        for name, text in (terminal.COLUMNS[column] for column in used)
    )
    ran = [
        *terminal.launches_summary(report),
        *terminal.executed_summary(report),
        *terminal.model_summary(report),
    ]
    model = "".join(f"<p>{html.escape(text)}</p>" for text in ran)
    advice = "".join(f'<p class="remark">{html.escape(text)}</p>' for text in terminal.spill_advice(report))
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in terminal.provenance(report))
    unplaced = "".join(_remark(remark) for remark in report.remarks if not remark.locations)
    return (
        f'<article id="kernel-{number}"><h2>{html.escape(terminal.title(report))}</h2>'
        f"<p>{html.escape(terminal.summary(report))}</p>{model}{advice}"
        f"{''.join(map(_loop, report.loops))}{_sources(report.arch) if report.loops else ''}"
        f'<div class="wide"><table class="lines"><thead><tr><th scope="col"><button type="button" class="sort">line'
        f'</button></th><th class="source">source</th>{headings}</tr></thead><tbody>'
        f"{''.join(_rows(report.rows, used))}</tbody></table></div>{_legend(used)}{unplaced}"
        f"<footer>{notes}</footer></article>"
    )


def render(reports: Sequence[Contents]) -> str:
    """Return the page of some reports."""
    names = ", ".join(dict.fromkeys(report.name for report in reports))
    page = _PAGE.read_text()
    articles = "".join(_report(report, number) for number, report in enumerate(reports))
    return page.replace("@TITLE@", html.escape(names)).replace("@BODY@", _overview(reports) + articles)
