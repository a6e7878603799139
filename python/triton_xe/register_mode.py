# SPDX-License-Identifier: MIT
"""Choose the number of registers per thread that a kernel is built with under `grf_mode="auto"`.

Twice the registers mean half the threads, which hide half the latency; with too few registers, values go to memory. The
choice compares the bytes that the scheduler found to be live at an operation (`Schedule.cpp`) with those of the
registers. `choose_registers` in `compiler.py` makes it, and the module states it in `ttig.registers`. The scheduler
knows neither the order of instructions nor the temporary values of the GPU's compiler. If that compiler, `ocloc` or the
driver, reports spills, or refuses the kernel, it is built again with more registers, and the better one of the two
builds is kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_xe import errors, target

if TYPE_CHECKING:
    from triton_xe.native import NativeCode, NativeFigures

AUTO = "auto"
#: Bytes of scratch memory that a thread may have: `ocloc` 26.27 prints this limit when it refuses a kernel.
SCRATCH_LIMIT = 256 * 1024
#: The part of the live bytes beyond the registers that is kept in scratch memory. The device compiler recomputes the
#: rest: of 508,432 of a softmax of 131,072 columns in 4 warps, `ocloc` 26.27 keeps 280,704.
SCRATCH_SHARE = 0.55


@dataclass(frozen=True)
class Choice:
    """A register mode by name, and the mode to try if the kernel spills with it."""

    mode: str
    spare: str | None = None


def permitted(arch: str, num_warps: int) -> tuple[int, ...]:
    """Return the numbers of registers per thread that a work-group of this many sub-groups may have, in ascending
    order."""
    limits = target.resolve(arch).max_warps
    # The option with too many sub-groups for any mode is refused elsewhere.
    return tuple(count for count in sorted(limits) if num_warps <= limits[count]) or (min(limits),)


def fewest(mode: str, arch: str) -> int:
    """Return the smallest number of registers per thread of a mode; for `default`, where the GPU's compiler begins."""
    return int(mode) if mode.isdecimal() else min(target.resolve(arch).max_warps)


def counts(mode: str, arch: str, num_warps: int) -> tuple[int, ...]:
    """Return the numbers of registers per thread that a kernel may be built with, in ascending order."""
    return permitted(arch, num_warps) if mode == AUTO else (fewest(mode, arch),)


def read_attribute(text: str, name: str) -> int:
    """Return a number that the scheduler has written into a kernel's LLVM IR; 0 if it did not run."""
    match = re.search(rf'"triton-xe-{name}"="(\d+)"', text)
    return int(match[1]) if match else 0


def choose(grf_mode: str, llvm_ir: str, arch: str, num_warps: int) -> Choice:
    """Return the mode that `grf_mode` means for a kernel."""
    if grf_mode != AUTO:
        return Choice(grf_mode)
    numbers = permitted(arch, num_warps)
    stated = read_attribute(llvm_ir, "registers")
    count = max((number for number in numbers if number <= stated), default=numbers[0])
    larger = next((number for number in numbers if number > count), None)
    return Choice(str(count), str(larger) if larger else None)


def check_scratch(llvm_ir: str, arch: str, num_warps: int) -> None:
    """Raise `DeviceCompilerRefusal` for a kernel whose values fit neither the registers nor the scratch memory.

    The device compiler takes minutes to find this out.
    """
    registers = permitted(arch, num_warps)[-1] * target.resolve(arch).register_bytes
    needed = int((read_attribute(llvm_ir, "live-bytes") - registers) * SCRATCH_SHARE)
    if needed > SCRATCH_LIMIT:
        raise errors.DeviceCompilerRefusal(
            needed, SCRATCH_LIMIT, "scratch memory of a thread", "an estimate, before the device compiler runs"
        )


def describe(grf_mode: str, chosen: str) -> str:
    """Return the name of a requested mode with the mode that was chosen for it."""
    return f"{grf_mode} ({chosen})" if grf_mode == AUTO else grf_mode


def describe_spills(figures: NativeFigures) -> str:
    """Describe in words how much a kernel spills."""
    return f"{figures.total.scratch_messages} messages to scratch memory, {figures.scratch_bytes} bytes of it"


def advise(mode: str, arch: str, num_warps: int) -> str:
    """Return advice for a kernel that spills with this mode; empty where there is none."""
    limits = target.resolve(arch).max_warps
    count = fewest(mode, arch)
    if 2 * count in limits:
        advice = f'grf_mode="{2 * count}" has double the number'
        return advice + (f", for at most {limits[2 * count]} warps" if num_warps > limits[2 * count] else "")
    if num_warps < limits[count]:
        return f"with more warps than {num_warps} each has less to hold (num_warps, at most {limits[count]})"
    return ""


def describe_builds(first: str, second: str, choice: Choice, kept: str) -> str:
    """Describe what two builds of a kernel spill (empty: nothing), and which one is kept."""
    return f"with {choice.mode} registers per thread {first}; with {choice.spare} {second or 'none'}; built with {kept}"


def compile_native(spirv: bytes, arch: str, choice: Choice, name: str) -> tuple[NativeCode, str, str]:
    """Return native code, its mode, and the remark about spills, if there is one.

    Of two builds this is the one with fewer messages to scratch memory. If they have equally many it is the first,
    which leaves room for more threads. It is the only one that there is if the compiler lacks a resource for the other.
    Raises the exceptions of `native.compile_native`.
    """
    from triton_xe import native

    try:
        code = native.compile_native(spirv, arch, choice.mode, name)
    except errors.DeviceCompilerRefusal:
        if choice.spare is None:
            raise
        return compile_native(spirv, arch, Choice(choice.spare), name)
    spills = code.figures.total.scratch_messages
    if not spills or choice.spare is None:
        return code, choice.mode, describe_spills(code.figures) if spills else ""
    try:
        other = native.compile_native(spirv, arch, choice.spare, name)
    except errors.TritonXeError:
        # The existing build can be used.
        return code, choice.mode, describe_spills(code.figures)
    other_spills = other.figures.total.scratch_messages
    kept, mode = (other, choice.spare) if other_spills < spills else (code, choice.mode)
    reported = describe_builds(
        describe_spills(code.figures), describe_spills(other.figures) if other_spills else "", choice, mode
    )
    return kept, mode, reported
