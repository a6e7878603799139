# SPDX-License-Identifier: MIT
"""Options, targets and cache keys."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
import torch
from support import needs_ocloc
from triton.backends.amd.compiler import HIPOptions
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import CUDAOptions
from triton.compiler.compiler import make_backend

from triton_xe import device_compiler, errors, options, stage_files, target

CHANGED = {
    "skip_passes": ("tritonintelgpu-pipeline",),
    "num_warps": 8,
    "num_stages": 3,
    "warp_size": 32,
    "grf_mode": "256",
    "generate_native_code": True,
    "device_compiler": "26.27.1",
    "raise_pointers": False,
    "assume_launch": False,
    "ordinary_surfaces": (1,),
    "nan_descriptors": (0,),
    "cpu_code": "avx2",
    "cpu_checks": True,
    "verify": True,
    "tile_registers": 32,
    "backend_name": "cpu",
    "debug": True,
    "sanitize_overflow": False,
    "enable_fp_fusion": False,
    "default_dot_input_precision": "ieee",
    "allowed_dot_input_precisions": ("ieee",),
    "supported_fp8_dtypes": (),
    "deprecated_fp8_dot_operand_dtypes": ("fp8e5",),
    "max_num_imprecise_acc_default": 32,
    "ir_override": "kernel.ttgir",
}
#: Options with a single legal value, and those that change no code.
FIXED = {
    "without_effect",
    "num_ctas",
    "arch",
    "launch_cooperative_grid",
    "instrumentation_mode",
    "fpsan_homomorphic_casts",
}


def test_unknown_passes():
    with pytest.raises(errors.OptionError, match="found `scalarize`"):
        options.XeOptions(skip_passes="scalarize")


def test_every_option_changes_the_key():
    names = {field.name for field in dataclasses.fields(options.XeOptions)}
    assert names == CHANGED.keys() | FIXED | {"extern_libs"}
    keys = {options.XeOptions().hash()}
    for name, value in CHANGED.items():
        keys.add(options.XeOptions(**{name: value}).hash())
    assert len(keys) == 1 + len(CHANGED)


def test_external_libraries_count_by_content(tmp_path):
    library = tmp_path / "library.bc"
    library.write_bytes(b"one")
    first = options.XeOptions(extern_libs={"library": str(library)})
    key = first.hash()
    library.write_bytes(b"two")
    assert first.hash() != key
    library.unlink()
    with pytest.raises(errors.OptionError, match="cannot read"):
        first.hash()


def test_options_can_be_stored_as_metadata():
    assert json.loads(json.dumps(options.XeOptions().__dict__))["num_warps"] == 4


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"num_warps": 3}, "num_warps must be a power of 2, found 3"),
        ({"num_warps": 0}, "num_warps must be a power of 2, found 0"),
        ({"num_warps": True}, "`num_warps`: expected a number, found True"),
        ({"num_stages": False}, "`num_stages`: expected a number, found False"),
        ({"num_stages": -1}, "`num_stages`: expected a non-negative integer, found -1"),
        ({"num_ctas": 2}, "`num_ctas`: expected 1"),
        ({"warp_size": 8}, "`warp_size`: expected 16 or 32, found 8"),
        ({"grf_mode": "100"}, "`grf_mode`: expected `default`, `128`, `256`, `512`, `auto`, found `100`"),
        ({"grf_mode": "512"}, "`grf_mode`: `pvc` has `128` or `256` registers, found `512`"),
        ({"cpu_code": "sse"}, "`cpu_code`: expected `avx2`, `avx512`, `spirv`, `zebin`, found `sse`"),
        ({"arch": "sm90"}, "found `sm90`"),
        ({"instrumentation_mode": "consan"}, "`instrumentation_mode`"),
    ],
)
def test_bad_options_are_named(values, message):
    with pytest.raises(errors.OptionError, match=message.replace("(", r"\(")):
        options.XeOptions(**values)


@pytest.mark.parametrize("name", ["xpu", "cpu"])
def test_backends_are_found_by_triton(name):
    backend = make_backend(GPUTarget(name, "pvc", 16))
    assert backend.target_name == name
    parsed = backend.parse_options({"num_warps": 32, "grf_mode": 256, "unknown": 1, "num_stages": None})
    assert (parsed.num_warps, parsed.grf_mode, parsed.num_stages) == (32, "256", 2)
    assert (parsed.arch, parsed.backend_name, parsed.warp_size) == ("pvc", name, 16)


@pytest.mark.parametrize("name", ["cpu", "xpu"])
def test_parameters_of_kernels_are_no_binaries(monkeypatch, name):
    """Triton passes the named arguments of a launch with the options; a tensor has no truth value."""
    monkeypatch.delenv("TRITON_XE_CPU_RUNTIME", raising=False)
    backend = make_backend(GPUTarget(name, "pvc", 16))
    assert backend.parse_options({stage_files.BINARY: torch.ones(2)}) == backend.parse_options({})
    wrong = stage_files.StageFile(Path("kernel.obj" if name == "xpu" else "kernel.spv"), b"")
    with pytest.raises(errors.OptionError, match=r"expected SPIR-V|needs the OpenCL runtime"):
        backend.parse_options({stage_files.BINARY: wrong})


def test_kind_of_code_is_an_option_of_the_cpu_device(monkeypatch):
    """It comes from the environment, and is part of the key; a GPU has none."""
    cpu, gpu = (make_backend(GPUTarget(name, "pvc", 16)) for name in ("cpu", "xpu"))
    monkeypatch.delenv("TRITON_XE_CPU_INSTRUCTIONS", raising=False)
    keys = set()
    for variables, code in (
        ({"TRITON_XE_CPU_RUNTIME": "opencl"}, "spirv"),
        ({"TRITON_XE_CPU_RUNTIME": "native", "TRITON_XE_CPU_INSTRUCTIONS": "avx2"}, "avx2"),
    ):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        parsed = cpu.parse_options({})
        assert parsed.cpu_code == code
        assert cpu.binary_ext == ("spv" if code == "spirv" else "obj")
        assert gpu.parse_options({}).cpu_code == ""
        keys.add(parsed.hash())
        with pytest.raises(errors.OptionError, match=r"`cpu_code`: .* needs TRITON_XE_CPU_RUNTIME="):
            cpu.parse_options({"cpu_code": "avx2" if code == "spirv" else "spirv"})
    assert len(keys) == 2
    assert cpu.parse_options({"cpu_code": "avx2"}).cpu_code == "avx2"


@needs_ocloc
def test_simulated_code_is_an_option_of_any_launch(monkeypatch):
    """Its name is that of object code, so it needs no variable; the key has the compiler that makes it."""
    cpu = make_backend(GPUTarget("cpu", "bmg", 16))
    monkeypatch.delenv("TRITON_XE_CPU_RUNTIME", raising=False)
    parsed = cpu.parse_options({"cpu_code": "zebin"})
    assert (parsed.cpu_code, parsed.arch) == ("zebin", "bmg")
    assert parsed.device_compiler == device_compiler.find().version
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "simulator")
    assert cpu.parse_options({}).hash() == parsed.hash()
    assert cpu.binary_ext == "obj"


@pytest.mark.parametrize("backend", ["cpu", "xpu"])
@pytest.mark.parametrize("other", [CUDAOptions, HIPOptions])
def test_options_of_other_backends_are_accepted(backend, other):
    """Triton finds them, the key of the code does not depend on them, and another compilation has them again."""
    own = {field.name for field in dataclasses.fields(options.XeOptions)}
    names = {field.name for field in dataclasses.fields(other)} - own
    assert len(names) >= 5
    values = dict.fromkeys(names, 2)
    compiler = make_backend(GPUTarget(backend, "pvc", 16))
    parsed = compiler.parse_options(values)
    assert {name: getattr(parsed, name) for name in names} == values
    assert names <= parsed.__dict__.keys()
    assert parsed.hash() == compiler.parse_options({}).hash()
    assert compiler.parse_options(dict(parsed.__dict__)) == parsed


def test_num_warps_is_refused_as_others_refuse_it():
    """The error has the type and the beginning of the text of others."""
    message = "num_warps must be a power of 2"
    with pytest.raises(AssertionError, match=message):
        CUDAOptions(num_warps=6)
    with pytest.raises(AssertionError, match=message) as caught:
        options.XeOptions(num_warps=6)
    assert isinstance(caught.value, errors.OptionError)


@pytest.mark.parametrize(
    ("values", "required", "limit"),
    [({"num_warps": 128}, 2048, 1024), ({"num_warps": 64, "grf_mode": "256"}, 64, 32)],
)
def test_work_groups_beyond_the_target_are_out_of_resources(values, required, limit):
    # The autotuner drops a configuration that raises this, and goes on.
    backend = make_backend(GPUTarget("xpu", "pvc", 16))
    with pytest.raises(errors.OutOfResources) as caught:
        backend.parse_options(values)
    assert (caught.value.required, caught.value.limit) == (required, limit)


@pytest.mark.parametrize(
    "arch",
    [
        "pvc",
        "PVC",
        {"architecture": 0x30F000700, "name": "unknown"},
        {"name": "Intel(R) Data Center GPU Max 1550", "sub_group_sizes": [16, 32]},
    ],
)
def test_architectures_are_resolved(arch):
    assert target.resolve(arch) is target.architectures()["pvc"]
    assert make_backend(GPUTarget("xpu", arch, 16)).hash() == make_backend(GPUTarget("xpu", "pvc", 16)).hash()


@pytest.mark.parametrize("arch", ["", "xe9", 90, None, {}, {"name": "Intel(R) UHD Graphics 770", "architecture": 1}])
def test_unknown_architectures_are_refused(arch):
    with pytest.raises(errors.OptionError, match="unknown architecture"):
        target.resolve(arch)


def test_the_two_backends_have_different_keys():
    keys = {make_backend(GPUTarget(name, "pvc", 16)).hash() for name in ("xpu", "cpu")}
    assert len(keys) == 2
