# SPDX-License-Identifier: MIT
"""The exceptions of the package.

Every exception that reaches a user derives from `TritonXeError`. Exceptions that have a meaning to Triton derive from
Triton's class, too: the autotuner skips configurations that raise `OutOfResources`.
"""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from dataclasses import dataclass, field

from triton.errors import TritonError
from triton.runtime import errors as triton_errors

from triton_xe import knobs
from triton_xe.remark_advice import ADVICE
from triton_xe.statuses import Status


@dataclass(frozen=True)
class SourceLocation:
    """A place in a source file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"

    def snippet(self) -> str:
        """Return the source line with a caret below the column, or an empty text if the file cannot be read."""
        text = linecache.getline(self.file, self.line).rstrip("\n")
        if not text.strip():
            return ""
        stripped = text.lstrip()
        caret = max(0, self.column - 1 - (len(text) - len(stripped)))
        return f"    {stripped}\n    {' ' * min(caret, len(stripped))}^"


@dataclass(frozen=True)
class Diagnostic:
    """A message of the compiler. `locations` begins with the place itself, which the inlined calls around it follow."""

    severity: str
    message: str
    locations: tuple[SourceLocation, ...] = ()
    notes: tuple[Diagnostic, ...] = field(default=())

    @staticmethod
    def from_native(native: object) -> Diagnostic:
        """Copy a diagnostic of `_compiler`, which cannot be pickled. A remark gets a note with advice."""
        notes = tuple(Diagnostic.from_native(note) for note in native.notes)
        if native.name in ADVICE:
            notes += (Diagnostic("note", str(ADVICE[native.name])),)
        return Diagnostic(
            severity=native.severity.name.lower(),
            message=native.message,
            locations=tuple(SourceLocation(place.file, place.line, place.column) for place in native.locations),
            notes=notes,
        )

    def __str__(self) -> str:
        place = f"{self.locations[0]}: " if self.locations else ""
        lines = [f"{place}{self.severity}: {self.message}"]
        if self.locations and (snippet := self.locations[0].snippet()):
            lines.append(snippet)
        lines.extend(f"{caller}: note: called from here" for caller in self.locations[1:])
        lines.extend(str(note) for note in self.notes)
        return "\n".join(lines)


#: The message of the dialect conversion for an operation that no pattern converted.
_CONSEQUENCE = "failed to legalize operation"


class TritonXeError(TritonError):
    """Base of everything the package raises on purpose."""


def first_line(error: Exception) -> str:
    """Return the first line of an error, or its class if it has no text."""
    return next(iter(str(error).splitlines()), type(error).__name__)


class OptionError(TritonXeError, ValueError):
    """A compilation option or a target that cannot be used."""


class WarpCountError(OptionError, AssertionError):
    """A number of warps that no backend of Triton accepts; other backends fail an assertion instead."""


class CompileError(TritonXeError):
    """The kernel cannot be compiled; `diagnostics` holds what the compiler reported."""

    def __init__(self, message: str, diagnostics: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.diagnostics = tuple(
            diagnostic if isinstance(diagnostic, Diagnostic) else Diagnostic.from_native(diagnostic)
            for diagnostic in diagnostics
        )

    def __str__(self) -> str:
        shown = [diagnostic for diagnostic in self.diagnostics if diagnostic.severity != "remark"]
        # A lowering that reported why it declines is followed by an error of the conversion that nothing lowered it.
        reasons = [diagnostic for diagnostic in shown if not diagnostic.message.startswith(_CONSEQUENCE)]
        return "\n".join(map(str, reasons or shown)) or self.message

    def __reduce__(self) -> tuple:
        return (type(self), (self.message, self.diagnostics))


@dataclass(frozen=True)
class OperationReference:
    """An operation of the IR, and the line of the kernel that it comes from.

    If it comes from an inlined function, such as one of Triton's library, that is the line of the outermost call. The
    lines in the functions follow, down to the line of the operation.
    """

    name: str
    location: SourceLocation | None = None
    callees: tuple[SourceLocation, ...] = ()

    @staticmethod
    def from_native(native: object) -> OperationReference:
        """Copy a reference of `_compiler`, which has the innermost line first."""
        places = [SourceLocation(place.file, place.line, place.column) for place in reversed(native.locations)]
        return OperationReference(native.name, places[0] if places else None, tuple(places[1:]))

    def __str__(self) -> str:
        return f"`{self.name}` at {self.location}" if self.location else f"`{self.name}`"


@dataclass(frozen=True)
class SharedMemoryRequest:
    """An operation that requires shared local memory, how much, and the accesses or dots that made it necessary."""

    operation: OperationReference
    bytes: int
    causes: tuple[OperationReference, ...] = ()

    @staticmethod
    def from_native(native: object) -> SharedMemoryRequest:
        """Copy a request of `_compiler`."""
        return SharedMemoryRequest(
            OperationReference.from_native(native.operation),
            native.bytes,
            tuple(OperationReference.from_native(cause) for cause in native.causes),
        )

    def __str__(self) -> str:
        lines = [f"{self.bytes} bytes for {self.operation}"]
        place = self.operation.location
        if place and (snippet := place.snippet()):
            lines.append(snippet)
        lines.extend(f"    by way of {callee}" for callee in self.operation.callees)
        # Unrolled code requires the same thing repeatedly.
        lines.extend(f"    because of {cause}" for cause in dict.fromkeys(self.causes))
        return "\n".join(lines)


class OutOfResources(triton_errors.OutOfResources, TritonXeError):
    """The kernel needs more of a resource than the target has.

    `requests` lists the operations that require it. `advice` replaces Triton's, which is about blocks and stages.
    """

    def __init__(
        self,
        required: int,
        limit: int,
        name: str,
        requests: Sequence[SharedMemoryRequest] = (),
        advice: str = "",
    ) -> None:
        super().__init__(required, limit, name)
        self.requests = tuple(requests)
        self.advice = advice

    def __str__(self) -> str:
        text = super().__str__()
        if self.advice:
            text = (
                f"out of resource: {self.name}, Required: {self.required}, Hardware limit: {self.limit}. {self.advice}"
            )
        lines = [text]
        shown: set[tuple] = set()
        for request in dict.fromkeys(self.requests):
            described = str(request).splitlines()
            # Each line is listed once, however often it was inlined.
            place = (request.operation.location, request.operation.callees, frozenset(request.causes))
            lines.extend(described[:1] if place in shown else described)
            shown.add(place)
        return "\n".join(lines)

    def __reduce__(self) -> tuple:
        return (type(self), (self.required, self.limit, self.name, self.requests, self.advice))


class DeviceCompilerRefusal(OutOfResources):
    """The device compiler refuses a kernel that needs more of a resource than there is.

    `reported` is its text. `required` and `limit` are 0 where it does not contain them. `place` is the line of the
    kernel.
    """

    def __init__(
        self, required: int, limit: int, name: str, reported: str = "", place: SourceLocation | None = None
    ) -> None:
        super().__init__(required, limit, name)
        self.reported = reported
        self.place = place

    def at(self, place: SourceLocation | None) -> DeviceCompilerRefusal:
        """Return this error with the line of the kernel."""
        return DeviceCompilerRefusal(self.required, self.limit, self.name, self.reported, place)

    def __str__(self) -> str:
        numbers = "".join(
            f", {what}: {number}"
            for what, number in (("Required", self.required), ("Hardware limit", self.limit))
            if number
        )
        advice = "Smaller blocks, more warps, or more registers per thread (`grf_mode`) may help."
        lines = [f"out of resource: {self.name}{numbers}. {advice}"]
        if self.place:
            lines.append(f"kernel at {self.place}")
            if snippet := self.place.snippet():
                lines.append(snippet)
        return "\n".join([*lines, f"the device compiler reports: {self.reported}"])

    def __reduce__(self) -> tuple:
        return (type(self), (self.required, self.limit, self.name, self.reported, self.place))


class DeviceCompilerError(CompileError, triton_errors.PTXASError):
    """The device compiler crashes in a kernel, or does not end.

    Autotuners skip a configuration that NVIDIA's assembler, which is another part of the toolchain, does not compile.
    """


class DeviceAssertionError(TritonXeError, AssertionError, RuntimeError):
    """An assertion of a kernel (`tl.device_assert`) does not hold.

    An error while a kernel runs is a RuntimeError, as torch's own errors of devices are.
    """


class KernelCheckError(TritonXeError, RuntimeError):
    """A kernel on the CPU device broke a rule. Some rules are checked in every launch, others with `debug=True`."""


class MemoryAccessError(KernelCheckError):
    """An access outside of the memory of a launch, to shared memory that was never written, or to a surface that no 2D
    block message can have."""


class DataRaceError(KernelCheckError):
    """Two programs, or two sub-groups of a program, access the same memory without an order, and one changes it."""


class BarrierError(KernelCheckError):
    """Sub-groups of a program wait at different barriers, or for one that has ended."""


class MachineCodeError(KernelCheckError):
    """Native code uses a register that was never written, or reads or overwrites one that is still in flight."""


class VerificationError(TritonXeError):
    """A launch gave other results than without optional passes and assumptions: a bug of the compiler, or of a kernel
    that has a race. The tensors hold the results of the launch."""


class CompatibilityError(TritonXeError, AttributeError):
    """Triton or torch lacks something that this package replaces (`triton_xe.compat`), or has it in another form."""


class ToolError(TritonXeError):
    """An external tool is missing or failed."""


class FileError(ToolError):
    """A file or a folder that a tool needs cannot be read or written."""


class ProgramError(ToolError):
    """A program that a command runs cannot be started; `status` is that of a shell."""

    def __init__(self, message: str, status: Status) -> None:
        super().__init__(message)
        self.status = status

    @staticmethod
    def of(program: str, error: OSError) -> ProgramError:
        """Return the error of a program that the system does not start."""
        status = Status.NOT_FOUND if isinstance(error, FileNotFoundError) else Status.NOT_EXECUTABLE
        return ProgramError(f"cannot run `{program}`: {error.strerror}", status)

    def __reduce__(self) -> tuple:
        return (type(self), (str(self), self.status))


class ScriptError(TritonXeError):
    """A script that a command runs fails, or launches no kernel."""


class HarvestError(TritonXeError):
    """A file is no harvest file, or cannot be read."""


class DeviceError(TritonXeError, RuntimeError):
    """There is no usable device."""


class BinaryError(TritonXeError):
    """A kernel binary is damaged, or the device compiler refuses it."""


class BundleError(TritonXeError):
    """A bundle of kernels cannot be read or written, or a part of it is not as it should be."""


class ArgumentError(TritonXeError, TypeError):
    """A kernel argument has the wrong type, value or device."""


class LaunchError(TritonXeError, RuntimeError):
    """The launch geometry is not possible, or the execution failed."""


class KernelFaultError(LaunchError):
    """A kernel on the CPU device, without checks, accessed invalid memory or divided by zero."""

    def __str__(self) -> str:
        return f"{super().__str__()}\n  with `{knobs.CPU_DEBUG.name}=1` the error names the line of the kernel"


def exit_status(error: Exception) -> Status:
    """Return the status of a command that ends with an error."""
    if isinstance(error, ProgramError):
        return error.status
    unreadable = isinstance(error, HarvestError | BundleError) and isinstance(error.__cause__, OSError)
    return Status.MISUSED if unreadable or isinstance(error, OptionError | FileError | OSError) else Status.FAILED


def describe(error: Exception) -> str:
    """Return the text of an error that a command prints."""
    if isinstance(error, OSError) and error.filename:
        return f"cannot use `{error.filename}`: {error.strerror}"
    return str(error)
