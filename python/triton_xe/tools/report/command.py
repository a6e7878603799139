# SPDX-License-Identifier: MIT
"""The command `triton-xe report`."""

from __future__ import annotations

import argparse
import contextlib
import shutil
from pathlib import Path
from typing import Any

from triton_xe import device_compiler, errors, options, target
from triton_xe.cpu import simulator as cpu
from triton_xe.tools import arguments as script_parser
from triton_xe.tools import scripts

_DESCRIPTION = """\
Show where the native code of every kernel that a script launches comes from, line by line, and what bounds its loops.
With --simulate the script runs on the simulator, and the report also shows how often each line ran. With --signature
the script only defines the kernel, which is compiled as by `triton-xe compile`. No device is needed, but `ocloc` and
`iga64`. Words after the script that are no options of the command are for the script; so is everything after `--`."""


#: The options of a launch, which a kernel that nothing launches takes from the command.
_OPTIONS = ("num_warps", "num_stages", "grf_mode")


def _target(arguments: argparse.Namespace) -> str:
    return target.DEFAULT if arguments.target is None else arguments.target


def _refuse_options(arguments: argparse.Namespace) -> None:
    """Raise OptionError for options that the launches of a script have themselves."""
    for name in _OPTIONS:
        if getattr(arguments, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise errors.OptionError(
                f"{option} is for a kernel with --signature: the launches of a script have separate options. "
                f"If the script takes {option}, it follows `--`"
            )


def _compile(arguments: argparse.Namespace) -> Any:
    """Compile the kernel that the arguments name."""
    # Imports the frontend.
    from triton.compiler.compiler import make_backend

    from triton_xe.tools.ahead_of_time import compilation, signature

    function = compilation.find_kernel(compilation.load_module(arguments.script.path), arguments.kernel_name)
    parameters = signature.parse(function, arguments.signature)
    gpu_target = compilation.parse_target(_target(arguments))
    if gpu_target.backend != "xpu":
        raise errors.OptionError(f"expected an architecture of a GPU, found `{arguments.target}`")
    values = {name: getattr(arguments, name) for name in _OPTIONS if getattr(arguments, name) is not None}
    # Also compares the code with and without lines.
    values["generate_native_code"] = True
    parsed = make_backend(gpu_target).parse_options(values)
    return compilation.compile_source(compilation.make_source(function, parameters), gpu_target, parsed)


def _reports(arguments: argparse.Namespace) -> list[Any]:
    """Return the reports to show. Raises `TritonError`."""
    from triton_xe.tools import report

    arguments.script.check()
    if arguments.signature and (
        arguments.run_script or arguments.simulate or arguments.script.arguments or arguments.script.is_module
    ):
        raise errors.OptionError(
            "--signature is for a kernel that is not launched: expected no --run, no --simulate, no -m and no arguments"
        )
    if not arguments.signature:
        _refuse_options(arguments)
    if arguments.html:
        scripts.check_output(arguments.html)
    device_compiler.require()
    if arguments.signature:
        return [report.of(_compile(arguments))]
    if arguments.simulate:
        kernels = _simulate(arguments)
    else:
        if arguments.target is not None:
            cpu.stand_for(target.resolve(arguments.target).name)
        kernels = _run(arguments)
    from triton_xe.tools.report import kernel as reports

    return [reports.of(each.kernel, each.launches) for each in kernels]


def _simulate(arguments: argparse.Namespace) -> list[Any]:
    """Return the kernels that a script launches on the simulator, with counts, and with cycles if the chip has a model
    of them."""
    from triton_xe.cpu import simulator
    from triton_xe.tools.report.hardware import HARDWARE
    from triton_xe.tools.simulation import timing_model

    name = target.resolve(_target(arguments)).name
    simulator.take_over(name)
    model = timing_model.modelling(name) if name in HARDWARE else contextlib.nullcontext()
    with simulator.counting(), model:
        return _run(arguments)


def _run(arguments: argparse.Namespace) -> list[Any]:
    """Return the kernels that a script launches."""
    from triton_xe.tools.report import launched

    return launched.run(arguments.script, arguments.kernel_name, "; --signature reports on one that is not launched")


def report_command(arguments: argparse.Namespace) -> int:
    """Print reports, or write a page of them."""
    reports = _reports(arguments)
    from triton_xe.tools.report import page, terminal

    width = shutil.get_terminal_size((terminal.DEFAULT_WIDTH, 0)).columns
    print("\n\n".join(terminal.render(report, width) for report in reports))
    if arguments.html:
        arguments.html.write_text(page.render(reports))
        print("wrote", arguments.html)
    return 0


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "report", help="show where a kernel's native code comes from, and what bounds it", description=_DESCRIPTION
    )
    script_parser.take_script(parser)
    parser.add_argument("--run", dest="run_script", action="store_true", help="run the script, as without --signature")
    parser.add_argument(
        "--simulate", action="store_true", help="run it on the simulator of --target, and count what is executed"
    )
    parser.add_argument("--signature", "-s", help='such as "*fp32:16, *fp32:16, i32, 64"')
    parser.add_argument("--kernel-name", "-n", metavar="NAME", help="of several kernels, this one")
    parser.add_argument(
        "--target",
        "-t",
        help=f"a chip or a product, such as bmg or b580, instead of the active GPU's, or {target.DEFAULT} without one; "
        "with --signature also xpu:NAME:WARP_SIZE",
    )
    parser.add_argument("--num-warps", "-w", type=int)
    parser.add_argument("--num-stages", "-ns", type=int)
    parser.add_argument("--grf-mode", choices=options.GRF_MODES)
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page that needs no other file")
    parser.set_defaults(run=report_command)
