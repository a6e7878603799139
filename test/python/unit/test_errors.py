# SPDX-License-Identifier: MIT
"""The exception family: messages, pickling, and the classes that Triton reacts to."""

from __future__ import annotations

import copy
import pickle
import types

import pytest
import triton.runtime.errors
from triton.errors import TritonError

from triton_xe import errors, refusals


@pytest.fixture
def source_file(tmp_path):
    path = tmp_path / "kernel.py"
    path.write_text("def kernel():\n    x = tl.load(pointer)\n")
    return str(path)


def test_diagnostic_shows_the_line_with_a_caret(source_file):
    place = errors.SourceLocation(source_file, 2, 9)
    text = str(errors.Diagnostic("error", "cannot load", (place,)))
    assert text.splitlines() == [
        f"{source_file}:2: error: cannot load",
        "    x = tl.load(pointer)",
        "        ^",
    ]


def test_diagnostic_lists_callers_and_notes():
    inner, outer = errors.SourceLocation("missing.py", 3, 1), errors.SourceLocation("missing.py", 9, 1)
    note = errors.Diagnostic("note", "declared here", (outer,))
    lines = str(errors.Diagnostic("error", "wrong", (inner, outer), (note,))).splitlines()
    assert lines == [
        "missing.py:3: error: wrong",
        "missing.py:9: note: called from here",
        "missing.py:9: note: declared here",
    ]


@pytest.mark.parametrize(
    "error",
    [
        errors.CompileError("failed", [errors.Diagnostic("error", "why", (errors.SourceLocation("f.py", 1, 1),))]),
        errors.OutOfResources(
            200000,
            131072,
            "shared memory",
            [errors.SharedMemoryRequest(errors.OperationReference("ttg.convert_layout"), 200000)],
        ),
        errors.OutOfResources(64, 32, "warps", advice="A smaller `num_warps` helps."),
        errors.DeviceCompilerRefusal(280704, 262144, "scratch memory", "exceeds", errors.SourceLocation("f.py", 1, 1)),
        errors.DeviceCompilerError("`ocloc` crashed"),
        errors.LaunchError("grid[0] is negative: -1"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_survive_pickling_and_copying(error):
    # Triton copies the error of a kernel that cannot be loaded; workers of a parallel compilation pickle it.
    for clone in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert type(clone) is type(error)
        assert str(clone) == str(error)


def test_out_of_resources_is_tritons_own_and_names_the_requests(source_file):
    place = errors.SourceLocation(source_file, 2, 9)
    load = errors.OperationReference("tt.load", place)
    requests = [
        errors.SharedMemoryRequest(errors.OperationReference("ttg.convert_layout", place), 98304, (load, load)),
        errors.SharedMemoryRequest(errors.OperationReference("ttg.local_alloc"), 65536),
    ]
    error = errors.OutOfResources(163840, 131072, "shared memory", requests)
    assert isinstance(error, triton.runtime.errors.OutOfResources)
    first, *rest = str(error).splitlines()
    assert "Required: 163840, Hardware limit: 131072" in first
    assert rest == [
        f"98304 bytes for `ttg.convert_layout` at {source_file}:2",
        "    x = tl.load(pointer)",
        "        ^",
        f"    because of `tt.load` at {source_file}:2",
        "65536 bytes for `ttg.local_alloc`",
    ]


def test_out_of_resources_in_inlined_functions(source_file):
    """The kernel's own line comes first, with those below it; the text about a line is printed once."""

    def native(line: int, size: int) -> types.SimpleNamespace:
        lines = [("standard.py", 309), ("standard.py", 410), (source_file, line)]
        places = [types.SimpleNamespace(file=file, line=number, column=9) for file, number in lines]
        return types.SimpleNamespace(
            operation=types.SimpleNamespace(name="tt.reduce", locations=places), bytes=size, causes=[]
        )

    sizes = [(2, 65536), (2, 65536), (2, 131072), (1, 4096)]
    requests = [errors.SharedMemoryRequest.from_native(native(*size)) for size in sizes]
    _, *rest = str(errors.OutOfResources(262144, 131072, "shared memory", requests)).splitlines()
    below = ["    by way of standard.py:410", "    by way of standard.py:309"]
    assert rest[:1] == [f"65536 bytes for `tt.reduce` at {source_file}:2"]
    assert rest[3:6] == [*below, f"131072 bytes for `tt.reduce` at {source_file}:2"]
    assert rest[6] == f"4096 bytes for `tt.reduce` at {source_file}:1"
    assert rest[-2:] == below


def test_every_error_belongs_to_the_family():
    classes = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    own = [cls for cls in classes if cls.__module__ == errors.__name__]
    assert own
    assert all(issubclass(cls, errors.TritonXeError) and issubclass(cls, TritonError) for cls in own)


def test_a_consequence_is_shown_only_without_its_reason():
    place = (errors.SourceLocation("kernel.py", 3, 1),)
    consequence = errors.Diagnostic("error", "failed to legalize operation 'tt.x'", place)
    reason = errors.Diagnostic("error", "'tt.x' op takes no mask", place)
    assert str(errors.CompileError("failed", [reason, consequence])) == str(reason)
    assert str(errors.CompileError("failed", [consequence])) == str(consequence)


@pytest.mark.parametrize(
    ("text", "numbers", "resource"),
    [
        ("total scratch space exceeds HW supported limit: 280704 bytes (max permitted PTSS 262144 bytes)",
         (280704, 262144), "scratch memory of a thread"),
        ("total scratch space exceeds HW supported limit for kernel k: 5 bytes (max permitted PTSS 4 bytes)",
         (5, 4), "scratch memory of a thread"),
        ("Kernel inputs exceed total register size!", (0, 0), "registers for arguments"),
        ("V40 (size = 8192 bytes) is indirectly addressed and spans complete GRF file of 128 GRFs. This cannot be "
         "allocated by RA.", (8192, 0), "registers of a thread"),
        ("IGC: Out Of Memory", (0, 0), "memory of the device compiler"),
        ("build: 40 (UR_RESULT_ERROR_OUT_OF_RESOURCES)", (0, 0), "resources of the device"),
        ("build: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)", (0, 0), "memory of the device"),
    ],
)  # fmt: skip
def test_texts_of_refusals(text, numbers, resource):
    """The numbers and the resource of what the device compiler reports, with the line of its report alone."""
    found = refusals.find(f"Compilation failed\n{text}\nerror: backend compiler failed build.\n")
    assert (found.required, found.limit) == numbers
    assert found.name == resource and found.reported == text


def test_other_texts_are_no_refusals():
    assert refusals.find("error: Double type is not supported on this platform.") is None
    assert refusals.find_crash("error: undefined reference to `f'") == ""
    assert refusals.find_crash("IGC: Internal Compiler Error: Signal caught") == "Signal caught"


@pytest.mark.parametrize(
    "kind", [errors.DeviceAssertionError, errors.MemoryAccessError, errors.LaunchError, errors.DeviceError]
)
def test_errors_of_devices_are_runtime_errors(kind):
    """Code for other devices catches torch's class."""
    with pytest.raises(RuntimeError, match="why"):
        raise kind("why")
    assert issubclass(kind, TritonError)
