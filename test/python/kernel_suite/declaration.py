# SPDX-License-Identifier: MIT
"""The same kernel with its parameters declared in other ways.

Users write one kernel with sizes as arguments, as constants, as integers of 64 bits, or in descriptors. The compiler's
knowledge of an address differs between these, and so does the number under which it knows an argument.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
from generated import load_source
from triton.runtime.jit import JITFunction
from triton.tools.tensor_descriptor import TensorDescriptor

_DESCRIPTOR = "descriptor_in_front"


@dataclass(frozen=True)
class Declaration:
    """A way in which a kernel declares its integers."""

    #: Sizes and strides are `tl.constexpr`.
    constants: bool = False
    #: Integers have 64 bits, however small they are.
    wide: bool = False
    #: Nothing is known of integers: `do_not_specialize`.
    unspecialized: bool = False
    #: A descriptor from the host, which the kernel does not use, comes before all arguments.
    descriptor: bool = False

    def __str__(self) -> str:
        return "+".join(name for name, chosen in vars(self).items() if chosen) or "as_written"

    def apply(self, kernel: JITFunction, arguments: Sequence[Any]) -> tuple[JITFunction, tuple[Any, ...]]:
        """Return the kernel so declared, and its arguments."""
        if self == AS_WRITTEN:
            return kernel, tuple(arguments)
        names = kernel.arg_names
        integers = tuple(
            name
            for name, value in zip(names, arguments, strict=False)
            if type(value) is int and not _is_constant(kernel, name)
        )
        front = ()
        if self.descriptor:
            front = (TensorDescriptor.from_tensor(torch.zeros(16, 16, dtype=torch.float16), [16, 16]),)
        return _declare(kernel, integers, self), (*front, *arguments)


AS_WRITTEN = Declaration()


def _is_constant(kernel: JITFunction, name: str) -> bool:
    return kernel.params[kernel.arg_names.index(name)].is_constexpr


@cache
def _declare(kernel: JITFunction, integers: tuple[str, ...], declaration: Declaration) -> JITFunction:
    """Return the kernel's text with another head, in a module that has what the kernel's has."""
    tree = ast.parse(kernel.src)
    function = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    for argument in function.args.args:
        if argument.arg in integers and (declaration.constants or declaration.wide):
            argument.annotation = ast.parse("tl.constexpr" if declaration.constants else "tl.int64", mode="eval").body
    if declaration.descriptor:
        function.args.args.insert(0, ast.arg(_DESCRIPTOR))
    options = f"(do_not_specialize={list(integers)})" if declaration.unspecialized else ""
    function.decorator_list = [ast.parse(f"triton.jit{options}", mode="eval").body]
    text = f"# {kernel.__module__}\nimport triton\nimport triton.language as tl\n\n\n{ast.unparse(tree)}\n"
    return getattr(load_source(text, kernel.fn.__globals__), function.name)
