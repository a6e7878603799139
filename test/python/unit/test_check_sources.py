"""The rules of the source tree (`scripts/check_sources.py`): each finds what breaks it, and lets the rest be."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "scripts" / "check_sources.py"


@pytest.fixture(scope="module")
def check_sources():
    """The script as a module."""
    specification = importlib.util.spec_from_file_location("check_sources", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "included", "reason"),
    [
        ("lib/Analysis/A.cpp", "intel/Analysis/LayoutCost.h", "the core includes a header of third_party"),
        ("third_party/intel/lib/Target/SPIRV/A.cpp", "intel/Runtime/Error.h", "the compiler includes the runtime"),
        ("third_party/intel/include/intel/Analysis/A.h", "intel/Runtime/Error.h", "the compiler includes the runtime"),
        ("bin/tool.cpp", "intel/Runtime/Error.h", "the compiler includes the runtime"),
        ("python/src/Compile.cpp", "intel/Runtime/Error.h", "the compiler includes the runtime"),
        ("python/src/compiler_module.cpp", "intel/Runtime/Error.h", "the compiler includes the runtime"),
        ("third_party/intel/lib/Runtime/A.cpp", "llvm/ADT/StringRef.h", "the runtime includes"),
        ("third_party/intel/lib/Runtime/A.cpp", "intel/Target/KnownTargets.h", "the runtime includes"),
        ("third_party/intel/lib/ABI/A.cpp", "mlir/IR/Value.h", "the runtime includes"),
        ("third_party/intel/include/intel/ABI/A.h", "intel/Runtime/Error.h", "the compiler and the runtime share"),
        ("third_party/intel/lib/Conversion/A.cpp", "intel/Target/SPIRV/SPIRV.h", "a pass includes a back end"),
    ],
)
def test_includes_of_other_layers_are_found(check_sources, name, included, reason):
    """Each layer with a header that it must not know: one violation, which names the line."""
    found = list(check_sources.check_file(name, f'// A file.\n#include "{included}"\n'))
    assert len(found) == 1
    assert found[0].startswith(f"{name}:2: ")
    assert reason in found[0]


@pytest.mark.parametrize(
    ("name", "included"),
    [
        ("third_party/intel/lib/Target/SPIRV/A.cpp", "intel/ABI/SPIRVBinary.h"),
        ("third_party/intel/lib/Runtime/A.cpp", "intel/ABI/SPIRVBinary.h"),
        ("third_party/intel/lib/Runtime/A.cpp", "intel/Runtime/Error.h"),
        ("third_party/intel/lib/ABI/A.cpp", "intel/ABI/SPIRVBinary.h"),
        ("third_party/intel/lib/Conversion/A.cpp", "intel/Target/KernelAttributes.h"),
        ("third_party/intel/lib/Target/CPU/A.cpp", "intel/Target/CPU/CPU.h"),
        ("python/src/Launcher.cpp", "intel/Runtime/Launch.h"),
    ],
)
def test_includes_of_lower_layers_are_none(check_sources, name, included):
    """What a layer may include."""
    assert not list(check_sources.check_file(name, f'#include "{included}"\n'))
