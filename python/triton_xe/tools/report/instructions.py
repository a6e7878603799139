# SPDX-License-Identifier: MIT
"""The native instructions of a kernel, each with its address, the bytes that it moves, and its source lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from triton_xe import native
from triton_xe.cpu.simulator import Executed
from triton_xe.native_lines import LineTable, Places
from triton_xe.tools.simulation.timing_model import ThreadCycles

_ADDRESS = re.compile(r"/\* \[([0-9A-Fa-f]+)\]\s*\*/\s*(.*)")
_LABEL = re.compile(r"(\w+):$")
_EXECUTION = re.compile(r"\((\d+)\|M\d+\)")
_END = "EOT"
_DPAS = re.compile(r"dpasw?\.(\d+)x(\d+)")
#: Registers that a message carries, as the disassembler comments it: address (with `h` for a header) and data to
#: memory, data back.
_MESSAGE = re.compile(r"//\s*wr:(\d+)h?\+(\d+), rd:(\d+);\s*(.*)")
#: The largest number that fits into a message's field for the registers that it reads.
_LARGEST_FIELD = 31


@dataclass(frozen=True)
class Message:
    """The message of a `send`. Its bytes are those of the registers that it carries, for one sub-group."""

    #: The name in the disassembly, such as `load_block2d.ugm.d16v.a64.ca.ca`.
    name: str
    #: The shared function: `ugm` for global memory, `slm`, `gtwy` for barriers, and so on.
    function: str
    bytes_read: int
    bytes_written: int

    @property
    def is_scratch(self) -> bool:
        """Return whether it is to scratch memory, for spilled registers or arrays."""
        return native.is_scratch(self.name)

    @property
    def is_shared(self) -> bool:
        """Return whether it is to shared local memory."""
        return self.function == "slm"

    @property
    def moved(self) -> int:
        """Return the bytes in both directions."""
        return self.bytes_read + self.bytes_written


@dataclass(frozen=True)
class Instruction:
    """One instruction."""

    address: int
    #: The instruction without its address.
    text: str
    label: str | None
    places: Places
    message: Message | None
    #: Counts of its executions by launches on the simulator, where some counted.
    executed: Executed | None = None
    #: Its cycles in the timing model.
    model: ThreadCycles | None = None

    @property
    def opcode(self) -> str:
        """Return the opcode without predicate and modifiers."""
        return native.opcode(self.text)

    @property
    def lanes(self) -> int:
        """Return the number of channels that it is executed for."""
        match = _EXECUTION.search(self.text)
        return int(match[1]) if match else 1

    @property
    def ends_thread(self) -> bool:
        """Return whether it is the last one of a sub-group."""
        return _END in self.text

    @property
    def repeat_count(self) -> int:
        """Return the rows of a DPAS, or 0 for other instructions."""
        match = _DPAS.search(self.text)
        return int(match[2]) if match else 0

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the operands of a jump, which contain its labels; empty for other instructions."""
        return native.jump_targets(self.text)


def _message(text: str, register_bytes: int) -> Message | None:
    """Return the message of an instruction, if it has one."""
    if not native.opcode(text).startswith("send"):
        return None
    function = native.without_predicate(text).split(None, 1)[0].partition(".")[2].split(".", 1)[0]
    match = _MESSAGE.search(text)
    if not match:
        return Message("", function, 0, 0)
    name, num_read = match[4].strip(), int(match[3])
    # The field has five bits: the largest block has one register more than it can express, and none has 31.
    if num_read == _LARGEST_FIELD and "load_block2d" in name:
        num_read += 1
    return Message(name, function, num_read * register_bytes, int(match[2]) * register_bytes)


def parse(isa_text: str, table: LineTable, register_bytes: int) -> list[Instruction]:
    """Parse the instructions of a disassembly with addresses, in order."""
    instructions = []
    label = None
    for raw in isa_text.splitlines():
        line = raw.strip()
        if match := _LABEL.match(line):
            label = match[1]
        elif (match := _ADDRESS.match(line)) and not native.is_padding(match[2].strip()):
            text = match[2].strip()
            address = int(match[1], 16)
            message = _message(text, register_bytes)
            instructions.append(Instruction(address, text, label, table.places(address), message))
            label = None
    return instructions


@dataclass(frozen=True)
class Figures:
    """The numbers of instructions in a part of the code, and the bytes that they move."""

    counts: native.InstructionCounts
    #: Messages that are neither 2D blocks nor for SLM or scratch: gathers, scatters, atomics, barriers.
    other_messages: int
    bytes_read: int
    bytes_written: int
    #: Messages to shared local memory, and their bytes, which the fields above do not count.
    shared_messages: int
    shared_bytes: int
    scratch_bytes: int
    #: Counts of all their executions on the simulator, and the lanes that would have taken part without masks.
    executed: Executed = field(default_factory=Executed)
    most_lanes: int = 0
    #: Their cycles in the timing model.
    model: ThreadCycles = field(default_factory=ThreadCycles)

    @property
    def bytes(self) -> int:
        """Return the bytes of global memory, in both directions."""
        return self.bytes_read + self.bytes_written

    @property
    def lanes_percent(self) -> int:
        """Return how many of the lanes took part in what was executed."""
        return round(100 * self.executed.lanes / self.most_lanes) if self.most_lanes else 0

    @staticmethod
    def of(instructions: Sequence[Instruction]) -> Figures:
        """Count the instructions, each once, however often it runs."""
        messages = [instruction.message for instruction in instructions if instruction.message]
        scratch = [message for message in messages if message.is_scratch]
        shared = [message for message in messages if message.is_shared and not message.is_scratch]
        others = [message for message in messages if not message.is_shared and not message.is_scratch]
        return Figures(
            counts=native.InstructionCounts.of([instruction.text for instruction in instructions]),
            other_messages=sum("block2d" not in message.name for message in others),
            bytes_read=sum(message.bytes_read for message in others),
            bytes_written=sum(message.bytes_written for message in others),
            shared_messages=len(shared),
            shared_bytes=sum(message.moved for message in shared),
            scratch_bytes=sum(message.moved for message in scratch),
            executed=sum((each.executed for each in instructions if each.executed), Executed()),
            most_lanes=sum(each.executed.executions * each.lanes for each in instructions if each.executed),
            model=sum((each.model for each in instructions if each.model), ThreadCycles()),
        )
