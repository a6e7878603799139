# SPDX-License-Identifier: MIT
"""Compile to native code without a GPU, and count what is in it.

`ocloc` (`device_compiler.py`) compiles the SPIR-V of a launch to a zebin, an ELF file with the instructions
(`.text.<kernel>`) and a YAML description of what the kernel needs (`.ze_info`). `iga64` disassembles the instructions,
and this module counts them. The driver of a GPU compiles the same SPIR-V with its version of the same compiler.
"""

from __future__ import annotations

import re
import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from triton_xe import crashes, device_compiler, errors, refusals, target

#: Symbols that a runtime replaces by numbers when it loads the kernel begin with this.
_PATCHED = "__INTEL_PATCH_"

#: Opcodes after which lanes may continue elsewhere. They meet again at `join` and `endif`.
_JUMPS = ("jmpi", "while", "brd", "brc", "goto", "cont", "break", "if", "else")

_SCRATCH = re.compile(r"scratch|x\d+t\.a32\.ss\[| surf\[")
_PREDICATE = re.compile(r"^\([^)]*\)\s*")
#: A `mov` of a number to the null register, which holds the compiler's hash.
_HASH = re.compile(r"mov \(16\|M0\)\s+null<1>:ud\s+0x[0-9A-F]+:ud")
_LABEL = re.compile(r"^(\w+):")
_SPILLS = re.compile(r"spilled around (\d+)")


def without_predicate(line: str) -> str:
    """Return an instruction of a disassembly without the predicate before its opcode."""
    return _PREDICATE.sub("", line)


def opcode(line: str) -> str:
    """Return the opcode of an instruction without predicate and modifiers, such as `jmpi` of `(W&f0.0) jmpi L8`."""
    return without_predicate(line).split(None, 1)[0].split(".", 1)[0]


def is_scratch(line: str) -> bool:
    """Return whether a message is to scratch memory, which holds spilled registers and arrays.

    The disassembler writes `scratch` for chips up to pvc. From Xe2 on it names a surface. On Xe2 and Xe3, messages to
    scratch memory are blocks of whole registers (`d32x16t`) at `ss[...]`; single elements there may belong to an
    argument. From Xe3P on only these messages have a `surf[...]`.
    """
    return _SCRATCH.search(line) is not None


def jump_targets(line: str) -> tuple[str, ...]:
    """Return the operands of a jump, which contain its labels; empty for any other instruction."""
    if opcode(line) not in _JUMPS:
        return ()
    # Operands are read up to the annotations in braces and the comment.
    return tuple(re.split(r"\{|//", without_predicate(line))[0].split()[1:])


def is_padding(line: str) -> bool:
    """Return whether a line of a disassembly is padding or the compiler's hash of the kernel, not an instruction."""
    return line.startswith(("illegal", "byte offset ")) or _HASH.match(without_predicate(line)) is not None


@dataclass(frozen=True)
class InstructionCounts:
    """The numbers of instructions in a part of native code, by kind."""

    instructions: int = 0
    moves: int = 0
    sends: int = 0
    jumps: int = 0
    dpas: int = 0
    load_block2d: int = 0
    store_block2d: int = 0
    #: 2D block loads without a destination.
    prefetches: int = 0
    #: Messages to scratch memory: register spills and arrays that are not in registers.
    scratch_messages: int = 0
    #: Calls through a register: large mathematical functions, and functions that the compiler does not know.
    indirect_calls: int = 0

    @staticmethod
    def of(lines: list[str]) -> InstructionCounts:
        """Count the instructions of a disassembly; the text after `//` names a message."""
        instructions = [without_predicate(line) for line in lines]
        opcodes = [opcode(line) for line in lines]
        loads = [line for line in instructions if "load_block2d" in line]
        prefetches = sum(re.match(r"send\S*\s+\([^)]*\)\s+null\b", line) is not None for line in loads)
        return InstructionCounts(
            instructions=len(lines),
            moves=opcodes.count("mov"),
            sends=sum(name.startswith("send") for name in opcodes),
            jumps=sum(name in _JUMPS for name in opcodes),
            dpas=sum(name.startswith(("dpas", "bdpas")) for name in opcodes),
            load_block2d=len(loads) - prefetches,
            store_block2d=sum("store_block2d" in line for line in lines),
            prefetches=prefetches,
            scratch_messages=sum(is_scratch(line) for line in lines),
            indirect_calls=opcodes.count("calla"),
        )


