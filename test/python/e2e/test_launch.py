# SPDX-License-Identifier: MIT
"""Launches on the CPU device: arguments, geometry, errors. Kernels are LLVM IR: only the runtimes are tested.

The package's own one and SYCL's take the same arguments and give the same errors.
"""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
import torch
from numerics import poisoned, random_tensor
from support import Runtime

from triton_xe import errors

#: Stores every scalar argument as it arrives, one value per lane.
ECHO = """
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spirv64-unknown-unknown"

declare spir_func i32 @_Z22get_sub_group_local_idv()

define spir_kernel void @echo(ptr addrspace(1) %out, TYPE %value) !intel_reqd_sub_group_size !0 {
  %id = call spir_func i32 @_Z22get_sub_group_local_idv()
  %place = getelementptr TYPE, ptr addrspace(1) %out, i32 %id
  store TYPE %value, ptr addrspace(1) %place
  ret void
}

!0 = !{i32 16}
"""

#: Stores the three group numbers of each program.
GROUPS = """
target triple = "spirv64-unknown-unknown"

declare spir_func i64 @_Z12get_group_idj(i32)
declare spir_func i64 @_Z14get_num_groupsj(i32)

define spir_kernel void @groups(ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
  %x = call spir_func i64 @_Z12get_group_idj(i32 0)
  %y = call spir_func i64 @_Z12get_group_idj(i32 1)
  %z = call spir_func i64 @_Z12get_group_idj(i32 2)
  %nx = call spir_func i64 @_Z14get_num_groupsj(i32 0)
  %ny = call spir_func i64 @_Z14get_num_groupsj(i32 1)
  %a = mul i64 %z, %ny
  %b = add i64 %a, %y
  %c = mul i64 %b, %nx
  %d = add i64 %c, %x
  %place = getelementptr i64, ptr addrspace(1) %out, i64 %d
  %y100 = mul i64 %y, 100
  %z10000 = mul i64 %z, 10000
  %s = add i64 %x, %y100
  %t = add i64 %s, %z10000
  store i64 %t, ptr addrspace(1) %place
  ret void
}

!0 = !{i32 16}
"""


@pytest.fixture(scope="module", params=["native", "opencl"])
def runtime(request) -> Runtime:
    return Runtime(request.param)


def launch(kernel, signature, arguments, grid=(1, 1, 1), work_group=16, hooks=(None, None), names=None):
    """Call the launcher of the kernel's runtime the way Triton does."""
    launcher = Runtime.of(kernel).module.make_launcher(
        signature, names or [f"arg{i}" for i in range(len(signature))], "cpu", work_group, True
    )
    launcher(*grid, 0, kernel, None, SimpleNamespace(name="metadata"), *hooks, *arguments)


@pytest.fixture(scope="module")
def echo_i32(runtime):
    return runtime.load(ECHO.replace("TYPE", "i32"), "echo")


@pytest.mark.parametrize(
    ("triton_type", "llvm_type", "value", "dtype"),
    [
        ("i1", "i8", True, torch.int8),
        ("u1", "i8", False, torch.int8),
        ("i8", "i8", -128, torch.int8),
        ("u8", "i8", 255, torch.uint8),
        ("i16", "i16", -12345, torch.int16),
        ("u16", "i16", 54321, torch.uint16),
        ("i32", "i32", -(2**31), torch.int32),
        ("u32", "i32", 2**32 - 1, torch.uint32),
        ("i64", "i64", -(2**63), torch.int64),
        ("u64", "i64", 2**64 - 1, torch.uint64),
        ("fp16", "half", -0.333251953125, torch.float16),
        ("bf16", "i16", 3.140625, torch.bfloat16),
        ("fp32", "float", 1.5, torch.float32),
        ("fp32", "float", 7, torch.float32),
        ("fp64", "double", 0.1, torch.float64),
    ],
)
def test_scalars_arrive_bit_by_bit(runtime, triton_type, llvm_type, value, dtype):
    kernel = runtime.load(ECHO.replace("TYPE", llvm_type), "echo")
    out = torch.zeros(16, dtype=dtype)
    launch(kernel, ["*i8", triton_type], [out, value])
    assert out.tolist() == [value] * 16


