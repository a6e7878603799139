# SPDX-License-Identifier: MIT
"""Run a specialization of a harvest with generated inputs, as optimized and without optional passes, and compare.

A harvest has the shapes of tensors, and not their contents. Floats are random; integers are 0 and 1, since they may be
indices of rows, pages or experts. Where these lead outside of a tensor nevertheless, the checks of the CPU device
report it, and the launch is not compared.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from triton.backends.compiler import GPUTarget
from triton.compiler import compiler as triton_compiler
from triton.errors import TritonError

from triton_xe import errors, knobs, launching

if TYPE_CHECKING:
    import torch

    from triton_xe.tools.harvest.records import Argument, Launch
    from triton_xe.tools.precompile.sources import RecordedSource


@dataclass(frozen=True)
class Finding:
    """The result of a check."""

    kind: Literal["agrees", "differs", "unknown"]
    #: The reason why nothing is known.
    reason: str = ""


#: Programs along the dimensions of a grid. Fewer than were launched compute less of the same.
_GRID = (8, 4, 2)
#: Bytes of all tensors of a launch; verification holds several copies of them.
_MAX_BYTES = 2**28
_ALIGNMENT = 64


def run(source: RecordedSource, kernel: Any, runtime: str) -> Finding:
    """Check a compiled kernel; `runtime` is `cpu` or `simulator`."""
    launches = [launch for launch in source.record.launches if 0 not in launch.grid]
    if not launches:
        return Finding("unknown", "the harvest has no launch")
    launch = min(launches, key=_bytes)
    if _bytes(launch) > _MAX_BYTES:
        return Finding("unknown", f"its tensors have {_bytes(launch)} bytes")
    try:
        with _cpu_device(runtime, kernel.metadata.arch):
            return _compare(source, kernel, launch)
    except errors.TritonXeError as error:
        return Finding("unknown", errors.first_line(error))


@contextlib.contextmanager
def _cpu_device(runtime: str, chip: str) -> Iterator[None]:
    """Let the CPU device represent a chip."""
    # These launches are not those of the user's run.
    wanted = {knobs.DEFAULT_BACKEND: "cpu", knobs.CPU_ARCHITECTURE: chip, knobs.HARVEST: "", knobs.VERIFY: ""}
    if runtime == "simulator":
        wanted[knobs.CPU_RUNTIME] = runtime
    with contextlib.ExitStack() as stack:
        for knob, value in wanted.items():
            stack.enter_context(knob.within(value))
        yield


def _compare(source: RecordedSource, kernel: Any, launch: Launch) -> Finding:
    from triton.runtime import driver as triton_driver

    from triton_xe.tools.verify import launches

    metadata = kernel.metadata
    device = GPUTarget("cpu", metadata.arch, metadata.target.warp_size)
    compiled = triton_compiler.compile(source, target=device, options=source.record.options | {"cpu_checks": True})
    launcher = launching.make_launcher(source, compiled.metadata, wait=True)
    verified = launches.with_verification(launcher, source, compiled.metadata)
    utils = triton_driver.active.utils
    function = utils.load_binary(compiled.name, compiled.kernel, compiled.metadata.shared, 0)[1]
    arguments = [make_argument(*each) for each in enumerate(launch.arguments)]
    grid = map(min, launch.grid, _GRID)
    with launches.collecting() as session:
        advice = ""
        try:
            verified(*grid, 0, function, None, None, None, None, *arguments)
        except (errors.MemoryAccessError, errors.DeviceAssertionError):
            advice = "; its tensors of integers have 0 and 1 here, which may be no indices of this kernel"
        except TritonError:
            # The record has the reason.
            pass
        record = session.record(compiled.metadata.name)
    if record.differences:
        return Finding("differs")
    return Finding("unknown", "; ".join(record.reasons) + advice) if record.reasons else Finding("agrees")


def _bytes(launch: Launch) -> int:
    return sum(_extent(argument) * 8 for argument in launch.arguments if argument.shape)


def _extent(argument: Argument) -> int:
    """Return the elements from the first one to the last one of a tensor."""
    if 0 in argument.shape:
        return 0
    return 1 + sum((size - 1) * stride for size, stride in zip(argument.shape, argument.strides, strict=True))


def make_argument(position: int, argument: Argument) -> Any:
    """Return an argument like the one that was recorded. Other positions have other random numbers."""
    if argument.kind in ("scalar", "constant"):
        # Constants are in the TTIR, whatever they are.
        return argument.value if argument.kind == "scalar" else None
    tensor = _make_tensor(position, argument)
    if argument.kind == "tensor":
        return tensor
    from triton.tools.tensor_descriptor import TensorDescriptor

    shape, strides = list(argument.shape), list(argument.strides)
    return TensorDescriptor(tensor, shape, strides, list(argument.block_shape), argument.padding or "zero")


def _make_tensor(position: int, argument: Argument) -> Any:
    import torch

    dtype = getattr(torch, argument.dtype, None)
    is_reinterpreted = not isinstance(dtype, torch.dtype)
    if is_reinterpreted:
        dtype = torch.uint8
    size = _extent(argument)
    room = torch.zeros((size * dtype.itemsize + 2 * _ALIGNMENT,), dtype=torch.uint8)
    begin = (argument.address - room.data_ptr()) % _ALIGNMENT
    if begin % dtype.itemsize or room.data_ptr() % dtype.itemsize:
        raise errors.ArgumentError(f"argument `{argument.name}` is not aligned like its elements")
    content = room[begin : begin + size * dtype.itemsize].view(dtype)
    content.copy_(_values(position, size, dtype))
    tensor = content.as_strided(argument.shape, argument.strides)
    if not is_reinterpreted:
        return tensor
    from triton import language
    from triton.runtime.jit import TensorWrapper

    return TensorWrapper(tensor, language.dtype(argument.dtype))


def _values(seed: int, size: int, dtype: torch.dtype) -> torch.Tensor:
    import torch

    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point or dtype.is_complex:
        return torch.randn(size, generator=generator).to(dtype)
    return torch.randint(0, 2, (size,), generator=generator).to(dtype)
