# SPDX-License-Identifier: MIT
"""A program that replaces Python, and lets a process of `warm_python` run what it is called with.

Its first argument is the address of that process. Python itself runs everything other than a script, a module or a
command.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Mapping

#: Triton's library becomes that of the interpreter as it is imported, and Inductor is enabled then.
READ_BY_IMPORTS = ("TRITON_INTERPRET", "TRITON_XE_INDUCTOR")


def with_triton(address: str) -> str:
    """Return the address of the process that has imported Triton, too."""
    return f"{address}-triton"


def choose_address(address: str, environment: Mapping[str, str]) -> str:
    """Return the address of the process that a process with these variables is forked from."""
    return address if any(name in environment for name in READ_BY_IMPORTS) else with_triton(address)


def main() -> int:
    """Return the exit status of the fork."""
    address, *arguments = sys.argv[1:]
    first = next((argument for place, argument in enumerate(arguments) if argument != "-W" != arguments[place - 1]), "")
    if not first or (first.startswith("-") and first not in ("-c", "-m")):
        os.execv(sys.executable, [sys.executable, *arguments])
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(choose_address(address, os.environ))
        request = {"arguments": arguments, "cwd": os.getcwd(), "env": dict(os.environ)}
        socket.send_fds(connection, [json.dumps(request).encode()], (0, 1, 2))
        connection.recv(64)
        return os.waitstatus_to_exitcode(int(connection.recv(64))) & 0xFF


if __name__ == "__main__":
    sys.exit(main())
