"""Compilations leave next to nothing behind."""

from __future__ import annotations

import pytest
from different_kernels import compile_different, resident_megabytes
from triton.backends.compiler import GPUTarget

#: Compilations until nothing more is loaded or allocated once, and those whose memory counts.
FIRST, COUNT = 40, 40

#: Kilobytes that a compilation may leave behind; Triton's own frontend takes 16 of them.
LIMIT = 50


@pytest.mark.parametrize(("name", "runtime"), [("xpu", "native"), ("cpu", "native"), ("cpu", "opencl")])
def test_compilations_do_not_add_up(name, runtime, tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", runtime)
    target = GPUTarget(name, "pvc", 16)
    compile_different(target, range(FIRST), tmp_path)
    before = resident_megabytes()
    compile_different(target, range(FIRST, FIRST + COUNT), tmp_path)
    assert (resident_megabytes() - before) * 1024 / COUNT < LIMIT
