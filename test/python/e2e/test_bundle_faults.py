# SPDX-License-Identifier: MIT
"""Whatever happens to a bundle, or to its writers: no existing kernel is lost, and nothing wrong is
launched."""

from __future__ import annotations

import ctypes
import errno
import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from bundles import add, add_one, as_new_process, make_bundle, make_kernel, run

from triton_xe import errors, seals
from triton_xe.tools.bundle import groups, messages, reading, writing
from triton_xe.tools.bundle.manifest import KERNELS, MANIFEST, Entry, Manifest, key_of
from triton_xe.tools.bundle.reading import Bundle

FORK = multiprocessing.get_context("fork")


@pytest.fixture(autouse=True)
def said_again():
    """Lines that an earlier test has printed are printed again."""
    messages._said.clear()


def check_sound(bundle: Path, names: set[str]) -> None:
    """Every kernel is listed and whole, and nothing else exists."""
    opened = Bundle.open(bundle)
    entries = list(opened.entries())
    assert {entry.name for entry in entries} == names
    for entry in entries:
        assert opened.check(entry)
    assert {path.name for path in (bundle / KERNELS).iterdir()} == set(opened.manifest.kernels)
    assert {path.name for path in bundle.iterdir()} == {MANIFEST, KERNELS, ".lock"}


def test_sixteen_writers(tmp_path):
    """Each adds separate kernels and some that all have, in several steps, while others read."""
    common = [make_kernel(tmp_path / "cache", f"common{number}") for number in range(4)]
    own = [[make_kernel(tmp_path / "cache", f"own{writer}_{step}") for step in range(3)] for writer in range(16)]

    def write(entries: list[Entry]) -> None:
        for entry in entries:
            add(tmp_path / "bundle", tmp_path / "cache", [entry, *common])
            present = Bundle.open(tmp_path / "bundle")
            for each in present.entries():
                present.check(each)

    # All writers need the keys of this installation, which take time only once.
    writing.this_build()
    writers = [FORK.Process(target=write, args=(entries,)) for entries in own]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 16
    check_sound(tmp_path / "bundle", {entry.name for entry in (*common, *(each for part in own for each in part))})


def kill_before(owner: object, name: str, count: int) -> None:
    """End this process, without a chance to clean up, before one of its next calls of a function."""
    original, calls = getattr(owner, name), []

    def call(*arguments, **options):
        calls.append(1)
        if len(calls) > count:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*arguments, **options)

    setattr(owner, name, call)


def write_until_killed(work, owner: object, name: str, count: int) -> None:
    """Call a function in a process that is killed before a call of another one."""

    def write() -> None:
        kill_before(owner, name, count)
        work()

    writer = FORK.Process(target=write)
    writer.start()
    writer.join()
    assert writer.exitcode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("method", "count"),
    [("mkdir", 2), ("mkdir", 3), ("write_bytes", 2), ("rename", 0), ("rename", 1), ("rename", 2), ("replace", 0)],
)
def test_a_writer_is_killed(tmp_path, method, count):
    """Readers find the previous kernels, and the next writer does the rest."""
    entries = [make_kernel(tmp_path / "cache", f"kernel{number}") for number in range(4)]
    bundle, cache = tmp_path / "bundle", tmp_path / "cache"
    add(bundle, cache, entries[:1])
    write_until_killed(lambda: add(bundle, cache, entries), Path, method, count)
    left = Bundle.open(bundle)
    assert {entry.name for entry in left.entries()} == {"kernel0"}
    assert all(left.check(entry) for entry in left.entries())
    assert len(add(bundle, cache, entries).added) == 3
    check_sound(bundle, {entry.name for entry in entries})


def test_writers_are_killed_at_any_time(tmp_path):
    """A kernel that a writer has reported as added stays, whenever that writer and others are killed later."""
    bundle, cache, draw = tmp_path / "bundle", tmp_path / "cache", random.Random(1)
    kernels = [[make_kernel(cache, f"kernel{writer}_{step}") for step in range(20)] for writer in range(6)]
    writing.this_build()
    receiver, sender = FORK.Pipe(duplex=False)

    def write(entries: list[Entry]) -> None:
        for entry in entries:
            add(bundle, cache, [entry])
            # So short a message is written as a whole.
            os.write(sender.fileno(), f"{entry.name}\n".encode())

    writers = [FORK.Process(target=write, args=(entries,)) for entries in kernels]
    for writer in writers:
        writer.start()
    for writer in writers:
        time.sleep(draw.random() / 5)
        writer.kill()
        writer.join()
    sender.close()
    with os.fdopen(os.dup(receiver.fileno())) as reports:
        reported = set(reports.read().split())
    assert reported
    add(bundle, cache, [])
    present = {entry.name for entry in Bundle.open(bundle).entries()}
    assert reported <= present
    check_sound(bundle, present)


