# SPDX-License-Identifier: MIT
"""A short run of `make fuzz` with fixed seeds, and whether the fuzzer finds and shrinks what is wrong on purpose."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import warm_python
from fuzz import emit, findings, mutating
from fuzz.constructs import OPERATIONS
from fuzz.fuzzing import Summary, fails_like, fuzz_programs
from fuzz.generate import Generator, generate, insert_barrier
from fuzz.oracle import Machine, NeedsBarrier, Rejected, decode, encode, round_float
from fuzz.pool import Pool
from fuzz.programs import FP8, Expr, Launch, Program, Scalar, Slot, Stmt, Tensor, binary, const, torch_name, var
from fuzz.run import Failure, run_program
from fuzz.shrink import defined, shrink, size
from support import needs_test_passes

from triton_xe import _compiler

NEVER = float("inf")


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory):
    with Pool(1, {"TRITON_CACHE_DIR": str(tmp_path_factory.mktemp("cache")), "PYTHONWARNINGS": "ignore"}) as pool:
        yield pool


def first_program() -> tuple[int, Program]:
    """Return the first seed that has a program, and the program."""
    return next((n, one) for n in range(20) if (one := generate(n)))


def describe(summary: Summary) -> str:
    return "\n".join(f"{one.path}: {one.kind}\n{one.message}" for one in summary.findings)


#: The features of programs that a short run has to draw.
FEATURES = {
    *OPERATIONS, "load", "store", "bload", "dload", "dgather", "dscatter", "for", "while", "while with two conditions",
    "static_range", "if", "leave", "assume", "assert", "dot", "reduce", "scan", "gather", "where", "fp8e5",
    "fp8e4nv", "atomic_cas with a result", "atomic_xchg with a result", "atomic_add with a result",
    "load of rank 3", "load of rank 4", "dot of rank 3",
}  # fmt: skip


def choose_programs() -> list[int]:
    """Return seeds of a few programs that have all features: always the one that adds most."""
    features = {seed: Generator(seed).kernel().features() & FEATURES for seed in range(400)}
    chosen, missing = [], set(FEATURES)
    while missing:
        best = max(features, key=lambda seed: len(features[seed] & missing))
        assert features[best] & missing, f"no program has {missing}"
        chosen.append(best)
        missing -= features[best]
    return chosen


def test_programs(pool, tmp_path):
    """Each of them gives what numpy gives."""
    summary = Summary()
    for seed in choose_programs():
        fuzz_programs(pool, seed, 1, NEVER, tmp_path / "findings", summary, launches=1)
    assert not summary.findings, describe(summary)
    assert set(summary.features) >= FEATURES
    assert summary.programs >= 12


def test_launches(pool, tmp_path):
    """Launches of one kernel after another, with other sizes, alignments and buffers."""
    summary = Summary()
    fuzz_programs(pool, 0, 8, NEVER, tmp_path / "findings", summary)
    assert not summary.findings, describe(summary)
    assert summary.launches > summary.programs > 4


def test_cache(pool, tmp_path):
    """Damaged files of a kernel end in an error, or in the right numbers."""
    summary = Summary()
    mutating.fuzz("cache", pool, 5, 20, NEVER, tmp_path / "findings", summary)
    assert not summary.findings, describe(summary)
    assert sum(summary.mutations.values()) >= 20


def test_ir(pool, tmp_path):
    """Pipelines and single passes refuse damaged IR with an error, or accept it."""
    summary = Summary()
    mutating.fuzz("ir", pool, 50, 200, NEVER, tmp_path / "findings", summary)
    assert not summary.findings, describe(summary)
    assert min(summary.mutations["IR accepted"], summary.mutations["IR refused"]) > 10


def test_ir_one_by_one(pool):
    """A task for all texts of a kernel does what one for each text does, which a crash calls for."""
    seed, _ = first_program()
    together = pool.run(mutating.damage_stages, seed, 40).result
    assert together.accepted + together.refused == 40
    assert together == mutating.damage_one_by_one(pool, seed, 40)


def test_the_same_seed():
    """A seed is one program in every process."""
    seed, program = first_program()
    text = emit.module_text(program)
    code = f"import sys; from fuzz import emit, generate; sys.stdout.write(emit.module_text(generate.generate({seed})))"
    folder = Path(emit.__file__).parent.parent
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONHASHSEED": "3"},
    )  # fmt: skip
    assert result.stdout == text


# ----------------------------------------------------------------------------------------------------------------------
# Faults on purpose
# ----------------------------------------------------------------------------------------------------------------------


def injected(program: Program) -> Failure | None:
    """Run a program as if the compiler lost the minus ahead of a value. No address has one, so no launch strays."""
    right = emit._PLAIN["neg"]
    emit._PLAIN["neg"] = lambda e, args: args[0]
    try:
        return run_program(program)
    finally:
        emit._PLAIN["neg"] = right


def first_failure() -> tuple[Program, Failure]:
    """Return a program with negations that gives other numbers with this fault."""
    for seed in range(100):
        program = generate(seed)
        if program and any(e.op == "neg" for e in program.expressions()):
            failure = injected(program)
            if failure and failure.kind == "wrong":
                return program, failure
    raise AssertionError("no program shows the fault")


def test_shrinks_a_fault(tmp_path):
    """A wrong operation is found, and the program that shows it becomes a few lines that run on their own."""
    program, failure = first_failure()

    def fails(smaller: Program) -> bool:
        found = injected(smaller)
        return found is not None and found.signature == failure.signature

    small, tried = shrink(program, fails, NEVER, 35)
    assert tried > 0
    assert size(small) < size(program) / 2
    assert fails(small)
    text = emit.kernel_text(small)
    assert "(-" in text
    assert len(text.splitlines()) <= 12, text
    path = findings.write(tmp_path, "finding.py", findings.script(small, failure, 0))
    # The compiler itself is right.
    result = warm_python.run([sys.executable, path])
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 elements differ" in result.stdout


def die(program: Program, options: dict) -> None:
    if len(list(program.statements())) > 1:
        os.kill(os.getpid(), signal.SIGSEGV)


def test_survives_a_crash(pool):
    """A process that dies is an outcome, and the next task has a separate process."""
    _, program = first_program()
    outcome = pool.run(die, program, {})
    assert outcome.kind == "crash"
    assert outcome.result.startswith("SIGSEGV")
    assert pool.run(run_program, program, {}).result is None


def test_ends_a_hang(pool):
    """A task that takes too long is ended."""
    assert pool.run(int, "1").result == 1
    assert pool.run(time.sleep, 1000, timeout=0.5).kind == "hang"
    assert pool.run(int, "2").result == 2


def test_fails_like(pool):
    """A program that runs does not fail as another one did."""
    assert not fails_like(pool, Failure("wrong", ""), {})(first_program()[1])


@needs_test_passes
def test_shrinks_ir(pool):
    """A crash in a pass is a finding; lines that have no part in it go."""
    assert pool.run(register_test_passes).result is None
    text = "module {\n  tt.func @f() {\n    %0 = arith.constant 1 : i32\n    tt.return\n  }\n}\n"
    outcome = pool.run(mutating.compile_text, text, "test-crash")
    finding = mutating.finding_of(outcome)
    assert finding.startswith("crashed in the pass `test-crash`")
    assert "constant" not in mutating.shrink_text(pool, text, "test-crash", finding)
    assert pool.run(mutating.compile_text, text, "cse").result == (True, None)
    assert pool.run(mutating.compile_text, text.replace("i32", "i0x"), "cse").result == (False, None)


def register_test_passes() -> None:
    _compiler.register_test_passes()


# ----------------------------------------------------------------------------------------------------------------------
# The oracle
# ----------------------------------------------------------------------------------------------------------------------

I = Expr("range", (), "i32", (16,))


def pointer(name: str, offset: Expr) -> Expr:
    return Expr("ptradd", (Expr("tensor", (), "*i32", (), (name,)), offset), "*i32", (16,))


def load(name: str, offset: Expr) -> Expr:
    return Expr("load", (pointer(name, offset),), "i32", (16,))


def launched(*body: Stmt, grid: tuple[int, int] = (1, 1), n: int = 5) -> Machine:
    program = Program((Tensor("a", "i32"),), (Scalar("N", False),), body)
    return Machine(program, Launch(grid, 4, 1, (("N", n),), (Slot("a", 0),), 0, 1))


def test_oracle_order():
    """A change in place is defined; what was stored has to wait for a barrier; the generator adds it."""
    mirrored = binary("sub", const(15), I)
    change = Stmt("store", "", (pointer("a", I), load("a", mirrored)))
    launched(change).run()
    again = Stmt("assign", "x", (load("a", mirrored),))
    with pytest.raises(NeedsBarrier) as caught:
        launched(change, again).run()
    assert caught.value.statement is again
    body = insert_barrier((change, again), again)
    assert [one.kind for one in body] == ["store", "barrier", "assign"]
    launched(*body).run()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([Stmt("store", "", (pointer("a", I), I))], "a race"),
        ([Stmt("assign", "x", (load("a", binary("mul", I, const(1 << 30))),))], "wraps around"),
        ([Stmt("assign", "x", (load("a", binary("mul", I, const(1 << 20))),))], "outside of the buffer"),
        ([Stmt("assign", "x", (binary("div", I, binary("sub", I, I)),))], "a division without a result"),
        ([Stmt("store", "", (pointer("a", binary("and", I, const(1))), I))], "two values"),
        ([Stmt("assign", "x", (var("y", "i32", ()),))], "without a value"),
        ([Stmt("assume", "", (binary("lt", I, const(15)),))], "a promise"),
        ([Stmt("atomic", "u", (pointer("a", I), I), attrs=("xchg", True))], "depends on the order"),
        ([Stmt("atomic", "u", (pointer("a", binary("div", I, const(2))), I), attrs=("add", True))], "on the order"),
        ([Stmt("assign", "x", (Expr("histogram", (I,), "i32", (8,)),))], "outside of the histogram"),
    ],
)
def test_oracle_refuses(body, reason):
    """Launches that have no result."""
    with pytest.raises(Rejected, match=reason):
        launched(*body, grid=(2, 1)).run()


def test_oracle_numbers():
    """Division goes towards zero, small integers wrap around, floats round to even."""
    x = binary("sub", I, const(8))
    for op, function in (("div", lambda a: np.trunc(a / 3)), ("mod", lambda a: np.fmod(a, 3))):
        machine = launched(Stmt("store", "", (pointer("a", I), binary(op, x, const(3)))))
        machine.run()
        buffer = machine.buffers[0]
        stored = buffer.memory.view(np.int32)[buffer.writer != -1]
        np.testing.assert_array_equal(stored, function(np.arange(16) - 8))
    values = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, 2**-9])
    np.testing.assert_array_equal(round_float(values, "bf16"), [1.0, 1.0, 1 + 2**-6, 2**-9])


def test_oracle_atomics():
    """An element that one program alone has changed has an old value; a program that returns early has none."""
    first = binary("add", binary("mul", Expr("pid", (), "i32", (), (0,)), const(16)), I)
    exchange = Stmt("atomic", "u", (pointer("a", first), binary("add", I, const(100))), attrs=("xchg", True))
    far = pointer("a", binary("add", first, const(1000)))
    machine = launched(
        Stmt("leave", "", (binary("ge", Expr("pid", (), "i32", (), (0,)), const(2)),)),
        exchange, Stmt("store", "", (far, var("u", "i32", (16,)))), grid=(3, 1),
    )  # fmt: skip
    before = machine.buffers[0].memory.view(np.int32).copy()
    machine.run()
    after, middle = machine.buffers[0].memory.view(np.int32), len(before) // 2
    np.testing.assert_array_equal(after[middle : middle + 32], np.tile(np.arange(100, 116), 2))
    np.testing.assert_array_equal(after[middle + 1000 : middle + 1032], before[middle : middle + 32])
    np.testing.assert_array_equal(after[middle + 1032 : middle + 1048], before[middle + 1032 : middle + 1048])


@pytest.mark.parametrize("dtype", FP8)
def test_oracle_fp8(dtype):
    """Floats of 8 bits have torch's values, and their bits again."""
    bits = np.arange(256, dtype=np.uint8)
    values = decode(bits, dtype)
    expected = torch.from_numpy(bits.copy()).view(getattr(torch, torch_name(dtype))).double().numpy()
    np.testing.assert_array_equal(values, expected)
    finite = np.isfinite(values)
    # Zero has two signs, which do not count.
    np.testing.assert_array_equal(decode(encode(values[finite], dtype).reshape(-1), dtype), values[finite])


def test_shrunk_programs_are_defined():
    """The programs of the shrinker have a result: a program that loses the value of a variable has none."""
    program = next(one for one in map(generate, range(20)) if one)
    assert defined(program) is not None
    assert defined(replace(program, body=(Stmt("assign", "x", (var("y", "i32", ()),)),))) is None
