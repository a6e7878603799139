# SPDX-License-Identifier: MIT
"""Programs in Python on the virtual GPU, in processes that have imported torch and Triton already (warm_python.py).

`run` does what `triton-xe gpu run` does. The process that forks has no chip yet, and its forks get the one that the
command line names.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path

import pytest
import warm_python

from triton_xe.tools import command_line
from triton_xe.tools.virtual_gpu import driver, starting

_servers: dict[int, warm_python.Server] = {}


def own_server() -> warm_python.Server:
    """Return the server of this process whose forks are below the library of the GPU."""
    process = os.getpid()
    if process not in _servers:
        _servers[process] = warm_python.Server(functools.partial(starting.build_command, driver.find()))
    return _servers[process]


def environment_of(*options: str) -> dict[str, str]:
    """Return the environment that `triton-xe gpu run` starts a program with."""
    environment = dict(os.environ)

    def take_settings(found: driver.Driver, gpu: starting.VirtualGPU, command: list[str]) -> int:
        starting.set_environment(found, gpu)
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", environment)
        patch.setattr(starting, "replace_process", take_settings)
        assert command_line.main(["gpu", "run", *options, "--", sys.executable]) == 0
    return environment


def run(
    *command: str | Path, chip: str, options: tuple[str, ...] = (), timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command of this Python with the GPU in place, and return what it has written."""
    environment = environment_of("--chip", chip, *options)
    return warm_python.run(command, env=environment, timeout=timeout, server=own_server())
