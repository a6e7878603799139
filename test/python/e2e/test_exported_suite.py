# SPDX-License-Identifier: MIT
"""The kernels of the suite, launched by the library for programs without Python, each by both of its versions."""

from __future__ import annotations

import ctypes
import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch
import triton
from kernel_suite import ALL_CASES
from kernel_suite.case import KernelCase, Launch
from numerics import assert_close
from triton.backends.compiler import GPUTarget
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe import target
from triton_xe.tools.ahead_of_time import compilation
from triton_xe.tools.ahead_of_time import inductor as aot_inductor
from triton_xe.tools.ahead_of_time.signature import SCALARS, Parameter

CPU = GPUTarget("cpu", "pvc", 16)
#: The types of triton_xe.h, in its order.
TYPES = (
    "POINTER", "BOOL", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "FLOAT16", "BFLOAT16",
    "FLOAT32", "FLOAT64", "DESCRIPTOR",
)  # fmt: skip
C_TYPES = {
    "bool": ctypes.c_bool, "float": ctypes.c_float, "double": ctypes.c_double,
    **{f"{sign}int{bits}_t": getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
}  # fmt: skip
#: The cases of the default run: a case of each family that has conditions.
COMPACT = {
    "matmul/descriptor_gemm-made_on_device",
    "matmul/descriptor_gemm-made_on_host",
    "matmul/grouped_gemm",
    "embedding/rotary-interleaved_True-dtype_float16",
}


class Argument(ctypes.Structure):
    """`triton_xe_argument`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        *((name, ctypes.c_uint8) for name in ("type", "hint", "rank", "element_bytes")),
    )


class Condition(ctypes.Structure):
    """`triton_xe_condition`."""

    _fields_ = (("surface", ctypes.c_int64), ("code", ctypes.POINTER(ctypes.c_int64)), ("length", ctypes.c_size_t))


class Kernel(ctypes.Structure):
    """`triton_xe_kernel`."""


Kernel._fields_ = (
    ("version", ctypes.c_uint32),
    ("work_group_size", ctypes.c_uint32),
    ("name", ctypes.c_char_p),
    ("binary", ctypes.c_char_p),
    ("binary_size", ctypes.c_size_t),
    ("arguments", ctypes.POINTER(Argument)),
    ("num_arguments", ctypes.c_size_t),
    ("conditions", ctypes.POINTER(Condition)),
    ("num_conditions", ctypes.c_size_t),
    ("fallback", ctypes.POINTER(Kernel)),
    ("state", ctypes.c_void_p),
)

#: The library keeps what it loads, and refers to it.
_alive: list[Any] = []


def describe(versions: tuple[compilation.Version, ...], parameters: tuple[Parameter, ...]) -> Kernel:
    """Return the data of generated code."""
    rows = []
    for parameter in filter(lambda one: one.is_argument, parameters):
        name = "DESCRIPTOR" if parameter.rank else SCALARS.get(parameter.type, ("POINTER",))[0]
        row = (parameter.name.encode(), TYPES.index(name), parameter.hint, parameter.rank, parameter.element_bytes)
        rows.append(Argument(*row))
    arguments = (Argument * len(rows))(*rows)
    kernel = None
    for version in reversed(versions):
        conditions = (Condition * len(version.conditions))(
            *(
                Condition(surface, (ctypes.c_int64 * len(code))(*code), len(code))
                for surface, code in version.conditions
            )
        )
        fallback = ctypes.pointer(kernel) if kernel else None
        kernel = Kernel(
            2, version.work_group_size, version.name.encode(), version.binary, len(version.binary), arguments,
            len(rows), conditions, len(conditions), fallback, None,
        )  # fmt: skip
        _alive.extend((version, arguments, conditions, kernel))
    return kernel


def to_c(parameter: Parameter, value: Any) -> Any:
    """Return an argument as the function gets it."""
    if isinstance(value, TensorDescriptor):
        sizes = ctypes.c_int64 * parameter.rank
        fields = (("base", ctypes.c_void_p), ("shape", sizes), ("strides", sizes))
        kind = type("Descriptor", (ctypes.Structure,), {"_fields_": fields})
        return kind(value.base.data_ptr(), sizes(*value.shape), sizes(*value.strides))
    if parameter.type.startswith("*"):
        return ctypes.c_void_p(value.data_ptr() if isinstance(value, torch.Tensor) else value)
    return C_TYPES[SCALARS[parameter.type][1]](value)


def count_bytes(value: Any) -> int:
    """Return the number of bytes that a tensor spans; any number for what is none."""
    if not isinstance(value, torch.Tensor) or not value.numel():
        return 0
    last = sum((size - 1) * stride for size, stride in zip(value.shape, value.stride(), strict=True))
    return (last + 1) * value.element_size()


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    """Return the library; it needs nothing of Python's."""
    loaded = ctypes.CDLL(str(target.installed_file("lib") / "libtriton_xe_cpu.so"))
    loaded.triton_xe_cpu_error_message.restype = ctypes.c_char_p
    return loaded


def launch(library: ctypes.CDLL, one: Launch, use_fallback: bool) -> bool:
    """Run a launch of the suite; returns whether its kernel has conditions."""
    source, options = one.source(CPU)
    compiled = triton.compile(source, target=CPU, options=options)
    versions = compilation.compile_versions(source, compiled)
    parameters = compilation.source_parameters(source)
    # Only the fallback, whatever the launch is like.
    run(library, one, describe(versions[-1:] if use_fallback else versions, parameters), parameters)
    return len(versions) > 1


def run(library: ctypes.CDLL, one: Launch, kernel: Kernel, parameters: tuple[Parameter, ...]) -> None:
    """Run a kernel with the arguments of a launch."""
    values = dict(zip(one.kernel.arg_names, one.arguments, strict=False)) | one.keywords
    passed = [to_c(parameter, values[parameter.name]) for parameter in parameters if parameter.is_argument]
    addresses = (ctypes.c_void_p * len(passed))(*(ctypes.addressof(value) for value in passed))
    sizes = (ctypes.c_size_t * len(passed))(
        *(count_bytes(values[parameter.name]) for parameter in parameters if parameter.is_argument)
    )
    grid = (*one.grid, 1, 1)[:3]
    status = library.triton_xe_cpu_launch_sized(ctypes.byref(kernel), *map(ctypes.c_int64, grid), addresses, sizes)
    assert status == 0, library.triton_xe_cpu_error_message()


def test_alignment(library):
    """A kernel of a model whose input is not aligned as it was when the model was compiled takes its other version: 2D
    block messages have conditions that follow from the alignment, and are not checked again."""
    gemm = compilation.find_kernel(compilation.load_module(Path(__file__).with_name("exported") / "kernels.py"), "gemm")
    a, b = torch.randn(32 * 96 + 1).half(), torch.randn(64, 32).half()
    blocks = {"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32}
    # Rows of A are longer than they need be: room for what rounding down its address adds.
    sizes = (32, 32, 64, 96, 32, 32)
    launches = [
        Launch(gemm, (1,), (left, b, torch.empty(32, 32), *sizes), blocks)
        for left in (a[:-1].view(32, 96), a[1:].view(32, 96))
    ]
    source, options = launches[0].source(CPU)
    versions = aot_inductor.compile_versions(source, triton.compile(source, target=CPU, options=options))
    assert len(versions) == 2 and versions[0].conditions and not versions[1].conditions
    parameters = tuple(dataclasses.replace(one, hint=0) for one in compilation.source_parameters(source))
    kernel = describe(versions, parameters)
    for one in launches:
        run(library, one, kernel, parameters)
        left, right, product = one.arguments[:3]
        torch.testing.assert_close(product, left[:, :64].float() @ right.float(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, id=str(case), marks=() if case.name in COMPACT else pytest.mark.full) for case in ALL_CASES],
)
def test_numbers(case: KernelCase, library, monkeypatch):
    """Both versions have the numbers of the reference: the second one is right for every launch."""
    had_conditions = []
    monkeypatch.setattr(Launch, "run", lambda one: had_conditions.append(launch(library, one, use_fallback=False)))
    results = case.run()
    if any(had_conditions):
        monkeypatch.setattr(Launch, "run", lambda one: launch(library, one, use_fallback=True))
        results += case.run(seed=1)
    for result in results:
        assert_close(result.actual, result.expected, result.tolerance)
