# SPDX-License-Identifier: MIT
"""Compile a kernel for a program, with a second version for launches that do not satisfy its launch conditions."""

from __future__ import annotations

import dataclasses
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.compiler import compiler as triton_compiler
from triton.compiler.errors import CompilationError

from triton_xe import errors, launching, products, register_mode, target
from triton_xe.suggestions import suggest
from triton_xe.tools import scripts
from triton_xe.tools.ahead_of_time.signature import Parameter


@dataclasses.dataclass(frozen=True)
class Version:
    """The code of one version of a kernel."""

    #: The name of the entry point in the binary.
    name: str
    #: `spv` or `obj`.
    kind: str
    binary: bytes
    #: Native code of the device compiler, on request.
    zebin: bytes | None
    #: Pairs of a surface and code in the notation of `intel/ABI/ConditionOp.h`.
    conditions: tuple[tuple[int, tuple[int, ...]], ...]
    #: Work-items of a program.
    work_group_size: int


@dataclasses.dataclass(frozen=True)
class Kernel:
    """A compiled kernel, with all of its versions."""

    parameters: tuple[Parameter, ...]
    #: The kernel, and after it its version for launches that do not satisfy the conditions.
    versions: tuple[Version, ...]
    #: The target and the options of the compilation, for comments.
    target: str
    options: str

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """Return the parameters that a caller passes."""
        return tuple(parameter for parameter in self.parameters if parameter.is_argument)

    @property
    def uses_sycl(self) -> bool:
        """Return whether the kernel runs on SYCL devices. Otherwise it runs on the processor."""
        return self.versions[0].kind == "spv"


def parse_target(text: str) -> GPUTarget:
    """Parse a target: `cpu`, an architecture, or `BACKEND:ARCHITECTURE[:WARP SIZE]` as for `triton.tools.compile`."""
    text = text.strip()
    backend, _, rest = text.partition(":")
    if not rest:
        backend, rest = ("cpu", target.DEFAULT) if products.clean(text) == "cpu" else ("xpu", text)
    name, _, warp_size = rest.partition(":")
    if backend == "8086":
        # A device id as `lspci` prints it.
        backend, name, warp_size = "xpu", text, ""
    if backend not in ("cpu", "xpu") or (warp_size and not warp_size.isdecimal()):
        names = ", ".join(f"`{name}`" for name in target.architectures())
        raise errors.OptionError(f"expected the target `cpu`, {names} or `xpu:NAME:WARP_SIZE`, found `{text}`")
    architecture = target.resolve(name)
    return GPUTarget(backend, architecture.name, int(warp_size or architecture.sub_group_sizes[0]))


