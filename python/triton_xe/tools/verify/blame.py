# SPDX-License-Identifier: MIT
"""Find what a difference comes from: passes and assumptions without which it goes away, and the line of the store."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar

from triton_xe import errors
from triton_xe.tools.verify import comparison
from triton_xe.tools.verify.builds import Call, Outcome, Subject
from triton_xe.tools.verify.kernel_text import Store
from triton_xe.tools.verify.memory import Snapshot, UnverifiableError

if TYPE_CHECKING:
    import torch

_Item = TypeVar("_Item", bound=Hashable)

#: The number of stores that are left out one by one to find the one that wrote an element; each is a compilation.
MAX_STORES = 16


def smallest(everything: Sequence[_Item], is_good: Callable[[frozenset[_Item]], bool]) -> tuple[_Item, ...]:
    """Return a set of items that is good, as is `everything`, and of which no item can be left out.

    This is delta debugging: parts of the set, then all but one part, in ever smaller parts.
    """
    items, parts = list(everything), 2
    known: dict[frozenset[_Item], bool] = {}

    def good(some: Sequence[_Item]) -> bool:
        key = frozenset(some)
        if key not in known:
            known[key] = is_good(key)
        return known[key]

    while len(items) > 1:
        size = -(-len(items) // parts)
        starts = range(0, len(items), size)
        chunks = [items[start : start + size] for start in starts]
        others = [items[:start] + items[start + size :] for start in starts] if len(chunks) > 2 else []
        found = next(filter(good, (*chunks, *others)), None)
        if found is not None:
            parts = 2 if found in chunks else max(2, parts - 1)
            items = found
        elif parts >= len(items):
            break
        else:
            parts = min(len(items), 2 * parts)
    return tuple(items)


@dataclasses.dataclass(frozen=True)
class Culprit:
    """A switch that has to be off, in addition to others, for a difference to go away.

    `switch` is the name of a pass or an option. `rewrites` has the numbers of the rewrites of the pass that have to be
    left out, and the lines that they are about; it is empty if the whole switch has to be off.
    """

    switch: str
    rewrites: dict[int, errors.SourceLocation | None] = dataclasses.field(default_factory=dict)

    @property
    def off(self) -> tuple[str, ...]:
        """Return the switch or parts of it, as `Subject.build` takes them."""
        return left_out(self.switch, self.rewrites) if self.rewrites else (self.switch,)

    def __str__(self) -> str:
        if not self.rewrites:
            return f"`{self.switch}`"
        numbers = ", ".join(entry.partition(":")[2] for entry in self.off)
        return f"rewrite{'s' if len(self.rewrites) > 1 else ''} {numbers} of `{self.switch}`"


def left_out(name: str, numbers: Iterable[int]) -> tuple[str, ...]:
    """Return entries of the option `skip_passes` for these rewrites of a pass."""
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return tuple(f"{name}:{first}" if first == last else f"{name}:{first}-{last}" for first, last in ranges)


class Investigation:
    """A difference between the optimized kernel and the reference, in copies of the memory of the launch."""

    def __init__(self, subject: Subject, call: Call, snapshot: Snapshot, reference: Outcome) -> None:
        self.subject = subject
        self.call = call
        self.snapshot = snapshot
        self.reference = reference

    def run(self, off: frozenset[str], text: str = "") -> Outcome:
        """Run once more from what was in memory before the launch."""
        return self.subject.run(off, self.call, self.snapshot.arguments, self.snapshot.before, text)

    def agrees(self, outcome: Outcome) -> bool:
        """Return whether a run is as the reference: without a difference, or with the same kind of error."""
        if outcome.error or self.reference.error:
            return type(outcome.error) is type(self.reference.error)
        return self.compare(outcome.memory.regions) is None

    def compare(self, regions: list[torch.Tensor]) -> comparison.Difference | None:
        """Compare what a run left in memory with the reference."""
        return comparison.find(
            self.subject.text,
            self.snapshot.tensors(),
            self.snapshot.before.regions,
            regions,
            self.reference.memory.regions,
        )

    def is_stable(self, runs: int = 6) -> bool:
        """Return whether the reference gives the same results when it runs again.

        On a busy machine, threads may take programs in the same order several times.
        """
        return all(self.agrees(self.run(self.subject.reference())) for _ in range(runs))

    def to_blame(self) -> tuple[Culprit, ...] | None:
        """Return the smallest set found of passes and assumptions without which there is no difference.

        None if the optimized kernel does not show the difference again.
        """
        if self._is_good(()):
            return None
        switches = sorted(self.subject.reference(), key=self.subject.switches.index)
        culprits = [Culprit(name) for name in smallest(switches, self._is_good)]
        for i, culprit in enumerate(culprits):
            others = [name for other in culprits[:i] + culprits[i + 1 :] for name in other.off]
            culprits[i] = self._refine(culprit.switch, others)
        return tuple(culprits)

    def _is_good(self, off: Collection[str]) -> bool:
        """Return whether there is no difference if these are off."""
        try:
            return self.agrees(self.run(frozenset(off)))
        except UnverifiableError:
            return False

    def _refine(self, switch: str, others: Sequence[str]) -> Culprit:
        """Find the rewrites of a pass that have to be left out while `others` are off; all of it if there are none."""

        def is_good(numbers: Collection[int]) -> bool:
            return self._is_good((*others, *left_out(switch, numbers)))

        rewrites = self.subject.rewrites(switch, others)
        if not rewrites or not is_good(rewrites):
            return Culprit(switch)
        return Culprit(switch, {number: rewrites[number] for number in smallest(sorted(rewrites), is_good)})

    def writer(self, difference: comparison.Difference) -> errors.SourceLocation | None:
        """Return the line of the store that wrote the first differing element; that of the kernel if it is unknown."""
        argument = difference.name.partition("[")[0]
        stores = self.subject.text.stores
        candidates = [store for store in stores if store.argument in (argument, difference.name)]
        candidates = candidates or [store for store in stores if not store.argument]
        if len(candidates) > 1:
            tried = [store for store in candidates if store.is_removable][-MAX_STORES:]
            candidates = [store for store in reversed(tried) if self._wrote(store, difference)]
        if candidates and candidates[0].location:
            return candidates[0].location
        return self.subject.text.definition

    def _wrote(self, store: Store, difference: comparison.Difference) -> bool:
        """Return whether the byte that differs has another value without this store, in the reference or optimized."""
        if self.reference.error:
            return False
        # Operations that print have lines, too.
        text = self.subject.text.without(store)
        text = type(self.subject.text)(text).silent
        for off in (self.subject.reference(), frozenset()):
            try:
                outcome = self.run(off, text)
                complete = self.reference if off else self.run(off)
            except UnverifiableError:
                continue
            if outcome.error or complete.error:
                continue
            with_store, without = (each.memory.regions[difference.region] for each in (complete, outcome))
            if with_store[difference.byte] != without[difference.byte]:
                return True
        return False
