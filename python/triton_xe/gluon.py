# SPDX-License-Identifier: MIT
"""Kernels in Gluon, whose author has chosen the layouts and allocates shared memory: they begin with TTGIR.

The wheel's passes inline functions and fill in the layouts that the author left open (`gl.AutoLayout`). After them no
pass chooses a layout. The allocation of shared memory and everything after it are the same as for other kernels.
"""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterator
from typing import Any

from triton._C.libtriton import ir, passes

from triton_xe import errors, ir_lines


def resolve_layouts(module: Any) -> str:
    """Return the TTGIR of a kernel in which every tensor has the layout that its author has chosen.

    Raises CompileError for layouts that contradict each other, and where there is none.
    """
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
        manager.run(module, "resolve_layouts")
    except RuntimeError as error:
        raise errors.CompileError(
            f"Triton cannot find a layout for each tensor of `{module.get_entry_func_name()}`; its message above names "
            "the line. `gl.set_auto_layout` and `gl.convert_layout` state which layout is meant"
        ) from error
    return str(module)


@contextlib.contextmanager
def naming_lines(text: str) -> Iterator[None]:
    """Let errors of a parser of this text, which name its lines, name the lines of the kernel."""
    try:
        yield
    except errors.CompileError as error:
        module = ir_lines.ModuleText(text)
        diagnostics = [_relocate(each, module) for each in error.diagnostics]
        raise errors.CompileError(error.message, diagnostics) from error


def _relocate(diagnostic: errors.Diagnostic, module: ir_lines.ModuleText) -> errors.Diagnostic:
    """Return a diagnostic about a line of a module's text as one about the kernel's line that it comes from."""
    number = diagnostic.locations[0].line - 1 if diagnostic.locations else len(module.lines)
    if number >= len(module.lines):
        return diagnostic
    # A layout has a name, and no separate line.
    if name := re.match(r"(#\w+) = ", module.lines[number]):
        used = re.compile(rf"^\s.*{name[1]}\b")
        number = next((index for index, line in enumerate(module.lines) if used.match(line)), number)
    place = module.operation_location(number)
    return dataclasses.replace(diagnostic, locations=(place,) if place else ())
