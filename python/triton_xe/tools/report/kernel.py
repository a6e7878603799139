# SPDX-License-Identifier: MIT
"""The report of one kernel: its source lines with their instructions, and its loops.

Columns of native code come from the device compiler's line table (`native_lines`).
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.errors import TritonError

from triton_xe import compiler, errors, native, native_lines, register_mode, target
from triton_xe.cpu import simulator
from triton_xe.native_lines import Places
from triton_xe.options import XeOptions, gpu_options_of
from triton_xe.tools.report import instructions as code
from triton_xe.tools.report import ir, loops, page, terminal
from triton_xe.tools.report.contents import Contents, Fit, IRFigures, Launches, Row
from triton_xe.tools.report.instructions import Figures, Instruction
from triton_xe.tools.simulation import timing_model


class Report(Contents):
    """A kernel's native code by source lines and by loops, which can be printed and written."""

    def __str__(self) -> str:
        return terminal.render(self, width=terminal.DEFAULT_WIDTH)

    def write_page(self, path: str | os.PathLike) -> None:
        """Write the report as an HTML page that needs no other file."""
        Path(path).write_text(page.render([self]))


def _recompile(asm: Any, options: XeOptions) -> tuple[str, str, list[errors.Diagnostic]]:
    """Compile to TTGIR and LLVM IR for the GPU, and return these with the diagnostics of the passes."""
    from triton_xe.xpu.compiler import XPUBackend

    backend = XPUBackend(GPUTarget("xpu", options.arch, options.warp_size))
    with compiler.collect_diagnostics() as diagnostics:
        ttgir = backend.make_ttgir(asm["ttir"], {}, options) if "ttir" in asm else asm.get("ttgir", "")
        if ttgir:
            return ttgir, backend.make_llir(ttgir, {}, options), diagnostics
    if "llir" not in asm:
        raise errors.CompileError("a report needs TTIR, TTGIR or LLVM IR of the kernel")
    return "", asm["llir"], []


def _group(depth: int, parts: tuple[Sequence[Any], ...]) -> dict[errors.SourceLocation | None, tuple[list[Any], ...]]:
    """Group objects by lines, those of the call `depth` levels inside of the outermost one. Columns are ignored."""
    groups: dict[errors.SourceLocation | None, tuple[list[Any], ...]] = {}
    for index, part in enumerate(parts):
        for item in part:
            found: Places = item.locations if isinstance(item, errors.Diagnostic) else item.places
            if len(found) <= depth:
                if depth:
                    continue
                key = None
            else:
                outer = found[-1 - depth]
                key = errors.SourceLocation(outer.file, outer.line, 0)
            groups.setdefault(key, tuple([] for _ in parts))[index].append(item)
    return groups


def _rows(depth: int, *parts: Sequence[Any]) -> tuple[Row, ...]:
    """Return rows of instructions, accesses, conversions and remarks."""
    groups = _group(depth, parts)
    ordered = sorted(groups, key=lambda place: (place is None, place and (place.file, place.line)))
    return tuple(
        Row(
            place,
            Figures.of(groups[place][0]),
            IRFigures.of(groups[place][1]),
            tuple(groups[place][2]),
            tuple(groups[place][3]),
            tuple(groups[place][0]),
            _rows(depth + 1, *groups[place]) if place else (),
        )
        for place in ordered
    )


def _choose_mode(kernel: Any, llvm_ir: str, options: XeOptions) -> str:
    """Choose how many registers per thread the kernel is built with."""
    # A kernel of the CPU device has none.
    if kernel.metadata.chosen_grf_mode:
        return kernel.metadata.chosen_grf_mode
    choice = register_mode.choose(options.grf_mode, llvm_ir, options.arch, options.num_warps)
    if choice.spare is None:
        return choice.mode
    spirv = compiler.translate_to_spirv(llvm_ir, "none", options)
    return register_mode.compile_native(spirv, options.arch, choice, kernel.metadata.name)[1]


def compile_with_places(
    name: str, llvm_ir: str, options: XeOptions, mode: str
) -> tuple[native.NativeCode, list[Instruction]]:
    """Return native code of a kernel, and its instructions with their places."""
    compiled, lines = native_lines.compile_with_lines(name, llvm_ir, options, mode)
    isa_text = native.disassemble(compiled.zebin, options.arch, addresses=True)
    return compiled, code.parse(isa_text, lines, target.resolve(options.arch).register_bytes)


