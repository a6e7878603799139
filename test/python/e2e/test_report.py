# SPDX-License-Identifier: MIT
"""Reports of native code: numbers against independent counts, lines of the source, loops, the command and the page."""

from __future__ import annotations

import dataclasses
import html.parser
import inspect
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from browser import needs_browser, open_page
from kernel_suite import CASES
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from triton_xe import compiler, errors, native, native_lines, options
from triton_xe.tools import command_line, report
from triton_xe.tools.report import kernel as kernels
from triton_xe.tools.report import launched
from triton_xe.tools.report.contents import Fit, Row
from triton_xe.tools.report.page import render as render_page
from triton_xe.tools.scripts import Script

PVC = GPUTarget("xpu", "pvc", 16)
BROWSER = shutil.which("chromium-headless-shell") or shutil.which("chromium")


@triton.jit
def matmul(a, b, c, K, BLOCK: tl.constexpr, STEP: tl.constexpr):
    row, column = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    total = tl.zeros((BLOCK, BLOCK), tl.float32)
    for k in range(0, K, STEP):
        x = a.load([row, k])
        y = b.load([k, column])
        total = tl.dot(x, y, total)
    c.store([row, column], total)


@triton.jit
def grow(x):
    for _ in range(10):
        x = x * 1.5 + 1.0
    return x


