# SPDX-License-Identifier: MIT
"""The commands `triton-xe info` and `triton-xe doctor`: describe the installation and the machine, and mend it.

Both look at packages and files before they import anything: Triton itself may not be importable. Modules that need it
are imported where they are used.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import triton_xe
from triton_xe import installation, products
from triton_xe.statuses import Status

#: External programs, and their purposes.
TOOLS = {
    "triton-xe-opt": "run passes on textual IR",
    "triton-xe-translate": "make LLVM IR and binaries of the result",
    "spirv-val": "validation of SPIR-V in tests",
}
#: The commands of this module.
COMMANDS = ("info", "doctor")
#: Where the kernel lists devices, and the number of Intel among vendors.
_DEVICES = Path("/sys/class/drm")
_INTEL = 0x8086
_XPU_WHEELS = "pip install torch --index-url https://download.pytorch.org/whl/xpu"


def _version(distribution: str) -> str:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _find_tool(name: str) -> str:
    beside_python = Path(sys.executable).with_name(name)
    return str(beside_python) if beside_python.exists() else shutil.which(name) or "not found"


def _llvm_version() -> str:
    from triton_xe import compiler, errors

    try:
        return compiler.native_compiler().llvm_version()
    except errors.ToolError as error:
        return str(error)


def _versions() -> Iterator[tuple[str, str]]:
    yield "triton-xe", triton_xe.__version__
    if triton_xe.failure is None:
        yield "LLVM and MLIR", _llvm_version()
    # The versions are read from the files, since another package may have replaced them.
    for package in ("triton", "torch"):
        yield package, installation.version_of(package) or "not installed"
    for distribution in ("intel-sycl-rt", "intel-opencl-rt"):
        yield distribution, _version(distribution)


def find_gpus() -> Iterator[tuple[str, int]]:
    """Yield Intel's GPUs that the kernel knows, each with its device id. No driver of programs is needed."""
    for card in sorted(_DEVICES.glob("card[0-9]*")):
        try:
            vendor, device = (int((card / "device" / name).read_text(), 16) for name in ("vendor", "device"))
        except (OSError, ValueError):
            # Outputs of cards are listed, too, and devices that are on no bus.
            continue
        if vendor == _INTEL:
            yield f"/dev/dri/{card.name}", device


def _gpus() -> Iterator[tuple[str, str]]:
    gpus = list(find_gpus())
    for path, device in gpus:
        yield f"gpu {path}", f"8086:{device:04x}, {products.describe_device(device) or 'a GPU that is not supported'}"
    if not gpus:
        yield "gpu", "none of Intel's"


def _describe(open_device: Callable[[], object]) -> str:
    from triton_xe import errors

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
    yield from _torch_devices()


def _torch_devices() -> Iterator[tuple[str, str]]:
    try:
        import torch
    except ImportError as error:
        yield (
            "xpu",
            f"torch cannot be imported: {error}" if installation.folder_of("torch") else "torch is not installed",
        )
        return
    if not getattr(torch._C, "_has_xpu", False):
        advice = f": `{_XPU_WHEELS}`" if any(find_gpus()) else ""
        yield "xpu", f"this build of torch has no torch.xpu{advice}"
        return
    count = torch.xpu.device_count()
    for ordinal in range(count):
        yield f"xpu:{ordinal}", torch.xpu.get_device_name(ordinal)
    if not count:
        yield "xpu", "torch.xpu finds no device"


def _features() -> Iterator[tuple[str, str]]:
    from triton_xe import versions

    for feature in versions.features():
        yield feature.name, f"{'yes' if feature.present else 'no'} ({feature.remark})"


def _compiler() -> Iterator[tuple[str, str]]:
    from triton_xe import device_compiler, errors, target

    try:
        compiler = device_compiler.find()
    except errors.ToolError as error:
        yield "ocloc", str(error)
        return
    yield "ocloc", f"{compiler.version} ({compiler.origin})"
    yield "iga64", compiler.iga64 or "not found"
    yield "chips", ", ".join(target.architectures())


def _environment(with_unset: bool) -> Iterator[tuple[str, str]]:
    from triton_xe import knobs

    unset = 0
    for knob in knobs.ALL:
        if knob.text() or with_unset:
            yield knob.name, f"{knob.summary} [{knob.text() or 'unset'}]"
        unset += not knob.text()
    if unset and not with_unset:
        yield "", f"{unset} variables are unset: --environment lists them, and docs/reference/options.md"


