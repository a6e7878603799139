# SPDX-License-Identifier: MIT
"""The command `triton-xe rank`: order an autotuner's configurations by the cycles of the simulator's timing model.

While a script runs, the benchmark of a configuration is one launch on the simulator, and its result the model's cycles.
The autotuner takes the configuration with the fewest, and the script goes on with it.

Such a launch is sampled: it runs the work-groups that the model replays, and a few more. It leaves memory as it was,
since its results are incomplete. How much memory a launch touches is known of the chosen configuration alone, which the
script then launches as a whole. All others compute the same, and are taken to need the same amount.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import dataclasses
import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from triton_xe import device_compiler, errors, target
from triton_xe.compat.changes import Changes
from triton_xe.cpu import simulator
from triton_xe.tools import arguments as script_parser
from triton_xe.tools.simulation import timing_model

_DESCRIPTION = """\
Run a script on the simulator with every configuration of its autotuned kernels, and order them by the cycles of a
timing model. No device is needed, but `ocloc` and `iga64`. The model knows the latencies of the device compiler and
the bandwidths of a data sheet; no hardware has confirmed its results."""


@dataclass(frozen=True)
class Candidate:
    """A configuration: the model's result for its launch, or why there is none."""

    config: str
    launch: timing_model.LastLaunch | None
    failure: str = ""


def _find_tensors(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the tensors of a launch's arguments, also those of tuples and of descriptors."""
    for value in values:
        if isinstance(value, tuple):
            yield from _find_tensors(value)
        elif hasattr(value, "untyped_storage"):
            yield value
        elif hasattr(value, "base"):
            yield from _find_tensors((value.base,))


class _KeptMemory:
    """The memory of all tensors of a launch, which every configuration finds as the first one did.

    There is one copy for all configurations: new memory for each would take longer than many a sampled launch. Torch
    copies by several threads, which then wait in a loop for more work, where the simulator has its own.
    """

    def __init__(self, values: Iterable[Any]) -> None:
        storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage() for tensor in _find_tensors(values)}
        self._kept = [(storage, storage.clone()) for storage in storages.values()]

    def restore(self) -> None:
        """Copy the memory back."""
        for storage, copy in self._kept:
            ctypes.memmove(storage.data_ptr(), copy.data_ptr(), copy.nbytes())


@dataclass
class Ranking:
    """The configurations of a kernel for one set of arguments."""

    name: str
    candidates: list[Candidate] = field(default_factory=list)
    #: The memory that configurations restore, until the last of them has run.
    memory: _KeptMemory | None = field(default=None, repr=False)

    def complete(self, config: str, full: timing_model.LastLaunch) -> None:
        """Take over the model's result for a whole launch of a configuration, and of memory for the others."""
        for i, each in enumerate(self.candidates):
            if each.config == config:
                self.candidates[i] = Candidate(config, full)
            elif each.launch:
                launch = dataclasses.replace(each.launch, cycles=max(each.launch.cycles, full.memory_cycles))
                self.candidates[i] = Candidate(each.config, launch)

    @property
    def ordered(self) -> list[Candidate]:
        """Return the candidates, the one with the fewest cycles first; those that do not run come last."""
        return sorted(self.candidates, key=lambda each: (each.launch is None, each.launch and each.launch.cycles))


def _measure(
    ranking: Ranking, config: object, kernel_call: Callable[[], Any], quantiles: Sequence[float] | None = None, **_: Any
) -> Any:
    """Do what a benchmarker does, with cycles in place of milliseconds."""
    try:
        kernel_call()
    except Exception as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        ranking.candidates.append(Candidate(str(config), None, reason))
        raise
    launch = timing_model.last_launch()
    ranking.candidates.append(Candidate(str(config), launch))
    cycles = float(launch.cycles)
    return cycles if quantiles is None else [cycles] * len(quantiles)


