# SPDX-License-Identifier: MIT
"""Cases of the kernel suite, whose kernels the XPU driver launches on the virtual GPU: `suite.py NAME ...`."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import torch
import xpu_double as xpu
from kernel_suite import CASES
from kernel_suite.case import GUARD_BYTES, GUARD_PATTERN, KernelCase, Session
from numerics import assert_close


class XPUSession(Session):
    """Tensors in memory of the GPU."""

    def _allocate(self, shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        size = torch.Size(shape).numel() * dtype.itemsize
        storage = xpu.empty((GUARD_BYTES + size + GUARD_BYTES,), torch.uint8)
        storage.fill_(GUARD_PATTERN)
        for guard in (storage[:GUARD_BYTES], storage[GUARD_BYTES + size :]):
            self._guarded.append((guard, guard.clone()))
        return storage[GUARD_BYTES : GUARD_BYTES + size].view(dtype).view(tuple(shape))


def run(case: KernelCase) -> None:
    """Run a case, and compare its results."""
    session = XPUSession("xpu", options={"num_warps": case.num_warps[0]})
    results = case.body(session)
    session.check_untouched()
    assert results
    for result in results:
        assert_close(xpu.host(result.actual), result.expected.as_subclass(torch.Tensor), result.tolerance)


def main() -> int:
    """Run cases; print how each of them ended, and return 1 if one failed."""
    xpu.install()
    failed = False
    for name in sys.argv[1:]:
        begin = time.perf_counter()
        try:
            run(CASES[name])
        except Exception:
            failed = True
            print(f"{name} failed\n{traceback.format_exc()}", flush=True)
        else:
            print(f"{name} ok {time.perf_counter() - begin:.1f}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