@triton.jit
def rows(x, out, n, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    value = tl.load(x + columns, mask=columns < n, other=-1.0)
    for i in range(n):
        value += grow(value) * i
        for _j in range(i):
            value += tl.sum(value, 0)
    tl.store(out + columns, value, mask=columns < n)


@triton.jit
def copy(x, out, BLOCK: tl.constexpr):
    columns = tl.arange(0, BLOCK)
    tl.store(out + columns, tl.load(x + columns) * 2.0)


def line(kernel, text: str) -> int:
    """Return the number of the line of a kernel with this text."""
    lines, first = inspect.getsourcelines(kernel.fn)
    (found,) = (number for number, content in enumerate(lines, first) if text in content)
    return found


def compile_kernel(kernel, signature: dict[str, str], constants: dict[str, int], **options):
    source = ASTSource(kernel, signature | dict.fromkeys(constants, "constexpr"), constants)
    return triton.compile(source, target=PVC, options={"generate_native_code": True} | options)


@pytest.fixture(scope="module")
def gemm():
    tiles = {"a": "tensordesc<bf16[64, 32]>", "b": "tensordesc<bf16[32, 64]>", "c": "tensordesc<fp32[64, 64]>"}
    return compile_kernel(matmul, tiles | {"K": "i32"}, {"BLOCK": 64, "STEP": 32}, num_warps=4)


@pytest.fixture(scope="module")
def gemm_report(gemm):
    return report.of(gemm)


def rows_by_line(result) -> dict[int, Row]:
    return {row.location.line: row for row in result.rows if row.location}


def check_code_with_lines(compiled) -> None:
    """Native code with lines has the instructions of the code without, so what is reported is what users get."""
    spirv, places = native_lines.translate(compiled.asm["llir"], options.gpu_options_of(compiled.metadata))
    lined = native.compile_native(spirv, "pvc", compiled.metadata.chosen_grf_mode)
    assert places and native.line_section(lined.zebin)
    assert native.has_same_instructions(lined.isa_text, compiled.asm["isa"])
    assert not native.line_section(compiled.asm["zebin"])


@needs_ocloc
def test_lines_change_no_code(gemm):
    check_code_with_lines(gemm)


@needs_ocloc
@pytest.mark.parametrize(
    "case",
    [
        "operand_gemm/transposed_gemm-transposed_tt",
        "scan/cumsum_rows-dtype_float32-reverse_False",
        "quantized/fp8_gemm-dtype_float8_e4m3fn",
    ],
)
def test_lines_change_no_code_of_one_chip(case: str):
    """Some passes query the chip: address registers, regions of registers, conversions of e4m3."""
    source, options = CASES[case].launches()[0].source(PVC, generate_native_code=True)
    check_code_with_lines(triton.compile(source, target=PVC, options=options))


@needs_ocloc
def test_totals_are_those_of_the_native_code(gemm, gemm_report):
    """Sums over all lines equal the figures of the compilation, which were counted in another disassembly."""
    total = gemm.metadata.native["total"]
    for name, value in total.items():
        assert sum(getattr(row.figures.counts, name) for row in gemm_report.rows) == value, name
    assert gemm_report.total.bytes == sum(row.figures.bytes for row in gemm_report.rows)


@needs_ocloc
def test_lines_of_a_product(gemm_report):
    """Products and messages are in the lines that the kernel has them in; bytes are those of the tiles."""
    by_line = rows_by_line(gemm_report)
    dot, store = by_line[line(matmul, "tl.dot")], by_line[line(matmul, "c.store")]
    loads = [by_line[line(matmul, text)] for text in ("a.load", "b.load")]
    assert dot.figures.counts.dpas == gemm_report.native.total.dpas == dot.ir.dpas > 0
    assert not dot.figures.counts.load_block2d and dot.source.strip().startswith("total = tl.dot")
    assert sum(row.figures.counts.load_block2d for row in loads) == gemm_report.native.total.load_block2d > 0
    for row in (*loads, store):
        assert row.figures.bytes == row.ir.block_bytes > 0
    # Four sub-groups store a tile of 64x64 elements.
    assert store.ir.block_bytes == 64 * 64 * 4 // 4
    assert store.figures.counts.store_block2d == gemm_report.native.total.store_block2d


@needs_ocloc
def test_loop_of_a_product(gemm, gemm_report):
    """The loop is the `for` of the source; its counts are those of `metadata.native`, its DPAS cycles 8 per product."""
    (loop,) = gemm_report.loops
    assert loop.places[0].line == line(matmul, "for k in")
    assert dataclasses.asdict(loop.figures.counts) == gemm.metadata.native["loops"][0]
    assert loop.estimate.dpas == 8 * loop.figures.counts.dpas
    moved = (loop.figures.bytes, loop.figures.shared_bytes, loop.figures.scratch_bytes)
    assert loop.estimate.bytes == sum(moved) / 64 >= loop.figures.bytes_read / 64 > 0
    assert loop.estimate.cycles == max(loop.estimate.parts.values()) == loop.estimate.parts[loop.estimate.bound]
    assert max(loop.estimate.ratios.values()) == 1


@needs_ocloc
def test_inlined_lines_and_nested_loops():
    """Lines of callees are below their calls; nested loops have their lines; a kernel without dots has no DPAS."""
    compiled = compile_kernel(rows, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 256})
    result = report.of(compiled)
    assert sum(row.figures.counts.instructions for row in result.rows) == result.native.total.instructions
    assert result.native.total.instructions == compiled.metadata.native["total"]["instructions"]
    by_line = rows_by_line(result)
    call = by_line[line(rows, "grow(value)")]
    (inner,) = (row for row in call.inlined if row.location.line == line(grow, "x * 1.5"))
    assert 0 < inner.figures.counts.instructions <= call.figures.counts.instructions
    # The shared memory of the reduction is in its line.
    assert by_line[line(rows, "tl.sum")].figures.shared_bytes == result.total.shared_bytes > 0
    found = {(loop.depth, loop.places[0].line) for loop in result.loops}
    assert {(0, line(rows, "for i in")), (1, line(rows, "for _j in"))} <= found
    assert all(loop.estimate.dpas == 0 and loop.estimate.bound != "DPAS" for loop in result.loops)


@needs_ocloc
def test_kernel_without_loops_and_dots():
    """There is nothing to estimate, and the text states it without a table of loops."""
    result = report.of(compile_kernel(copy, {"x": "*fp32", "out": "*fp32"}, {"BLOCK": 256}))
    assert result.loops == ()
    text = str(result)
    assert "0 loops" in text and "cycles" not in text and "dpas " not in text.splitlines()[3]


