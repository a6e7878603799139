# SPDX-License-Identifier: MIT
"""Local variables in gdb on the CPU device: each value that is shown is the one that Python has at that line.

Functions run twice: as kernels in gdb, which stops at every line, and in Python itself, where numbers and lists replace
the language and its memory. Whatever gdb shows at a stop, Python must have had at that line, all of it at once.
"""

from __future__ import annotations

import ast
import itertools
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

from support import needs_gdb

pytestmark = needs_gdb

#: Tensors of numpy's: gdb takes longer to read the symbols of torch than for everything else, so torch is not found.
TENSORS_OF_NUMPY = """
import sys
sys.modules["torch"] = None
import numpy, triton, triton.language as tl

class Tensor:
    def __init__(self, values):
        self.values, self.dtype = numpy.asarray(values, numpy.float32), "float32"

    def data_ptr(self):
        return self.values.ctypes.data
"""

KERNELS = f"""{TENSORS_OF_NUMPY}

@triton.jit(noinline=True)
def weigh(value, weight):
    double = weight * 2.0
    product = value * double
    return product + double

@triton.jit
def straight(x, out, n, big, factor):
    pid = tl.program_id(0)
    out += 8 * pid
    start = pid * 4 - 3
    tl.store(out, start)
    is_long = n > 2
    wide = big + start
    tl.store(out + 1, wide)
    start = n * 7
    same = start
    tl.store(out + 2, start + same)
    result = weigh(factor, factor + pid)
    while result > 0.25:
        result = result * 0.5
        tl.store(out + 3, result)
    n = n + 1
    tl.store(out + 4, tl.where(is_long, n, same))

@triton.jit
def loops(x, out, n, big, factor):
    out += 8 * tl.program_id(0)
    total = 0.0
    last = n * 5
    tl.store(out, last)
    for k in range(-n, 2 * n, 2):
        value = tl.load(x + n + k)
        last = k * 3
        total += value * last
        inner = 0
        for j in range(n):
            tl.store(out + 1, inner)
            inner += k + j
            tl.store(out + 2, inner)
        tl.store(out + 3, total)
        total = total - inner
        tl.store(out + 4, total)
    tl.store(out + 5, total + last)
    total = 1.5 * n
    tl.store(out + 6, total)

@triton.jit
def branches(x, out, n, big, factor):
    out += 8 * tl.program_id(0)
    first = n * 2
    second = n - 9
    if tl.load(x) > 0:
        first = first + second
        tl.store(out, first)
    else:
        second = first * 3
        tl.store(out + 1, second)
    tl.store(out + 2, first)
    tl.store(out + 3, second)
    count = n + 3
    while count > 0:
        second = second + count
        tl.store(out + 4, second)
        count -= 2
    tl.store(out + 5, count + second)
    if count < -5:
        return
    for step in tl.static_range(2):
        moved = count + step
        tl.store(out + 6, moved)
    first = second
    tl.store(out + 7, first)

@triton.jit
def kinds(x, out, n, big, factor):
    out += 8 * tl.program_id(0)
    is_long = tl.load(x + 2) > 1.0
    wide = big * n + 1
    half = factor * 0.25
    for i in range(n):
        tl.store(out, half)
        if is_long:
            wide += i
        else:
            wide = wide - 1
        tl.store(out + 1, wide)
        half = half * 2.0
    tl.store(out + 2, wide + half)

if __name__ == "__main__":
    x, out = Tensor(range(64)), Tensor([0] * 64)
    for kernel in (straight, loops, branches, kinds):
        kernel[(2,)](x, out, 5, 2**40, 0.5, num_warps=1, cpu_checks=True)
    x = Tensor(range(1, 65))
    branches[(1,)](x, out, 5, 2**40, 0.5, num_warps=1, cpu_checks=True)
    print("done")
"""

#: gdb runs this. It starts the program, and stops at a line of a kernel. To read the symbols of all libraries, with
#: LLVM's, takes gdb longer than everything else, so it reads those of the one that reports kernels to it. How it finds
#: kernels by itself is tested in `test_cpu_debug.py`.
START = """
import gdb, json
gdb.execute("set breakpoint pending on")
gdb.execute("set pagination off")
# gdb 13 steps out of line over instructions that it does not decode, and changes what they compute.
gdb.execute("set displaced-stepping off")
gdb.execute("set auto-solib-add off")
gdb.execute("tcatch load _cpu[.]")
gdb.execute("run")
gdb.execute("sharedlibrary _cpu[.]")
gdb.execute("tbreak FILE:FIRST")
gdb.execute("continue")
"""

