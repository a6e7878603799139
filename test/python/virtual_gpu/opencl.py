# SPDX-License-Identifier: MIT
"""A program of OpenCL, which has its kernel compiled from source when it runs; without a binding, by `ctypes`."""

from __future__ import annotations

import ctypes
import random
from typing import Any

_GPU = ctypes.c_uint64(4)
#: A queue whose events know when their commands ran; and when: queued, submitted, begun, ended.
_PROPERTIES = (ctypes.c_uint64 * 3)(0x1093, 2, 0)
_TIMES = (0x1280, 0x1281, 0x1282, 0x1283)
_READ_WRITE, _COPY = 1 << 0, 1 << 5

SOURCE = b"""
kernel void dot(global const int *x, global const int *y, global int *sums, local int *part) {
  int i = get_local_id(0);
  part[i] = x[get_global_id(0)] * y[get_global_id(0)];
  for (int step = get_local_size(0) / 2; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step)
      part[i] += part[i + step];
  }
  if (i == 0)
    sums[get_group_id(0)] = part[0];
}
"""


class OpenCL:
    """The library, whose functions either return a status or write it to their last argument."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL("libOpenCL.so.1")

    def call(self, name: str, *arguments: Any) -> None:
        """Call a function that returns a status."""
        status = getattr(self.library, name)(*arguments)
        assert status == 0, f"{name}: {status}"

    def make(self, name: str, *arguments: Any) -> ctypes.c_void_p:
        """Call a function that returns an object."""
        function, status = getattr(self.library, name), ctypes.c_int32()
        function.restype = ctypes.c_void_p
        result = function(*arguments, ctypes.byref(status))
        assert status.value == 0, f"{name}: {status.value}"
        return ctypes.c_void_p(result)


def main() -> None:
    """Compute sums of products, group by group."""
    cl, groups, local = OpenCL(), 12, 64
    platform, device = ctypes.c_void_p(), ctypes.c_void_p()
    cl.call("clGetPlatformIDs", 1, ctypes.byref(platform), None)
    cl.call("clGetDeviceIDs", platform, _GPU, 1, ctypes.byref(device), None)
    context = cl.make("clCreateContext", None, 1, ctypes.byref(device), None, None)
    queue = cl.make("clCreateCommandQueueWithProperties", context, device, _PROPERTIES)
    text = ctypes.c_char_p(SOURCE)
    program = cl.make("clCreateProgramWithSource", context, 1, ctypes.byref(text), None)
    cl.call("clBuildProgram", program, 1, ctypes.byref(device), b"", None, None)
    kernel = cl.make("clCreateKernel", program, b"dot")
    x, y = ([random.randrange(-1000, 1000) for _ in range(groups * local)] for _ in range(2))
    poison = [-1234567] * groups
    for index, values in enumerate((x, y, poison)):
        data = (ctypes.c_int32 * len(values))(*values)
        size = ctypes.c_size_t(ctypes.sizeof(data))
        buffer = cl.make("clCreateBuffer", context, ctypes.c_uint64(_READ_WRITE | _COPY), size, data)
        cl.call("clSetKernelArg", kernel, index, ctypes.c_size_t(8), ctypes.byref(buffer))
    cl.call("clSetKernelArg", kernel, 3, ctypes.c_size_t(4 * local), None)
    items, group = ctypes.c_size_t(groups * local), ctypes.c_size_t(local)
    sizes = (ctypes.byref(items), ctypes.byref(group))
    event = ctypes.c_void_p()
    cl.call("clEnqueueNDRangeKernel", queue, kernel, 1, None, *sizes, 0, None, ctypes.byref(event))
    sums = (ctypes.c_int32 * groups)()
    size = ctypes.c_size_t(ctypes.sizeof(sums))
    cl.call("clEnqueueReadBuffer", queue, buffer, 1, ctypes.c_size_t(0), size, sums, 0, None, None)
    parts = [range(i * local, (i + 1) * local) for i in range(groups)]
    assert list(sums) == [sum(x[k] * y[k] for k in part) for part in parts]
    times = [ctypes.c_uint64() for _ in _TIMES]
    for key, time in zip(_TIMES, times, strict=True):
        cl.call("clGetEventProfilingInfo", event, key, ctypes.c_size_t(8), ctypes.byref(time), None)
    queued, submitted, begun, ended = (time.value for time in times)
    # Times are those of the model: some microseconds, where the simulation takes milliseconds.
    assert queued <= submitted <= begun < ended < begun + 100_000
    print("dot ok")


if __name__ == "__main__":
    main()
