# SPDX-License-Identifier: MIT
"""Attention by oneDNN's graph interface, for `peers.py`: the library finds it in a graph of products and a softmax."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import torch
from peer_libraries import DATA_TYPES, Handle, OneDNN, Primitive

#: Numbers of oneDNN's header `dnnl_graph_types.h`.
_GPU, _IN_ORDER = 2, 1
_VARIABLE, _STRIDED, _FUSION = 1, 2, 1
_DIVIDE, _MATMUL, _SOFTMAX, _SELECT, _GENERATE_INDEX, _GREATER_EQUAL = 20, 39, 64, 81, 84, 85
_AXIS, _TRANSPOSE_B, _MODE = 48, 102, 132
#: Types of `dnnl_types.h` that no tensor in memory has here.
_S32, _BOOLEAN = 4, 8
_MOST_DIMENSIONS = 12

_Sizes = ctypes.c_int64 * _MOST_DIMENSIONS


class _LogicalTensor(ctypes.Structure):
    """`dnnl_graph_logical_tensor_t` with strides."""

    _fields_ = (
        ("id", ctypes.c_size_t),
        ("count", ctypes.c_int),
        ("sizes", _Sizes),
        ("data_type", ctypes.c_int),
        ("property", ctypes.c_int),
        ("layout", ctypes.c_int),
        ("strides", _Sizes),
    )


def _describe(number: int, shape: Sequence[int], dtype: torch.dtype | int) -> _LogicalTensor:
    """Return a contiguous tensor of a graph, whose type may be a number of the library's."""
    strides = [1] * len(shape)
    for i in reversed(range(len(shape) - 1)):
        strides[i] = strides[i + 1] * shape[i + 1]
    number_of_type = dtype if isinstance(dtype, int) else DATA_TYPES[dtype]
    return _LogicalTensor(number, len(shape), _Sizes(*shape), number_of_type, _VARIABLE, _STRIDED, _Sizes(*strides))


class OneDNNGraph(OneDNN):
    """oneDNN on the device and in the context of a queue, whose memory it takes."""

    def __init__(self, folder: Any, queue: Any) -> None:
        self._library = ctypes.CDLL(str(folder / "lib" / "libdnnl.so.3"))
        device, context = (Handle(each.addressof_ref()) for each in (queue.sycl_device, queue.sycl_context))
        self._engine = self._make("sycl_interop_engine_create", device, context)
        self._stream = self._make("sycl_interop_stream_create", self._engine, Handle(queue.addressof_ref()))

    def _add(
        self,
        graph: Handle,
        number: int,
        kind: int,
        inputs: Sequence[_LogicalTensor],
        output: _LogicalTensor,
        axis: int = -1,
    ) -> Handle:
        """Return an operation, which is part of the graph as soon as it has its attributes."""
        operation = self._make("graph_op_create", ctypes.c_size_t(number), ctypes.c_int(kind), b"")
        for each in inputs:
            self._call("graph_op_add_input", operation, ctypes.byref(each))
        self._call("graph_op_add_output", operation, ctypes.byref(output))
        if kind in (_SOFTMAX, _GENERATE_INDEX):
            place = ctypes.byref(ctypes.c_int64(axis))
            self._call("graph_op_set_attr_s64", operation, _AXIS, place, ctypes.c_size_t(1))
        if kind == _SOFTMAX:
            mode = b"inf_as_zero"
            self._call("graph_op_set_attr_str", operation, _MODE, mode, ctypes.c_size_t(len(mode)))
        elif kind == _MATMUL and number == 0:
            self._call(
                "graph_op_set_attr_bool", operation, _TRANSPOSE_B, ctypes.byref(ctypes.c_uint8(1)), ctypes.c_size_t(1)
            )
        self._call("graph_add_op", graph, operation)
        return operation

    def attention(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        divisor: torch.Tensor,
        output: torch.Tensor,
        lowest: torch.Tensor | None = None,
    ) -> Primitive:
        """Return `softmax(q @ k.mT / divisor) @ v`; all are in memory that the queue reaches.

        With `lowest`, a number of f32, this takes the place of scores of later columns than the row's number.
        """
        # The library knows attention by four dimensions.
        scores = (1, *q.shape[:-1], k.shape[-2])
        tensors = [q, k, divisor, v, output] + ([] if lowest is None else [lowest])
        query, key, scale, value, result, *rest = (
            _describe(i, each.shape if each.dim() == 1 else (1, *each.shape), each.dtype)
            for i, each in enumerate(tensors)
        )
        product, scaled, masked = (_describe(i, scores, torch.float32) for i in (6, 7, 8))
        weights = _describe(9, scores, q.dtype)
        graph = self._make("graph_graph_create", ctypes.c_int(_GPU))
        self._add(graph, 0, _MATMUL, (query, key), product)
        self._add(graph, 1, _DIVIDE, (product, scale), scaled)
        for replacement in rest:
            rows, columns = (_describe(i, scores, _S32) for i in (10, 11))
            is_seen = _describe(12, scores, _BOOLEAN)
            self._add(graph, 4, _GENERATE_INDEX, (scaled,), rows, axis=-2)
            self._add(graph, 5, _GENERATE_INDEX, (scaled,), columns, axis=-1)
            self._add(graph, 6, _GREATER_EQUAL, (rows, columns), is_seen)
            self._add(graph, 7, _SELECT, (is_seen, scaled, replacement), masked)
            scaled = masked
        self._add(graph, 2, _SOFTMAX, (scaled,), weights)
        self._add(graph, 3, _MATMUL, (weights, value), result)
        self._call("graph_graph_finalize", graph)
        self._call("graph_graph_filter", graph, ctypes.c_int(_FUSION))
        count = ctypes.c_size_t()
        self._call("graph_graph_get_partition_num", graph, ctypes.byref(count))
        if count.value != 1:
            raise RuntimeError(f"oneDNN takes attention apart, into {count.value} parts")
        partition = Handle()
        self._call("graph_graph_get_partitions", graph, ctypes.c_size_t(1), ctypes.byref(partition))
        compiled = self._make("graph_compiled_partition_create", partition)
        number = ctypes.c_size_t()
        self._call("graph_partition_get_input_ports_num", partition, ctypes.byref(number))
        ports = (_LogicalTensor * number.value)()
        self._call("graph_partition_get_input_ports", partition, number, ports)
        inputs = (ctypes.POINTER(_LogicalTensor) * number.value)(*(ctypes.pointer(each) for each in ports))
        outputs = (ctypes.POINTER(_LogicalTensor) * 1)(ctypes.pointer(result))
        self._call(
            "graph_partition_compile", partition, compiled, number, inputs, ctypes.c_size_t(1), outputs, self._engine
        )

        def place(each: _LogicalTensor) -> Handle:
            address = Handle(tensors[each.id].data_ptr())
            return self._make("graph_tensor_create", ctypes.byref(each), self._engine, address)

        given = (Handle * number.value)(*(place(each).value for each in ports))
        target = (Handle * 1)(place(result).value)

        def execute() -> None:
            self._call(
                "graph_compiled_partition_execute", compiled, self._stream, number, given, ctypes.c_size_t(1), target
            )
            self._call("stream_wait", self._stream)

        return Primitive(execute, lambda: output, "graph")
