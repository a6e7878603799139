# SPDX-License-Identifier: MIT
"""The common interface of the kernels in this package.

A case is a function that makes inputs, launches kernels through a `Session` and returns results with their
references. The same function serves every tool: with a running session it computes numbers, with a recording one it
only records which kernels it would launch with which arguments, from which an ahead-of-time compilation is derived.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import torch
from numerics import poisoned
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton.experimental.gluon._runtime import GluonASTSource, GluonJITFunction
from triton.runtime.jit import JITFunction, create_function_from_signature

from kernel_suite.declaration import AS_WRITTEN, Declaration

#: Largest relative error of a result that was rounded to a type after computation in float32.
TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2, torch.float16: 2e-3}

PVC = GPUTarget("xpu", "pvc", 16)

#: Bytes before and after every buffer. A multiple of the 64 bytes to which 2D block messages want their base.
GUARD_BYTES = 256
#: The bytes of the guards around outputs: as a float of any width it is a number that no kernel computes.
GUARD_PATTERN = 0xD9


class Result(NamedTuple):
    """A tensor that a kernel wrote, what it should hold, and the largest relative error (0 means equal)."""

    actual: torch.Tensor
    expected: torch.Tensor
    tolerance: float


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel."""

    kernel: JITFunction
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    #: Compile-time arguments and options.
    keywords: dict[str, Any]
    #: Keeps tensors alive whose addresses are elements of other tensors.
    session: Session | None = field(default=None, compare=False, repr=False)

    def run(self) -> Any:
        """Launch on the device of the arguments; returns the compiled kernel."""
        return self.kernel[self.grid](*self.arguments, **self.keywords)

    def source(self, target: GPUTarget = PVC, **options: Any) -> tuple[ASTSource, dict[str, Any]]:
        """Return what `triton.compile` takes: the source with signature, constants and attributes, and the options."""
        backend = make_backend(target)
        binder = create_function_from_signature(self.kernel.signature, self.kernel.params, backend)
        keywords = self.keywords | options
        bound, specialization, extra = binder(*self.arguments, **keywords)
        _, signature, constants, attributes = self.kernel._pack_args(backend, extra, bound, specialization, extra)
        # Kernels in Gluon have a separate source.
        make = GluonASTSource if isinstance(self.kernel, GluonJITFunction) else ASTSource
        return make(self.kernel, signature, constants, attributes), extra


