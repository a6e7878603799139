# SPDX-License-Identifier: MIT
"""Launch conditions in words, for the comments of generated headers."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from triton_xe.tools.ahead_of_time.signature import Parameter


class Op(enum.IntEnum):
    """The operations of a condition, as `intel/ABI/ConditionOp.h` numbers them."""

    CONSTANT = 0
    ARGUMENT = 1
    ADD = 2
    MULTIPLY = 3
    MODULO = 4
    FLOOR_DIVIDE = 5
    CEIL_DIVIDE = 6
    NON_NEGATIVE = 7
    ZERO = 8
    GRID_EXTENT = 9
    DISJOINT = 10
    DISJOINT_OR_SAME = 11


#: Formats for two operands.
_BINARY = {
    Op.ADD: "({} + {})",
    Op.MULTIPLY: "{} * {}",
    Op.MODULO: "({} mod {})",
    Op.FLOOR_DIVIDE: "floor({} / {})",
    Op.CEIL_DIVIDE: "ceil({} / {})",
}


def argument_names(parameters: Sequence[Parameter]) -> list[str]:
    """Return the names of the numbers that conditions refer to by position. A descriptor has several of them."""
    names = []
    for parameter in parameters:
        if parameter.rank:
            fields = [f"{parameter.name}.{field}[{dim}]" for field in ("shape", "strides")
                      for dim in range(parameter.rank)]  # fmt: skip
            names += [parameter.name, *fields, *fields]
        elif parameter.type != "constexpr":
            names.append(parameter.name)
    return names


def _describe(code: Sequence[int], names: Sequence[str]) -> list[str]:
    """Describe the constraints of one condition."""
    stack: list[str] = []
    constraints = []
    numbers = iter(code)
    for number in numbers:
        op = Op(number)
        if op == Op.CONSTANT:
            stack.append(str(next(numbers)))
        elif op == Op.ARGUMENT:
            stack.append(names[next(numbers)])
        elif op == Op.GRID_EXTENT:
            stack.append(f"grid_{'xyz'[next(numbers)]}")
        elif op in _BINARY:
            right, left = stack.pop(), stack.pop()
            stack.append(_BINARY[op].format(left, right))
        elif op == Op.DISJOINT:
            constraints.append(f"{names[next(numbers)]} and {names[next(numbers)]} do not overlap")
        elif op == Op.DISJOINT_OR_SAME:
            constraints.append(f"{names[next(numbers)]} and {names[next(numbers)]} are the same or do not overlap")
        else:
            text = stack.pop()
            # The outermost sum needs no parentheses.
            if text.startswith("(") and text.endswith(")") and _matches(text):
                text = text[1:-1]
            text = f"{text} {'>=' if op == Op.NON_NEGATIVE else '=='} 0"
            constraints.append(text.replace("+ -", "- "))
    return constraints


def _matches(text: str) -> bool:
    """Return whether the last parenthesis closes the first one."""
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return position == len(text) - 1
    return False


def describe(conditions: Sequence[tuple[int, Sequence[int]]], parameters: Sequence[Parameter]) -> list[str]:
    """Describe the constraints on a kernel's launches, without repetitions."""
    names = argument_names(parameters)
    return list(dict.fromkeys(line for _, code in conditions for line in _describe(code, names)))


def compared_pointers(
    conditions: Sequence[tuple[int, Sequence[int]]], parameters: Sequence[Parameter]
) -> list[Parameter]:
    """Return the pointers whose memory the conditions are about, in the order of the parameters. Descriptors describe
    their memory themselves."""
    names = argument_names(parameters)
    compared = set()
    for _, code in conditions:
        numbers = iter(code)
        for number in numbers:
            if number == Op.DISJOINT:
                compared |= {names[next(numbers)], names[next(numbers)]}
            elif number in (Op.CONSTANT, Op.ARGUMENT, Op.GRID_EXTENT):
                next(numbers)
    return [parameter for parameter in parameters if parameter.name in compared and not parameter.rank]
