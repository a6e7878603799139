# SPDX-License-Identifier: MIT
"""Find which assignment of each local variable reaches which line of a kernel, for debuggers.

The compiler knows values, and the places in Python where they were computed, but no variables: `y = x` leaves no trace
in the IR, nor does an assignment of a value that is computed already. This module therefore reads the Python source.
From the text of a function it makes

    definitions   of variables: an assignment, the counter of a loop, or where several definitions meet
    scopes        nested; no variable is in two scopes of a chain, so that none hides another
    lines         which scope the code of a line is in: that of the definitions that reach it

as an attribute for `tritonintelgpu-mark-variables`, which finds the values, and `tritonintelgpu-describe-debug-info`,
which passes them to LLVM. A definition that is not understood has no value, and is never mistaken for another one.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import itertools
import json
import linecache
import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triton_xe import _compiler

ARITHMETIC: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Add: ("arith.addi", "arith.addf"),
    ast.Sub: ("arith.subi", "arith.subf"),
    ast.Mult: ("arith.muli", "arith.mulf"),
    ast.Div: ("arith.divf",),
    ast.FloorDiv: ("arith.divsi", "arith.divui"),
    ast.Mod: ("arith.remsi", "arith.remui", "arith.remf"),
    ast.BitAnd: ("arith.andi",),
    ast.BitOr: ("arith.ori",),
    ast.BitXor: ("arith.xori",),
    ast.LShift: ("arith.shli",),
    ast.RShift: ("arith.shrsi", "arith.shrui"),
    ast.And: ("arith.andi",),
    ast.Or: ("arith.ori",),
    ast.USub: ("arith.subi", "arith.subf", "arith.negf"),
}
COMPARISON = ("arith.cmpi", "arith.cmpf")
CAST = ("extsi", "extui", "extf", "trunci", "truncf", "sitofp", "uitofp", "fptosi", "fptoui")

#: The last operations of elementwise functions, whose results are scalars if the arguments are.
ELEMENTWISE: dict[str, tuple[str, ...]] = {
    "abs": ("math.absi", "math.absf"),
    "cdiv": ("arith.divsi", "arith.divui"),
    "fma": ("math.fma",),
    "load": ("tt.load",),
    "maximum": ("arith.maxsi", "arith.maxui", "arith.maxnumf", "arith.maximumf"),
    "minimum": ("arith.minsi", "arith.minui", "arith.minnumf", "arith.minimumf"),
    "where": ("arith.select",),
    **{name: (f"math.{name}",) for name in ("ceil", "cos", "erf", "exp", "exp2", "floor", "log", "log2", "rsqrt")},
    **{name: (f"math.{name}",) for name in ("sin", "sqrt")},
}
#: The operations of functions whose results may be scalars or tensors for any arguments. The type of the result
#: decides.
OTHERS: dict[str, tuple[str, ...]] = {
    "program_id": ("tt.get_program_id",),
    "num_programs": ("tt.get_num_programs",),
    "arange": ("tt.make_range",),
    "dot": ("tt.dot",),
    **dict.fromkeys(("sum", "max", "min", "reduce"), ("tt.reduce",)),
}

Definition = int
Place = tuple[int, int]


@dataclasses.dataclass(frozen=True)
class Environment:
    """The definitions that reach a place, and the innermost scope that has all of them; -1 is the function itself."""

    scope: int
    definitions: dict[str, Definition]


@dataclasses.dataclass
class Scope:
    parent: int
    line: int
    variables: dict[str, Definition]


def assigned_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the variables that statements assign to."""
    walks = itertools.chain.from_iterable(map(ast.walk, nodes))
    return {node.id for node in walks if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def called_name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def literal_value(node: ast.expr) -> bool | int | float | None:
    """Return the value of a literal number."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = literal_value(node.operand)
        return None if value is None or isinstance(value, bool) else -value
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (bool, int, float)) else None


def literal_text(value: bool | float) -> str | None:
    """Return an attribute of the type that the language gives the number, or null beyond i64, i32 and f32."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        if -(2**31) <= value < 2**31:
            return f"{value} : i32"
        return f"{value} : i64" if -(2**63) <= value < 2**63 and not 2**31 <= value < 2**32 else None
    is_float32 = math.isfinite(value) and (value == 0 or 2.0**-126 <= abs(value) <= (2 - 2.0**-23) * 2.0**127)
    return f"{value:.17e} : f32" if is_float32 else None


class FunctionAnalysis:
    """Collects the variables of a Python function while it visits the statements in order."""

    def __init__(self, function: ast.FunctionDef, scalars: Iterable[str], column: int = 0) -> None:
        # Triton sees the function without the blanks ahead of all of it, and adds a column to start from.
        self.indentation = function.col_offset - column
        #: Up to Triton 3.7, which starts from 0, an operation is at the place of the operand that was visited last,
        #: later at its own.
        self.has_own_places = column > 0
        self.texts: list[dict[str, str]] = []
        self.is_scalar: list[bool] = []
        self.scopes: list[Scope] = []
        self.lines: list[tuple[int, int, int]] = []
        #: This is true if the statements are in the IR once, and not any number of times.
        self.is_single = True
        names = {argument.arg for argument in function.args.args}
        arguments = {
            name: self.define(True, argument=json.dumps(name)) for name in dict.fromkeys(scalars) if name in names
        }
        self.visit_all(function.body, Environment(-1, arguments))

    # Definitions

    def define(self, is_scalar: bool, **texts: str) -> Definition:
        self.texts.append(texts)
        self.is_scalar.append(is_scalar)
        return len(self.texts) - 1

    def unknown(self) -> Definition:
        return self.define(False)

    def place(self, node: ast.AST) -> Place:
        return node.lineno, node.col_offset - self.indentation

    def extent(self, statement: ast.stmt, header: ast.expr) -> str:
        last = header.end_lineno, header.end_col_offset - self.indentation
        return array([*self.place(statement), *last])

    def is_scalar_expression(self, node: ast.expr, environment: Environment) -> bool:
        def are_scalars(nodes: Iterable[ast.expr]) -> bool:
            return all(self.is_scalar_expression(item, environment) for item in nodes)

        match node:
            case ast.Constant():
                return True
            case ast.Name():
                # All but local variables are constants.
                known = environment.definitions.get(node.id)
                return known is None or self.is_scalar[known]
            case ast.BinOp():
                return are_scalars([node.left, node.right])
            case ast.Compare():
                return are_scalars([node.left, *node.comparators])
            case ast.BoolOp():
                return are_scalars(node.values)
            case ast.UnaryOp():
                return are_scalars([node.operand])
            case ast.Call(func=ast.Attribute(attr="to")):
                return are_scalars([node.func.value])
            case ast.Call() if called_name(node) == "load":
                return are_scalars(node.args[:1])
            case ast.Call() if called_name(node) in ELEMENTWISE:
                return are_scalars([*node.args, *(keyword.value for keyword in node.keywords)])
            case ast.Call():
                return called_name(node) in ("program_id", "num_programs")
        return False

    def find_root(self, node: ast.expr) -> tuple[tuple[str, ...], list[ast.AST]]:
        """Return the names that the last operation of an expression may have in the IR, and the expressions whose place
        in the source it may have."""
        operations, nodes = self.find_last_visited(node)
        if not self.has_own_places:
            return operations, nodes
        place = self.place(node)
        first = [other for other in ast.walk(node) if isinstance(other, ast.expr) and other is not node]
        kinds = [self.find_last_visited(other)[0] for other in first if self.place(other) == place]
        # An expression that starts with another one is distinguished from it by the kinds of operations.
        if set(operations) & set(itertools.chain.from_iterable(kinds)):
            return (), []
        return operations, [node]

    def find_last_visited(self, node: ast.expr) -> tuple[tuple[str, ...], list[ast.AST]]:
        match node:
            case ast.BinOp():
                return ARITHMETIC.get(type(node.op), ()), [node.right]
            case ast.Compare(ops=[_]):
                return COMPARISON, [node.comparators[0]]
            case ast.BoolOp():
                return ARITHMETIC[type(node.op)], [node.values[-1]]
            case ast.UnaryOp():
                return ARITHMETIC.get(type(node.op), ()), [node.operand]
            case ast.Call():
                name = called_name(node)
                if isinstance(node.func, ast.Attribute) and name == "to":
                    operations = tuple(f"arith.{cast}" for cast in CAST)
                elif name in ELEMENTWISE:
                    operations = ELEMENTWISE[name]
                else:
                    operations = OTHERS.get(name, ("tt.call",))
                return operations, [node, node.func, *node.args, *node.keywords]
        return (), []

    def define_expression(self, node: ast.expr, environment: Environment) -> Definition:
        """Return the definition that an assignment of the expression makes or copies."""
        value = literal_value(node)
        if value is not None:
            text = literal_text(value)
            return self.define(True, literal=text) if text else self.define(True)
        if isinstance(node, ast.Name):
            known = environment.definitions.get(node.id)
            return self.define(True) if known is None else known
        operations, nodes = self.find_root(node)
        is_scalar = self.is_scalar_expression(node, environment)
        is_other = isinstance(node, ast.Call) and called_name(node) not in ELEMENTWISE
        if not operations or not self.is_single:
            return self.define(is_scalar or (bool(operations) and is_other))
        places = sorted(set(map(self.place, nodes)))
        texts = {
            "operations": f"[{', '.join(map(json.dumps, operations))}]",
            "places": array(itertools.chain.from_iterable(places)),
        }
        # A scalar that a tensor is computed from may have its place.
        if not (is_scalar or is_other):
            texts["tensor"] = "unit"
        return self.define(is_scalar or is_other, **texts)

    def bind(self, environment: Environment, variables: dict[str, Definition], line: int) -> Environment:
        """Return the environment after definitions, outside of the scopes that define the same variables."""
        parent, carried = environment.scope, {}
        while any(name in scope.variables for scope in self.chain(parent) for name in variables):
            carried = self.scopes[parent].variables | carried
            parent = self.scopes[parent].parent
        self.scopes.append(Scope(parent, line, carried | variables))
        return Environment(len(self.scopes) - 1, environment.definitions | variables)

    def chain(self, scope: int) -> Iterable[Scope]:
        while scope >= 0:
            yield self.scopes[scope]
            scope = self.scopes[scope].parent

    def forget(self, environment: Environment, names: Iterable[str], line: int) -> Environment:
        """Return the environment after a place where variables may be without a value."""
        lost = sorted(name for name in names if name in environment.definitions)
        return self.bind(environment, {name: self.unknown() for name in lost}, line) if lost else environment

    # Statements. Each returns the environment after it, or nothing where the function has been left.

    def visit_all(self, statements: Sequence[ast.stmt], environment: Environment) -> Environment | None:
        after: Environment | None = environment
        for statement in statements:
            if after is None:
                return None
            after = self.visit(statement, after)
        return after

    def add_lines(self, first: int, last: int | None, environment: Environment) -> None:
        self.lines.append((first, last or first, environment.scope))

    def visit(self, statement: ast.stmt, environment: Environment) -> Environment | None:
        match statement:
            case ast.For():
                return self.visit_for(statement, environment)
            case ast.While():
                return self.visit_while(statement, environment)
            case ast.If():
                return self.visit_if(statement, environment)
            case ast.With():
                self.add_lines(statement.lineno, statement.items[-1].context_expr.end_lineno, environment)
                names = assigned_names(statement.items)
                variables = {name: self.unknown() for name in sorted(names)}
                inner = self.bind(environment, variables, statement.lineno) if names else environment
                return self.visit_all(statement.body, inner)
        self.add_lines(statement.lineno, statement.end_lineno, environment)
        match statement:
            case ast.Return():
                return None
            case (
                ast.Assign(targets=[ast.Name() as target])
                | ast.AnnAssign(target=ast.Name() as target, value=ast.expr())
            ):
                variables = {target.id: self.define_expression(statement.value, environment)}
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(
                values
            ):
                variables = {
                    target.id: self.define_expression(value, environment)
                    for target, value in zip(targets, values, strict=True)
                    if isinstance(target, ast.Name)
                }
            case ast.AugAssign(target=ast.Name() as target):
                left = ast.copy_location(ast.Name(target.id, ast.Load()), target)
                value = ast.copy_location(ast.BinOp(left, statement.op, statement.value), statement)
                variables = {target.id: self.define_expression(value, environment)}
            case _:
                variables = {}
        for name in sorted(assigned_names([statement]) - variables.keys()):
            variables[name] = self.unknown()
        # A variable that an expression assigns on the way may be one that another part of it reads.
        if any(isinstance(node, ast.NamedExpr) for node in ast.walk(statement)):
            variables = {name: self.unknown() for name in variables}
        return self.bind(environment, variables, statement.end_lineno) if variables else environment

    def enter_loop(self, loop: ast.For | ast.While, header: ast.expr, environment: Environment) -> Environment:
        """Return the environment in which an iteration starts."""
        names = sorted(assigned_names(loop.body) & environment.definitions.keys())
        joins = {}
        for name in names:
            before = environment.definitions[name]
            texts = {"loop": self.extent(loop, header), "first": f"{before} : i64"} if self.is_single else {}
            joins[name] = self.define(self.is_scalar[before], **texts)
        return self.bind(environment, joins, loop.lineno) if joins else environment

    def leave_loop(
        self, loop: ast.For | ast.While, start: Environment, end: Environment | None, more: set[str]
    ) -> Environment:
        """Return the environment after a loop, and complete the definitions that `enter_loop` made."""
        if end:
            for name in assigned_names(loop.body) & start.definitions.keys():
                texts = self.texts[start.definitions[name]]
                if "loop" in texts:
                    texts["next"] = f"{end.definitions.get(name, -1)} : i64"
        return self.forget(start, more, loop.end_lineno)

    def visit_for(self, loop: ast.For, environment: Environment) -> Environment:
        is_range = isinstance(loop.iter, ast.Call) and called_name(loop.iter) == "range"
        is_unrolled = not is_range or any(keyword.arg == "loop_unroll_factor" for keyword in loop.iter.keywords)
        was_single, self.is_single = self.is_single, self.is_single and not is_unrolled
        start = self.enter_loop(loop, loop.iter, environment)
        self.add_lines(loop.lineno, loop.iter.end_lineno, start)
        counters = sorted(assigned_names([loop.target]))
        texts = {"counter": self.extent(loop, loop.iter)} if self.is_single and len(counters) == 1 else {}
        inner = self.bind(start, {name: self.define(True, **texts) for name in counters}, loop.lineno)
        end = self.visit_all(loop.body, inner)
        self.is_single = was_single
        return self.leave_loop(loop, start, end, set(counters))

    def visit_while(self, loop: ast.While, environment: Environment) -> Environment:
        start = self.enter_loop(loop, loop.test, environment)
        self.add_lines(loop.lineno, loop.test.end_lineno, start)
        return self.leave_loop(loop, start, self.visit_all(loop.body, start), set())

    def visit_if(self, branch: ast.If, environment: Environment) -> Environment | None:
        self.add_lines(branch.lineno, branch.test.end_lineno, environment)
        first = self.visit_all(branch.body, environment)
        second = self.visit_all(branch.orelse, environment)
        if not first or not second:
            return first or second
        names = sorted(assigned_names([*branch.body, *branch.orelse]))
        joins = {}
        for name in names:
            sides = [side.definitions.get(name, -1) for side in (first, second)]
            if -1 in sides:
                joins[name] = self.unknown()
            elif sides[0] == sides[1]:
                joins[name] = sides[0]
            else:
                texts = {
                    "branch": self.extent(branch, branch.test),
                    "then": f"{sides[0]} : i64",
                    "else": f"{sides[1]} : i64",
                }
                joins[name] = self.define(self.is_scalar[sides[0]], **(texts if self.is_single else {}))
        return self.bind(environment, joins, branch.end_lineno) if joins else environment

    def is_shown(self, number: Definition) -> bool:
        """Return whether there may be a value of a kind that debuggers show."""
        return self.is_scalar[number] or "tensor" in self.texts[number]

    def to_text(self) -> str:
        """Return the attribute of the function."""
        shown = {name for scope in self.scopes for name, number in scope.variables.items() if self.is_shown(number)}
        definitions = ("{" + ", ".join(f"{key} = {text}" for key, text in item.items()) + "}" for item in self.texts)
        scopes = []
        for scope in self.scopes:
            variables = {name: number for name, number in scope.variables.items() if name in shown}
            names = ", ".join(map(json.dumps, variables))
            numbers = array(variables.values())
            scopes.append(f"{{parent = {scope.parent}, line = {scope.line}, names = [{names}], values = {numbers}}}")
        lines = array(itertools.chain.from_iterable(self.lines))
        return f"{{definitions = [{', '.join(definitions)}], scopes = [{', '.join(scopes)}], lines = {lines}}}"


def array(numbers: Iterable[int]) -> str:
    text = ", ".join(map(str, numbers))
    return f"array<i64: {text}>" if text else "array<i64>"


@functools.lru_cache(maxsize=64)
def parse_functions(source: str) -> dict[int, ast.FunctionDef]:
    """Return the functions of a file, by their lines."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    return {node.lineno: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def describe(module: _compiler.Module) -> str | None:
    """Return the attribute of the module, for all functions whose source can be read; null if there are none."""
    functions = []
    for function in module.functions():
        # The lines as they were when the function was defined, as far as Python remembers.
        definition = parse_functions("".join(linecache.getlines(function.file))).get(function.line)
        if definition:
            analysis = FunctionAnalysis(definition, function.scalars, function.column)
            functions.append(f"{json.dumps(function.name)} = {analysis.to_text()}")
    return f"{{{', '.join(functions)}}}" if functions else None
