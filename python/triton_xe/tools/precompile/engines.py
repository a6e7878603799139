# SPDX-License-Identifier: MIT
"""Run jobs in parallel: in processes of this machine, or on the workers of a Dask cluster.

Both are executors of `concurrent.futures`. A job that ends its process, by a crash of the compiler or by lack of
memory, takes along those that run at this moment. They run again, each in a process that no other job shares, which
shows which one it was.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from triton_xe import errors, knobs

Argument = TypeVar("Argument")
Result = TypeVar("Result")

LOCAL = "local"
_DASK = "dask:"


def _pool(workers: int) -> concurrent.futures.ProcessPoolExecutor:
    # A process that forks while the compiler has threads may wait for one of them forever. Workers are forks of a
    # process that has imported Triton and compiled nothing: each would take longer to import it than for most jobs.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["triton_xe.tools.precompile.compilation"])
    # That process may have been started for an earlier run, with other variables.
    return concurrent.futures.ProcessPoolExecutor(
        workers, mp_context=context, initializer=knobs.replace_environment, initargs=(knobs.environment(),)
    )


@contextlib.contextmanager
def _cluster(address: str) -> Iterator[concurrent.futures.Executor]:
    """Return the workers of the cluster whose scheduler has this address, such as `tcp://10.0.0.1:8786`."""
    try:
        import distributed
    except ImportError as error:
        raise errors.ToolError(
            f"the engine `{_DASK}{address}` needs the package `distributed`, which is not installed"
        ) from error
    try:
        client = distributed.Client(address, set_as_default=False)
    except (OSError, ValueError) as error:
        raise errors.ToolError(f"there is no scheduler of Dask at `{address}`: {error}") from error
    with client:
        yield client.get_executor()


def check(engine: str) -> None:
    """Raise OptionError for the name of an engine that does not exist."""
    if engine != LOCAL and not re.fullmatch(f"{_DASK}.+", engine):
        raise errors.OptionError(f"expected the engine `{LOCAL}` or `{_DASK}ADDRESS`, found `{engine}`")


def run(
    engine: str, workers: int, function: Callable[[Argument], Result], arguments: Iterable[Argument]
) -> Iterator[tuple[Argument, Result | Exception]]:
    """Call a function for each of the arguments, and return arguments with results as they come.

    An exception is the result of a call that raised it, or that ended its process. Raises ToolError if the engine
    cannot be had.
    """
    check(engine)
    if engine == LOCAL:
        yield from _run_local(workers, function, arguments)
        return
    with _cluster(engine.removeprefix(_DASK)) as executor:
        futures = {executor.submit(function, argument): argument for argument in arguments}
        for future in concurrent.futures.as_completed(futures):
            # Results have files in them, and are not kept longer than needed.
            yield futures.pop(future), _result(future)


def _run_local(
    workers: int, function: Callable[[Argument], Result], arguments: Iterable[Argument]
) -> Iterator[tuple[Argument, Result | Exception]]:
    """Do what `run` does, in processes of this machine."""
    waiting = collections.deque(arguments)
    while waiting:
        suspects: list[Argument] = []
        running: dict[concurrent.futures.Future, Argument] = {}
        with _pool(workers) as executor:
            while running or (waiting and not suspects):
                # A pool that ends takes no more along than those that run.
                while waiting and not suspects and len(running) < workers:
                    argument = waiting.popleft()
                    try:
                        running[executor.submit(function, argument)] = argument
                    except BrokenProcessPool:
                        suspects.append(argument)
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    argument, result = running.pop(future), _result(future)
                    if isinstance(result, BrokenProcessPool):
                        suspects.append(argument)
                    else:
                        yield argument, result
        for argument in suspects:
            with _pool(1) as executor:
                yield argument, _result(executor.submit(function, argument))


def _result(future: concurrent.futures.Future) -> Any:
    """Wait for a call, and return its result or its exception."""
    error = future.exception()
    return error if isinstance(error, Exception) else future.result()
