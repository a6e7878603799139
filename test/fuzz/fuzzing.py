# SPDX-License-Identifier: MIT
"""Draws programs, runs them in a pool, and shrinks those that fail."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import findings
from .generate import generate
from .pool import Outcome, Pool, report_progress
from .programs import Program
from .run import Failure, run_alone
from .shrink import shrink


@dataclass
class Summary:
    """Counts what a run did, and holds its findings."""

    programs: int = 0
    launches: int = 0
    #: Mutations by kind, and how many of them were accepted.
    mutations: Counter = field(default_factory=Counter)
    features: Counter = field(default_factory=Counter)
    outcomes: Counter = field(default_factory=Counter)
    findings: list[findings.Finding] = field(default_factory=list)


@dataclass(frozen=True)
class Drawn:
    """The program that a worker drew from a seed, and its failure; none of a program without a defined launch."""

    program: Program | None
    failure: Failure | None


def draw_and_run(seed: int, options: dict, launches: int) -> Drawn:
    """Return, in a worker, the program of the seed with its first launches, and its failure."""
    program = generate(seed)
    program = program and replace(program, launches=program.launches[:launches])
    return Drawn(program, run_alone(program, options) if program else None)


def failure_of(outcome: Outcome) -> Failure | None:
    """Returns the failure of a task that ran a program; none if the program is right."""
    if outcome.kind != "done":
        return Failure(outcome.kind, str(outcome.result))
    return outcome.result


def fails_like(pool: Pool, failure: Failure, options: dict) -> Callable[[Program], bool]:
    """Returns a function that returns whether a program fails with the same signature."""

    def fails(program: Program) -> bool:
        found = failure_of(pool.run(run_alone, program, options, timeout=60))
        return found is not None and found.signature == failure.signature

    return fails


def seeds(first: int, count: int | None, end: float) -> Iterator[int]:
    """Yield numbers from the first one on, until there are `count` or time has come."""
    number = first
    while (count is None or number < first + count) and time.monotonic() < end:
        yield number
        number += 1


def fuzz_programs(
    pool: Pool, first: int, count: int | None, end: float, folder: Path, summary: Summary, shrink_seconds: float = 120,
    options: dict | None = None, launches: int = 5,
) -> None:  # fmt: skip
    """Programs of the seeds from `first` on; each failure of a new kind is shrunk and written to the folder."""
    options = options or {}
    failed: list[tuple[int, Program, Failure]] = []
    known: Counter = Counter()
    started = time.monotonic()
    for (seed, *_), outcome in pool.map(draw_and_run, ((n, options, launches) for n in seeds(first, count, end))):
        if outcome.kind == "done":
            program, failure = outcome.result.program, outcome.result.failure
        else:
            program, failure = generate(seed), failure_of(outcome)
        if program is None:
            summary.outcomes["no defined launch"] += 1
            continue
        summary.programs += 1
        summary.launches += len(program.launches)
        summary.features.update(program.features())
        summary.outcomes[failure.kind if failure else "right"] += 1
        if failure:
            known[failure.signature] += 1
            failed.append((seed, program, failure))
        report_progress(
            f"programs {summary.programs}, launches {summary.launches}, failures {len(failed)}, seed {seed}, "
            f"{time.monotonic() - started:.0f} s"
        )
    done: Counter = Counter()
    for seed, program, failure in failed:
        # Wrong numbers may have many reasons, an error message mostly one.
        if done[failure.signature] >= (6 if failure.kind in ("wrong", "crash") else 1):
            continue
        done[failure.signature] += 1
        report_progress(f"shrinking the program of seed {seed}: {failure.signature}")
        summary.findings.append(shrink_and_write(pool, seed, program, failure, folder, shrink_seconds, options))
    report_progress("")


def shrink_and_write(
    pool: Pool, seed: int, program: Program, failure: Failure, folder: Path, seconds: float, options: dict
) -> findings.Finding:
    """Return the finding, with a small program."""
    if failure.kind == "wrong":
        program = replace(program, launches=(program.launches[failure.launch],))
        alone = failure_of(pool.run(run_alone, program, options))
        if alone is None or alone.signature != failure.signature:
            # It takes the launches before it.
            program = generate(seed)
    small, _ = shrink(program, fails_like(pool, failure, options), seconds)
    last = failure_of(pool.run(run_alone, small, options)) or failure
    try:
        text = findings.script(small, last, seed)
    except Exception as error:
        text = f"# {error!r}\n# {last.message}\n{small!r}\n"
    path = findings.write(folder, f"program_{seed}.py", text)
    return findings.Finding(failure.signature, seed, last.message, path)