def test_grid_dimensions_are_program_ids(runtime):
    kernel = runtime.load(GROUPS, "groups")
    x, y, z = 5, 3, 2
    out = poisoned((z, y, x), torch.int64)
    launch(kernel, ["*i64"], [out], grid=(x, y, z))
    expected = torch.tensor([[[i + 100 * j + 10000 * k for i in range(x)] for j in range(y)] for k in range(z)])
    assert torch.equal(out, expected)


@pytest.mark.parametrize("grid", [(0, 1, 1), (1, 0, 1), (1, 1, 0)])
def test_an_empty_grid_launches_nothing(echo_i32, grid):
    out = poisoned((16,), torch.int32)
    launch(echo_i32, ["*i32", "i32"], [out, 1], grid=grid)
    assert torch.equal(out, poisoned((16,), torch.int32))


def test_constexprs_are_skipped_and_tuples_flattened(echo_i32):
    out = torch.zeros(16, dtype=torch.int32)
    launch(echo_i32, ["constexpr", ("*i32", "constexpr", ("i32",))], ["anything", (out, object(), (42,))])
    assert out.tolist() == [42] * 16


def test_addresses_and_none_are_pointers(echo_i32):
    out = torch.zeros(16, dtype=torch.int32)
    launch(echo_i32, ["*i32", "i32"], [out.data_ptr(), 3])
    assert out.tolist() == [3] * 16
    launch(echo_i32, ["*i32", "i32"], [None, 3], grid=(0, 1, 1))


#: The tensors of the first two arguments do not overlap, in the notation of intel/ABI/ConditionOp.h.
DISJOINT = [10, 0, 1]


def runs_variant(kernel, signature, arguments, code=DISJOINT) -> bool:
    """Return whether the launch does not satisfy the condition, and runs what is compiled for that."""
    compiled = []

    def compile_variant(surfaces, nan_descriptors, assume_launch):
        compiled.append((surfaces, nan_descriptors, assume_launch))
        return kernel, []

    module = Runtime.of(kernel).module
    launcher = module.make_launcher(signature, [], "cpu", 16, True, [(-1, code)], compile_variant)
    launcher(1, 1, 1, 0, kernel, None, None, None, None, *arguments)
    assert compiled in ([], [([], [], False)])
    return bool(compiled)


class Wrapper:
    """A tensor that reports where it begins, and other requested properties."""

    def __init__(self, tensor: torch.Tensor, **fields: object) -> None:
        self.data_ptr = tensor.data_ptr
        vars(self).update(fields)


