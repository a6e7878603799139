# SPDX-License-Identifier: MIT
"""Damages IR, files of kernels in Triton's cache, and binaries, and looks whether this ends in an error or worse."""

from __future__ import annotations

import os
import random
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from . import findings
from .fuzzing import Summary, seeds
from .generate import generate
from .pool import Outcome, Pool, report_progress
from .programs import Program

#: Mutations of the stages of one kernel, which a worker records and damages in one task.
IR_PER_KERNEL = 150
#: Mutations of the files of one kernel, each of which is a launch.
FILES_PER_KERNEL = 40
#: Seconds that a pass may take for a kernel that normally takes less than one.
TIMEOUT = 30.0

#: The page on passes is generated from their definitions, so that it names all of them.
_PAGE = Path(__file__).parents[2] / "docs" / "Passes.md"
#: Passes that damaged IR goes through one by one: ours, and two of MLIR.
PASSES = ("canonicalize", "cse", *re.findall(r"^### `-([\w-]+)`", _PAGE.read_text(), re.MULTILINE))

_TOKEN = re.compile(r"%[\w#]+|!?[a-z_][\w.]*|-?\d+|[#@][\w.]+|\"[^\"]*\"|[<>{}\[\](),:=x]")
#: Texts that the parsers of MLIR and LLVM 22.1 do not survive. MLIR queries the width of the type of a dense array
#: before it checks whether the type has one (`parseDenseArrayAttr`); LLVM creates all elements of a constant vector.
_FATAL = re.compile(r"array<index\b|<\d{7,} x ")
_TYPES = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "index")
_NUMBERS = ("0", "1", "-1", "2", "3", "7", "16", "64", "2147483647", "-2147483648", "9223372036854775807")


@dataclass(frozen=True)
class Stage:
    """Text that the compiler had, and the pipeline that it ran on it (empty for LLVM IR)."""

    text: str
    pipeline: str


@lru_cache(maxsize=4)
def program_of(seed: int) -> Program | None:
    """Return the program of a seed with its first launch, which a worker launches many times."""
    program = generate(seed)
    return program and replace(program, launches=program.launches[:1])


def record_stages(seed: int) -> list[Stage]:
    """Return, in a worker, the stages of the program of a seed; none if there is no program."""
    from triton_xe import compiler

    from .run import run_alone

    program = program_of(seed)
    if program is None:
        return []
    found: list[Stage] = []
    run_pipeline = compiler.run_pipeline

    def record(module: object, pipeline: str) -> None:
        found.append(Stage(module.to_text(debug_info=False), pipeline))
        run_pipeline(module, pipeline)
        if "llvm-pipeline" in pipeline:
            found.append(Stage(module.optimize_llvm_ir(), ""))

    compiler.run_pipeline = record
    try:
        # The shared cache may have the kernel, which has been launched as a program.
        run_alone(program)
    finally:
        compiler.run_pipeline = run_pipeline
    return found


#: Operations that take and give the same types.
_FAMILIES = (
    ("arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.remsi", "arith.andi", "arith.ori", "arith.xori",
     "arith.minsi", "arith.maxsi", "arith.shli", "arith.shrsi", "arith.divui"),
    ("arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.minnumf", "arith.maxnumf"),
    (" slt", " sle", " sgt", " sge", " eq", " ne", " ult", " uge"),
    (" add ", " sub ", " mul ", " sdiv ", " srem ", " and ", " or ", " xor ", " shl ", " ashr "),
)  # fmt: skip


def mutate_text(text: str, rng: random.Random, edits: int) -> str:
    """Return the text with some lines or words deleted, doubled, exchanged or replaced."""
    lines = text.splitlines()
    for _ in range(edits):
        body = [i for i, line in enumerate(lines) if line.strip()]
        if not body:
            break
        place = rng.choice(body)
        way = rng.random()
        if way < 0.04:
            del lines[place]
        elif way < 0.08:
            lines.insert(rng.choice(body), lines[place])
        elif way < 0.14:
            other = rng.choice(body)
            lines[place], lines[other] = lines[other], lines[place]
        elif way < 0.3:
            lines = mutate_everywhere("\n".join(lines), rng).splitlines()
        elif way < 0.45:
            lines[place] = mutate_operand(lines, place, rng)
        elif way < 0.6:
            lines[place] = mutate_operation(lines[place], rng)
        elif way < 0.85:
            with_numbers = [i for i in body if re.search(r"\b\d+\b", lines[i])]
            place = rng.choice(with_numbers or body)
            lines[place] = mutate_number(lines[place], rng)
        else:
            lines[place] = mutate_line(lines[place], text, rng)
    return "\n".join(lines) + "\n"


