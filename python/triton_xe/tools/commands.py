# SPDX-License-Identifier: MIT
"""The commands of `triton-xe` that need Triton."""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from triton_xe import debian_packages, device_compiler, errors
from triton_xe.tools import layout_drawing
from triton_xe.tools.ahead_of_time import command
from triton_xe.tools.arguments import number
from triton_xe.tools.bundle import command as bundle_command
from triton_xe.tools.harvest import command as harvest_command
from triton_xe.tools.precompile import command as precompile_command
from triton_xe.tools.profiler import command as profile_command
from triton_xe.tools.report import command as report_command
from triton_xe.tools.report import rank
from triton_xe.tools.simulation import command as simulate_command
from triton_xe.tools.verify import command as verify_command
from triton_xe.tools.virtual_gpu import command as virtual_gpu_command

#: Letters in a line if the output is no terminal.
_WIDTH = 120


def install_compiler(arguments: argparse.Namespace) -> int:
    """Fetch `ocloc` into a separate folder."""
    if arguments.if_missing:
        with contextlib.suppress(errors.ToolError):
            compiler = device_compiler.find()
            print(f"ocloc {compiler.version} is installed already: {compiler.origin}")
            return 0
    compiler = device_compiler.install(arguments.folder, arguments.mirror)
    print(f"ocloc {compiler.version} is in {compiler.origin}")
    return 0


def _shape(text: str) -> tuple[int, ...]:
    """Parse sizes in the notation of types: `16x16`."""
    if not re.fullmatch(r"\d+(x\d+)*", text):
        raise argparse.ArgumentTypeError(f"expected sizes such as 16x16, found {text!r}")
    return tuple(map(int, text.split("x")))


def layout(arguments: argparse.Namespace) -> int:
    """Draw a layout."""
    encoding = arguments.encoding
    try:
        if not encoding.startswith("#"):
            from triton_xe.tools import gluon_layouts

            encoding = gluon_layouts.read_layout(encoding, arguments.shape)
        if arguments.aliases:
            encoding = layout_drawing.expand_aliases(encoding, arguments.aliases.read_text())
        parsed = layout_drawing.Layout.parse(encoding, arguments.shape)
    except errors.CompileError as error:
        print(layout_drawing.explain(error, encoding), file=sys.stderr)
        return 2
    coloured = arguments.color == "always" or (arguments.color == "auto" and sys.stdout.isatty())
    width = shutil.get_terminal_size((_WIDTH, 0)).columns if arguments.width is None else arguments.width
    print(layout_drawing.draw(parsed, arguments.view, layout_drawing.Style(coloured, width)))
    return 0


def add_parsers(commands: Any) -> None:
    """Add all of them to the parser of `triton-xe`."""
    install_parser = commands.add_parser(
        "install-compiler", help="fetch the compiler that makes native code, `ocloc`, into a separate folder"
    )
    debian_packages.add_arguments(install_parser)
    install_parser.set_defaults(run=install_compiler)
    layout_parser = commands.add_parser("layout", help="draw which lane holds which element of a tensor")
    layout_parser.add_argument(
        "encoding",
        help="an encoding as IR prints it, an alias of the file of --aliases, or a layout of Gluon such as "
        "'gl.BlockedLayout([1, 4], [4, 4], [4, 1], [1, 0])' or 'xe.DPASLayout([4, 2]).accumulator([32, 32])'",
    )
    layout_parser.add_argument("--shape", type=_shape, required=True, help="the tensor's sizes, such as 16x16")
    layout_parser.add_argument("--view", choices=layout_drawing.VIEWS, default=layout_drawing.VIEWS[0])
    layout_parser.add_argument("--aliases", type=Path, metavar="FILE", help="textual IR that defines aliases")
    layout_parser.add_argument("--color", choices=("auto", "always", "never"), default="auto")
    layout_parser.add_argument(
        "--width",
        type=number("a number of letters", 0),
        metavar="N",
        help=f"letters in a line (the terminal's, else {_WIDTH}); 0: the number that is needed",
    )
    layout_parser.set_defaults(run=layout)
    command.add_parsers(commands)
    harvest_command.add_parser(commands)
    precompile_command.add_parser(commands)
    bundle_command.add_parser(commands)
    profile_command.add_parser(commands)
    report_command.add_parser(commands)
    simulate_command.add_parser(commands)
    rank.add_parser(commands)
    verify_command.add_parser(commands)
    virtual_gpu_command.add_parsers(commands)
