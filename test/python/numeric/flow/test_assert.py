# SPDX-License-Identifier: MIT
"""`tl.device_assert`: with `debug=True`, launches raise, and the program that fails stops before it does any harm."""

from __future__ import annotations

import pytest
import torch
import triton
import triton.language as tl
from numeric.layouts import LANES
from numerics import poisoned, random_tensor
from support import covers, needs_ocloc
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from triton_xe import errors


@triton.jit
def checked_gather(x, index, out, size, N: tl.constexpr):
    """The load is far outside of the tensor, in no memory at all, unless the assertion holds."""
    place = tl.program_id(0) * N + tl.arange(0, N)
    i = tl.load(index + place)
    tl.device_assert((i >= 0) & (i < size), "index out of bounds")  # bounds
    tl.store(out + place, tl.load(x + i))


@pytest.mark.opencl
@covers("tl.device_assert")
@pytest.mark.parametrize(("n", "num_warps", "warp_size"), [(16, 1, 16), (256, 4, 16), (128, 8, 32), (16, 4, 32)])
def test_tensor(n, num_warps, warp_size):
    programs, size = 4, 100
    x = random_tensor((size,), torch.float32, 1)
    index = torch.randint(0, size, (programs * n,), generator=torch.Generator().manual_seed(2))
    out = poisoned((programs * n,), torch.float32)
    options = {"num_warps": num_warps, "warp_size": warp_size, "debug": True}
    checked_gather[(programs,)](x, index, out, size, n, **options)
    assert torch.equal(out, x[index])

    # Far away from everything: only an assertion that stops the program keeps the process alive.
    index[2 * n + 5] = 2**45
    out = poisoned((programs * n,), torch.float32)
    with pytest.raises(errors.DeviceAssertionError) as caught:
        checked_gather[(programs,)](x, index, out, size, n, **options)
    line = checked_gather.starting_line_number + 5
    assert f"{__file__}:{line}: index out of bounds" in str(caught.value)
    assert "program (2, 0, 0) of kernel `checked_gather`" in str(caught.value)
    assert isinstance(caught.value, AssertionError)
    assert out[2 * n : 3 * n].isnan().all()

    # The next launch starts afresh.
    index[2 * n + 5] = 0
    checked_gather[(programs,)](x, index, out, size, n, **options)
    assert torch.equal(out, x[index])


@triton.jit
def checked_load(x, i, size):
    tl.device_assert(i < size, "index out of bounds")
    return tl.load(x + i)


@triton.jit
def two_loads(x, index, out, size, N: tl.constexpr):
    i = tl.arange(0, N)
    first = checked_load(x, i, size)
    tl.store(out + i, first + checked_load(x, tl.load(index + i), size))


@pytest.mark.parametrize(("bad", "line"), [(None, 0), (16, 4)])
def test_inlined_functions_name_their_caller(bad, line):
    """An assertion of a function that several lines call states which of them it was."""
    x, index, out = random_tensor((16,), torch.float32, 1), torch.arange(16), poisoned((16,), torch.float32)
    if bad is None:
        two_loads[(1,)](x, index, out, 16, 16, debug=True)
        assert torch.equal(out, x + x)
        return
    index[3] = bad
    with pytest.raises(errors.DeviceAssertionError) as caught:
        two_loads[(1,)](x, index, out, 16, 16, debug=True)
    inner, outer = checked_load.starting_line_number + 2, two_loads.starting_line_number + line
    assert f"{__file__}:{inner}: index out of bounds, called from {__file__}:{outer}" in str(caught.value)


def test_without_debug():
    """No assertion, no hidden argument."""
    x, index, out = torch.ones(32), torch.arange(32), poisoned((32,), torch.float32)
    checked_gather[(1,)](x, index, out, 16, 32)
    assert torch.equal(out, x)


@triton.jit(noinline=True)
def checked_root(x):
    """A function that stays one, and that returns something."""
    tl.device_assert(x >= 0, "negative")
    return tl.sqrt(x)


@triton.jit
def control_flow(x, out, steps, KIND: tl.constexpr, N: tl.constexpr):
    """Assertions at places that a program cannot simply return from."""
    index = tl.arange(0, N)
    total = tl.zeros((N,), tl.float32)
    for step in range(steps):
        value = tl.load(x + step * N + index)
        if KIND == "loop":
            tl.device_assert(value < 1000, "too large")
        elif KIND == "branch":
            if step > 0:
                tl.device_assert(tl.sum(value) < 1000, "sum too large")
        elif KIND == "call":
            value += checked_root(tl.min(value, 0))
        total += tl.sum(value)
        tl.store(out + step * N + index, total)


