# SPDX-License-Identifier: MIT
"""Launches programs on the device, and compares all of memory with the results of the oracle."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from generated import load_source

from .emit import module_text
from .oracle import CAPACITY, Machine, decode
from .programs import FLOATS, ITEM_SIZES, Launch, Program, Slot, torch_name

#: Bytes around what a launch touches, which have to stay as they are.
GUARD = 256


@dataclass(frozen=True)
class Failure:
    """A failure of a program: its kind (`wrong`, `error`, `crash` or `hang`), the launch, and a message."""

    kind: str
    message: str
    launch: int = 0

    @property
    def signature(self) -> str:
        """Return the part of the failure that a smaller program has to have in common with this one."""
        if self.kind != "error":
            return self.kind
        lines = [one for one in self.message.splitlines() if one.strip(" ^")]
        errors = [one.partition("error:")[2] for one in lines if "error:" in one]
        head = self.message.partition(":")[0]
        text = (errors or lines[-1:] or [""])[0]
        # Names of files, parameters and numbers are other ones in a smaller program.
        text = re.sub(r"\S*generated_\w+\.py[:\d]*|in function .*\)|\d+", " ", text)
        return f"error: {head}: " + " ".join(text.split())[:90]


@dataclass
class Memory:
    """A buffer as a tensor of bytes; `start` is where the bytes of the oracle's range begin in it."""

    tensor: Any
    start: int
    low: int
    high: int

    def address(self, offset: int) -> int:
        """Return the address of a byte of the oracle's buffer in the memory of this process."""
        return self.tensor.data_ptr() + self.start + offset - self.low


