# SPDX-License-Identifier: MIT
"""Start a program with a virtual GPU in place.

The driver needs a newer C library than the system may have. So the program is started by the dynamic loader beside the
driver, which loads the library of the virtual GPU first. That library starts other programs in the same way, for the
program itself (ChildProcess.cpp).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from triton import knobs as triton_knobs

from triton_xe import errors, knobs, target
from triton_xe.statuses import Status
from triton_xe.tools.virtual_gpu.driver import Driver

#: The products that virtual GPUs are, by the names of these; `Chips.cpp` has their properties.
CHIPS = {
    "bmg": "Arc B580",
    "pvc": "Data Center GPU Max 1100",
    "pvc2": "Data Center GPU Max 1550",
    "lnl": "Arc 140V",
    "ptl": "Arc B390",
}
#: The one that is the default.
DEFAULT = "bmg"
_LIBRARY = "libtriton_xe_virtual_gpu.so"
#: The number of interpreters that may follow each other.
_MAX_INTERPRETERS = 4


@dataclass(frozen=True)
class VirtualGPU:
    """The GPU that the programs see."""

    chip: str = DEFAULT
    count: int = 1
    #: The seconds that a kernel may run until it is taken for one that does not end.
    seconds: int = 600
    #: False to measure what launches cost: no kernel is executed.
    executes: bool = True
    #: True to watch kernels by the simulator's checks.
    checks: bool = False
    #: The file that gets a line for each kernel; none if empty.
    log: str = ""


def _find_program(name: str) -> str:
    """Return where a program is, as it is written: the loader searches its folders for a name without a slash."""
    found = shutil.which(name)
    if found is None and Path(name).is_file():
        raise errors.ProgramError(f"`{name}` is not executable", Status.NOT_EXECUTABLE)
    if found is None:
        raise errors.ProgramError(f"`{name}` is no program", Status.NOT_FOUND)
    return found


def _read_interpreter(program: str) -> list[str] | None:
    """Return the command that a script names in its first line; None for a program of machine code."""
    with Path(program).open("rb") as file:
        first = file.readline(4096)
    if first.startswith(b"\x7fELF"):
        return None
    words = first[2:].decode(errors="replace").strip().split(maxsplit=1) if first.startswith(b"#!") else []
    if not words:
        raise errors.ProgramError(
            f"`{program}` is neither a program of machine code nor a script with an interpreter", Status.NOT_EXECUTABLE
        )
    return words


def _resolve(command: Sequence[str]) -> tuple[str, list[str]]:
    """Return the program of machine code that a command runs, and its arguments the name first."""
    program, arguments = _find_program(command[0]), list(command)
    for _ in range(_MAX_INTERPRETERS):
        interpreter = _read_interpreter(program)
        if interpreter is None:
            return program, arguments
        arguments = [*interpreter, program, *arguments[1:]]
        program = _find_program(interpreter[0])
        # Python finds its environment by this.
        arguments[0] = program
    raise errors.ProgramError(f"`{command[0]}`: too many interpreters", Status.NOT_EXECUTABLE)


def _library_path(driver: Driver) -> str:
    """Return the folders of libraries that programs use: those of the driver, of this environment and the user's."""
    folders = (str(driver.libraries), str(Path(sys.prefix) / "lib"), knobs.LIBRARY_PATH.text())
    return ":".join(filter(None, folders))


def build_command(driver: Driver, command: Sequence[str]) -> list[str]:
    """Return the command that starts a program with the GPU in place. Raises ToolError."""
    library = target.installed_file("lib") / _LIBRARY
    program, arguments = _resolve(command)
    return [
        str(driver.loader),
        "--library-path",
        _library_path(driver),
        "--preload",
        str(library),
        "--argv0",
        arguments[0],
        program,
        *arguments[1:],
    ]


def set_environment(driver: Driver, gpu: VirtualGPU) -> None:
    """Set the variables that the GPU and the loaders read, for processes that this one starts."""
    cache = Path(triton_knobs.cache.dir) / "virtual-gpu"
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise errors.FileError(f"cannot write `{cache}`: {error.strerror}") from error
    knobs.VIRTUAL_GPU_CHIP.set(gpu.chip)
    knobs.VIRTUAL_GPU_COUNT.set(str(gpu.count))
    knobs.VIRTUAL_GPU_SECONDS.set(str(gpu.seconds))
    knobs.VIRTUAL_GPU_EXECUTE.set(str(int(gpu.executes)))
    knobs.VIRTUAL_GPU_CHECK.set(str(int(gpu.checks)))
    # Programs may change their folder, and start others.
    knobs.VIRTUAL_GPU_LOG.set(str(Path(gpu.log).resolve()) if gpu.log else "")
    knobs.VIRTUAL_GPU_PYTHON.set(sys.executable)
    knobs.VIRTUAL_GPU_LOADER.set(str(driver.loader))
    knobs.VIRTUAL_GPU_LIBRARIES.set(_library_path(driver))
    knobs.VIRTUAL_GPU_CACHE.set(str(cache))
    knobs.LEVEL_ZERO_DRIVERS.set(str(driver.level_zero))
    knobs.OPENCL_VENDORS.set(str(driver.opencl))
    if not knobs.DRIVER_CACHE.text():
        programs = cache / "programs"
        programs.mkdir(exist_ok=True)
        knobs.DRIVER_CACHE.set(str(programs))


def replace_process(driver: Driver, gpu: VirtualGPU, command: Sequence[str]) -> NoReturn:
    """Go on as the program. Does not return; raises ToolError if the program cannot be started."""
    started = build_command(driver, command)
    set_environment(driver, gpu)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execv(started[0], started)
