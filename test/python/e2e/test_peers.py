# SPDX-License-Identifier: MIT
"""The comparison with Intel's libraries: our side of it, and the choice among results.

The libraries are not installed for tests.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
import sanitizers
import torch
import warm_python
from support import needs_ocloc

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import peer_kernels
import peers
import triton.language as tl


def test_names_are_unique() -> None:
    """A side finds its case by its name."""
    names = [case.name for case in peers.make_cases()]
    assert len(set(names)) == len(names)
    assert all(peers.find_case(name).name == name for name in names)


def test_the_fastest_configuration_is_chosen() -> None:
    """All kernels of a call count."""

    def make_kernel(cycles: int) -> dict[str, int]:
        return {"cycles": cycles, "executed": 10 * cycles, "touched_bytes": 100 * cycles}

    results = [
        {"name": "one kernel", "kernels": [make_kernel(100)]},
        {"name": "two kernels", "kernels": [make_kernel(40), make_kernel(50)]},
    ]
    assert peers.choose(results) == peers.Best("two kernels", 2, 90, 900, 9000)


def test_rows_of_causal_attention_see_no_later_ones() -> None:
    """The first row is that of the first value, and the last one is that of attention without a mask."""
    peer_run = pytest.importorskip("peer_run", reason="dpctl is not installed")
    problem = peer_run.make_problem(peers.find_case("attention causal f16 16x1024x64"))
    q, k, v = (each.double() for each in problem.inputs)
    torch.testing.assert_close(problem.expected[:, 0], v[:, 0])
    weights = (q[:, -1:] @ k.mT / 64**0.5).softmax(-1)
    torch.testing.assert_close(problem.expected[:, -1:], weights @ v)


@pytest.mark.parametrize(("size", "tile"), [(512, 64), (1024, 128), (2048, 256)])
def test_rows_are_shared_among_cores(size: int, tile: int) -> None:
    """Of 56 cores each has a tile, which is no power of two, and its two parts hold all of its rows."""
    configs = list(peer_kernels.product_configs(size, size, size, 2, True, False, 56))
    found = next(config for config in configs if "HEIGHT" in config)
    assert (found["BLOCK_M"], found["BLOCK_N"]) == (tile, tile)
    assert tile < found["HEIGHT"] <= tile + found["MORE_M"]
    assert -(-size // found["HEIGHT"]) * (size // tile) == 56


@pytest.mark.parametrize("a_by_columns", [False, True])
@pytest.mark.parametrize("cores", [20, 56])
def test_all_ways_of_sharing_rows(cores: int, a_by_columns: bool) -> None:
    """Each tile has the programs that nearly all cores take in whole waves, and second tiles are small.

    Parts of A by columns end where 2D block messages can.
    """
    configs = peer_kernels.product_configs(2048, 2048, 2048, 2, True, False, cores, a_by_columns=a_by_columns)
    found = [each for each in configs if "HEIGHT" in each]
    assert len(found) > 3
    assert all(each["HEIGHT"] % 4 == 0 for each in found) == a_by_columns
    for each in found:
        rows, more = each["BLOCK_M"], each["MORE_M"]
        assert rows < each["HEIGHT"] <= rows + more <= rows + rows // 2
        programs = -(-2048 // each["HEIGHT"]) * (2048 // each["BLOCK_N"])
        assert programs / (-(-programs // cores) * cores) > 0.9
    assert len({tuple(sorted(each.items())) for each in found}) == len(found)


@pytest.mark.parametrize(("size", "programs"), [(1024, 56), (2048, 56), (2048, 20)])
def test_tiles_are_shared_by_all_cores(size: int, programs: int) -> None:
    """Of two programs, each has a half of a tile along K, if there is a tile for every two of them."""
    configs = list(peer_kernels.shared_product_configs(size, size, 2, programs))
    assert {config["BLOCK_K"] for config in configs} == {16, 32}
    pairs = {-(-size // config["HEIGHT"]) * (size // config["BLOCK_N"]) for config in configs if "HEIGHT" in config}
    assert pairs == ({programs // 2} if size == 1024 else set())


@pytest.mark.parametrize("by_columns", [False, True])
@pytest.mark.parametrize(
    ("shape", "programs", "more"),
    [
        # More tiles than programs; fewer; a part of a tile for each; parts in which no program begins a tile.
        ((100, 70, 100), 5, {}),
        ((100, 70, 100), 20, {}),
        ((70, 64, 160), 6, {"MORE_M": 16, "HEIGHT": 36}),
        ((32, 32, 160), 7, {}),
        # More programs than steps.
        ((32, 32, 33), 7, {}),
    ],
)
def test_shared_products(shape: tuple[int, int, int], programs: int, more: dict[str, int], by_columns: bool) -> None:
    """Products by programs that share tiles are right, in a second launch with the same locks, too."""
    m, n, k = shape
    a, b = (torch.randint(-8, 8, size).half() for size in ((m, k), (k, n)))
    a = a.mT.contiguous().mT if by_columns else a
    locks = torch.zeros(programs, dtype=torch.int32)
    for _ in range(2):
        c = torch.full((m, n), torch.nan)
        peer_kernels.shared_product[(programs,)](
            a, b, c, locks, m, n, k, *a.stride(), *b.stride(), n, BLOCK_M=32, BLOCK_N=32, BLOCK_K=16, GROUP_M=2,
            ACC=tl.float32, PRECISION="ieee", num_warps=4, **more,
        )  # fmt: skip
        assert torch.equal(c, a.float() @ b.float())
        assert not locks.any()


def test_transposed_products() -> None:
    """A product of operands by columns is that of their transposes."""
    m, n, k = 100, 70, 100
    a, b = (torch.randint(-128, 128, size, dtype=torch.int8).mT for size in ((k, m), (n, k)))
    c = torch.full((m, n), -1, dtype=torch.int32)
    peer_kernels.product[(8, 1, 1)](
        a, b, c, None, None, m, n, k, 0, *a.stride(), 0, *b.stride(), 0, n, BLOCK_M=32, BLOCK_N=64, BLOCK_K=32,
        GROUP_M=2, SPLIT_K=1, BIAS=False, GELU=False, ADDED=False, ACC=tl.int32, PRECISION="ieee", TRANSPOSED=True,
        num_warps=4,
    )  # fmt: skip
    assert torch.equal(c, a.int() @ b.int())
    for by_columns in ((True, True), (True, False), (False, True)):
        configs = peer_kernels.product_configs(
            1024, 1024, 1024, 1, True, False, 20, a_by_columns=by_columns[0], b_by_columns=by_columns[1]
        )
        assert any("TRANSPOSED" in config for config in configs) == all(by_columns)


@needs_ocloc
@pytest.mark.skipif(sanitizers.LOADED, reason="the sanitizers' library has to be loaded before all others")
def test_our_side(tmp_path: Path) -> None:
    """Our kernels run through the driver and are right; a row has the kernel's figures."""
    found = peers.run_side("ours", peers.find_case("int8 512x512x512"), tmp_path, "bmg")
    assert not isinstance(found, str), found
    assert [result["error"] for result in found] == [0.0] * len(found)
    best = peers.choose(found)
    assert (best.kernels, best.touched_bytes) == (1, 512 * 512 * (1 + 1 + 4))
    # A sub-group computes 8 rows of 16 columns and 32 elements of K per instruction; there are others.
    assert best.executed > 512**3 // (8 * 16 * 32)


def test_a_side_that_fails_says_why(tmp_path: Path) -> None:
    """A library that cannot be loaded has no row but a reason."""
    command = [sys.executable, peers.__file__, str(tmp_path), "--filter", "no such case"]
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libdnnl.so.3").touch()
    result = warm_python.run(command, check=True)
    assert result.stdout.count("\n") == 2
    found = peers.run_side("oneDNN", peers.find_case("softmax bf16 1024x4096"), tmp_path, "bmg")
    assert "libdnnl.so.3" in json.dumps(found)