@needs_ocloc
def test_conversions_and_remarks():
    """A layout conversion is in its line with both layouts in short; remarks are the compiler's."""

    @triton.jit
    def turn(x, out, n, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        value = tl.load(x + i[:, None] * n + i[None, :])
        tl.store(out + i[:, None] * n + i[None, :], tl.trans(value))

    compiled = compile_kernel(turn, {"x": "*fp32", "out": "*fp32", "n": "i32"}, {"BLOCK": 64}, num_warps=2)
    result = report.of(compiled)
    found = [conversion for row in result.rows for conversion in row.conversions]
    assert len(found) == compiled.asm["ttgir"].count("ttg.convert_layout") > 0
    assert all(re.fullmatch(r"64x64xf32: \w+\(.*\) -> \w+\(.*\)", str(conversion)) for conversion in found)
    assert any("shared" in remark.message.lower() for remark in result.remarks)
    assert result.total.shared_bytes > 0


@needs_ocloc
def test_remarks_are_collected_and_not_printed(gemm, capfd):
    """A report prints nothing of the remarks of passes; afterwards they are silent, as before."""
    assert report.of(gemm).remarks
    assert capfd.readouterr().err == ""
    with compiler.collect_diagnostics() as outer:
        pass
    assert outer == []


@needs_ocloc
def test_kernels_of_a_script(tmp_path):
    """Every configuration that a script launches is one report, although it runs on the CPU device."""
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, torch, triton, triton.language as tl\n\n@triton.jit\n"
        + inspect.getsource(copy.fn).split("@triton.jit\n")[-1]
        + "\nx = torch.ones(64)\nfor size in (int(sys.argv[1]), 64, 16):\n"
        + "    copy[(1,)](x, torch.empty(64), BLOCK=size)\n"
    )
    found = launched.run(Script(str(script), ["16"]))
    assert len(found) == 2
    result = report.of(found[0].kernel)
    assert found[0].launches is None
    assert result.arch == "pvc" and sum(row.figures.bytes for row in result.rows) > 0
    assert {Path(row.location.file).name for row in result.rows if row.location} == {"script.py"}
    with pytest.raises(errors.ScriptError, match="launches no kernel `other`"):
        launched.run(Script(str(script), ["16"]), "other")
    with pytest.raises(errors.ScriptError, match=r"failed:\n(.*\n)+IndexError"):
        launched.run(Script(str(script)))


#: A script whose tensors differ in the distance of their rows, and a kernel of which all launches are alike.
VARIANTS = """
import torch, triton, triton.language as tl

@triton.jit
def turn(x, y, N, pitch, BLOCK: tl.constexpr):
    rows, columns = tl.arange(0, BLOCK), tl.arange(0, BLOCK)
    tile = tl.load(x + rows[:, None] * pitch + columns[None, :], mask=columns[None, :] < N, other=0.0)
    product = tl.dot(tile, tile)
    tl.store(y + rows[:, None] * BLOCK + columns[None, :], product)

for columns in (32, 36, 40, 44):
    x = torch.randn(32, columns).half()
    y = torch.empty(32, 32)
    turn[(1,)](x, y, 32, x.stride(0), 32, num_warps=1)
    turn[(0,)](x, y, 32, x.stride(0), 32, num_warps=1)
    torch.testing.assert_close(y, x[:, :32].float() @ x[:, :32].float(), atol=1e-3, rtol=1e-3)
"""


@needs_ocloc
def test_variants_of_a_script(tmp_path):
    """The report of each states how many launches ran it, and the one of the slower code which conditions they lack."""
    script = tmp_path / "script.py"
    script.write_text(VARIANTS)
    found = [each for each in launched.run(Script(str(script))) if each.launches]
    # The pitch of 32 is known to be a multiple of 16, so that it is another kernel; empty grids run nothing.
    assert [(each.launches.count, each.launches.all, each.launches.is_variant) for each in found] == [
        (1, 3, False),
        (2, 3, True),
    ]
    itself, variant = (str(kernels.of(each.kernel, each.launches)) for each in found)
    assert "\n1 of 3 launches ran this code; the others ran a variant" in itself
    assert "\n2 of 3 launches ran this code, a variant for launches that do not satisfy" in variant
    assert "in launches where pitch is divisible by 8" in itself and "not all of this holds" not in itself
    assert "as not all of this holds: pitch is divisible by 8" in variant
    assert "slower: tensors for which all of it holds" in variant
    page = render_page([kernels.of(each.kernel, each.launches) for each in found])
    assert "<p>2 of 3 launches ran this code, a variant" in page


class _Parser(html.parser.HTMLParser):
    """Tags with their attributes, and whether all are closed."""

    def __init__(self):
        super().__init__()
        self.open, self.tags = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "rect"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@needs_ocloc