def allocate(machine: Machine, before: dict[int, np.ndarray]) -> dict[int, Memory]:
    """Allocate the bytes of each buffer that the launch touches, with guards around."""
    import torch

    found = {}
    for number, content in before.items():
        low, high = guarded_range(machine, number)
        tensor = torch.empty(high - low + 256, dtype=torch.uint8)
        # The middle of the buffer gets the alignment of the launch.
        start = (machine.launch.misalignment - (CAPACITY // 2 - low) - tensor.data_ptr()) % 64
        tensor.fill_(0x5A)
        tensor[start : start + high - low] = torch_bytes(content[low:high])
        found[number] = Memory(tensor, start, low, high)
    for slot in machine.launch.slots:
        if machine.program.tensor(slot.tensor).targets:
            fill_table(machine, found, slot)
    return found


def fill_table(machine: Machine, memory: dict[int, Memory], table: Slot) -> None:
    """Puts addresses of this process where the oracle has its own, also in what is expected."""
    place = memory[table.buffer]
    content = machine.buffers[table.buffer].memory
    numbers = content.view(np.int64)
    for name in machine.program.tensor(table.tensor).targets:
        slot = machine.slots[name]
        numbers[numbers == machine.base_of(slot)] = memory[slot.buffer].address(base_of(machine, name))
    inner = torch_bytes(content[place.low : place.high])
    place.tensor[place.start : place.start + place.high - place.low] = inner


def torch_bytes(data: np.ndarray) -> Any:
    """Return a copy of bytes as a tensor."""
    import torch

    return torch.from_numpy(data.copy())


def base_of(machine: Machine, name: str) -> int:
    """Return the number of bytes from the beginning of its buffer to a tensor."""
    slot = machine.slots[name]
    return CAPACITY // 2 + slot.offset * ITEM_SIZES[machine.program.tensor(name).dtype]


def guarded_range(machine: Machine, number: int) -> tuple[int, int]:
    """Return the range of bytes of a buffer that a launch touches, with guards, and where its tensors begin."""
    names = [n for n, s in machine.slots.items() if s.buffer == number]
    touched = [machine.touched[n] for n in names if n in machine.touched]
    bases = [base_of(machine, n) for n in names]
    low = min([*bases, *(one[0] for one in touched)]) - GUARD
    high = max([*bases, *(one[1] for one in touched)]) + GUARD
    return max(0, low), min(CAPACITY, high)


def argument(machine: Machine, memory: dict[int, Memory], name: str) -> Any:
    """Return a tensor, or a descriptor, of a launch."""
    import torch

    tensor, slot = machine.program.tensor(name), machine.slots[name]
    place = memory[slot.buffer]
    base, end = base_of(machine, name), machine.touched.get(name, (0, 0))[1]
    dtype = getattr(torch, torch_name(tensor.dtype))
    first = place.start + base - place.low
    if tensor.block:
        from triton.tools.tensor_descriptor import TensorDescriptor

        rows, columns, pitch = slot.surface
        size = ITEM_SIZES[tensor.dtype]
        raw = place.tensor[first : first + ((rows - 1) * pitch + columns) * size].view(dtype)
        return TensorDescriptor(
            raw.as_strided((rows, columns), (pitch, 1)), [rows, columns], [pitch, 1], list(tensor.block)
        )
    # A tensor without elements has no address. The touched memory may also lie ahead of it.
    least = ITEM_SIZES[tensor.dtype] if end else 0
    return place.tensor[first : first + max(least, end - base)].view(dtype)


def compare(machine: Machine, memory: dict[int, Memory], before: dict[int, np.ndarray]) -> str | None:
    """Return the first difference; none if all bytes are as they should be, except for the sign of zeros."""
    names = {s.buffer: n for n, s in machine.slots.items()}
    for number, place in memory.items():
        dtype = machine.buffers[number].dtype
        size = ITEM_SIZES[dtype]
        raw = place.tensor.numpy()
        inner = raw[place.start : place.start + place.high - place.low]
        wanted = machine.buffers[number].memory[place.low : place.high]
        head, tail = raw[: place.start], raw[place.start + place.high - place.low :]
        if (head != 0x5A).any() or (tail != 0x5A).any():
            return f"memory outside of the tensor of `{names[number]}` has changed"
        skip = -place.low % size
        count = (len(inner) - skip) // size * size
        actual, expected = (decode(one[skip : skip + count].copy(), dtype) for one in (inner, wanted))
        same = actual == expected
        if dtype in FLOATS:
            same |= np.isnan(actual) & np.isnan(expected)
        if not same.all():
            index = int(np.flatnonzero(~same)[0])
            offset = index + (place.low + skip - CAPACITY // 2) // size
            old = decode(before[number][place.low + skip :][:count].copy(), dtype)[index]
            return (
                f"element {offset} of the buffer of `{names[number]}` ({dtype}): expected {expected[index]}, found "
                f"{actual[index]} (before the launch: {old}); {int((~same).sum())} elements differ"
            )
    return None


def run_launch(program: Program, kernel: Any, launch: Launch, options: dict[str, Any]) -> str | None:
    """Return a difference, if there is one. Raises what the launch raises."""
    machine = Machine(program, launch)
    before = {n: one.memory.copy() for n, one in machine.buffers.items()}
    machine.run()
    memory = allocate(machine, before)
    arguments = {one.name: argument(machine, memory, one.name) for one in program.tensors}
    kernel[launch.grid](**arguments, **dict(launch.values), **launch.options(), **options)
    return compare(machine, memory, before)


@lru_cache(maxsize=4)
def kernel_of(text: str) -> Any:
    """Return the kernel of a module, which launches of a damaged cache request many times."""
    return load_source(text, {}).kernel


@contextmanager
def own_cache() -> Iterator[None]:
    """A cache of Triton that nothing is in, and that is removed afterwards."""
    kept = os.environ["TRITON_CACHE_DIR"]
    with tempfile.TemporaryDirectory(dir=kept) as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        try:
            yield
        finally:
            os.environ["TRITON_CACHE_DIR"] = kept


def run_alone(program: Program, options: dict[str, Any] | None = None) -> Failure | None:
    """Return, in a worker, the first failure of the launches of a program, which leave no files."""
    with own_cache():
        return run_program(program, options)


def run_program(program: Program, options: dict[str, Any] | None = None) -> Failure | None:
    """Return the first failure of the launches of a program."""
    kernel = kernel_of(module_text(program))
    try:
        for number, launch in enumerate(program.launches):
            try:
                difference = run_launch(program, kernel, launch, options or {})
            except Exception as error:
                return Failure("error", f"{type(error).__name__}: {error}", number)
            if difference:
                return Failure("wrong", difference, number)
    finally:
        kernel.device_caches.clear()
    return None
