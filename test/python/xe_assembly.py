# SPDX-License-Identifier: MIT
"""Pieces of Xe assembly on the simulator, and what the architecture's numbers mean.

Everything here and in the tests that use it is written from the public description of the architecture, in Python's
integers and fractions: it shares nothing with the simulator, so that both have to make the same mistake to agree.
"""

from __future__ import annotations

import functools
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from triton_xe import _simulator, device_compiler, native

REGISTERS = 256
REGISTER_BYTES = 64
#: The byte that registers hold if a program does not set them.
POISON = 0xC3
#: cr0.0: keep denormal numbers of f64, f32 and f16; the rounding mode is in bits 5:4.
KEEP_DENORMALS = 0x4C0
ROUNDINGS = {"nearest": 0, "up": 1, "down": 2, "zero": 3}

#: The type that numpy stores each type as. It has no bf and no floats of 8 bits: these are their bits.
STORAGE = {
    "ub": np.uint8, "b": np.int8, "uw": np.uint16, "w": np.int16, "ud": np.uint32, "d": np.int32,
    "uq": np.uint64, "q": np.int64, "hf": np.float16, "bf": np.uint16, "f": np.float32, "tf32": np.uint32,
    "df": np.float64, "bf8": np.uint8, "hf8": np.uint8,
}  # fmt: skip
SIGNED = ("b", "w", "d", "q")
UNSIGNED = ("ub", "uw", "ud", "uq")


def size_of(type_name: str) -> int:
    """Return the number of bytes of an element."""
    return np.dtype(STORAGE[type_name]).itemsize


def range_of(type_name: str) -> tuple[int, int]:
    """Return the least and the largest number of an integer type."""
    info = np.iinfo(STORAGE[type_name])
    return int(info.min), int(info.max)


def wrap(value: int, type_name: str) -> int:
    """Return the low bits of an integer, as a number of the type."""
    bits = 8 * size_of(type_name)
    value &= (1 << bits) - 1
    return value - (1 << bits) if type_name in SIGNED and value >> (bits - 1) else value


def clamp(value: int, type_name: str) -> int:
    """Return the nearest number of the type."""
    least, largest = range_of(type_name)
    return min(max(value, least), largest)


