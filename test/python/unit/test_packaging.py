# SPDX-License-Identifier: MIT
"""Packages of systems, interpreters and releases: what the build needs, and what it does where that is missing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import support
import yaml

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "scripts" / "install_packages.sh"
#: The answers of `apt-cache` of each system on the packages whose names differ.
SYSTEMS = {
    "debian": ("libboost-context1.81-dev", "libboost-context-dev", "chromium-headless-shell", "clang-22"),
    "ubuntu": ("libboost-context-dev",),
    "ubuntu with LLVM": ("libboost-context-dev", "clang-22"),
}


@pytest.fixture
def system(tmp_path, monkeypatch):
    """Return a function that runs the script on a system where nothing is installed; apt writes down its arguments."""

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)

    def run(known: tuple[str, ...], *arguments: str, has_lists: bool = True) -> tuple[int, list[str], str]:
        write("dpkg-query", "exit 1")
        fetched = "" if has_lists else f"grep -q update {tmp_path}/calls || exit 0\n"
        write("apt-cache", fetched + "\n".join(f'test "$3" != {name} || echo "Package: $3"' for name in known))
        write("apt-get", f'echo "$@" >> {tmp_path}/calls')
        # With the right to install, or by a `sudo` that allows it.
        write("sudo", 'exec "$@"')
        environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        result = subprocess.run(["sh", SCRIPT, *arguments], capture_output=True, text=True, env=environment)
        calls = (tmp_path / "calls").read_text().splitlines() if (tmp_path / "calls").exists() else []
        installed = [word for call in calls if call.startswith("install") for word in call.split()[1:]]
        return result.returncode, [word for word in installed if not word.startswith("-")], result.stderr

    return run


def test_build_needs_no_packages_of_tests(system):
    status, installed, _ = system(SYSTEMS["debian"], "build")
    assert status == 0
    assert {"clang-22", "libmlir-22-dev", "libboost-context1.81-dev"} <= set(installed)
    assert not {"gdb", "chromium-headless-shell", "clang-format-22", "libgtest-dev", "spirv-tools"} & set(installed)


def test_tests_need_more(system):
    status, installed, _ = system(SYSTEMS["debian"], "test", "libclang-rt-22-dev")
    assert status == 0
    assert {"gdb", "chromium-headless-shell", "clang-format-22", "clang-22", "libclang-rt-22-dev"} <= set(installed)


def test_names_of_ubuntu(system):
    status, installed, _ = system(SYSTEMS["ubuntu with LLVM"], "test")
    assert status == 0
    assert "libboost-context-dev" in installed and "libboost-context1.81-dev" not in installed
    assert "chromium-headless-shell" not in installed and "gdb" in installed


def test_systems_without_lists_of_packages(system):
    """Containers begin without: they are fetched before names are chosen."""
    status, installed, _ = system(SYSTEMS["debian"], "test", has_lists=False)
    assert status == 0
    assert {"libboost-context1.81-dev", "chromium-headless-shell"} <= set(installed)


def test_missing_llvm(system):
    """It is named with the page that has its source, and nothing is installed."""
    status, installed, error = system(SYSTEMS["ubuntu"], "build")
    assert (status, installed) == (1, [])
    assert "apt.llvm.org" in error and "clang-22" in error
    page = re.search(r"docs/\S+\.md", error)[0]
    assert "https://apt.llvm.org/$VERSION_CODENAME/ llvm-toolchain-$VERSION_CODENAME-22" in (ROOT / page).read_text()


def test_wrong_purpose(system):
    status, installed, error = system(SYSTEMS["debian"], "everything")
    assert (status, installed) == (2, []) and "usage:" in error


def test_interpreters(tmp_path, monkeypatch):
    """A version is one of the PATH; a program that only reports where others are is none; uv fetches the rest."""
    script = support.load_script("build_wheel")
    own = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert script.find_python(own) == sys.executable
    assert script.find_python(sys.executable) == sys.executable

    def write(name: str, text: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)

    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    write("python3.98", "echo no such command; exit 127")
    write("python3.99", "echo /somewhere/python3.99")
    assert script.find_python("3.99") == "/somewhere/python3.99"
    monkeypatch.setattr(script.shutil, "which", lambda name: None)
    with pytest.raises(
        SystemExit, match=r"there is no Python 3\.98: install `python3\.98` .*`python3\.98-dev`.* or `uv`"
    ):
        script.find_python("3.98")
    with pytest.raises(SystemExit, match="`/nowhere/python` is no program"):
        script.find_python("/nowhere/python")
    write("uv", f'echo "$@" >> {tmp_path}/uv-calls; test "$2" != find || echo /fetched/python3.98')
    monkeypatch.setattr(script.shutil, "which", lambda name: str(tmp_path / name))
    assert script.find_python("3.98") == "/fetched/python3.98"
    assert (tmp_path / "uv-calls").read_text().splitlines()[0] == "python install 3.98"


def test_tools_that_the_system_lacks(tmp_path, monkeypatch):
    """They come from PyPI."""
    script = support.load_script("list_build_requirements")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert list(script.missing_tools()) == ["cmake>=3.25", "ninja>=1.10"]
    for name, version in (("cmake", "cmake version 3.22.1"), ("ninja", "1.11.1")):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / name).chmod(0o755)
    assert list(script.missing_tools()) == ["cmake>=3.25"]


def test_release():
    """The workflow calls targets that there are, for each Python of the project; only the job that publishes may."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text())
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    commands = "\n".join(step.get("run", "") for step in build["steps"])
    targets = set(re.findall(r"^[\w-]+(?=:)", (ROOT / "Makefile").read_text(), re.MULTILINE))
    called = {word for line in re.findall(r"\bmake ((?:[a-z-]+ ?)+)$", commands, re.MULTILINE) for word in line.split()}
    called |= set(re.findall(r"\bmake ([a-z-]+) WHEEL_PYTHON", commands))
    assert called == {"wheels", "sdist", "test-built-wheel"} and called <= targets
    pythons = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    assert re.search(r"for version in (.*);", commands)[1].split() == pythons
    assert re.search(r"^WHEEL_PYTHONS \?= (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)[1].split() == pythons
    assert publish["permissions"] == {"id-token": "write", "attestations": "write", "contents": "read"}
    assert workflow["permissions"] == {"contents": "read"} and "permissions" not in build
    assert "secrets." not in (ROOT / ".github/workflows/release.yml").read_text()
    assert "refs/tags/" in publish["if"] and publish["environment"]["name"] == "pypi"


def test_image():
    """The Dockerfile copies existing files, and its wheel is for the Python of its second stage."""
    text = (ROOT / "Dockerfile").read_text()
    for source in re.findall(r"^COPY (?!--from)(\S+)", text, re.MULTILINE):
        assert (ROOT / source).exists()
    assert "FROM debian:12 AS build" in text and "FROM python:3.11-slim-bookworm" in text
    line = re.search(r"^#     (docker build .*)$", text, re.MULTILINE)[1]
    assert line in (ROOT / "docs/get-started/install.md").read_text()
