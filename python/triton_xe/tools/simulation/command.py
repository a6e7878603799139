# SPDX-License-Identifier: MIT
"""The command `triton-xe simulate`: run a kernel of any zebin, also one that a driver has dumped."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_xe import errors

if TYPE_CHECKING:
    import numpy as np

_DESCRIPTION = """\
Run native code of an Intel GPU, a zebin of `ocloc` or of a driver, instruction by instruction. LAUNCH.json describes
how:

  {"kernel": "scale",              the only kernel of the file need not be named
   "groups": [4, 1, 1],            work-groups along x, y, z
   "local": [64, 1, 1],            work-items of each
   "arguments": [
     {"npy": "x.npy", "output": "scaled.npy"},
     {"dtype": "float32", "shape": [256], "fill": 0, "output": "y.npy"},
     {"dtype": "int32", "value": 256},
     {"local": 1024}]}

A buffer is the array of a file, or one of a type and shape that is filled with a number; `output` names a file for what
is in it afterwards. `local` is the size of a pointer to shared local memory, in bytes. Files are beside LAUNCH.json."""


@dataclass
class Argument:
    """An argument of a launch; `array` is what it holds alive."""

    bits: int
    #: The bytes of its memory; 0 for a value.
    size: int = 0
    array: np.ndarray | None = None
    output: Path | None = None


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise errors.ToolError(f"`triton-xe simulate` needs numpy: {error}") from error
    return numpy


def _argument(described: dict[str, Any], folder: Path) -> Argument:
    """Read one entry of `arguments`."""
    numpy = _numpy()
    if not isinstance(described, dict):
        raise errors.OptionError(f"`arguments`: expected objects, found {json.dumps(described)}")
    if "local" in described:
        size = described["local"]
        if type(size) is not int or not 0 <= size < 2**32:
            raise errors.OptionError(f"`local`: expected a number of bytes, found {json.dumps(size)}")
        return Argument(size)
    try:
        if "value" in described:
            raw = numpy.array(described["value"], dtype=described["dtype"]).tobytes()
            return Argument(int.from_bytes(raw.ljust(8, b"\0")[:8], "little"))
        if "npy" in described:
            array = numpy.ascontiguousarray(numpy.load(folder / described["npy"]))
        else:
            array = numpy.full(described["shape"], described["fill"], dtype=described["dtype"])
        output = folder / described["output"] if "output" in described else None
    # `OverflowError`, `MemoryError`: numbers that fit no type or no memory.
    except (KeyError, TypeError, ValueError, OSError, OverflowError, MemoryError) as error:
        problem = f"there is no {error}" if isinstance(error, KeyError) else str(error)
        raise errors.OptionError(f"argument {json.dumps(described)}: {problem}") from error
    return Argument(array.ctypes.data, array.nbytes, array, output)


def _extents(launch: dict[str, Any], name: str) -> list[int]:
    extents = launch.get(name, [1])
    # The simulator counts with 32 bits.
    is_list = isinstance(extents, list) and all(type(each) is int and 0 <= each < 2**32 for each in extents)
    if not is_list or not 1 <= len(extents) <= 3:
        raise errors.OptionError(
            f"`{name}`: expected one to three integers from 0 to 2^32 - 1, found {json.dumps(extents)}"
        )
    return extents + [1] * (3 - len(extents))


def simulate(zebin: Path, launch: Path, *, checks: bool = False) -> dict[int, Any]:
    """Run a kernel as the file `launch` describes; returns what was executed (`simulator.executed`).

    Raises OptionError for what is wrong with a file, and what a launch on the simulator raises.
    """
    from triton_xe import _simulator
    from triton_xe.cpu import simulator

    try:
        binary, described = zebin.read_bytes(), json.loads(launch.read_text())
    except OSError as error:
        raise errors.OptionError(f"cannot read `{error.filename}`: {error.strerror}") from error
    except ValueError as error:
        raise errors.OptionError(f"`{launch}`: {error}") from error
    if not isinstance(described, dict) or not isinstance(described.get("arguments", []), list):
        raise errors.OptionError(f"`{launch}`: expected an object, whose `arguments` are a list (--help shows one)")
    names = _simulator.kernel_names(binary)
    name = described.get("kernel", names[0] if len(names) == 1 else None)
    if name not in names:
        raise errors.OptionError(f"`kernel`: expected {', '.join(names)}, found `{name}`")
    arguments = [_argument(each, launch.parent) for each in described.get("arguments", [])]
    kernel = simulator.open_device().load_kernel(binary, name)
    with simulator.counting():
        _simulator.launch(
            kernel,
            _extents(described, "groups"),
            _extents(described, "local"),
            [(each.bits, each.size) for each in arguments],
            checks,
        )
    for each in arguments:
        if each.output is not None:
            _numpy().save(each.output, each.array)
            print("wrote", each.output)
    return {address: simulator.Executed(*numbers) for address, *numbers in kernel.counts}


def simulate_command(arguments: argparse.Namespace) -> int:
    """Run a kernel and report what it executed."""
    from triton_xe.cpu.simulator import Executed

    counts = simulate(arguments.zebin, arguments.launch, checks=arguments.checks)
    total = sum(counts.values(), Executed())
    print(
        f"executed {total.executions} instructions ({total.lanes} lanes); messages moved {total.bytes} bytes in "
        f"{total.cache_lines} cache lines; {total.bank_conflicts} bank conflicts"
    )
    return 0


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "simulate",
        help="run native code of a GPU on this processor",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("zebin", type=Path, metavar="KERNEL.bin", help="the zebin")
    parser.add_argument("launch", type=Path, metavar="LAUNCH.json", help="the launch")
    parser.add_argument("--checks", action="store_true", help="watch registers, memory and barriers")
    parser.set_defaults(run=simulate_command)
