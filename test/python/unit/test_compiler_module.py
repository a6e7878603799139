# SPDX-License-Identifier: MIT
"""The extension module with the passes, by itself: from a module of the LLVM dialect to LLVM IR."""

from __future__ import annotations

import re

import pytest
from support import needs_test_passes

from triton_xe import _compiler, errors

KERNEL = """
llvm.func spir_kernelcc @kernel(%p: !llvm.ptr<1>) {
  %x = llvm.load %p : !llvm.ptr<1> -> i32
  %y = llvm.add %x, %x : i32
  llvm.store %y, %p : i32, !llvm.ptr<1>
  llvm.return
}
"""

#: `arith` has no translation.
LEFT = """
llvm.func @kernel(%x: i32) -> i32 {
  %y = arith.addi %x, %x : i32 loc("kernel.py":7:4)
  llvm.return %y : i32
}
"""


def test_llvm_ir_of_a_module_is_optimized():
    """A module becomes the text that its LLVM IR, in text, becomes: the optimizer finds nothing more to do."""
    text = _compiler.Module.parse(KERNEL, "kernel").optimize_llvm_ir()
    assert "shl i32" in text
    assert re.sub(" +; preds.*", "", text) == re.sub(" +; preds.*", "", _compiler.optimize_llvm_ir(text))


def test_level_zero_only_legalizes():
    """Computations are not changed."""
    assert "add i32" in _compiler.Module.parse(KERNEL, "kernel").optimize_llvm_ir(level=0)


def test_loads_are_kept_on_request():
    """A load that may not be left out is volatile."""
    module = _compiler.Module.parse(KERNEL, "kernel")
    assert "load volatile i32" in module.optimize_llvm_ir(keep_loads=True)
    assert "load i32" in module.optimize_llvm_ir()


def test_an_operation_without_translation_is_an_error_with_its_place():
    """The error leaves the module, and the compiler, in order."""
    module = _compiler.Module.parse(LEFT, "kernel")
    for _ in range(2):
        with pytest.raises(errors.CompileError, match=r"arith\.addi") as error:
            module.optimize_llvm_ir()
        assert "kernel.py:7" in str(error.value)
    assert _compiler.Module.parse(KERNEL, "kernel").optimize_llvm_ir()


def test_a_library_that_is_none_is_an_error():
    """Errors of LLVM have no place, but a reason."""
    with pytest.raises(errors.CompileError):
        _compiler.Module.parse(KERNEL, "kernel").optimize_llvm_ir(libraries=[b"no bitcode"])


CHANGED = """
llvm.func @kernel(%x: i32, %z: i64) {
  %y = llvm.add %x, %x : i32
  %w = llvm.add %y, %y : i32
  llvm.return
}
"""


def run_changes(*kinds: str) -> list[str]:
    """Run passes that change the module, each one before a report on an analysis, and return the reports."""
    _compiler.register_test_passes()
    passes = ",".join(f"test-change{{kind={kind}}},test-kept-analysis" for kind in kinds)
    module = _compiler.Module.parse(CHANGED, "kernel")
    return [report.message for report in module.run_pipeline(f"builtin.module({passes})")]


@needs_test_passes
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("attribute", "invalid data layout"),
        ("property", "entry block"),
        ("operand", "same type"),
        ("type", "same type"),
        ("argument", "entry block"),
        ("order", "does not dominate"),
        ("operation", "terminator"),
    ],
)
def test_every_change_is_verified(kind, message):
    """The pass before it, which changes nothing, is the one after which the module is verified last."""
    with pytest.raises(errors.CompileError, match=message):
        run_changes("nothing", kind)


@needs_test_passes
def test_analyses_are_kept_unless_something_changes():
    kinds = ("nothing", "nothing", "name", "nothing", "location", "nothing")
    assert run_changes(*kinds) == ["computed", "kept"] * 3