def test_page(gemm_report, tmp_path):
    """The page is well-formed, loads nothing from anywhere, and has every instruction once."""
    page = tmp_path / "page.html"
    gemm_report.write_page(page)
    text = page.read_text()
    parser = _Parser()
    parser.feed(text)
    assert parser.open == []
    assert not any({"src", "srcset"} & attributes.keys() for _, attributes in parser.tags)
    assert all(attributes.get("href", "#").startswith("#") for _, attributes in parser.tags)
    assert "http" not in text.replace("https://www.w3.org", "") and "prefers-color-scheme: dark" in text
    code = "\n".join(re.findall(r"<pre>(.*?)</pre>", text, re.DOTALL))
    assert len(re.findall(r"^[0-9a-f]{5,}  ", code, re.MULTILINE)) == gemm_report.native.total.instructions
    if BROWSER:
        # The script ran without an error: the first column has been sorted by it.
        probe = text.replace("</body>", "<script>document.querySelectorAll('.sort')[1].click()</script></body>")
        page.write_text(probe)
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--dump-dom")
        shown = subprocess.run([BROWSER, *flags, page.as_uri()], capture_output=True, text=True, timeout=60).stdout
        assert 'aria-sort="descending"' in shown
        numbers = re.findall(r'<tr class="line".*?</td><td>(\d*)</td>', shown)
        assert [int(number or 0) for number in numbers] == sorted((int(n or 0) for n in numbers), reverse=True)


@pytest.fixture(scope="module")
def spilling():
    """Return a GEMM whose sums take all of 128 registers."""
    tiles = {"a": "tensordesc<bf16[256, 32]>", "b": "tensordesc<bf16[32, 256]>", "c": "tensordesc<fp32[256, 256]>"}
    signature, constants = tiles | {"K": "i32"}, {"BLOCK": 256, "STEP": 32}
    return compile_kernel(matmul, signature, constants, num_warps=32, grf_mode="default")


@needs_ocloc
@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"num_warps": 32, "grf_mode": "default"}, 'grf_mode="256" has double the number'),
        ({"num_warps": 64, "grf_mode": "128"}, 'grf_mode="256" has double the number, for at most 32 warps'),
        ({"num_warps": 8, "grf_mode": "256"}, "with more warps than 8 each has less to hold (num_warps, at most 32)"),
        ({"num_warps": 32, "grf_mode": "256"}, None),
    ],
)
def test_advice_about_spills(options, advice):
    """A report of a kernel that spills states what may help, and that of one that does not has no advice."""
    rows = 512 if options["num_warps"] == 64 else 256
    tiles = {"a": f"tensordesc<bf16[{rows}, 32]>", "b": f"tensordesc<bf16[32, {rows}]>"}
    signature = tiles | {"c": f"tensordesc<fp32[{rows}, {rows}]>", "K": "i32"}
    result = report.of(compile_kernel(matmul, signature, {"BLOCK": rows, "STEP": 32}, **options))
    assert (result.native.spilled_registers > 0) == (advice is not None)
    printed = [line for line in str(result).splitlines() if line.startswith("registers are spilled: ")]
    assert printed == ([f"registers are spilled: {advice}"] if advice else [])


@needs_ocloc
@pytest.mark.parametrize(("grf_mode", "warps", "fits"), [("256", 8, 16), ("128", 32, 64)])
def test_warps_that_fit(grf_mode, warps, fits):
    """The report has compiled a kernel that spills with more warps, and states with how many it does not."""
    tiles = {"a": "tensordesc<bf16[256, 32]>", "b": "tensordesc<bf16[32, 256]>", "c": "tensordesc<fp32[256, 256]>"}
    arguments = (matmul, tiles | {"K": "i32"}, {"BLOCK": 256, "STEP": 32})
    result = report.of(compile_kernel(*arguments, num_warps=warps, grf_mode=grf_mode))
    assert result.fit == Fit(fits, 0)
    before = result.native.total.scratch_messages
    assert before > 0
    printed = f"with num_warps={fits} there are none to scratch memory instead of {before} messages"
    assert printed in str(result).splitlines()
    other = report.of(compile_kernel(*arguments, num_warps=fits, grf_mode=grf_mode))
    assert other.native.total.scratch_messages == 0
    assert other.fit is None


@needs_ocloc
def test_tile_that_never_fits():
    """The sums of a tile of 512 x 512 take twice the registers of 32 sub-groups: the report names a smaller tile."""
    tiles = {"a": "tensordesc<bf16[512, 32]>", "b": "tensordesc<bf16[32, 512]>", "c": "tensordesc<fp32[512, 512]>"}
    kernel = compile_kernel(matmul, tiles | {"K": "i32"}, {"BLOCK": 512, "STEP": 32}, num_warps=16, grf_mode="256")
    result = report.of(kernel)
    assert result.fit.num_warps == 32
    assert 0 < result.fit.scratch_messages < result.native.total.scratch_messages
    assert str(result).splitlines()[3].endswith("messages: a smaller tile has less to hold")