def load_module(path: Path) -> ModuleType:
    """Execute a Python file in its own folder, as `triton.tools.compile` does."""
    if not path.is_file():
        raise errors.OptionError(f"there is no file `{path}`")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise errors.OptionError(f"`{path}` is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise errors.ScriptError(f"cannot import `{path}`:\n{scripts.explain(error)}") from error
    finally:
        sys.path.remove(str(path.parent))
    return module


def find_kernel(module: ModuleType, name: str | None) -> Any:
    """Return the `JITFunction` of the module with this name; without a name, the only one. Configurations of an
    autotuner are ignored, since the signature gives the constants."""
    from triton.runtime import JITFunction, KernelInterface

    if name is None:
        kernels = [key for key, value in vars(module).items() if isinstance(value, KernelInterface)]
        if len(kernels) != 1:
            found = ", ".join(f"`{key}`" for key in kernels) or "none"
            raise errors.OptionError(f"`{module.__file__}`: expected one kernel, or a name of one, found {found}")
        name = kernels[0]
    found = getattr(module, name, None)
    while found is not None and not isinstance(found, JITFunction) and hasattr(found, "fn"):
        found = found.fn
    if not isinstance(found, JITFunction):
        kernels = [key for key, value in vars(module).items() if isinstance(value, KernelInterface)]
        what = "is no kernel" if hasattr(module, name) else f"does not exist{suggest(name, kernels)}"
        raise errors.OptionError(f"`{module.__file__}`: `{name}` {what}")
    return found


def make_source(function: Any, parameters: Sequence[Parameter]) -> ASTSource:
    """Return the kernel as a source for Triton's compiler."""
    signature = {parameter.name: parameter.type for parameter in parameters}
    constants = {parameter.name: parameter.value for parameter in parameters if parameter.type == "constexpr"}
    hints = {(index,): [["tt.divisibility", 16]] for index, parameter in enumerate(parameters) if parameter.hint == 16}
    kind = ASTSource
    if function.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource as kind
    return kind(fn=function, signature=signature, constexprs=constants, attrs=hints)


def source_parameters(source: ASTSource) -> tuple[Parameter, ...]:
    """Return the parameters of a kernel that was compiled: the reverse of `make_source`."""
    parameters = []
    for index, (name, kind) in enumerate(source.signature.items()):
        if not isinstance(kind, str):
            raise errors.CompileError(f"`{name}`: tuples are passed to kernels from Python only")
        hints = (source.attrs or {}).get((index,), [])
        hint = 16 if ["tt.divisibility", 16] in hints else 0
        parameters.append(Parameter(name, kind, hint=hint, value=source.constants.get((index,))))
    return tuple(parameters)


def describe_version(compiled: Any) -> Version:
    """Return the parts of a `CompiledKernel` that a program needs."""
    metadata = compiled.metadata
    if metadata.profile_scratch_size:
        raise errors.CompileError(
            f"`{metadata.name}` has scopes of a profile, and only a launch from Python has memory for their records"
        )
    if metadata.global_scratch_size:
        raise errors.CompileError(
            f"`{metadata.name}` wants global scratch memory, which only a launch from Python brings along"
        )
    kind = "obj" if "obj" in compiled.asm else "spv"
    return Version(
        name=metadata.name,
        kind=kind,
        binary=compiled.asm[kind],
        zebin=compiled.asm.get("zebin"),
        conditions=tuple((surface, tuple(code)) for surface, code in metadata.launch_conditions),
        work_group_size=metadata.num_warps * metadata.threads_per_warp,
    )


def compile_fallback(source: Any, metadata: Any) -> Version:
    """Compile the version that is right for every launch: it uses ordinary accesses where the kernel has a
    condition."""
    surfaces: set[int] = set()
    while True:
        # Tensors have other numbers in a kernel that assumes less: it states itself which ones have conditions.
        compiled = launching.compile_for_launches(source, metadata, sorted(surfaces), [], assume_launch=False)
        version = describe_version(compiled)
        found = {surface for surface, _ in version.conditions}
        if not found:
            return version
        if found <= surfaces:
            raise errors.CompileError(f"`{version.name}`: no version of the kernel serves every launch")
        surfaces |= found


def compile_versions(source: Any, compiled: Any) -> tuple[Version, ...]:
    """Compile a kernel and, if it has launch conditions, the version for launches that do not satisfy them."""
    first = describe_version(compiled)
    return (first, compile_fallback(source, compiled.metadata)) if first.conditions else (first,)


def compile_source(source: ASTSource, gpu_target: GPUTarget, options: Any) -> Any:
    """Compile a source of `make_source` with options that a backend has parsed, to a `CompiledKernel`."""
    try:
        return triton_compiler.compile(source, target=gpu_target, options=options.__dict__)
    except CompilationError as error:
        # It counts lines from the function's first one, and does not name the file.
        function = source.fn
        file = function.fn.__code__.co_filename
        raise errors.CompileError(f"kernel `{function.__name__}` of `{file}`: {error}") from error


def compile_kernel(
    function: Any, parameters: tuple[Parameter, ...], gpu_target: GPUTarget, options: dict[str, Any]
) -> Kernel:
    """Compile a `JITFunction`; `options` are the options of a launch."""
    source = make_source(function, parameters)
    parsed = triton_compiler.make_backend(gpu_target).parse_options(options)
    if parsed.cpu_code == "zebin":
        raise errors.OptionError("`cpu_code`: programs without Python cannot launch `zebin`, the simulator's code")
    compiled = compile_source(source, gpu_target, parsed)
    shown = dict(options)
    # The options for a driver; with spills it may get others.
    if compiled.metadata.chosen_grf_mode and "grf_mode" in shown:
        shown["grf_mode"] = register_mode.describe(parsed.grf_mode, compiled.metadata.chosen_grf_mode)
    described = ", ".join(f"{name}={value}" for name, value in sorted(shown.items()))
    return Kernel(
        parameters=parameters,
        versions=compile_versions(source, compiled),
        target=f"{gpu_target.backend}:{parsed.arch}:{gpu_target.warp_size}"
        + (f" ({parsed.cpu_code})" if parsed.cpu_code else ""),
        options=described,
    )


def nan_descriptors(parameters: Sequence[Parameter], names: Sequence[str]) -> tuple[int, ...]:
    """Return which of the kernel's descriptors pad with NaN, by their positions among the descriptors."""
    descriptors = [parameter.name for parameter in parameters if parameter.rank]
    for name in names:
        if name not in descriptors:
            raise errors.OptionError(f"padding with NaN: `{name}` is no descriptor of the kernel")
    return tuple(sorted(descriptors.index(name) for name in names))
