# SPDX-License-Identifier: MIT
"""Records the TTIR that the installed Triton prints for the kernels of kernels.py.

    python record_ttir.py [name ...]

Writes ttir/<triton version>/<kernel>.ttir: what the backend's first stage leaves,
block pointers and descriptors included. Kernels that the language of this Triton
refuses are named and left out. The kernels in WITH_SOURCE are recorded
as the frontend emits them too (<kernel>.source.ttir), with debug locations. Needs
no GPU.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import triton
from kernels import CASES, Case
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend

from triton_xe.compiler import XeBackend

WITH_SOURCE = (
    "calls",
    "diagnostics",
    "early_return",
    "gemm_addmatrix",
    "loops",
    "map_elementwise",
    "reductions",
    "shapes",
)

# The frontend works for a target whose backend is in every wheel, so that foreign code is recorded, too: inline
# assembly, and calls of another library.
TARGET = GPUTarget("cuda", 80, 32)
OUTPUT = Path(__file__).parent / "ttir" / triton.__version__


def emit(case: Case) -> ir.module:
    """Compiles a kernel up to the frontend's IR."""
    names = case.kernel.arg_names
    signature = {name: case.arguments[name] for name in names}
    constants = {name: value for name, value in signature.items() if not isinstance(value, str)}
    signature |= dict.fromkeys(constants, "constexpr")
    attributes = {(names.index(name),): [["tt.divisibility", 16]] for name in case.aligned}
    source = ASTSource(case.kernel, signature, constants, attributes)

    backend = make_backend(TARGET)
    options = backend.parse_options(dict(case.options))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    # The module does not keep its context alive.
    module.context = context
    return module


def anonymize(text: str) -> str:
    """Reduces the absolute paths in locations to what does not depend on the machine."""
    package = re.escape(str(Path(triton.__file__).parent.parent) + os.sep)
    text = re.sub(f'"{package}', '"', text)
    here = re.escape(str(Path(__file__).resolve().parent) + os.sep)
    return re.sub(f'"{here}', '"', text)


def record(name: str) -> None:
    """Writes the files of one kernel."""
    case = CASES[name]
    module = emit(case)
    if name in WITH_SOURCE:
        (OUTPUT / f"{name}.source.ttir").write_text(anonymize(str(module)))
    XeBackend.make_ttir(module)
    (OUTPUT / f"{name}.ttir").write_text(anonymize(module.str_nodebug()))


def main(selected: list[str]) -> None:
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    OUTPUT.mkdir(parents=True, exist_ok=True)
    if len(selected) == 1:
        record(*selected)
        return
    # A process each: what a later language has no types for ends in an assertion of its compiler.
    for name in selected or CASES:
        command = [sys.executable, "-W", "ignore", __file__, name]
        result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if result.returncode:
            print(f"{name} is left out: {result.stderr.strip().splitlines()[-1]}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
