# SPDX-License-Identifier: MIT
"""When the commands of a SYCL queue ran, as a profiler measures it: `sycl_times.py SPIRV`, which asserts."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import dpctl
import dpctl.memory
import dpctl.program

COUNT, LAUNCHES = 4096, 3


def main() -> None:
    """Measure launches by their own events, and by those of barriers around them, as torch.xpu.Event does."""
    queue = dpctl.SyclQueue("level_zero:gpu", property=["enable_profiling", "in_order"])
    kernel = dpctl.program.create_program_from_spirv(queue, Path(sys.argv[1]).read_bytes()).get_sycl_kernel("work")
    memory = dpctl.memory.MemoryUSMDevice(4 * COUNT, queue=queue)
    for steps in (1000, 2000):
        before = queue.submit_barrier()
        events = [queue.submit(kernel, [memory, ctypes.c_int(steps)], [COUNT], [64]) for _ in range(LAUNCHES)]
        after = queue.submit_barrier()
        after.wait()
        single = [event.profiling_info_end - event.profiling_info_start for event in events]
        elapsed = after.profiling_info_end - before.profiling_info_end
        assert all(event.profiling_info_submit <= event.profiling_info_start for event in events)
        assert max(single) - min(single) < 100, single
        assert sum(single) <= elapsed < 1.05 * sum(single), (single, elapsed)
        print("nanoseconds", single[0], flush=True)


if __name__ == "__main__":
    main()
