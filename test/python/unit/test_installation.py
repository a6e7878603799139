# SPDX-License-Identifier: MIT
"""`triton-xe info` and `doctor` find other packages' files in the folder of Triton, which then cannot be imported."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import triton

import triton_xe
from triton_xe import installation
from triton_xe.tools import information

REAL = Path(triton.__file__).parent
#: The distribution of this Triton, and its own part of the metadata.
STOCK = importlib.metadata.distribution("triton")
FORK_RECORD = (
    "triton/__init__.py,sha256=x,{size}",
    "triton/backends/intel/compiler.py,,",
    "triton/backends/intel/driver.py,,",
)

#: A substitute for pip: it removes what the fork has installed, and reports its arguments.
PIP = """\
import shutil, sys
from pathlib import Path
site = Path(__file__).parent.parent
print("pip", *sys.argv[1:])
if sys.argv[1] == "{failing}":
    sys.exit(3)
if sys.argv[1] == "download":
    Path(sys.argv[4], "fetched").touch()
if sys.argv[1] == "install" and not Path(sys.argv[4], "fetched").exists():
    sys.exit("nothing was fetched")
if sys.argv[1] == "uninstall":
    for path in (site / "triton_xpu-3.5.0.dist-info", site / "triton" / "backends" / "intel"):
        shutil.rmtree(path, ignore_errors=True)
