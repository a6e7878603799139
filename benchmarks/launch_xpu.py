# SPDX-License-Identifier: MIT
"""The launches on a GPU that launch.py compares with: one by Level Zero alone, from C, and one by dpctl.

The GPU is the virtual one, with Intel's driver, which executes no kernel: a launch takes the time that it costs.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import torch

PROGRAMS = Path(__file__).resolve().parents[1] / "test" / "python" / "virtual_gpu"
sys.path.insert(0, str(PROGRAMS))

#: Appends a kernel, whose arguments are set, to a list repeatedly.
APPENDING = """
#include <time.h>
static double read_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec + 1e-9 * now.tv_nsec;
}
double time_appends(int (*append)(void *, void *, const void *, void *, unsigned, void *), void *list, void *kernel,
                    int count) {
  unsigned groups[3] = {1, 1, 1};
  double begin = read_clock();
  for (int i = 0; i < count; ++i)
    if (append(list, kernel, groups, 0, 0, 0))
      return -1;
  return (read_clock() - begin) / count;
}
"""


def start(chip: str, arguments: list[str]) -> NoReturn:
    """Go on as launch.py with these arguments, on the virtual GPU. Raises ToolError."""
    from triton_xe.tools.virtual_gpu import driver, starting

    script = Path(__file__).with_name("launch.py")
    gpu = starting.VirtualGPU(chip, executes=False)
    starting.replace_process(driver.find(), gpu, [sys.executable, "-W", "ignore", str(script), *arguments])
    raise AssertionError("the process is another program by now")


def install() -> None:
    """Let torch have a GPU, whose tensors answer as fast as those of torch."""
    import xpu_double

    xpu_double.install()
    # Tensors are of the processor's torch, whose type has this as a property of C.
    torch.Tensor.is_xpu = torch.Tensor.is_cpu


def place(tensor: torch.Tensor) -> torch.Tensor:
    """Return the tensor in the GPU's memory."""
    import xpu_double

    return xpu_double.copy(tensor).as_subclass(torch.Tensor)


def wait() -> None:
    """Wait until the stream is empty."""
    import xpu_double

    xpu_double.queue().wait()


def make_append(spirv: bytes, name: str) -> Callable[[int], float]:
    """Return what times appends of a kernel without arguments to an immediate list in order, in seconds for one."""
    import level_zero

    compiler = shutil.which("cc") or shutil.which("clang-22")
    if not compiler:
        raise SystemExit("error: timing Level Zero needs a C compiler")
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder) / "append.c", Path(folder) / "append.so"
        source.write_text(APPENDING)
        subprocess.run([compiler, "-shared", "-fPIC", "-O1", source, "-o", library], check=True)
        function = ctypes.CDLL(str(library)).time_appends
    function.restype = ctypes.c_double
    device = level_zero.Device()
    kernel = device.find_kernel(device.load(spirv), name)
    device.call("zeKernelSetGroupSize", kernel, 64, 1, 1)
    append = ctypes.cast(device.library.zeCommandListAppendLaunchKernel, ctypes.c_void_p)

    def time_appends(count: int) -> float:
        seconds = function(append, device.list, kernel, count)
        device.wait()
        if seconds < 0:
            raise SystemExit("error: Level Zero refused the launch")
        return seconds

    return time_appends


def make_submit(spirv: bytes, name: str) -> Callable[[], Any]:
    """Return what launches a kernel without arguments by dpctl."""
    import dpctl
    import dpctl.program
    import xpu_double

    queue = xpu_double.queue()
    kernel = dpctl.program.create_program_from_spirv(queue, spirv).get_sycl_kernel(name)
    return lambda: queue.submit(kernel, [], [64], [64])