#: This prints the variables at every stop, and goes on.
COMMANDS = (
    START
    + """
KERNELS = ("straight", "loops", "branches", "kinds")
for line in LINES:
    gdb.execute(f"break FILE:{line}")
while gdb.selected_inferior().pid:
    frame = gdb.newest_frame()
    values, block = {}, frame.block()
    while block is not None:
        for symbol in block:
            if block.function is not None and (frame.name() in KERNELS or symbol.name in values):
                continue
            text = symbol.value(frame).format_string()
            assert symbol.name not in values, symbol.name
            values[symbol.name] = None if text == "<optimized out>" else text
        block = block.superblock if block.function is None else None
    print("STOP", json.dumps([frame.find_sal().line, values]), flush=True)
    gdb.execute("continue")
"""
)


class Pointer:
    """Memory as the language sees it."""

    def __init__(self, memory: list[float], offset: int = 0) -> None:
        self.memory, self.offset = memory, offset

    def __add__(self, offset: int) -> Pointer:
        return Pointer(self.memory, self.offset + offset)


def trace(path: Path) -> dict[int, list[dict[str, object]]]:
    """Return the local variables before each line, every time that Python came there."""
    seen = defaultdict(list)

    def follow(frame, event, _argument):
        if frame.f_code.co_filename != str(path):
            return None
        if event == "line":
            seen[frame.f_lineno].append(dict(frame.f_locals))
        return follow

    program = []
    language = SimpleNamespace(
        program_id=lambda _axis: program[0],
        load=lambda pointer: pointer.memory[pointer.offset],
        store=lambda pointer, value: pointer.memory.__setitem__(pointer.offset, float(value)),
        where=lambda condition, left, right: left if condition else right,
        static_range=range,
    )
    space = {"tl": language, "__name__": "traced"}
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for function in tree.body:
        function.decorator_list = []
    exec(compile(tree, str(path), "exec"), space)
    for name, programs, base in (
        ("straight", 2, 0),
        ("loops", 2, 0),
        ("branches", 2, 0),
        ("kinds", 2, 0),
        ("branches", 1, 1),
    ):
        for number in range(programs):
            program[:] = [number]
            x, out = [float(base + i) for i in range(64)], [0.0] * 64
            sys.settrace(follow)
            try:
                space[name](Pointer(x), Pointer(out), 5, 2**40, 0.5)
            finally:
                sys.settrace(None)
    return seen


def agrees(shown: str, value: object) -> bool:
    if isinstance(value, bool):
        return shown == str(value).lower()
    return not isinstance(value, Pointer) and float(shown) == value