"""


class Site:
    """A folder of packages before all others, with a Triton built from links to the real one."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder / "site", [folder / "site"]
        self.triton = self.folder / "triton"
        (self.triton / "backends").mkdir(parents=True)
        for source, target in ((REAL, self.triton), (REAL / "backends", self.triton / "backends")):
            for path in source.iterdir():
                if path.name not in ("backends", "__pycache__"):
                    (target / path.name).symlink_to(path)
        self.metadata("triton", STOCK.version, STOCK.read_text("RECORD"), STOCK.read_text("entry_points.txt"))

    def metadata(self, name: str, version: str, record: str, entry_points: str = "", site: Path | None = None) -> None:
        folder = (site or self.folder) / f"{name.replace('-', '_')}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (folder / "RECORD").write_text(record)
        (folder / "entry_points.txt").write_text(entry_points)

    def add_fork_files(self) -> None:
        backend = self.triton / "backends" / "intel"
        backend.mkdir()
        for name in ("__init__", "compiler", "driver"):
            (backend / f"{name}.py").write_text("from triton._C.libtriton import intel\n" if name != "__init__" else "")

    def add_fork(self) -> None:
        """Install what is left of the fork after stock Triton was installed above it."""
        self.add_fork_files()
        record = "\n".join(FORK_RECORD).format(size=(REAL / "__init__.py").stat().st_size)
        self.metadata("triton-xpu", "3.5.0", record, "[triton.backends]\nintel = triton.backends.intel\n")

    def put_our_backends_first(self) -> None:
        ours = importlib.metadata.distribution("triton-xe")
        first = self.folder.with_name("first")
        self.metadata("triton-xe", ours.version, "", ours.read_text("entry_points.txt"), first)
        self.path.insert(0, first)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, self.path))}
        command = [sys.executable, "-W", "ignore", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=self.folder.parent)

    def tool(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        result = self.run("-m", "triton_xe.tools.command_line", *arguments)
        assert "Traceback" not in result.stdout + result.stderr
        return result


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


def test_one_triton_is_complete(site):
    assert site.tool("doctor").stdout == f"Triton {triton.__version__} is complete, and is the only one\n"
    result = site.tool("info")
    assert (result.returncode, "mixed" in result.stdout) == (0, False)


def test_fork_below_stock_triton(site):
    """Triton cannot be imported: the command names both packages, and the two commands that mend it."""
    site.add_fork()
    assert "cannot import name 'intel'" in site.run("-c", "import triton").stderr
    result = site.tool("info")
    assert result.returncode == 1
    assert re.search(rf"triton +{re.escape(triton.__version__)}\n", result.stdout)
    assert f"`triton` {STOCK.version} and `triton-xpu` 3.5.0 have both installed into {site.triton}" in result.stdout
    assert f"{sys.executable} -m pip uninstall --yes triton triton-xpu\n" in result.stdout
    assert f"-m pip install --force-reinstall --no-deps triton=={STOCK.version}\n" in result.stdout
    result = site.tool("doctor")
    assert result.returncode == 1 and "-m pip uninstall" in result.stdout
    # Commands that need Triton are refused in a sentence.
    for words in (("report", "kernel.py"), ("gpu", "run", "--", "true"), ("repot",)):
        result = site.tool(*words)
        assert result.returncode == 1
        assert result.stderr.startswith(f"error: `{words[0]}` needs Triton, which cannot be imported: ")
        assert "have both installed into" in result.stderr and "triton-xe doctor --fix" in result.stderr
    result = site.run("-c", "from triton_xe import inductor")
    assert "ImportError" in result.stderr and "triton-xe doctor --fix" in result.stderr


def test_our_backend_is_first(site):
    """The error of `import triton` itself names the packages."""
    site.add_fork()
    site.put_our_backends_first()
    error = site.run("-c", "import triton").stderr
    assert "`triton-xpu` 3.5.0 have both installed" in error and "triton-xe doctor --fix" in error


def test_fork_above_stock_triton(site):
    """The version is that of the files, which the metadata does not know."""
    (site.triton / "__init__.py").unlink()
    text = (REAL / "__init__.py").read_text().replace(triton.__version__, "3.5.0+fork")
    (site.triton / "__init__.py").write_text(text)
    result = site.tool("info")
    assert result.returncode == 1
    assert re.search(r"triton +3\.5\.0\+fork\n", result.stdout)
    assert re.search(rf"1 of \d+ files of `triton` {re.escape(STOCK.version)} are missing or another", result.stdout)


def test_fork_with_little_of_triton(site):
    """The package named `triton` may have nothing of Triton's, too."""
    site.add_fork()
    site.put_our_backends_first()
    (site.triton / "__init__.py").unlink()
    (site.triton / "__init__.py").write_text("__version__ = '3.5.0'\n")
    result = site.tool("info")
    assert result.returncode == 1 and "triton-xe doctor --fix" in result.stdout


@pytest.mark.parametrize("first", [False, True])
def test_backends_of_other_packages(site, first):
    """One in the folder of Triton may need nothing of Triton's library: it is imported, and no left-over."""
    backend = site.triton / "backends" / "quantum"
    backend.mkdir()
    (backend / "__init__.py").write_text("")
    for name, classes in (("compiler", "BaseBackend"), ("driver", "DriverBase")):
        text = (
            f"from triton.backends.{name} import {classes}\nclass Own({classes}): __abstractmethods__ = frozenset()\n"
        )
        (backend / f"{name}.py").write_text(text + "Own.__abstractmethods__ = frozenset()\n")
    record = "triton/backends/quantum/compiler.py,,\ntriton/backends/quantum/driver.py,,\n"
    site.metadata("quantum", "1.0", record, "[triton.backends]\nquantum = triton.backends.quantum\n")
    if first:
        site.put_our_backends_first()
    result = site.run("-c", "import triton; print(sorted(triton.backends.backends))")
    assert result.stdout == "['amd', 'cpu', 'nvidia', 'quantum', 'xpu']\n", result.stderr
    assert site.tool("doctor").returncode == 0


def test_leftovers_without_a_package(site):
    """Without an entry point Triton works; the folder is removed by name."""
    site.add_fork_files()
    assert site.run("-c", "import triton").returncode == 0
    result = site.tool("doctor")
    intel = site.triton / "backends" / "intel"
    assert result.returncode == 1
    assert f"{intel} is of no installed package" in result.stdout and f"  rm -r {intel}\n" in result.stdout


@pytest.mark.parametrize("failing", ["", "download", "uninstall"])
def test_fix(site, failing):
    """The packages are fetched first: where that fails, nothing has changed. The first failure ends it."""
    site.add_fork()
    (site.folder / "pip").mkdir()
    (site.folder / "pip" / "__init__.py").write_text("")
    (site.folder / "pip" / "__main__.py").write_text(PIP.format(failing=failing))
    result = site.tool("doctor", "--fix")
    words = re.findall(r"^pip (\w+)", result.stdout, re.MULTILINE)
    if failing:
        assert (result.returncode, words[-1]) == (1, failing)
        assert "ended with 3" in result.stderr
        assert (site.triton / "backends" / "intel").exists() and "triton-xpu" in site.tool("doctor").stdout
        return
    assert (result.returncode, words) == (0, ["download", "uninstall", "install"])
    assert result.stdout.endswith(f"Triton {triton.__version__} is complete, and is the only one\n")
    assert site.tool("doctor").returncode == 0


def test_without_triton(site):
    shutil.rmtree(site.triton)
    # The path has the real one after this folder.
    (site.folder / "triton.py").write_text("raise ImportError('no Triton here')\n")
    result = site.tool("info")
    assert result.returncode == 1 and "no Triton here" in result.stderr
    result = site.tool("doctor")
    assert result.returncode == 1 and "no Triton here" in result.stdout
    # There is nothing to remove.
    assert "-m pip install --force-reinstall --no-deps 'triton" in result.stdout and "uninstall" not in result.stdout


def test_commands(monkeypatch):
    """A Triton that is tested stays; others give way. Environments of uv have no pip."""
    owners = (installation.Owner("triton", "3.5.1", {}), installation.Owner("pytorch-triton-xpu", "3.3.0", {}))
    commands = installation.Mixture((), owners, ()).commands()
    assert commands[0][-2:] == ("pytorch-triton-xpu", "triton")
    project = (Path(__file__).parents[3] / "pyproject.toml").read_text()
    required = re.search(r'^dependencies = \["(triton[^"]*)"\]$', project, re.MULTILINE)[1]
    assert set(commands[1][-1].removeprefix("triton").split(",")) == set(required.removeprefix("triton").split(","))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    commands = installation.Mixture((), owners[1:], ()).commands()
    assert commands[0] == ("uv", "pip", "uninstall", "--python", sys.executable, "pytorch-triton-xpu")
    fetch, _, install = installation.Mixture((), owners[1:], ()).commands(Path("/wheels"))
    assert fetch[:2] == install[:2] == ("uv", "pip") and "/wheels/unused" in fetch and "--offline" in install
    assert {"--cache-dir", "/wheels/cache"} < set(fetch) & set(install)


def test_gpus_that_the_kernel_knows(monkeypatch, tmp_path, capsys):
    """They are named without a driver, and a torch for another device is an advice."""
    cards = {"card0": ("0x8086", "0xe20b"), "card1": ("0x10de", "0x2684"), "card2": ("0x8086", "0x9a49")}
    for name, (vendor, device) in cards.items():
        (tmp_path / name / "device").mkdir(parents=True)
        (tmp_path / name / "device" / "vendor").write_text(vendor + "\n")
        (tmp_path / name / "device" / "device").write_text(device + "\n")
    (tmp_path / "card0-DP-1").mkdir()
    monkeypatch.setattr(information, "_DEVICES", tmp_path)
    assert information.info(argparse.Namespace(environment=False, replaced=False)) == 0
    text = capsys.readouterr().out
    assert re.search(r"gpu /dev/dri/card0 +8086:e20b, Arc B580 \(bmg\)\n", text)
    assert re.search(r"gpu /dev/dri/card2 +8086:9a49, a GPU that is not supported\n", text)
    assert "card1" not in text
    assert "--index-url https://download.pytorch.org/whl/xpu" in text


def test_two_drivers_for_one_gpu(monkeypatch):
    """The error names packages, where Triton's counts drivers."""
    from triton_xe import errors
    from triton_xe.xpu import driver

    mixture = installation.Mixture(("two of them",), (installation.Owner("triton-xpu", "3.5.0", {}),), ())
    monkeypatch.setattr(installation, "find_mixture", lambda: mixture)
    driver._refuse_fork()
    monkeypatch.setitem(driver.backends.backends, "intel", None)
    with pytest.raises(errors.ToolError, match="two of them"):
        driver._refuse_fork()


def test_failure_is_none():
    assert triton_xe.failure is None
