# SPDX-License-Identifier: MIT
"""Grids as expressions over the arguments of a kernel: `cdiv(M, BLOCK), 1, 1`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from triton_xe import errors
from triton_xe.tools.ahead_of_time.signature import Parameter, split

#: The function that generated code calls.
MACRO = """\
// For numbers that are not negative.
#define cdiv(a, b) (((a) + (b) - 1) / (b))

"""

_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%"}


class _Translator(ast.NodeVisitor):
    """Translates an expression to C, in 64 bits."""

    def __init__(self, text: str, values: dict[str, str]) -> None:
        self.text = text
        self.values = values

    def fail(self, what: str) -> errors.OptionError:
        return errors.OptionError(f"grid `{self.text}`: {what}")

    def generic_visit(self, node: ast.AST) -> str:
        raise self.fail("expected numbers, integer arguments, + - * / // % and cdiv(a, b)")

    def visit_Expression(self, node: ast.Expression) -> str:
        return self.visit(node.body)

    def visit_Constant(self, node: ast.Constant) -> str:
        if type(node.value) is not int:
            return self.generic_visit(node)
        return f"INT64_C({node.value})"

    def visit_Name(self, node: ast.Name) -> str:
        if node.id not in self.values:
            known = ", ".join(f"`{name}`" for name in self.values) or "none"
            raise self.fail(f"`{node.id}` is no integer argument; there are {known}")
        return self.values[node.id]

    def visit_BinOp(self, node: ast.BinOp) -> str:
        if type(node.op) not in _OPERATORS:
            return self.generic_visit(node)
        return f"({self.visit(node.left)} {_OPERATORS[type(node.op)]} {self.visit(node.right)})"

    def visit_Call(self, node: ast.Call) -> str:
        is_known = isinstance(node.func, ast.Name) and node.func.id == "cdiv"
        if not is_known or len(node.args) != 2 or node.keywords:
            return self.generic_visit(node)
        return f"cdiv({self.visit(node.args[0])}, {self.visit(node.args[1])})"


def translate(text: str, parameters: Sequence[Parameter], rename: Callable[[str], str]) -> tuple[str, str, str]:
    """Translate up to three extents to C. Raises `OptionError` for text that is no grid."""
    values = {}
    for parameter in parameters:
        kind = parameter.declared_type or parameter.type
        if kind == "constexpr" and type(parameter.value) is int:
            values[parameter.name] = f"INT64_C({parameter.value})"
        elif kind[0] in "iu":
            values[parameter.name] = f"(int64_t){rename(parameter.name)}"
    extents = split(text)
    if not 1 <= len(extents) <= 3:
        raise errors.OptionError(f"grid `{text}`: expected one to three extents, found {len(extents)}")
    translated = []
    for extent in extents:
        try:
            tree = ast.parse(extent, mode="eval")
        except SyntaxError as error:
            raise errors.OptionError(f"grid `{text}`: `{extent}` is no expression") from error
        translated.append(_Translator(extent, values).visit(tree))
    x, y, z = (*translated, "1", "1")[:3]
    return x, y, z
