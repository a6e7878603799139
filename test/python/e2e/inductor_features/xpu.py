# SPDX-License-Identifier: MIT
"""Inductor for Intel GPUs, without one: its kernels run on Intel's OpenCL runtime for CPUs, by SPIR-V and SYCL.

A separate process, in which torch finds a device of kind `xpu`. Code that Inductor compiles is traced with fake tensors
of that device; then its code runs with CPU tensors, whose memory the runtime takes, too. Real are: the backend `xpu`,
Inductor's code for it, the driver, the queue's address as the stream, and the launches. Tensors and events of the
device are missing; functions of the CPU device take the place of 2D block messages and DPAS.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import torch
import triton.backends
from checking import normal
from torch._dynamo import device_interface
from torch._guards import TracingContext, tracing
from torch._inductor import compile_fx, config, graph, select_algorithm
from torch._inductor.codecache import CudaKernelParamCache
from torch._inductor.decomposition import select_decomp_table
from torch._inductor.runtime import benchmarking
from torch._subclasses import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn import functional
from triton.runtime import driver

from triton_xe import _runtime
from triton_xe.cpu import runtime
from triton_xe.xpu.compiler import XPUBackend
from triton_xe.xpu.driver import XPUDriver

pytest_plugins = ("enabling",)

#: The result of torch.xpu.get_device_capability for a PVC.
CAPABILITY = {
    "architecture": 0,
    "device_id": 0xBD5,
    "driver_version": "1.0",
    "has_fp64": True,
    "max_work_group_size": 1024,
    "name": "Intel(R) Data Center GPU Max 1550",
    "sub_group_sizes": [16, 32],
    "type": "gpu",
}


class Properties:
    """The properties that Inductor reads of torch.xpu.get_device_properties."""

    gpu_subslice_count = 128
    has_fp64 = True
    max_work_group_size = 1024
    name = CAPABILITY["name"]


def pretend_device(monkeypatch: pytest.MonkeyPatch, queue: int) -> None:
    """Let torch have one device of kind `xpu`, whose stream is this queue."""
    functions: dict[str, Callable] = {
        "current_device": lambda: 0,
        "set_device": lambda _device: None,
        "device_count": lambda: 1,
        "synchronize": lambda _device=None: None,
        "get_device_properties": lambda _device=None: Properties(),
        "current_stream": lambda _device=None: types.SimpleNamespace(sycl_queue=queue),
        "exchange_device": lambda _device: 0,
        "maybe_exchange_device": lambda _device: 0,
        "get_raw_stream": lambda _device: queue,
    }
    for name, function in functions.items():
        monkeypatch.setattr(device_interface.XpuInterface, name, staticmethod(function))
        monkeypatch.setattr(torch.xpu, name, function, raising=False)
    others = {
        "is_available": lambda: True,
        "get_device_capability": lambda _device=None: dict(CAPABILITY),
        "get_rng_state": lambda _device=None: torch.zeros(1, dtype=torch.uint8),
        "set_rng_state": lambda _state, _device=None: None,
        "_DeviceGuard": lambda _index: contextlib.nullcontext(),
    }
    for name, function in others.items():
        monkeypatch.setattr(torch.xpu, name, function, raising=False)
    monkeypatch.setattr(torch._C, "_has_xpu", True, raising=False)
    # No build of torch has both.
    monkeypatch.setattr(torch.cuda, "_is_compiled", lambda: False)
    monkeypatch.setattr(torch._C, "_xpu_getCurrentRawStream", functions["get_raw_stream"], raising=False)
    guards = torch._C._dynamo.guards
    monkeypatch.setattr(guards, "_empty_strided_xpu", guards._empty_strided_cpu)
    monkeypatch.setattr(device_interface, "get_xpu_stream", functions["get_raw_stream"])


@pytest.fixture(autouse=True)
def device(monkeypatch, enabled) -> Iterator[Any]:
    """Yield the device that replaces a GPU."""
    opened = runtime.open_opencl()
    pretend_device(monkeypatch, opened.queue)
    make_launcher = _runtime.make_launcher

    def make_launcher_of_cpu(signature, names, _backend, threads, _wait, *rest, **options):
        # Arguments are CPU tensors, and no event shows when a kernel is done.
        return make_launcher(signature, names, "cpu", threads, True, *rest, **options)

    monkeypatch.setattr(_runtime, "make_launcher", make_launcher_of_cpu)
    monkeypatch.setattr(XPUBackend, "device_library", "emulation")
    # Intel's runtime for CPUs refuses the options of a GPU's compiler.
    monkeypatch.setattr(XPUBackend, "has_register_modes", False)

    def measure(_self: Any, function: Callable, *_: Any, **__: Any) -> float:
        function()
        return 1.0

    def measure_choices(_cls: type, choices: Sequence[Any], *_: Any, **__: Any) -> dict[Any, float]:
        return dict.fromkeys(choices, 1.0)

    monkeypatch.setitem(benchmarking._BENCHMARK_DISPATCH, "xpu", measure)
    cache = select_algorithm.AlgorithmSelectorCache
    monkeypatch.setattr(cache, "benchmark_in_current_process", classmethod(measure_choices))
    before = driver.active
    yield opened
    driver.set_active(before)


def compile_for_xpu(function: Callable, *arguments: torch.Tensor) -> tuple[Callable, str]:
    """Return Inductor's code for a function for an Intel GPU, and the code."""
    codes: list[str] = []
    mode = FakeTensorMode()
    with mode:
        fakes = [torch.empty_strided(a.size(), a.stride(), dtype=a.dtype, device="xpu:0") for a in arguments]
        traced = make_fx(function, decomposition_table=select_decomp_table())(*fakes)
    with pytest.MonkeyPatch.context() as patch, tracing(TracingContext(mode)):
        patch.setattr(graph.GraphLowering, "save_output_code", staticmethod(codes.append))
        return compile_fx.compile_fx_inner(traced, fakes), codes[0]