def add_executed(instructions: list[Instruction], counts: Mapping[int, simulator.Executed]) -> list[Instruction]:
    """Return the instructions with what launches executed of them.

    Raises CompileError where the code that was launched is not this one.
    """
    if not counts:
        return instructions
    if not {each.address for each in instructions} <= counts.keys():
        raise errors.CompileError("the code with lines is not the code that the simulator ran")
    return [dataclasses.replace(each, executed=counts[each.address]) for each in instructions]


def add_model(instructions: list[Instruction], model: timing_model.Modelled | None) -> list[Instruction]:
    """Return the instructions, whose launches `add_executed` knows, with the timing model's results for them."""
    if model is None:
        return instructions
    return [dataclasses.replace(each, model=model.instructions.get(each.address)) for each in instructions]


def _constants(source: Any) -> dict[str, Any]:
    """Return the constants of a kernel by their names, as far as its source is known."""
    names = getattr(getattr(source, "fn", None), "arg_names", ())
    return {
        names[path[0]]: value
        for path, value in (getattr(source, "constants", None) or {}).items()
        if len(path) == 1 and path[0] < len(names)
    }


def _changed(options: XeOptions, mode: str) -> dict[str, Any]:
    """Return the options that differ from the defaults, for a title; `auto` with the mode that was chosen."""
    names = ("num_warps", "num_stages", "grf_mode", "warp_size", "raise_pointers", "assume_launch")
    shown = ("num_warps", "num_stages", "grf_mode")
    changed = {
        name: getattr(options, name)
        for name in names
        if name in shown or getattr(options, name) != getattr(XeOptions, name, None)
    }
    return changed | {"grf_mode": register_mode.describe(options.grf_mode, mode)}


def _find_fit(asm: Any, options: XeOptions, mode: str, name: str) -> Fit | None:
    """Return with how many warps a kernel that spills does not, or with how many it spills least.

    None for a kernel whose author gave its tensors layouts, which are those of one number of warps.
    """
    if "ttir" not in asm:
        return None
    best = None
    warps = 2 * options.num_warps
    while warps <= target.resolve(options.arch).max_warps[register_mode.fewest(mode, options.arch)]:
        with_warps = dataclasses.replace(options, num_warps=warps)
        try:
            llvm_ir = _recompile(asm, with_warps)[1]
            spirv = compiler.translate_to_spirv(llvm_ir, "none", with_warps)
            figures = native.compile_native(spirv, options.arch, mode, name).figures
        except (errors.TritonXeError, TritonError):
            # With this number of warps the kernel cannot be built.
            break
        fit = Fit(warps, figures.total.scratch_messages)
        if best is None or fit.scratch_messages < best.scratch_messages:
            best = fit
        if fit.scratch_messages == 0:
            break
        warps *= 2
    return best


def _unique(diagnostics: Iterable[errors.Diagnostic]) -> list[errors.Diagnostic]:
    """Remove diagnostics that both stages report."""
    return list(dict.fromkeys(diagnostics))


def of(kernel: Any, launches: Launches | None = None) -> Report:
    """See `triton_xe.tools.report.of`."""
    options = gpu_options_of(kernel.metadata)
    ttgir, llvm_ir, diagnostics = _recompile(kernel.asm, options)
    mode = _choose_mode(kernel, llvm_ir, options)
    compiled, instructions = compile_with_places(kernel.metadata.name, llvm_ir, options, mode)
    model = timing_model.modelled(kernel)
    instructions = add_model(add_executed(instructions, simulator.executed(kernel)), model)
    accesses = list(ir.accesses(llvm_ir, kernel.metadata.threads_per_warp))
    remarks = _unique(diagnostics)
    return Report(
        name=kernel.metadata.name,
        arch=options.arch,
        options=_constants(getattr(kernel, "src", None)) | _changed(options, mode),
        instructions=tuple(instructions),
        rows=_rows(
            0,
            instructions,
            accesses,
            list(ir.conversions(ttgir)),
            remarks,
        ),
        loops=tuple(loops.find(instructions, options.arch)),
        compiler=compiled.compiler,
        native=compiled.figures,
        total=Figures.of(instructions),
        remarks=tuple(remarks),
        fit=_find_fit(kernel.asm, options, mode, kernel.metadata.name) if compiled.figures.spilled_registers else None,
        model=model,
        launches=launches,
    )