@needs_ocloc
@needs_browser
@pytest.mark.parametrize("width", [1280, 600])
def test_page_shows_the_source(spilling, tmp_path, width):
    """Beside its line, within the window, and without columns that have no number."""
    result = report.of(spilling)
    page = tmp_path / "page.html"
    result.write_page(page)
    with open_page() as browser:
        browser.open(page, width=width)
        table = "document.querySelector('table.lines')"
        heads = browser.run(f"[...{table}.tHead.rows[0].cells].map((one) => one.innerText)")
        assert heads[:2] == ["line", "source"] and {"dpas", "spill", "bytes"} < set(heads)
        rows = browser.run(
            f"[...{table}.querySelectorAll('tr.line')].map((row) => [...row.cells].map((one) => one.innerText))"
        )
        assert all(any(row[column] for row in rows) for column in range(2, len(heads)))
        assert "total = tl.dot(x, y, total)" in {row[1].strip() for row in rows}
        right = browser.run(
            f"Math.max(...[...{table}.querySelectorAll('td.source')].map((one) => one.getBoundingClientRect().right))"
        )
        assert right < width
        assert browser.run("document.querySelector('p.remark').innerText").startswith("registers are spilled: grf_mode")
        browser.run(f"{table}.querySelectorAll('.sort')[1].click()")
        numbers = browser.run(f"[...{table}.querySelectorAll('tr.line')].map((row) => Number(row.cells[2].innerText))")
        assert numbers == sorted(numbers, reverse=True) and numbers[0] > numbers[-1]
        assert browser.problems() == []


@needs_ocloc
@needs_browser
@pytest.mark.parametrize("width", [420, 1300])
def test_page_of_several_kernels(spilling, gemm_report, tmp_path, width):
    """All numbers are within the window, an overview leads to each kernel, and a legend explains each column."""
    page = tmp_path / "page.html"
    page.write_text(render_page([report.of(spilling), gemm_report]))
    with open_page() as browser:
        browser.open(page, width=width)
        wrappers = "[...document.querySelectorAll('.wide')]"
        assert browser.run(f"{wrappers}.every((one) => one.scrollWidth <= one.clientWidth + 1)")
        assert browser.run("document.documentElement.scrollWidth") <= width
        assert browser.run("[...document.querySelectorAll('svg')].every((one) => one.clientWidth < innerWidth)")
        assert browser.run(
            "[...document.querySelectorAll('.overview a')].map((one) => document.querySelector(one.hash).innerText"
            ".startsWith(one.innerText))"
        ) == [True, True]
        shown = "[...document.querySelectorAll('td.number')].filter((one) => one.innerText)"
        assert browser.run(f"{shown}.every((one) => one.getBoundingClientRect().right <= innerWidth)")
        legends = browser.run(
            "[...document.querySelectorAll('article')].map((one) => [[...one.querySelectorAll('dt')].map((term) =>"
            " term.textContent), [...one.querySelectorAll('.lines thead th')].slice(2).map((head) => head.textContent)"
            "])"
        )
        assert all(terms == heads and len(heads) > 3 for terms, heads in legends)
        assert browser.problems() == []


SIGNATURE = "*fp32, *fp32, 64"


def write_kernel(folder: Path) -> Path:
    path = folder / "copy.py"
    path.write_text(
        "import triton\nimport triton.language as tl\n\n\n@triton.jit\n"
        + inspect.getsource(copy.fn).split("@triton.jit\n")[-1]
    )
    return path


