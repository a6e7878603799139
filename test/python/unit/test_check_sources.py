# SPDX-License-Identifier: MIT
"""The rules of the source tree (`scripts/check_sources.py`): each finds what breaks it, and lets the rest be."""

from __future__ import annotations

import pytest
import support


@pytest.fixture(scope="module")
def check_sources():
    """Return the script as a module."""
    return support.load_script("check_sources")


def test_constants_have_comments(check_sources, tmp_path):
    """A number that a pass decides by needs a comment right above it; one in another folder does not."""
    text = "/// It was measured.\nconstexpr int64_t kFirst = 4;\nconstexpr int64_t kSecond = 5;\n"
    for folder in ("third_party/intel/lib/Analysis", "third_party/intel/lib/Runtime"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "A.cpp").write_text(text)
    (violation,) = check_sources.check_constants(tmp_path)
    assert violation.startswith("third_party/intel/lib/Analysis/A.cpp:3: `kSecond` has no comment")


@pytest.mark.parametrize(
    ("name", "included", "reason"),
    [
        ("lib/Analysis/A.cpp", "intel/Analysis/Layouts/LayoutCost.h", "the core includes a header of third_party"),
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
    found = list(check_sources.check_file(name, f'// SPDX-License-Identifier: MIT\n#include "{included}"\n'))
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
    """A layer may include these."""
    text = f'// SPDX-License-Identifier: MIT\n#include "{included}"\n'
    assert not list(check_sources.check_file(name, text))


LIBRARIES = "third_party/intel/lib/Target"
HEADERS = (f"{LIBRARIES}/SPIRV/A.h", f"{LIBRARIES}/CPU/B.h", f"{LIBRARIES}/CPU/Lanes/C.h")


@pytest.mark.parametrize(
    ("name", "included", "owner"),
    [
        ("CPU/A.cpp", "../SPIRV/A.h", "SPIRV"),
        ("CPU/Lanes/A.cpp", "../../SPIRV/A.h", "SPIRV"),
        ("SPIRV/A.h", "../CPU/Lanes/C.h", "CPU"),
        ("CPU/A.cpp", "B.h", None),
        ("CPU/A.cpp", "Lanes/C.h", None),
        ("CPU/Lanes/C.h", "../B.h", None),
        # No file of that name is beside the source: the header is public.
        ("CPU/A.cpp", "A.h", None),
    ],
)
def test_private_headers_of_other_libraries_are_found(check_sources, name, included, owner):
    """Folders without a CMakeLists.txt are parts of the library that they are in."""
    names = {*HEADERS, f"{LIBRARIES}/SPIRV/CMakeLists.txt", f"{LIBRARIES}/CPU/CMakeLists.txt"}
    texts = {f"{LIBRARIES}/{name}": f'//\n#include "{included}"\n'}
    expected = [f"{LIBRARIES}/{name}:2: the header is private to {LIBRARIES}/{owner}"] if owner else []
    assert list(check_sources.check_private_headers(texts, names)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.cpp", "//===- a.cpp - A ---===//\n//\n", "//===- a.cpp - A ---===//\n// {}\n//\n"),
        ("a.h", "#include <b>\n", "// {}\n#include <b>\n"),
        ("a.c", "/* A. */\n", "/* {} */\n/* A. */\n"),
        ("a.py", '"""A."""\n', '# {}\n"""A."""\n'),
        ("a.sh", "#!/bin/sh\ntrue\n", "#!/bin/sh\n# {}\ntrue\n"),
        ("lib/CMakeLists.txt", "project(a)\n", "# {}\nproject(a)\n"),
        ("a.css", "a {}\n", "/* {} */\na {}\n"),
    ],
)
def test_licences_are_asked_for_and_added(check_sources, name, text, expected):
    """Once, after the line with which a file has to begin."""
    (found,) = check_sources.check_file(name, text)
    assert found.startswith(f"{name}: no line")
    added = check_sources.add_licence(name, text)
    assert added == expected.replace("{}", "SPDX-License-Identifier: MIT", 1)
    assert check_sources.add_licence(name, added) == added
    assert not list(check_sources.check_file(name, added))


@pytest.mark.parametrize("name", ["README.md", "a.mlir", "notes.txt", "pyproject.toml"])
def test_other_files_have_no_licence_line(check_sources, name):
    """Documents, inputs of tests, lists."""
    assert check_sources.add_licence(name, "a\n") == "a\n"
    assert not list(check_sources.check_file(name, "a\n"))


@pytest.mark.parametrize(
    "text",
    [
        "import triton.language as tl\n\ntl.load = None\n",
        "from triton.runtime import cache\n\ncache.triton_key, x = None, 1\n",
        "from triton.runtime import autotuner\nowner = autotuner.Autotuner\nowner.run = None\n",
        "import torch\n\ntorch._inductor.utils.GPU_KERNEL_BIN_EXTS['xpu'] = '.spv'\n",
        "import sys\nlanguage = sys.modules.get('triton.profiler.language')\nlanguage.flags = None\n",
        "import importlib\nfor name in 'ab':\n    importlib.import_module(f'triton.{name}').x = None\n",
        "def install(cache: ModuleType) -> None:\n    cache.triton_key = None\n",
        "from triton import language\n\nvars(language)['load'] = None\n",
        "from triton import language\n\ndel language.load\n",
        "from triton import language\n\ngetattr(language, 'core').load += 1\n",
        "import sys\n\nsys.modules['triton.language'] = None\n",
        "setattr(owner, name, value)\n",
        "copy = function.__code__.replace(co_consts=())\n",
    ],
    ids=str,
)
def test_replacements_elsewhere_are_found(check_sources, text):
    """Each way to write what only the package's own mechanism does is one violation."""
    licence = "# SPDX-License-Identifier: MIT\n"
    (found,) = check_sources.check_file("python/triton_xe/some.py", licence + text)
    assert found.startswith("python/triton_xe/some.py:")
    assert "only `python/triton_xe/compat/" in found
    assert not list(check_sources.check_file("test/some.py", licence + text))


@pytest.mark.parametrize(
    "text",
    [
        "from triton import knobs\n\nknobs.compilation.instrumentation_mode = ''\n",
        "from triton.profiler.flags import flags\n\nflags.profiling_on = True\n",
        "from torch._inductor import config\n\nconfig.cpu_backend = 'triton'\n",
        "import torch\n\nx = torch.zeros(4)\nx[0] = 1\n",
        "from triton_xe import target\n\ntarget.some = 1\n",
        "class A:\n    def __init__(self) -> None:\n        self.torch = None\n",
    ],
    ids=str,
)
def test_what_may_be_set(check_sources, text):
    """Settings, and what belongs to the program."""
    assert not list(check_sources.check_file("python/triton_xe/some.py", "# SPDX-License-Identifier: MIT\n" + text))


FOLDER = "python/triton_xe/"


@pytest.mark.parametrize(
    ("texts", "circle"),
    [
        ({"a": "from triton_xe import b\n", "b": "import triton_xe.a\n"}, "triton_xe.a -> triton_xe.b -> triton_xe.a"),
        (
            {
                "a": "from triton_xe.b import x\n",
                "b": "def f():\n    from triton_xe import c\n",
                "c": "import triton_xe.a\n",
            },
            "triton_xe.a -> triton_xe.b -> triton_xe.c -> triton_xe.a",
        ),
        ({"a": "from triton_xe.a import x\n"}, "triton_xe.a -> triton_xe.a"),
        (
            {"d/__init__": "from triton_xe.d import e\n", "d/e": "from triton_xe.d import x\n"},
            "triton_xe.d -> triton_xe.d.e -> triton_xe.d",
        ),
        (
            {"a": "if TYPE_CHECKING:\n    from triton_xe import b\n", "b": "import triton_xe.a\n"},
            "triton_xe.a -> triton_xe.b -> triton_xe.a",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_circles_of_imports_are_found(check_sources, texts, circle):
    """At the beginning of files, in functions, and for annotations; the message has the whole circle."""
    (found,) = check_sources.check_imports({f"{FOLDER}{name}.py": text for name, text in texts.items()})
    assert found.endswith(f": {circle}")


def test_imports_without_a_circle(check_sources):
    """Several ways to one module, modules of others, extension modules, and a package that names what is in it."""
    texts = {
        "__init__": "def __getattr__(name):\n    from triton_xe.a import x\n",
        "a": "from triton_xe import _compiler, b, d\nimport triton, os\n",
        "b": "from triton_xe.d import e\nfrom triton import knobs\n",
        "d/__init__": "def of():\n    from triton_xe.d import e\n",
        "d/e": "from triton_xe.d.f import y\n",
        "d/f": "from triton_xe import _compiler\n",
    }
    assert not list(check_sources.check_imports({f"{FOLDER}{name}.py": text for name, text in texts.items()}))


@pytest.mark.parametrize(
    "text",
    [
        "import triton_xe.tools\n",
        "import triton_xe.tools.report as reports\n",
        "from triton_xe import errors, tools\n",
        "from triton_xe.tools import report\n",
        "from triton_xe.tools.report.kernel import _rows\n",
        "from . import tools\n",
        "from .tools.report import of\n",
        "def launch() -> None:\n    from triton_xe.tools.verify import launches\n",
        "import importlib\n\nname = 'report'\nimportlib.import_module('triton_xe.tools.report')\n",
        "import importlib\n\nname = 'report'\nimportlib.import_module(f'triton_xe.tools.{name}')\n",
    ],
)
def test_tools_in_the_core_are_found(check_sources, text):
    """The core imports no tool, at its beginning or in functions."""
    (found,) = check_sources.check_core(f"{FOLDER}driver.py", text)
    assert "the core imports a tool" in found
    assert list(check_sources.check_core(f"{FOLDER}tools/report/page.py", text)) == []
    assert list(check_sources.check_core(f"{FOLDER}hooks.py", text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "from triton_xe import errors, toolset\n",
        "import triton.tools\nfrom triton.tools import tensor_descriptor\n",
        "INSTALLER = 'triton_xe.tools.profiler.routing.route'\n",
    ],
)
def test_other_imports_of_the_core(check_sources, text):
    """Modules of similar names, and names in tables."""
    assert list(check_sources.check_core(f"{FOLDER}driver.py", text)) == []


def test_passes_print_debug_output(check_sources):
    """Every pass has messages, under its own name."""
    head = "#define GEN_PASS_DEF_X\n"
    texts = {
        "right.cpp": f'#define DEBUG_TYPE "some-pass"\n{head}LDBG() << "decided";\n',
        "silent.cpp": f'#define DEBUG_TYPE "some-pass"\n{head}',
        "other.cpp": f'#define DEBUG_TYPE "no-pass"\n{head}LDBG() << "decided";\n',
        "nameless.cpp": f'{head}LDBG() << "decided";\n',
        "analysis.cpp": "int answer;\n",
    }
    assert list(check_sources.check_debug_output(texts, ["some-pass"])) == [
        "silent.cpp: `-debug-only=some-pass` prints nothing",
        "other.cpp: `DEBUG_TYPE` is not the name of a pass",
        "nameless.cpp: `DEBUG_TYPE` is not the name of a pass",
    ]
