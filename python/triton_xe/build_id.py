# SPDX-License-Identifier: MIT
"""Distinguish builds of an extension module without reading all of its 80 MB, which contain LLVM.

The linker hashes its output, and writes the hash to a note of the ELF file.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

#: `e_ident` to `e_phnum` of a file header of 64 bits; `p_type`, `p_offset` and `p_filesz` of a program header; a note.
_FILE_HEADER = struct.Struct("<4sB27xQ14xHH6x")
_PROGRAM_HEADER = struct.Struct("<I4xQ16xQ16x")
_NOTE_HEADER = struct.Struct("<III")

_PT_NOTE = 4
_NT_GNU_BUILD_ID = 3


def _find_in_notes(notes: bytes) -> bytes | None:
    position = 0
    while position + _NOTE_HEADER.size <= len(notes):
        name_size, size, kind = _NOTE_HEADER.unpack_from(notes, position)
        name = position + _NOTE_HEADER.size
        # Both parts are padded to four bytes.
        begin = name + (name_size + 3 & ~3)
        if kind == _NT_GNU_BUILD_ID and notes[name : name + name_size] == b"GNU\0":
            return notes[begin : begin + size]
        position = begin + (size + 3 & ~3)
    return None


def _find(file: BinaryIO) -> bytes | None:
    header = file.read(_FILE_HEADER.size)
    if len(header) < _FILE_HEADER.size:
        return None
    magic, bits, table, entry_size, count = _FILE_HEADER.unpack(header)
    if magic != b"\x7fELF" or bits != 2 or entry_size != _PROGRAM_HEADER.size:
        return None
    file.seek(table)
    entries = file.read(entry_size * count)
    for kind, offset, size in _PROGRAM_HEADER.iter_unpack(entries[: len(entries) // entry_size * entry_size]):
        if kind == _PT_NOTE:
            file.seek(offset)
            if found := _find_in_notes(file.read(size)):
                return found
    return None


def fingerprint(path: Path) -> bytes:
    """Return the build id of a file, or its whole content if it has none."""
    with path.open("rb") as file:
        return _find(file) or path.read_bytes()
