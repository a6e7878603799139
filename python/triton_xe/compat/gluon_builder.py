# SPDX-License-Identifier: MIT
"""Refuse in Gluon's frontend what only other chips have, and what would end the process.

Gluon has functions for NVIDIA's and AMD's chips. Some of their operations have verifiers that fail assertions for other
targets, and our parser does not know them. So they are refused where the frontend makes them: it then names the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from triton.compiler import code_generator

from triton_xe import errors, options
from triton_xe.compat import changes

#: The methods that only Gluon's builder has and that make something for every chip. All others are refused.
_GENERIC = re.compile(
    r"create_(?:convert_layout|set_auto_layout|fp4_to_fp|memdesc_\w+"
    r"|local_(?:alloc|dealloc|load|store|gather|scatter|atomic_scatter_rmw))"
    r"|get_(?:auto|blocked|coalesced|distributed_linear|dot_operand|slice|swizzled_shared|padded_shared|shared_linear)"
    r"_layout|get_(?:distributed_ty|shared_mem_desc_ty|gluon_layout_from_\w+|shape_from_tensor|shared_bank_conflicts)"
    r"|is_convert_layout_trivial|to_linear_layout"
)

#: Methods of every builder that Gluon's language has no functions for: their tensors would have no layout.
_WITHOUT_LAYOUT = tuple(f"create_descriptor_{name}" for name in ("load", "store", "reduce", "gather", "scatter"))

#: Patterns of names of the builder's methods, and what takes the place of what they make. The first one counts.
_ADVICE = (
    (
        r"create_descriptor_",
        "accesses of descriptors of the host have layouts if these have two dimensions (docs/Gluon.md)",
    ),
    (
        r"nvmma_shared|tensor_descriptor_layout",
        "`gl.SwizzledSharedLayout`, `gl.PaddedSharedLayout` and `gl.SharedLinearLayout` work on every chip, and a "
        "descriptor of the host (`triton.tools.tensor_descriptor`) has no layout (docs/Gluon.md)",
    ),
    (r"warp_", "all warps of a program run the same code here"),
    (r"tmem|tensor_memory", "`gl.allocate_shared_memory` has the memory that warps share"),
    (
        r"shared_layout",
        "`gl.SwizzledSharedLayout`, `gl.PaddedSharedLayout` and `gl.SharedLinearLayout` work on every chip",
    ),
    (
        r"mma|mfma|tcgen05",
        "`xe.dot` (docs/Gluon.md) multiplies matrices by DPAS, `gl.dot_fma` those with a `gl.BlockedLayout`",
    ),
    (
        r"tma_|tdm_|copy|buffer|descriptor|shared_store",
        "`gl.load` and `gl.store` with pointers access memory, and `xe.make_tensor_descriptor` (docs/Gluon.md) blocks",
    ),
    (r"barrier|fence|cluster|async", "`gl.barrier()` waits for all warps of a program"),
    (r"asm|packed", "Triton's operators and functions compute"),
)


class _Names:
    """Triton's module for Gluon, with a builder that refuses."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self.GluonOpBuilder = make_builder(module.GluonOpBuilder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def install() -> None:
    """Let the frontend build the IR of kernels in Gluon with our builder. A second call does nothing.

    Kernels for other devices get what Triton's builder makes.
    """
    changes.replace(code_generator, "gluon_ir", _Names)


def make_builder(base: type) -> type:
    """Return a class that makes what Triton's builder makes, but refuses in compilations for our devices."""
    from triton._C.libtriton import ir

    own = sorted(set(dir(base)) - set(dir(ir.builder)))
    refused = [name for name in own if not _GENERIC.fullmatch(name)]
    refused += _WITHOUT_LAYOUT
    methods = {name: _refusing(base, name) for name in refused}
    checks = {
        "create_memdesc_trans": check_order,
        "get_distributed_linear_layout": check_linear_layout,
        "get_blocked_layout": check_blocked_layout,
        "create_fp4_to_fp": check_fp4,
    }
    methods |= {name: _checked(base, name, check) for name, check in checks.items()}
    return type("GluonOpBuilder", (base,), methods)