def test_memory_of_arguments(runtime):
    """Values are known to be apart if they report where their elements are."""
    kernel = runtime.load(ECHO.replace("TYPE", "ptr addrspace(1)"), "echo")
    memory = torch.zeros(64, dtype=torch.int64)
    out, apart, shared = memory[:16], memory[16:32], memory[15:31]
    fields = {"shape": (16,), "stride": lambda: (1,), "element_size": lambda: 8}
    for second, expected in [
        (apart, False),
        (shared, True),
        (memory[15:15], False),
        (None, False),
        (0, False),
        (apart.data_ptr(), True),
        (Wrapper(apart), True),
        (Wrapper(apart, **fields), False),
        (Wrapper(shared, **fields), True),
        (Wrapper(apart, **fields | {"shape": [16]}), True),
        (Wrapper(apart, **fields | {"shape": (16, 1)}), True),
        (Wrapper(apart, **fields | {"shape": ("16",)}), True),
        (Wrapper(apart, **fields | {"element_size": lambda: 8.0}), True),
        (Wrapper(apart, **fields | {"shape": (1 << 70,)}), True),
        (Wrapper(apart, **fields | {"shape": (1 << 62,)}), True),
        (Wrapper(apart, **fields | {"stride": None}), True),
        (Wrapper(apart, **fields | {"stride": lambda: (-1,)}), True),
        (Wrapper(memory[63:], **fields | {"stride": lambda: (-1,)}), False),
        (Wrapper(shared, **fields | {"shape": (0,)}), False),
        # Another storage is enough to know; one that is the same is not.
        (Wrapper(apart, untyped_storage=torch.zeros(8).untyped_storage), False),
        (Wrapper(apart, untyped_storage=memory.untyped_storage), True),
        (Wrapper(apart, **fields, untyped_storage=memory.untyped_storage), False),
        (Wrapper(apart, **fields, untyped_storage=lambda: None), False),
        (memory.view(2, 32)[:, 8:], True),
        (memory[16:].view(3, 16)[:, ::2], False),
        (torch.zeros((4, 8), dtype=torch.int64)[:, ::2], False),
    ]:
        out.zero_()
        assert runs_variant(kernel, ["*i64", "*i64"], [out, second]) == expected, second
        address = second if isinstance(second, int) else second.data_ptr() if second is not None else 0
        assert out.tolist() == [address] * 16
    # Arguments have their places, wherever the values are.
    nested = ["constexpr", ("*i64", "constexpr", ("*i64",))]
    assert not runs_variant(kernel, nested, [1, (out, 2, [apart])])
    assert runs_variant(kernel, nested, [1, (out, 2, [shared])])
    # A number that is no pointer has no memory.
    number = runtime.load(ECHO.replace("TYPE", "i64"), "echo")
    assert runs_variant(number, ["*i64", "i64"], [out, apart.data_ptr()])


def test_damaged_conditions(echo_i32):
    out = torch.zeros(16, dtype=torch.int32)
    with pytest.raises(errors.BinaryError, match="malformed launch condition"):
        runs_variant(echo_i32, ["*i32", "i32"], [out, 1], code=[10, 0, 2])


def test_hooks_see_the_metadata_around_the_launch(echo_i32):
    out = torch.zeros(16, dtype=torch.int32)
    seen = []

    def enter(metadata):
        seen.append(("enter", metadata.name, out[0].item()))

    def leave(metadata):
        seen.append(("exit", metadata.name, out[0].item()))

    launch(echo_i32, ["*i32", "i32"], [out, 9], hooks=(enter, leave))
    assert seen == [("enter", "metadata", 0), ("exit", "metadata", 9)]


def test_errors_of_hooks_pass_through(echo_i32):
    def fail(_metadata):
        raise ZeroDivisionError("hook")

    with pytest.raises(ZeroDivisionError):
        launch(echo_i32, ["*i32", "i32"], [torch.zeros(16, dtype=torch.int32), 9], hooks=(fail, None))


OUT = torch.zeros(16, dtype=torch.int32)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([OUT.to("meta"), 1], "argument `out`: expected a tensor on device `cpu`, found one on `meta`"),
        ([1.5, 1], "argument `out`: expected a tensor, an address or None, found `float`"),
        ([OUT, 2**32], "argument `value`: value does not fit 32 bits"),
        ([OUT, -(2**31) - 1], "argument `value`: value does not fit 32 bits"),
        ([OUT, "one"], "argument `value`: expected an integer, found `str`"),
        ([OUT, 1.0], "argument `value`: expected an integer, found `float`"),
        ([OUT], "expected 2 kernel arguments, found 1"),
    ],
)
def test_bad_arguments_are_named(echo_i32, arguments, message):
    with pytest.raises(errors.ArgumentError, match=message):
        launch(echo_i32, ["*i32", "i32"], arguments, names=["out", "value"])


