# SPDX-License-Identifier: MIT
"""Processes of Python in which torch is imported already: forks of one that has done nothing else.

To import torch takes longer than most of what tests start a process for. `run` does what `subprocess.run` does with a
command of this Python; its process has the arguments, the environment, the folder and the files that it is given, and
ends as any other. Where the start itself is tested it is the wrong one: two such processes hash strings alike, torch is
there before anything else, and the stack begins in this file.

As a program this module is the process that forks.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import types
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

#: The longest request: the arguments and the environment of a process.
LIMIT = 1 << 17


class Server:
    """The process that forks; it ends with the one that has started it."""

    def __init__(self) -> None:
        self.socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # What tests set is for the processes that they start.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        command = [sys.executable, __file__, str(other.fileno())]
        self.process = subprocess.Popen(command, env=environment, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL)
        other.close()

    def run(self, request: dict, files: Sequence[int], timeout: float | None) -> int:
        """Return the exit status of a process with these files as its standard ones."""
        socket.send_fds(self.socket, [json.dumps(request).encode()], files)
        process = int(self.socket.recv(LIMIT))
        self.socket.settimeout(timeout)
        try:
            status = self.socket.recv(LIMIT)
        except BaseException:
            os.kill(process, signal.SIGKILL)
            self.socket.settimeout(None)
            self.socket.recv(LIMIT)
            raise
        finally:
            self.socket.settimeout(None)
        return os.waitstatus_to_exitcode(int(status))


_servers: dict[int, Server] = {}


def run(
    command: Sequence[str | Path],
    *,
    check: bool = False,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command of this Python, and return what it has written."""
    executable, *arguments = map(str, command)
    assert executable == sys.executable, executable
    # A fork has no server: what it would ask is the other's.
    server = _servers.get(os.getpid()) or _servers.setdefault(os.getpid(), Server())
    folder, environment = str(cwd or Path.cwd()), dict(os.environ if env is None else env)
    request = {"arguments": arguments, "cwd": folder, "env": environment}
    with open(os.devnull) as nothing, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            status = server.run(request, [file.fileno() for file in (nothing, output, errors)], timeout)
        except TimeoutError:
            raise subprocess.TimeoutExpired(list(map(str, command)), timeout) from None
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode())
    result = subprocess.CompletedProcess(list(map(str, command)), status, *texts)
    if check:
        result.check_returncode()
    return result


def serve(connection: socket.socket) -> list[str] | None:
    """Fork for each request; return the arguments in the fork, and nothing when there is nobody left to ask."""
    while True:
        message, files, _, _ = socket.recv_fds(connection, LIMIT, 3)
        if not message:
            return None
        process = os.fork()
        if process == 0:
            connection.close()
            request = json.loads(message)
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            os.chdir(request["cwd"])
            os.environ.clear()
            os.environ.update(request["env"])
            return request["arguments"]
        for file in files:
            os.close(file)
        connection.send(str(process).encode())
        connection.send(str(os.waitpid(process, 0)[1]).encode())


def start(arguments: list[str]) -> None:
    """Do what Python does with these arguments."""
    sys.orig_argv = [sys.executable, *arguments]
    while arguments[0] == "-W":
        sys.warnoptions.append(arguments[1])
        arguments = arguments[2:]
    warnings._processoptions(sys.warnoptions)
    kind, *rest = arguments
    main = types.ModuleType("__main__")
    main.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    first = str(Path(kind).resolve().parent) if kind not in ("-c", "-m") else "" if kind == "-c" else os.getcwd()
    sys.path[:1] = [first, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    if kind == "-m":
        sys.argv = rest
        runpy._run_module_as_main(rest[0])
    elif kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), vars(main))
    else:
        sys.argv = arguments
        main.__file__ = kind
        exec(compile(Path(kind).read_bytes(), kind, "exec"), vars(main))


if __name__ == "__main__":
    import torch  # noqa: F401

    gc.collect()
    gc.freeze()
    wanted = serve(socket.socket(fileno=int(sys.argv[1])))
    if wanted is not None:
        start(wanted)
