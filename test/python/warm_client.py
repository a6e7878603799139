# SPDX-License-Identifier: MIT
"""A program that replaces Python, and lets the process of `warm_python` run what it is called with.

Its first argument is the address of that process. Python itself runs everything other than a script, a module or a
command.
"""

from __future__ import annotations

import json
import os
import socket
import sys


def main() -> int:
    """Return the exit status of the fork."""
    address, *arguments = sys.argv[1:]
    first = next((argument for place, argument in enumerate(arguments) if argument != "-W" != arguments[place - 1]), "")
    if not first or (first.startswith("-") and first not in ("-c", "-m")):
        os.execv(sys.executable, [sys.executable, *arguments])
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(address)
        request = {"arguments": arguments, "cwd": os.getcwd(), "env": dict(os.environ)}
        socket.send_fds(connection, [json.dumps(request).encode()], (0, 1, 2))
        connection.recv(64)
        return os.waitstatus_to_exitcode(int(connection.recv(64))) & 0xFF


if __name__ == "__main__":
    sys.exit(main())
