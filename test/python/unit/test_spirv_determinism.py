# SPDX-License-Identifier: MIT
"""The same input gives the same bytes, whatever the process compiled before."""

from __future__ import annotations

import itertools

import pytest

from triton_xe import _compiler

KERNEL = """
target triple = "spirv64-unknown-unknown"

declare spir_func i64 @_Z13get_global_idj(i32)

define spir_kernel void @kernel(ptr addrspace(1) %out, TYPE %value, i64 %n) {
entry:
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %inside = icmp ult i64 %id, %n
  br i1 %inside, label %store, label %exit
store:
  %place = getelementptr TYPE, ptr addrspace(1) %out, i64 %id
  store TYPE %value, ptr addrspace(1) %place
  br label %exit
exit:
  ret void
}
"""


@pytest.mark.parametrize("rounds", [40])
def test_spirv_does_not_depend_on_earlier_modules(rounds):
    # The backend keys tables that it never clears by the address of machine code: where an address came back, a module
    # got ids of an earlier one, lost its stores, or was no SPIR-V at all. Other allocations in between move addresses.
    first: dict[str, bytes] = {}
    ballast = []
    for index in range(rounds):
        for llvm_type in ("i8", "i16", "i32", "i64", "half", "float", "double"):
            binary = _compiler.translate_to_spirv(_compiler.optimize_llvm_ir(KERNEL.replace("TYPE", llvm_type)))
            assert first.setdefault(llvm_type, binary) == binary, f"{llvm_type} differs in round {index}"
            ballast.append(bytearray(4096 * (len(ballast) % 7 + 1)))
        del ballast[::2]


ATOMIC = """
target triple = "spirv64-unknown-unknown"

define spir_kernel void @kernel(ptr addrspace(1) %out, i32 %value) {
  ADDITIONS
  ret void
}
"""

#: Numbers of scopes in SPIR-V.
SCOPES = {"device": 1, "workgroup": 2, "subgroup": 3}


def scopes_of(binary: bytes) -> list[int]:
    """Return the scope of every OpAtomicIAdd."""
    words = [int.from_bytes(binary[i : i + 4], "little") for i in range(0, len(binary), 4)]
    constants, scopes = {}, []
    position = 5
    while position < len(words):
        length, opcode = words[position] >> 16, words[position] & 0xFFFF
        operands = words[position + 1 : position + length]
        if opcode == 43:  # OpConstant: type, result, value
            constants[operands[1]] = operands[2]
        elif opcode == 234:  # OpAtomicIAdd: type, result, pointer, scope, semantics, value
            scopes.append(constants[operands[3]])
        position += length
    return scopes


@pytest.mark.parametrize("names", list(itertools.permutations(SCOPES)), ids="-".join)
def test_scopes_do_not_depend_on_earlier_modules(names):
    # A context numbers scopes as it meets them. The backend took the numbers of the first one for those of all others.
    lines = [f'atomicrmw add ptr addrspace(1) %out, i32 %value syncscope("{name}") monotonic' for name in names]
    binary = _compiler.translate_to_spirv(ATOMIC.replace("ADDITIONS", "\n  ".join(lines)))
    assert scopes_of(binary) == [SCOPES[name] for name in names]
