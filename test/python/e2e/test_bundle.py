# SPDX-License-Identifier: MIT
"""Kernels of a bundle: another process launches them without compiling, or says why it has to compile."""

from __future__ import annotations

import json

import pytest
from bundles import cached, launch

from triton_xe.bundle import writing
from triton_xe.bundle.manifest import MANIFEST


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Return a cache of Triton's with `add_one` and `triple`."""
    folder = tmp_path_factory.mktemp("cache")
    cached(folder)
    return folder


@pytest.fixture
def bundle(cache, tmp_path):
    """Return a bundle of these kernels."""
    writing.collect(tmp_path / "bundle", cache)
    return tmp_path / "bundle"


def test_another_process_compiles_nothing(bundle, tmp_path):
    """It has an empty cache, makes no folder there, and does not load LLVM."""
    result = launch(bundle, tmp_path / "empty")
    assert result.output == "right, without LLVM\n"
    assert result.messages == ""
    assert not (tmp_path / "empty").exists()


def test_what_is_in_the_folder(bundle):
    """Each kernel has what a launch needs; other stages are there on request."""
    manifest = json.loads((bundle / MANIFEST).read_text())
    assert sorted(kernel["name"] for kernel in manifest["kernels"].values()) == ["add_one", "triple"]
    for key, kernel in manifest["kernels"].items():
        names = {path.name for path in (bundle / "kernels" / key).iterdir()}
        assert names == kernel["files"].keys() == {f"{kernel['name']}.{suffix}" for suffix in ("json", "obj", "ttir")}