def _problem(check: Callable[[], object]) -> str:
    """Return what is wrong with a variable that a function reads; what is not installed is shown elsewhere."""
    from triton_xe import errors

    try:
        check()
    except errors.TritonXeError as error:
        return str(error) if isinstance(error, errors.OptionError) else ""
    return ""


def _wrong_variables() -> Iterator[str]:
    """Yield what is wrong with the values of variables, which launches would report."""
    from triton.backends import backends

    from triton_xe import device_compiler, knobs
    from triton_xe.cpu import driver, runtime

    checks = (lambda: driver.CPUDriver().architecture(0), runtime.code, device_compiler.seconds)
    yield from filter(None, map(_problem, checks))
    backend = knobs.DEFAULT_BACKEND.text()
    if backend not in ("", *backends):
        yield f"{knobs.DEFAULT_BACKEND.name}: expected {' or '.join(sorted(backends))}, found `{backend}`"


def _replaced() -> Iterator[tuple[str, str]]:
    from triton_xe.compat import table

    for entry in table.ALL:
        yield entry.symbol, entry.describe_probe()


def _print_table(title: str, rows: Iterable[tuple[str, str]]) -> None:
    print(title)
    for name, text in rows:
        print(f"  {name:<26} {text}")


def info(arguments: argparse.Namespace) -> int:
    """Print versions, devices, tools and knobs."""
    _print_table("versions", _versions())
    _print_table("GPUs that the kernel knows", _gpus())
    mixture = installation.find_mixture()
    if mixture:
        print(f"mixed installation\n  {mixture.explain()}")
    if triton_xe.failure is not None:
        if not mixture:
            print(f"error: Triton cannot be imported: {triton_xe.failure}", file=sys.stderr)
        return 1
    from triton_xe import versions

    _print_table(f"what this Triton has (tested: {versions.tested_range()})", _features())
    _print_table("devices", _devices())
    _print_table("device compiler (native code without a GPU)", _compiler())
    _print_table("tools", ((name, f"{_find_tool(name)} ({purpose})") for name, purpose in TOOLS.items()))
    _print_table("environment", _environment(arguments.environment))
    if arguments.replaced:
        _print_table("what is replaced in Triton and torch (docs/reference/replaced.md)", _replaced())
    wrong = list(_wrong_variables())
    for text in wrong:
        print(f"error: {text}", file=sys.stderr)
    if wrong:
        return Status.MISUSED
    return Status.FAILED if mixture else Status.DONE


def _run_all(commands: Iterable[Sequence[str]]) -> bool:
    """Run commands until one fails, which is reported, and return whether none has."""
    for command in commands:
        print("$", shlex.join(command), flush=True)
        try:
            status = subprocess.run(command, check=False).returncode
        except OSError as error:
            print(f"error: cannot run `{command[0]}`: {error.strerror}", file=sys.stderr)
            return False
        if status:
            print(f"error: `{shlex.join(command)}` ended with {status}", file=sys.stderr)
            return False
    return True


def doctor(arguments: argparse.Namespace) -> int:
    """Print what is wrong with the installation, and run the commands that mend it if that is requested."""
    mixture = installation.find_mixture()
    if mixture is None and triton_xe.failure is not None:
        # It does not exist, or comes from an installation that did not end.
        mixture = installation.Mixture((f"Triton cannot be imported: {triton_xe.failure}",), owners=(), leftovers=())
    if mixture is None:
        print(f"Triton {installation.version_of('triton')} is complete, and is the only one")
        return 0
    print(mixture.explain())
    if not arguments.fix:
        return 1
    # The files are fetched first, so that a failure leaves the installation as it is.
    with tempfile.TemporaryDirectory() as wheels:
        if not _run_all(mixture.commands(Path(wheels))):
            return 1
    importlib.invalidate_caches()
    if left := installation.find_mixture():
        print(f"error: {'; '.join(left.findings)}", file=sys.stderr)
        return 1
    print(f"Triton {installation.version_of('triton')} is complete, and is the only one")
    return 0


def add_parsers(commands: argparse._SubParsersAction) -> None:
    """Add both commands to the parser of `triton-xe`."""
    parser = commands.add_parser("info", help="print versions, devices, tools and environment variables")
    parser.add_argument(
        "--replaced", action="store_true", help="also query Triton and torch for what this package replaces in them"
    )
    parser.add_argument("--environment", action="store_true", help="also list the variables that are unset")
    parser.set_defaults(run=info)
    parser = commands.add_parser("doctor", help="look for packages that damage each other's files")
    parser.add_argument("--fix", action="store_true", help="run the commands that leave one Triton")
    parser.set_defaults(run=doctor)
