# SPDX-License-Identifier: MIT
"""The simulator as a device: native code of an Intel GPU, executed instruction by instruction on this processor.

The device compiler makes the code, `iga64` of the same packages disassembles it, and `_simulator` runs it.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from triton_xe import errors, knobs, target

#: The machine of a zebin's ELF header.
_INTEL_GT = 205


def is_zebin(binary: bytes) -> bool:
    """Return whether a binary is native code of a GPU."""
    return binary[:4] == b"\x7fELF" and int.from_bytes(binary[18:20], "little") == _INTEL_GT


class Device:
    """The interface of a device that the driver requires. Memory is that of the process."""

    is_cpu = True

    def __init__(self) -> None:
        # Loads LLVM, for its readers of ELF, YAML and JSON.
        from triton_xe import _simulator

        self._module = _simulator
        self.name = "Simulator of Xe"

    @property
    def compute_units(self) -> int:
        """Return the number of threads that run work-groups."""
        return self._module.processor_count()

    @property
    def max_work_group_size(self) -> int:
        """Return the number of work-items of the largest work-group of the architecture that is the default."""
        return target.resolve(target.DEFAULT).max_work_group_size

    @property
    def sub_group_sizes(self) -> list[int]:
        """Return the numbers of lanes that a sub-group may have."""
        return list(target.resolve(target.DEFAULT).sub_group_sizes)

    def load_kernel(self, binary: bytes, name: str) -> Any:
        """Disassemble and load a kernel of a zebin. Raises what `_simulator.load_kernel` and `iga64` do."""
        from triton_xe import native

        platform, code = self._module.find_code(binary, name)
        return self._module.load_kernel(binary, name, native.describe_code(code, platform))


def stand_for(arch: str) -> None:
    """Let all kernels of this process, and of those that it starts, run on the CPU device in the place of a chip."""
    knobs.DEFAULT_BACKEND.set("cpu")
    knobs.CPU_ARCHITECTURE.set(arch)


def take_over(arch: str) -> None:
    """Let all kernels of this process run on the simulator, as code of a chip, whatever else could run them."""
    stand_for(arch)
    knobs.CPU_RUNTIME.set("simulator")


@dataclass(frozen=True)
class Executed:
    """Counts of how often launches executed an instruction, or several; all sub-groups together."""

    executions: int = 0
    lanes: int = 0
    #: Bytes of memory and lines of 64 bytes that messages touched.
    bytes: int = 0
    cache_lines: int = 0
    #: Accesses to shared local memory that waited for another one to the same bank.
    bank_conflicts: int = 0

    def __add__(self, other: Executed) -> Executed:
        return Executed(
            self.executions + other.executions,
            self.lanes + other.lanes,
            self.bytes + other.bytes,
            self.cache_lines + other.cache_lines,
            self.bank_conflicts + other.bank_conflicts,
        )


@dataclass
class Total:
    """Counts of all launches together while they counted; they are available when counting has ended."""

    executed: Executed = Executed()


@contextlib.contextmanager
def counting() -> Iterator[Total]:
    """Let launches on the simulator count what they execute, in all and by instruction (see `executed`)."""
    from triton_xe import _simulator

    total = Total()
    before = _simulator.total_counts()
    was_on = _simulator.count_instructions(True)
    try:
        yield total
    finally:
        _simulator.count_instructions(was_on)
        after = _simulator.total_counts()
        total.executed = Executed(*(end - begin for begin, end in zip(before, after, strict=True)))


#: The orders in which dpas may sum products of floats, which are not documented: exactly within a step of depth, with
#: one rounding per step (the default); the same with the last step first; with a rounding per product; exactly, with
#: one at the end.
DPAS_ORDERS = ("step", "reversed", "product", "whole")


@contextlib.contextmanager
def dpas_order(name: str) -> Iterator[None]:
    """Let dpas of launches on the simulator sum in one of `DPAS_ORDERS`."""
    from triton_xe import _simulator

    if name not in DPAS_ORDERS:
        raise errors.OptionError(f"`dpas_order`: expected {', '.join(DPAS_ORDERS)}, found `{name}`")
    before = _simulator.set_dpas_order(getattr(_simulator.DpasOrder, name.upper()))
    try:
        yield
    finally:
        _simulator.set_dpas_order(before)


def compare_dpas_orders(run: Callable[[], Any]) -> dict[str, float]:
    """Return how far results depend on the order of sums: for each other order the largest difference from the default.

    `run` launches kernels on the simulator and returns a tensor with their result; it is called once per order.
    """
    results = {}
    for name in DPAS_ORDERS:
        with dpas_order(name):
            results[name] = run().double().clone()
    first = results.pop(DPAS_ORDERS[0])
    return {name: (other - first).abs().max().item() for name, other in results.items()}


def executed(kernel: Any) -> dict[int, Executed]:
    """Return what a compiled kernel's launches have executed so far, by the address of the instruction.

    The result is empty for a kernel that was not launched on the simulator, or not while it counted.
    """
    function = getattr(kernel, "function", None)
    return {address: Executed(*numbers) for address, *numbers in getattr(function, "counts", ())}


@functools.cache
def open_device() -> Device:
    """Return the simulator; there is one per process."""
    return Device()
