# SPDX-License-Identifier: MIT
"""The command `triton-xe precompile`: compile what a harvest has recorded, and put it into a bundle."""

from __future__ import annotations

import argparse
import fnmatch
import functools
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_xe import errors
from triton_xe.tools import progress, tables
from triton_xe.tools.arguments import number

if TYPE_CHECKING:
    from triton_xe.tools.harvest.records import Specialization
    from triton_xe.tools.precompile.compilation import Built, Job, Outcome, Settings

_DESCRIPTION = """\
Compile every kernel that `triton-xe harvest` has recorded, for any chip, without a GPU, and put the binaries into a
bundle. Kernels that are in the bundle already are not compiled again. The status is 1 if a kernel could not be
compiled, or if a check found a difference."""

_HEAD = ("kernel", "chip", "launched", "variants", "kept", "failed", "SLM", "spills", "agree", "seconds")
#: Seconds after which finished kernels are written into the bundle: more seldom is cheaper, and loses more if the
#: command is stopped.
_PERIOD = 5.0


@dataclass
class Row:
    """The figures of a kernel for a chip, all its specializations together."""

    name: str
    chip: str
    specializations: int = 0
    kept: int = 0
    failed: int = 0
    variants: int = 0
    shared: int = 0
    spills: int | None = None
    seconds: float = 0.0
    #: The numbers of specializations that a check was requested for, and of those that agree or differ.
    checked: int = 0
    agree: int = 0
    differ: int = 0

    def count(self, outcome: Outcome) -> None:
        """Add the result of a job."""
        self.specializations += 1
        self.failed += not outcome.built
        self.variants += max(0, len(outcome.built) - 1)
        self.shared = max([self.shared, *(built.shared for built in outcome.built)])
        spills = [built.spills for built in outcome.built if built.spills is not None]
        if spills:
            self.spills = max([self.spills or 0, *spills])
        self.seconds += outcome.seconds
        if outcome.finding:
            self.checked += 1
            self.agree += outcome.finding.kind == "agrees"
            self.differ += outcome.finding.kind == "differs"

    def cells(self) -> tuple[object, ...]:
        """Return the row of the table."""
        return (
            self.name,
            self.chip,
            self.specializations + self.kept,
            self.variants,
            self.kept,
            self.failed,
            self.shared,
            "-" if self.spills is None else self.spills,
            f"{self.agree}/{self.checked}" if self.checked else "-",
            f"{self.seconds:.1f}",
        )


@dataclass
class Report:
    """The results of a run, for people."""

    rows: dict[tuple[str, str], Row] = field(default_factory=dict)
    #: Sentences about kernels that are missing, or that a check has remarks on, with their number.
    remarks: dict[str, int] = field(default_factory=dict)
    lost: int = 0

    def row(self, name: str, chip: str) -> Row:
        """Return the row of a kernel for a chip."""
        return self.rows.setdefault((name, chip), Row(name, chip))

    def remark(self, text: str) -> None:
        """Count a sentence."""
        self.remarks[text] = self.remarks.get(text, 0) + 1

    def count(self, outcome: Outcome) -> None:
        """Add the result of a job."""
        self.row(outcome.name, outcome.chip).count(outcome)
        for problem in outcome.problems:
            self.remark(f"{outcome.name} ({outcome.chip}) {problem}")
        if outcome.finding and outcome.finding.kind == "differs":
            self.remark(f"{outcome.name} ({outcome.chip}) has other results than without optional passes")
        if outcome.finding and outcome.finding.kind == "unknown":
            self.remark(f"{outcome.name} ({outcome.chip}) is not checked: {outcome.finding.reason}")

    def lose(self, reason: str) -> None:
        """Count a kernel that was compiled, and that the bundle does not take."""
        self.lost += 1
        self.remark(reason)

    @property
    def has_failed(self) -> bool:
        """Return whether a kernel is missing, or has other results than without optional passes."""
        return self.lost > 0 or any(row.failed or row.differ for row in self.rows.values())

    def render(self) -> str:
        """Return a table, and the sentences."""
        rows = [row.cells() for row in sorted(self.rows.values(), key=lambda row: (row.name, row.chip))]
        lines = tables.lay_out(_HEAD, rows, numbers=_HEAD[2:])
        lines += [f"{text} ({count} times)" if count > 1 else text for text, count in self.remarks.items()]
        from triton_xe.tools.harvest import records

        # Names come from a file, which may be of any origin.
        return "\n".join(map(records.printable, lines))


class _Writer:
    """Puts compiled kernels into the bundle, some at a time."""

    def __init__(self, bundle: Path, report: Report, *, with_ir: bool) -> None:
        self._bundle = bundle
        self._with_ir = with_ir
        self._report = report
        self._waiting: list[Built] = []
        self._last = time.monotonic()

    def add(self, outcome: Outcome) -> None:
        """Take the files of a job."""
        self._waiting.extend(outcome.built)
        if time.monotonic() - self._last > _PERIOD:
            self.flush()

    def flush(self) -> None:
        """Write what waits into the bundle. Raises BundleError."""
        from triton_xe.tools.bundle import writing

        waiting, self._waiting = self._waiting, []
        with tempfile.TemporaryDirectory(prefix="triton-xe-precompile-") as folder:
            for built in waiting:
                place = Path(folder, built.key)
                # Two records may have the same variant.
                place.mkdir(exist_ok=True)
                for name, content in built.files.items():
                    (place / name).write_bytes(content)
            summary = writing.collect(self._bundle, Path(folder), with_ir=self._with_ir)
        for reason in summary.skipped.values():
            self._report.lose(reason)
        self._last = time.monotonic()


