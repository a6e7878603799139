# SPDX-License-Identifier: MIT
"""Processes that run tasks, and may crash or hang while they do."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

#: Tasks of a process before a fresh one takes over: kernels stay in memory.
LIFETIME = 400
#: Packages that take seconds to import. Processes are forked from one that has done nothing but import them.
PACKAGES = ["torch", "triton"]


@dataclass(frozen=True)
class Outcome:
    """The end of a task: `done` with its result, `crash` or `hang` with a message."""

    kind: str
    result: Any


def _serve(pipe: Connection, environment: dict[str, str], messages: str) -> None:
    """Runs tasks for as long as there are any."""
    # That of the process which forks is older.
    os.environ.clear()
    os.environ.update(environment)
    with open(messages, "a") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    while True:
        try:
            function, arguments = pipe.recv()
        except EOFError:
            return
        pipe.send(function(*arguments))


@dataclass
class Worker:
    """A process, and the task that it runs."""

    environment: dict[str, str]
    process: Any = None
    pipe: Any = None
    task: Any = None
    deadline: float = 0.0
    tasks: int = 0
    messages: Path = field(default_factory=lambda: Path(tempfile.mkstemp(prefix="triton-xe-fuzz-")[1]))

    def start(self, task: Any, timeout: float) -> None:
        """Begins a task (an index, a function and its arguments)."""
        if self.process is None or self.tasks >= LIFETIME:
            self.stop()
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload(PACKAGES)
            self.pipe, other = context.Pipe()
            environment = os.environ | self.environment
            self.process = context.Process(target=_serve, args=(other, environment, str(self.messages)), daemon=True)
            self.messages.write_text("")
            self.process.start()
            other.close()
            self.tasks = 0
            timeout += 20
        self.tasks += 1
        self.task, self.deadline = task, time.monotonic() + timeout
        self.pipe.send(task[1:])

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None

    def outcome(self) -> Outcome | None:
        """Returns the end of the task; none while it runs and has time left."""
        try:
            if self.pipe.poll():
                return Outcome("done", self.pipe.recv())
        except (EOFError, ConnectionResetError):
            self.process.join()
            code = self.process.exitcode or 0
            name = signal.Signals(-code).name if code < 0 else f"exit status {code}"
            self.stop()
            return Outcome("crash", f"{name}\n{self.messages.read_text(errors='replace')[-2000:]}")
        if time.monotonic() > self.deadline:
            self.stop()
            return Outcome("hang", "no result in time")
        return None


class Pool:
    """Several workers. `environment` is of their processes."""

    def __init__(self, jobs: int, environment: dict[str, str] | None = None, timeout: float = 120.0) -> None:
        self.timeout = timeout
        self.workers = [Worker(dict(environment or {})) for _ in range(jobs)]

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.stop()
            worker.messages.unlink(missing_ok=True)

    def map(
        self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]], timeout: float | None = None
    ) -> Iterator[tuple[tuple[Any, ...], Outcome]]:
        """Runs the function with each tuple of arguments; gives the arguments and what became of them."""
        waiting = iter(tasks)
        limit = timeout or self.timeout
        busy: list[Worker] = []
        idle = list(self.workers)
        more = True
        while more or busy:
            while more and idle:
                task = next(waiting, None)
                if task is None:
                    more = False
                    break
                worker = idle.pop()
                worker.start((task, function, task), limit)
                busy.append(worker)
            wait([worker.pipe for worker in busy], timeout=0.5)
            for worker in list(busy):
                outcome = worker.outcome()
                if outcome:
                    busy.remove(worker)
                    idle.append(worker)
                    yield worker.task[0], outcome

    def run(self, function: Callable[..., Any], *arguments: Any, timeout: float | None = None) -> Outcome:
        """Runs the function once, and returns the end of the task."""
        return next(self.map(function, [arguments], timeout))[1]


def report_progress(text: str) -> None:
    """Shows a line on the terminal, which the next one replaces."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()
