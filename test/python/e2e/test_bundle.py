# SPDX-License-Identifier: MIT
"""Kernels of a bundle are launched without compiling; a line states why another one has to be compiled."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import json
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from bundles import add, add_one, as_new_process, compile_all, launch, make_bundle, make_kernel, run, triple
from triton.compiler import compiler as triton_compiler
from triton.runtime import cache as triton_cache

from triton_xe import origins
from triton_xe.compat import originals, wheel_key
from triton_xe.tools.bundle import entries, manager, writing
from triton_xe.tools.bundle.manifest import MANIFEST, Manifest, key_of
from triton_xe.tools.bundle.reading import Bundle


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    """Return a bundle of both kernels, which no test changes."""
    return make_bundle(tmp_path_factory.mktemp("kernels"))


@pytest.fixture
def cache(bundle):
    """Return the cache of Triton's that they come from."""
    return bundle.with_name("cache")


@pytest.mark.conformance
def test_another_process_compiles_nothing(bundle, tmp_path):
    """It has no cache, makes no folder for one, and does not load LLVM."""
    result = launch(bundle, tmp_path / "empty")
    assert (result.output, result.messages) == ("right, without LLVM\n", "")
    assert not (tmp_path / "empty").exists()


def test_what_triton_loads():
    """Few processes have a bundle: no tool comes with Triton."""
    names = "print(*sorted(name for name in sys.modules if name.startswith('triton_xe.tools.bundle')))"
    assert launch(None, Path(), "-c", f"import sys, triton; {names}").output.split() == []


@pytest.mark.parametrize("way", ["ir_override", "override_dir"])
def test_stages_from_files_are_not_shipped(tmp_path, way):
    """On another machine the file is another one, and the key is the same."""
    compile_all(tmp_path / "cache")
    (binary,) = (tmp_path / "cache").rglob("add_one.obj")
    changed = binary.read_bytes() + b"end"
    place = tmp_path / "override" / key_of(source_of_add_one(tmp_path / "cache").hash()) / "add_one.obj"
    place.parent.mkdir(parents=True)
    place.write_bytes(changed)
    with as_new_process(tmp_path / "other"):
        triton.knobs.cache.override_dir = str(tmp_path / "override")
        triton.knobs.compilation.override = way == "override_dir"
        run(add_one, **({} if way == "override_dir" else {"ir_override": str(place)}))
    (kept,) = (tmp_path / "other").rglob("add_one.obj")
    assert kept.read_bytes() == changed
    summary = writing.collect(tmp_path / "bundle", tmp_path / "other")
    (reason,) = summary.skipped.values()
    assert not summary.added and "a file of the user has replaced a stage of the kernel" in reason


@pytest.mark.full
def test_kernels_in_spirv(tmp_path):
    """They are those of the OpenCL runtime, and of GPUs."""
    variables = {"TRITON_XE_CPU_RUNTIME": "opencl"}
    assert launch(None, tmp_path / "cache", **variables).output == "right, with LLVM\n"
    writing.collect(tmp_path / "bundle", tmp_path / "cache")
    assert len([*(tmp_path / "bundle").rglob("*.spv")]) == 2
    result = launch(tmp_path / "bundle", tmp_path / "empty", **variables)
    assert (result.output, result.messages) == ("right, without LLVM\n", "")


def test_what_is_in_the_folder(cache, tmp_path):
    """Each kernel has what a launch needs; other stages are included on request, also later."""
    needed, further = {"json", "obj", "ttir"}, {"source", "ttgir", "llir"}
    for with_ir, suffixes in ((False, needed), (True, needed | further), (False, needed | further)):
        writing.collect(tmp_path, cache, with_ir=with_ir)
        manifest = json.loads((tmp_path / MANIFEST).read_text())
        assert sorted(kernel["name"] for kernel in manifest["kernels"].values()) == ["add_one", "triple"]
        for key, kernel in manifest["kernels"].items():
            names = {path.name for path in (tmp_path / "kernels" / key).iterdir()}
            assert names == kernel["files"].keys() == {f"{kernel['name']}.{suffix}" for suffix in suffixes}


def test_the_manifest_says_what_a_key_is_made_of(bundle):
    """A compilation overwrites some options in the metadata, and the launch's own ones make the key."""
    (entry,) = Bundle.open(bundle).named("add_one")
    assert entry.options["num_warps"] == 4 and entry.options["arch"] == "pvc"
    assert entry.target["backend"] == "cpu"
    backend = triton_compiler.make_backend(triton.runtime.driver.active.get_current_target())
    assert entry.backend_hash == backend.hash()
    assert entry.options_hash == backend.parse_options({}).hash()
    assert entry.triton_key == origins.triton_key_digest()


