# SPDX-License-Identifier: MIT
"""The command `triton-xe verify`: run a script, and compare each of its launches with one without optional passes."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from triton.errors import TritonError

from triton_xe import device_compiler, errors, knobs, options, target
from triton_xe.cpu import simulator
from triton_xe.tools import arguments as script_parser
from triton_xe.tools.verify import launches

_DESCRIPTION = """\
Run a script on the CPU device. Every launch runs twice: as optimized, and on copies of its tensors without optional
passes, loops over slices, and assumptions. Where the results differ, report which element, which line, and which pass
is
to blame, and write a folder that shows the difference again. The status is 1 if any launch differed."""


def render(session: launches.Session) -> str:
    """Return a table of the kernels that were launched, and why launches were not verified."""
    records = list(session.records.values())
    width = max([len("kernel"), *(len(each.name) for each in records)])
    lines = [f"{'kernel':<{width}} {'launches':>9} {'verified':>9} {'differ':>7}  {'reference':>9}"]
    for each in records:
        ratio = f"{each.reference / each.optimized:.2f}x" if each.optimized else "-"
        lines.append(f"{each.name:<{width}} {each.launches:>9} {each.verified:>9} {each.differences:>7}  {ratio:>9}")
    for each in records:
        lines.extend(
            f"{each.name}: {count} launch{'es' if count > 1 else ''} not verified: {reason}"
            for reason, count in each.reasons.items()
        )
    return "\n".join(lines)


def verify_command(arguments: argparse.Namespace) -> int:
    """Run the script, and print what was verified."""
    from triton_xe.tools.report import launched

    arguments.script.check()
    if arguments.simulator:
        device_compiler.require()
    if arguments.target is not None:
        simulator.stand_for(target.resolve(arguments.target).name)
    knobs.DEFAULT_BACKEND.set("cpu")
    # Also for the processes that the script starts.
    knobs.VERIFY.set(options.ON_SIMULATOR if arguments.simulator else "1")
    status = 0
    with launches.collecting(arguments.output) as session:
        try:
            launched.run(arguments.script)
        except (errors.TritonXeError, TritonError) as error:
            # Launches that were verified before are printed nevertheless.
            print(f"error: {errors.describe(error)}", file=sys.stderr)
            status = errors.exit_status(error)
    if session.records:
        print(render(session))
    return 1 if session.differences else status


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "verify",
        help="compare what a script's kernels compute with and without optional passes",
        description=_DESCRIPTION,
    )
    parser.add_argument(
        "--output", "-o", type=Path, metavar="FOLDER", help="where to put folders that show differences again"
    )
    parser.add_argument(
        "--simulator", action="store_true", help="compare with native code of the GPU, on the simulator"
    )
    parser.add_argument("--target", "-t", help="the chip or product that the CPU device represents")
    script_parser.take_script(parser)
    parser.set_defaults(run=verify_command)