@functools.lru_cache(maxsize=64)
def _assemble(text: str, platform: str) -> bytes:
    tool = device_compiler.find()
    with tempfile.TemporaryDirectory(prefix="xe-assembly-") as folder:
        source, binary = Path(folder, "in.asm"), Path(folder, "out.bin")
        source.write_text(text)
        command = [tool.iga64, "-a", f"-p={platform}", str(source), "-o", str(binary)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        assert result.returncode == 0 and binary.exists(), f"{result.stdout}{result.stderr}\n{text}"
        return binary.read_bytes()


@functools.lru_cache(maxsize=64)
def assemble(text: str, platform: str = "xehpc") -> str:
    """Return the output of the disassembler, as JSON, of the code that a text becomes."""
    return native.describe_code(_assemble(text, platform), platform)


@dataclass
class State:
    """The general registers of a thread after a run, or of several."""

    bytes: np.ndarray

    def read(self, register: int, type_name: str, count: int, stride: int = 1, offset: int = 0) -> np.ndarray:
        """Return elements from a register on, `stride` elements apart; `offset` is in bytes."""
        start = register * REGISTER_BYTES + offset
        size = size_of(type_name)
        raw = self.bytes.reshape(-1)[start : start + ((count - 1) * stride + 1) * size]
        return raw.view(STORAGE[type_name])[::stride].copy()

    def thread(self, index: int) -> State:
        """Return one of several threads."""
        return State(self.bytes.reshape(-1, REGISTERS, REGISTER_BYTES)[index])


END = "(W) send.gtwy (1|M0) null r112 null:0 0x0 0x02000010 {EOT}"


def run(
    text: str,
    registers: Mapping[int, np.ndarray] | Sequence[Mapping[int, np.ndarray]] = (),
    *,
    platform: str = "xehpc",
    lanes: int = 0xFFFFFFFF,
    control: int = KEEP_DENORMALS,
    shared_bytes: int = 0,
    indirect_data: bytes = b"",
) -> State:
    """Run a text after a prologue that sets cr0.0, and before the end of the thread.

    `registers` are the contents from register numbers on; a sequence of them is one thread each.
    """
    threads = [registers] if isinstance(registers, Mapping) else list(registers) or [{}]
    content = np.full((len(threads), REGISTERS * REGISTER_BYTES), POISON, np.uint8)
    for state, values in zip(content, threads, strict=True):
        for number, array in values.items():
            raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            state[number * REGISTER_BYTES : number * REGISTER_BYTES + raw.size] = raw
    prologue = f"(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0x{control:X}:uw" if control else "(W) nop"
    code = assemble(f"{prologue}\n{text}\n{END}\n", platform)
    result = _simulator.run_code(code, platform, content.tobytes(), lanes, shared_bytes, indirect_data)
    return State(np.frombuffer(result, np.uint8).reshape(content.shape))


#: The first register of results in a batch.
_FIRST_RESULT = 112


@dataclass
class Result:
    """The value that an instruction of a batch must leave in its destination."""

    text: str
    register: int
    type_name: str
    stride: int
    expected: list
    inputs: list


@dataclass
class Batch:
    """Instructions that run in few programs: their inputs in common registers, each with a separate destination.

    Sources are packed from the start of a register. The expected values are what `check` compares, by default as
    integers; `None` means an element that keeps its value.
    """

    lanes: int = 32
    platform: str = "xehpc"
    control: int = KEEP_DENORMALS
    live: int = 0xFFFFFFFF
    prologue: str = ""
    inputs: dict[int, np.ndarray] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    known: dict[tuple, int] = field(default_factory=dict)
    next_input: int = 2

    def input(self, values: Iterable, type_name: str) -> int:
        """Return the register from which on these values are."""
        array = np.array(list(values), dtype=STORAGE[type_name])
        key = (type_name, array.tobytes())
        if key not in self.known:
            self.known[key] = self.next_input
            self.inputs[self.next_input] = array
            self.next_input += -(-array.nbytes // REGISTER_BYTES)
            assert self.next_input <= _FIRST_RESULT, "too many inputs for one batch"
        return self.known[key]

    def add(self, text: str, type_name: str, expected: Sequence, stride: int = 1, inputs: Sequence = ()) -> None:
        """Add an instruction, or several lines. `{dst}` in the text is the destination's register."""
        self.results.append(Result(text, 0, type_name, stride, list(expected), list(inputs)))

    def check(self, same: Callable[[object, object], bool] = lambda found, expected: found == expected) -> None:
        """Run all of it and compare element by element."""
        pending = list(self.results)
        assert pending, "a batch without instructions tests nothing"
        failures: list[str] = []
        while pending:
            lines, group, register = [self.prologue], [], _FIRST_RESULT
            while pending:
                result = pending[0]
                span = len(result.expected) * result.stride * size_of(result.type_name)
                if register + -(-span // REGISTER_BYTES) > REGISTERS:
                    break
                result.register = register
                register += -(-span // REGISTER_BYTES)
                lines.append(result.text.format(dst=f"r{result.register}"))
                group.append(pending.pop(0))
            state = run("\n".join(lines), self.inputs, platform=self.platform, lanes=self.live, control=self.control)
            for result in group:
                failures += self._compare(state, result, same)
        assert not failures, f"{len(failures)} differ:\n" + "\n".join(failures[:20])

    def _compare(self, state: State, result: Result, same: Callable) -> list[str]:
        found = state.read(result.register, result.type_name, len(result.expected), result.stride)
        kept = np.full(size_of(result.type_name), POISON, np.uint8).view(STORAGE[result.type_name])[0]
        failures = []
        for lane, (actual, expected) in enumerate(zip(found.tolist(), result.expected, strict=True)):
            wanted = kept.item() if expected is None else expected
            if not (actual == wanted if expected is None else same(actual, wanted)):
                values = [value[lane] for value in result.inputs]
                failures.append(f"{result.text}: lane {lane} of {values} is {actual!r}, not {wanted!r}")
        return failures
