# SPDX-License-Identifier: MIT
"""The commands `triton-xe install-driver` and `triton-xe gpu`."""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
from pathlib import Path

from triton_xe import debian_packages, errors, products
from triton_xe.tools.arguments import number
from triton_xe.tools.virtual_gpu import driver, starting

_DESCRIPTION = """\
A virtual GPU runs programs for Intel GPUs on any x86 machine: with Intel's own driver and compiler, whose kernels the
simulator executes as machine code (docs/VirtualGPU.md)."""
#: More would not find room for their files on the bus.
_MAX_COUNT = 16
#: A day.
_MAX_SECONDS = 86400


def install_driver(arguments: argparse.Namespace) -> int:
    """Fetch the driver into a separate folder."""
    if arguments.if_missing:
        with contextlib.suppress(errors.ToolError):
            found = driver.find()
            print(f"the driver {found.version} is installed already: {found.folder}")
            return 0
    installed = driver.install(arguments.folder, arguments.mirror)
    print(f"the driver {installed.version} is in {installed.folder}")
    return 0


def run(arguments: argparse.Namespace) -> int:
    """Run a program with the GPU in place of this process. Returns only by errors."""
    command = arguments.command[1:] if arguments.command[:1] == ["--"] else arguments.command
    if not command:
        raise errors.OptionError("expected a program after `--`")
    if arguments.log:
        try:
            Path(arguments.log).write_text("")
        except OSError as error:
            raise errors.FileError(f"cannot write `{arguments.log}`: {error.strerror}") from error
    gpu = starting.VirtualGPU(
        arguments.chip, arguments.count, arguments.seconds, arguments.execute, arguments.check, arguments.log
    )
    return starting.replace_process(driver.find(), gpu, command)


def info(arguments: argparse.Namespace) -> int:
    """Print what programs see of the GPU."""
    found = driver.find()
    command = starting.build_command(found, [sys.executable, "-m", "triton_xe.tools.virtual_gpu.describing"])
    starting.set_environment(found, starting.VirtualGPU(arguments.chip, arguments.count))
    print(f"driver {found.version}: {found.folder}", flush=True)
    return subprocess.run(command, check=False).returncode


def _chip(text: str) -> str:
    """Return the name of a virtual GPU, for its name or of a product."""
    name = products.clean(text)
    if name not in starting.CHIPS:
        name = products.find_virtual(text)
    if name not in starting.CHIPS:
        advice = products.suggest(text, starting.CHIPS)
        raise argparse.ArgumentTypeError(f"expected one of {', '.join(starting.CHIPS)}, found {text!r}{advice}")
    wanted = products.find_product(text)
    if wanted and wanted.name != starting.CHIPS[name]:
        print(f"note: there is no virtual {wanted.name}; this is `{name}`, {starting.CHIPS[name]}", file=sys.stderr)
    return name


def add_parsers(commands: argparse._SubParsersAction) -> None:
    """Add both commands to the parser of `triton-xe`."""
    installing = commands.add_parser(
        "install-driver", help="fetch Intel's driver for the virtual GPU into a separate folder"
    )
    debian_packages.add_arguments(installing)
    installing.set_defaults(run=install_driver)
    gpu = commands.add_parser("gpu", help="run programs on a virtual Intel GPU", description=_DESCRIPTION)
    actions = gpu.add_subparsers(required=True, metavar="ACTION")
    parsers = {
        "run": (run, "run a program, which finds the GPU"),
        "info": (info, "print what Level Zero, OpenCL and SYCL report of the GPU"),
    }
    for name, (function, summary) in parsers.items():
        parser = actions.add_parser(name, help=summary, description=summary)
        parser.add_argument(
            "--chip",
            type=_chip,
            default=starting.DEFAULT,
            help=f"{', '.join(starting.CHIPS)}, or a product that has one of them, such as b580",
        )
        parser.add_argument(
            "--count", type=number("a number of GPUs", 1, _MAX_COUNT), default=1, help="how many GPUs there are (1)"
        )
        parser.set_defaults(run=function)
        if name == "run":
            parser.add_argument(
                "--seconds",
                type=number("seconds", 1, _MAX_SECONDS),
                default=starting.VirtualGPU.seconds,
                help="how long a kernel may run until it is taken for one that does not end (%(default)s)",
            )
            parser.add_argument(
                "--no-execute",
                dest="execute",
                action="store_false",
                help="leave out kernels, also those by which the driver copies: for measuring what launches cost",
            )
            parser.add_argument(
                "--check",
                action="store_true",
                help="watch kernels by the simulator's checks: undefined registers, missing waits, races, barriers",
            )
            parser.add_argument(
                "--log",
                default="",
                metavar="FILE",
                help="write a line of JSON for each kernel: groups, executed instructions, bytes, cycles of the model",
            )
            parser.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND ...")
