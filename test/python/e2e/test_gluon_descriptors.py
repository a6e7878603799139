# SPDX-License-Identifier: MIT
"""Descriptors of the host in kernels in Gluon: the same accesses as through descriptors that kernels make."""

from __future__ import annotations

import pytest
import torch
import triton
from generated import load_source
from kernel_suite.case import PVC, Launch
from numerics import poisoned, strided
from support import needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler.errors import CompilationError
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.nvidia import hopper
from triton.tools.tensor_descriptor import TensorDescriptor

from triton_xe.experimental import gluon as xe
from triton_xe.tools.command_line import main

#: Rows and columns of tiles, and of warps.
BM, BN, BK = 64, 64, 32
DPAS = xe.DPASLayout([2, 4], [4, 1])

ELEMENTS = {torch.float16: gl.float16, torch.bfloat16: gl.bfloat16, torch.int8: gl.int8}


@gluon.jit
def multiply(a, b, c, dpas: gl.constexpr, ELEMENT: gl.constexpr):
    """Sizes of matrices and blocks come from the descriptors."""
    BM: gl.constexpr = a.block_shape[0]
    BK: gl.constexpr = a.block_shape[1]
    BN: gl.constexpr = b.block_shape[1]
    m, n = gl.program_id(0) * BM, gl.program_id(1) * BN
    acc = gl.zeros([BM, BN], c.dtype, dpas.accumulator([BM, BN]))
    for k in range(0, a.shape[1], BK):
        a.prefetch([m, k + BK])
        b.prefetch([k + BK, n], ".ca")
        x = a.load([m, k], dpas.operand(0, [BM, BK], ELEMENT))
        acc = xe.dot(x, b.load([k, n], dpas.operand(1, [BK, BN], ELEMENT)), acc)
    c.store([m, n], acc)


def product(shape: tuple[int, int, int], dtype: torch.dtype = torch.float16) -> tuple[Launch, torch.Tensor]:
    """Return the launch of a product, and its result in higher precision."""
    m, n, k = shape
    is_integer = dtype == torch.int8
    a, b = (
        torch.randint(-8, 8, size).to(dtype) if is_integer else torch.randn(size).to(dtype) for size in ((m, k), (k, n))
    )
    c = poisoned((m, n), torch.int32 if is_integer else torch.float32)
    blocks = ((a, [BM, BK]), (b, [BK, BN]), (c, [BM, BN]))
    descriptors = [TensorDescriptor.from_tensor(tensor, block) for tensor, block in blocks]
    grid = (triton.cdiv(m, BM), triton.cdiv(n, BN))
    launch = Launch(multiply, grid, (*descriptors, DPAS, ELEMENTS[dtype]), {"num_warps": 8})
    return launch, a.double() @ b.double()


def check(launch: Launch, expected: torch.Tensor) -> None:
    launch.run()
    torch.testing.assert_close(launch.arguments[2].base.double(), expected, rtol=1e-4, atol=1e-3)


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ELEMENTS, ids=str)
@pytest.mark.parametrize("shape", [(128, 128, 64), (72, 80, 96), (64, 16, 16)], ids=str)
def test_products(dtype, shape):
    """Blocks cross the edges of matrices; the last ones have rows that messages do not take."""
    check(*product(shape, dtype))


def test_checks_of_the_cpu_device():
    launch, expected = product((72, 80, 96))
    launch.keywords["cpu_checks"] = True
    check(launch, expected)


@gluon.jit
def load_through(descriptor, row, layout: gl.constexpr):
    return descriptor.load([row, 0], layout)


@gluon.jit
def interleave(sources, out, trips, layout: gl.constexpr):
    """Blocks of two tensors of a tuple take turns; a function loads them."""
    one, other = sources[0], sources[1]
    for i in range(trips):
        out.store([i * 16, 0], load_through(one, 16, layout))
        one, other = other, one


@pytest.mark.conformance
@pytest.mark.parametrize("paddings", [("zero", "zero"), ("nan", "nan"), ("zero", "nan")], ids="-".join)
def test_paddings(paddings):
    """The host's padding of each tensor holds for its blocks, also where one load has both kinds."""
    tensors = [strided(torch.randn(21, 30), 40), strided(torch.randn(27, 25), 36)]
    out = poisoned((64, 32), torch.float32)
    sources = tuple(
        TensorDescriptor.from_tensor(tensor, [16, 32], padding=padding)
        for tensor, padding in zip(tensors, paddings, strict=True)
    )
    layout = xe.DPASLayout([2, 2]).accumulator([16, 32])
    interleave[(1,)](sources, TensorDescriptor.from_tensor(out, [16, 32]), 4, layout, num_warps=4)
    for i in range(4):
        tensor = tensors[i % 2]
        expected = torch.full((16, 32), float("nan") if paddings[i % 2] == "nan" else 0.0)
        expected[: len(tensor) - 16, : tensor.shape[1]] = tensor[16:]
        assert torch.allclose(out[16 * i : 16 * i + 16], expected, rtol=0, atol=0, equal_nan=True)


@gluon.jit
def copy_rows(x, out, M, N, layout: gl.constexpr):
    source = xe.make_tensor_descriptor(x, [M, N], [N, 1], [16, 32])
    xe.make_tensor_descriptor(out, [16, 32], [32, 1], [16, 32]).store([0, 0], load_through(source, 16, layout))


