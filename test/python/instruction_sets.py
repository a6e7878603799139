# SPDX-License-Identifier: MIT
"""The instruction sets that the CPU device's compilers may use, and which of them this machine has.

Each has vectors of another width, so that the same builtin takes another way through the compiler. Object code is made
for the best one unless TRITON_XE_CPU_INSTRUCTIONS names another. Intel's OpenCL runtime chooses likewise, unless
CL_CONFIG_CPU_TARGET_ARCH (documented in its cl.cfg) does.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

RUNTIME = "TRITON_XE_CPU_RUNTIME"
NATIVE, OPENCL = "TRITON_XE_CPU_INSTRUCTIONS", "CL_CONFIG_CPU_TARGET_ARCH"

AVX2 = frozenset({"avx2", "fma", "f16c"})
AVX512 = AVX2 | {"avx512f", "avx512bw", "avx512dq", "avx512vl"}


@dataclass(frozen=True)
class InstructionSet:
    """A set of instructions that a compiler may use."""

    name: str
    #: The variable that names the set, and its value.
    variable: str
    value: str
    #: Features in /proc/cpuinfo that it needs.
    features: frozenset[str]
    #: The widest registers that its code has, and those that it must not have.
    widest: str
    unknown: str | None

    def __str__(self) -> str:
        return self.value

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables of a process that uses the set."""
        return {self.variable: self.value, RUNTIME: "native" if self.variable == NATIVE else "opencl"}


#: The best first.
ALL = (
    InstructionSet("AVX-512", NATIVE, "avx512", AVX512, "zmm", None),
    InstructionSet("AVX2", NATIVE, "avx2", AVX2, "ymm", "zmm"),
    InstructionSet("AVX-512", OPENCL, "skx", AVX512 | {"avx512cd"}, "zmm", None),
    InstructionSet("AVX2", OPENCL, "core-avx2", AVX2 | {"bmi1", "bmi2"}, "ymm", "zmm"),
    InstructionSet("SSE4.2", OPENCL, "corei7", frozenset({"sse4_2"}), "xmm", "ymm"),
)


def available(variable: str) -> list[InstructionSet]:
    """Return the sets that the machine has, best first, for the compiler that reads a variable."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "flags":
            features = set(value.split())
            return [one for one in ALL if one.variable == variable and one.features <= features]
    return []


def in_use(variable: str) -> str:
    """Return the value of the one that this process compiles for."""
    chosen = os.environ.get(variable, "")
    return chosen if chosen not in ("", "auto") else next((one.value for one in available(variable)), "auto")


def describe() -> str:
    """Return one line for the head of a test run."""
    variable = OPENCL if os.environ.get(RUNTIME) == "opencl" else NATIVE
    used = in_use(variable)
    names = [f"{one.name} ({one})" for one in available(variable)]
    text = next((one.name for one in ALL if one.value == used), used)
    runtime = "Intel's OpenCL runtime" if variable == OPENCL else "object code"
    return f"CPU device: {runtime} for {text}; the machine has {', '.join(names) or 'none that is known'}"
