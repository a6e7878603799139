# SPDX-License-Identifier: MIT
"""Writes a program as a kernel of Triton."""

from __future__ import annotations

from .constructs import OPERATIONS, in_own_type
from .programs import LANGUAGE_NAMES, OPERATORS, Expr, Program, Stmt

HEAD = """import triton
import triton.language as tl


"""

#: Parameters and body of what kernels call: of reductions and scans, and functions that are not inlined (`outlined`).
#: Each follows those that it calls itself.
FUNCTIONS = {
    "combine_add": "(a, b):\n    return a + b",
    "combine_max": "(a, b):\n    return tl.maximum(a, b).to(a.dtype)",
    "combine_min": "(a, b):\n    return tl.minimum(a, b).to(a.dtype)",
    "combine_xor": "(a, b):\n    return a ^ b",
    "combine_linear": "(a, b, c, d):\n    return a * c, b * c + d",
    "combine_last": "(a, b, c, d):\n    return tl.where(d != 0, c, a), b | d",
    "combine_best": (
        "(a, b, c, d):\n    first = (a > c) | ((a == c) & (b < d))\n"
        "    return tl.where(first, a, c), tl.where(first, b, d)"
    ),
    "combine_extent": "(a, b, c, d):\n    return tl.where(a < c, a, c), tl.where(b > d, b, d)",
    "outlined_peak": "(p, n):\n    return tl.max(tl.load(p + n + tl.arange(0, 16)), axis=0)",
    "mapped_least": "(a, b):\n    if a < b:\n        return a\n    else:\n        return b",
    "outlined_least": "(a, b):\n    return tl.where(a < b, a, b)",
    "outlined_turned": ("(a, b):\n    for _ in range(2):\n        a = tl.where(a == b, a, -b)\n    return a"),
    "outlined_twice": "(a, b):\n    return outlined_least(outlined_turned(a, b), b)",
}


def _list(items: tuple[object, ...], brackets: str = "[]") -> str:
    inner = ", ".join(str(one) for one in items)
    return f"{brackets[0]}{inner}{',' if len(items) == 1 and brackets == '()' else ''}{brackets[1]}"


def _literal(value: float, dtype: str) -> str:
    return f"({float(value)})" if dtype.startswith(("fp", "bf")) else f"({int(value)})"


def expression(e: Expr) -> str:
    """Return the expression as text of Triton's language."""
    args = [expression(one) for one in e.args]
    if e.op in OPERATORS:
        return f"({args[0]} {OPERATORS[e.op]} {args[1]})"
    plain = _PLAIN.get(e.op)
    if plain:
        return plain(e, args)
    return OPERATIONS[e.op][0](e, args)


def _scalar(e: Expr, text: str) -> str:
    return f"tl.cast({text}, {LANGUAGE_NAMES[e.dtype]})"


def _load(e: Expr, args: list[str]) -> str:
    mask = f", mask={args[1]}" if len(args) > 1 else ""
    return f"tl.load({args[0]}{mask}{f', other={args[2]}' if len(args) > 2 else ''})"


def _make_block(e: Expr, args: list[str]) -> str:
    base, m, n, s0, s1, o0, o1 = args
    block, order = e.attrs
    return (
        f"tl.make_block_ptr({base}, ({m}, {n}), ({s0}, {s1}), ({o0}, {o1}), {_list(block, '()')}, {_list(order, '()')})"
    )


def _block_load(e: Expr, args: list[str]) -> str:
    checked = e.attrs[0]
    padding = f", boundary_check={_list(checked, '()')}, padding_option='zero'" if checked else ""
    return f"tl.load({args[0]}{padding})"


def _reduce(e: Expr, args: list[str]) -> str:
    function, axis = e.attrs
    if function == "custom":
        return f"tl.reduce({args[0]}, {axis}, combine_add)"
    return f"tl.{function}({args[0]}, axis={axis})"


def _scan(e: Expr, args: list[str]) -> str:
    function, axis, reverse = e.attrs
    if function == "cumsum":
        return f"tl.cumsum({args[0]}, axis={axis}, reverse={reverse})"
    return f"tl.associative_scan({args[0]}, {axis}, combine_{function}, reverse={reverse})"


def _dot(e: Expr, args: list[str]) -> str:
    kind = "tl.int32" if e.dtype == "i32" else "tl.float32"
    total = f", {args[2]}" if len(args) > 2 else ""
    return f"tl.dot({args[0]}, {args[1]}{total}, out_dtype={kind})"


