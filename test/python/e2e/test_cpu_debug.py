# SPDX-License-Identifier: MIT
"""Kernels that check themselves on the CPU device: each kind of error is found and named, and what is right passes."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
from numerics import poisoned
from support import interrupt, needs_gdb

from triton_xe import errors, knobs
from triton_xe.ir_source import IRSource

BLOCK = 64


def line_of(kernel: triton.JITFunction, text: str) -> str:
    """Return the place of the kernel's one line with this text, as messages name it."""
    lines = kernel.raw_src
    (number,) = [i for i, line in enumerate(lines) if text in line]
    return f"{__file__}:{kernel.starting_line_number + number}"


def launch(kernel: triton.JITFunction, grid: int, *args: object, **options: object) -> None:
    kernel[(grid,)](*args, cpu_checks=True, **options)


def failure(kind: type, kernel: triton.JITFunction, grid: int, *args: object, **options: object) -> str:
    """Return the message of a launch that has to fail."""
    with pytest.raises(kind) as caught:
        launch(kernel, grid, *args, **options)
    assert isinstance(caught.value, errors.KernelCheckError)
    return str(caught.value)


# Memory of the launch


@triton.jit
def add(x, y, out, n, offset, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    a = tl.load(x + place + offset, mask)
    b = tl.load(y + place)
    tl.store(out + place, a + b, mask)


@pytest.mark.parametrize("num_warps", [1, 4])
def test_load_behind_the_end(num_warps):
    x, y, out = torch.ones(100), torch.ones(128), poisoned((100,), torch.float32)
    launch(add, 2, x, y, out, 100, 0, BLOCK, num_warps=num_warps)
    assert torch.equal(out, torch.full((100,), 2.0))
    message = failure(errors.MemoryAccessError, add, 2, x, y, out, 100, 3, BLOCK, num_warps=num_warps)
    assert message.startswith(f"{line_of(add, 'a = ')}: load of ")
    assert "outside of the memory of `x`" in message
    assert "program (1, 0, 0) of kernel `add`" in message
    assert re.search(r"element 9[7-9]|element 100", message)


def test_unmasked_load_whose_result_is_masked():
    """No optimization moves the load under the mask of the store."""
    x, out = torch.ones(100), torch.zeros(100)
    message = failure(errors.MemoryAccessError, add, 2, x, torch.ones(100), out, 100, 0, BLOCK)
    assert message.startswith(line_of(add, "b = "))
    assert "`y`" in message


def test_store_into_the_neighbour():
    """The memory of another argument is no excuse."""
    memory = torch.zeros(256)
    out, after = memory.numpy()[:64], memory[64:]
    message = failure(
        errors.MemoryAccessError, add, 2, torch.ones(128), torch.ones(128), torch.from_numpy(out), 128, 0, BLOCK
    )
    assert message.startswith(line_of(add, "tl.store"))
    assert "element 64 of `out`, 0 bytes past the end of its memory" in message
    assert not after.any()


def test_load_ahead_of_the_beginning():
    x = torch.ones(100)
    launch(add, 1, x[10:], torch.ones(64), torch.zeros(64), 64, -10, BLOCK)
    message = failure(errors.MemoryAccessError, add, 1, x[10:], torch.ones(64), torch.zeros(64), 64, -12, BLOCK)
    assert "element -12 of `x`, 8 bytes ahead of the beginning of its memory" in message


@triton.jit
def copy_through_table(table, out, n, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    source = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    tl.store(out + tl.program_id(0) * BLOCK + place, tl.load(source + place, place < n))


def test_pointers_out_of_memory_are_trusted():
    """A table of addresses, as grouped products have, is no error."""
    tensors = [torch.rand(64) for _ in range(3)]
    table = torch.tensor([tensor.data_ptr() for tensor in tensors])
    out = torch.zeros(3 * 64)
    launch(copy_through_table, 3, table, out, 64, BLOCK)
    assert torch.equal(out, torch.cat(tensors))
    table[1] = 16
    message = failure(errors.MemoryAccessError, copy_through_table, 3, table, out, 64, BLOCK)
    assert "the pointer is null" in message


@triton.jit
def count(counters, index, n, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.atomic_add(counters + tl.load(index + place), 1, mask=place < n)


def test_atomic_outside():
    counters, index = torch.zeros(10, dtype=torch.int32), torch.arange(64) % 10
    launch(count, 2, counters, index, 64, BLOCK)
    assert counters.sum() == 128
    index[63] = -1
    launch(count, 2, counters, index, 63, BLOCK)
    message = failure(errors.MemoryAccessError, count, 2, counters, index, 64, BLOCK)
    assert "atomic operation of 4 bytes outside of the memory of `counters`: element -1" in message


# 2D block messages


@triton.jit
def copy_block(x, out, M, N, stride, M_BLOCK: tl.constexpr, N_BLOCK: tl.constexpr):
    source = tl.make_block_ptr(x, (M, N), (stride, 1), (0, 0), (M_BLOCK, N_BLOCK), (1, 0))
    target = tl.make_block_ptr(out, (M, N), (stride, 1), (0, 0), (M_BLOCK, N_BLOCK), (1, 0))
    value = tl.load(source, boundary_check=(0, 1))
    product = tl.dot(value, value)
    tl.store(target, product.to(tl.float16), boundary_check=(0, 1))


def run_block(x: torch.Tensor, rows: int, columns: int = 64, stride: int = 64) -> None:
    launch(copy_block, 1, x, torch.empty(64, 64, dtype=torch.float16), rows, columns, stride, 64, 64)


def test_surface_beyond_the_tensor():
    x = torch.ones(50, 64, dtype=torch.float16)
    run_block(x, 50)
    with pytest.raises(errors.MemoryAccessError, match=r"outside of the memory of `x`: element 3\d\d\d of `x`"):
        run_block(x, 51)


def test_rules_of_surfaces(tmp_path):
    """Launches are kept from breaking a rule; without their conditions, the code does."""
    x, out = torch.ones(64 * 64 + 64, dtype=torch.float16), torch.empty(64, 64, dtype=torch.float16)
    run_block(x, 64, columns=16)
    compiled = copy_block.warmup(x, out, 64, 16, 64, 64, 64, grid=(1,))
    path = tmp_path / "copy_block.ttgir"
    path.write_text(re.sub(r"ttig.launch_condition .*", "", compiled.asm["ttgir"]))
    kernel = triton.compile(IRSource(str(path)), options={"cpu_checks": True})
    with pytest.raises(errors.MemoryAccessError) as caught:
        kernel[(1, 1, 1)](x, out, 64, 16, 64)
    assert "a 2D block message that no hardware takes: the width must be at least 64, found 32" in str(caught.value)
    assert str(caught.value).startswith(line_of(copy_block, "tl.load"))


# Races


@triton.jit
def add_program(out, step, BLOCK: tl.constexpr):
    place = tl.program_id(0) * step + tl.arange(0, BLOCK)
    tl.store(out + place, tl.program_id(0).to(tl.float32))


def test_programs_write_the_same_memory():
    launch(add_program, 3, torch.zeros(3 * 64), 64, BLOCK)
    message = failure(errors.DataRaceError, add_program, 3, torch.zeros(3 * 64), 63, BLOCK)
    assert "two programs race for the same memory: element 63 of `out`" in message
    place = line_of(add_program, "tl.store")
    assert f"program (0, 0, 0) writes it at {place}" in message
    assert f"program (1, 0, 0) writes it at {place}" in message


@triton.jit
def fill(out, value, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), value)


def test_the_same_value_is_no_race():
    launch(fill, 3, torch.zeros(64), 5.0, BLOCK)


@triton.jit
def shift(x, step, BLOCK: tl.constexpr):
    place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + place + step)
    tl.store(x + place, value + 1)


@pytest.mark.parametrize("step", [BLOCK, -BLOCK])
def test_a_program_reads_what_another_writes(step):
    x = torch.zeros(5 * BLOCK)
    launch(shift, 3, x[BLOCK:], 0, BLOCK)
    message = failure(errors.DataRaceError, shift, 3, x[BLOCK:], step, BLOCK)
    assert f"reads it at {line_of(shift, 'value = ')}" in message
    assert f"writes it at {line_of(shift, 'tl.store')}" in message


@triton.jit
def add_under_lock(total, lock, LOCKED: tl.constexpr):
    if LOCKED:
        while tl.atomic_cas(lock, 0, 1) == 1:
            pass
    tl.store(total, tl.load(total) + 1)
    if LOCKED:
        tl.atomic_xchg(lock, 0)


def test_atomics_order_programs():
    total, lock = torch.zeros(1, dtype=torch.int32), torch.zeros(1, dtype=torch.int32)
    launch(add_under_lock, 4, total, lock, LOCKED=True)
    assert total.item() == 4
    failure(errors.DataRaceError, add_under_lock, 4, total, lock, LOCKED=False)


# Sub-groups of one program in global memory

ROW = 256


@triton.jit
def store_then_load(x, out, BARRIER: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.store(x + place, place + 1)
    if BARRIER:
        tl.debug_barrier()
    value = tl.load(x + BLOCK - 1 - place)
    tl.store(out + place, value)


@triton.jit
def store_then_load_own(x, out, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.store(x + place, place + 1)
    tl.store(out + place, tl.load(x + place))


@triton.jit
def reverse(x, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.store(x + BLOCK - 1 - place, tl.load(x + place))


@triton.jit
def smooth(x, steps, BARRIER: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    for _ in range(steps):
        value = tl.load(x + (place + 1) % BLOCK)
        tl.store(x + place, value + 1)
        if BARRIER:
            tl.debug_barrier()


@triton.jit
def store_twice(x, DIFFERENT: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    value = place if DIFFERENT else place % (BLOCK // 2)
    tl.store(x + place % (BLOCK // 2), value + 1)


@triton.jit
def count_stored(x, BARRIER: tl.constexpr, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.store(x + place, place + 1)
    if BARRIER:
        tl.debug_barrier()
    tl.atomic_add(x + place % (BLOCK // 4), 1, sem="relaxed")


@triton.jit
def shift_block(x, out, BARRIER: tl.constexpr, DESCRIPTOR: tl.constexpr, N: tl.constexpr):
    ones = tl.full((N, N), 1.0, tl.float32)
    if DESCRIPTOR:
        rows = tl.make_tensor_descriptor(x, (2 * N, N), (N, 1), (N, N))
        rows.store((0, 0), ones)
    else:
        first = tl.make_block_ptr(x, (2 * N, N), (N, 1), (0, 0), (N, N), (1, 0))
        tl.store(first, ones)
    if BARRIER:
        tl.debug_barrier()
    if DESCRIPTOR:
        value = tl.make_tensor_descriptor(x, (2 * N, N), (N, 1), (N, N)).load((1, 0))
    else:
        value = tl.load(tl.make_block_ptr(x, (2 * N, N), (N, 1), (1, 0), (N, N), (1, 0)))
    tl.store(out + tl.arange(0, N)[:, None] * N + tl.arange(0, N)[None, :], value)


def test_sub_groups_read_what_others_write():
    """Each message has both lines, the element and what to do."""
    x, out = torch.zeros(ROW, dtype=torch.int32), torch.zeros(ROW, dtype=torch.int32)
    message = failure(errors.DataRaceError, store_then_load, 1, x, out, False, ROW, num_warps=4)
    found = re.search(r"two sub-groups of a program race for the same memory: element (\d+) of `x`\n", message)
    assert found and int(found[1]) < ROW
    lines = [f" writes it at {line_of(store_then_load, 'x + place, ')}"]
    lines += [f" reads it at {line_of(store_then_load, 'value = ')}"]
    assert all(re.search(r"\n  sub-group \d" + re.escape(line), message) for line in lines)
    missing = "and there is no barrier between them: `tl.debug_barrier()` is missing (`gl.barrier()` in Gluon)"
    assert missing in message
    assert "in sub-group " in message and "of program (0, 0, 0)" in message


@pytest.mark.parametrize(("barrier", "num_warps"), [(True, 4), (True, 8), (False, 1)])
def test_sub_groups_that_wait(barrier, num_warps):
    x, out = torch.zeros(ROW, dtype=torch.int32), torch.zeros(ROW, dtype=torch.int32)
    launch(store_then_load, 1, x, out, barrier, ROW, num_warps=num_warps)
    assert torch.equal(out, torch.arange(ROW, 0, -1, dtype=torch.int32))


def test_own_elements_need_no_barrier():
    x, out = torch.zeros(ROW, dtype=torch.int32), torch.zeros(ROW, dtype=torch.int32)
    launch(store_then_load_own, 1, x, out, ROW, num_warps=4)
    assert torch.equal(out, torch.arange(1, ROW + 1, dtype=torch.int32))


def test_the_compiler_orders_loads_before_stores():
    x = torch.arange(ROW)
    launch(reverse, 1, x, ROW, num_warps=4)
    assert torch.equal(x, torch.arange(ROW - 1, -1, -1))


def test_sub_groups_in_a_loop():
    """The store of an iteration races with the load of the next one."""
    x = torch.arange(ROW)
    launch(smooth, 1, x, 3, True, ROW, num_warps=4)
    assert torch.equal(x, torch.arange(ROW).roll(-3) + 3)
    launch(smooth, 1, x, 1, False, ROW, num_warps=4)
    message = failure(errors.DataRaceError, smooth, 1, x, 3, False, ROW, num_warps=4)
    assert "two sub-groups of a program race" in message


@pytest.mark.parametrize("barrier", [False, True])
def test_a_remark_names_the_missing_barrier(monkeypatch, capsys, tmp_path, barrier):
    """The compiler reports the errors of the kernel that the checks find in a launch."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_XE_REMARKS", "1")
    smooth.warmup(torch.arange(ROW), 3, barrier, ROW, num_warps=4, grid=(1,))
    found = re.findall(r":(\d+): remark: another sub-group may (.*)$", capsys.readouterr().err, re.MULTILINE)
    load, store = line_of(smooth, "tl.load"), line_of(smooth, "tl.store")
    assert len(found) == (0 if barrier else 1)
    for line, text in found:
        assert load.endswith(f":{line}")
        assert f"by the store in {Path(store).name}, and no barrier" in text


def test_sub_groups_store_to_the_same_address():
    """Equal values are no race; of different ones it is unknown which stays."""
    launch(store_twice, 1, torch.zeros(ROW, dtype=torch.int32), False, ROW, num_warps=4)
    x = torch.zeros(ROW, dtype=torch.int32)
    message = failure(errors.DataRaceError, store_twice, 1, x, True, ROW, num_warps=4)
    assert "or one operation has several elements for one address" in message


def test_sub_groups_and_atomics():
    """Atomic operations do not race with each other, but with stores."""
    x = torch.zeros(ROW, dtype=torch.int32)
    launch(count_stored, 1, x, True, ROW, num_warps=4)
    assert torch.equal(x - torch.arange(1, ROW + 1), 4 * (torch.arange(ROW) < ROW // 4))
    message = failure(errors.DataRaceError, count_stored, 1, torch.zeros_like(x), False, ROW, num_warps=4)
    assert "two sub-groups of a program race" in message


@pytest.mark.parametrize("descriptor", [False, True])
def test_sub_groups_and_blocks(descriptor):
    x, out = torch.zeros(64, 32), torch.zeros(32, 32)
    launch(shift_block, 1, x, out, True, descriptor, 32, num_warps=4)
    assert torch.equal(out, x[1:33])
    x.zero_()
    message = failure(errors.DataRaceError, shift_block, 1, x, out, False, descriptor, 32, num_warps=4)
    assert "two sub-groups of a program race for the same memory: element " in message


# Shared local memory, barriers


@triton.jit
def mirror(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    tl.store(out + i, tl.gather(value, N - 1 - i, 0))


@triton.jit
def mirror_twice(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.gather(tl.load(x + i), N - 1 - i, 0))  # once
    tl.store(out + N + i, tl.gather(tl.load(x + N + i), N - 1 - i, 0))  # twice


#: A call of a barrier in the LLVM IR, with its line.
BARRIER = r"( *call spir_func void @_Z7barrierj\(.*?!dbg !(\d+)\n)"


def run_edited(tmp_path, edit, kernel: triton.JITFunction = mirror, size: int = 1024) -> None:
    """A kernel with edited LLVM IR. Sub-groups exchange elements through shared memory."""
    num_warps = 8
    x, out = torch.rand(2, size), torch.empty(2, size)
    compiled = kernel[(1,)](x, out, size, num_warps=num_warps, cpu_checks=True)
    assert torch.equal(out[0], x[0].flip(0))
    source = compiled.asm["llir"]
    assert re.search(BARRIER, source), "no barrier in the kernel"
    edited = tmp_path / "mirror.llir"
    edited.write_text(edit(source))
    launch(kernel, 1, x, out, size, num_warps=num_warps, ir_override=str(edited))


def leave_early(source: str, before: str) -> str:
    """The last sub-group does `before` and ends."""
    start = f"""
  %early.id = call spir_func i32 @_Z16get_sub_group_idv()
  %early.is = icmp eq i32 %early.id, 7
  br i1 %early.is, label %early, label %late
early:
{before}  ret void
late:
"""
    return re.sub(r"(define spir_kernel [^\n]*\{\n)", lambda match: match[1] + start, source)


def test_no_edit_no_error(tmp_path):
    run_edited(tmp_path, lambda source: source)


def test_missing_barrier(tmp_path):
    with pytest.raises(errors.KernelCheckError, match="shared local memory") as caught:
        run_edited(tmp_path, lambda source: re.sub(BARRIER, "", source))
    assert line_of(mirror, "tl.store") in str(caught.value)


def test_missing_barrier_between_reads_and_writes(tmp_path):
    """The second gather writes where others still read for the first: two of 16 KB are more than a program's share."""

    def edit(source: str) -> str:
        second = list(re.finditer(BARRIER, source))[1]
        return source[: second.start()] + source[second.end() :]

    with pytest.raises(errors.DataRaceError, match="two sub-groups race for shared local memory") as caught:
        run_edited(tmp_path, edit, mirror_twice, size=4096)
    message = str(caught.value)
    assert f"writes it at {line_of(mirror_twice, '# twice')}" in message
    assert f"reads it at {line_of(mirror_twice, '# once')}" in message


def test_sub_group_that_ends_early(tmp_path):
    with pytest.raises(errors.BarrierError) as caught:
        run_edited(tmp_path, lambda source: leave_early(source, ""))
    place = line_of(mirror, "tl.store")
    assert f"{place}: sub-group 0 waits at a barrier that sub-group 7 has ended without reaching" in str(caught.value)


def test_different_barriers(tmp_path):
    def edit(source: str) -> str:
        call, location = re.search(BARRIER, source).groups()
        lines = dict(re.findall(r"!(\d+) = !DILocation\(line: (\d+)", source))
        other = next(number for number, line in lines.items() if line != lines[location])
        return leave_early(source, call.replace(f"!dbg !{location}", f"!dbg !{other}"))

    with pytest.raises(errors.BarrierError, match="sub-groups of a program wait at different barriers") as caught:
        run_edited(tmp_path, edit)
    assert f"sub-group 0 waits at {line_of(mirror, 'tl.store')}" in str(caught.value)
    assert "sub-group 7 waits at" in str(caught.value)


# Arithmetic


@triton.jit
def divide(x, y, out, n, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    mask = place < n
    tl.store(out + place, tl.load(x + place) // tl.load(y + place), mask)


@triton.jit
def to_integer(x, out, n, BLOCK: tl.constexpr):
    place = tl.arange(0, BLOCK)
    tl.store(out + place, tl.load(x + place).to(tl.int32), place < n)


@pytest.mark.parametrize(("divisor", "dividend"), [(0, 7), (-1, -(2**31))])
def test_division(divisor, dividend):
    x = torch.full((64,), dividend, dtype=torch.int32)
    y, out = torch.ones(64, dtype=torch.int32), torch.zeros(64, dtype=torch.int32)
    y[40] = divisor
    launch(divide, 1, x, y, out, 40, BLOCK)
    message = (
        "division by zero, or of the lowest number by -1\nfor element (40), in sub-group 1, lane 4, of program (0, "
    )
    with pytest.raises(errors.DeviceAssertionError, match=re.escape(message)):
        launch(divide, 1, x, y, out, 41, BLOCK, num_warps=2)


@pytest.mark.parametrize("value", [2.0**31, -(2.0**31) - 256, float("nan"), float("inf")])
def test_conversion(value):
    x, out = torch.full((64,), -(2.0**31)), torch.zeros(64, dtype=torch.int32)
    x[7] = 2.0**31 - 128
    x[40] = value
    launch(to_integer, 1, x, out, 40, BLOCK)
    with pytest.raises(errors.DeviceAssertionError, match="a float that does not fit the integer it becomes") as caught:
        launch(to_integer, 1, x, out, 41, BLOCK)
    assert line_of(to_integer, "tl.store") in str(caught.value)
    assert "for element (40), in sub-group " in str(caught.value)


@triton.jit
def assert_elements(x, out, bad, M: tl.constexpr, N: tl.constexpr):
    rows, columns = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    place = tl.program_id(0) * M * N + rows * N + columns
    value = tl.load(x + place)
    tl.device_assert(value != bad, "a bad element")
    tl.store(out + place, value + value)


@triton.jit
def assert_scalar(x, n):
    tl.device_assert(tl.program_id(0) < n, "too many programs")
    tl.store(x + tl.program_id(0), 1)


@pytest.mark.parametrize("requested", ["cpu_checks", "debug", "variable"])
@pytest.mark.parametrize("place", [0, 5 * 32 + 17, 7 * 32 + 31])
def test_asserted_elements(monkeypatch, requested, place):
    """However checks are requested, assertions name the element, which is in the sub-group and lane that they name."""
    if requested == "variable":
        monkeypatch.setenv(knobs.CPU_DEBUG.name, "1")
    options = {} if requested == "variable" else {requested: True}
    x, out = torch.arange(2 * 8 * 32, dtype=torch.int32), torch.zeros(2 * 8 * 32, dtype=torch.int32)
    assert_elements[(2,)](x, out, -1, 8, 32, num_warps=4, **options)
    assert torch.equal(out, x + x)
    with pytest.raises(errors.DeviceAssertionError) as caught:
        assert_elements[(2,)](x, out, 8 * 32 + place, 8, 32, num_warps=4, **options)
    first, second = str(caught.value).split("\n")[:2]
    assert first == f"{line_of(assert_elements, 'device_assert')}: a bad element"
    found = re.fullmatch(
        r"for element \((\d+), (\d+)\), in sub-group (\d), lane (\d+), of program \(1, 0, 0\) of kernel .*",
        second,
    )
    row, column, sub_group, lane = map(int, found.groups())
    assert (row, column) == divmod(place, 32)
    assert sub_group < 4 and lane < 16


def test_asserted_scalars():
    """They are those of all lanes."""
    launch(assert_scalar, 3, torch.zeros(8, dtype=torch.int32), 3)
    with pytest.raises(errors.DeviceAssertionError) as caught:
        launch(assert_scalar, 5, torch.zeros(8, dtype=torch.int32), 3, num_warps=1)
    assert str(caught.value).endswith(
        "too many programs\nin sub-group 0 of program (3, 0, 0) of kernel `assert_scalar`"
    )


def test_overflow_is_for_debug_alone():
    """Integers may wrap where checks are requested; `debug=True` is Triton's own option, and asserts more."""
    x, out = torch.full((8 * 32,), 2**30, dtype=torch.int32), torch.zeros(8 * 32, dtype=torch.int32)
    launch(assert_elements, 1, x, out, -1, 8, 32)
    assert torch.equal(out, x + x)
    with pytest.raises(errors.DeviceAssertionError, match="overflow"):
        assert_elements[(1,)](x, out, -1, 8, 32, debug=True)
    assert_elements[(1,)](x, out, -1, 8, 32, debug=True, sanitize_overflow=False)


# How to request checks


def test_who_asks_for_checks(monkeypatch):
    from triton.backends.compiler import GPUTarget

    from triton_xe.cpu.compiler import CPUBackend

    backend = CPUBackend(GPUTarget("cpu", "pvc", 16))
    plain = backend.parse_options({})
    assert not plain.cpu_checks
    assert backend.parse_options({"debug": True}).cpu_checks
    assert backend.parse_options({"cpu_checks": True}).cpu_checks
    monkeypatch.setenv(knobs.CPU_DEBUG.name, "1")
    assert backend.parse_options({}).cpu_checks
    assert backend.parse_options({}).hash() != plain.hash()


def test_without_checks_nothing_is_checked():
    out = torch.zeros(3 * 64)
    add_program[(3,)](out, 63, BLOCK)


# Interrupts and debuggers


#: The tensors are numpy's, as in `test_cpu_variables.py`: to import torch takes longer than the rest of such a program,
#: and gdb would read its symbols.
MEMORY = """
    import sys
    sys.modules["torch"] = None
    import numpy, triton, triton.language as tl

    class Memory:
        def __init__(self, values):
            self.values, self.dtype = values, str(values.dtype)

        def data_ptr(self):
            return self.values.ctypes.data
"""

ENDLESS = f"""{MEMORY}
    @triton.jit
    def forever(x, n):
        i = 0
        while tl.load(x) < n:
            i += 1
        tl.store(x + 1, i)

    x = Memory(numpy.zeros(2, numpy.int32))
    forever.warmup(x, 1, grid=(1,))
    print("starts", flush=True)
    try:
        forever[(int(sys.argv[1]),)](x, 1)
    except KeyboardInterrupt:
        x.values[0] = 1
        forever[(4,)](x, 1)
        print("stopped", flush=True)
"""


@pytest.mark.parametrize("programs", [1, 5])
def test_interrupt(tmp_path, programs):
    script = tmp_path / "endless.py"
    script.write_text(textwrap.dedent(ENDLESS))
    code, output, messages = interrupt([sys.executable, str(script), str(programs)], "starts", delay=0.5)
    assert (code, output) == (0, "stopped\n"), messages


SCALED = f"""{MEMORY}
    @triton.jit
    def scaled(x, out, n, factor, BLOCK: tl.constexpr):
        place = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        value = tl.load(x + place, place < n)
        tl.store(out + place, value * factor, place < n)

    x, out = (Memory(numpy.ones(40, numpy.float32)) for _ in range(2))
    scaled[(1,)](x, out, 40, 2.5, BLOCK=64, num_warps=1)
"""


@needs_gdb
def test_gdb(tmp_path):
    script = tmp_path / "scaled.py"
    script.write_text(textwrap.dedent(SCALED))
    load, store = (SCALED.partition(text)[0].count("\n") + 1 for text in ("value = tl.load", "tl.store"))
    commands = ["set breakpoint pending on", f"tbreak scaled.py:{load}", "run"]
    commands += ["backtrace 1", "info args", "info locals", "next", f"tbreak scaled.py:{store}", "continue", "continue"]
    arguments = [item for command in commands for item in ("-ex", command)]
    result = subprocess.run(
        ["gdb", "-q", "-nx", "-batch", *arguments, "--args", sys.executable, str(script)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    output = result.stdout
    assert re.search(
        r"hit Temporary breakpoint 1, scaled \(x=0x[0-9a-f]+, out=0x[0-9a-f]+, n=40, factor=2.5\)", output
    ), output
    assert re.search(rf"#0 +scaled \(.*\) at .*scaled.py:{load}", output)
    assert "\nn = 40\nfactor = 2.5\n" in output
    assert "program_id_0 = 0" in output
    assert re.search(rf"hit Temporary breakpoint 2, scaled .*\n{store}\s+tl.store", output)
    assert "exited normally" in output
