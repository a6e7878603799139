# SPDX-License-Identifier: MIT
"""A process that keeps the device compiler loaded, and compiles what tests compile with the program `ocloc`.

To start the program, link 100 MB of libraries and touch their memory takes 27 ms of the processor, which is twice what
a small kernel takes to compile. Drivers keep the same libraries loaded, too. The process is started by the dynamic
loader of the compiler's packages, as the program is.

A kernel that fails is compiled again by the program: its errors and crashes are those that tests see. The program
itself is tested by tests that call it by another path, or in another process (e2e/test_device_compiler.py).

As a program this module is the process that compiles: it reads requests from its input as lines of JSON, and writes the
answers as such.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

NAME, LOADER = "libocloc.so", "ld-linux-x86-64.so.2"


def find_libraries(path: str) -> Path | None:
    """Return the folder of the libraries that a program calls, if it is one that `triton-xe` has installed."""
    folder = Path(path).parent.parent / "usr/lib/x86_64-linux-gnu"
    return folder if (folder / NAME).exists() and (folder / LOADER).exists() else None


class Compiler:
    """The process, and what it has compiled."""

    def __init__(self, libraries: Path) -> None:
        # `-I` because the folder of this file has modules with names of other ones.
        python = [os.path.realpath(sys.executable), "-I", "-S", __file__, str(libraries / NAME)]
        self.process = subprocess.Popen(
            [str(libraries / LOADER), "--library-path", str(libraries), *python],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def compile(self, arguments: list[str], folder: str) -> str | None:
        """Return what the compiler has printed; nothing if it fails."""
        try:
            print(json.dumps({"arguments": arguments, "folder": folder}), file=self.process.stdin, flush=True)
            answer = json.loads(self.process.stdout.readline())
        except (BrokenPipeError, json.JSONDecodeError):
            # It has crashed. The next request starts another one.
            self.end()
            return None
        return answer["output"] if answer["status"] == 0 else None

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


class Compilers:
    """The process of each process that compiles, and a function that replaces `device_compiler._run`."""

    def __init__(self, run: Callable[..., str]) -> None:
        self.run_program = run
        self.lock = threading.Lock()
        self.running: dict[tuple[int, Path], Compiler] = {}
        #: The number of kernels that came from it.
        self.count = 0

    def run(self, name: str, path: str, *arguments: str | Path) -> str:
        """Compile in the process where it has the libraries of the program, and call the program otherwise."""
        libraries = find_libraries(path) if name == "ocloc" and arguments[:1] == ("compile",) else None
        if libraries is None:
            return self.run_program(name, path, *arguments)
        with self.lock, tempfile.TemporaryDirectory(prefix="triton-xe-") as folder:
            place = os.getpid(), libraries
            if place not in self.running or self.running[place].process.poll() is not None:
                self.running[place] = Compiler(libraries)
            output = self.running[place].compile(["ocloc", *map(str, arguments)], folder)
        if output is None:
            return self.run_program(name, path, *arguments)
        self.count += 1
        return output

    def end(self) -> None:
        """End the processes that this one has started."""
        for (process, _), compiler in self.running.items():
            if process == os.getpid():
                compiler.end()


def main() -> None:
    """Compile for each line of the input."""
    invoke = ctypes.CDLL(sys.argv[1]).oclocInvoke
    libc = ctypes.CDLL(None)
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        request = json.loads(line)
        os.chdir(request["folder"])
        files = [os.memfd_create("output"), os.memfd_create("errors")]
        for number, file in enumerate(files, 1):
            os.dup2(file, number)
        arguments = [argument.encode() for argument in request["arguments"]]
        # Without sources and headers in memory, and results in files.
        nothing = [ctypes.c_uint32(0), None, None, None]
        status = invoke(
            ctypes.c_uint32(len(arguments)), (ctypes.c_char_p * len(arguments))(*arguments), *nothing, *nothing,
            None, None, None, None,
        )  # fmt: skip
        libc.fflush(None)
        texts = []
        for file in files:
            os.lseek(file, 0, os.SEEK_SET)
            with os.fdopen(file, errors="replace") as stream:
                texts.append(stream.read())
        print(json.dumps({"status": status, "output": "".join(texts).strip()}), file=answers, flush=True)


if __name__ == "__main__":
    main()