@dataclass(frozen=True)
class NativeFigures:
    """Figures about a kernel's native code."""

    total: InstructionCounts
    #: One entry per backward jump, in the order of the jumps: a nested loop comes before the one around it.
    loops: tuple[InstructionCounts, ...]
    grf_count: int
    simd_size: int
    #: The number in the compiler's log or, if that reports none, the number that scratch memory holds.
    spilled_registers: int
    scratch_bytes: int
    slm_bytes: int
    barriers: int
    #: Functions that are called, but not defined. The compiler does not report them.
    unknown_functions: tuple[str, ...]

    @property
    def main_loop(self) -> InstructionCounts:
        """Return the counts of the loop with most DPAS instructions, or empty counts without a loop."""
        return max(self.loops, key=lambda loop: loop.dpas, default=InstructionCounts())


@dataclass(frozen=True)
class NativeCode:
    """The native code of a kernel."""

    zebin: bytes
    isa_text: str
    figures: NativeFigures
    #: The output of the compiler.
    log: str
    #: The version of the compiler.
    compiler: str


def _sections(elf: bytes) -> dict[str, bytes]:
    """Return name and content of the sections of a 64-bit little-endian ELF file."""
    if elf[:6] != b"\x7fELF\x02\x01":
        raise errors.ToolError("`ocloc` wrote no zebin: not a 64-bit ELF file")
    table = struct.unpack_from("<Q", elf, 0x28)[0]
    entry_size, count, names_index = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + index * entry_size) for index in range(count)]
    contents = [elf[header[4] : header[4] + header[5]] for header in headers]
    names = contents[names_index]
    return {
        names[header[0] : names.index(b"\0", header[0])].decode(): content
        for header, content in zip(headers, contents, strict=True)
    }


def _code(sections: dict[str, bytes]) -> bytes:
    """Return the code of the only kernel of a zebin."""
    # Beside the kernel's there may be a section for functions of the compiler's own.
    texts = [
        content
        for name, content in sections.items()
        if name.startswith(".text.") and name != ".text.Intel_Symbol_Table_Void_Program"
    ]
    if len(texts) != 1:
        raise errors.ToolError(f"expected a zebin with one kernel, found the sections {', '.join(sections)}")
    return texts[0]


def disassemble(zebin: bytes, arch: str = "pvc", *, addresses: bool = False) -> str:
    """Disassemble a zebin with one kernel, an instruction a line, each after its address (`/* [1F0] */`) if wanted."""
    platform = target.resolve(arch).isa_platform
    with tempfile.NamedTemporaryFile(prefix="triton-xe-", suffix=".dat") as file:
        file.write(_code(_sections(zebin)))
        file.flush()
        options = ("-Xprint-pc",) if addresses else ()
        return device_compiler.find().run_iga64("-d", f"-p={platform}", *options, file.name)


def describe_code(code: bytes, platform: str) -> str:
    """Return machine code as JSON of the disassembler, with everything that executing it needs."""
    with tempfile.NamedTemporaryFile(prefix="triton-xe-", suffix=".dat") as file:
        file.write(code)
        file.flush()
        options = ("-Xprint-json", "-Xprint-pc", "-Xno-print-bfnexprs", "-Xprint-hex-floats")
        output = device_compiler.find().run_iga64("-d", f"-p={platform}", *options, file.name)
    # Remarks about the padding after the code are on the same stream.
    return output[: output.rindex("}") + 1]


def line_section(zebin: bytes) -> bytes:
    """Return the line table (DWARF) of a zebin, or nothing: the compiler writes one only for SPIR-V with scopes."""
    return _sections(zebin).get(".debug_line", b"")


def _undefined_symbols(sections: dict[str, bytes]) -> tuple[str, ...]:
    """Return the names of the functions that no section of the ELF file defines."""
    symbols, names = sections.get(".symtab", b""), sections.get(".strtab", b"")
    undefined = []
    for name, _info, _other, section, _value, _size in struct.iter_unpack("<IBBHQQ", symbols):
        if name and section == 0:
            undefined.append(names[name : names.index(b"\0", name)].decode())
    return tuple(sorted(symbol for symbol in undefined if not symbol.startswith(_PATCHED)))


