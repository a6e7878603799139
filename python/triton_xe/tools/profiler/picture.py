# SPDX-License-Identifier: MIT
"""Draw the timeline of one program of the kernel that took longest, in SVG."""

from __future__ import annotations

import colorsys
import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from triton_xe.tools.profiler import naming
from triton_xe.tools.profiler.page import Kept, Selection, Shown
from triton_xe.tools.profiler.totals import ScopeTotals

_WIDTH, _GUTTER, _MARGIN = 960, 64, 12
_SLICE, _GAP, _HEAD, _LEGEND, _RULER = 16, 5, 26, 22, 22
#: Pixels of a letter, on average; warps that are drawn.
_LETTER, _MAX_WARPS = 6.2, 16
_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#76b7b2", "#edc948", "#b07aa1", "#ff9da7", "#9c755f")
_STYLE = """\
text { font: 11px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1c2128; }
.faint { fill: #5c6672; } .back { fill: #ffffff; stroke: #d5d9df; } .line { fill: #e7eaee; }
.dark { fill: #000000; } .light { fill: #ffffff; } .title { font-weight: 600; font-size: 13px; }
@media (prefers-color-scheme: dark) {
  text { fill: #e3e7ec; } .faint { fill: #98a3b0; } .back { fill: #14171c; stroke: #333b46; } .line { fill: #262d36; }
}"""


def write(path: Path, collected: ScopeTotals, selection: Selection) -> None:
    """Write the picture of the median program in the median launch among those that are kept."""
    kernel = max(collected.kernels.values(), key=lambda one: one.cycles)
    names = naming.distinguish((one.name, one.configuration) for one in collected.kernels.values())
    candidates = selection.of_kernel(kernel.name, kernel.configuration)
    kept = sorted(candidates, key=lambda one: one.cycles)[len(candidates) // 2]
    shown = next((one for one in kept.programs if "the median" in one.remarks), kept.programs[0])
    frequency = collected.frequency() if kernel.device == "cpu" else 1000.0
    label = names[kernel.name, kernel.configuration]
    path.write_text(_Picture(kept, shown, label, frequency).draw(), encoding="utf-8")


@dataclasses.dataclass
class _Picture:
    kept: Kept
    shown: Shown
    label: str
    #: Cycles per microsecond.
    frequency: float

    def draw(self) -> str:
        """Return the text of the file."""
        program, columns = self.shown.program, self.shown.program.columns
        warps = sorted(set(columns.warp.tolist()))[:_MAX_WARPS]
        self.intervals = [one for one in program.intervals if one.warp in warps and one.warp == one.end_warp]
        self.begin = min((one.begin for one in self.intervals), default=program.begin)
        self.end = max((one.end for one in self.intervals), default=program.end)
        legend, legend_height = self._legend()
        top = _HEAD + legend_height + _RULER
        rows: dict[tuple[int, int], int] = {}
        for row in sorted({(one.warp, one.lane) for one in self.intervals}):
            rows[row] = top
            depth = max(one.depth for one in self.intervals if (one.warp, one.lane) == row)
            top += (depth + 1) * _SLICE + _GAP
        height = top + _MARGIN
        body = [*legend, *self._ruler(_HEAD + legend_height, top), *self._slices(rows)]
        title = f"{self.label}: program {program.number} of {self.kept.num_programs}"
        if len(set(columns.warp.tolist())) > len(warps):
            title += f", the first {len(warps)} warps"
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" '
                f'height="{height}" role="img">',
                f"<title>{escape(title)}</title>",
                f"<style>{_STYLE}</style>",
                f'<rect class="back" x="0.5" y="0.5" width="{_WIDTH - 1}" height="{height - 1}" rx="6"/>',
                f'<text class="title" x="{_MARGIN}" y="{_HEAD - 6}">{escape(title)}</text>',
                *body,
                "</svg>\n",
            ]
        )

    def _x(self, time: float) -> float:
        width = _WIDTH - _GUTTER - _MARGIN
        return _GUTTER + (time - self.begin) / max(self.end - self.begin, 1) * width

    def _name(self, scope: int) -> str:
        return self.kept.launch.scopes[scope][0]

    def _legend(self) -> tuple[list[str], int]:
        """Draw the entries of the legend, in the lines that they need."""
        names = dict.fromkeys(self._name(scope) for scope in sorted({one.scope for one in self.intervals}))
        self.colours = {name: _colour(place) for place, name in enumerate(names)}
        x, y, parts = float(_MARGIN), _HEAD, []
        for name, colour in self.colours.items():
            width = 26 + len(name) * _LETTER
            if x + width > _WIDTH - _MARGIN and x > _MARGIN:
                x, y = float(_MARGIN), y + _LEGEND
            parts.append(f'<rect x="{x:.0f}" y="{y + 5}" width="11" height="11" rx="3" fill="{colour}"/>')
            parts.append(f'<text x="{x + 16:.0f}" y="{y + 14}">{escape(name)}</text>')
            x += width
        return parts, y + _LEGEND - _HEAD

    def _ruler(self, top: int, bottom: int) -> Iterator[str]:
        """Draw lines at round times, counted from the program's first scope."""
        length = max(self.end - self.begin, 1) / self.frequency
        step = 10 ** math.floor(math.log10(length / 8))
        step *= next(factor for factor in (1, 2, 5, 10) if length / (step * factor) <= 8)
        unit, size = ("ms", 1e3) if length >= 5000 else ("µs", 1.0) if length >= 5 else ("ns", 1e-3)
        for tick in range(int(length / step) + 1):
            x = self._x(self.begin + tick * step * self.frequency)
            yield f'<rect class="line" x="{x:.1f}" y="{top + _RULER - 4}" width="1" height="{bottom - top - _RULER}"/>'
            anchor = "end" if x > _WIDTH - 60 else "start"
            text = f"{tick * step / size:g} {unit}"
            yield f'<text class="faint" x="{x:.1f}" y="{top + 12}" text-anchor="{anchor}">{text}</text>'

    def _slices(self, rows: dict[tuple[int, int], int]) -> Iterator[str]:
        for (warp, lane), top in rows.items():
            if not lane:
                yield f'<text class="faint" x="{_MARGIN}" y="{top + 12}">warp {warp}</text>'
            filled: dict[int, float] = {}
            for one in self.intervals:
                left, right = self._x(one.begin), self._x(one.end)
                # An interval that is too narrow to be seen beside the one before is left out.
                if (one.warp, one.lane) != (warp, lane) or right - filled.get(one.depth, 0.0) < 0.3:
                    continue
                filled[one.depth] = right
                y, width = top + one.depth * _SLICE, max(right - left - 0.5, 0.3)
                name = self._name(one.scope)
                colour = self.colours[name]
                yield f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{_SLICE - 1}" fill="{colour}"/>'
                if width > len(name) * _LETTER + 6:
                    ink = "dark" if _brightness(colour) > 140 else "light"
                    yield f'<text class="{ink}" x="{left + 3:.1f}" y="{y + 11}">{escape(name)}</text>'


def _colour(place: int) -> str:
    if place < len(_COLOURS):
        return _COLOURS[place]
    rgb = colorsys.hls_to_rgb(place * 0.382 % 1, 0.55, 0.5)
    return "#" + "".join(f"{round(part * 255):02x}" for part in rgb)


def _brightness(colour: str) -> float:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return red * 0.299 + green * 0.587 + blue * 0.114