@dataclass
class Session:
    """Makes the tensors of a case and launches (or, when `recording`, only notes) its kernels."""

    device: str = "cpu"
    seed: int = 0
    #: Options of all launches; they win over those that the case requests.
    options: dict[str, Any] = field(default_factory=dict)
    recording: bool = False
    #: The way in which kernels declare their integers.
    declaration: Declaration = AS_WRITTEN
    launches: list[Launch] = field(default_factory=list)
    #: The compiled kernel of each launch; none when recording.
    compiled: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._generator = torch.Generator().manual_seed(self.seed)
        self._guarded: list[tuple[torch.Tensor, torch.Tensor]] = []
        self._inputs: list[tuple[torch.Tensor, torch.Tensor]] = []

    def _allocate(self, shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        """Return an uninitialised tensor between two guards."""
        count = 1
        for size in shape:
            count *= size
        size = count * dtype.itemsize
        storage = torch.full((GUARD_BYTES + size + GUARD_BYTES,), GUARD_PATTERN, dtype=torch.uint8, device=self.device)
        for guard in (storage[:GUARD_BYTES], storage[GUARD_BYTES + size :]):
            self._guarded.append((guard, guard.clone()))
        return storage[GUARD_BYTES : GUARD_BYTES + size].view(dtype).view(tuple(shape))

    def input(self, value: torch.Tensor) -> torch.Tensor:
        """Return a guarded copy on the device that no kernel may change."""
        tensor = self._allocate(value.shape, value.dtype)
        tensor.copy_(value)
        self._inputs.append((tensor, tensor.clone()))
        return tensor

    def randn(self, shape: Sequence[int], dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
        """Return normally distributed input."""
        return self.input((torch.randn(tuple(shape), generator=self._generator) * scale).to(dtype))

    def randint(self, low: int, high: int, shape: Sequence[int], dtype: torch.dtype = torch.int32) -> torch.Tensor:
        """Return integer input in [low, high)."""
        return self.input(torch.randint(low, high, tuple(shape), generator=self._generator).to(dtype))

    def permutation(self, count: int, dtype: torch.dtype = torch.int32) -> torch.Tensor:
        """Return the numbers below `count` in random order."""
        return self.input(torch.randperm(count, generator=self._generator).to(dtype))

    def output(self, shape: Sequence[int], dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return a guarded tensor of values that no kernel computes."""
        return self.initialised(poisoned(tuple(shape), dtype))

    def initialised(self, value: torch.Tensor) -> torch.Tensor:
        """Return a guarded tensor with a start value, which kernels may change."""
        tensor = self._allocate(value.shape, value.dtype)
        tensor.copy_(value)
        return tensor

    def zeros(self, shape: Sequence[int], dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Return a guarded tensor of zeros: accumulators and locks."""
        return self.initialised(torch.zeros(tuple(shape), dtype=dtype))

    def launch(self, kernel: JITFunction, grid: Sequence[int], *arguments: Any, **keywords: Any) -> None:
        """Launch a kernel."""
        kernel, arguments = self.declaration.apply(kernel, arguments)
        launch = Launch(kernel, tuple(grid), arguments, keywords | self.options, self)
        self.launches.append(launch)
        if not self.recording:
            self.compiled.append(launch.run())

    def check_untouched(self) -> None:
        """Fail when a kernel wrote around a buffer or into an input."""
        for index, (guard, before) in enumerate(self._guarded):
            assert torch.equal(guard, before), f"{'after' if index % 2 else 'before'} buffer {index // 2}"
        for index, (tensor, before) in enumerate(self._inputs):
            assert torch.equal(tensor.view(torch.uint8), before.view(torch.uint8)), f"input {index} was changed"


@dataclass(frozen=True)
class KernelCase:
    """A kernel (or a few that belong together) with a small problem."""

    name: str
    body: Callable[[Session], list[Result]]
    #: Values that are worth testing; the first is the usual one.
    num_warps: tuple[int, ...]
    #: Takes long: left out of a default selection.
    full: bool
    #: Native code for PVC has messages to scratch memory with the usual number of warps, which is to be improved.
    spills: bool

    def __str__(self) -> str:
        return self.name

    def run(
        self, device: str = "cpu", seed: int = 0, declaration: Declaration = AS_WRITTEN, **options: Any
    ) -> list[Result]:
        """Launch everything on fresh random inputs and check that nothing was written where it should not be."""
        return self.run_in(Session(device, seed, {"num_warps": self.num_warps[0]} | options, declaration=declaration))

    def run_in(self, session: Session) -> list[Result]:
        """Do the same in a session, which then has the compiled kernels."""
        results = self.body(session)
        session.check_untouched()
        return results

    def launches(self, seed: int = 0, **options: Any) -> list[Launch]:
        """Return what `run` would launch; nothing is compiled and nothing runs."""
        session = Session("cpu", seed, {"num_warps": self.num_warps[0]} | options, recording=True)
        self.body(session)
        return session.launches

    @property
    def kernels(self) -> tuple[JITFunction, ...]:
        """Return the kernels that it launches, each once."""
        return tuple({id(launch.kernel): launch.kernel for launch in self.launches()}.values())

    def sources(self, target: GPUTarget = PVC, **options: Any) -> list[tuple[ASTSource, dict[str, Any]]]:
        """Return one source, with its options, per different kernel: the arguments of `triton.compile`."""
        unique = {}
        for launch in self.launches(**options):
            source, final = launch.source(target)
            unique.setdefault((source.hash(), str(sorted(final.items()))), (source, final))
        return list(unique.values())


#: Every case of the package, in the order of its definition.
CASES: dict[str, KernelCase] = {}


def kernel_case(
    *, num_warps: tuple[int, ...] = (4, 1), full: bool = False, spills: bool = False, **variants: Sequence[Any]
) -> Callable:
    """Register the decorated function as a case; with `variants`, one case per combination of their values.

    A variant is passed to the function as a keyword and shows in the name of the case.
    """

    def register(body: Callable) -> Callable:
        combinations: list[dict[str, Any]] = [{}]
        for name, values in variants.items():
            combinations = [done | {name: value} for done in combinations for value in values]
        topic = body.__module__.rpartition(".")[2]
        for chosen in combinations:
            suffix = "".join(f"-{name}_{_text(value)}" for name, value in chosen.items())
            name = f"{topic}/{body.__name__}{suffix}"
            assert name not in CASES, name
            bound = body if not chosen else (lambda session, chosen=chosen: body(session, **chosen))
            CASES[name] = KernelCase(name, bound, num_warps, full, spills)
        return body

    return register


def _text(value: Any) -> str:
    return str(value).removeprefix("torch.")
