# SPDX-License-Identifier: MIT
"""A changed file of Triton's cache is not launched: the error names the damage, and how to go on."""

from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl

from triton_xe import errors, seals


@triton.jit
def sum_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = places < n
    tl.store(out_ptr + places, tl.load(x_ptr + places, mask=mask) + 3 * tl.load(y_ptr + places, mask=mask), mask=mask)


def forget() -> None:
    """The next launch reads the files, as another process would."""
    sum_kernel.device_caches.clear()
    seals._expected.clear()


def launch_sum(**options) -> None:
    x, y, out = torch.randn(1000), torch.randn(1000), torch.full((1000,), float("nan"))
    sum_kernel[(4,)](x, y, out, 1000, BLOCK=256, **options)
    torch.testing.assert_close(out, x + 3 * y)


@pytest.fixture
def cached(monkeypatch, tmp_path):
    """Yield a cache with one kernel; the folder of its files."""
    monkeypatch.setattr(triton.knobs.cache, "dir", str(tmp_path / "cache"))
    forget()
    launch_sum()
    forget()
    (binary,) = (tmp_path / "cache").rglob("sum_kernel.obj")
    yield binary.parent
    forget()


def test_any_bit_of_a_binary(cached):
    """A hundred single bits, wherever they are: none is launched. Triton compiles again what is deleted."""
    file = cached / "sum_kernel.obj"
    sound = file.read_bytes()
    draw = random.Random(1)
    for _ in range(100):
        damaged = bytearray(sound)
        damaged[draw.randrange(len(sound))] ^= 1 << draw.randrange(8)
        file.write_bytes(damaged)
        with pytest.raises(errors.BinaryError, match=r"`sum_kernel`: its binary in Triton's cache is damaged"):
            launch_sum()
        forget()
    file.write_bytes(sound)
    launch_sum()
    forget()
    file.write_bytes(sound[:-1])
    with pytest.raises(errors.BinaryError, match=r"damaged; delete `(.*)`") as raised:
        launch_sum()
    shutil.rmtree(re.search("delete `(.*)`", str(raised.value))[1])
    forget()
    launch_sum()


@pytest.mark.parametrize("value", [0, 8, "4", None, 4.5])
@pytest.mark.parametrize("entry", ["num_warps", "threads_per_warp", "shared", "launch_conditions", "cpu_code"])
def test_any_entry_of_the_metadata(cached, entry, value):
    """Another value, of the same type or not."""
    file = cached / "sum_kernel.json"
    metadata = json.loads(file.read_text())
    if metadata[entry] == value:
        value = 1
    file.write_text(json.dumps(metadata | {entry: value}))
    with pytest.raises(errors.BinaryError, match=rf"`sum_kernel`: its metadata .* delete `{cached}`"):
        launch_sum()


@pytest.mark.parametrize("entry", [seals.BINARY, seals.METADATA, "grf_mode"])
def test_missing_entries(cached, entry):
    file = cached / "sum_kernel.json"
    metadata = json.loads(file.read_text())
    del metadata[entry]
    file.write_text(json.dumps(metadata))
    with pytest.raises(errors.BinaryError, match="its metadata in Triton's cache is damaged"):
        launch_sum()


def test_a_binary_of_another_kernel(cached):
    """It is whole, and has the same name."""
    file = cached / "sum_kernel.obj"
    sound = file.read_bytes()
    launch_sum(num_warps=8)
    forget()
    (other,) = (path for path in cached.parent.rglob("sum_kernel.obj") if path != file)
    assert other.read_bytes() != sound
    file.write_bytes(other.read_bytes())
    with pytest.raises(errors.BinaryError, match="its binary"):
        launch_sum()


def test_a_binary_of_the_user(cached, monkeypatch, tmp_path):
    """A file in place of the stage is what is launched, also from the cache."""
    override = tmp_path / "mine.obj"
    shutil.copy(cached / "sum_kernel.obj", override)
    override.write_bytes(override.read_bytes() + b"end")
    for _ in range(2):
        launch_sum(ir_override=str(override))
        forget()
    kept = [path for path in Path(cached.parent).rglob("sum_kernel.obj") if path.read_bytes().endswith(b"end")]
    assert len(kept) == 1