@pytest.mark.parametrize(
    ("owner", "method", "count", "has_more"),
    [
        (Path, "rename", 0, False),
        (Path, "rename", 1, False),
        # The former files are among these, as the manifest lists them.
        (Path, "replace", 0, True),
        (shutil, "rmtree", 0, True),
    ],
)
def test_a_writer_is_killed_while_it_replaces(tmp_path, owner, method, count, has_more):
    """A kernel gets more files. The next writer returns to what the manifest lists."""
    entry = make_kernel(tmp_path / "cache", "kernel")
    bundle, cache = tmp_path / "bundle", tmp_path / "cache"
    add(bundle, cache, [entry])
    (cache / entry.key / "kernel.llir").write_text("more")
    write_until_killed(lambda: add(bundle, cache, [entry], with_ir=True), owner, method, count)
    add(bundle, cache, [])
    check_sound(bundle, {"kernel"})
    file = bundle / KERNELS / entry.key / "kernel.llir"
    assert file.exists() == has_more
    add(bundle, cache, [entry], with_ir=True)
    check_sound(bundle, {"kernel"})
    assert file.read_text() == "more"


#: The flag of `unshare` in sched.h.
CLONE_NEWNS = 0x20000


@pytest.mark.parametrize("name", [".old-", ".old-..", ".old-x", "readme.txt"])
def test_names_that_no_writer_has_given(tmp_path, name):
    """A file that other code has put there is left alone, and leads nowhere else."""
    entry = make_kernel(tmp_path / "cache", "kernel")
    add(tmp_path / "bundle", tmp_path / "cache", [entry])
    (tmp_path / "bundle" / KERNELS / name).mkdir()
    add(tmp_path / "bundle", tmp_path / "cache", [make_kernel(tmp_path / "cache", "other")])
    opened = Bundle.open(tmp_path / "bundle")
    assert sorted(each.name for each in opened.entries() if opened.check(each)) == ["kernel", "other"]
    assert (tmp_path / "bundle" / KERNELS / name).is_dir()


def mount_small_disk(place: Path) -> bool:
    """Mount a file system of 300 KB for this process alone, if that is permitted."""
    place.mkdir()
    if ctypes.CDLL(None).unshare(CLONE_NEWNS):
        return False
    commands = (["--make-rprivate", "/"], ["-t", "tmpfs", "-o", "size=300k", "tmpfs", str(place)])
    return all(subprocess.run(["mount", *command], capture_output=True).returncode == 0 for command in commands)


def fill_disk(folder: Path) -> str:
    """Add kernels to a bundle until the disk is full; returns the error of the last one, or what is wrong."""
    cache = folder.parents[1] / "cache"
    for number in range(20):
        entry = make_kernel(cache, f"kernel{number}", bytes(40_000))
        try:
            add(folder, cache, [entry])
        except errors.BundleError as error:
            check_sound(folder, {f"kernel{before}" for before in range(number)})
            return str(error)
    return "the disk is not full"


def in_child(work) -> str:
    """Return what a function returns in a separate process."""
    receiver, sender = FORK.Pipe(duplex=False)

    def report() -> None:
        try:
            sender.send(work())
        except BaseException as error:
            sender.send(f"{type(error).__name__}: {error}")

    child = FORK.Process(target=report)
    child.start()
    text = receiver.recv()
    child.join()
    return text


def test_a_full_disk(tmp_path):
    """The bundle stays as it was, and the error states why."""
    place = tmp_path / "disk"
    text = in_child(lambda: fill_disk(place / "bundle") if mount_small_disk(place) else "no disk")
    if text == "no disk":
        pytest.skip("the test fills a file system that it mounts, which needs root and a container that permits mounts")
    assert "which stays as it was: No space left on device" in text