def run_gdb(script: Path, program: Path, prefix: str) -> list:
    """Run the commands of a script on a Python program in gdb; return the JSON that it prints after `prefix`."""
    result = subprocess.run(
        ["gdb", "-q", "-nx", "-batch", "-x", str(script), "--args", sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "done" in result.stdout, result.stdout + result.stderr
    return [json.loads(line[len(prefix) :]) for line in result.stdout.splitlines() if line.startswith(prefix)]


def stop_at_every_line(folder: Path) -> tuple[Path, list[tuple[int, dict[str, str | None]]]]:
    """Return every stop in gdb: the line, and the variables with their values, or nothing if they are optimized out."""
    path = folder / "kernels.py"
    path.write_text(KERNELS)
    functions = [node for node in ast.parse(KERNELS).body if isinstance(node, ast.FunctionDef)]
    lines = sorted({node.lineno for function in functions for node in ast.walk(function) if isinstance(node, ast.stmt)})
    script = folder / "commands.py"
    (first,) = [function.body[0].lineno for function in functions if function.name == "straight"]
    script.write_text(COMMANDS.replace("LINES", repr(lines)).replace("FILE", path.name).replace("FIRST", str(first)))
    found = run_gdb(script, path, "STOP ")
    return path, [(line, values) for line, values in found]


def check_values(path: Path, found: list[tuple[int, dict[str, str | None]]]) -> None:
    """Check that what is shown is what Python had."""
    seen = trace(path)
    for line, values in found:
        shown = {name: text for name, text in values.items() if text is not None}
        fits = [
            before
            for before in seen[line]
            if all(name in before and agrees(text, before[name]) for name, text in shown.items())
        ]
        assert fits or not shown, f"{KERNELS.splitlines()[line - 1]}: {shown}, in Python one of {seen[line]}"


#: Variables that have a value at lines, which no optimization takes from them.
VALUES = (
    ("wide = big + start", "start"),
    ("result = weigh(", "pid"),
    ("double = weight * 2.0", "value"),
    ("last = k * 3", "k"),
    ("last = k * 3", "total"),
    ("total += value * last", "last"),
    ("inner += k + j", "inner"),
    ("inner += k + j", "j"),
    ("total = total - inner", "inner"),
    ("tl.store(out, first)", "first"),
    ("second = second + count", "count"),
    ("if is_long:", "wide"),
    ("tl.store(out, half)", "half"),
)


def check_that_there_are_values(found: list[tuple[int, dict[str, str | None]]]) -> None:
    for text, name in VALUES:
        lines = [number for number, line in enumerate(KERNELS.splitlines(), 1) if text in line]
        stops = [values for line, values in found if line in lines]
        assert any(values.get(name) is not None for values in stops), f"{name} at `{text}`: {stops}"


def test_variables(tmp_path):
    """One run of gdb for all: it takes longer than everything else."""
    path, found = stop_at_every_line(tmp_path)
    check_values(path, found)
    check_that_there_are_values(found)


TENSORS = f"""{TENSORS_OF_NUMPY}

@triton.jit
def tensors(x, out, n, factor, BLOCK: tl.constexpr, ROWS: tl.constexpr):
    pid = tl.program_id(0)
    start = pid * BLOCK
    index = start + tl.arange(0, BLOCK)
    inside = index < n
    value = tl.load(x + index, mask=inside, other=-1.0)
    product = value * factor
    total = tl.sum(product, 0)
    for k in range(2):
        product = product + k
        tl.store(out + index, product + total)
    row = tl.arange(0, ROWS)
    many = row * 3
    tl.store(out + row, many)
    tl.store(out, total)

if __name__ == "__main__":
    x, out = Tensor(range(64)), Tensor([0] * 128)
    tensors[(1,)](x, out, 20, 0.5, 16, 128, num_warps=1, cpu_checks=True)
    print("done")
"""

STEPS = (
    START
    + """
gdb.execute("set print repeats 0")
gdb.execute("set print elements 0")
def read(value):
    if value.type.code == gdb.TYPE_CODE_ARRAY:
        first, last = value.type.range()
        return [read(value[i]) for i in range(first, last + 1)]
    if value.is_optimized_out:
        return None
    return float(value) if value.type.code == gdb.TYPE_CODE_FLT else int(value)
while True:
    frame = gdb.newest_frame()
    if frame.name() != "tensors":
        break
    values, block = {}, frame.block()
    while block is not None and block.function is None:
        values |= {symbol.name: read(symbol.value(frame)) for symbol in block}
        block = block.superblock
    print("STEP", json.dumps([frame.find_sal().line, values]), flush=True)
    gdb.execute("next")
gdb.execute("delete")
gdb.execute("continue")
"""
)


def step_through(folder: Path) -> list[tuple[str, dict]]:
    """Return the text of each line that `next` leads to in the first program, and the variables there."""
    path, script = folder / "tensors.py", folder / "steps.py"
    path.write_text(TENSORS)
    lines = TENSORS.splitlines()
    first = next(number for number, line in enumerate(lines, 1) if "pid = " in line)
    script.write_text(STEPS.replace("FILE", path.name).replace("FIRST", str(first)))
    steps = run_gdb(script, path, "STEP ")
    return [(lines[line - 1].strip(), values) for line, values in steps]


#: Lines of offsets and masks.
OF_LANES = ("index", "inside", "row", "many")


def test_steps_and_tensors(tmp_path):
    """`next` goes through the lines in their order; every variable keeps its value, and tensors have all elements."""
    # Addresses of a loop are computed ahead of it, where its variables have no value.
    steps = [(text, values) for text, values in step_through(tmp_path) if values.get("k", 0) is not None]
    body = TENSORS.partition("ROWS: tl.constexpr):\n")[2].partition("\nif __name__")[0].strip().splitlines()
    loop = body.index("    for k in range(2):") + 1
    straight, inner, rest = (
        [line.strip() for line in part] for part in (body[:loop], body[loop : loop + 2], body[loop + 2 :])
    )
    # The line of a loop may come once more when the loop ends, so it is not compared.
    # Offsets and masks of lanes are computed by the code that uses them, so there may be no code at their line.
    found = [text for text, _ in steps if not text.startswith(("for k", "def ", *OF_LANES))]
    straight, rest = ([line for line in part if not line.startswith(OF_LANES)] for part in (straight, rest))
    first = next(place for place, text in enumerate(found) if text.startswith("start"))
    end = first + len([*straight[1:-1], *inner, *inner, *rest])
    assert found[first:end] == [*straight[1:-1], *inner, *inner, *rest]

    at_end = steps[[text for text, _ in steps].index(rest[-1])][1]
    values = [float(i) for i in range(16)]
    expected = {
        "pid": 0,
        "start": 0,
        "index": values,
        "inside": [1] * 16,
        "value": values,
        "total": sum(values) / 2,
        "many": [[3 * (8 * lane + register) for lane in range(16)] for register in range(8)],
    }
    shown = {name: at_end.get(name) for name in expected}
    many = sorted(element for registers in shown.pop("many") for element in registers)
    assert many == sorted(itertools.chain.from_iterable(expected.pop("many")))
    assert shown == expected
    products = [values["product"] for text, values in steps if text == inner[-1]][:2]
    assert products == [[value / 2 for value in values], [value / 2 + 1 for value in values]]
