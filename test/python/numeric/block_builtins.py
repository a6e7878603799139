# SPDX-License-Identifier: MIT
"""LLVM IR that sends 2D block messages, and what they must do.

The reference is written from the definition of the messages, byte by byte, not from the device library's code: a tile
is turned into a stream of bytes, and element e of a lane is element e * 16 + lane of that stream.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

LANES = 16
REGISTER_BYTES = 64
ROW_BYTES = 64
MESSAGE_BYTES = 2048
ROWS = (1, 2, 4, 8, 16, 32)

#: Bits of a value -> LLVM type, numpy type.
VALUE_TYPES = {8: ("i8", np.uint8), 16: ("i16", np.uint16), 32: ("i32", np.uint32), 64: ("i64", np.uint64)}

#: The functions that are SPIR-V's instructions for messages.
FUNCTIONS = {
    "read": "_Z32__spirv_Subgroup2DBlockLoadINTELiiiiPU3AS1KviiiDv2_iPv",
    "read_transform": "_Z41__spirv_Subgroup2DBlockLoadTransformINTELiiiiPU3AS1KviiiDv2_iPv",
    "read_transpose": "_Z41__spirv_Subgroup2DBlockLoadTransposeINTELiiiiPU3AS1KviiiDv2_iPv",
    "write": "_Z33__spirv_Subgroup2DBlockStoreINTELiiiiPKvPU3AS1viiiDv2_i",
    "prefetch": "_Z36__spirv_Subgroup2DBlockPrefetchINTELiiiiPU3AS1KviiiDv2_i",
}
SURFACE_TYPES = "ptr addrspace(1), i32, i32, i32, <2 x i32>"


@dataclass(frozen=True)
class Builtin:
    """One message: operation and tile shape."""

    operation: str  # read, read_transform, read_transpose, write, prefetch
    bits: int
    rows: int
    columns: int
    blocks: int

    @property
    def value_bits(self) -> int:
        """Return the width of the values that a lane has."""
        return 32 if self.operation == "read_transform" else self.bits

    @property
    def count(self) -> int:
        """Return the number of values per lane."""
        return self.rows * self.columns * self.blocks * self.bits // (LANES * self.value_bits)

    def _join(self, shape: str, surface: str, values: str) -> str:
        parts = {"write": [shape, values, surface], "prefetch": [shape, surface]}
        return ", ".join(parts.get(self.operation, [shape, surface, values]))

    @property
    def declaration(self) -> str:
        types = self._join("i32, i32, i32, i32", SURFACE_TYPES, "ptr")
        return f"declare spir_func void @{FUNCTIONS[self.operation]}({types})"

    def call(self, surface: str, values: str) -> str:
        """Return the call for a surface and the place in it, and a pointer to a lane's values."""
        shape = f"i32 {self.bits // 8}, i32 {self.columns}, i32 {self.rows}, i32 {self.blocks}"
        return f"call spir_func void @{FUNCTIONS[self.operation]}({self._join(shape, surface, values)})"

    def stream(self, tile: np.ndarray) -> np.ndarray:
        """Return the bytes of a tile (rows x columns, all blocks side by side) in the order of the message."""
        blocks = []
        for block in np.split(tile, self.blocks, axis=1):
            if self.operation == "read_transpose":
                ordered = block.T
            elif self.operation == "read_transform":
                group = 32 // self.bits
                ordered = block.reshape(self.rows // group, group, self.columns).transpose(0, 2, 1)
            else:
                ordered = block
            content = np.ascontiguousarray(ordered).view(np.uint8).reshape(-1)
            # A single row is loaded as one block.
            padding = -len(content) % REGISTER_BYTES if self.blocks > 1 and self.rows > 1 else 0
            blocks.append(np.pad(content, (0, padding)))
        return np.concatenate(blocks)

    def lanes(self, tile: np.ndarray) -> np.ndarray:
        """Return values of the lanes: [value, lane]."""
        return self.stream(tile).view(VALUE_TYPES[self.value_bits][1]).reshape(self.count, LANES)


def _columns(bits: int, operation: str) -> Iterator[int]:
    limit = {"read_transpose": {32: 8, 64: 4}, "read_transform": {8: 16, 16: 16}}.get(operation, {})
    columns = max(1, 32 // bits)
    while columns * bits // 8 <= ROW_BYTES and columns <= limit.get(bits, LANES):
        yield columns
        columns *= 2


def reads(bits: int) -> list[Builtin]:
    """Return every legal plain read that gives each lane whole values, and a register or more to several blocks.

    A row has no more columns than there are lanes.
    """
    shapes = []
    for columns in _columns(bits, "read"):
        for blocks in (1, 2, 4):
            row_bytes = columns * bits // 8
            most = {8: 4, 16: 4, 32: 2, 64: 1}[bits]
            if row_bytes * blocks > ROW_BYTES or blocks > most:
                continue
            # Narrow blocks side by side are not used: one wider tile does the same.
            if blocks > 1 and (columns < 8 or row_bytes < 16):
                continue
            for rows in ROWS:
                # Two blocks may be a row that fills a register together.
                is_row = rows == 1 and bits <= 16 and blocks == 2 and 2 * row_bytes == REGISTER_BYTES
                if blocks > 1 and rows * row_bytes < REGISTER_BYTES and not is_row:
                    continue
                if rows * columns >= LANES:
                    shapes.append(Builtin("read", bits, rows, columns, blocks))
    return shapes


def transforms(bits: int) -> list[Builtin]:
    """Return reads that leave 32 bits of a column in a value: 16 columns wide, as DPAS takes them."""
    group = 32 // bits
    return [
        Builtin("read_transform", bits, rows, 16, blocks)
        for blocks in ((1, 2, 4) if bits == 8 else (1, 2))
        for rows in ROWS
        if rows >= group
    ]


def transposes(bits: int) -> list[Builtin]:
    return [
        Builtin("read_transpose", bits, rows, columns, 1)
        for columns in _columns(bits, "read_transpose")
        for rows in (ROWS if bits == 32 else (8,))
        if rows >= 8 and rows * columns >= LANES
    ]


def writes(bits: int) -> list[Builtin]:
    return [
        Builtin("write", bits, rows, columns, 1)
        for columns in _columns(bits, "write")
        if columns * bits >= 128
        for rows in (1, 2, 4, 8)
        if rows * columns >= LANES
    ]


#: Element bits, columns and blocks of prefetches: rows of 16 to 64 bytes.
PREFETCH_SHAPES = (
    *((8, 16, 1), (8, 16, 2), (8, 16, 4), (8, 32, 1), (8, 32, 2), (8, 64, 1)),
    *((16, 8, 1), (16, 8, 2), (16, 8, 4), (16, 16, 1), (16, 16, 2), (16, 32, 1)),
    *((32, 4, 1), (32, 8, 1), (32, 8, 2), (32, 16, 1), (64, 4, 1), (64, 8, 1)),
)


def prefetches() -> list[Builtin]:
    return [
        Builtin("prefetch", bits, rows, columns, blocks) for bits, columns, blocks in PREFETCH_SHAPES for rows in ROWS
    ]


SURFACE = "ptr addrspace(1) %surface, i32 %width, i32 %height, i32 %pitch, <2 x i32> %coord"


def _transfer(builtin: Builtin, index: int, first_byte: int, to_memory: bool) -> list[str]:
    """Copy the values of the builtin between its private array and the buffer `%values`."""
    llvm_type = VALUE_TYPES[builtin.value_bits][0]
    lines = []
    for e in range(builtin.count):
        tag = f"{index}.{e}"
        offset = first_byte + e * LANES * builtin.value_bits // 8
        lines += [
            f"  %part.{tag} = getelementptr i8, ptr addrspace(1) %values, i64 {offset}",
            f"  %slot.{tag} = getelementptr {llvm_type}, ptr addrspace(1) %part.{tag}, i64 %lane",
            f"  %own.{tag} = getelementptr {llvm_type}, ptr %tile.{index}, i32 {e}",
        ]
        source, target = (f"ptr %own.{tag}", f"ptr addrspace(1) %slot.{tag}")[:: 1 if to_memory else -1]
        lines += [
            f"  %value.{tag} = load {llvm_type}, {source}",
            f"  store {llvm_type} %value.{tag}, {target}",
        ]
    return lines


def block_kernel(builtins: Sequence[Builtin], surface_stride: int = 0, rounds: int = 1, attributes: str = "") -> str:
    """Return LLVM IR of a kernel with these attributes that calls all `builtins` at one coordinate.

    Values go to or come from the buffer `values`, one builtin after the other; builtin i works on the surface that
    begins i * `surface_stride` bytes after the first. The calls are in a loop, each of whose rounds goes one row down
    and on in `values`.
    """
    body, entry, declarations, first_byte = [], [], [], 0
    for index, builtin in enumerate(builtins):
        has_values = builtin.operation != "prefetch"
        declarations.append(builtin.declaration)
        surface = SURFACE.replace("%surface", f"%surface.{index}")
        entry.append(f"  %surface.{index} = getelementptr i8, ptr addrspace(1) %surface, i64 {index * surface_stride}")
        if has_values:
            llvm_type = VALUE_TYPES[builtin.value_bits][0]
            entry.append(f"  %tile.{index} = alloca [{builtin.count} x {llvm_type}], align 64")
        if builtin.operation == "write":
            body += _transfer(builtin, index, first_byte, to_memory=False)
        body.append(f"  {builtin.call(surface, f'ptr %tile.{index}')}")
        if builtin.operation.startswith("read"):
            body += _transfer(builtin, index, first_byte, to_memory=True)
        first_byte += builtin.count * LANES * builtin.value_bits // 8
    lines = [
        'target triple = "spirv64-unknown-unknown"',
        "declare spir_func i32 @_Z22get_sub_group_local_idv()",
        *dict.fromkeys(declarations),
        "define spir_kernel void @blocks(ptr addrspace(1) %surface, ptr addrspace(1) %all, i32 %width, i32 %height, "
        f"i32 %pitch, i32 %x, i32 %y) {attributes} !intel_reqd_sub_group_size !0 {{",
        "entry:",
        *entry,
        "  %lane32 = call spir_func i32 @_Z22get_sub_group_local_idv()",
        "  %lane = zext i32 %lane32 to i64",
        "  %coord.x = insertelement <2 x i32> poison, i32 %x, i32 0",
        "  br label %loop",
        "loop:",
        "  %round = phi i32 [ 0, %entry ], [ %next, %loop ]",
        "  %row = add i32 %y, %round",
        "  %coord = insertelement <2 x i32> %coord.x, i32 %row, i32 1",
        f"  %first = mul i32 %round, {first_byte}",
        "  %values = getelementptr i8, ptr addrspace(1) %all, i32 %first",
        *body,
        "  %next = add i32 %round, 1",
        f"  %more = icmp slt i32 %next, {rounds}",
        "  br i1 %more, label %loop, label %end, !llvm.loop !1",
        "end:",
        "  ret void",
        "}",
        "!0 = !{i32 16}",
        "!1 = distinct !{!1, !2}",
        '!2 = !{!"llvm.loop.unroll.disable"}',
    ]
    return "\n".join(lines) + "\n"
