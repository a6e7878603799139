# SPDX-License-Identifier: MIT
"""The page of a profile in a browser: what it shows, how one moves in it, and that it needs nothing else."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest
from browser import Page, needs_browser, open_page
from profile_memory import BEGIN, make_launch, make_program, record

from triton_xe.tools.profiler import events, kernel_page, page, picture
from triton_xe.tools.profiler.totals import ScopeTotals, TimeTotals

pytestmark = needs_browser
#: The scopes of the launches that are made here, by number.
SCOPES = [("all", -1), ("load", 0), ("</script><b>dot", 0)]


@pytest.fixture(scope="module")
def browser():
    with open_page() as opened:
        yield opened


def warp(begin: int, steps: int) -> list[tuple[int, int]]:
    """Return an outer scope of 1000 cycles per step, in which each has a load and a dot."""
    marks = [record(0, False, begin)]
    for step in range(steps):
        start = begin + 1000 * step
        marks += [record(1, False, start + 100), record(1, True, start + 300)]
        marks += [record(2, False, start + 400), record(2, True, start + 900)]
    return [*marks, record(0, True, begin + 1000 * steps)]


def launch_of(programs: int, warps: int, steps: int, slowest: int = 0, **fields):
    """Return programs that begin one after another; one of them has its warps later than the others."""
    memory = []
    for number in range(programs):
        begin = BEGIN + 50 * number
        late = 5000 if number == slowest else 0
        segments = [warp(begin + 10 + late + 20 * place, steps) for place in range(warps)]
        counts = [2 * len(segment) for segment in segments]
        memory.append(make_program(segments, counts, number, 0, begin, number % 4, duration=1000 * steps + 100))
    return make_launch("kernel", SCOPES, memory, warps, **fields)


def write(path, *launches) -> ScopeTotals:
    selection = page.Selection()
    collected = ScopeTotals(look=selection.look)
    for launch in launches:
        collected.launched(launch)
    collected.finish()
    page.write(path, "some <i>profile</i>", collected, selection)
    return collected


@pytest.fixture
def shown(browser, tmp_path) -> Page:
    """Yield two launches of one kernel: three programs of two warps, and one program of one."""
    write(tmp_path / "page.html", launch_of(3, 2, 4, slowest=2, lines=(12, 0, 0)), launch_of(1, 1, 2, path=("step",)))
    browser.events.clear()
    browser.open(tmp_path / "page.html")
    yield browser
    assert browser.problems() == []


def figures(shown: Page) -> dict[str, str]:
    return shown.run("({...document.getElementById('timeline').dataset})")


def view(shown: Page) -> tuple[float, ...]:
    return tuple(map(float, figures(shown)["view"].split()))


def place_of(shown: Page, time: float, y: float) -> tuple[float, float]:
    """Return where on the page a time of the launch is, `y` below the upper edge of the timeline."""
    box = shown.run("document.getElementById('timeline').getBoundingClientRect().toJSON()")
    first, last = view(shown)
    return box["left"] + 90 + (time - first) / (last - first) * (box["width"] - 90), box["top"] + y


def text(shown: Page, selector: str) -> str:
    return shown.run(f"document.querySelector({json.dumps(selector)}).innerText")


def choose(shown: Page, name: str, value: str) -> None:
    script = "const one = document.getElementById({}); one.value = {}; one.dispatchEvent(new Event('change'))"
    shown.run(f"(() => {{ {script.format(json.dumps(name), json.dumps(value))} }})()")
    shown.settle()


def test_what_is_shown(shown):
    """There are exactly the rows and slices of the profile; names are text, whatever is in them."""
    assert {name: figures(shown)[name] for name in ("rows", "slices")} == {"rows": "6", "slices": str(6 * 9)}
    assert text(shown, "h1") == "some <i>profile</i>"
    assert text(shown, "#summary") == "2 launches of 1 kernel"
    legend = shown.run("[...document.querySelectorAll('#legend button')].map((one) => one.innerText)")
    assert legend == ["all", "load", "</script><b>dot"]
    colours = shown.run("[...document.querySelectorAll('#legend i')].map((one) => one.style.background)")
    assert len(set(colours)) == 3
    programs = shown.run("[...document.getElementById('programs').options].map((one) => one.text)")
    assert programs == [
        *("all 3 shown here", "program 0 on processor 0"),
        *("program 1 on processor 1, the median", "program 2 on processor 2, the slowest"),
    ]
    assert text(shown, "#left-out") == ""


def test_launches_and_programs(shown):
    choose(shown, "programs", "2")
    assert figures(shown)["rows"] == "2"
    # From the begin of that program on, which is later than the launch's.
    begin, end = view(shown)
    assert 0 < begin < 100 and 9_000 < end < 10_000
    choose(shown, "launch", "1")
    assert {name: figures(shown)[name] for name in ("rows", "slices")} == {"rows": "1", "slices": "5"}
    titles = shown.run("[...document.getElementById('launch').options].map((one) => one.text)")
    assert [re.sub(r"[\d.]+ µs", "T", title) for title in titles] == [
        "kernel, launch 0, T",
        "kernel, launch 1 in step, T",
    ]


def test_pointing(shown):
    """At the first row of the first program: ruler, head, outer scope, and what is in it below."""
    shown.mouse("mouseMoved", *place_of(shown, 500, 22 + 22 + 5))
    lines = text(shown, "#tip").splitlines()
    assert lines[:2] == ["all (line 12)", "warp 0 of program 0 on processor 0"]
    assert lines[3].endswith("(4 000 cycles)")
    shown.mouse("mouseMoved", *place_of(shown, 110 + 650, 22 + 22 + 15 + 5))
    assert text(shown, "#tip").splitlines()[0] == "</script><b>dot"
    # Below the warps of the first program, beside the second one's first scope.
    shown.mouse("mouseMoved", *place_of(shown, 6000, 22 + 22 + 5))
    assert shown.run("document.getElementById('tip').hidden")


def test_moving(shown):
    """The wheel zooms about the pointer, drags move, and buttons and keys do both."""
    first, last = view(shown)
    x, y = place_of(shown, 2000, 60)
    shown.mouse("mouseWheel", x, y, deltaX=0, deltaY=-400)
    assert first < view(shown)[0] < 2000 < view(shown)[1] < last
    assert place_of(shown, 2000, 60)[0] == pytest.approx(x, abs=1)
    shown.mouse("mousePressed", x, y)
    shown.mouse("mouseMoved", x + 80, y, buttons=1)
    shown.mouse("mouseReleased", x + 80, y)
    assert place_of(shown, 2000, 60)[0] == pytest.approx(x + 80, abs=1)
    shown.run("document.getElementById('fit').click()")
    shown.settle()
    assert view(shown) == pytest.approx((first, last))
    shown.run("document.getElementById('timeline').focus()")
    shown.press("+", "+")
    zoomed = view(shown)
    assert zoomed[1] - zoomed[0] == pytest.approx((last - first) / 1.5)
    shown.press("ArrowRight", modifiers=8)
    assert view(shown)[0] > zoomed[0]
    shown.press("0", "0")
    assert view(shown) == pytest.approx((first, last))


def test_keys_go_from_slice_to_slice(shown):
    """The choice is described as text, for those who cannot see it."""
    shown.run("document.getElementById('timeline').focus()")
    printed = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        shown.press(key)
        printed.append(text(shown, "#status").split(",")[:2])
    assert [name for name, _place in printed] == [
        "all (line 12)",
        "load",
        "</script><b>dot",
        "</script><b>dot",
        "load",
        "load",
    ]
    assert [re.findall(r"\d", place)[0] for _name, place in printed] == ["0", "0", "0", "1", "1", "0"]
    shown.press("Escape")
    assert text(shown, "#status") == ""


def test_the_legend_hides_scopes(shown):
    at = place_of(shown, 500, 22 + 22 + 5)
    shown.run("document.querySelector('#legend button').click()")
    shown.mouse("mouseMoved", *at)
    assert shown.run("document.getElementById('tip').hidden")
    shown.run("document.querySelector('#legend button').click()")
    shown.mouse("mouseMoved", at[0] + 1, at[1])
    assert text(shown, "#tip").startswith("all")


def test_the_table(shown):
    """The tree, its parts in the order of a column; both launches have their rows, as only one has a host scope."""

    def column(place: int) -> list[str]:
        return shown.run(f"[...document.querySelectorAll('#tree tbody tr')].map((row) => row.cells[{place}].innerText)")

    assert [name.splitlines() for name in column(0)] == [
        *(["kernel"], ["all"], ["</script><b>dot"], ["load"]),
        *(["kernel", "in step"], ["all"], ["</script><b>dot"], ["load"]),
    ]
    assert column(1) == ["1", "6", "24", "24", "1", "1", "2", "2"]
    assert column(3) == ["-", "100.0 %", "50.0 %", "20.0 %"] * 2
    assert column(4)[1:4] == ["4 000", "500", "200"]
    shown.run("document.querySelectorAll('#tree th button')[0].click()")
    # By name, from the first one on.
    assert [name.splitlines()[0] for name in column(0)][:4] == ["kernel", "all", "</script><b>dot", "load"]
    shown.run("document.querySelectorAll('#tree th button')[4].click()")
    shown.run("document.querySelectorAll('#tree th button')[4].click()")
    assert [name.splitlines()[0] for name in column(0)][1:4] == ["all", "load", "</script><b>dot"]
    assert shown.run("document.querySelectorAll('#tree th')[4].ariaSort") == "ascending"


@pytest.mark.parametrize(("width", "dark"), [(1400, False), (1400, True), (390, False)])
def test_nothing_is_cut_off(shown, tmp_path, width, dark):
    """Also on a narrow screen; a dark page is dark."""
    shown.open(tmp_path / "page.html", width, 844, dark)
    assert shown.run("document.documentElement.scrollWidth") <= width
    red = int(re.findall(r"\d+", shown.run("getComputedStyle(document.body).backgroundColor"))[0])
    assert (red < 64) == dark
    canvas = shown.run("document.getElementById('timeline').getBoundingClientRect().toJSON()")
    assert 0 < canvas["left"] < canvas["right"] <= width
    pixel = shown.run(
        "[...document.getElementById('timeline').getContext('2d').getImageData(3, 100, 1, 1).data].slice(0, 1)[0]"
    )
    assert (pixel < 64) == dark


def test_events_and_rows(browser, tmp_path):
    """Events that overlap have separate rows, and arrows lead to other warps."""
    first = [record(1, False, BEGIN + 10, is_event=True), record(1, False, BEGIN + 20, is_event=True)]
    first += [record(1, True, BEGIN + 30, is_event=True), record(1, True, BEGIN + 40, is_event=True)]
    first += [record(2, False, BEGIN + 50, is_event=True), record(0, False, BEGIN + 60), record(0, True, BEGIN + 70)]
    second = [record(2, True, BEGIN + 80, is_event=True), record(0, False, BEGIN + 90), record(0, True, BEGIN + 95)]
    memory = make_program([first, second + [(0, 0)] * 4], [14, 6], cost=0, duration=100)
    collected = write(tmp_path / "page.html", make_launch("kernel", SCOPES, [memory], 2))
    browser.events.clear()
    browser.open(tmp_path / "page.html")
    assert (figures(browser)["rows"], figures(browser)["slices"]) == ("4", "4")
    shares = {row.path[-1]: row.share for row in collected.rows()}
    assert shares["load"] is None and shares["all"] > 0
    assert browser.problems() == []


def test_a_large_launch(browser, tmp_path):
    """It is drawn at once; the page has some programs of it, among them the first, the slowest and the median, and
    how many it has not."""
    launch = launch_of(64, 32, 24, slowest=60)
    # The number of programs of a large grid: the same records, with numbers.
    words = launch.memory.view(dtype=launch.memory.dtype).clone().numpy().reshape(64, -1)
    many = words.repeat(32, 0).copy()
    many.view("uint32")[:, 1] = range(len(many))
    memory = launch.memory.new_tensor(many.reshape(-1))
    write(tmp_path / "page.html", *[dataclasses.replace(launch, memory=memory)] * 2)
    assert (tmp_path / "page.html").stat().st_size < 2_000_000
    browser.events.clear()
    browser.open(tmp_path / "page.html")
    # A line for each program, until they are unfolded: by a click on one, or all at once.
    assert figures(browser)["rows"] == "0"
    x, y = place_of(browser, 0, 22 + 10)
    for _ in range(2):
        browser.mouse("mousePressed", x, y)
        browser.mouse("mouseReleased", x, y)
        assert figures(browser)["rows"] in ("32", "0")
    assert figures(browser)["rows"] == "0"
    browser.run("document.getElementById('timeline').focus()")
    browser.press("ArrowDown")
    assert figures(browser)["rows"] == "32"
    browser.press("f", "f")
    assert figures(browser)["rows"] == "0"
    browser.press("f", "f")
    assert 0 < float(figures(browser)["milliseconds"]) < 1000
    assert 10_000 < float(figures(browser)["slices"]) <= 20_000
    assert int(figures(browser)["rows"]) == 32 * int(figures(browser)["heads"])
    programs = browser.run("[...document.getElementById('programs').options].map((one) => one.text)")
    assert programs[1] == "program 0 on processor 0"
    assert any("the slowest" in program for program in programs)
    assert any("the median" in program for program in programs)
    shown = len(programs) - 1
    assert re.sub(r"\s", " ", text(browser, "#left-out")) == (
        f"{f'{2048 - shown:,}'.replace(',', ' ')} of 2 048 programs of this launch are not on the page."
    )
    assert browser.problems() == []


def test_what_is_kept(monkeypatch):
    """Kept are of many launches the first three and the slowest three, of programs without room their begin; of kernels
    those that take long, and of each of them less."""
    monkeypatch.setattr(page, "_LAUNCH_INTERVALS", 40)
    monkeypatch.setattr(page, "_PAGE_INTERVALS", 60)
    selection = page.Selection()
    collected = ScopeTotals(look=selection.look)
    for steps in (2, 2, 2, 9, 1, 8, 1, 7):
        collected.launched(launch_of(4, 1, steps, slowest=2, configuration=(("B", "1"),)))
    collected.launched(launch_of(2, 1, 30, configuration=(("B", "2"),)))
    collected.finish()
    kept = selection.of_kernel("kernel", (("B", "1"),))
    assert [one.number for one in kept] == [0, 1, 2, 3, 5, 7]
    # 5 intervals of each program; 19 of each, of which three are special.
    assert [[len(shown.program.columns) for shown in one.programs] for one in (kept[0], kept[3])] == [
        *([5, 5, 5, 5], [13, 13, 14]),
    ]
    assert [shown.remarks for shown in kept[3].programs] == [
        *(("the first 13 scopes",), ("the slowest", "the first 13 scopes"), ("the median", "the first 14 scopes"))
    ]
    (other,) = selection.of_kernel("kernel", (("B", "2"),))
    assert [len(shown.program.columns) for shown in other.programs] == [40]
    # 8 intervals of each of the seven launches.
    assert [one.num_intervals <= 8 for one in selection.launches()] == [True] * 7
    monkeypatch.setattr(page, "_PAGE_LAUNCHES", 2)
    assert [one.number for one in selection.launches()] == [0, 8]


def run_of(kernel: str, begin: int, end: int, stream: int = 0, **fields) -> events.Run:
    fields = {"path": (), "device_type": "XPU", "device": 0, "is_host_time": False} | fields
    return events.Run(kernel, stream=stream, time=events.HostTime(begin, end), **fields)


def test_whole_kernels(browser, tmp_path):
    """Rows of streams, below those of their device; launches that overlap in one have two rows. Omissions are
    reported."""
    collected = TimeTotals(kept_launches=6)
    for run in (
        run_of("first", 1_000, 5_000),
        run_of("<b>second", 6_000, 7_000, path=("step",)),
        run_of("first", 6_500, 8_500),
        run_of("first", 2_000, 3_000, stream=7),
        run_of("first", 100_000, 101_000, device=1),
        run_of("first", 9_000, 10_000),
        run_of("third", 11_000, 11_500),
    ):
        collected.ran(run)
    collected.finish()
    kernel_page.write(tmp_path / "page.html", "kernels", collected)
    browser.events.clear()
    browser.open(tmp_path / "page.html")
    expected = {"heads": "2", "rows": "4", "slices": "6"}
    assert {name: figures(browser)[name] for name in expected} == expected
    assert text(browser, "#summary") == "7 launches of 3 kernels, 10.5 µs"
    assert text(browser, "#left-out") == "1 launch is not on the page."
    assert text(browser, ".tools label:not([hidden]) span:not([hidden])") == "devices"
    assert text(browser, ".note:not([hidden])").startswith("Shares are of the time of all launches")
    heads = browser.run("[...document.querySelectorAll('#tree th')].map((one) => one.innerText.split(' ')[0])")
    assert heads == ["kernel", "count", "share", "µs", "least", "most"]
    cells = browser.run(
        "[...document.querySelectorAll('#tree tbody tr')].map((row) => [...row.cells].map((one) => one.innerText))"
    )
    assert cells == [
        ["first", "5", "85.7 %", "1.80", "1.00", "4.00"],
        ["<b>second\nin step", "1", "9.5 %", "1.00", "1.00", "1.00"],
        ["third", "1", "4.8 %", "0.500", "0.500", "0.500"],
    ]
    browser.mouse("mouseMoved", *place_of(browser, 5_200, 22 + 22 + 5))
    assert text(browser, "#tip").splitlines() == [
        *("<b>second", "stream 0 of XPU 0", "begins 5 µs after the first launch", "takes 1 µs")
    ]
    assert browser.run("document.documentElement.scrollWidth") <= 1280
    assert browser.problems() == []


def test_picture(browser, tmp_path):
    """The median program of the slowest launch, as SVG that a browser can show."""
    selection = page.Selection()
    collected = ScopeTotals(look=selection.look)
    for launch in (launch_of(3, 2, 4, slowest=2), launch_of(1, 20, 2)):
        collected.launched(launch)
    collected.finish()
    picture.write(tmp_path / "picture.svg", collected, selection)
    browser.events.clear()
    browser.open(tmp_path / "picture.svg")
    texts = browser.run("[...document.querySelectorAll('text')].map((one) => one.textContent)")
    assert texts[:4] == ["kernel: program 1 of 3", "all", "load", "</script><b>dot"]
    assert [one for one in texts if one.startswith("warp")] == ["warp 0", "warp 1"]
    fills = browser.run("[...document.querySelectorAll('rect[fill]')].map((one) => one.getAttribute('fill'))")
    # The legend, and of two warps the slices.
    assert len(fills) == 3 + 2 * 9
    inside = "(({left, right, bottom}) => left >= 0 && right <= 961 && bottom > 0)(one.getBoundingClientRect())"
    assert browser.run(f"[...document.querySelectorAll('text, rect')].every((one) => {inside})")
    assert browser.problems() == []