_PLAIN = {
    "const": lambda e, a: _literal(e.attrs[0], e.dtype),
    "arg": lambda e, a: e.attrs[0],
    "var": lambda e, a: e.attrs[0],
    "tensor": lambda e, a: e.attrs[0],
    "pid": lambda e, a: f"tl.program_id({e.attrs[0]})",
    "range": lambda e, a: f"tl.arange(0, {e.shape[0]})",
    "full": lambda e, a: (
        f"tl.full({_list(e.shape)}, {_literal(e.attrs[0], e.dtype)}, {LANGUAGE_NAMES[e.dtype]})"
        if e.shape
        else f"tl.cast({_literal(e.attrs[0], e.dtype)}, {LANGUAGE_NAMES[e.dtype]})"
    ),
    "neg": lambda e, a: f"(-{a[0]})",
    "not": lambda e, a: f"(~{a[0]})",
    "abs": lambda e, a: f"tl.abs({a[0]})",
    "min": lambda e, a: in_own_type(f"tl.minimum({a[0]}, {a[1]})", e.dtype),
    "max": lambda e, a: in_own_type(f"tl.maximum({a[0]}, {a[1]})", e.dtype),
    "cast": lambda e, a: f"tl.cast({a[0]}, {LANGUAGE_NAMES[e.dtype]})",
    "where": lambda e, a: f"tl.where({a[0]}, {a[1]}, {a[2]})",
    "expand": lambda e, a: f"{a[0]}[:, None]" if e.attrs[0] == 1 else f"{a[0]}[None, :]",
    # An argument that the launch specializes, such as a size of 1, is a Python number, which has no shape.
    "spread": lambda e, a: (
        f"tl.broadcast_to({a[0] if e.args[0].shape else _scalar(e.args[0], a[0])}, {_list(e.shape)})"
    ),
    "trans": lambda e, a: f"tl.trans({a[0]})",
    "reshape": lambda e, a: f"tl.reshape({a[0]}, {_list(e.shape)})",
    "gather": lambda e, a: f"tl.gather({a[0]}, {a[1]}, {e.attrs[0]})",
    "ptradd": lambda e, a: f"({a[0]} + {a[1]})",
    "load": _load,
    "reduce": _reduce,
    "scan": _scan,
    "dot": _dot,
    "mkblock": _make_block,
    "advance": lambda e, a: f"tl.advance({a[0]}, ({a[1]}, {a[2]}))",
    "bload": _block_load,
    "mkdesc": lambda e, a: f"tl.make_tensor_descriptor({a[0]}, [{a[1]}, {a[2]}], [{a[3]}, 1], {_list(e.attrs[0])})",
    "dload": lambda e, a: f"{a[0]}.load([{a[1]}, {a[2]}])",
    "call load": lambda e, a: f"outlined_peak({a[0]}, {a[1]})",
    "dgather": lambda e, a: f"{a[0]}.gather({a[1]}, {a[2]})",
}


def _atomic(s: Stmt, e: list[str], mask: str) -> str:
    if s.attrs[0] == "cas":
        return f"tl.atomic_cas({e[0]}, {e[2]}, {e[1]})"
    return f"tl.atomic_{s.attrs[0]}({e[0]}, {e[1]}{mask})"


def statement(s: Stmt, indent: str) -> list[str]:
    """Return the statement as lines, each of which begins with `indent`."""
    e = [expression(one) for one in s.exprs]
    inner = [line for one in s.body for line in statement(one, indent + "    ")] or [indent + "    pass"]
    if s.kind == "for":
        name = "tl.static_range" if s.attrs else "range"
        return [f"{indent}for {s.name} in {name}({e[0]}, {e[1]}, {e[2]}):", *inner]
    if s.kind == "while":
        step = f"{indent}    {s.name} += 1"
        also = f" & {e[1]}" if len(e) > 1 else ""
        return [f"{indent}{s.name} = 0", f"{indent}while ({s.name} < {e[0]}){also}:", *inner, step]
    if s.kind == "if":
        lines = [f"{indent}if {e[0]}:", *inner]
        if s.other:
            lines += [f"{indent}else:", *(line for one in s.other for line in statement(one, indent + "    "))]
        return lines
    mask = f", mask={e[2]}" if len(e) > 2 else ""
    texts = {
        "assign": lambda: f"{s.name} = {e[0]}",
        "store": lambda: f"tl.store({e[0]}, {e[1]}{mask})",
        "atomic": lambda: f"{s.name} = {_atomic(s, e, mask)}",
        "assume": lambda: f"tl.assume({e[0]})",
        "assert": lambda: f'tl.device_assert({e[0]}, "a promise")',
        "leave": lambda: f"if {e[0]}:\n{indent}    return",
        "dscatter": lambda: f"{e[0]}.scatter({e[3]}, {e[1]}, {e[2]})",
        "bstore": lambda: f"tl.store({e[0]}, {e[1]}, boundary_check={_list(s.attrs[0], '()')})",
        "dstore": lambda: f"{e[0]}.store([{e[1]}, {e[2]}], {e[3]})",
        "barrier": lambda: "tl.debug_barrier()",
    }
    return [indent + texts[s.kind]()]


def kernel_text(program: Program) -> str:
    """Return the function `kernel` and its decorator."""
    names = [one.name for one in program.tensors]
    names += [f"{one.name}: tl.constexpr" if one.constant else one.name for one in program.scalars]
    lines = [line for one in program.body for line in statement(one, "    ")] or ["    pass"]
    return "\n".join(["@triton.jit", f"def kernel({', '.join(names)}):", *lines]) + "\n"


def module_text(program: Program) -> str:
    """Return a module with the kernel and the functions that it calls."""
    text = kernel_text(program)
    for name, function in reversed(FUNCTIONS.items()):
        if name in text:
            decorator = "@triton.jit(noinline=True)" if name.startswith("outlined") else "@triton.jit"
            text = f"{decorator}\ndef {name}{function}\n\n\n{text}"
    return HEAD + text
