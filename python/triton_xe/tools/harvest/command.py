# SPDX-License-Identifier: MIT
"""The command `triton-xe harvest`: run a command whose kernels are recorded, and show and merge harvest files."""

from __future__ import annotations

import argparse
import fnmatch
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from triton_xe import errors, knobs, options
from triton_xe.statuses import Status
from triton_xe.tools import tables
from triton_xe.tools.harvest import records
from triton_xe.tools.harvest.records import Harvest, Specialization

_DESCRIPTION = """\
Run a command, and record every kernel that it and the processes that it starts launch, with the types, constants and
options that each was compiled for. The status is that of the command."""

_USAGE = """\
triton-xe harvest [--output FILE] -- COMMAND ...
       triton-xe harvest show FILE ... [--kernel PATTERN] [--ir]
       triton-xe harvest merge FILE ... --output FILE [--kernel PATTERN] [--launched] [--winners]"""

#: Letters of a column of names and types.
_WIDTH = 48


def harvest_command(arguments: argparse.Namespace) -> int:
    """Run a command, or one of the commands for files."""
    words = arguments.words
    if words and words[0] in _FILE_COMMANDS:
        parse, run = _FILE_COMMANDS[words[0]]
        if arguments.output:
            words = [*words, "--output", str(arguments.output)]
        return _report_errors(run, parse().parse_args(words[1:]))
    command = words[1:] if words and words[0] == "--" else words
    if not command:
        arguments.parser.error("there is no command to run")
    return _report_errors(_record, argparse.Namespace(command=command, output=arguments.output))


def _report_errors(run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Run a command, and print its errors and warnings as separate lines."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            status = run(arguments)
        except BrokenPipeError:
            raise
        except (errors.TritonXeError, OSError) as error:
            print(f"error: {errors.describe(error)}", file=sys.stderr)
            status = errors.exit_status(error)
    for warning in caught:
        print(f"warning: {warning.message}", file=sys.stderr)
    return status


def _record(arguments: argparse.Namespace) -> int:
    """Run the command with recording, and print what was recorded."""
    path = (arguments.output or Path("harvest.jsonl")).absolute()
    # Better now than in every process. Nothing is appended to a file of another kind.
    with path.open("ab"):
        records.read_all([path])
    knobs.HARVEST.set(str(path))
    try:
        status = _run(arguments.command)
    except OSError as error:
        raise errors.ProgramError.of(arguments.command[0], error) from error
    print("\n".join(_summary(records.read_all([path]))), file=sys.stderr)
    print(f"wrote {path}", file=sys.stderr)
    return status


def _run(command: Sequence[str]) -> int:
    """Run a command, and return its status as a shell reports it. An interrupt is for the command to handle."""
    with subprocess.Popen(command) as process:
        while True:
            try:
                status = process.wait()
            except KeyboardInterrupt:
                continue
            return status if status >= 0 else Status.SIGNALLED - status


def _summary(harvest: Harvest) -> Iterator[str]:
    """Return a table of kernels."""
    if not harvest.specializations and not harvest.failures:
        yield "no kernel was launched"
        return
    rows: dict[str, list[int]] = {}
    for each in harvest.specializations:
        row = rows.setdefault(each.name, [0, 0, 0, 0])
        row[1 if each.variant_of else 0] += 1
        row[2] += len(each.launches)
    for failure in harvest.failures:
        rows.setdefault(failure.name, [0, 0, 0, 0])[3] += 1
    total = [sum(column) for column in zip(*rows.values(), strict=True)]
    head = ("kernel", "specializations", "variants", "launches", "failures")
    count = f"{len(rows)} kernel{'s' if len(rows) > 1 else ''}"
    yield from _table(head, [(name, *map(str, row)) for name, row in [*rows.items(), (count, total)]])
    for failure in harvest.failures:
        yield records.printable(f"{failure.name}: not recorded: {failure.reason}")


def _show_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("triton-xe harvest show", description="List the specializations in files.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--kernel", metavar="PATTERN", help="only kernels with such a name: `gemm*`")
    parser.add_argument("--ir", action="store_true", help="also print the TTIR")
    return parser


def _show(arguments: argparse.Namespace) -> int:
    """Print the specializations of files."""
    harvest = records.read_all(arguments.files)
    chosen = select(harvest, arguments.kernel)
    if not arguments.ir:
        print("\n".join(_table(_HEAD, [_row(each) for each in chosen.specializations])))
    else:
        for each in chosen.specializations:
            text = "\n".join(map(records.printable, each.ttir.splitlines()))
            print(f"// {each.describe()}\n{text}\n")
    for failure in chosen.failures:
        print(records.printable(f"{failure.name}: not recorded: {failure.reason}"), file=sys.stderr)
    return 0


_HEAD = ("kernel", "arguments", "options", "warps", "launches", "winner", "place")


def _row(each: Specialization) -> tuple[str, ...]:
    """Return the cells of a specialization."""
    arguments, given = each.describe_arguments(), each.describe_options(without=("num_warps",))
    warps = str(each.options.get("num_warps", options.XeOptions.num_warps))
    name = f"{each.name} (variant)" if each.variant_of else each.name
    place = f"{each.file}:{each.line}" if each.file else ""
    return name, arguments, given, warps, str(len(each.launches)), "yes" if each.winner else "", place


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table. The last column, a place or a number, is never shortened."""
    shown = [[*(records.shorten(cell, _WIDTH) for cell in row[:-1]), row[-1]] for row in rows]
    return tables.lay_out(head, [list(map(records.printable, row)) for row in shown])


def _merge_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "triton-xe harvest merge", description="Write one file with each specialization of the files once."
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--output", "-o", type=Path, required=True, metavar="FILE")
    parser.add_argument("--kernel", metavar="PATTERN", help="only kernels with such a name: `gemm*`")
    parser.add_argument(
        "--launched", action="store_true", help="only what was launched, and not merely measured by an autotuner"
    )
    parser.add_argument("--winners", action="store_true", help="only what autotuners have chosen")
    return parser


def _merge(arguments: argparse.Namespace) -> int:
    """Write a file with the contents of others."""
    harvest = records.read_all(arguments.files)
    chosen = select(harvest, arguments.kernel, launched=arguments.launched, winners=arguments.winners)
    records.write_all(arguments.output, chosen)
    print("\n".join(_summary(chosen)))
    return 0


def select(harvest: Harvest, pattern: str | None, *, launched: bool = False, winners: bool = False) -> Harvest:
    """Return the records of kernels whose names match, and which were launched or won. Variants come with theirs."""

    def matches(name: str) -> bool:
        return pattern is None or fnmatch.fnmatchcase(name, pattern)

    def wanted(each: Specialization) -> bool:
        return (not launched or bool(each.launches)) and (not winners or each.winner)

    bases = {each.key for each in harvest.specializations if not each.variant_of and wanted(each)}
    return Harvest(
        [
            each
            for each in harvest.specializations
            if matches(each.name) and ((each.variant_of or each.key) in bases or wanted(each))
        ],
        [failure for failure in harvest.failures if matches(failure.name)],
    )


_FILE_COMMANDS = {"show": (_show_parser, _show), "merge": (_merge_parser, _merge)}


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "harvest", help="record the kernels that a command launches", description=_DESCRIPTION, usage=_USAGE
    )
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="where to append the records (harvest.jsonl)")
    parser.add_argument("words", nargs=argparse.REMAINDER, metavar="COMMAND ...", help="the command with its arguments")
    parser.set_defaults(run=harvest_command, parser=parser)
