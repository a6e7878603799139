# SPDX-License-Identifier: MIT
"""The assembly that e4m3 is widened by, which no device here runs: its instructions, computed as they are printed."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
import triton
import triton.language as tl
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

pytestmark = needs_ocloc

#: All values, each once as a lower and once as an upper byte.
BYTES = np.arange(256, dtype=np.uint8)
UNITS = np.stack([BYTES, BYTES[::-1]], axis=1).copy().view(np.int16).ravel()
#: An operand: a register of 16-bit values, bytes of one, or a number.
OPERAND = re.compile(
    r"r(?P<register>\d+)\.(?P<first>\d+)<[\d;,]+>:(?P<kind>\w+)|(?P<number>0x[0-9A-F]+|[\d.]+):(?P<type>\w+)"
)


@triton.jit
def widen_kernel(from_ptr, to_ptr, SIZE: tl.constexpr):
    offsets = tl.arange(0, SIZE)
    tl.store(to_ptr + offsets, tl.load(from_ptr + offsets).to(tl.float16))


def native_code(arch: str) -> list[tuple[str, list[dict[str, str | None]]]]:
    """Return the kernel's instructions for all lanes of a register, 32 at once: operation, target and sources."""
    signature = {"from_ptr": "*fp8e4nv", "to_ptr": "*fp16", "SIZE": "constexpr"}
    source = ASTSource(widen_kernel, signature, {"SIZE": 4096})
    options = {"num_warps": 4, "generate_native_code": True}
    isa = triton.compile(source, target=GPUTarget("xpu", arch, 16), options=options).asm["isa"]
    lines = re.findall(r"^\s*\(W\)\s+(\S+) \(32\|M0\)\s+([^{/\n]+)", isa, re.MULTILINE)
    return [(operation, [match.groupdict() for match in OPERAND.finditer(text)]) for operation, text in lines]


def read(operand: dict[str, str | None], registers: dict[str | None, np.ndarray]) -> np.ndarray:
    """Return the bits of a source, as 16-bit integers."""
    if operand["number"] is None:
        return registers[operand["register"]]
    if operand["type"] == "hf":
        return np.full_like(UNITS, np.float16(float(operand["number"])).view(np.int16))
    return np.full_like(UNITS, int(operand["number"], 0))


def compute(operation: str, sources: list[np.ndarray]) -> np.ndarray:
    if operation == "mul":
        with np.errstate(invalid="ignore"):
            return (sources[0].view(np.float16) * sources[1].view(np.float16)).view(np.int16)
    if operation == "add":
        return sources[0] + sources[1]
    # A function of three operands has its formula in its name.
    return eval(operation.removeprefix("bfn."), {}, {f"s{i}": source for i, source in enumerate(sources)})


@pytest.mark.parametrize("arch", ["pvc", "bmg", "lnl"])
def test_instructions_make_every_number(arch):
    registers: dict[str | None, np.ndarray] = {}
    # This holds, for each register, which byte its numbers come from.
    origins: dict[str | None, str] = {}
    seen = set()
    for operation, (target, first, *others) in native_code(arch):
        # These read what was loaded.
        if operation == "asr":
            assert first["first"] == "0"
            result, origin = UNITS >> int(others[0]["number"], 0), "upper"
        elif operation == "shl":
            assert first["first"] == "0"
            assert first["kind"] == "b"
            result, origin = UNITS.view(np.int8)[::2].astype(np.int16) << int(others[0]["number"], 0), "lower"
        else:
            result = compute(operation, [read(source, registers) for source in (first, *others)])
            origin = origins[first["register"]]
        registers[target["register"]], origins[target["register"]] = result, origin
        if operation != "mul":
            continue
        seen.add(origin)
        numbers = torch.from_numpy(BYTES if origin == "lower" else BYTES[::-1].copy()).view(torch.float8_e4m3fn)
        expected = numbers.to(torch.float16).numpy()
        widened = result.view(np.float16)
        np.testing.assert_array_equal(widened, expected)
        assert (np.signbit(widened) == np.signbit(expected)).all()
    assert seen == {"lower", "upper"}


@pytest.mark.parametrize("arch", ["pvc", "bmg", "lnl"])
def test_pairs_take_four_instructions(arch):
    # 64 numbers a lane are 32 pairs, a register for each.
    assert [operation for operation, _ in native_code(arch)].count("mul") == 64 // 2
    assert len(native_code(arch)) == 4 * 64 // 2


@pytest.mark.parametrize("arch", ["ptl", "nvl-s", "nvl-p", "cri"])
def test_conversions_are_instructions(arch):
    code = native_code(arch)
    kinds = [(target["kind"], source["kind"]) for operation, (target, source) in code if operation == "mov"]
    assert kinds.count(("hf", "hf8")) == 64 // 2
    assert kinds.count(("b", "b")) == 64 // 2
    assert len(code) == 64
    # Upper bytes begin one after the lower ones.
    starts = [source["first"] for operation, (target, source) in code if source["kind"] == "b"]
    assert starts.count("0") == starts.count("1")
