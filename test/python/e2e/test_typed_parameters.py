# SPDX-License-Identifier: MIT
"""Parameters with a type, such as `stride: int`, of which Triton compiles no constant if the argument is 1."""

from __future__ import annotations

import itertools

import pytest
import torch
import triton
import triton.language as tl
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

M, N, K = 64, 64, 96


@triton.jit
def product_kernel(
    a_ptr, b_ptr, c_ptr, m_size: int, n_size: int, k_size: int, sam: int, sak: int, sbk: int, sbn: int, scm: int,
    scn: int, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
):  # fmt: skip
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k_size, BK):
        inside = start + k < k_size
        a = a_ptr + m[:, None] * sam + (start + k)[None, :] * sak
        b = b_ptr + (start + k)[:, None] * sbk + n[None, :] * sbn
        total = tl.dot(
            tl.load(a, mask=(m[:, None] < m_size) & inside[None, :], other=0.0),
            tl.load(b, mask=inside[:, None] & (n[None, :] < n_size), other=0.0),
            total,
        )
    c = c_ptr + m[:, None] * scm + n[None, :] * scn
    tl.store(c, total, mask=(m[:, None] < m_size) & (n[None, :] < n_size))


def matrix(rows: int, columns: int, unit: int | None) -> torch.Tensor:
    """Return a random matrix whose stride is 1 in this dimension; with None, 2 in the last."""
    values = torch.randn(rows, columns, dtype=torch.float32).to(torch.bfloat16)
    if unit is None:
        wide = torch.empty(rows, 2 * columns, dtype=values.dtype)
        wide[:, ::2], wide[:, 1::2] = values, float("nan")
        return wide[:, ::2]
    return values if unit == 1 else values.T.contiguous().T


def launch_product(a: torch.Tensor, b: torch.Tensor) -> triton.compiler.CompiledKernel:
    """Multiply on the CPU device, check the result, and return the kernel."""
    c = torch.full((M, N), float("nan"))
    strides = (*a.stride(), *b.stride(), *c.stride())
    kernel = product_kernel[(2, 2)](a, b, c, M, N, K, *strides, BM=32, BN=32, BK=32, num_warps=4)
    torch.testing.assert_close(c.double(), a.double() @ b.double(), rtol=1e-4, atol=1e-4)
    return kernel


@pytest.mark.conformance
def test_strides_of_one():
    """One function, with operands in all orders: those with a stride of 1 are blocks, in the dimension of the launch.

    The launches alternate, so that a kernel of one order in the place of another's would give wrong numbers.
    """
    units = list(itertools.product((1, 0, None), repeat=2))
    for _ in range(2):
        for a_unit, b_unit in units:
            kernel = launch_product(matrix(M, K, a_unit), matrix(K, N, b_unit))
            blocks = kernel.asm["ttgir"].count("ttig.load_block")
            assert blocks == (a_unit is not None) + (b_unit is not None), (a_unit, b_unit)


@triton.jit(do_not_specialize=["one"])
def numbers_kernel(out_ptr, i32: tl.int32, i64: tl.int64, u8: tl.uint8, flag: tl.int1, number: tl.float32, one: int):
    place = tl.arange(0, 8)
    value = tl.where(place == 0, i32, i64)
    value = tl.where(place == 2, u8, value)
    value = tl.where(place == 3, flag.to(tl.int64), value)
    value = tl.where(place == 4, number.to(tl.int64), value)
    value = tl.where(place == 5, one, value)
    # The type is that of the parameter: a constant 1 of 32 bits would overflow, and one of 64 would not.
    value = tl.where(place == 6, (i32 << 31).to(tl.int64), value)
    value = tl.where(place == 7, i64 << 40, value)
    tl.store(out_ptr + place, value)


@pytest.mark.conformance
def test_types_stay():
    """Arguments that are 1 have the types of their parameters, with all others between them."""
    for i32, i64, u8, flag, number, one in itertools.product(
        (1, 3), (1, 5), (1, 255), (True, False), (1.0, 2.0), (1, 7)
    ):
        out = torch.full((8,), -1, dtype=torch.int64)
        numbers_kernel[(1,)](out, i32, i64, u8, flag, number, one, sanitize_overflow=False)
        wrapped = ((i32 << 31) + 2**31) % 2**32 - 2**31
        assert out.tolist() == [i32, i64, u8, int(flag), int(number), one, wrapped, i64 << 40]


def test_what_is_not_specialized():
    """An argument that Triton must not specialize has one kernel for all its values, which knows none."""

    @triton.jit(do_not_specialize=["count"])
    def count_kernel(out_ptr, count: int):
        tl.store(out_ptr, count)

    kernels = []
    for count in (1, 2):
        out = torch.zeros(1, dtype=torch.int32)
        kernels.append(count_kernel[(1,)](out, count))
        assert out.item() == count
    assert kernels[0].hash == kernels[1].hash
    assert "ttig.value" not in kernels[0].asm["ttir"]


@gluon.jit
def copy_kernel(x_ptr, y_ptr, stride: int, SIZE: gl.constexpr, layout: gl.constexpr):
    place = gl.arange(0, SIZE, layout=layout)
    gl.store(y_ptr + place, gl.load(x_ptr + place * stride))


@pytest.mark.conformance
def test_gluon():
    """A kernel in Gluon, whose product with the stride is gone where it is 1."""
    layout = gl.BlockedLayout([2], [16], [4], [0])
    products = []
    for stride in (1, 2):
        x, y = torch.randn(256 * stride), torch.full((256,), float("nan"))
        kernel = copy_kernel[(1,)](x, y, stride, 256, layout)
        assert torch.equal(y, x[::stride])
        products.append(kernel.asm["llir"].count(" mul "))
    assert products[0] < products[1]


def test_from_files(tmp_path):
    """The TTIR of such a kernel is one for all who read it: Triton's own reader, and a launch."""
    kernel = launch_product(matrix(M, K, 1), matrix(K, N, 1))
    path = tmp_path / "product_kernel.ttir"
    path.write_text(kernel.asm["ttir"])
    assert "ttig.value = 1 : i32" in kernel.asm["ttir"]
    again = triton.compile(str(path), target=kernel.metadata.target, options={"num_warps": 4})
    assert again.asm["ttgir"].count("ttig.load_block") == 2


@pytest.mark.parametrize("unit", [1, 0])
def test_preloaded(unit):
    """A kernel that is loaded from what a hook of Triton's has kept is the one of its launch."""
    kept = []

    def keep(**options):
        kept.append(options["compile"]["specialization_data"])

    a, b = matrix(M, K, unit), matrix(K, N, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(triton.knobs.runtime, "jit_post_compile_hook", keep)
        product_kernel.device_caches.clear()
        kernel = launch_product(a, b)
    (data,) = kept
    product_kernel.device_caches.clear()
    assert product_kernel.preload(data).hash == kernel.hash