def _is_for_us(builder: Any) -> bool:
    return isinstance(builder.options, options.XeOptions)


def _refusing(base: type, name: str) -> Callable:
    """Return a method that raises CompileError in compilations for our devices."""
    what = name.removeprefix("create_").removeprefix("get_")
    advice = next((text for pattern, text in _ADVICE if re.search(pattern, name)), "")

    def refuse(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if _is_for_us(self):
            raise errors.CompileError(f"there is no `{what}` on this target" + (f": {advice}" if advice else ""))
        return getattr(base, name)(self, *arguments, **keywords)

    return refuse


def _checked(base: type, name: str, check: Callable[..., None]) -> Callable:
    """Return a method that checks its arguments in compilations for our devices, with its own message.

    Triton fails an assertion, or prints its message and raises an error without it.
    """

    def method(self: Any, *arguments: Any) -> Any:
        if _is_for_us(self):
            check(self.options, *arguments)
        return getattr(base, name)(self, *arguments)

    return method


def check_order(_options: options.XeOptions, _memory: Any, order: Sequence[int]) -> None:
    """Raise CompileError if the order of dimensions is none."""
    if sorted(order) != list(range(len(order))):
        raise errors.CompileError(f"expected a permutation of the dimensions of the memory, found {list(order)}")


def check_fp4(_options: options.XeOptions, source: Any, element: Any, axis: int) -> None:
    """Raise CompileError if what is to be unpacked is no tensor of bytes with this axis, or for other elements."""
    kind = str(source.get_type())
    shape = re.match(r"tensor<((?:\d+x)+)i8\b", kind)
    if not shape:
        raise errors.CompileError(f"`fp4_to_fp` unpacks a tensor of 8-bit integers, found {kind}")
    rank = shape[1].count("x")
    if not 0 <= axis < rank:
        raise errors.CompileError(f"expected `axis` of `fp4_to_fp` to be from 0 to {rank - 1}, found {axis}")
    if str(element) not in ("f16", "bf16"):
        raise errors.CompileError(f"`fp4_to_fp` makes numbers of f16 or bf16, found {element}")


def check_blocked_layout(
    chosen: options.XeOptions, _size: Sequence[int], lanes: Sequence[int], warps: Sequence[int], *_others: Any
) -> None:
    """Raise CompileError if a blocked layout is for another number of lanes or warps."""
    _check_threads(chosen, math.prod(lanes), math.prod(warps))


def check_linear_layout(
    chosen: options.XeOptions,
    registers: Sequence[Sequence[int]],
    lanes: Sequence[Sequence[int]],
    warps: Sequence[Sequence[int]],
    blocks: Sequence[Sequence[int]],
    shape: Sequence[int],
) -> None:
    """Raise CompileError if a linear layout is for another number of lanes or warps, or has no place for an element."""
    _check_threads(chosen, 1 << len(lanes), 1 << len(warps))
    reached: list[int] = []
    for basis in (*registers, *lanes, *warps, *blocks):
        if any(not 0 <= coordinate < size for coordinate, size in zip(basis, shape, strict=True)):
            raise errors.CompileError(
                f"the linear layout has a basis outside of the shape {list(shape)}: {list(basis)}"
            )
        number = 0
        for coordinate, size in zip(basis, shape, strict=True):
            number = number * size + coordinate
        # Elimination over bits: what is left is no sum of the bases before.
        for other in reached:
            number = min(number, number ^ other)
        if number:
            reached.append(number)
    held, elements = 1 << len(reached), math.prod(shape)
    if held < elements:
        raise errors.CompileError(f"the linear layout has {held} of the {elements} elements of the shape {list(shape)}")


def _check_threads(chosen: options.XeOptions, lanes: int, warps: int) -> None:
    if lanes != chosen.warp_size:
        raise errors.CompileError(
            f"the layout is for warps of {lanes} lanes, and those of the kernel have {chosen.warp_size}: the launch "
            f"option `warp_size={lanes}` changes that where the chip has such warps"
        )
    if warps != chosen.num_warps:
        raise errors.CompileError(
            f"the layout is for {warps} warps, and the kernel has {chosen.num_warps} (launch option `num_warps`)"
        )
