# SPDX-License-Identifier: MIT
"""Kernels in Gluon, whose author has chosen the layouts and allocates shared memory: they begin with TTGIR.

The wheel's passes inline functions and fill in the layouts that the author left open (`gl.AutoLayout`). Behind them no
pass chooses a layout. The allocation of shared memory and everything after it are the same as for other kernels.

Triton's language has operations and layouts of NVIDIA's and AMD's chips, too, which are found in the text of the
module: neither a pass of the wheel nor our parser has to expect them.
"""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any

from triton._C.libtriton import ir, passes

from triton_xe import compiler, errors, ir_lines
from triton_xe.compat import instrumentation

if TYPE_CHECKING:
    from triton_xe import _compiler
    from triton_xe import options as xe_options


@dataclasses.dataclass(frozen=True)
class Advice:
    """A kind of operation or layout that is there for other chips: a pattern of its name, and what takes its place."""

    pattern: str
    text: str


#: The first one whose pattern the name contains is given.
ADVICE = (
    Advice(r"warp_|rocdl", "all warps of a program run the same code here"),
    Advice(r"tmem|tensor_memory", "`gl.allocate_shared_memory` has the memory that warps share"),
    Advice(r"nvmma_shared|rotating_shared|partitioned_shared", "`gl.SwizzledSharedLayout`, `gl.PaddedSharedLayout` and "
           "`gl.SharedLinearLayout` work on every chip"),
    Advice(r"mma|mfma|dot|tc_?gen", "`gl.dot_fma` multiplies matrices with a `gl.BlockedLayout`"),
    Advice(r"tma|tdm|copy|buffer|desc|prefetch", "`gl.load` and `gl.store` with pointers access memory"),
    Advice(r"barrier|fence|cluster|arrive|wait|async", "`gl.barrier()` waits for all warps of a program"),
)  # fmt: skip

_OPERATION = re.compile(r'^\s*(?:%[^=]+ = )?"?((\w+)\.[\w.]+)', re.MULTILINE)
#: Attributes and types that our TTGIR lacks, by their names.
_FOREIGN_LAYOUT = re.compile(
    r"[#!](?:ttg\.(?:nvidia_mma|amd_\w+|nvmma_shared|partitioned_shared)|(?:ttng|amdg?|amdgpu)\.\w+)"
)
#: The dialects of NVIDIA's and AMD's operations.
_FOREIGN_DIALECTS = ("ttng", "nvgpu", "nvvm", "amdg", "amdgpu", "rocdl")
#: Descriptors in Gluon are those of NVIDIA's and AMD's engines for copies.
_FOREIGN_OPERATIONS = re.compile(r"ttg\.(?:warp_specialize|async_\w+)|tt\.(?:make_tensor_descriptor|descriptor_\w+)")


def make_ttgir(module: Any, options: xe_options.XeOptions) -> str:
    """Return the TTGIR of a kernel with the layouts that its author has chosen.

    Raises CompileError for what other chips have, and for layouts that contradict each other.
    """
    instrumentation.end()
    check_portable(str(module))
    manager = ir.pass_manager(module.context)
    manager.enable_debug()
    passes.gluon.add_inliner(manager)
    passes.gluon.add_infer_coalesced_encodings(manager)
    passes.gluon.add_resolve_auto_encodings(manager)
    passes.gluon.add_canonicalizer(manager)
    passes.common.add_sccp(manager)
    passes.ttir.add_loop_aware_cse(manager)
    passes.gluon.add_canonicalizer(manager)
    try:
        manager.run(module, "make_ttgir")
    except RuntimeError as error:
        raise errors.CompileError(
            f"Triton cannot find a layout for each tensor of `{module.get_entry_func_name()}`; its message above names "
            "the line. `gl.set_auto_layout` and `gl.convert_layout` say which layout is meant"
        ) from error
    ours = _parse(str(module))
    assume_launch = str(options.assume_launch).lower()
    compiler.run_pipeline(ours, f"triton-xe-gluon-pipeline{{arch={options.arch} assume-launch={assume_launch}}}")
    return ours.to_text()


def _parse(text: str) -> _compiler.Module:
    """Return the text as a module of our compiler. Errors of the parser name the lines of the kernel."""
    try:
        return compiler.native_compiler().Module.parse(text, "ttgir")
    except errors.CompileError as error:
        module = ir_lines.ModuleText(text)
        diagnostics = [_relocate(each, module) for each in error.diagnostics]
        raise errors.CompileError(error.message, diagnostics) from error


def _relocate(diagnostic: errors.Diagnostic, module: ir_lines.ModuleText) -> errors.Diagnostic:
    """Return a diagnostic about a line of a module's text as one about the kernel's line that it comes from."""
    number = diagnostic.locations[0].line - 1 if diagnostic.locations else len(module.lines)
    if number >= len(module.lines):
        return diagnostic
    # A layout has a name, and no line of its own.
    if name := re.match(r"(#\w+) = ", module.lines[number]):
        used = re.compile(rf"^\s.*{name[1]}\b")
        number = next((index for index, line in enumerate(module.lines) if used.match(line)), number)
    place = module.operation_location(number)
    return dataclasses.replace(diagnostic, locations=(place,) if place else ())


def check_portable(text: str) -> None:
    """Raise CompileError for the first operation or layout that only other chips have, with the line of the kernel."""
    module = ir_lines.ModuleText(text)
    layouts = dict(re.findall(r"^(#\w+) = (.*)$", text, re.MULTILINE))
    foreign = {name: match[0] for name, definition in layouts.items() if (match := _FOREIGN_LAYOUT.match(definition))}
    for number, line in enumerate(module.lines):
        if not (operation := _OPERATION.match(line)):
            continue
        found = ""
        if operation[2] in _FOREIGN_DIALECTS or _FOREIGN_OPERATIONS.fullmatch(operation[1]):
            found = f"operation `{operation[1]}`"
        elif layout := _FOREIGN_LAYOUT.search(line):
            found = f"layout `{layout[0][1:]}`"
        elif alias := next((name for name in re.findall(r"#\w+", line) if name in foreign), None):
            found = f"layout `{foreign[alias][1:]}`"
        if found:
            advice = next((each.text for each in ADVICE if re.search(each.pattern, found)), "")
            message = f"the {found} is for other chips" + (f"; {advice}" if advice else "")
            place = module.operation_location(number)
            raise errors.CompileError(message, [errors.Diagnostic("error", message, (place,) if place else ())])
