# SPDX-License-Identifier: MIT
"""The rules for names of C++ (`scripts/check_names.py`)."""

from __future__ import annotations

import pytest
import support


@pytest.fixture(scope="module")
def rules():
    """Return the script as a module."""
    return support.load_script("check_names")


@pytest.mark.parametrize(
    ("name", "guard"),
    [
        ("include/triton/Analysis/Membar.h", "TRITON_ANALYSIS_MEMBAR_H"),
        ("third_party/intel/include/intel/ABI/CPUKernel.h", "TRITON_INTEL_ABI_CPUKERNEL_H"),
        ("third_party/intel/lib/Simulator/Pipes.h", "TRITON_INTEL_LIB_SIMULATOR_PIPES_H"),
        ("third_party/intel/include/intel/Pipelines/Passes.td", "TRITON_INTEL_PIPELINES_PASSES_TD"),
        ("python/src/Launcher.h", "TRITON_PYTHON_SRC_LAUNCHER_H"),
    ],
)
def test_a_guard_is_the_path_of_its_file(rules, name, guard):
    """Another one is reported; a file without a guard is not."""
    text = "#ifndef {0}\n#define {0}\n#endif // {0}\n"
    assert list(rules.check_names(name, text.format(guard))) == []
    assert list(rules.check_names(name, "int x;\n")) == []
    (violation,) = rules.check_names(name, text.format("OTHER_H"))
    assert violation == f"{name}: expected the guard `{guard}`, found `OTHER_H`"


@pytest.mark.parametrize("namespace", ["mlir::triton::gpu::intel", "triton::intel::spirv", "mlir", "llvm::yaml", "py"])
def test_namespaces_that_may_be_opened(rules, namespace):
    """The two roots with all inside of them, and namespaces of other projects."""
    assert list(rules.check_names("lib/A.cpp", f"namespace {namespace} {{\n")) == []


@pytest.mark.parametrize("namespace", ["triton_xe", "triton_xe::cpu", "triton::gpu", "mlir::intel"])
def test_namespaces_outside_of_the_roots(rules, namespace):
    """They are reported; an alias is none."""
    (violation,) = rules.check_names("lib/A.cpp", f"namespace {namespace} {{\n")
    assert violation.endswith(f"found `{namespace}`")
    assert list(rules.check_names("lib/A.cpp", "namespace abi = triton::intel::abi;\n")) == []


@pytest.mark.parametrize(
    ("folder", "flag"),
    [
        ("third_party/intel/include/intel/Dialect/Triton/Transforms", "triton-intel-widen-sums"),
        ("third_party/intel/include/intel/Dialect/LLVMIR/Transforms", "tritonintelgpu-schedule"),
        ("third_party/intel/include/intel/Pipelines", "tritonintelgpu-verify-ttgir"),
        ("include/triton/Dialect/TritonGPU/Transforms", "tritongpu-merge-reductions"),
    ],
)
def test_the_folder_of_a_pass_decides_its_prefix(rules, folder, flag):
    """Also of one that derives from another class of passes."""
    for kind in ("Pass", "TTGIRPass"):
        assert list(rules.check_names(f"{folder}/Passes.td", f'def A : {kind}<"{flag}"> {{\n')) == []
        (violation,) = rules.check_names(f"{folder}/Passes.td", f'def A : {kind}<"other-{flag}"> {{\n')
        assert violation.endswith(f"found `other-{flag}`")
