# SPDX-License-Identifier: MIT
"""Run jobs in parallel: in processes of this machine, or on the workers of a Dask cluster.

Both are executors of `concurrent.futures`. A job that ends its process, by a crash of the compiler or for want of
memory, takes the other jobs of a pool along. They run again, each in a process that no other job shares, which tells
which one it was.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from triton_xe import errors

Argument = TypeVar("Argument")
Result = TypeVar("Result")

LOCAL = "local"
_DASK = "dask:"


def _pool(workers: int) -> concurrent.futures.ProcessPoolExecutor:
    # A process that forks while the compiler has threads may wait for one of them forever.
    return concurrent.futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


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

    An exception is the result of a call that raised it, or that ended its process twice. Raises ToolError if the
    engine cannot be had.
    """
    check(engine)
    left = list(arguments)
    if engine != LOCAL:
        with _cluster(engine.removeprefix(_DASK)) as executor:
            yield from _results(executor, function, left)
        return
    broken = []
    with _pool(workers) as executor:
        for argument, result in _results(executor, function, left):
            if isinstance(result, BrokenProcessPool):
                broken.append(argument)
            else:
                yield argument, result
    for argument in broken:
        with _pool(1) as executor:
            yield from _results(executor, function, [argument])


def _results(
    executor: concurrent.futures.Executor, function: Callable[[Argument], Result], arguments: list[Argument]
) -> Iterator[tuple[Argument, Result | Exception]]:
    futures: dict[concurrent.futures.Future, Argument] = {}
    try:
        for argument in arguments:
            futures[executor.submit(function, argument)] = argument
    except BrokenProcessPool as error:
        yield from ((argument, error) for argument in arguments[len(futures) :])
    for future in concurrent.futures.as_completed(futures):
        # Results have files in them, and are not kept longer than needed.
        argument = futures.pop(future)
        error = future.exception()
        yield argument, error if isinstance(error, Exception) else future.result()
