# SPDX-License-Identifier: MIT
"""A page in a browser without a window, as far as tests need it: over pipes, by the DevTools protocol.

Chromium comes as Debian's package `chromium-headless-shell`, which `make setup` installs; any other Chromium does too.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import itertools
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_NAMES = ("chromium-headless-shell", "chromium", "google-chrome")
_FOUND = next(filter(None, map(shutil.which, _NAMES)), None)

needs_browser = pytest.mark.skipif(
    not _FOUND, reason="a page is tested in a browser, and no Chromium is on this machine (chromium-headless-shell)"
)

#: Nothing but the page: no sandbox, which root cannot have, and no services that use the network.
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking")
_FLAGS += ("--disable-component-update", "--disable-sync", "--no-first-run", "--hide-scrollbars")
#: The ends of the pipes in the browser.
_READ, _WRITE = 3, 4


class Page:
    """One page. Its console output, its errors and its requests to the network are in `events`."""

    def __init__(self, read: int, write: int) -> None:
        self.read, self.write = read, write
        self.buffer = b""
        self.numbers = itertools.count(1)
        self.session: str | None = None
        self.events: list[tuple[str, dict]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict:
        """Return the answer to a command; raises RuntimeError for an error."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append((answer["method"], answer["params"]))

    def _receive(self) -> dict:
        while b"\0" not in self.buffer:
            read = os.read(self.read, 1 << 20)
            if not read:
                raise RuntimeError("the browser has ended")
            self.buffer += read
        message, _zero, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def open(self, path: Path, width: int = 1280, height: int = 800, dark: bool = False) -> None:
        """Show a file in a window of this size, and wait until it is shown."""
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=path.resolve().as_uri())
        self.run("new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', done))")
        self.settle()

    def settle(self) -> None:
        """Wait until what was changed is drawn."""
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, script: str) -> Any:
        """Return the value of an expression, or of its promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "an error"))
        return answer["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **parameters: Any) -> None:
        """`mouseMoved`, `mousePressed`, `mouseReleased` or `mouseWheel`."""
        if kind in ("mousePressed", "mouseReleased"):
            parameters = {"button": "left", "clickCount": 1} | parameters
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **parameters)
        self.settle()

    def press(self, key: str, text: str = "", **parameters: Any) -> None:
        """A key, which may write a letter."""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "", **parameters
            )
        self.settle()

    def screenshot(self, path: Path) -> None:
        """Write a picture of the whole page."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(picture["data"]))

    def problems(self) -> list[str]:
        """Return errors and warnings so far, and requests for anything but files of this machine."""
        found = []
        for method, event in self.events:
            if method == "Runtime.exceptionThrown":
                found.append(str(event["exceptionDetails"]))
            elif method in ("Runtime.consoleAPICalled", "Log.entryAdded"):
                found.append(str(event))
            elif method == "Network.requestWillBeSent" and not event["request"]["url"].startswith(("file:", "data:")):
                found.append(event["request"]["url"])
        return found


@contextlib.contextmanager
def open_page() -> Iterator[Page]:
    """Yield a page of a separate browser."""
    assert _FOUND
    ends = [end for _ in range(2) for end in os.pipe()]
    # Not where they will be in the browser.
    (browser_read, write, read, browser_write) = (
        fcntl.fcntl(ends[place], fcntl.F_DUPFD_CLOEXEC, 10) for place in (0, 1, 2, 3)
    )
    for end in ends:
        os.close(end)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        arguments = [_FOUND, *_FLAGS, "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"]
        actions = [(os.POSIX_SPAWN_DUP2, browser_read, _READ), (os.POSIX_SPAWN_DUP2, browser_write, _WRITE)]
        actions.append((os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0))
        process = os.posix_spawn(_FOUND, arguments, dict(os.environ), file_actions=actions)
        os.close(browser_read)
        os.close(browser_write)
        try:
            yield Page(read, write)
        finally:
            os.close(write)
            os.close(read)
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
