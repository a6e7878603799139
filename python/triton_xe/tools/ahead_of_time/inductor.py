# SPDX-License-Identifier: MIT
"""Let models of torch's AOTInductor run kernels on the CPU device.

A model that AOTInductor compiles loads a library per kernel, and one that launches them. Torch takes both from the
compiled kernel, as `asm["so"]` and `asm["launcher.so"]`. They are made when torch saves a kernel: the first from the
sources that `triton-xe compile` writes, by the compiler that torch uses for the model itself; the second is the library
of the CPU device (`libtriton_xe_cpu.so`), which needs no Python.

Torch 2.13 supports this for kernels that users write: it passes the grid among the arguments, and counts all constexprs
as parameters. Kernels that Inductor writes compute the grid from sizes, and choose their constexprs (`XBLOCK`). For
these the library computes the grid, and the signature that torch keeps leaves the constexprs out. Torch also takes all
symbolic numbers for integers; here floats are passed as `double`.
"""

from __future__ import annotations

import copy
import dataclasses
import functools
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from triton_xe import errors, target
from triton_xe.compat.changes import Changes
from triton_xe.compat.features import Feature
from triton_xe.tools.ahead_of_time import compilation, sources
from triton_xe.tools.ahead_of_time.conditions import Op

_LAUNCHER = "libtriton_xe_cpu.so"
#: The library that the launcher is linked with, and looks for beside itself.
_MATH_LIBRARY = "libsleef.so.3"
#: Replaces a tensor's number if a condition is about the launch (`launchAssumption` in intel/ABI/ConditionOp.h).
_LAUNCH = -1
#: The number of integers that torch passes as the grid of a launch.
_GIVEN = 3


