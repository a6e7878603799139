# SPDX-License-Identifier: MIT
"""Matrix products by DPAS in kernels in Gluon."""

from __future__ import annotations

from typing import Any

from triton.experimental.gluon.language._core import builtin
from triton.language.core import _unwrap_if_constexpr as unwrap

from triton_xe import errors
from triton_xe.experimental.gluon.calls import call

#: How far operands of 32 bits may be rounded.
PRECISIONS = ("ieee", "tf32")


@builtin
def dot(a: Any, b: Any, acc: Any, input_precision: str = "ieee", _semantic: Any = None, _generator: Any = None) -> Any:
    """Return the product of the matrices `a` and `b`, plus `acc`, computed by DPAS.

    `a` (M x K) and `b` (K x N) have the layouts of the operands of one `xe.DPASLayout`, and `acc` (M x N) has that of
    its accumulator, which the result has, too. Operands of 32 bits need `input_precision="tf32"`, since DPAS rounds
    them.

    An error that names the line is raised for other layouts, and for types that the target's DPAS does not multiply.
    """
    for name, value in (("a", a), ("b", b), ("acc", acc)):
        if not hasattr(value.type, "layout"):
            raise errors.CompileError(f"expected `{name}` to be a tensor with a layout, found {value.type}")
    precision = unwrap(input_precision)
    if precision not in PRECISIONS:
        raise errors.CompileError(f"expected `input_precision` to be one of {', '.join(PRECISIONS)}, not {precision!r}")
    shapes = [[unwrap(size) for size in value.shape] for value in (a, b, acc)]
    are_matrices = all(len(shape) == 2 for shape in shapes)
    if not are_matrices or shapes[0][1] != shapes[1][0] or shapes[2] != [shapes[0][0], shapes[1][1]]:
        raise errors.CompileError(
            f"matrices of these shapes cannot be multiplied and added: {', '.join(map(str, shapes))}"
        )
    return call(_generator, _semantic, "dot", (a, b, acc), acc.type, {"input_precision": precision})