@pytest.mark.parametrize(
    ("grid", "work_group", "message"),
    [
        ((2**31, 1, 1), 16, r"grid\[0\] is too large: expected at most 2147483647 programs, found 2147483648"),
        ((1, -1, 1), 16, r"grid\[1\] is negative: -1"),
        ((1, 1, 1.5), 16, r"grid\[2\]: expected an integer, found `float`"),
        ((1, 1, 1), 1 << 20, "work-group of kernel `echo` is too large: expected at most .* reduce `num_warps`"),
    ],
)
def test_impossible_geometry_is_refused(echo_i32, grid, work_group, message):
    with pytest.raises(errors.LaunchError, match=message):
        launch(echo_i32, ["*i32", "i32"], [OUT, 1], grid=grid, work_group=work_group)


def test_a_signature_that_does_not_match_the_kernel_is_refused(runtime, echo_i32):
    with pytest.raises(errors.ArgumentError, match="takes 2 arguments, found 1"):
        launch(echo_i32, ["*i32"], [OUT])
    with pytest.raises(errors.ArgumentError, match="expected a scalar or pointer type, found `fp8e5`"):
        runtime.module.make_launcher(["fp8e5"], ["x"], "cpu", 16, True)
    # Descriptors have five dimensions at most, also those of a signature that no frontend has made.
    for kind in ("tensordesc<fp16[1, 1, 1, 1, 1, 1]>", "!tt.tensordesc<1x1x1x1x1x1xf16>"):
        with pytest.raises(errors.ArgumentError, match="argument `x`: expected at most 5 dimensions"):
            runtime.module.make_launcher([kind], ["x"], "cpu", 16, True)
    for kind in ("tensordesc<fp16>", "!tt.tensordesc<tensor<f16>>", "!tt.tensordesc<16x16>", "!tt.tensordesc<16"):
        with pytest.raises(errors.ArgumentError, match="argument `x`: malformed descriptor type"):
            runtime.module.make_launcher([kind], ["x"], "cpu", 16, True)


def test_every_truncated_binary_is_refused(runtime):
    """SPIR-V at every word; object code, whose parts are found by tables, at every byte."""
    binary = runtime.translate(ECHO.replace("TYPE", "i32"))
    message = "damaged SPIR-V binary" if runtime.name == "opencl" else "damaged kernel binary"
    for size in range(0, len(binary), 4 if runtime.name == "opencl" else 1):
        with pytest.raises(errors.BinaryError, match=message):
            runtime.device.load_kernel(binary[:size], "echo")


def test_another_kernel_is_refused(runtime):
    binary = runtime.translate(ECHO.replace("TYPE", "i32"))
    with pytest.raises(errors.BinaryError, match="kernel `other`") as caught:
        runtime.device.load_kernel(binary, "other")
    assert "`echo`" in str(caught.value)