@needs_ocloc
def test_command(tmp_path, capsys, monkeypatch):
    """The command prints a report no wider than the terminal, and writes a page."""
    monkeypatch.setenv("COLUMNS", "60")
    page = tmp_path / "page.html"
    assert command_line.main(["report", str(write_kernel(tmp_path)), "-s", SIGNATURE, "--html", str(page)]) == 0
    output = capsys.readouterr().out
    assert output.startswith("copy for pvc (BLOCK=64, num_warps=4") and "copy.py:8" in output
    table = [text for text in output.splitlines() if text.startswith("copy.py")]
    assert table and max(map(len, table)) <= 60
    assert page.read_text().startswith("<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-s", "*fp32"], "the signature ends before `out`"),
        (["-s", "*what, *fp32, 64"], "points to no type"),
        (["-s", SIGNATURE, "--run"], "--signature is for a kernel that is not launched"),
        (["-s", SIGNATURE, "7"], "--signature is for a kernel that is not launched"),
        (["-s", SIGNATURE, "-n", "cop"], "`cop` does not exist: did you mean `copy`?"),
        ([], "launches no kernel; --signature reports on one that is not launched"),
        (["-s", SIGNATURE, "--target", "cpu"], "expected an architecture of a GPU, found `cpu`"),
        (["-s", SIGNATURE, "--target", "xe9"], "unknown architecture: expected `pvc`"),
        (["-s", SIGNATURE, "-n", "other"], "`other` does not exist"),
    ],
)
def test_wrong_arguments(tmp_path, capsys, arguments, message):
    """The error is reported in one line. The status distinguishes a wrong call from a script that does nothing."""
    status = 2 if arguments else 1
    assert command_line.main(["report", str(write_kernel(tmp_path)), *arguments]) == status
    error = capsys.readouterr().err
    assert error.startswith("error: ") and message in error


def test_neither_kernel_nor_script(tmp_path, capsys):
    """A script is needed, and has to exist."""
    with pytest.raises(SystemExit) as caught:
        command_line.main(["report"])
    assert caught.value.code == 2
    assert "SCRIPT.py" in capsys.readouterr().err
    assert command_line.main(["report", "--run", str(tmp_path / "none.py")]) == 2
    assert "there is no file" in capsys.readouterr().err


@needs_ocloc
def test_guide(tmp_path, capsys):
    """The guide to a fast GEMM counts the instructions of its loop as the report does that it describes."""
    guide = (Path(__file__).parents[3] / "docs" / "guides" / "fast-gemm.md").read_text()
    (tmp_path / "gemm.py").write_text(re.search(r"```python\n(.*?)```", guide, re.DOTALL)[1])
    command = shlex.split(re.search(r"triton-xe (report gemm\.py .*?)\n```", guide, re.DOTALL)[1].replace("\\\n", ""))
    command[1] = str(tmp_path / "gemm.py")
    assert command_line.main(command) == 0
    instructions, dpas = re.search(r"(\d+) instructions: (\d+) dpas", capsys.readouterr().out).groups()
    assert f"**`{dpas} dpas`** of {instructions} instructions" in guide


def test_other_chip(tmp_path, capsys):
    """A chip of which not all figures were published has loops without an estimate."""
    file = tmp_path / "sums.py"
    file.write_text(
        "import triton, triton.language as tl\n"
        "@triton.jit\n"
        "def sums(x, out, n, BLOCK: tl.constexpr):\n"
        "    total = tl.zeros((BLOCK,), tl.float32)\n"
        "    for i in range(n):\n"
        "        total += tl.load(x + i * BLOCK + tl.arange(0, BLOCK))\n"
        "    tl.store(out + tl.arange(0, BLOCK), total)\n"
    )
    assert command_line.main(["report", str(file), "-s", "*fp32, *fp32, i32, 64", "--target", "nvl-s"]) == 0
    shown = capsys.readouterr().out
    assert "sums for nvl-s" in shown and "sums.py:5" in shown and "bound by" not in shown


def test_autotuner_says_what_it_drops(capsys, monkeypatch):
    """One line per kernel and configuration, with the reason; none if it is not wanted."""
    monkeypatch.setenv("TRITON_XE_DROPPED", "1")

    @triton.jit
    def turn(x, out, n, BLOCK: tl.constexpr):
        i = tl.arange(0, BLOCK)
        value = tl.load(x + i[:, None] * n + i[None, :])
        tl.store(out + i[:, None] * n + i[None, :], tl.trans(value))

    configs = [triton.Config({"BLOCK": 512}, num_warps=64), triton.Config({"BLOCK": 16}, num_warps=4)]
    x = torch.zeros(512, 512, dtype=torch.float16)

    def tune() -> str:
        triton.autotune(configs, key=["n"])(turn)[(1,)](x, torch.empty_like(x), 512)
        return capsys.readouterr().err

    (printed,) = tune().splitlines()
    assert printed.startswith("triton-xe: the autotuner drops turn with BLOCK: 512, num_warps: 64")
    assert "shared memory, Required: " in printed
    # Once is enough.
    assert tune() == ""
    turn.fn.__name__ = turn.__name__ = "again"
    # On no terminal, there was no question.
    monkeypatch.delenv("TRITON_XE_DROPPED")
    assert tune() == ""
