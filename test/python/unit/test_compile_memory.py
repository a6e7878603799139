# SPDX-License-Identifier: MIT
"""Compilations release nearly everything."""

from __future__ import annotations

import pytest
from different_kernels import compile_different, resident_megabytes
from triton.backends.compiler import GPUTarget

pytestmark = pytest.mark.usefixtures("emits_again")

#: Compilations until nothing more is loaded or allocated once, and those whose memory counts: of what a process gets
#: from the system in large pieces now and then, one of three rounds is free, of what adds up none.
FIRST, COUNT, ROUNDS = 40, 40, 3

#: Kilobytes that a compilation may not release; Triton's own frontend takes 16 of them.
LIMIT = 50


@pytest.mark.parametrize(
    ("name", "runtime"),
    # The third one compiles as the first one does.
    [("xpu", "native"), ("cpu", "native"), pytest.param("cpu", "opencl", marks=pytest.mark.full)],
)
def test_compilations_do_not_add_up(name, runtime, tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", runtime)
    target = GPUTarget(name, "pvc", 16)
    compile_different(target, range(FIRST), tmp_path)
    left = []
    for begin in range(FIRST, FIRST + ROUNDS * COUNT, COUNT):
        before = resident_megabytes()
        compile_different(target, range(begin, begin + COUNT), tmp_path)
        left.append((resident_megabytes() - before) * 1024 / COUNT)
        if left[-1] < LIMIT:
            break
    assert min(left) < LIMIT, left
