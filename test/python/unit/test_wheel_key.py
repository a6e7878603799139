# SPDX-License-Identifier: MIT
"""The wheel's key is kept between processes, for as long as the wheel stays what it is."""

from __future__ import annotations

import functools
import os
import shutil
from pathlib import Path

import pytest
import triton
from triton import knobs
from triton.runtime import cache

from triton_xe.compat import originals, wheel_key


@pytest.fixture
def wheel(tmp_path, monkeypatch) -> Path:
    """Return a small wheel, and a separate cache."""
    folder = tmp_path / "triton"
    for part in wheel_key.PARTS:
        (folder / part / "inner").mkdir(parents=True)
        (folder / part / "inner" / "file.py").write_text("1")
    monkeypatch.setattr(triton, "__file__", str(folder / "__init__.py"))
    monkeypatch.setattr(knobs.cache, "dir", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "triton_key", None)
    return folder


def keys(wheel: Path) -> tuple[str, int]:
    """Return the key that a new process finds, and how often it has to compute it."""
    calls = []

    @functools.lru_cache
    def triton_key() -> str:
        calls.append(1)
        return f"key of {(wheel / 'language/inner/file.py').read_text()}"

    cache.triton_key = triton_key
    wheel_key.install()
    ours = cache.triton_key
    wheel_key.install()
    assert cache.triton_key is ours is not triton_key
    assert cache.triton_key() == cache.triton_key()
    return cache.triton_key(), len(calls)


def test_key_is_remembered(wheel):
    assert keys(wheel) == ("key of 1", 1)
    assert keys(wheel) == ("key of 1", 0)


@pytest.mark.parametrize("part", wheel_key.PARTS)
def test_changes_are_seen(wheel, part):
    """A file that is another one, newer, gone or new, in any part."""
    path = wheel / part / "inner" / "file.py"
    keys(wheel)
    path.write_text("12")
    assert keys(wheel)[1] == 1
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert keys(wheel)[1] == 1
    path.with_name("new.py").write_text("1")
    assert keys(wheel)[1] == 1
    path.with_name("new.py").unlink()
    path.with_name("__pycache__").mkdir()
    (path.with_name("__pycache__") / "file.pyc").write_text("1")
    assert keys(wheel)[1] == 0


def test_content_is_the_same_elsewhere(wheel, tmp_path):
    """Neither the place of the wheel nor its times matter, and each byte of its Python files does."""
    content = wheel_key.content_fingerprint(wheel)
    other = tmp_path / "elsewhere"
    shutil.copytree(wheel, other)
    os.utime(other / "language/inner/file.py", ns=(1, 1))
    (other / "_C" / "other.so").write_bytes(b"library")
    assert wheel_key.content_fingerprint(other) == content
    (other / "language/inner/file.py").write_text("2")
    assert wheel_key.content_fingerprint(other) != content
    (other / "language/inner/file.py").write_text("1")
    (other / "_C" / "libtriton.so").write_bytes(b"library")
    assert wheel_key.content_fingerprint(other) != content


def test_known_keys(wheel, monkeypatch):
    """A key that came with kernels is used while the wheel has the same content, and nothing is written."""
    monkeypatch.setattr(wheel_key, "_known", {})
    wheel_key.know({wheel_key.content_fingerprint(wheel): "known"})
    assert keys(wheel) == ("known", 0)
    assert not Path(knobs.cache.dir).exists()
    (wheel / "compiler/inner/file.py").write_text("2")
    assert keys(wheel) == ("key of 1", 1)


def test_what_cannot_be_kept_is_computed(wheel, monkeypatch):
    """A file where the cache should be; a wheel with parts of other names; a Triton without a key."""
    Path(knobs.cache.dir).write_text("")
    assert keys(wheel) == ("key of 1", 1)
    Path(knobs.cache.dir).unlink()
    shutil.rmtree(wheel / "runtime")
    assert keys(wheel) == ("key of 1", 1)
    assert keys(wheel) == ("key of 1", 1)
    monkeypatch.delattr(cache, "triton_key")
    wheel_key.install()
    assert not hasattr(cache, "triton_key")


def test_the_wheels_own_key(tmp_path, monkeypatch):
    """It is the one that Triton computes, so that caches keep their meaning."""
    monkeypatch.setattr(knobs.cache, "dir", str(tmp_path))
    compute = originals.original(cache, "triton_key")
    assert wheel_key.remembered(compute)() == compute()
    assert wheel_key.remembered(compute)() == compute()