@contextlib.contextmanager
def ranking(arch: str, *, all_groups: bool = False) -> Iterator[list[Ranking]]:
    """Let autotuners measure by the model, and collect what they measure. Launches have to be modelled."""
    from triton.runtime.autotuner import Autotuner

    rankings: list[Ranking] = []

    def ranked_run(run: Callable) -> Callable:
        @functools.wraps(run)
        def run_ranked(tuner: Any, *arguments: Any, **options: Any) -> Any:
            rankings.append(Ranking(tuner.base_fn.__name__))
            # Times of another device may be on disk, and cycles do not belong there.
            kept, tuner.cache_results = tuner.cache_results, False
            try:
                result = run(tuner, *arguments, **options)
                if rankings[-1].candidates and not all_groups:
                    rankings[-1].complete(str(tuner.best_config), timing_model.last_launch())
                return result
            finally:
                tuner.cache_results = kept
                rankings[-1].memory = None
                if not rankings[-1].candidates:
                    rankings.pop()

        return run_ranked

    def ranked_bench(bench: Callable) -> Callable:
        @functools.wraps(bench)
        def bench_ranked(tuner: Any, *arguments: Any, config: Any, **options: Any) -> Any:
            # A cached property, or what the user has chosen.
            had = tuner.__dict__.get("do_bench")
            tuner.__dict__["do_bench"] = functools.partial(_measure, rankings[-1], config)
            try:
                if all_groups:
                    return bench(tuner, *arguments, config=config, **options)
                if rankings[-1].memory is None:
                    rankings[-1].memory = _KeptMemory((*arguments, *options.values()))
                try:
                    with timing_model.modelling(arch, sampled=True):
                        return bench(tuner, *arguments, config=config, **options)
                finally:
                    rankings[-1].memory.restore()
            finally:
                del tuner.__dict__["do_bench"]
                if had is not None:
                    tuner.__dict__["do_bench"] = had

        return bench_ranked

    changes = Changes()
    try:
        changes.replace(Autotuner, "run", ranked_run)
        changes.replace(Autotuner, "_bench", ranked_bench)
        yield rankings
    finally:
        changes.undo()


def render(ranked: Ranking, arch: str) -> str:
    """Return a ranking as text."""
    ordered = ranked.ordered
    width = max(len(each.config) for each in ordered)
    lines = [
        f"{ranked.name} for {arch}: cycles of the timing model (docs/Simulator.md), fewest first",
        f"{'configuration':<{width}} {'model':>10} {'ratio':>6} {'threads':>8} {'spills':>7}  stalls",
    ]
    for each in ordered:
        launch = each.launch
        if launch is None:
            lines.append(f"{each.config:<{width}} {'-':>10} {'-':>6} {'-':>8} {'-':>7}  {each.failure}")
            continue
        best = ordered[0].launch.cycles if ordered[0].launch else launch.cycles
        threads = f"{launch.threads}/{launch.most_threads}"
        lines.append(
            f"{each.config:<{width}} {launch.cycles:>10} {launch.cycles / best:>6.2f} {threads:>8} "
            f"{launch.spills:>7}  {launch.total.describe(2)}"
        )
    return "\n".join(lines)


def rank_command(arguments: argparse.Namespace) -> int:
    """Print the rankings of all autotuned kernels that a script launches."""
    from triton_xe.tools.report import launched

    architecture = target.resolve(arguments.target)
    arguments.script.check()
    device_compiler.require()
    simulator.take_over(architecture.name)
    with (
        timing_model.modelling(architecture.name),
        ranking(architecture.name, all_groups=arguments.all_groups) as rankings,
    ):
        launched.run(arguments.script)
    chosen = [each for each in rankings if arguments.kernel_name in (None, each.name)]
    if not chosen:
        raise errors.ScriptError(f"`{arguments.script.name}` tunes no kernel with several configurations")
    print("\n\n".join(render(each, architecture.name) for each in chosen))
    return 0


def add_parser(commands: Any) -> None:
    """Add the command to those of `triton-xe`."""
    parser = commands.add_parser(
        "rank", help="order an autotuner's configurations by a timing model", description=_DESCRIPTION
    )
    parser.add_argument(
        "--target", "-t", default=target.DEFAULT, help="a chip or a product whose figures are published"
    )
    parser.add_argument("--kernel-name", "-n", metavar="NAME", help="only this kernel")
    parser.add_argument(
        "--all-groups", action="store_true", help="run all work-groups of each configuration, not a sample of them"
    )
    script_parser.take_script(parser)
    parser.set_defaults(run=rank_command)