def source_of_add_one(cache: Path) -> triton_compiler.ASTSource:
    """Return what a launch compiles, or finds in this cache."""
    with as_new_process(cache):
        return add_one.warmup(torch.empty(1000), torch.empty(1000), 1000, 256, grid=(4,)).src


def test_what_a_compilation_knows(cache, bundle):
    """An ahead-of-time compilation describes the same kernel, with its source."""
    target = triton.runtime.driver.active.get_current_target()
    backend = triton_compiler.make_backend(target)
    source = source_of_add_one(cache)
    described = entries.describe(source, backend, backend.parse_options({}), {})
    assert described.source_hash == source.hash() and described.text_hash == add_one.cache_key
    (entry,) = Bundle.open(bundle).named("add_one")
    assert dataclasses.replace(described, files=entry.files) == entry


def test_sources_are_parsed_once(bundle, tmp_path, monkeypatch):
    """A launch needs the text of a kernel for the key, and nothing else of it."""
    parsed = []
    original = ast.parse
    monkeypatch.setattr(ast, "parse", lambda *arguments, **options: parsed.append(1) or original(*arguments, **options))
    with as_new_process(tmp_path, bundle) as compiled:
        run(add_one)
    assert compiled == [] and len(parsed) <= 1


def test_what_is_not_there_is_compiled(bundle, tmp_path, capfd):
    """It goes into the cache, as without a bundle, and the line is printed once."""
    for _ in range(2):
        with as_new_process(tmp_path, bundle) as compiled:
            run(add_one)
            run(add_one, num_warps=8)
            run(add_one, num_warps=8, size=1000)
        assert [*Path(tmp_path).rglob("add_one.obj")] != []
    assert compiled == []
    printed = capfd.readouterr().err
    reason = "the option `num_warps`: 4 in the bundle, 8 here"
    assert printed == f"triton-xe: kernel `add_one` is compiled, since bundle `{bundle}` has another: {reason}\n"


def test_nowhere_to_compile_to(bundle, tmp_path, capfd):
    """The error is Triton's own, and the line states what the bundle lacks."""
    (tmp_path / "file").write_text("")
    with as_new_process(tmp_path / "file" / "cache", bundle):
        run(add_one)
        with pytest.raises(NotADirectoryError):
            run(add_one, num_warps=8)
    assert "the option `num_warps`: 4 in the bundle, 8 here" in capfd.readouterr().err


def test_another_text(bundle, tmp_path, capfd):
    """A kernel with other arguments has the same text, and one that was edited has another."""

    def messages(folder: Path) -> str:
        with as_new_process(tmp_path / "cache", folder) as compiled:
            run(add_one, block=128)
        assert compiled == ["add_one"]
        for path in (tmp_path / "cache").rglob("*add_one*"):
            path.unlink()
        return capfd.readouterr().err

    assert "has another: the types, constants or divisibility of its arguments are others\n" in messages(bundle)
    manifest = Manifest.read(bundle)
    (entry,) = Bundle.open(bundle).named("add_one")
    manifest.put(dataclasses.replace(entry, text_hash="another"))
    folder = tmp_path / "edited"
    folder.mkdir()
    (folder / MANIFEST).write_text(manifest.to_text())
    assert "has another: the kernel's text has changed, or" in messages(folder)


#: A module with a kernel, which is edited.
EDITED = """
import triton
import triton.language as tl

@triton.jit
def scale(x, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i) * 2)
"""