def mutate_everywhere(text: str, rng: random.Random) -> str:
    """Change one type, size or number at all of its places, so that they stay consistent."""
    words = sorted(set(re.findall(r"\b(?:b?f\d+|i\d+)\b|(?<=[<x])\d+(?=x)|\b\d+\b", text)))
    if not words:
        return text
    old = rng.choice(words)
    if old.isdigit():
        new = rng.choice([*_NUMBERS, str(int(old) * 2), str(int(old) // 2)])
        return re.sub(rf"(?<![%\w.#])({old})(?=x|\b)(?!\w*[.])", new, text)
    return re.sub(rf"(?<![%\w#])(?<!x){old}\b|(?<=x){old}\b", rng.choice(_TYPES[:-1]), text)


def mutate_operand(lines: list[str], place: int, rng: random.Random) -> str:
    """Return the line with another value in the place of one, if possible of the same type."""
    line = lines[place]
    head, equals, rest = line.partition(" = ")
    operands = list(re.finditer(r"%[\w#]+", rest if equals else line))
    if not operands:
        return line
    operand = rng.choice(operands)
    kind = line.rpartition(" : ")[2]
    same = [one for one in lines[:place] if " = " in one and one.rpartition(" : ")[2] == kind]
    names = re.findall(r"%[\w]+", " ".join(one.partition(" = ")[0] for one in same or lines[:place]))
    new = rng.choice(names or [operand.group()])
    text = rest if equals else line
    return (head + equals if equals else "") + text[: operand.start()] + new + text[operand.end() :]


def mutate_operation(line: str, rng: random.Random) -> str:
    """Return the line with another operation, or another kind of it."""
    for family in _FAMILIES:
        for name in family:
            if name in line:
                return line.replace(name, rng.choice(family), 1)
    return mutate_number(line, rng)


def mutate_number(line: str, rng: random.Random) -> str:
    """Return the line with one number changed."""
    numbers = list(re.finditer(r"(?<![%\w#.])-?\d+(?![\w.])", line))
    if not numbers:
        return line
    one = rng.choice(numbers)
    value = int(one.group())
    new = rng.choice([*_NUMBERS, str(value + 1), str(value * 2), str(value // 2), str(-value)])
    return line[: one.start()] + new + line[one.end() :]


def mutate_line(line: str, text: str, rng: random.Random) -> str:
    """Return the line with one word changed."""
    words = list(_TOKEN.finditer(line))
    if not words:
        return line
    word = rng.choice(words)
    old = word.group()
    if re.fullmatch(r"-?\d+", old):
        new = rng.choice([*_NUMBERS, str(int(old) + 1), str(int(old) * 2), str(-int(old))])
    elif old in _TYPES:
        new = rng.choice(_TYPES)
    elif old.startswith(("%", "#", "@")):
        new = rng.choice(re.findall(re.escape(old[0]) + r"[\w#]+", text) or [old])
    else:
        new = rng.choice(["", old + old, rng.choice(words).group(), rng.choice(_NUMBERS)])
    return line[: word.start()] + new + line[word.end() :]


def judge_error(error: Exception) -> str | None:
    """Return why an error is a finding; none for one that states what is wrong with the input."""
    text = str(error)
    if "crashed in" in text:
        match = re.search(r"crashed in (the pass `[^`]*`|the [\w ]+)( \([^)]*\))?", text)
        return f"crashed in {match[1]}{match[2] or ''}" if match else "crashed"
    if not text.strip():
        return f"an error without a message ({type(error).__name__})"
    return None


def compile_text(text: str, pipeline: str) -> tuple[bool, str | None]:
    """Return, in a worker, whether damaged IR is accepted, and what is wrong with how it is refused."""
    from triton_xe import _compiler

    try:
        if not pipeline:
            optimized = _compiler.optimize_llvm_ir(text)
            _compiler.translate_to_object(optimized, "avx2", arch="pvc")
        else:
            _compiler.Module.parse(text, "fuzz").run_pipeline(f"builtin.module({pipeline})")
    except Exception as error:
        return False, judge_error(error)
    return True, None


def finding_of(outcome: Outcome) -> str | None:
    """Return why what became of a task is a finding; none if it is not."""
    if outcome.kind == "done":
        return outcome.result[1]
    return f"{outcome.kind}: {str(outcome.result).splitlines()[0]}"


def shrink_text(pool: Pool, text: str, pipeline: str, finding: str, seconds: float = 30) -> str:
    """Return IR with fewer lines that gives the same finding: unused pieces go first, from the end on."""
    end = time.monotonic() + seconds
    lines = text.splitlines()
    step = max(1, len(lines) // 2)
    while time.monotonic() < end:
        before = len(lines)
        for first in range(len(lines) - step, -1, -step):
            candidate = lines[:first] + lines[first + step :]
            outcome = pool.run(compile_text, "\n".join(candidate) + "\n", pipeline, timeout=TIMEOUT)
            if finding_of(outcome) == finding:
                lines = candidate
            if time.monotonic() > end:
                break
        if step == 1 and len(lines) == before:
            break
        step = max(1, step // 2)
    return "\n".join(lines) + "\n"


def ir_tasks(stages: list[Stage], rng: random.Random, count: int) -> Iterator[tuple[str, str]]:
    """Yield damaged texts, and what to run on them."""
    # Code generation takes ten times as long as a pipeline.
    weights = [4 if one.pipeline else 1 for one in stages]
    for _ in range(count):
        stage = rng.choices(stages, weights)[0]
        pipeline = stage.pipeline
        if pipeline and rng.random() < 0.4:
            pipeline = rng.choice(PASSES)
        text = mutate_text(stage.text, rng, rng.choice([1, 1, 1, 2, 3]))
        if not _FATAL.search(text):
            yield text, pipeline


@dataclass
class Batch:
    """The results for the damaged stages of one kernel; findings are text, pipeline and why it is one."""

    accepted: int = 0
    refused: int = 0
    findings: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, text: str, pipeline: str, accepted: bool, finding: str | None) -> None:
        self.accepted += accepted
        self.refused += not accepted
        if finding:
            self.findings.append((text, pipeline, finding))


def damage_stages(seed: int, count: int) -> Batch:
    """Record, in a worker, the stages of the program of a seed, and damage them `count` times."""
    batch = Batch()
    stages = record_stages(seed)
    for text, pipeline in ir_tasks(stages, random.Random(seed), count if stages else 0):
        batch.add(text, pipeline, *compile_text(text, pipeline))
    return batch


def damage_one_by_one(pool: Pool, seed: int, count: int) -> Batch:
    """Damage the stages with a task for each text, so that one that ends a worker is known."""
    batch = Batch()
    recorded = pool.run(record_stages, seed)
    stages = recorded.result if recorded.kind == "done" else []
    tasks = ir_tasks(stages, random.Random(seed), count if stages else 0)
    for (text, pipeline), outcome in pool.map(compile_text, tasks, TIMEOUT):
        batch.add(text, pipeline, outcome.kind == "done" and outcome.result[0], finding_of(outcome))
    return batch


def fuzz_ir(pool: Pool, first: int, count: int | None, end: float, folder: Path, summary: Summary) -> None:
    """Damaged IR of the programs of the seeds from `first` on, for the pipelines and single passes."""
    known: Counter = Counter()
    batches: list[tuple[int, Batch]] = []
    done = 0

    def tasks() -> Iterator[tuple[int, int]]:
        for seed in seeds(first, None, end):
            if count is not None and done >= count:
                return
            yield seed, IR_PER_KERNEL if count is None else min(IR_PER_KERNEL, count - done)

    interrupted = []
    for (seed, wanted), outcome in pool.map(damage_stages, tasks(), TIMEOUT * 3):
        if outcome.kind == "done":
            batches.append((seed, outcome.result))
            done += outcome.result.accepted + outcome.result.refused
        else:
            interrupted.append((seed, wanted))
        report_progress(f"IR: {done} mutations, {len(interrupted)} crashes, seed {seed}")
    batches += [(seed, damage_one_by_one(pool, seed, wanted)) for seed, wanted in interrupted]
    for seed, batch in batches:
        summary.mutations["IR accepted"] += batch.accepted
        summary.mutations["IR refused"] += batch.refused
        for text, pipeline, finding in batch.findings:
            known[finding] += 1
            summary.mutations[f"IR {finding}"[:60]] += 1
            # One file for each kind of finding is enough: a fault of a parser or of a pass shows many times.
            if known[finding] == 1:
                small = shrink_text(pool, text, pipeline, finding)
                head = f"// {finding}\n// triton-xe-opt --pass-pipeline='builtin.module({pipeline})'\n"
                path = findings.write(folder, f"ir_{seed}_{len(summary.findings)}.mlir", head + small)
                name = pipeline.partition("{")[0] or "LLVM IR"
                summary.findings.append(findings.Finding(f"IR: {finding}", seed, name, path))


# ----------------------------------------------------------------------------------------------------------------------
# Files of the cache
# ----------------------------------------------------------------------------------------------------------------------


def mutate_bytes(data: bytes, rng: random.Random) -> bytes:
    """Return bytes cut off, with bits flipped, with bytes replaced, added or exchanged, or empty."""
    way = rng.randrange(8)
    if not data or way == 0:
        return b""
    place = rng.randrange(len(data))
    if way == 1:
        return data[:place]
    if way == 2:
        return data + bytes(rng.randrange(256) for _ in range(rng.choice([1, 16, 4096])))
    changed = bytearray(data)
    if way in (3, 4):
        for _ in range(rng.choice([1, 1, 8])):
            changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == 5:
        changed[place : place + rng.choice([1, 4, 16])] = rng.choice([b"", b"\xff", b"0", b"\0" * 8])
    elif way == 6:
        other = rng.randrange(len(data))
        changed[place], changed[other] = changed[other], changed[place]
    else:
        # The head of a file states where everything else is.
        changed[rng.randrange(min(64, len(data)))] = rng.randrange(256)
    return bytes(changed)


@dataclass(frozen=True)
class Damage:
    """The outcome of a launch with one damaged file: `right`, `error` or `wrong`, and a message."""

    file: str
    outcome: str
    message: str


def launch_damaged(seed: int, number: int, extensions: tuple[str, ...]) -> Damage | None:
    """Compile, in a worker, the program of a seed, damage one file of the cache and launch the program again.

    Files end in one of `extensions`. The undamaged cache is kept beside, for the next damage.
    """
    from triton_xe import seals

    from .run import run_program

    if extensions == EXTENSIONS["binaries"]:
        # The simulator has to get the damaged code.
        seals.check_binary = lambda _name, _content: None

    program = program_of(seed)
    if program is None:
        return None
    rng = random.Random(seed * 1000 + number)
    kept = Path(os.environ["TRITON_CACHE_DIR"])
    sound = kept / f"sound-{seed}-{os.getpid()}"
    os.environ["TRITON_CACHE_DIR"] = str(sound)
    try:
        if not sound.exists() and run_program(program):
            return None
        with tempfile.TemporaryDirectory(dir=kept) as folder:
            damaged = Path(folder) / "cache"
            shutil.copytree(sound, damaged)
            # Groups of files name each other by their paths.
            for group in damaged.rglob("__grp__*.json"):
                group.write_text(group.read_text().replace(str(sound), str(damaged)))
            files = sorted(one for one in damaged.rglob("kernel*") if one.suffix in extensions)
            files += sorted(damaged.rglob("__grp__*.json")) if ".json" in extensions else []
            if not files:
                return None
            file = rng.choice(files)
            file.write_bytes(mutate_bytes(file.read_bytes(), rng))
            os.environ["TRITON_CACHE_DIR"] = str(damaged)
            return launch_and_judge(program, file)
    finally:
        os.environ["TRITON_CACHE_DIR"] = str(kept)


def launch_and_judge(program: Program, file: Path) -> Damage:
    """Launch what the damaged cache has, and judge it."""
    from .run import run_program

    failure = run_program(program)
    name = "__grp__kernel.json" if file.name.startswith("__grp__") else file.name
    if failure is None:
        return Damage(name, "right", "")
    return Damage(name, failure.kind, failure.message)


#: The outcomes that a damaged file may have. Machine code has no digest of the device compiler, so its numbers are not
#: judged.
ALLOWED = {"cache": ("right", "error"), "binaries": ("right", "error", "wrong")}
EXTENSIONS = {"cache": (".json", ".obj", ".spv", ".so"), "binaries": (".obj", ".zebin")}


def fuzz_files(
    kind: str, pool: Pool, first: int, count: int | None, end: float, folder: Path, summary: Summary
) -> None:
    """Damaged files of the cache, or binaries for the simulator."""
    known: Counter = Counter()
    done = 0
    for seed in seeds(first, None, end):
        if count is not None and done >= count:
            break
        tasks = (
            (seed, number, EXTENSIONS[kind]) for number in range(FILES_PER_KERNEL if count is None else min(10, count))
        )
        for (_, number, _), outcome in pool.map(launch_damaged, tasks, 60):
            damage = outcome.result if outcome.kind == "done" else Damage("", outcome.kind, str(outcome.result))
            if damage is None:
                break
            done += 1
            summary.mutations[f"{kind}: {damage.file} {damage.outcome}"] += 1
            message = damage.message.partition(":")[2].strip()
            if damage.outcome in ALLOWED[kind] and (message or damage.outcome != "error"):
                continue
            known[damage.file, damage.outcome] += 1
            if known[damage.file, damage.outcome] <= 2:
                text = f"seed {seed}, mutation {number} of `{damage.file}`: {damage.outcome}\n{damage.message}\n"
                path = findings.write(folder, f"{kind}_{seed}_{number}.txt", text)
                summary.findings.append(
                    findings.Finding(f"{kind}: {damage.file} {damage.outcome}", seed, damage.message[:500], path)
                )
        report_progress(f"{kind}: {done} mutations, {len(known)} kinds of findings, seed {seed}")


def fuzz(kind: str, pool: Pool, first: int, count: int | None, end: float, folder: Path, summary: Summary) -> None:
    """Runs one of the kinds `ir`, `cache` and `binaries`."""
    if kind == "ir":
        fuzz_ir(pool, first, count, end, folder, summary)
    else:
        fuzz_files(kind, pool, first, count, end, folder, summary)
