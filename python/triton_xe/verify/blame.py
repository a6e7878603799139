# SPDX-License-Identifier: MIT
"""Find what a difference comes from: passes and assumptions without which it goes away, and the line of the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from triton_xe import errors
from triton_xe.verify import comparison
from triton_xe.verify.builds import Call, Outcome, Subject
from triton_xe.verify.kernel_text import Store
from triton_xe.verify.memory import Snapshot, UnverifiableError

if TYPE_CHECKING:
    import torch

#: As many stores are left out one by one to find the one that wrote an element; each is a compilation.
MAX_STORES = 16


def smallest(everything: Sequence[str], is_good: Callable[[frozenset[str]], bool]) -> tuple[str, ...]:
    """Return a set of names that is good, as is `everything`, and of which no name can be left out.

    This is delta debugging: parts of the set, then all but one part, in ever smaller parts.
    """
    names, parts = list(everything), 2
    known: dict[frozenset[str], bool] = {}

    def good(some: Sequence[str]) -> bool:
        key = frozenset(some)
        if key not in known:
            known[key] = is_good(key)
        return known[key]

    while len(names) > 1:
        size = -(-len(names) // parts)
        chunks = [names[start : start + size] for start in range(0, len(names), size)]
        others = [[name for name in names if name not in chunk] for chunk in chunks] if len(chunks) > 2 else []
        found = next(filter(good, (*chunks, *others)), None)
        if found is not None:
            parts = 2 if found in chunks else max(2, parts - 1)
            names = found
        elif parts >= len(names):
            break
        else:
            parts = min(len(names), 2 * parts)
    return tuple(names)


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
        """Whether a run is as the reference: without a difference, or with the same kind of error."""
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

    def is_stable(self, runs: int = 2) -> bool:
        """Whether the reference gives the same results when it runs again."""
        return all(self.agrees(self.run(self.subject.reference())) for _ in range(runs))

    def to_blame(self) -> tuple[str, ...] | None:
        """Return the smallest set found of passes and assumptions without which there is no difference.

        None if the optimized kernel does not show the difference again.
        """

        def is_good(off: frozenset[str]) -> bool:
            try:
                return self.agrees(self.run(off))
            except UnverifiableError:
                return False

        if is_good(frozenset()):
            return None
        return smallest(sorted(self.subject.reference(), key=self.subject.switches.index), is_good)

    def writer(self, difference: comparison.Difference) -> errors.SourceLocation | None:
        """Return the line of the store that wrote the first differing element; that of the kernel if nobody knows."""
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
        """Whether the byte that differs has another value without this store, in the reference or in optimized code."""
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
