# SPDX-License-Identifier: MIT
"""The command `triton-xe`: describes the installation and the machine, draws layouts, exports, records, precompiles,
bundles, profiles and verifies kernels, and reports native code."""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import triton_xe
from triton_xe import device_compiler, errors, knobs, layout_drawing, target, versions
from triton_xe.ahead_of_time import command
from triton_xe.bundle import command as bundle_command
from triton_xe.cpu import simulate_command
from triton_xe.harvest import command as harvest_command
from triton_xe.precompile import command as precompile_command
from triton_xe.profiler import command as profile_command
from triton_xe.report import command as report_command
from triton_xe.report import rank
from triton_xe.verify import command as verify_command
from triton_xe.virtual_gpu import command as virtual_gpu_command

#: External programs, and their purposes.
TOOLS = {
    "triton-xe-opt": "run passes on textual IR",
    "triton-xe-translate": "make LLVM IR and binaries of the result",
    "spirv-val": "validation of SPIR-V in tests",
}

#: Letters in a line if the output is no terminal.
_WIDTH = 120


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _find_tool(name: str) -> str:
    beside_python = Path(sys.executable).with_name(name)
    return str(beside_python) if beside_python.exists() else shutil.which(name) or "not found"


def _versions() -> Iterator[tuple[str, str]]:
    from triton_xe import compiler

    yield "triton-xe", triton_xe.__version__
    try:
        yield "LLVM and MLIR", compiler.native_compiler().llvm_version()
    except errors.ToolError as error:
        yield "LLVM and MLIR", str(error)
    for distribution in ("triton", "torch", "intel-sycl-rt", "intel-opencl-rt"):
        yield distribution, _version(distribution)


def _describe(open_device: Callable[[], object]) -> str:
    try:
        device = open_device()
    except (errors.TritonXeError, ImportError) as error:
        return str(error)
    if hasattr(device, "instruction_sets"):
        return f"{device.name} ({', '.join(device.instruction_sets)}; {device.compute_units} threads)"
    if not hasattr(device, "platform"):
        return f"{device.name} ({device.compute_units} threads)"
    return f"{device.name} ({device.platform}, driver {device.driver_version})"


def _devices() -> Iterator[tuple[str, str]]:
    from triton_xe.cpu import runtime, simulator

    yield "cpu", _describe(runtime.open_native)
    yield "cpu (opencl)", _describe(runtime.open_opencl)
    yield "cpu (simulator)", _describe(simulator.open_device)
    try:
        import torch
    except ImportError:
        yield "xpu", "torch is not installed"
        return
    if not getattr(torch._C, "_has_xpu", False):
        yield "xpu", "this build of torch has no torch.xpu"
        return
    count = torch.xpu.device_count()
    for ordinal in range(count):
        yield f"xpu:{ordinal}", torch.xpu.get_device_name(ordinal)
    if not count:
        yield "xpu", "torch.xpu finds no device"


def _print_table(title: str, rows: Iterator[tuple[str, str]]) -> None:
    print(title)
    for name, text in rows:
        print(f"  {name:<26} {text}")


def _features() -> Iterator[tuple[str, str]]:
    for feature in versions.features():
        yield feature.name, f"{'yes' if feature.present else 'no'} ({feature.remark})"


def _compiler() -> Iterator[tuple[str, str]]:
    try:
        compiler = device_compiler.find()
    except errors.ToolError as error:
        yield "ocloc", str(error)
        return
    yield "ocloc", f"{compiler.version} ({compiler.origin})"
    yield "iga64", compiler.iga64 or "not found"
    yield "chips", ", ".join(target.architectures())


def install_compiler(arguments: argparse.Namespace) -> int:
    """Fetch `ocloc` into a folder of its own."""
    if arguments.if_missing:
        with contextlib.suppress(errors.ToolError):
            compiler = device_compiler.find()
            print(f"ocloc {compiler.version} is there already: {compiler.origin}")
            return 0
    try:
        compiler = device_compiler.install(arguments.folder, arguments.mirror)
    except errors.ToolError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"ocloc {compiler.version} is in {compiler.origin}")
    return 0


def _replaced() -> Iterator[tuple[str, str]]:
    from triton_xe.compat import table

    for entry in table.ALL:
        yield entry.symbol, entry.describe_probe()


def info(arguments: argparse.Namespace) -> int:
    """Print versions, devices, tools and knobs."""
    _print_table("versions", _versions())
    _print_table(f"what this Triton has (tested: {versions.tested_range()})", _features())
    _print_table("devices", _devices())
    _print_table("device compiler (native code without a GPU)", _compiler())
    _print_table("tools", ((name, f"{_find_tool(name)} ({purpose})") for name, purpose in TOOLS.items()))
    _print_table("environment", ((knob.name, f"{knob.summary} [{knob.text() or 'unset'}]") for knob in knobs.ALL))
    if arguments.replaced:
        _print_table("what is replaced in Triton and torch (docs/reference/replaced.md)", _replaced())
    return 0


def _shape(text: str) -> tuple[int, ...]:
    """Parse sizes in the notation of types: `16x16`."""
    if not re.fullmatch(r"\d+(x\d+)*", text):
        raise argparse.ArgumentTypeError(f"expected sizes such as 16x16, found {text!r}")
    return tuple(map(int, text.split("x")))


def _width(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"expected a number of letters, or 0, found {text!r}")
    return int(text)


def layout(arguments: argparse.Namespace) -> int:
    """Draw a layout."""
    encoding = arguments.encoding
    try:
        if not encoding.startswith("#"):
            from triton_xe import gluon_layouts

            encoding = gluon_layouts.read_layout(encoding, arguments.shape)
        if arguments.aliases:
            encoding = layout_drawing.expand_aliases(encoding, arguments.aliases.read_text())
        parsed = layout_drawing.Layout.parse(encoding, arguments.shape)
    except errors.CompileError as error:
        print(layout_drawing.explain(error, encoding), file=sys.stderr)
        return 1
    except (errors.TritonXeError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    coloured = arguments.color == "always" or (arguments.color == "auto" and sys.stdout.isatty())
    width = shutil.get_terminal_size((_WIDTH, 0)).columns if arguments.width is None else arguments.width
    print(layout_drawing.draw(parsed, arguments.view, layout_drawing.Style(coloured, width)))
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Entry point of the console script."""
    parser = argparse.ArgumentParser(prog="triton-xe", description=triton_xe.__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    info_parser = commands.add_parser("info", help="print versions, devices, tools and environment variables")
    info_parser.add_argument(
        "--replaced", action="store_true", help="also ask Triton and torch for what this package replaces in them"
    )
    info_parser.set_defaults(run=info)
    install_parser = commands.add_parser(
        "install-compiler", help="fetch the compiler that makes native code, `ocloc`, into a folder of its own"
    )
    install_parser.add_argument("--folder", type=Path, help="instead of one in this Python environment, or the user's")
    install_parser.add_argument("--if-missing", action="store_true", help="only if none is found")
    install_parser.add_argument("--mirror", help="address of Debian's packages, where apt has none")
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
        type=_width,
        metavar="N",
        help=f"letters in a line (the terminal's, else {_WIDTH}); 0: as many as needed",
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
    parsed = parser.parse_args(arguments)
    try:
        status = parsed.run(parsed)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever reads has seen enough; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


if __name__ == "__main__":
    sys.exit(main())
