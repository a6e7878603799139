# SPDX-License-Identifier: MIT
"""Processes of Python in which torch and Triton are imported already: forks of one that has done nothing else.

To import both takes longer than most of what tests start a process for. `run` does what `subprocess.run` does with a
command of this Python; its process has the arguments, the environment, the folder and the files that it is given, and
ends with its status. Where the start or the end itself is tested it is the wrong one: two such processes hash strings
alike, torch is loaded before anything else, and the stack begins in this file.

A process that has a variable which is read while Triton is imported, or that is to import Triton itself, is a fork of
another one, which has imported torch alone.

A process that is forked so, and starts others here, lets the same processes fork for it.

Programs on the virtual GPU are forks of processes that a third one starts by the driver's loader, below the library of
the GPU, but without a chip: `warm_gpu.run`.

At the end of a process without an uncaught exception, threads are waited for, functions of `atexit` run, and files are
flushed, but objects are not destroyed: those of torch and Triton, in Python and in C++, take 0.2 seconds, longer than
most programs. Processes on the virtual GPU, and those that `write_program` starts, end as any other.

The fork server of `multiprocessing` does not do: its processes end without what `atexit` has registered.

As a program this module is the process that forks, and starts the other one.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from warm_client import choose_address, with_triton

#: The longest request: the arguments and the environment of a process.
LIMIT = 1 << 17


class Server:
    """The processes that fork; they end with the one that has started them.

    `build_command` returns the command that starts them, for that of Python.
    """

    def __init__(self, build_command: Callable[[list[str]], list[str]] = list) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="warm-python-")
        self.address = f"{self.folder.name}/socket"
        with contextlib.ExitStack() as stack:
            listening = []
            for address in (self.address, with_triton(self.address)):
                one = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                one.bind(address)
                one.listen()
                listening.append(one.fileno())
            # A test may have set PYTHONPATH, or variables of Triton, for the processes that it starts; each of them
            # gets its own environment.
            environment = {
                name: value for name, value in os.environ.items() if not name.startswith(("PYTHONPATH", "TRITON_"))
            }
            command = [sys.executable, __file__, *map(str, listening)]
            self.process = subprocess.Popen(
                build_command(command), env=environment, pass_fds=listening, stdin=subprocess.PIPE
            )


def send(address: str, request: dict, files: Sequence[int], timeout: float | None) -> int:
    """Return the exit status of a process with these files as its standard ones."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.connect(address)
        socket.send_fds(connection, [json.dumps(request).encode()], files)
        process = int(connection.recv(LIMIT))
        connection.settimeout(timeout)
        try:
            status = connection.recv(LIMIT)
        except BaseException:
            os.kill(process, signal.SIGKILL)
            raise
    return os.waitstatus_to_exitcode(int(status))


_servers: dict[int, Server] = {}
#: The address of the server of a process, for those that it starts.
ADDRESS = "WARM_PYTHON"


def own_address() -> str:
    """Return the address of the server of this process, which is that of a process that has started it and waits."""
    if os.getpid() in _servers:
        return _servers[os.getpid()].address
    if ADDRESS not in os.environ:
        server = _servers[os.getpid()] = Server()
        os.environ[ADDRESS] = server.address
    return os.environ[ADDRESS]


def write_program(path: Path, *arguments: str) -> None:
    """Write a program that calls this Python with arguments, and with its own after them."""
    client = [sys.executable, "-S", "-E", str(Path(__file__).with_name("warm_client.py")), own_address()]
    path.write_text(f'#!/bin/sh\nexec {" ".join([*client, *arguments])} "$@"\n')
    path.chmod(0o755)


def run(
    command: Sequence[str | Path],
    *,
    imports_triton: bool = False,
    check: bool = False,
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
    server: Server | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command of this Python, and return what it has written.

    With `imports_triton` Triton is not imported yet. `server` replaces that of this process.
    """
    executable, *arguments = map(str, command)
    assert executable == sys.executable, executable
    folder, environment = str(cwd or Path.cwd()), dict(os.environ if env is None else env)
    request = {"arguments": arguments, "cwd": folder, "env": environment, "keeps_objects": server is None}
    base = server.address if server else own_address()
    address = base if imports_triton else choose_address(base, environment)
    with open(os.devnull) as nothing, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        try:
            status = send(address, request, [file.fileno() for file in (nothing, output, errors)], timeout)
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


def read_request(connection: socket.socket) -> dict:
    """Return what a process is to do."""
    message, files, _, _ = socket.recv_fds(connection, LIMIT, 3)
    return {**json.loads(message), "files": files}


def take_over(request: dict) -> None:
    """Give this process what it is to have."""
    for number, file in enumerate(request["files"]):
        os.dup2(file, number)
        os.close(file)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])


def wait_for_request(listening: socket.socket) -> None:
    """Return when there is a request, or when the requesting process has ended."""
    select.select([0, listening], [], [])


def serve(listening: socket.socket) -> dict | None:
    """Fork for each request; return the request in the fork, and nothing when the requesting process has ended."""
    running: dict[int, tuple[int, socket.socket]] = {}
    poll = select.poll()
    for file in (0, listening.fileno()):
        poll.register(file, select.POLLIN)
    while True:
        for file, _ in poll.poll():
            if file == 0:
                return None
            if file in running:
                process, connection = running.pop(file)
                poll.unregister(file)
                os.close(file)
                with connection, contextlib.suppress(BrokenPipeError):
                    connection.send(str(os.waitpid(process, 0)[1]).encode())
                continue
            connection, _ = listening.accept()
            request = read_request(connection)
            process = os.fork()
            if process == 0:
                # The end of other processes may not depend on this process.
                for end in (listening, connection, *(other for _, other in running.values())):
                    end.close()
                take_over(request)
                return request
            for each in request["files"]:
                os.close(each)
            connection.send(str(process).encode())
            descriptor = os.pidfd_open(process)
            running[descriptor] = process, connection
            poll.register(descriptor, select.POLLIN)


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


def end_with_objects(status: int) -> NoReturn:
    """End the process as Python does, except that the objects of Python and of C++ stay."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)
    os._exit(status & 0xFF)


def main() -> None:
    """Fork, as two processes: the second one imports Triton as soon as there is something to do."""
    import torch

    # `torch.testing.assert_close` imports it, which takes 0.6 seconds in each process.
    if torch.distributed.is_available():
        import torch.distributed.tensor

    gc.collect()
    gc.freeze()
    with_torch, with_both = (socket.socket(fileno=int(number)) for number in sys.argv[1:])
    if os.fork():
        with_both.close()
        listening = with_torch
    else:
        with_torch.close()
        listening = with_both
        wait_for_request(listening)
        # Objects of Triton's library are not frozen: from 3.9 on it reports at the end which of them are left.
        import triton  # noqa: F401
        from triton.runtime import cache

        # It hashes the whole wheel, which each process with a new cache would do again.
        if hasattr(cache, "triton_key"):
            cache.triton_key()
    wanted = serve(listening)
    if wanted is None:
        return
    status = None
    try:
        start(wanted["arguments"])
    except SystemExit as end:
        # Python prints any other object.
        if not isinstance(end.code, int | None):
            raise
        status = end.code
    if wanted.get("keeps_objects"):
        end_with_objects(status or 0)
    sys.exit(status)


if __name__ == "__main__":
    main()