@pytest.mark.parametrize("edit", [("* 2", "* 3"), ("import triton\n", "import triton\n\n")], ids=["number", "line"])
def test_an_edited_kernel(tmp_path, capfd, edit):
    """A text with another number is another kernel, which is compiled, and right. So is one on another line."""

    def launch_text(text: str, name: str, bundle: Path | str, factor: int) -> list[str]:
        path = tmp_path / name / "module.py"
        path.parent.mkdir()
        path.write_text(text)
        specification = importlib.util.spec_from_file_location("module", path)
        module = importlib.util.module_from_spec(specification)
        specification.loader.exec_module(module)
        x = torch.ones(64)
        with as_new_process(tmp_path / name / "cache", bundle) as compiled:
            module.scale[(1,)](x, 64)
        assert (x == factor).all()
        return compiled

    assert launch_text(EDITED, "before", "off", 2) == ["scale"]
    writing.collect(tmp_path / "bundle", tmp_path / "before" / "cache")
    assert launch_text(EDITED, "same", tmp_path / "bundle", 2) == []
    assert launch_text(EDITED.replace(*edit), "after", tmp_path / "bundle", 3 if "3" in edit[1] else 2) == ["scale"]
    printed = capfd.readouterr().err
    reason = "the kernel's text has changed, or that of a function that it calls, or its line in the file"
    assert printed == f"triton-xe: kernel `scale` is compiled, since bundle `{tmp_path}/bundle` has another: {reason}\n"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"triton_key": "0" * 64}, f"another build of Triton (unknown in the bundle, {triton.__version__} here)"),
        ({"backend_hash": "cpu-nvl-s-00"}, "another build of triton-xe (00 in the bundle, "),
        ({"backend_hash": "cpu-nvl-s-00"}, "the chip: nvl-s in the bundle, pvc here"),
        ({"backend_hash": "xpu-pvc-00"}, "the device: xpu in the bundle, cpu here"),
        ({"environment": {"TRITON_X": "1"}}, "the environment variable `TRITON_X`: '1' in the bundle, unset here"),
        ({"options_hash": "0"}, "the content of a library in the option `extern_libs`"),
    ],
)
def test_other_differences(bundle, tmp_path, capfd, change, expected):
    """Each part of the key has separate words."""
    (entry,) = Bundle.open(bundle).named("add_one")
    manifest = Manifest()
    moved = make_kernel(tmp_path / "cache", "add_one")
    manifest.put(dataclasses.replace(entry, key=moved.key, hash=moved.hash, **change))
    (tmp_path / MANIFEST).write_text(manifest.to_text())
    with as_new_process(tmp_path / "empty", tmp_path):
        run(add_one)
    assert expected in capfd.readouterr().err


def test_kernels_of_other_names_need_no_words(bundle, tmp_path, capfd):
    """They are not expected in the bundle."""
    manifest = Manifest.read(bundle)
    for key in [key for key, kernel in manifest.kernels.items() if kernel["name"] == "triple"]:
        del manifest.kernels[key]
    (tmp_path / MANIFEST).write_text(manifest.to_text())
    with as_new_process(tmp_path / "empty", tmp_path) as compiled:
        run(triple)
    assert compiled == ["triple"] and capfd.readouterr().err == ""


def test_variants_are_compiled_from_the_bundle(tmp_path):
    """A kernel whose function is gone is compiled again from the TTIR beside its binary."""
    from triton_xe import kept_files

    compile_all(tmp_path / "cache")
    writing.collect(tmp_path / "bundle", tmp_path / "cache")
    with as_new_process(tmp_path / "empty", tmp_path / "bundle") as compiled:
        kernel = add_one.warmup(torch.float32, torch.float32, 1000, 256, grid=(4,))
        source = kept_files.source(kernel.src, kernel.metadata)
        path = kept_files.find(kernel.src, kernel.metadata, "ttir")
    assert compiled == []
    assert path.startswith(str(tmp_path / "bundle")) and source.path == Path(path)


class Counting(triton_cache.FileCacheManager):
    """A manager of the user."""

    requested: list[str] = []  # noqa: RUF012

    def get_group(self, filename):
        self.requested.append(filename)
        return super().get_group(filename)


def test_in_front_of_the_manager_of_the_user(bundle, tmp_path):
    """It is queried for kernels that the bundle does not have, and gets what is compiled."""
    Counting.requested.clear()
    with as_new_process(tmp_path, bundle) as compiled:
        triton.knobs.cache.manager_class = Counting
        run(add_one)
        assert Counting.requested == [] and compiled == []
        run(add_one, num_warps=2)
        assert Counting.requested == ["add_one.json"] and compiled == ["add_one"]
        assert issubclass(triton.knobs.cache.manager_class, manager.CacheManager)
        made = triton_cache.get_cache_manager(Bundle.open(bundle).named("add_one")[0].hash)
        assert made.cache_dir == str(bundle / "kernels" / made.key)
        assert made.get_file("add_one.obj") == f"{made.cache_dir}/add_one.obj"
        # A dump is written, never found in a bundle.
        triton.knobs.cache.dump_dir = str(tmp_path / "dump")
        dumped = triton_cache.get_dump_manager("0" * 64)
        assert Path(dumped.put("text", "x.ttir")).is_relative_to(tmp_path / "dump")


