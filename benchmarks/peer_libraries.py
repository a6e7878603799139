# SPDX-License-Identifier: MIT
"""Bindings of Intel's libraries for what `peers.py` compares: oneDNN by its C interface, and oneMKL by its symbols.

Nothing is linked: both libraries are loaded by `ctypes`, with the runtime of SYCL that is in the environment.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

Handle = ctypes.c_void_p

#: Numbers of oneDNN's header `dnnl_types.h`.
DATA_TYPES = {torch.float16: 1, torch.bfloat16: 2, torch.float32: 3, torch.int32: 4, torch.int8: 5}
_GPU, _IN_ORDER, _FORWARD_INFERENCE = 2, 1, 96
_GELU_ERF, _BINARY_ADD, _SOFTMAX_ACCURATE = 0x31, 0x1FFF0, 0x30000
_USE_SCALE, _USE_SHIFT, _RMS_NORM = 0x2, 0x4, 0x20
_MATH_MODES = {"strict": 0, "tf32": 4}
_SOURCE, _SOURCE_1, _DESTINATION, _WEIGHTS, _BIAS, _SCALE, _SHIFT = 1, 2, 17, 33, 41, 51, 52
_POST_OPERATIONS = 32768
_QUERY_IMPLEMENTATION = 8
#: The library allocates the memory.
_ALLOCATE = ctypes.c_void_p(-1)


class _Argument(ctypes.Structure):
    """`dnnl_exec_arg_t`."""

    _fields_ = (("argument", ctypes.c_int), ("memory", Handle))


@dataclass(frozen=True)
class Primitive:
    """A primitive with its arguments in memory of the GPU."""

    execute: Callable[[], None]
    read: Callable[[], torch.Tensor]
    implementation: str


class OneDNN:
    """An engine and a stream of oneDNN."""

    def __init__(self, folder: Path) -> None:
        self._library = ctypes.CDLL(str(folder / "lib" / "libdnnl.so.3"))
        self._engine = self._make("engine_create", ctypes.c_int(_GPU), ctypes.c_size_t(0))
        self._stream = self._make("stream_create", self._engine, ctypes.c_uint(_IN_ORDER))

    def _call(self, function: str, *arguments: Any) -> None:
        status = getattr(self._library, f"dnnl_{function}")(*arguments)
        if status:
            raise RuntimeError(f"dnnl_{function} failed with status {status}")

    def _make(self, function: str, *arguments: Any) -> Handle:
        made = Handle()
        self._call(function, ctypes.byref(made), *arguments)
        return made

    def _describe(self, tensor: torch.Tensor) -> Handle:
        count = tensor.dim()
        numbers = ctypes.c_int64 * count
        return self._make(
            "memory_desc_create_with_strides",
            ctypes.c_int(count),
            numbers(*tensor.shape),
            ctypes.c_int(DATA_TYPES[tensor.dtype]),
            numbers(*tensor.stride()),
        )

    def _copy(self, memory: Handle, tensor: torch.Tensor, is_read: bool) -> None:
        """Copy between memory of the GPU and a tensor whose bytes are dense, in the order of its strides."""
        place = Handle()
        self._call("memory_map_data", memory, ctypes.byref(place))
        size = tensor.numel() * tensor.element_size()
        if is_read:
            ctypes.memmove(tensor.data_ptr(), place, size)
        else:
            ctypes.memmove(place, tensor.data_ptr(), size)
        self._call("memory_unmap_data", memory, place)

    def _upload(self, tensor: torch.Tensor) -> Handle:
        memory = self._make("memory_create", self._describe(tensor), self._engine, _ALLOCATE)
        self._copy(memory, tensor, is_read=False)
        return memory

    def _finish(self, description: Handle, tensors: dict[int, torch.Tensor], output: torch.Tensor) -> Primitive:
        """Return the primitive of a description; `tensors` are inputs by the number of the argument."""
        primitive = self._make("primitive_create", description)
        memories = {number: self._upload(tensor) for number, tensor in tensors.items()}
        memories[_DESTINATION] = self._upload(output)
        arguments = (_Argument * len(memories))(*(_Argument(*entry) for entry in memories.items()))
        name = ctypes.c_char_p()
        self._call("primitive_desc_query", description, _QUERY_IMPLEMENTATION, 0, ctypes.byref(name))

        def execute() -> None:
            self._call("primitive_execute", primitive, self._stream, len(arguments), arguments)
            self._call("stream_wait", self._stream)

        def read() -> torch.Tensor:
            self._copy(memories[_DESTINATION], output, is_read=True)
            return output

        return Primitive(execute, read, (name.value or b"").decode())

    def product(
        self,
        a: torch.Tensor,
        b: torch.Tensor,
        output: torch.Tensor,
        *,
        math: str = "strict",
        bias: torch.Tensor | None = None,
        gelu: bool = False,
        added: torch.Tensor | None = None,
    ) -> Primitive:
        """Return `gelu(a @ b + bias) + added`, of which the last three are optional."""
        attributes, operations = self._make("primitive_attr_create"), self._make("post_ops_create")
        self._call("primitive_attr_set_fpmath_mode", attributes, ctypes.c_int(_MATH_MODES[math]))
        tensors = {_SOURCE: a, _WEIGHTS: b}
        if gelu:
            zero = ctypes.c_float(0)
            self._call("post_ops_append_eltwise", operations, ctypes.c_int(_GELU_ERF), zero, zero)
        if added is not None:
            self._call("post_ops_append_binary", operations, ctypes.c_int(_BINARY_ADD), self._describe(added))
            tensors[_POST_OPERATIONS * (int(gelu) + 1) | _SOURCE_1] = added
        self._call("primitive_attr_set_post_ops", attributes, operations)
        if bias is not None:
            tensors[_BIAS] = bias
        description = self._make(
            "matmul_primitive_desc_create",
            self._engine,
            self._describe(a),
            self._describe(b),
            self._describe(bias) if bias is not None else None,
            self._describe(output),
            attributes,
        )
        return self._finish(description, tensors, output)

    def softmax(self, x: torch.Tensor, output: torch.Tensor) -> Primitive:
        """Return the softmax of rows."""
        description = self._make(
            "softmax_forward_primitive_desc_create",
            self._engine,
            ctypes.c_int(_FORWARD_INFERENCE),
            ctypes.c_int(_SOFTMAX_ACCURATE),
            self._describe(x),
            self._describe(output),
            ctypes.c_int(x.dim() - 1),
            None,
        )
        return self._finish(description, {_SOURCE: x}, output)

    def normalization(
        self, x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor | None, output: torch.Tensor, epsilon: float
    ) -> Primitive:
        """Return the layer norm of rows, or their RMS norm if there is no shift."""
        flags = _USE_SCALE | (_RMS_NORM if shift is None else _USE_SHIFT)
        description = self._make(
            "layer_normalization_forward_primitive_desc_create",
            self._engine,
            ctypes.c_int(_FORWARD_INFERENCE),
            self._describe(x),
            self._describe(output),
            None,
            ctypes.c_float(epsilon),
            ctypes.c_uint(flags),
            None,
        )
        tensors = {_SOURCE: x, _SCALE: scale}
        if shift is not None:
            tensors[_SHIFT] = shift
        return self._finish(description, tensors, output)


class _Scalar(ctypes.Structure):
    """`oneapi::mkl::value_or_pointer<float>`: a number, as there is no pointer."""

    _fields_ = (("value", ctypes.c_float), ("pointer", ctypes.c_void_p))


#: Parts of symbols that types of elements have: of A, of B, and of C with what is before.
_PRODUCT_TYPES = {
    (torch.bfloat16, torch.bfloat16): ("KNS4_3ext6oneapi8bfloat16E", "SE_", "SC_", "SI_"),
    (torch.bfloat16, torch.float32): ("KNS4_3ext6oneapi8bfloat16E", "SE_", "f", "SI_"),
    (torch.float16, torch.float32): ("KNS4_6detail9half_impl4halfE", "SE_", "f", "SI_"),
    (torch.float32, torch.float32): ("Kf", "SB_", "f", "SF_"),
    (torch.int8, torch.int32): ("Ka", "SB_", "i", "SF_"),
}
_COMPUTE_MODES = {"strict": 0, "tf32": 0x10}


class OneMKL:
    """Products of oneMKL, by the C++ symbols of `oneapi::mkl::blas::column_major::gemm` and `gemm_batch`."""

    def __init__(self, folder: Path, queue: Any) -> None:
        # The library has symbols of these without naming them. They need each other: they are bound later, which
        # `ctypes.CDLL` does not do.
        load = ctypes.CDLL(None).dlopen
        load.restype = Handle
        for name in ("core", "sequential", "intel_ilp64"):
            load(str(folder / "lib" / f"libmkl_{name}.so.3").encode(), os.RTLD_LAZY | os.RTLD_GLOBAL)
        self._library = ctypes.CDLL(str(folder / "lib" / "libmkl_sycl_blas.so.6"))
        self._queue = queue

    def _find(self, types: tuple[torch.dtype, torch.dtype], is_batched: bool) -> Any:
        """Return the function for types of A and C."""
        if types not in _PRODUCT_TYPES:
            raise RuntimeError(f"oneMKL has no product of {types[0]} with results of {types[1]}")
        a, b, c, last = _PRODUCT_TYPES[types]
        name, pitch = ("10gemm_batch", "ll") if is_batched else ("4gemm", "l")
        symbol = (
            f"_ZN6oneapi3mkl4blas12column_major{name}ERN4sycl3_V15queueENS0_9transposeES7_lll"
            f"NS0_16value_or_pointerIfEEP{a}{pitch}{b}{pitch}S9_P{c}{pitch}{'l' if is_batched else ''}"
            f"NS1_12compute_modeERKSt6vectorINS4_5eventESaI{last}EE"
        )
        return getattr(self._library, symbol)

    def product(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, *, math: str = "strict") -> Primitive:
        """Return `a @ b`; all are in memory that the queue reaches, and C is by rows.

        The library takes columns for rows: it computes the transposed product of exchanged operands.
        """
        is_batched = a.dim() == 3
        function = self._find((a.dtype, c.dtype), is_batched)
        function.restype = None
        (m, k), n = a.shape[-2:], b.shape[-1]
        integer, byte, pointer = ctypes.c_int64, ctypes.c_int8, ctypes.c_void_p
        no_events = (ctypes.c_void_p * 3)()
        # Results of classes are written to an address that comes first.
        event = (ctypes.c_void_p * 2)()

        def describe(matrix: torch.Tensor, is_output: bool = False) -> tuple[int, Sequence[Any]]:
            """Return whether it is transposed in the library's view, and its address and pitches."""
            by_rows = matrix.stride(-1) == 1
            pitches = [integer(matrix.stride(-2) if by_rows else matrix.stride(-1))]
            if is_batched:
                pitches.append(integer(matrix.stride(0)))
            assert by_rows or not is_output
            return int(not by_rows), [pointer(matrix.data_ptr()), *pitches]

        (b_flag, b_parts), (a_flag, a_parts), (_, c_parts) = describe(b), describe(a), describe(c, is_output=True)
        batch = [integer(a.shape[0])] if is_batched else []
        arguments = [
            ctypes.byref(event), pointer(self._queue.addressof_ref()), byte(b_flag), byte(a_flag),
            integer(n), integer(m), integer(k), _Scalar(1.0, None), *b_parts, *a_parts, _Scalar(0.0, None), *c_parts,
            *batch, ctypes.c_uint64(_COMPUTE_MODES[math]), ctypes.byref(no_events),
        ]  # fmt: skip

        def execute() -> None:
            function(*arguments)
            self._queue.wait()

        return Primitive(execute, lambda: c, "gemm_batch" if is_batched else "gemm")