def check(function: Callable, *arguments: torch.Tensor, tolerance: float = 1e-4) -> str:
    """Run Inductor's code for a function for an Intel GPU, compare, and return the code."""
    compiled, code = compile_for_xpu(function, *arguments)
    actual = compiled([argument.clone() for argument in arguments])
    torch.testing.assert_close(tuple(actual), function(*arguments), rtol=tolerance, atol=tolerance)
    assert "type='xpu'" in code
    assert isinstance(driver.active, XPUDriver)
    return code


FUNCTIONS: dict[str, tuple[Callable, tuple[torch.Tensor, ...]]] = {
    "softmax": (
        lambda x, y: (torch.softmax(x.sin() + y, -1), (x * y).sum(0)),
        (normal(33, 100), normal(33, 100, seed=1)),
    ),
    "layer norm": (lambda x: (functional.layer_norm(x, (300,)),), (normal(20, 300),)),
    "variance": (lambda x: torch.var_mean(x, -1), (normal(16, 5000),)),
    "cumsum": (lambda x: (x.cumsum(-1),), (normal(20, 60),)),
    "sort": (lambda x: (x.sort(-1)[0],), (normal(8, 64),)),
    "argmax": (lambda x: (x.argmax(-1),), (normal(8, 64),)),
    "float64": (lambda x: (x.double().sum(-1),), (normal(8, 64),)),
}
#: The cases of the default run.
COMPACT = ("softmax", "variance")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in COMPACT else pytest.mark.full) for name in FUNCTIONS]
)
@pytest.mark.shows("xpu: pointwise, reductions, scans, sort", "forward", remark="on OpenCL for CPUs, not on a GPU")
def test_functions(name):
    """Compiled by the backend `xpu` for PVC, launched by its driver on the stream's queue."""
    function, arguments = FUNCTIONS[name]
    check(function, *arguments)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:tl.make_block_ptr is deprecated")
@pytest.mark.parametrize("option", ["use_block_ptr", "use_tensor_descriptor"])
@pytest.mark.shows("xpu: block pointers, descriptors", "forward", remark="on OpenCL for CPUs, not on a GPU")
def test_blocks(option):
    """Inductor's own kernels with blocks, which need no messages without a product."""
    with config.patch({f"triton.{option}": True}):
        code = check(lambda x, y: (x * 2 + y,), normal(64, 128), normal(64, 128, seed=1))
    assert "make_block_ptr" in code or "make_tensor_descriptor" in code


@pytest.mark.full
@pytest.mark.shows("xpu: products", "forward", remark="on OpenCL for CPUs, not on a GPU")
def test_products():
    """Both templates work: the one for products, and that for persistent programs with descriptors."""
    x, y = normal(64, 64).bfloat16(), normal(64, 64, seed=1).bfloat16()
    options = {
        "max_autotune": True,
        "max_autotune_gemm_backends": "TRITON",
        "autotune_in_subproc": False,
        "benchmark_epilogue_fusion": False,
    }
    for persistent, names in ((False, "mm_[0-9]*[05]$"), (True, "tma")):
        torch._dynamo.reset()
        choices = {"test_configs.autotune_choice_name_regex": names}
        with config.patch({**options, **choices, "triton.enable_persistent_tma_matmul": persistent}):
            code = check(lambda x, y: ((x @ y).relu(),), x, y, tolerance=2e-2)
        assert "triton_tem" in code
        assert ("make_tensor_descriptor" in code) == persistent


def test_backend_counts():
    """Torch expects a backend of another name, and takes ours."""
    device_interface.XpuInterface.raise_if_triton_unavailable()


def test_missing_backend(monkeypatch):
    """Without ours, it reports what it would."""
    monkeypatch.setattr(triton.backends, "backends", {})
    with pytest.raises(RuntimeError, match="intel"):
        device_interface.XpuInterface.raise_if_triton_unavailable()


def test_binary(monkeypatch):
    """Inductor keeps SPIR-V, and no launcher of torch's takes the place of ours."""
    launched: list[Any] = []
    make_launcher = _runtime.make_launcher
    monkeypatch.setattr(
        _runtime,
        "make_launcher",
        lambda *arguments, **options: launched.append(1) or make_launcher(*arguments, **options),
    )
    kept: list[tuple[str, bytes]] = []

    def keep(_key: str, _params: dict, binary: bytes, kind: str, *_: Any) -> None:
        kept.append((kind, binary))

    monkeypatch.setattr(CudaKernelParamCache, "set", keep)
    with config.patch({"triton.store_cubin": True}):
        check(lambda x: (x.sin() + 1,), normal(64, 100))
    assert launched
    assert kept
    kind, binary = kept[0]
    assert kind == "spv"
    assert binary[:4] == runtime.SPIRV_MAGIC