def plan(
    records: Sequence[Specialization], chips: Iterable[str], bundle: Path, report: Report
) -> Iterator[Job | Outcome]:
    """Return the jobs to do; outcomes in the place of those that cannot be done. Counts what the bundle has."""
    from triton.errors import TritonError

    from triton_xe.tools.bundle import manifest, reading
    from triton_xe.tools.precompile import compilation

    there = reading.Bundle.open(bundle) if (bundle / manifest.MANIFEST).exists() else None
    for record in records:
        for chip in chips:
            job = compilation.Job(record, chip)
            try:
                if there and compilation.key_of(job) in there:
                    report.row(record.name, chip).kept += 1
                    continue
            except TritonError as error:
                yield compilation.Outcome(record.name, chip, record.key, problems=(compilation.describe(error),))
                continue
            yield job


def precompile(
    records: Sequence[Specialization], chips: Sequence[str], bundle: Path, settings: Settings, *, engine: str, jobs: int
) -> Report:
    """Compile records for chips into a bundle.

    Raises BundleError if the bundle cannot be written, and ToolError if the engine cannot be had.
    """
    from triton_xe.tools.precompile import compilation, engines

    report, shown = Report(), progress.Progress()
    planned = list(plan(records, chips, bundle, report))
    todo = [each for each in planned if isinstance(each, compilation.Job)]
    for each in planned:
        if isinstance(each, compilation.Outcome):
            report.count(each)
    writer = _Writer(bundle, report, with_ir=settings.with_ir)
    work = functools.partial(compilation.run, settings=settings)
    try:
        for number, (job, result) in enumerate(engines.run(engine, jobs, work, todo), start=1):
            if isinstance(result, Exception):
                reason = f"the process that compiled it ended: {result}"
                result = compilation.Outcome(job.record.name, job.chip, job.record.key, problems=(reason,))
            report.count(result)
            writer.add(result)
            shown.show(f"precompile: {number} of {len(todo)}, {result.name} for {result.chip}")
    finally:
        shown.clear()
        writer.flush()
    return report


def precompile_command(arguments: argparse.Namespace) -> int:
    """Compile the records of harvest files, and print a table."""
    from triton_xe.tools.ahead_of_time.compilation import parse_target
    from triton_xe.tools.harvest import records as harvested
    from triton_xe.tools.precompile import compilation, engines

    settings = compilation.Settings(
        all_variants=arguments.variants == "all",
        native=arguments.native,
        check=arguments.check or "",
        with_ir=arguments.with_ir,
    )
    engines.check(arguments.engine)
    targets = map(parse_target, arguments.arch.split(","))
    chips = list(dict.fromkeys("cpu" if each.backend == "cpu" else each.arch for each in targets))
    records = harvested.read(arguments.files)
    chosen = [each for each in records if fnmatch.fnmatch(each.name, arguments.kernel)]
    if not chosen:
        raise errors.OptionError(f"no kernel of {len(records)} has a name like `{arguments.kernel}`")
    report = precompile(
        chosen, chips, arguments.output, settings, engine=arguments.engine, jobs=arguments.jobs or _processors()
    )
    print(report.render())
    return 1 if report.has_failed else 0


def _processors() -> int:
    return len(os.sched_getaffinity(0))


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "precompile", help="compile what a harvest has recorded, for any chip", description=_DESCRIPTION
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what `triton-xe harvest` has written")
    parser.add_argument(
        "--arch", required=True, metavar="CHIP,...", help="chips or products such as pvc,b580; `cpu` for the CPU device"
    )
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="FOLDER", help="the bundle")
    parser.add_argument("--kernel", default="*", metavar="PATTERN", help="only kernels with a name like this")
    parser.add_argument(
        "--variants",
        choices=("all", "recorded"),
        default="all",
        help="the code for launches that break a launch condition: all possible variants, or what the harvest has",
    )
    parser.add_argument(
        "--native", action="store_true", help="compile to native code, too, with `ocloc`, and count its spills"
    )
    parser.add_argument(
        "--check",
        nargs="?",
        const="cpu",
        choices=("cpu", "simulator"),
        help="run each kernel with generated inputs, and compare with one without optional passes",
    )
    parser.add_argument("--with-ir", action="store_true", help="put the IR of all stages into the bundle")
    parser.add_argument(
        "--jobs",
        "-j",
        type=number("a number of processes", 1),
        metavar="N",
        help="processes; by default one per processor",
    )
    parser.add_argument(
        "--engine", default="local", metavar="NAME", help="`local`, or `dask:ADDRESS` for the workers of a cluster"
    )
    parser.set_defaults(run=precompile_command)
