# SPDX-License-Identifier: MIT
"""Verify launches: run the reference on copies of the tensors, then the launch itself, and compare.

Every launch of the CPU device passes through the function that `with_verification` returns, whatever code makes it:
Triton, its autotuner, or Inductor.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from triton.errors import TritonError

from triton_xe import errors, launching, timing
from triton_xe.tools.verify import blame, builds, comparison, reproducer
from triton_xe.tools.verify.memory import Snapshot, UnverifiableError

#: Arguments of a launcher before the kernel's own, and the place of the hooks among them.
_FIRST_ARGUMENT = 9


@dataclass
class Record:
    """The results of verifying a kernel, all its configurations together. Times are in seconds."""

    name: str
    launches: int = 0
    verified: int = 0
    differences: int = 0
    optimized: float = 0.0
    reference: float = 0.0
    #: The reasons why launches were not verified, with their number.
    reasons: dict[str, int] = field(default_factory=dict)

    def leave_out(self, reason: str) -> None:
        """Count a launch that was not verified."""
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


@dataclass
class Session:
    """Collects what happens, instead of raising errors.

    The first difference of each compiled kernel is examined and printed, others are counted.
    """

    #: The folder of reproducers; None means a new folder below that for temporary files.
    folder: Path | None = None
    records: dict[str, Record] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)

    @property
    def differences(self) -> int:
        """Return the number of launches that differed."""
        return sum(record.differences for record in self.records.values())

    def record(self, name: str) -> Record:
        """Return the record of a kernel."""
        return self.records.setdefault(name, Record(name))


_session: Session | None = None
_lock = threading.Lock()


@contextlib.contextmanager
def collecting(folder: Path | None = None) -> Iterator[Session]:
    """Let verified launches of this process collect their differences in a session, and raise no errors."""
    global _session
    before, _session = _session, Session(folder)
    try:
        yield _session
    finally:
        _session = before


def with_verification(
    launch: Callable[..., None], source: Any, metadata: Any, on_simulator: bool = False
) -> Callable[..., None]:
    """Return a launcher that does what `launch` does, and verifies it, with a reference on the simulator if wanted."""
    verifier = _Verifier(launch, source, metadata, on_simulator)

    @functools.wraps(launch)
    def launch_verified(*arguments: Any) -> None:
        verifier.launch(arguments)

    return launch_verified


class _Verifier:
    """The verification of one compiled kernel."""

    def __init__(self, launch: Callable[..., None], source: Any, metadata: Any, on_simulator: bool) -> None:
        self._on_simulator = on_simulator
        self._plain = launch
        self._source = source
        self._metadata = metadata
        self._name = metadata.name
        #: Made in the first launch: the kernel, or why there is none.
        self._subject: builds.Subject | UnverifiableError | None = None

    def launch(self, arguments: Sequence[Any]) -> None:
        """Do the launch, and verify it. Raises what the launch raises, and VerificationError without a session."""
        # Whatever else happened would count.
        if timing.is_timing() or 0 in arguments[:3]:
            return self._plain(*arguments)
        session = _session
        record = (session or Session()).record(self._name)
        record.launches += 1
        try:
            subject = self._find_subject()
            off = subject.reference()
            snapshot = Snapshot.of(subject.signature, subject.names, arguments[_FIRST_ARGUMENT:])
            call = builds.Call(tuple(arguments[:3]), arguments[3])
            reference = subject.run(off, call, snapshot.arguments, snapshot.before)
        except UnverifiableError as reason:
            record.leave_out(str(reason))
            return self._plain(*arguments)
        started, compiled = time.perf_counter(), launching.variant_seconds()
        try:
            self._plain(*arguments)
        except TritonError as error:
            alone = "" if reference.error else ", which the reference did not"
            record.leave_out(f"the launch raised {type(error).__name__}{alone}: {errors.first_line(error)}")
            raise
        record.optimized += time.perf_counter() - started - (launching.variant_seconds() - compiled)
        record.reference += reference.seconds
        investigation = blame.Investigation(subject, call, snapshot, reference)
        difference = None if reference.error else investigation.compare(snapshot.live())
        if difference is None and reference.error is None:
            record.verified += 1
            return None
        return self._examine(investigation, difference, record, session)

    def _find_subject(self) -> builds.Subject:
        with _lock:
            if self._subject is None:
                try:
                    self._subject = builds.of_kernel(self._source, self._metadata, self._on_simulator)
                except UnverifiableError as reason:
                    self._subject = reason
        if isinstance(self._subject, UnverifiableError):
            raise UnverifiableError(str(self._subject))
        return self._subject

    def _examine(
        self,
        investigation: blame.Investigation,
        difference: comparison.Difference | None,
        record: Record,
        session: Session | None,
    ) -> None:
        """Report what a difference comes from. Raises VerificationError without a session."""
        if not investigation.is_stable():
            record.leave_out("its results differ from run to run, also those of the reference")
            return
        record.verified += 1
        record.differences += 1
        if session is not None:
            if id(self) in session.seen:
                return
            session.seen.add(id(self))
        text = self._describe(investigation, difference, session.folder if session else None)
        if session is None:
            raise errors.VerificationError(text)
        print(text, file=sys.stderr)

    def _describe(
        self, investigation: blame.Investigation, difference: comparison.Difference | None, folder: Path | None
    ) -> str:
        """Return the report of a difference, and write the reproducer."""
        subject = investigation.subject
        blamed = investigation.to_blame()
        line = investigation.writer(difference) if difference else subject.text.definition
        head = f"{line}: " if line else ""
        lines = [f"{head}kernel `{self._name}` gives other results than without optional passes and assumptions"]
        if line and (snippet := line.snippet()):
            lines.append(snippet)
        if difference:
            lines.append(f"  {difference}")
        else:
            lines.append(f"  the reference alone raises {builds.error_line(investigation.reference.error)}")
        if blamed is None:
            lines.append("  to blame: not known, as the optimized kernel does not do this again")
        else:
            lines.append(f"  to blame: {', '.join(map(str, blamed))}, without which there is no difference")
            lines.extend(
                f"    rewrite {number} of `{culprit.switch}` is about {place}"
                for culprit in blamed
                for number, place in culprit.rewrites.items()
                if place
            )
        lines.append(f"  the launch: {self._describe_launch(investigation)}")
        try:
            path = reproducer.write(investigation, blamed, lines, self._name, folder)
            lines.append(f"  this shows it again: python {path}")
        except OSError as error:
            lines.append(f"  what shows it again cannot be saved: {error}")
        return "\n".join(lines)

    def _describe_launch(self, investigation: blame.Investigation) -> str:
        subject = investigation.subject
        grid = ", ".join(map(str, investigation.call.grid))
        constants = [
            f"{name}={described.value!r}"
            for name, kind, described in zip(
                subject.names, subject.signature, investigation.snapshot.arguments, strict=True
            )
            if kind == "constexpr"
        ]
        options = [f"num_warps={self._metadata.num_warps}", f"num_stages={self._metadata.num_stages}"]
        return ", ".join([f"grid=({grid})", *options, *constants])
