# SPDX-License-Identifier: MIT
"""Small kernels that tests put into bundles, ways to launch them, and made-up ones that cost no compilation.

As a program this module launches its kernels, and prints whether they are right and whether LLVM was loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
import triton
import triton.language as tl
import warm_python

from triton_xe import origins, seals
from triton_xe.tools.bundle import discovery, messages, writing
from triton_xe.tools.bundle.manifest import Entry, key_of


@triton.jit
def add_one(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)


@triton.jit
def triple(x, y, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 3, mask=i < n)


KERNELS = {add_one: lambda x: x + 1, triple: lambda x: x * 3}


def run(kernel: Callable, size: int = 1000, block: int = 256, **options) -> None:
    """Launch a kernel, and check its result."""
    x, y = torch.randn(size), torch.full((size,), float("nan"))
    kernel[(triton.cdiv(size, block),)](x, y, size, block, **options)
    torch.testing.assert_close(y, KERNELS[kernel](x))


def forget() -> None:
    """Let the next launch look for everything, as another process would."""
    for kernel in KERNELS:
        kernel.device_caches.clear()
    discovery._open_all.cache_clear()
    messages._said.clear()
    seals._expected.clear()


@contextlib.contextmanager
def as_new_process(cache: Path, bundle: Path | str = "off") -> Iterator[list[str]]:
    """Launch with this cache and this bundle; collects the names of the kernels that are compiled."""
    compiled: list[str] = []

    def listen(*, src, cache_hit, **_others) -> None:
        if not cache_hit:
            compiled.append(src.name)

    before = os.environ.get("TRITON_XE_BUNDLE")
    forget()
    with triton.knobs.cache.scope(), triton.knobs.compilation.scope():
        triton.knobs.cache.dir = str(cache)
        triton.knobs.compilation.listener = listen
        os.environ["TRITON_XE_BUNDLE"] = str(bundle)
        try:
            yield compiled
        finally:
            os.environ.pop("TRITON_XE_BUNDLE")
            if before is not None:
                os.environ["TRITON_XE_BUNDLE"] = before
            forget()


def compile_all(cache: Path) -> None:
    """Leave the kernels in a cache of Triton's."""
    with as_new_process(cache) as compiled:
        for kernel in KERNELS:
            run(kernel)
    assert compiled == ["add_one", "triple"]


def make_bundle(folder: Path) -> Path:
    """Return a bundle of the kernels in a folder, with the cache that they come from beside it."""
    compile_all(folder / "cache")
    summary = writing.collect(folder / "bundle", folder / "cache")
    assert len(summary.added) == 2 and not summary.skipped
    return folder / "bundle"


def make_kernel(cache: Path, name: str, content: bytes = b"binary", **metadata) -> Entry:
    """Put a kernel that cannot be launched into a cache of Triton's, with all files of a finished one."""
    digest = hashlib.sha256(name.encode() + content).hexdigest()
    folder = cache / key_of(digest)
    folder.mkdir(parents=True)
    build = writing.this_build()
    origin = {
        "source_hash": "a source",
        "text_hash": "",
        "triton_key": build.triton_key,
        "backend_hash": f"cpu-pvc-{build.toolchain_key}",
        "options_hash": "",
        "requested": {},
    }
    described = {"hash": digest, "name": name, "target": {"backend": "cpu", "arch": "pvc", "warp_size": 16}}
    entries = described | {origins.ORIGIN: origin} | metadata
    stages = {"obj": lambda source, metadata: source}
    seals.seal_stages(stages, "obj")
    (folder / f"{name}.obj").write_bytes(stages["obj"](content, entries))
    (folder / f"{name}.ttir").write_text("module {}")
    (folder / f"{name}.json").write_text(json.dumps(entries))
    (folder / f"__grp__{name}.json").write_text(json.dumps({"child_paths": {}}))
    return Entry(folder.name, digest, name, source_hash="a source", target=entries["target"])


def add(bundle: Path, cache: Path, entries: Iterable[Entry], **options) -> writing.Summary:
    """Add these kernels of a cache to a bundle."""
    return writing.collect(bundle, cache, keys={entry.key for entry in entries}, **options)


@dataclass(frozen=True)
class Result:
    """The output of a process."""

    status: int
    output: str
    messages: str


def launch(bundle: Path | None, cache: Path, *command: str, **variables: str) -> Result:
    """Launch the kernels, or call another command of Python, in a process with this bundle and this cache."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TRITON_")}
    environment |= {"TRITON_CACHE_DIR": str(cache)} | ({"TRITON_XE_BUNDLE": str(bundle)} if bundle else {})
    process = warm_python.run(
        [sys.executable, *(command or (__file__,))],
        env=environment | variables,
    )
    return Result(process.returncode, process.stdout, process.stderr)


if __name__ == "__main__":
    for each in KERNELS:
        run(each)
    print(f"right, {'with' if 'triton_xe._compiler' in sys.modules else 'without'} LLVM")
