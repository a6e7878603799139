"""The instruction sets that the CPU device's compiler may use, and which of them this machine has.

Intel's OpenCL runtime compiles for the best one unless CL_CONFIG_CPU_TARGET_ARCH names another (documented in its
cl.cfg). Each has vectors of another width, so that the same builtin takes another way through the compiler.
"""

from __future__ import annotations

import os
from pathlib import Path

#: Names what the runtime compiles for.
VARIABLE = "CL_CONFIG_CPU_TARGET_ARCH"

#: The runtime's name: what the kernel calls the set, the features in /proc/cpuinfo that it needs; best first.
INSTRUCTION_SETS = {
    "skx": ("AVX-512", {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl", "avx2", "fma"}),
    "core-avx2": ("AVX2", {"avx2", "fma", "bmi1", "bmi2"}),
    "corei7": ("SSE4.2", {"sse4_2"}),
}


def available() -> list[str]:
    """The runtime's names of those that the machine has, best first."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "flags":
            features = set(value.split())
            return [name for name, (_, needed) in INSTRUCTION_SETS.items() if needed <= features]
    return []


def in_use() -> str:
    """The runtime's name of the one that it compiles for in this process."""
    chosen = os.environ.get(VARIABLE, "")
    return chosen if chosen not in ("", "auto") else next(iter(available()), "auto")


def describe() -> str:
    """One line for the head of a test run."""
    names = [f"{INSTRUCTION_SETS[name][0]} ({name})" for name in available()]
    used = in_use()
    text = INSTRUCTION_SETS[used][0] if used in INSTRUCTION_SETS else used
    return f"CPU device: compiled for {text}; the machine has {', '.join(names) or 'none that is known'}"
