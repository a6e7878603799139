# SPDX-License-Identifier: MIT
"""The installed version of Triton: the features of its wheel, and the warning for one newer than those tested."""

from __future__ import annotations

import inspect
import re
import sys
import warnings
from pathlib import Path

import pytest
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget

import triton_xe
from triton_xe import versions
from triton_xe.tools import command_line
from triton_xe.xpu.compiler import XPUBackend

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def forget_warnings():
    """Forget what was warned of before."""
    versions.warn_if_untested.cache_clear()
    yield
    versions.warn_if_untested.cache_clear()


@pytest.mark.parametrize("version", ["3.10.0", "3.10.0+git1234567", "4.0", "3.11.0rc1"])
def test_a_newer_triton_is_one_warning_with_the_range(monkeypatch, version):
    """The second backend prints nothing more, and both work."""
    monkeypatch.setattr(triton, "__version__", version)
    with pytest.warns(UserWarning, match=rf"tested with Triton 3\.7 to 3\.9; found {re.escape(version)}") as caught:
        XPUBackend(GPUTarget("xpu", "pvc", 16))
        XPUBackend(GPUTarget("xpu", "bmg", 16))
    assert len(caught) == 1


@pytest.mark.parametrize("version", ["3.7.1", "3.8.0", "3.9.7", "3.9.0+gitabc", "unknown"])
def test_no_warning_in_the_range(monkeypatch, version):
    """Nor for a version that contains nothing."""
    monkeypatch.setattr(triton, "__version__", version)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        XPUBackend(GPUTarget("xpu", "pvc", 16))


def test_the_range_is_that_of_the_package():
    """pip installs no Triton that would be warned of, and refuses none that is tested."""
    lowest, limit = re.search(r'"triton>=([\d.]+),<([\d.]+)"', (REPOSITORY / "pyproject.toml").read_text()).groups()
    oldest, newest = versions.TESTED
    assert versions.series(lowest) == oldest
    assert versions.series(limit) == (newest[0], newest[1] + 1)


def test_features_are_those_of_the_wheel(monkeypatch):
    """The answers change with the language, under the same version."""
    present = {feature.name: feature.present for feature in versions.features()}
    names = {"block pointers (language)", "block pointers (IR)", "atomic loads and stores", "row numbers of 16 bits"}
    assert set(present) == names
    assert present["atomic loads and stores"] == hasattr(tl, "atomic_poll")
    # Operations without a language for them are in no wheel.
    assert present["block pointers (language)"] or not present["block pointers (IR)"]

    def load(pointer, mask=None, other=None):
        """Replace the load of a language without block pointers."""

    monkeypatch.setattr(tl, "load", load)
    assert "boundary_check" not in inspect.signature(tl.load).parameters
    assert not versions.has_block_pointers()


def test_info_names_version_range_and_features(capsys):
    """`triton-xe info` is what a report of a problem starts with."""
    command_line.main(["info"])
    text = capsys.readouterr().out
    assert re.search(rf"triton +{re.escape(triton.__version__)}", text)
    assert "tested: 3.7 to 3.9" in text
    for feature in versions.features():
        assert re.search(rf"{re.escape(feature.name)} +{'yes' if feature.present else 'no'} ", text)


def test_the_version_of_the_package_is_that_of_the_project():
    """The project has it in one place."""
    (version,) = re.findall(r'^version = "(.*)"$', (REPOSITORY / "pyproject.toml").read_text(), re.MULTILINE)
    assert triton_xe.__version__ == version


def test_info_where_llvm_is_missing(monkeypatch, capsys):
    """It reports which packages, and goes on."""
    monkeypatch.delattr(triton_xe, "_compiler", raising=False)
    monkeypatch.setitem(sys.modules, "triton_xe._compiler", None)
    assert command_line.main(["info"]) == 0
    output = capsys.readouterr().out
    assert re.search(
        r"LLVM and MLIR +the compiler of triton-xe cannot be loaded: .*`libllvm22` and `libmlir-22`", output
    )
    assert "devices" in output