@pytest.mark.parametrize(
    ("kind", "bad", "message"),
    [("loop", 1e4, "too large"), ("branch", 1e4, "sum too large"), ("call", -1.0, "negative")],
)
@pytest.mark.parametrize("num_warps", [1, 4])
def test_control_flow(kind, bad, message, num_warps):
    """Stores before the failure happen, those after it do not; barriers of the reduction do not hang."""
    steps, n = 4, 64
    x, out = torch.rand((steps, n)), poisoned((steps, n), torch.float32)
    control_flow[(1,)](x, out, steps, kind, n, num_warps=num_warps, debug=True)
    assert torch.isfinite(out).all()
    x[2, 7] = bad
    out = poisoned((steps, n), torch.float32)
    with pytest.raises(errors.DeviceAssertionError, match=message):
        control_flow[(1,)](x, out, steps, kind, n, num_warps=num_warps, debug=True)
    assert torch.isfinite(out[:2]).all()
    assert out[2:].isnan().all()


@triton.jit
def checked_add(a, b):
    """One assertion on every combination, and one that some elements come to."""
    tl.device_assert(a < 1000, "too large")
    total = a + b
    if a > b:
        tl.device_assert(total != 777, "unlucky")
        total = b + a
    return total


@triton.jit
def combine(x, total, sums, N: tl.constexpr, KIND: tl.constexpr):
    """Reduce and scan. With `debug=True` the frontend itself asserts that sums do not overflow."""
    index = tl.arange(0, N)
    value = tl.load(x + index)
    if KIND == "checked":
        tl.store(total, tl.reduce(value, 0, checked_add))
        tl.store(sums + index, tl.associative_scan(value, 0, checked_add))
    else:
        tl.store(total, tl.sum(value))
        tl.store(sums + index, tl.cumsum(value, reverse=KIND == "reverse"))


@pytest.mark.parametrize(("num_warps", "warp_size"), [(1, 16), (4, 16), (4, 32)])
def test_combinations(num_warps, warp_size):
    """A scan combines values that do not belong together where it does not use the result; that must not count."""
    n = 64
    options = {"num_warps": num_warps, "warp_size": warp_size, "debug": True}

    def run(x: torch.Tensor, kind: str) -> None:
        total, sums = poisoned((1,), torch.int32), poisoned((n,), torch.int32)
        combine[(1,)](x, total, sums, n, kind, **options)
        expected = x.flip(0).cumsum(0).flip(0) if kind == "reverse" else x.cumsum(0)
        assert total.item() == x.sum()
        assert torch.equal(sums, expected.to(torch.int32))

    for place in (0, 5, 40, 63):
        x = torch.zeros(n, dtype=torch.int32)
        # Twice this is too much.
        x[place] = 2**31 - 10
        run(x, "forward")
        run(x, "reverse")
    x[62] = 100
    for kind in ("forward", "reverse"):
        with pytest.raises(errors.DeviceAssertionError, match="overflow"):
            run(x, kind)

    x = torch.ones(n, dtype=torch.int32)
    run(x, "checked")
    x[3] = 1000
    with pytest.raises(errors.DeviceAssertionError, match="too large"):
        run(x, "checked")
    x[3], x[4:] = 774, 0
    with pytest.raises(errors.DeviceAssertionError, match="unlucky"):
        run(x, "checked")


@triton.jit
def masked(x, N: tl.constexpr):
    """Masked elements are not looked at, and a message may be any text."""
    index = tl.arange(0, N)
    tl.device_assert(tl.load(x + index) > 0, 'a "quoted"\n100% \\ message', mask=index < N // 2)


@pytest.mark.opencl
def test_mask_and_message():
    x = torch.ones(64)
    x[40] = -1
    masked[(1,)](x, 64, debug=True)
    x[10] = -1
    with pytest.raises(errors.DeviceAssertionError, match=r'a "quoted" 100% \\ message'):
        masked[(1,)](x, 64, debug=True)


@needs_ocloc
def test_native_code():
    source = ASTSource(checked_gather, {"x": "*fp32", "index": "*i64", "out": "*fp32", "size": "i32"}, {"N": 128})
    options = {"generate_native_code": True, "debug": True}
    kernel = triton.compile(source, target=GPUTarget("xpu", "pvc", LANES), options=options)
    assert "atomic_icas.ugm.d32" in kernel.asm["isa"]
