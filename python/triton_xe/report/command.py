# SPDX-License-Identifier: MIT
"""The command `triton-xe report`."""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
from pathlib import Path
from typing import Any

from triton.errors import TritonError

from triton_xe import errors, options, target

_DESCRIPTION = """\
Show where a kernel's native code comes from, line by line, and what bounds its loops. The kernel is one of a file, with
a signature as for `triton-xe compile`; or, with --run, every kernel that a script launches. With --simulate the script
runs on the simulator, and the report also shows how often each line ran. No device is needed, but `ocloc` and
`iga64`."""


def _compile(arguments: argparse.Namespace) -> Any:
    """Compile the kernel that the arguments name."""
    # Imports the frontend.
    from triton.compiler.compiler import make_backend

    from triton_xe.ahead_of_time import compilation, signature

    if arguments.signature is None:
        raise errors.OptionError("expected --signature, or --run for the kernels that a script launches")
    function = compilation.find_kernel(compilation.load_module(arguments.kernel), arguments.kernel_name)
    parameters = signature.parse(function, arguments.signature)
    gpu_target = compilation.parse_target(arguments.target)
    if gpu_target.backend != "xpu":
        raise errors.OptionError(f"expected an architecture of a GPU, found `{arguments.target}`")
    names = ("num_warps", "num_stages", "grf_mode")
    values = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    # Also compares the code with and without lines.
    values["generate_native_code"] = True
    parsed = make_backend(gpu_target).parse_options(values)
    return compilation.compile_source(compilation.make_source(function, parameters), gpu_target, parsed)


def _reports(arguments: argparse.Namespace) -> list[Any]:
    """Return the reports to show. Raises `TritonError`."""
    from triton_xe import report

    given = [arguments.kernel, arguments.script, arguments.simulate]
    if sum(bool(each) for each in given) != 1:
        raise errors.OptionError("expected either a file with a kernel, or --run or --simulate with a script")
    if arguments.kernel:
        kernels = [_compile(arguments)]
    elif arguments.script:
        kernels = _run(arguments.script, arguments.kernel_name)
    else:
        kernels = _simulate(arguments)
    return [report.of(kernel) for kernel in kernels]


def _simulate(arguments: argparse.Namespace) -> list[Any]:
    """Return the kernels that a script launches on the simulator, with counts, and with cycles if the chip has a model
    of them."""
    from triton_xe.cpu import simulator, timing_model
    from triton_xe.report.hardware import HARDWARE

    name = target.resolve(arguments.target).name
    simulator.take_over(name)
    model = timing_model.modelling(name) if name in HARDWARE else contextlib.nullcontext()
    with simulator.counting(), model:
        return _run(arguments.simulate, arguments.kernel_name)


def _run(script: list[str], name: str | None) -> list[Any]:
    """Return the kernels that a script launches."""
    from triton_xe.report import launched

    return launched.run(Path(script[0]), script[1:], name)


def report_command(arguments: argparse.Namespace) -> int:
    """Print reports, or write a page of them."""
    try:
        reports = _reports(arguments)
    except (errors.TritonXeError, TritonError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    from triton_xe.report import page, terminal

    width = shutil.get_terminal_size((terminal.DEFAULT_WIDTH, 0)).columns
    print("\n\n".join(terminal.render(report, width) for report in reports))
    if arguments.html:
        try:
            arguments.html.write_text(page.render(reports))
        except OSError as error:
            print(f"error: cannot write `{arguments.html}`: {error.strerror}", file=sys.stderr)
            return 1
        print("wrote", arguments.html)
    return 0


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "report", help="show where a kernel's native code comes from, and what bounds it", description=_DESCRIPTION
    )
    parser.add_argument(
        "kernel", type=Path, nargs="?", metavar="KERNEL.py", help="a file with the kernel; it is executed"
    )
    parser.add_argument(
        "--run", dest="script", nargs=argparse.REMAINDER, metavar="SCRIPT.py ...", help="the last option: execute a "
        "script with its arguments, and report every kernel that it launches, once per configuration"
    )  # fmt: skip
    parser.add_argument(
        "--simulate", nargs=argparse.REMAINDER, metavar="SCRIPT.py ...", help="as --run, on the simulator of --target, "
        "and count what is executed"
    )  # fmt: skip
    parser.add_argument("--signature", "-s", help='such as "*fp32:16, *fp32:16, i32, 64"')
    parser.add_argument("--kernel-name", "-n", metavar="NAME", help="of several kernels, this one")
    parser.add_argument("--target", "-t", default=target.DEFAULT, help="an architecture, or xpu:NAME:WARP_SIZE")
    parser.add_argument("--num-warps", "-w", type=int)
    parser.add_argument("--num-stages", "-ns", type=int)
    parser.add_argument("--grf-mode", choices=options.GRF_MODES)
    parser.add_argument("--html", type=Path, metavar="FILE", help="also write a page that needs no other file")
    parser.set_defaults(run=report_command)