def test_host_descriptors_expand_to_base_shape_and_strides(runtime):
    """The parts of the descriptor in i64, and after them what the frontend adds to the signature."""
    kernel = runtime.load(
        """
        target triple = "spirv64-unknown-unknown"
        define spir_kernel void @describe(ptr addrspace(1) %base, i64 %rows, i64 %columns, i64 %pitch, i64 %one,
                                          i32 %rows32, i32 %columns32, i64 %pitch_again, i64 %one_again,
                                          ptr addrspace(1) %out) !intel_reqd_sub_group_size !0 {
          %first = load i64, ptr addrspace(1) %base
          %r = sext i32 %rows32 to i64
          %c = sext i32 %columns32 to i64
          store i64 %first, ptr addrspace(1) %out
          %p1 = getelementptr i64, ptr addrspace(1) %out, i64 1
          store i64 %rows, ptr addrspace(1) %p1
          %p2 = getelementptr i64, ptr addrspace(1) %out, i64 2
          store i64 %columns, ptr addrspace(1) %p2
          %p3 = getelementptr i64, ptr addrspace(1) %out, i64 3
          store i64 %pitch, ptr addrspace(1) %p3
          %p4 = getelementptr i64, ptr addrspace(1) %out, i64 4
          store i64 %one, ptr addrspace(1) %p4
          %p5 = getelementptr i64, ptr addrspace(1) %out, i64 5
          store i64 %r, ptr addrspace(1) %p5
          %p6 = getelementptr i64, ptr addrspace(1) %out, i64 6
          store i64 %c, ptr addrspace(1) %p6
          %p7 = getelementptr i64, ptr addrspace(1) %out, i64 7
          store i64 %pitch_again, ptr addrspace(1) %p7
          %p8 = getelementptr i64, ptr addrspace(1) %out, i64 8
          store i64 %one_again, ptr addrspace(1) %p8
          ret void
        }
        !0 = !{i32 16}
        """,
        "describe",
    )
    base = random_tensor((8, 6), torch.int64, seed=3)
    out = torch.zeros(9, dtype=torch.int64)
    descriptor = SimpleNamespace(base=base, shape=[8, 6], strides=[6, 1], padding="zero")
    signature = ["tensordesc<i64[4, 4]>", "*i64"]
    launch(kernel, signature, [descriptor, out])
    assert out.tolist() == [base[0, 0].item(), 8, 6, 6, 1, 8, 6, 6, 1]

    descriptor.padding = "reflect"
    with pytest.raises(errors.ArgumentError, match="expected a descriptor with padding `zero` or `nan`"):
        launch(kernel, signature, [descriptor, out])
    descriptor.padding = "nan"
    with pytest.raises(errors.ArgumentError, match="the kernel's source, which such launches compile again"):
        launch(kernel, signature, [descriptor, out])
    with pytest.raises(errors.ArgumentError, match="expected a tensor descriptor, found `Tensor`"):
        launch(kernel, signature, [base, out])


def test_threads_launch_side_by_side(echo_i32):
    outputs = [torch.zeros(16, dtype=torch.int32) for _ in range(8)]

    def work(index):
        for _ in range(50):
            launch(echo_i32, ["*i32", "i32"], [outputs[index], index])

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(outputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [output.tolist() for output in outputs] == [[index] * 16 for index in range(len(outputs))]


#: One step of a sum whose result depends on the order of the steps.
STEP = """
target triple = "spirv64-unknown-unknown"
declare spir_func i32 @_Z22get_sub_group_local_idv()
define spir_kernel void @step(ptr addrspace(1) %out, i64 %value) !intel_reqd_sub_group_size !0 {
  %id = call spir_func i32 @_Z22get_sub_group_local_idv()
  %place = getelementptr i64, ptr addrspace(1) %out, i32 %id
  %old = load i64, ptr addrspace(1) %place
  %scaled = mul i64 %old, 3
  %new = add i64 %scaled, %value
  store i64 %new, ptr addrspace(1) %place
  ret void
}
!0 = !{i32 16}
"""


def test_streams_of_threads():
    """Each thread launches on a separate stream: one kernel after the other, and only the last is waited for."""
    runtime = Runtime("opencl")
    kernel = runtime.load(STEP, "step")
    launchers = [
        runtime.module.make_launcher(["*i64", "i64"], ["out", "value"], "cpu", 16, wait) for wait in (False, True)
    ]
    streams = [runtime.module.Device.open_cpu("") for _ in range(4)]
    sums = torch.ones(len(streams), 16, dtype=torch.int64)
    steps = 200

    def work(index: int) -> None:
        for step in range(steps):
            launch = launchers[step == steps - 1]
            launch(1, 1, 1, streams[index].queue, kernel, None, None, None, None, sums[index], step + index)

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(streams))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = []
    for index in range(len(streams)):
        value = 1
        for step in range(steps):
            value = (value * 3 + step + index) % 2**64
        expected.append(value - 2**64 if value >= 2**63 else value)
    assert sums.tolist() == [[value] * 16 for value in expected]