def torch_signature(compiled: Any, config: Mapping[str, Any], meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that torch's code for a launch passes, with their types: those that Inductor did not
    choose."""
    chosen = set(config).difference(meta.get("declared_constexpr_names", ()))
    return {name: kind for name, kind in compiled.src.signature.items() if name not in chosen}


def _live_source(tuner: Any, compiled: Any) -> Any:
    """Return the source of a kernel, to compile other versions of it. Torch drops the function of a kernel that another
    process has compiled."""
    tuner._ensure_kernel_loaded()
    source = copy.copy(compiled.src)
    source.fn = tuner.fn
    return source


def compile_versions(source: Any, compiled: Any) -> tuple[compilation.Version, ...]:
    """Compile a kernel, and the version for launches that do not satisfy its launch conditions.

    Torch states which arguments are multiples of 16, as its own pointers are, but a model does not check its inputs.
    Divisibility is therefore a launch condition, and the other version is compiled without it.
    """
    arguments = [parameter for parameter in compilation.source_parameters(source) if parameter.is_argument]
    code: list[int] = []
    for number, parameter in enumerate(arguments):
        if parameter.hint == 16:
            code += (Op.ARGUMENT, number, Op.CONSTANT, 16, Op.MODULO, Op.ZERO)
    if not code:
        return compilation.compile_versions(source, compiled)
    first = compilation.describe_version(compiled)
    conditions = ((_LAUNCH, tuple(map(int, code))), *first.conditions)
    plain = copy.copy(source)
    plain.attrs = {}
    fallback = compilation.compile_fallback(plain, compiled.metadata)
    # The code does not depend on it.
    if fallback.binary == first.binary:
        return (fallback,)
    return (dataclasses.replace(first, conditions=conditions), fallback)


def _grid_function(launcher: Any, meta: Mapping[str, Any], signature: Mapping[str, Any]) -> str:
    """Return the body of a function that computes the grid from the arguments, built from torch's own expressions."""
    from torch._inductor.runtime.triton_heuristics import GridExpr

    grid = GridExpr.from_meta(dict(meta), launcher.config, mode="cpp")
    extents = (grid.x_grid, grid.y_grid, grid.z_grid)
    used = set(re.findall(r"[A-Za-z_]\w*", " ".join(map(str, (*grid.prefix, *extents)))))
    source = launcher.bin.src
    constants = {source.fn.arg_names[path[0]]: value for path, value in source.constants.items() if len(path) == 1}
    values = {}
    for position, (name, kind) in enumerate(signature.items()):
        value = f"*static_cast<const std::int64_t *>(arguments[{position}])"
        values[name] = constants.get(name, 0) if kind == "constexpr" else value
    extra = list(meta.get("extra_launcher_args", ()))
    if len(extra) > _GIVEN:
        raise errors.CompileError(
            f"`{launcher.bin.metadata.name}`: torch passes {_GIVEN} numbers of the grid to a kernel, which depends on "
            f"{len(extra)}"
        )
    values.update({name: f"given[{index}]" for index, name in enumerate(extra)})
    lines = [f"const std::int64_t {name} = {value};" for name, value in values.items() if name in used]
    lines += [*grid.prefix, *(f"grid[{axis}] = {extent};" for axis, extent in enumerate(extents))]
    return "\n".join(f"  {line}" for line in lines)


def make_source(tuner: Any, launcher: Any, signature: Mapping[str, Any]) -> str:
    """Return the source of a library that defines a `triton_xe_torch_kernel` with the name of a kernel."""
    compiled = launcher.bin
    parameters = compilation.source_parameters(compiled.src)
    for parameter in parameters:
        if parameter.rank:
            raise errors.CompileError(f"`{parameter.name}`: a model of AOTInductor passes no descriptors to kernels")
    kernel = compilation.Kernel(
        # Which are multiples of 16 is a condition here, not a promise.
        parameters=tuple(dataclasses.replace(parameter, hint=0) for parameter in parameters),
        versions=compile_versions(_live_source(tuner, compiled), compiled),
        target=compiled.metadata.target.backend,
        options="",
    )
    name = compiled.metadata.name
    grid = _grid_function(launcher, tuner.inductor_meta, signature)
    # Torch's expressions may call torch.
    include = "#include <c10/util/generic_math.h>\n" if "c10::" in grid else ""
    positions = [str(list(signature).index(parameter.name)) for parameter in kernel.arguments]
    return f"""\
#include "triton_xe.h"

#include <algorithm>
#include <cstdint>
{include}
{sources.Sources(name, kernel, grid=None).description()}
static const int32_t positions[] = {{{", ".join(positions) or "0"}}};

static void get_grid(void *const *arguments, const std::int64_t *given, std::int64_t *grid) {{
{grid}
}}

extern "C" {{
extern const triton_xe_torch_kernel {name};
const triton_xe_torch_kernel {name} = {{&triton_xe_kernel_0, positions, &get_grid}};
}}
"""


def make_library(tuner: Any, launcher: Any, signature: Mapping[str, Any]) -> bytes:
    """Compile that source to a shared library."""
    import torch
    from torch._inductor import cpp_builder

    with tempfile.TemporaryDirectory(prefix="triton-xe-") as folder:
        source, library = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
        source.write_text(make_source(tuner, launcher, signature))
        folders = (target.installed_file("include"), Path(torch.__file__).parent / "include")
        flags = ["-std=c++20", "-shared", "-fPIC", *(f"-I{folder}" for folder in folders)]
        command = [cpp_builder.get_cpp_compiler(), *flags, str(source)]
        result = subprocess.run([*command, "-o", str(library)], capture_output=True, text=True, check=False)
        if result.returncode != 0:
            raise errors.ToolError(f"cannot compile the library of `{launcher.bin.metadata.name}`:\n{result.stderr}")
        return library.read_bytes()


def _add_math_library(launcher: Path) -> None:
    """Put the library of mathematical functions beside the launcher, and into the package of the model."""
    from torch._inductor.virtualized import V

    path = launcher.with_name(_MATH_LIBRARY)
    if not path.exists():
        shutil.copyfile(target.installed_file(_MATH_LIBRARY), path)
    files = V.graph.wrapper_code.additional_files
    if str(path) not in files:
        files.append(str(path))


def _saved_kernel(wrapper: Any) -> Mapping[str, Any]:
    """Return the data that were saved with one of our kernels for which torch generates a launch."""
    from torch._inductor.codecache import CpuTritonKernelCache

    saved = CpuTritonKernelCache.get(wrapper.kernel_name) or {}
    return saved if saved.get("is_triton_xe") else {}


def pass_doubles(original: Callable) -> Callable:
    """Make torch's code for a launch of our kernels pass floats as `double`, which the launcher expects."""

    @functools.wraps(original)
    def get_our_type(self: Any, name: str, kind: Any) -> str:
        is_float = _saved_kernel(self).get("signature", {}).get(name) in ("fp16", "bf16", "fp32", "fp64")
        return f"double {name}" if is_float else original(self, name, kind)

    return get_our_type


def add_libraries(original: Callable) -> Callable:
    """Put the math library beside the launcher when torch generates a launch of one of our kernels."""

    @functools.wraps(original)
    def generate(self: Any, *arguments: Any) -> None:
        original(self, *arguments)
        if saved := _saved_kernel(self):
            _add_math_library(Path(saved["launcher_so_path"]))

    return generate


def change(changes: Changes) -> None:
    """Let AOTInductor save kernels of the `cpu` backend. Without this, torch finds no launcher for it."""
    from torch._inductor.codegen import cpp_wrapper_cpu
    from torch._inductor.runtime.triton_heuristics import CachingAutotuner

    changes.replace(CachingAutotuner, "save_cpu_kernel", save_ours)
    wrapper = cpp_wrapper_cpu.DeferredCpuTritonCallWrapper
    changes.replace(wrapper, "_get_cpp_param_type", pass_doubles)
    changes.replace(wrapper, "generate", add_libraries)


def save_ours(original: Callable) -> Callable:
    """Save our kernels with their library and launcher."""
    from torch._inductor.codecache import CpuTritonKernelCache

    @functools.wraps(original)
    def save_cpu_kernel(self: Any, launcher: Any) -> None:
        compiled = launcher.bin
        if "obj" not in compiled.asm:
            return original(self, launcher)
        meta = self.inductor_meta
        signature = torch_signature(compiled, launcher.config.kwargs, meta)
        compiled.asm["so"] = make_library(self, launcher, signature)
        compiled.asm["launcher.so"] = (target.installed_file("lib") / _LAUNCHER).read_bytes()
        original(self, launcher)
        CpuTritonKernelCache.get(meta["kernel_name"]).update(signature=signature, is_triton_xe=True)
        return None

    return save_cpu_kernel


FEATURES = (Feature("models of AOTInductor for CPU tensors", change),)
