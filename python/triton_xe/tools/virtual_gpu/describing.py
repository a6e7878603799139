# SPDX-License-Identifier: MIT
"""Print what Level Zero, OpenCL and SYCL report of the GPUs that this process sees. Started by `triton-xe gpu info`."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator

from triton_xe import errors

_GIGABYTE = 1 << 30


class _DeviceProperties(ctypes.Structure):
    """`ze_device_properties_t` of Level Zero."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("next", ctypes.c_void_p),
        ("type", ctypes.c_uint32),
        ("vendor", ctypes.c_uint32),
        ("device", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("subdevice", ctypes.c_uint32),
        ("clock", ctypes.c_uint32),
        ("max_allocation", ctypes.c_uint64),
        ("max_contexts", ctypes.c_uint32),
        ("max_priority", ctypes.c_uint32),
        ("threads_per_engine", ctypes.c_uint32),
        ("engine_width", ctypes.c_uint32),
        ("engines_per_core", ctypes.c_uint32),
        ("cores_per_slice", ctypes.c_uint32),
        ("slices", ctypes.c_uint32),
        ("timer_resolution", ctypes.c_uint64),
        ("timestamp_bits", ctypes.c_uint32),
        ("kernel_timestamp_bits", ctypes.c_uint32),
        ("uuid", ctypes.c_uint8 * 16),
        ("name", ctypes.c_char * 256),
    )


#: The number of that structure.
_DEVICE_PROPERTIES = 0x3


def _check(function: str, status: int) -> None:
    if status != 0:
        raise errors.ToolError(f"`{function}` failed with status 0x{status & 0xFFFFFFFF:x}")


def _load(name: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise errors.ToolError(str(error)) from error


def _list_handles(library: ctypes.CDLL, function: str, *before: object) -> list[ctypes.c_void_p]:
    """Return the handles that a function of Level Zero lists."""
    count = ctypes.c_uint32()
    _check(function, getattr(library, function)(*before, ctypes.byref(count), None))
    handles = (ctypes.c_void_p * count.value)()
    _check(function, getattr(library, function)(*before, ctypes.byref(count), handles))
    return [ctypes.c_void_p(handle) for handle in handles]


def level_zero() -> Iterator[str]:
    """Describe the devices of Level Zero."""
    library = _load("libze_loader.so.1")
    _check("zeInit", library.zeInit(0))
    for driver in _list_handles(library, "zeDriverGet"):
        for device in _list_handles(library, "zeDeviceGet", driver):
            found = _DeviceProperties(kind=_DEVICE_PROPERTIES)
            _check("zeDeviceGetProperties", library.zeDeviceGetProperties(device, ctypes.byref(found)))
            cores = found.slices * found.cores_per_slice
            yield (
                f"{found.name.decode()} (0x{found.device:04x}): {cores} cores, "
                f"{cores * found.engines_per_core * found.threads_per_engine} threads, {found.clock} MHz"
            )


def opencl() -> Iterator[str]:
    """Describe the GPUs of OpenCL."""
    library = _load("libOpenCL.so.1")
    count = ctypes.c_uint32()
    _check("clGetPlatformIDs", library.clGetPlatformIDs(0, None, ctypes.byref(count)))
    platforms = (ctypes.c_void_p * count.value)()
    _check("clGetPlatformIDs", library.clGetPlatformIDs(count, platforms, None))
    gpu, name_key, version_key, memory_key = ctypes.c_uint64(4), 0x102B, 0x102D, 0x101F
    for platform in map(ctypes.c_void_p, platforms):
        devices = (ctypes.c_void_p * 64)()
        if library.clGetDeviceIDs(platform, gpu, len(devices), devices, ctypes.byref(count)) != 0:
            continue
        for device in map(ctypes.c_void_p, devices[: count.value]):
            texts = []
            for key in (name_key, version_key):
                text = ctypes.create_string_buffer(256)
                _check("clGetDeviceInfo", library.clGetDeviceInfo(device, key, ctypes.c_size_t(256), text, None))
                texts.append(text.value.decode())
            size = ctypes.c_uint64()
            status = library.clGetDeviceInfo(device, memory_key, ctypes.c_size_t(8), ctypes.byref(size), None)
            _check("clGetDeviceInfo", status)
            yield f"{texts[0]} (driver {texts[1]}): {size.value / _GIGABYTE:.1f} GB"


def sycl() -> Iterator[str]:
    """Describe the devices of SYCL, as its binding `dpctl` lists them."""
    try:
        import dpctl
    except ImportError:
        yield "dpctl is not installed, which lists them"
        return
    for device in dpctl.get_devices(device_type="gpu"):
        version = f"driver {device.driver_version}"
        yield f"{device.name} ({version}): {device.max_compute_units} units, {device.filter_string}"


def main() -> int:
    """Print all of them; return 1 if one of them sees no GPU."""
    status = 0
    for title, describe in (("Level Zero", level_zero), ("OpenCL", opencl), ("SYCL", sycl)):
        try:
            lines = list(describe())
        except errors.ToolError as error:
            lines, status = [str(error)], 1
        if not lines:
            lines, status = ["no GPU"], 1
        for line in lines:
            print(f"{title:<12}{line}")
    return status


if __name__ == "__main__":
    sys.exit(main())