@pytest.mark.conformance
def test_functions_of_descriptors_that_kernels_make():
    """A function takes them, too: Triton 3.8 gives the values of its arguments names."""
    x, out = torch.randn(40, 64), poisoned((16, 32), torch.float32)
    copy_rows[(1,)](x, out, 40, 64, xe.DPASLayout([2, 2]).accumulator([16, 32]), num_warps=4)
    assert torch.equal(out, x[16:32, :32])


@needs_ocloc
@pytest.mark.parametrize("arch", ["pvc", "bmg"])
def test_messages(arch):
    """A warp has 32 rows and 16 columns of the result: one message per operand, and one prefetch of each."""
    launch, _ = product((1024, 1024, 1024))
    chip = GPUTarget("xpu", arch, PVC.warp_size)
    source, options = launch.source(chip, generate_native_code=True)
    native = triton.compile(source, target=chip, options=options).metadata.native
    (loop,) = [loop for loop in native["loops"] if loop["dpas"]]
    assert (loop["load_block2d"], loop["prefetches"]) == (2, 2)
    # Each block of the result is stored by messages of eight rows.
    assert native["total"]["store_block2d"] == 4
    assert native["total"]["scratch_messages"] == 0


SCRIPT = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton_xe.experimental import gluon as xe


@gluon.jit
def halve(x, y):
    LAYOUT: gl.constexpr = xe.DPASLayout([4, 1]).accumulator([32, 16])
    y.store([0, 0], x.load([0, 0], LAYOUT) * 0.5)
"""


def test_export(tmp_path):
    """A program without Python passes the same structures as for kernels in Triton."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    signature = "tensordesc<fp32[32, 16]>, tensordesc<fp32[32, 16]>"
    arguments = ["compile", "--signature", signature, "--nan-padding", "x", "--grid", "1, 1, 1"]
    assert main([*arguments, "--target", "pvc", "--output", str(tmp_path), str(path)]) == 0
    assert "const triton_xe_descriptor2 *x" in (tmp_path / "halve.h").read_text()


# ===-----------------------------------------------------------------------===#
# Refusals
# ===-----------------------------------------------------------------------===#

PREAMBLE = """
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton_xe.experimental import gluon as xe


@gluon.jit
def kernel(x, n):
    DPAS: gl.constexpr = xe.DPASLayout([2, 2])
    acc = gl.zeros([16, 16], gl.float32, DPAS.accumulator([16, 16]))
"""

STATED_WRONGLY = {
    "x.load([0, 0])": "missing 1 required positional argument: 'layout'",
    "x.load([0], acc.type.layout)": "expected two offsets, for rows and columns, found 1",
    "x.store([0, 0], acc.to(gl.float16))": "expected a block of fp32 of shape [16, 16], found fp16",
    "xe.make_tensor_descriptor(16, [n, n], [n, 1], [16, 16])": "expected a pointer as base of a descriptor, found ",
    "xe.make_tensor_descriptor(x, [n, n], [n, 1], [16, 16])":
        "expected a pointer as base of a descriptor, found xe.tensor_descriptor<fp32, [16, 16]>",
}  # fmt: skip


def failure(statement: str, descriptor: object) -> str:
    """Return the message about a kernel with this statement, which names its line."""
    kernel = load_source(f"{PREAMBLE}    {statement}\n", {}).kernel
    with pytest.raises(CompilationError) as caught:
        kernel[(1,)](descriptor, 16)
    message = str(caught.value)
    assert statement in message
    return message


@pytest.mark.conformance
@pytest.mark.parametrize(("statement", "reason"), STATED_WRONGLY.items(), ids=range(len(STATED_WRONGLY)))
def test_statements_that_are_wrong(statement, reason):
    assert reason in failure(statement, TensorDescriptor.from_tensor(torch.zeros(16, 16), [16, 16]))


@pytest.mark.conformance
@pytest.mark.parametrize("statement", ["x.load({place})", "x.store({place}, gl.full({block}, 1.0, gl.float32))"])
@pytest.mark.parametrize("shape", [(64,), (2, 16, 16)], ids=str)
def test_other_ranks(shape, statement):
    block = [16] * len(shape)
    descriptor = TensorDescriptor.from_tensor(torch.zeros(shape), block)
    message = failure(statement.format(place=[0] * len(shape), block=block), descriptor)
    assert "on this target: accesses of descriptors of the host have layouts if these have two dimensions" in message


@triton.jit
def copy_in_triton(x, y):
    y.store([0, 0], x.load([0, 0]))


@pytest.mark.conformance
def test_kernels_in_triton_keep_their_descriptors():
    """Descriptors of Xe are for kernels in Gluon alone, also after the first one of these."""
    x, y = torch.randn(16, 16), poisoned((16, 16), torch.float32)
    descriptors = [TensorDescriptor.from_tensor(each, [16, 16]) for each in (x, y)]
    takes_a_descriptor[(1,)](descriptors[0])
    copy_in_triton.device_caches.clear()
    copy_in_triton[(1,)](*descriptors)
    assert torch.equal(x, y)


@gluon.jit
def takes_a_descriptor(x):
    pass


@pytest.mark.conformance
def test_descriptors_with_layouts_of_other_chips():
    layout = gl.NVMMASharedLayout(64, 32)
    descriptor = hopper.TensorDescriptor.from_tensor(torch.zeros(32, 32), [16, 16], layout)
    with pytest.raises(CompilationError, match=r"(?s)a descriptor of the host \(`triton\.tools\.tensor_descriptor`\)"):
        takes_a_descriptor[(1,)](descriptor)