def test_a_limit_of_the_size_of_files(tmp_path):
    """It is met by the manifest, when all kernels have been written."""
    entries = [make_kernel(tmp_path / "cache", f"kernel{number}") for number in range(8)]
    add(tmp_path / "bundle", tmp_path / "cache", entries[:1])
    limit = (tmp_path / "bundle" / MANIFEST).stat().st_size + 100

    def work() -> str:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        with pytest.raises(errors.BundleError) as raised:
            add(tmp_path / "bundle", tmp_path / "cache", entries)
        return str(raised.value)

    assert in_child(work).endswith("which stays as it was: File too large")
    assert {entry.name for entry in Bundle.open(tmp_path / "bundle").entries()} == {"kernel0"}
    add(tmp_path / "bundle", tmp_path / "cache", entries)
    check_sound(tmp_path / "bundle", {entry.name for entry in entries})


def test_every_failing_write(tmp_path, monkeypatch):
    """Each call of the system that takes space fails once: the former kernels stay, and nothing half is left."""
    entries = [make_kernel(tmp_path / "cache", f"kernel{number}") for number in range(3)]
    bundle, cache = tmp_path / "bundle", tmp_path / "cache"
    add(bundle, cache, entries[:1])
    failures = 0
    for name in ("mkdir", "write_bytes", "open"):
        original = getattr(Path, name)
        for failing in range(9):
            calls = []

            def call(*arguments, failing=failing, calls=calls, original=original, **options):
                calls.append(1)
                if len(calls) == failing + 1:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                return original(*arguments, **options)

            with monkeypatch.context() as patch:
                patch.setattr(Path, name, call)
                try:
                    add(bundle, cache, entries)
                except errors.BundleError as error:
                    failures += 1
                    assert "No space left on device" in str(error)
                    left = Bundle.open(bundle)
                    assert [each.name for each in left.entries()] == ["kernel0"]
                    assert all(left.check(each) for each in left.entries())
                    continue
            shutil.rmtree(bundle)
            add(bundle, cache, entries[:1])
    assert failures >= 8


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Return a bundle of real kernels, one of them with two numbers of warps."""
    bundle = make_bundle(tmp_path_factory.mktemp("kernels"))
    cache = bundle.with_name("cache")
    with as_new_process(cache):
        run(add_one, num_warps=8)
    writing.collect(bundle, cache)
    return bundle


@pytest.fixture
def bundle(compiled, tmp_path):
    """Return a copy of it for a test to damage."""
    shutil.copytree(compiled, tmp_path / "bundle")
    return tmp_path / "bundle"


def folder_of(bundle: Path, num_warps: int = 4) -> Path:
    (entry,) = [entry for entry in Bundle.open(bundle).named("add_one") if entry.options["num_warps"] == num_warps]
    return bundle / KERNELS / entry.key


def truncate(bundle: Path, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def flip(bundle: Path, file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def remove(bundle: Path, file: Path) -> None:
    file.unlink()


def link_outside(bundle: Path, file: Path) -> None:
    """Put the same content elsewhere."""
    file.rename(bundle.parent / file.name)
    file.symlink_to(bundle.parent / file.name)


def link_folder(bundle: Path, file: Path) -> None:
    """Put all kernels elsewhere."""
    (bundle / KERNELS).rename(bundle.parent / KERNELS)
    (bundle / KERNELS).symlink_to(bundle.parent / KERNELS)


def put_pipe(bundle: Path, file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def swap(bundle: Path, file: Path) -> None:
    """Put the file of the same kernel with other options into its place."""
    other = folder_of(bundle, 8) / file.name
    content = other.read_bytes()
    other.write_bytes(file.read_bytes())
    file.write_bytes(content)


@pytest.mark.parametrize("suffix", ["json", "obj", "ttir"])
@pytest.mark.parametrize("damage", [truncate, flip, remove, link_outside, link_folder, put_pipe, swap])
def test_damaged_files(bundle, tmp_path, capfd, damage, suffix):
    """The line names the file; the kernel is compiled, and right."""
    file = folder_of(bundle) / f"add_one.{suffix}"
    before = file.read_bytes()
    damage(bundle, file)
    is_the_same = damage is swap and file.read_bytes() == before
    with as_new_process(tmp_path / "cache", bundle) as names:
        run(add_one)
    printed = capfd.readouterr().err
    if is_the_same:
        # TTIR does not depend on the number of warps.
        assert suffix == "ttir" and not names and not printed
    else:
        assert names == ["add_one"]
        assert printed.startswith("triton-xe: bundle: kernel `add_one` is not used: ") and str(file.parent) in printed
        assert printed.count("\n") == 1


@pytest.mark.parametrize(("suffix", "part"), [("json", "metadata"), ("obj", "binary")])
def test_files_that_change_behind_the_check(bundle, tmp_path, suffix, part):
    """Triton reads them again, and the launcher looks at their seals."""
    with as_new_process(tmp_path / "cache", bundle) as names:
        run(add_one)
        flip(bundle, folder_of(bundle) / f"add_one.{suffix}")
        add_one.device_caches.clear()
        seals._expected.clear()
        with pytest.raises((errors.BinaryError, json.JSONDecodeError)) as caught:
            run(add_one)
    # A byte of the syntax fails in Triton, which reads it first.
    is_syntax = suffix == "json" and caught.type is json.JSONDecodeError
    assert is_syntax or f"its {part} in Triton's cache is damaged" in str(caught.value)
    assert names == []


def test_swapped_folders(bundle, tmp_path, capfd):
    """Also if the manifest is made to fit: the metadata state which key they belong to."""
    one, other = folder_of(bundle), folder_of(bundle, 8)
    one.rename(tmp_path / "one")
    other.rename(one)
    (tmp_path / "one").rename(other)
    content = json.loads((bundle / MANIFEST).read_text())
    kernels = content["kernels"]
    kernels[one.name]["files"], kernels[other.name]["files"] = kernels[other.name]["files"], kernels[one.name]["files"]
    (bundle / MANIFEST).write_text(json.dumps(content))
    with as_new_process(tmp_path / "cache", bundle) as names:
        run(add_one)
    assert names == ["add_one"]
    assert "`add_one.json`: it is the metadata of another kernel" in capfd.readouterr().err


def test_links_within_the_bundle(bundle, tmp_path):
    """Layers of containers and mounts of clusters consist of them."""
    folder = folder_of(bundle)
    folder.rename(bundle / "moved")
    (bundle / "moved").rename(bundle / KERNELS / "moved")
    folder.symlink_to(bundle / KERNELS / "moved")
    (tmp_path / "link").symlink_to(bundle)
    with as_new_process(tmp_path / "cache", tmp_path / "link") as names:
        run(add_one)
    assert names == []


def list_file(content: dict, key: str, name: str, value: object) -> None:
    content["kernels"][key]["files"][name] = value


DIGEST = "0" * 64
#: Changes of a manifest, and the line on stderr about them.
HOSTILE = {
    "no object": (lambda content, key: [], "expected an object, found list"),
    "format": (lambda content, key: content | {"format": 2}, "expected format 1, found 2"),
    "format as a truth": (lambda content, key: content | {"format": True}, "expected format 1, found True"),
    "builds": (lambda content, key: content | {"builds": {}}, "`builds`: expected a list, found dict"),
    "build": (lambda content, key: content | {"builds": [1]}, "expected an object, found int"),
    "keys": (lambda content, key: content | {"triton_keys": {"a": 1}}, "`triton_keys`: a key is of none of the builds"),
    "key": (
        lambda content, key: content | {"triton_keys": {"a": "b"}},
        "`triton_keys`: a key is of none of the builds",
    ),
    "kernels": (lambda content, key: content | {"kernels": []}, "`kernels`: expected an object, found list"),
    "kernel": (lambda content, key: content["kernels"].update({key: 3}), "expected an object, found int"),
    "name": (lambda content, key: content["kernels"][key].update(name=None), "`name`: expected a text"),
    "options": (
        lambda content, key: content["options"].update({content["kernels"][key]["options_hash"]: 4}),
        "`options`: expected an object, found int",
    ),
    "environment": (lambda content, key: content["kernels"][key].update(environment=[]), "`environment`: expected an"),
    "files": (lambda content, key: content["kernels"][key].update(files="a"), "`files`: expected an object, found str"),
    "upwards": (
        lambda content, key: list_file(content, key, "../../x", [DIGEST, 1]),
        "'../../x' is not a name of a file in this folder",
    ),
    "absolute": (
        lambda content, key: list_file(content, key, "/etc/passwd", [DIGEST, 1]),
        "'/etc/passwd' is not a name of a file in this folder",
    ),
    "parent": (lambda content, key: list_file(content, key, "..", [DIGEST, 1]), "'..' is not a name of a file"),
    "zero": (lambda content, key: list_file(content, key, "a\0b", [DIGEST, 1]), "'a\\x00b' is not a name of a file"),
    "record": (lambda content, key: list_file(content, key, "x", {"size": 1}), "`x`: expected a digest and a size"),
    "digest": (lambda content, key: list_file(content, key, "x", ["z", 1]), "`x`: expected a SHA-256"),
    "size": (lambda content, key: list_file(content, key, "x", [DIGEST, -1]), "`x`: expected a size, found -1"),
    "large size": (lambda content, key: list_file(content, key, "x", [DIGEST, 1e99]), "`x`: expected a size"),
    "missing file": (lambda content, key: list_file(content, key, "x", [DIGEST, 1]), "x`: No such file or directory"),
    "foreign file": (
        lambda content, key: list_file(content, key, "add_one.so", [seals.digest(b"code"), 4]),
        "`add_one.so`: it is no file of kernel `add_one`",
    ),
    "second metadata": (
        lambda content, key: list_file(content, key, "two.json", [seals.digest(b"{}"), 2]),
        "expected the metadata of one kernel",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_manifests(bundle, tmp_path, capfd, name):
    """One line states what is wrong, and the kernel is compiled."""
    change, expected = HOSTILE[name]
    folder = folder_of(bundle)
    (folder / "add_one.so").write_bytes(b"code")
    (folder / "two.json").write_bytes(b"{}")
    content = json.loads((bundle / MANIFEST).read_text())
    changed = change(content, folder.name)
    (bundle / MANIFEST).write_text(json.dumps(content if changed is None else changed))
    with as_new_process(tmp_path / "cache", bundle) as names:
        run(add_one)
    assert names == ["add_one"]
    (printed,) = capfd.readouterr().err.splitlines()
    assert expected in printed


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, '{"format": NaN}', "\xff", "9" * 5000, "null"])
def test_manifests_that_are_no_manifests(tmp_path, capfd, text):
    """Readers go on without the bundle, and writers leave it alone."""
    (tmp_path / MANIFEST).write_text(text, encoding="latin-1")
    with as_new_process(tmp_path / "cache", tmp_path) as names:
        run(add_one)
    assert names == ["add_one"]
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"triton-xe: bundle `{tmp_path}` is not used: ")
    with pytest.raises(errors.BundleError, match=f"{tmp_path}/{MANIFEST}"):
        add(tmp_path, tmp_path / "cache", [])
    assert (tmp_path / MANIFEST).read_text(encoding="latin-1") == text


def test_letters_of_terminals(tmp_path, capfd):
    """Names that were put into a manifest do not reach the terminal as they are."""
    (tmp_path / MANIFEST).write_text(Manifest(kernels={"\x1b[2J\n": 3}).to_text())
    assert list(Bundle.open(tmp_path).entries()) == []
    printed = capfd.readouterr().err
    assert printed.count("\n") == 1 and "\x1b" not in printed


RESULT = {"kwargs": {"B": 64}, "num_warps": 4, "num_ctas": 1, "num_stages": 3, "maxnreg": None, "ir_override": None}


@pytest.mark.parametrize(
    ("timings", "expected"),
    [
        (None, "expected configurations with times"),
        ([], "expected configurations with times"),
        ([[RESULT]], "expected pairs"),
        ([[RESULT, "fast"]], "expected pairs"),
        ([[RESULT, []]], "expected pairs"),
        ([[RESULT | {"command": "x"}, 1.0]], "expected pairs"),
        ([[RESULT | {"kwargs": {"B": [1]}}, 1.0]], "expected pairs"),
        ([[RESULT | {"ir_override": "/tmp/x.ttgir"}, 1.0]], "expected pairs"),
        ([[RESULT, 1.0], [RESULT, [1.0, 2.0]]], "expected times of one kind"),
    ],
)
def test_results_of_the_autotuner(tmp_path, timings, expected):
    """Triton makes configurations of whatever is in the file, so that is checked before."""
    with pytest.raises(errors.BundleError, match=expected):
        groups.check("", {"x.autotune.json": json.dumps({"configs_timings": timings}).encode()})
    groups.check("", {"x.autotune.json": json.dumps({"configs_timings": [[RESULT, [1.0, 2]]]}).encode()})
    folder = tmp_path / "cache" / key_of("1" * 64)
    make_kernel(tmp_path / "cache", "x")
    folder.mkdir()
    (folder / "x.autotune.json").write_text(json.dumps({"configs_timings": timings}))
    summary = add(tmp_path / "bundle", tmp_path / "cache", [make_kernel(tmp_path / "cache", "x", b"other")])
    assert expected in summary.skipped[folder.name]


def test_unsound_kernels_of_a_cache(tmp_path):
    """They are left out, with reasons."""
    cache = tmp_path / "cache"
    entries = {name: make_kernel(cache, name) for name in ("sound", "changed", "unfinished", "unsealed", "moved")}
    places = {name: cache / entry.key / f"{name}.json" for name, entry in entries.items()}
    (cache / entries["changed"].key / "changed.obj").write_bytes(b"other")
    (cache / entries["unfinished"].key / "__grp__unfinished.json").unlink()
    metadata = json.loads(places["unsealed"].read_text())
    del metadata[seals.METADATA]
    places["unsealed"].write_text(json.dumps(metadata))
    places["moved"].write_text(places["sound"].read_text())
    summary = writing.collect(tmp_path / "bundle", cache)
    assert [entry.name for entry in summary.added] == ["sound"]
    reasons = {name: summary.skipped[entry.key] for name, entry in entries.items() if name not in ("sound", "unsealed")}
    assert "it is not the binary that" in reasons["changed"]
    assert "has no finished kernel" in reasons["unfinished"]
    assert "it is the metadata of another kernel" in reasons["moved"]
    # It may be a kernel of any origin.
    assert entries["unsealed"].key not in summary.skipped


def test_collecting_leaves_other_builds_out(tmp_path):
    """Their kernels would never be found: the key has the compiler in it."""
    make_kernel(tmp_path / "cache", "old", origin=None)
    make_kernel(tmp_path / "cache", "other", origin={"triton_key": "", "backend_hash": "", "options_hash": ""})
    foreign = tmp_path / "cache" / key_of("2" * 64)
    foreign.mkdir()
    (foreign / "cuda.json").write_text('{"name": "cuda"}')
    summary = writing.collect(tmp_path / "bundle", tmp_path / "cache")
    assert not summary.added and len(summary.skipped) == 2
    assert all("of another version of Triton or triton-xe" in reason for reason in summary.skipped.values())


def test_damaged_kernels_are_replaced(tmp_path, capfd):
    """Adding a kernel again repairs the bundle."""
    entry = make_kernel(tmp_path / "cache", "kernel")
    add(tmp_path / "bundle", tmp_path / "cache", [entry])
    flip(tmp_path / "bundle", tmp_path / "bundle" / KERNELS / entry.key / "kernel.obj")
    assert entry.key not in Bundle.open(tmp_path / "bundle")
    assert "kernel.obj`: it was changed after it was added" in capfd.readouterr().err
    assert len(add(tmp_path / "bundle", tmp_path / "cache", [entry]).added) == 1
    check_sound(tmp_path / "bundle", {"kernel"})


@pytest.mark.parametrize("digest", ["", "0" * 63, "g" * 64, 5])
def test_hashes_that_are_none(digest):
    with pytest.raises(errors.BundleError, match="expected a SHA-256 in hexadecimal digits"):
        Entry("A" * 52, digest, "kernel")
    with pytest.raises(errors.BundleError, match="is not the one of hash"):
        Entry("A" * 52, "1" * 64, "kernel")


def test_files_are_read_once(tmp_path, monkeypatch):
    """A process checks a kernel at the first request."""
    entry = make_kernel(tmp_path / "cache", "kernel")
    add(tmp_path / "bundle", tmp_path / "cache", [entry])
    read = []
    original = groups.read_file
    monkeypatch.setattr(reading.groups, "read_file", lambda *arguments: read.append(1) or original(*arguments))
    bundle = Bundle.open(tmp_path / "bundle")
    first = bundle.group(entry.key, "kernel.json")
    assert bundle.group(entry.key, "kernel.json") == first and len(read) == 3
    assert bundle.group(entry.key, "other.json") is None
    assert bundle.group(key_of("3" * 64), "kernel.json") is None
