# SPDX-License-Identifier: MIT
"""One process compiles many kernels while the C library checks its heap: later ones meet what one has damaged.

Each freed byte is overwritten, so that code that reads a freed operation does not find it as it was.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import triton

CHECKS = {"LD_PRELOAD": "libc_malloc_debug.so.0", "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165"}
PROGRAM = """
import sys
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton_xe import errors

@triton.jit
def scaled(a, b, scales, c, N: tl.constexpr, K: tl.constexpr, SHIFT: tl.constexpr):
    m, n, k = tl.arange(0, 16), tl.arange(0, N), tl.arange(0, K)
    x = tl.load(a + m[:, None] * K + k[None, :])
    e = tl.load(scales + (k // 32)[:, None] * N + n[None, :]).to(tl.int32)
    s = tl.where(e == 255, float("nan"), (e << SHIFT).to(tl.float32, bitcast=True))
    s *= (e & 15).to(tl.float32) + (e >> 4).to(tl.float32)
    y = tl.load(b + k[:, None] * N + n[None, :]).to(tl.float32) * s
    tl.store(c + m[:, None] * N + n[None, :], tl.dot(x, y.to(tl.float16)))

target = GPUTarget("xpu", "pvc", 16)
signature = {"a": "*fp16", "b": "*fp16", "scales": "*u8", "c": "*fp32", "N": "constexpr", "K": "constexpr",
             "SHIFT": "constexpr"}
count = 0
for path in sys.argv[1:]:
    try:
        triton.compile(path, target=target)
    except errors.CompileError as error:
        # Code of NVIDIA's is refused.
        assert "inline assembly" in str(error) or "another device" in str(error), error
    count += 1
for columns in (16, 32):
    for shift in range(16, 24):
        values = {"N": columns, "K": 64, "SHIFT": shift}
        triton.compile(ASTSource(scaled, signature, values), target=target)
        count += 1
print("compiled", count)
"""


def test_fifty_kernels_in_one_process(tmp_path):
    """Kernels of all kinds, and narrow loads whose users meet again."""
    folder = Path(__file__).parents[2] / "Inputs" / "ttir" / ".".join(triton.__version__.split("+")[0].split(".")[:3])
    files = sorted(str(path) for path in folder.glob("*.ttir") if not path.name.endswith(".source.ttir"))
    if len(files) < 30:
        pytest.skip(f"no kernels are recorded for Triton {triton.__version__}")
    script = tmp_path / "compile.py"
    script.write_text(PROGRAM)
    environment = os.environ | CHECKS | {"TRITON_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(
        # A process whose heap is damaged may also hang.
        [sys.executable, str(script), *files],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, f"status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    assert f"compiled {len(files) + 16}" in done.stdout
    assert len(files) + 16 >= 50