def _kernel_info(ze_info: str) -> dict[str, int]:
    """Return the numbers of the first kernel's description that are used here.

    The description is YAML that the compiler writes with one `key: value` per line; sizes of per-thread buffers are
    summed up as `scratch_bytes`.
    """
    numbers: dict[str, int] = {"scratch_bytes": 0}
    section = ""
    for line in ze_info.splitlines():
        key, _, value = line.strip().removeprefix("- ").partition(":")
        value = value.strip()
        if not value:
            if key == "kernels_misc_info":
                break
            section = key
        elif value.isdigit():
            if section == "per_thread_memory_buffers":
                numbers["scratch_bytes"] += int(value) if key == "size" else 0
            elif section == "execution_env":
                numbers[key] = int(value)
    return numbers


def _instructions(isa_text: str) -> Iterator[tuple[str | None, str]]:
    """Yield the lines of a disassembly, each as the label before the instruction, if any, and the instruction."""
    label = None
    for raw in isa_text.splitlines():
        line = raw.strip()
        if match := _LABEL.match(line):
            label = match[1]
        # Padding follows the end of the thread, and the disassembler may remark on it.
        elif line and not is_padding(line):
            yield label, line
            label = None


def has_same_instructions(first: str, second: str) -> bool:
    """Return whether two disassemblies are of the same code."""
    return list(_instructions(first)) == list(_instructions(second))


def _count(isa_text: str) -> tuple[InstructionCounts, tuple[InstructionCounts, ...]]:
    labels: dict[str, int] = {}
    lines: list[str] = []
    loops = []
    for label, line in _instructions(isa_text):
        if label is not None:
            labels[label] = len(lines)
        lines.append(line)
        starts = [labels[target] for target in jump_targets(line) if target in labels]
        if starts:
            loops.append(InstructionCounts.of(lines[min(starts) :]))
    return InstructionCounts.of(lines), tuple(loops)


def compile_native(spirv: bytes, arch: str = "pvc", grf_mode: str = "default", name: str = "kernel") -> NativeCode:
    """Compile SPIR-V with one kernel to native code of `arch`. Errors call the kernel `name`.

    The compiler does not fail at functions that it does not know: see `figures.unknown_functions`. Raises
    DeviceCompilerRefusal where it lacks a resource for the kernel, or uses more scratch memory than it gets right,
    DeviceCompilerError where it crashes or does not end, and ToolError for everything else that it refuses.
    """
    build_options = target.resolve(arch).grf_build_options
    if grf_mode not in build_options:
        raise errors.OptionError(f"`grf_mode`: expected {', '.join(build_options)}, found `{grf_mode}`")
    options = build_options[grf_mode]
    compiler = device_compiler.find()
    with tempfile.TemporaryDirectory(prefix="triton-xe-") as folder:
        source, output = Path(folder, "kernel.spv"), Path(folder, "out")
        source.write_bytes(spirv)
        try:
            log = compiler.run_ocloc(
                "compile", "-spirv_input", "-file", source, "-device", arch, "-out_dir", output,
                "--format", "zebin", *(("-options", options) if options else ()),
            )  # fmt: skip
        except errors.CompileError as error:
            raise crashes.crash_error(str(error), name, spirv) from None
        except errors.ToolError as error:
            if refused := refusals.find(str(error)):
                raise refused from None
            if reason := refusals.find_crash(str(error)):
                raise crashes.crash_error(f"`ocloc` crashed ({reason})", name, spirv) from None
            raise
        binaries = sorted(output.glob("*.bin"))
        if not binaries:
            raise errors.ToolError(f"`ocloc` wrote no binary:\n{log}")
        zebin = binaries[0].read_bytes()
    sections = _sections(zebin)
    if ".ze_info" not in sections:
        raise errors.ToolError(f"expected a zebin with a description, found the sections {', '.join(sections)}")
    isa_text = disassemble(zebin, arch)
    info = _kernel_info(sections[".ze_info"].decode())
    refusals.check_spills(info["scratch_bytes"])
    total, loops = _count(isa_text)
    spills = _SPILLS.search(log)
    figures = NativeFigures(
        total=total,
        loops=loops,
        grf_count=info.get("grf_count", 0),
        simd_size=info.get("simd_size", 0),
        # The log does not report it in every mode, and the kernels have no arrays: data in scratch memory was spilled.
        spilled_registers=max(
            int(spills[1]) if spills else 0,
            -(-info["scratch_bytes"] // target.resolve(arch).register_bytes),
        ),
        scratch_bytes=info["scratch_bytes"],
        slm_bytes=info.get("slm_size", 0),
        barriers=info.get("barrier_count", 0),
        unknown_functions=_undefined_symbols(sections),
    )
    return NativeCode(zebin=zebin, isa_text=isa_text, figures=figures, log=log, compiler=compiler.version)
