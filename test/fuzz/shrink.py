# SPDX-License-Identifier: MIT
"""Makes a failing program small while it goes on failing in the same way."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from .generate import admit
from .programs import FLOATS, Expr, Launch, Program, Stmt, cast, map_statements, spread


def size(program: Program) -> int:
    """Returns a number that is less for a smaller program."""
    launches = sum(
        launch.grid[0] * launch.grid[1]
        + launch.warps
        + launch.stages
        + launch.debug
        + sum(map(abs, dict(launch.values).values())) / 50
        for launch in program.launches
    )
    return int(
        40 * len(list(program.statements())) + 10 * len(list(program.expressions())) + launches
        + 20 * len(program.tensors) + sum(1 for e in program.expressions() if e.op not in ("const", "full"))
        + sum(4 for one in program.scalars if not one.constant)
    )  # fmt: skip


def prune(program: Program) -> Program:
    """Return the program without parameters that nothing uses."""
    used = {e.attrs[0] for e in program.expressions() if e.op in ("tensor", "arg")}
    used |= {name for one in program.tensors if one.name in used for name in one.targets}
    launches = tuple(
        replace(
            one,
            values=tuple(v for v in one.values if v[0] in used),
            slots=tuple(s for s in one.slots if s.tensor in used),
        )
        for one in program.launches
    )
    tensors = tuple(one for one in program.tensors if one.name in used)
    return replace(
        program, tensors=tensors, scalars=tuple(one for one in program.scalars if one.name in used), launches=launches
    )


def smaller_statements(program: Program) -> Iterator[Program]:
    """Yield programs without a statement, or with the inside of one in its place."""
    for one in list(program.statements()):
        yield replace(program, body=map_statements(program.body, lambda s, one=one: () if s is one else (s,)))
    for one in list(program.statements()):
        if one.kind in ("if", "for", "while"):
            for inner in {one.body, one.other} - {()}:
                start = () if one.kind == "if" else (Stmt("assign", one.name, (Expr("full", (), "i32", (), (0,)),)),)
                replaced = (*start, *inner)
                yield replace(
                    program, body=map_statements(program.body, lambda s, o=one, r=replaced: r if s is o else (s,))
                )


def alternatives(e: Expr) -> Iterator[Expr]:
    """Yield simpler expressions of the same type and shape."""
    if e.op in ("const", "full", "tensor", "arg", "range") or e.dtype.startswith(("desc", "block")):
        if e.op == "arg":
            yield Expr("const", (), e.dtype, (), (1,))
            yield Expr("const", (), e.dtype, (), (0,))
        if e.op == "advance":
            yield e.args[0]
        return
    if not e.dtype.startswith("*"):
        for value in (0, 1):
            yield Expr("full", (), e.dtype, e.shape, (value,))
    for one in e.walk():
        if one is e or one.op == "const" or (one.dtype[0] in "*" and one.dtype != e.dtype):
            continue
        if one.dtype == e.dtype and one.shape == e.shape:
            yield one
        elif one.dtype.startswith("*") or e.dtype.startswith("*") or ":" in one.dtype:
            continue
        elif one.shape == e.shape and not (one.dtype in FLOATS and e.dtype not in FLOATS):
            yield cast(one, e.dtype)
        elif one.dtype == e.dtype and len(one.shape) == 0 and e.shape:
            yield spread(one, e.shape)
    if e.op == "load" and len(e.args) > 1:
        yield replace(e, args=e.args[:1])
    if e.op == "dot" and len(e.args) > 2:
        yield replace(e, args=e.args[:2])


def rewrite(e: Expr, old: Expr, new: Expr) -> Expr:
    if e is old:
        return new
    args = tuple(rewrite(one, old, new) for one in e.args)
    return e if all(a is b for a, b in zip(args, e.args, strict=True)) else replace(e, args=args)


def smaller_expressions(program: Program) -> Iterator[Program]:
    """Yield programs with a simpler expression in the place of one."""
    for s in list(program.statements()):
        for number, whole in enumerate(s.exprs):
            for e in whole.walk():
                for new in alternatives(e):
                    exprs = list(s.exprs)
                    exprs[number] = rewrite(whole, e, new)
                    changed = replace(s, exprs=tuple(exprs))
                    yield replace(
                        program, body=map_statements(program.body, lambda x, s=s, c=changed: (c,) if x is s else (x,))
                    )
        if len(s.exprs) == 3 and (s.kind == "store" or (s.kind == "atomic" and s.attrs[0] != "cas")):
            changed = replace(s, exprs=s.exprs[:2])
            yield replace(
                program, body=map_statements(program.body, lambda x, s=s, c=changed: (c,) if x is s else (x,))
            )


def smaller_launches(program: Program) -> Iterator[Program]:
    """Yield programs with fewer launches, warps, programs and stages, and smaller numbers."""
    if len(program.launches) > 1:
        for one in program.launches:
            yield replace(program, launches=(one,))
        for number in range(len(program.launches)):
            yield replace(program, launches=program.launches[:number] + program.launches[number + 1 :])
    for number, launch in enumerate(program.launches):
        for new in simpler_launches(launch):
            yield replace(program, launches=(*program.launches[:number], new, *program.launches[number + 1 :]))
    for scalar in program.scalars:
        if not scalar.constant:
            scalars = tuple(replace(s, constant=True) if s is scalar else s for s in program.scalars)
            yield replace(program, scalars=scalars)


def simpler_launches(launch: Launch) -> Iterator[Launch]:
    if launch.grid != (1, 1):
        yield replace(launch, grid=(1, 1))
        yield replace(launch, grid=(min(launch.grid[0], 2), 1))
    for warps in (1, 2, 4):
        if warps < launch.warps:
            yield replace(launch, warps=warps)
    if launch.debug:
        yield replace(launch, debug=False)
    if launch.stages > 1:
        yield replace(launch, stages=1)
    if launch.misalignment:
        yield replace(launch, misalignment=0)
    if len({slot.buffer for slot in launch.slots}) < len(launch.slots):
        yield replace(launch, slots=tuple(replace(s, buffer=i, offset=0) for i, s in enumerate(launch.slots)))
    for index, (name, value) in enumerate(launch.values):
        for new in {0, 1, value // 2, 16, 64} - {value}:
            if abs(new) < abs(value):
                yield replace(launch, values=(*launch.values[:index], (name, new), *launch.values[index + 1 :]))


def defined(program: Program) -> Program | None:
    """Return the program, perhaps with barriers, if all of its launches have a defined result."""
    try:
        for launch in program.launches:
            program, good = admit(program, launch)
            if not good:
                return None
    except Exception:
        # A variable that has lost its value, or types that no longer fit.
        return None
    return program


def shrink(
    program: Program, fails: Callable[[Program], bool], seconds: float, attempts: int = 400
) -> tuple[Program, int]:
    """Return the smallest program found, and how many were tried. `fails` runs one and returns whether it fails so."""
    end, tried = time.monotonic() + seconds, 0
    changed = True
    while changed and tried < attempts and time.monotonic() < end:
        changed = False
        for ways in (smaller_launches, smaller_statements, smaller_expressions):
            found = True
            while found and tried < attempts and time.monotonic() < end:
                found = False
                candidates = sorted((prune(one) for one in ways(program)), key=size)
                for candidate in candidates:
                    if time.monotonic() > end or tried >= attempts:
                        break
                    if size(candidate) >= size(program) or not candidate.tensors:
                        continue
                    ready = defined(candidate)
                    if ready is None or size(ready) >= size(program):
                        continue
                    tried += 1
                    if fails(ready):
                        program, found, changed = ready, True, True
                        break
    return program, tried