def test_without_a_bundle_nothing_is_replaced(tmp_path):
    """Triton's own manager is used."""
    with as_new_process(tmp_path):
        triton.knobs.cache.manager_class = None
        run(add_one)
        assert triton.knobs.cache.manager_class is None


def test_folders_without_a_bundle(tmp_path, capfd):
    """One line each, and kernels are compiled."""
    with as_new_process(tmp_path / "cache", f"{tmp_path}/one:{tmp_path}/other") as compiled:
        run(add_one)
    assert compiled == ["add_one"]
    printed = capfd.readouterr().err.splitlines()
    assert [line.partition(" is not used: cannot read")[0] for line in printed] == [
        f"triton-xe: bundle `{tmp_path}/{name}`" for name in ("one", "other")
    ]


def test_several_bundles(cache, tmp_path):
    """They are queried one after the other."""
    for name in ("add_one", "triple"):
        whole = writing.collect(tmp_path / "whole", cache)
        wanted = [entry for entry in (*whole.added, *whole.kept) if entry.name == name]
        assert len(add(tmp_path / name, cache, wanted).added) == 1
    with as_new_process(tmp_path / "empty", f"{tmp_path}/add_one:{tmp_path}/triple") as compiled:
        run(add_one)
        run(triple)
    assert compiled == []


@triton.autotune([triton.Config({"B": 128}), triton.Config({"B": 256}, num_warps=2)], key=["n"], cache_results=True)
@triton.jit
def tuned(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def test_results_of_the_autotuner(tmp_path, monkeypatch):
    """Another process measures nothing, and launches the best configuration."""

    def launch_tuned() -> triton.Config:
        x, y = torch.randn(1000), torch.empty(1000)
        tuned.cache.clear()
        tuned.fn.device_caches.clear()
        tuned[lambda meta: (triton.cdiv(1000, meta["B"]),)](x, y, 1000)
        torch.testing.assert_close(y, 2 * x)
        return tuned.best_config

    with as_new_process(tmp_path / "cache"):
        best = launch_tuned()
    summary = writing.collect(tmp_path / "bundle", tmp_path / "cache")
    assert sorted(entry.is_kernel for entry in summary.added) == [False, True, True]
    monkeypatch.setattr(tuned, "_bench", lambda *_arguments, **_options: pytest.fail("measured again"))
    with as_new_process(tmp_path / "empty", tmp_path / "bundle") as compiled:
        assert launch_tuned() == best
    assert compiled == [] and not (tmp_path / "empty").exists()


def test_the_wheel_is_not_hashed(bundle, tmp_path, monkeypatch):
    """The manifest has Triton's part of keys, by the content of the wheel, which is the same wherever it is."""
    keys = Bundle.open(bundle).manifest.triton_keys
    monkeypatch.setattr(wheel_key, "_known", dict(keys))
    compute = originals.original(triton_cache, "triton_key")
    assert list(keys.values()) == [compute()]

    class Uncalled:
        def __call__(self):
            pytest.fail("hashed again")

    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "none"))
    assert wheel_key.remembered(Uncalled())() == compute()
    assert not (tmp_path / "none").exists()


def test_colons_without_names(tmp_path, capfd):
    """An empty name means nothing."""
    with as_new_process(tmp_path, "::") as compiled:
        run(add_one)
    assert compiled == ["add_one"] and capfd.readouterr().err == ""


#: A compiled function, which prints the names of the kernels that it compiles.
COMPILED = """
import torch, triton, triton_xe.inductor
triton_xe.inductor.enable()
compiled = []
triton.knobs.compilation.listener = lambda *, src, cache_hit, **others: cache_hit or compiled.append(src.name)
function = lambda x: torch.softmax(x, -1).relu().sum(0)
torch.testing.assert_close(torch.compile(function)(torch.ones(64, 64)), function(torch.ones(64, 64)))
print(len(compiled))
"""


@pytest.mark.full
def test_inductor(tmp_path):
    """A process that has nothing but the bundle traces and generates a function, and compiles none of its kernels."""

    def count(bundle: Path | str, name: str) -> int:
        places = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / name), "TORCHINDUCTOR_COMPILE_THREADS": "1"}
        result = launch(bundle, tmp_path / name / "triton", "-c", COMPILED, **places)
        assert result.status == 0, result.messages
        return int(result.output)

    assert count("off", "first") > 0
    writing.collect(tmp_path / "bundle", tmp_path / "first" / "triton")
    assert count(tmp_path / "bundle", "second") == 0
