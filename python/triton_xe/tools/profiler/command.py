# SPDX-License-Identifier: MIT
"""The command `triton-xe profile`: runs a script, and prints how long the scopes of its kernels took."""

from __future__ import annotations

import argparse
import dataclasses
import functools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from triton_xe import errors, instrumentation_mode
from triton_xe.tools import arguments as script_parser
from triton_xe.tools import progress, scripts
from triton_xe.tools.profiler import naming

if TYPE_CHECKING:
    from triton_xe.tools.profiler.collecting import Collector
    from triton_xe.tools.profiler.totals import ScopeTotals, TimeTotals

_DESCRIPTION = """\
Run a script, a module (-m) or pytest, and report how long the warps of its kernels were in which scope
(triton.profiler.language) or, where no kernel has scopes, how long the kernels took. Writes the profile to a file
beside it, for proton-viewer (tree) or Perfetto (trace)."""
#: The default mode keeps all records, so that sums are complete.
_MODE = "default:buffer_strategy=flush"
#: Suffixes of a session's file.
_SUFFIXES = {"tree": "hatchet", "trace": "chrome_trace"}
_FAILED = 1


def add_parser(commands: argparse._SubParsersAction) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "profile",
        help="run a script, and report where its kernels spend their time",
        description=_DESCRIPTION,
    )
    parser.add_argument("-n", "--name", help="the profile's name: that of its file, without the suffix")
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", default=Path(), help="where the file goes")
    parser.add_argument("-d", "--data", choices=tuple(_SUFFIXES), default="tree", help="what is in the file")
    parser.add_argument("-c", "--context", choices=("shadow", "python"), default="shadow", help="what launches are in")
    parser.add_argument("-k", "--hook", choices=("triton",), help="read names and metrics of launches' metadata")
    parser.add_argument("--kernels", action="store_true", help="times of whole kernels, even where they have scopes")
    parser.add_argument("--mode", help="how scopes are measured (docs/Profiling.md)")
    parser.add_argument(
        "--top",
        type=script_parser.number("a number of lines", 1),
        metavar="N",
        default=20,
        help="lines of the table (20)",
    )
    parser.add_argument("--html", type=Path, metavar="FILE", help="a page with a timeline, for any browser")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="a picture of one program's timeline")
    script_parser.take_script(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the script in a session, and return its exit code."""
    _check(arguments)
    return _profile(_start_session(arguments), arguments)


def _check(arguments: argparse.Namespace) -> None:
    """Raise OptionError for arguments that would fail later, when the script has run."""
    if arguments.mode:
        instrumentation_mode.Mode.parse(arguments.mode)
    if arguments.kernels and (arguments.mode or arguments.svg):
        raise errors.OptionError("times of whole kernels (--kernels) have no --mode and no --svg")
    arguments.script.check()
    for path in filter(None, (arguments.html, arguments.svg, _output(arguments))):
        scripts.check_output(path)


def _name(arguments: argparse.Namespace) -> str:
    """Return the name of the session."""
    return arguments.name or arguments.script.title


def _output(arguments: argparse.Namespace) -> Path:
    """Return the file of the session."""
    return arguments.output / f"{_name(arguments)}.{_SUFFIXES[arguments.data]}"


def _start_session(arguments: argparse.Namespace) -> int:
    """Start the session. Raises OptionError for arguments that cannot be measured."""
    from triton_xe.tools.profiler import sessions

    session = sessions.start(
        str(arguments.output / _name(arguments)),
        context=arguments.context,
        data=arguments.data,
        backend=None if arguments.kernels else "instrumentation",
        mode=None if arguments.kernels else arguments.mode or _MODE,
        hook=arguments.hook,
    )
    if session is None:
        raise errors.OptionError("the environment disables Triton's profiler (TRITON_PROTON_DISABLE)")
    return session


def _profile(session: int, arguments: argparse.Namespace) -> int:
    """Run the script in the session, and print the profile, even if the script fails."""
    from triton.profiler.flags import flags

    measured = _Measured(session, arguments)
    # Sessions of the script itself would take the place of this one.
    flags.command_line = True
    try:
        status = arguments.script.run_for_status()
    finally:
        flags.command_line = False
        measured.finish()
        sys.stdout.flush()
    written = measured.write()
    print("\n".join(measured.table()), file=sys.stderr)
    print("wrote", *written, file=sys.stderr)
    missing = [f"`{path}`" for path in (arguments.html, arguments.svg) if path and str(path) not in written]
    if missing:
        print(f"error: {measured.explain_missing()}: {' and '.join(missing)} cannot be drawn", file=sys.stderr)
    return status or (_FAILED if missing else 0)


class _Measured:
    """The data that are collected while the script runs. Most kernels have no scopes, and it is not known before
    whether a script has kernels with scopes. The times of whole kernels are therefore always collected, and replace
    scopes if there are none.
    """

    def __init__(self, session: int, arguments: argparse.Namespace) -> None:
        from triton_xe.tools.profiler import events, kernel_page, page, sessions, totals

        self.session, self.arguments = session, arguments
        self.progress = progress.Progress()
        self.pages = page.Selection()
        collector = sessions.find(session)
        place: Callable[[tuple[str, ...]], tuple[str, ...]] = collector.place
        if arguments.context == "python":
            place = functools.partial(_functions_of_script, place)
        kept = kernel_page.MAX_LAUNCHES if arguments.html else 0
        self.times = totals.TimeTotals(self._show, place, kept)
        self.scopes: ScopeTotals | None = None
        #: The data of whole kernels, which are written if no kernel has scopes.
        self.whole: Collector | None = None
        if not arguments.kernels:
            look = self.pages.look if arguments.html or arguments.svg else None
            self.scopes = totals.ScopeTotals(look=look, place=place)
            events.listen(self.scopes)
            self.whole = self._collect_whole(collector)
        events.listen_to_runs(self.times)

    def _collect_whole(self, collector: Collector) -> Collector:
        from triton_xe.tools.profiler import collecting, events, sessions

        settings = dataclasses.replace(collector.settings, backend=sessions.active_target(), mode="")
        whole = collecting.Collector(settings)
        events.listen(whole)
        events.listen_to_runs(whole)
        return whole

    def _show(self, launches: int, kernel: str) -> None:
        self.progress.show(f"profile: {naming.count(launches, 'launch', 'launches')}, {kernel}")

    @property
    def has_scopes(self) -> bool:
        return self.scopes is not None and self.scopes.num_launches > 0

    def finish(self) -> None:
        """Stop collecting, and wait for the devices."""
        from triton_xe.tools.profiler import events

        for listener in filter(None, (self.scopes, self.times, self.whole)):
            events.ignore(listener)
            events.ignore_runs(listener)
        self.progress.clear()
        for collected in filter(None, (self.scopes, self.times)):
            collected.finish()

    def write(self) -> list[str]:
        """Write all files, and return their names."""
        from triton_xe.tools.profiler import kernel_page, page, picture, sessions

        arguments, name = self.arguments, _name(self.arguments)
        suffix = _SUFFIXES[arguments.data]
        if self.whole and not self.has_scopes:
            sessions.discard(self.session)
            self.whole.write(suffix)
        else:
            sessions.finalize(self.session)
        written = [str(_output(arguments))]
        if arguments.html and (self.has_scopes or self.times.num_launches):
            if self.has_scopes:
                page.write(arguments.html, name, self.scopes, self.pages)
            else:
                kernel_page.write(arguments.html, name, self.times)
            written.append(str(arguments.html))
        if arguments.svg and self.has_scopes:
            picture.write(arguments.svg, self.scopes, self.pages)
            written.append(str(arguments.svg))
        return written

    def explain_missing(self) -> str:
        """Return why there is nothing to draw."""
        if not self.times.num_launches:
            return "no kernel was launched"
        return "no kernel has scopes (docs/Profiling.md), and --html alone has times of whole kernels"

    def table(self) -> Iterator[str]:
        """Return the table of times."""
        if self.has_scopes:
            return _table(self.scopes, self.arguments.top)
        return _time_table(self.times, self.arguments.top, misses_scopes=not self.arguments.kernels)


def _functions_of_script(place: Callable[[tuple[str, ...]], tuple[str, ...]], path: tuple[str, ...]) -> tuple[str, ...]:
    """Select the functions of the script on the call stack, without the code that started it and Triton's launcher."""
    import triton

    functions = place(path)
    start = max((count for count, name in enumerate(functions, 1) if name.startswith(scripts.STARTERS)), default=0)
    launcher = str(Path(triton.__file__).parent)
    return tuple(name for name in functions[start:] if not name.startswith(launcher))


def _table(collected: ScopeTotals, top: int) -> Iterator[str]:
    """Return a table of the scopes that took longest."""
    rows = sorted(collected.rows(), key=lambda row: -row.cycles)
    shown = rows[:top]
    frequency = collected.frequency()
    names = [" > ".join(row.path) for row in shown]
    width = max(map(len, ["kernel > scope", *names]))
    launches = naming.count(collected.num_launches, "launch", "launches")
    kernels = naming.count(len({row.path[0] for row in rows}), "kernel", "kernels")
    yield f"{launches} of {kernels}"
    has_host = any(row.host for row in shown)
    host = "  host" if has_host else ""
    yield f"{'kernel > scope':<{width}} {'count':>9} {'share':>7} {'parent':>7} {'cycles':>12} {'us':>10}{host}"
    for name, row in zip(names, shown, strict=True):
        time_each = f"{row.each / frequency:.2f}" if row.is_host_clock else "-"
        host = f"  {' > '.join(row.host)}" if has_host else ""
        line = (
            f"{name:<{width}} {row.count:>9} {_percent(row.share):>7} {_percent(row.parent_share):>7} "
            f"{row.each:>12.0f} {time_each:>10}{host}"
        )
        yield line.rstrip()
    if len(rows) > len(shown):
        yield f"and {len(rows) - len(shown)} more (--top)"
    if collected.lost:
        advice = "buffer_strategy=flush keeps all, sampling_strategy=selective makes fewer"
        lost = naming.count(collected.lost, "record is", "records are")
        yield f"{lost} lost: there was no room (--mode: {advice})"


def _time_table(collected: TimeTotals, top: int, misses_scopes: bool) -> Iterator[str]:
    """Return a table of the whole kernels that took longest."""
    if not collected.num_launches:
        yield "no kernel was launched"
        return
    if misses_scopes:
        yield "no kernel was launched that has scopes (triton.profiler.language); these are the times of whole kernels"
    kernels = sorted(collected.kernels.items(), key=lambda item: -item[1].total)
    total = max(sum(times.total for times in collected.kernels.values()), 1)
    width = max(len("kernel"), *(len(name) for (name, _path), _times in kernels[:top]))
    has_host = any(path for (_name, path), _times in kernels[:top])
    yield f"{collected.counts()}, {total / 1e6:.3f} ms"
    host = "  host" if has_host else ""
    yield f"{'kernel':<{width}} {'count':>9} {'share':>7} {'us':>10} {'least':>10} {'most':>10}{host}"
    for (name, path), times in kernels[:top]:
        columns = [times.total / times.count, times.least, times.most]
        cells = " ".join(f"{nanoseconds / 1000:>10.2f}" for nanoseconds in columns)
        host = f"  {' > '.join(path)}" if has_host else ""
        yield f"{name:<{width}} {times.count:>9} {_percent(times.total / total):>7} {cells}{host}".rstrip()
    if len(kernels) > top:
        yield f"and {len(kernels) - top} more (--top)"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share * 100:.1f}%"
