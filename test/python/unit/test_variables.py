# SPDX-License-Identifier: MIT
"""The facts about local variables in the Python source: which definition is in scope at which line."""

from __future__ import annotations

import ast
import textwrap

from triton_xe.cpu.variables import FunctionAnalysis


def analyze(source: str, *scalars: str) -> FunctionAnalysis:
    (function,) = ast.parse(textwrap.dedent(source)).body
    assert isinstance(function, ast.FunctionDef)
    return FunctionAnalysis(function, scalars)


def variables_at(analysis: FunctionAnalysis, line: int) -> dict[str, dict[str, str]]:
    """Return the variables in the scopes of a line, with their definitions. None may hide another one."""
    scope = next(scope for first, last, scope in analysis.lines if first <= line <= last)
    found: dict[str, dict[str, str]] = {}
    for item in analysis.chain(scope):
        assert not found.keys() & item.variables.keys()
        found |= {name: analysis.texts[number] for name, number in item.variables.items()}
    return found


def test_an_assignment_counts_behind_its_line():
    analysis = analyze(
        """\
        def kernel(n):
            x = n * 2
            y = x
            x = n + (
                3
            )
            return x
        """,
        "n",
    )
    product = {"operations": '["arith.muli", "arith.mulf"]', "places": "array<i64: 2, 12>"}
    assert variables_at(analysis, 2) == {}
    assert variables_at(analysis, 3) == {"x": product}
    # A copy is the same value, whatever becomes of the other variable.
    assert variables_at(analysis, 5) == {"x": product, "y": product}
    last = variables_at(analysis, 7)
    assert last["y"] == product
    assert last["x"]["places"] == "array<i64: 5, 8>"


def test_places_are_those_that_triton_sees():
    """It takes the indentation of the whole function away."""
    (holder,) = ast.parse("class Holder:\n    def kernel(n):\n        x = n * 2\n        return x\n").body
    analysis = FunctionAnalysis(holder.body[0], ["n"])
    assert variables_at(analysis, 4)["x"]["places"] == "array<i64: 3, 12>"


def test_places_of_later_tritons():
    """They are those of the expression itself, counted from 1; one that starts with another of its kind is left out."""
    (function,) = ast.parse("def kernel(n):\n    x = n * 2 - 1\n    y = n + 1 + x\n    return y\n").body
    at_end = variables_at(FunctionAnalysis(function, ["n"], column=1), 4)
    assert at_end["x"] == {"operations": '["arith.subi", "arith.subf"]', "places": "array<i64: 2, 9>"}
    assert at_end["y"] == {}


def test_loops_join_definitions():
    analysis = analyze(
        """\
        def kernel(n):
            total = 0
            for k in range(n):
                total += k
            return total
        """,
        "n",
    )
    start, join, counter, added = analysis.texts[1:]
    assert start == {"literal": "0 : i32"}
    assert join == {"loop": "array<i64: 3, 4, 3, 21>", "first": "1 : i64", "next": "4 : i64"}
    assert counter == {"counter": "array<i64: 3, 4, 3, 21>"}
    assert variables_at(analysis, 3) == {"total": join}
    assert variables_at(analysis, 4) == {"total": join, "k": counter}
    assert "operations" in added
    # The IR does not contain the counter after the loop.
    assert variables_at(analysis, 5) == {"total": join, "k": {}} or variables_at(analysis, 5) == {"total": join}


def test_branches_join_definitions():
    analysis = analyze(
        """\
        def kernel(n):
            x = n + 1
            y = n + 2
            if n > 3:
                x = n * 3
                z = n * 4
            else:
                y = x
            return x
        """,
        "n",
    )
    at_end = variables_at(analysis, 9)
    assert at_end["x"] == {"branch": "array<i64: 4, 4, 4, 12>", "then": "3 : i64", "else": "1 : i64"}
    assert at_end["y"] == {"branch": "array<i64: 4, 4, 4, 12>", "then": "2 : i64", "else": "1 : i64"}
    # On one way there is no such variable.
    assert at_end["z"] == {}


def test_a_branch_that_returns_joins_nothing():
    analysis = analyze(
        """\
        def kernel(n):
            x = n + 1
            if n > 3:
                x = n * 3
                return
            tl.store(out, x)
        """,
        "n",
    )
    assert variables_at(analysis, 6)["x"] == variables_at(analysis, 3)["x"] != {}


def test_statements_that_are_there_more_than_once_define_nothing_known():
    analysis = analyze(
        """\
        def kernel(n):
            x = n + 1
            for i in tl.static_range(4):
                x = n * i
            for j in tl.range(n, loop_unroll_factor=2):
                y = j + 1
                tl.store(out, y)
            tl.store(out, x)
        """,
        "n",
    )
    assert variables_at(analysis, 4) == {"x": {}, "i": {}}
    assert variables_at(analysis, 7)["j"] == variables_at(analysis, 7)["y"] == {}
    assert variables_at(analysis, 8)["x"] == {}


def test_tensors_are_no_scalars():
    """An operation of the same kind on a scalar may be in the same place: a tensor is marked as one."""
    analysis = analyze(
        """\
        def kernel(n, BLOCK):
            offsets = n + tl.arange(0, BLOCK)
            start = n + BLOCK
            value = tl.load(x + offsets)
            most = tl.max(value)
            return most
        """,
        "n",
    )
    at_end = variables_at(analysis, 6)
    assert "arith.addi" in at_end["offsets"]["operations"] and at_end["offsets"]["tensor"] == "unit"
    assert at_end["value"]["operations"] == '["tt.load"]' and "tensor" in at_end["value"]
    assert "arith.addi" in at_end["start"]["operations"] and "tensor" not in at_end["start"]
    # Its type decides.
    assert at_end["most"]["operations"] == '["tt.reduce"]' and "tensor" not in at_end["most"]


def test_unusual_assignments_define_nothing_known():
    analysis = analyze(
        """\
        def kernel(n):
            a, b = n + 1, 2
            c, d = helper(n)
            e = (f := n + 1) * 2
            with something as g:
                a += 1
            return a
        """,
        "n",
    )
    at_end = variables_at(analysis, 7)
    assert "operations" in at_end["a"]
    assert at_end["b"] == {"literal": "2 : i32"}
    assert [at_end[name] for name in "cdefg"] == [{}] * 5


def test_literals_have_the_types_of_the_language():
    source = "def kernel():\n    a, b, c, d = True, -3, 2**0, 0.5\n    e, f = 5000000000, 3000000000\n    return a\n"
    at_end = variables_at(analyze(source), 4)
    assert [at_end[name] for name in "abde"] == [
        {"literal": "true"},
        {"literal": "-3 : i32"},
        {"literal": "5.00000000000000000e-01 : f32"},
        {"literal": "5000000000 : i64"},
    ]
    # An unsigned type, and what is not spelled out.
    assert at_end["f"] == {}
    assert "literal" not in at_end["c"]
