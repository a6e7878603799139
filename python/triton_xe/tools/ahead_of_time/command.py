# SPDX-License-Identifier: MIT
"""The commands `triton-xe compile` and `triton-xe config`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from triton_xe import errors, options, target
from triton_xe.tools.ahead_of_time import sycl

_DESCRIPTION = """\
Compile a kernel for programs without Python: C and C++ sources that hold the code and launch it. The signature has an
entry per parameter, as for `triton.tools.compile`: a type (`*fp32`, `i32`, `tensordesc<fp16[64, 32]>`), with `:16` for
a multiple of 16 and `:1` for the number 1, or the value of a constexpr."""


def library_folder() -> Path:
    """Return the folder of the library for the CPU device."""
    return target.installed_file("lib")


def link_flags() -> str:
    """Return the flags with which a program that runs kernels on the CPU device is linked."""
    folder = library_folder()
    return f"-L{folder} -ltriton_xe_cpu -Wl,-rpath,{folder}"


#: The output of `config`, by its options.
_ANSWERS = {
    "includedir": lambda: str(target.installed_file("include")),
    "libdir": lambda: str(library_folder()),
    "srcdir": lambda: str(target.installed_file("src")),
    "cflags": lambda: f"-I{target.installed_file('include')}",
    "libs": link_flags,
    "sycl-cflags": sycl.compile_flags,
    "sycl-libs": sycl.link_flags,
}


def config(arguments: argparse.Namespace) -> int:
    """Print where headers and libraries are."""
    requested = [name for name in _ANSWERS if getattr(arguments, name.replace("-", "_"))]
    if requested:
        print(" ".join(_ANSWERS[name]() for name in requested))
        return 0
    for name in _ANSWERS:
        print(f"{name:<12} {_answer_or_reason(name)}")
    return 0


def _answer_or_reason(name: str) -> str:
    """Return an answer, or the reason why there is none: SYCL may be missing, since only programs for GPUs need it."""
    try:
        return _ANSWERS[name]()
    except errors.ToolError as error:
        return str(error)


def _read_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of a launch among the arguments of the command."""
    names = ("num_warps", "num_stages", "grf_mode", "cpu_code")
    values = {name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None}
    if arguments.native:
        values["generate_native_code"] = True
    if arguments.debug:
        values["debug"] = True
    return values


def _export(arguments: argparse.Namespace) -> None:
    """Execute the command `compile`."""
    # Imports the frontend.
    from triton_xe.tools.ahead_of_time import compilation, signature, sources

    function = compilation.find_kernel(compilation.load_module(arguments.kernel), arguments.kernel_name)
    parameters = signature.parse(function, arguments.signature)
    values = _read_options(arguments)
    if arguments.nan_padding:
        values["nan_descriptors"] = compilation.nan_descriptors(parameters, arguments.nan_padding.split(","))
    kernel = compilation.compile_kernel(function, parameters, compilation.parse_target(arguments.target), values)
    name = arguments.out_name or function.__name__
    files = sources.write(kernel, name, arguments.grid, arguments.output)
    print("wrote", *files)
    if kernel.uses_sycl:
        print(
            f"to build: c++ -std=c++17 {files[0]} {arguments.output / 'triton_xe_sycl.cpp'} ... "
            "$(triton-xe config --sycl-cflags --sycl-libs)"
        )
    else:
        print(f"to build: cc {files[0]} ... {link_flags()}")


def compile_command(arguments: argparse.Namespace) -> int:
    """Compile a kernel and write its sources."""
    _export(arguments)
    return 0


def add_parsers(commands: Any) -> None:
    """Add both commands to the parser of `triton-xe`."""
    parser = commands.add_parser("compile", help="compile a kernel for programs without Python",
                                 description=_DESCRIPTION)  # fmt: skip
    parser.add_argument("kernel", type=Path, metavar="KERNEL.py", help="a file with the kernel; it is executed")
    parser.add_argument("--signature", "-s", required=True, help='such as "*fp32:16, *fp32:16, i32, 64"')
    parser.add_argument("--kernel-name", "-n", metavar="NAME", help="of several kernels in the file, this one")
    parser.add_argument("--target", "-t", default=target.DEFAULT, help="cpu, a chip, a product, or xpu:NAME:WARP_SIZE")
    parser.add_argument("--num-warps", "-w", type=int)
    parser.add_argument("--num-stages", "-ns", type=int)
    parser.add_argument("--grf-mode", choices=options.GRF_MODES)
    parser.add_argument("--cpu-code", choices=[code for code in options.CPU_CODES if code not in ("", "zebin")])
    parser.add_argument("--native", action="store_true", help="also write native code, by ocloc")
    parser.add_argument("--debug", action="store_true", help="keep assertions; on the CPU device the kernel also "
                        "checks itself")  # fmt: skip
    parser.add_argument("--nan-padding", metavar="A,B", help="descriptors that pad with NaN; the others do with zero")
    parser.add_argument("--out-name", "-on", metavar="NAME", help="of files and functions; default: the kernel's")
    parser.add_argument(
        "--grid", "-g", help='the grid as expressions, "cdiv(n, BLOCK), 1, 1"; otherwise callers state it'
    )
    parser.add_argument("--output", "-o", type=Path, default=Path(), metavar="DIR")
    parser.set_defaults(run=compile_command)
    parser = commands.add_parser("config", help="print where headers and libraries for exported kernels are")
    for name in _ANSWERS:
        parser.add_argument(f"--{name}", action="store_true")
    parser.set_defaults(run=config)
