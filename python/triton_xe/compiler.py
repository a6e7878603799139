# SPDX-License-Identifier: MIT
"""The stages of a compilation, shared by the `xpu` and the `cpu` backend.

    ttir    the wheel's module, after the wheel's own clean-up of TTIR
    ttgir   text: layouts chosen, block pointers kept or rewritten, loops pipelined
    llir    text: LLVM IR, optimized
    spv     bytes: SPIR-V, with the device library linked in where the device needs one
    obj     bytes: instead of SPIR-V, object code for the CPU device
    zebin   bytes: native code of ocloc, on request, for inspection
    isa     text: its disassembly

Text is the only thing that crosses from the wheel's compiler to ours: the two hold different versions of MLIR. A stage
is a pass pipeline that C++ defines and names; Python only has the names.
"""

from __future__ import annotations

import abc
import contextlib
import contextvars
import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import triton
from triton import knobs as triton_knobs
from triton._C.libtriton import ir, passes, proton
from triton.backends import compiler as triton_compiler

from triton_xe import errors, hooks, instrumentation_mode, knobs, register_mode, stage_files, target, tracebacks
from triton_xe import options as xe_options

if TYPE_CHECKING:
    from triton.backends.compiler import GPUTarget

    from triton_xe import _compiler


def native_compiler() -> ModuleType:
    """Return the extension module with the passes. `import triton` imports this file, and must not load LLVM."""
    try:
        from triton_xe import _compiler
    except ImportError as error:
        raise errors.ToolError(
            f"the compiler of triton-xe cannot be loaded: {error}. A build for development needs Debian's packages "
            "`libllvm22` and `libmlir-22`; a wheel needs neither"
        ) from error
    return _compiler


def device_library_path(name: str) -> Path:
    """Return the path of the bitcode of a device library."""
    return target.installed_file("device_library") / f"{name}.bc"


def toolchain_key() -> str:
    """Return a hash of all files that can change the code of a kernel."""
    from triton_xe import toolchain

    return toolchain.key(device_library_path("emulation"))


#: Registers of 32 bits that a lane of the CPU device may have of a tensor which no loop computes slice by slice. LLVM's
#: time grows faster than the code of larger tiles (`benchmarks/large_tiles.py`, docs/CPUDevice.md).
CPU_TILE_REGISTERS = 64
#: The attribute by which a module states the registers per thread that it is compiled for.
REGISTERS = "ttig.registers"

#: The list of `collect_diagnostics` for diagnostics. Each thread has its own, since several may compile.
_collecting: contextvars.ContextVar[list[errors.Diagnostic] | None] = contextvars.ContextVar("collecting", default=None)


@contextlib.contextmanager
def collect_diagnostics() -> Iterator[list[errors.Diagnostic]]:
    """Collect the diagnostics of passes, including remarks, in a list instead of printing them to stderr."""
    collected: list[errors.Diagnostic] = []
    token = _collecting.set(collected)
    try:
        yield collected
    finally:
        _collecting.reset(token)


def report(diagnostic: errors.Diagnostic) -> None:
    """Print the diagnostics of a pass or a compiler; remarks only if they are enabled."""
    collected = _collecting.get()
    if collected is not None:
        collected.append(diagnostic)
    elif diagnostic.severity == "warning" or knobs.REMARKS.enabled():
        print(diagnostic, file=sys.stderr)


def report_spills(name: str, compiler: str, amount: str) -> None:
    """Print a remark about a kernel that spills registers."""
    report(errors.Diagnostic("remark", f"`{name}`: {compiler} spills registers: {amount}"))


#: The stages of pipelines, as the wheel's own stage is called in the names of its reproducers.
_STAGES = {
    "triton-xe-ttgir-pipeline": "make_ttgir",
    "triton-xe-gluon-pipeline": "make_ttgir",
    "triton-xe-allocation-pipeline": "make_llir",
    "triton-xe-llvm-pipeline": "make_llir",
}


def stage_reproducer(pipeline: str) -> str:
    """Return the path of the reproducer of a stage, beside that of the wheel; an empty text if none is wanted."""
    stage = _STAGES.get(pipeline.split("{")[0])
    return f"{path}.{stage}.repro.mlir" if stage and (path := knobs.STAGE_REPRODUCERS.text()) else ""


def run_pipeline(module: _compiler.Module, pipeline: str) -> None:
    """Run the pipeline of passes with this name, and print its diagnostics."""
    from triton_xe import ir_tree

    remarks = knobs.REMARKS.enabled() or _collecting.get() is not None
    diagnostics = module.run_pipeline(
        f"builtin.module({pipeline})",
        remarks=remarks,
        print_after_all=knobs.PRINT_IR.enabled() or knobs.MLIR_DUMP.enabled(),
        ir_tree_directory=ir_tree.make_folder(knobs.IR_TREE.text(), module, pipeline),
        reproducer_path=knobs.REPRODUCER.text(),
        stage_reproducer_path=stage_reproducer(pipeline),
    )
    for native in diagnostics:
        report(errors.Diagnostic.from_native(native))


def launch_numbers(options: xe_options.XeOptions) -> dict[str, str]:
    """Return the options of a pipeline that state for which launches a variant of a kernel is."""
    numbers = {name: getattr(options, name) for name in ("ordinary_surfaces", "nan_descriptors")}
    return {name.replace("_", "-"): ",".join(map(str, value)) for name, value in numbers.items() if value}


def finish_layouts(module: _compiler.Module, options: xe_options.XeOptions) -> None:
    """Run what TTGIR still needs whose author has chosen the layouts: a kernel in Gluon, or a file with blocks."""
    values = {"arch": options.arch, "assume-launch": str(options.assume_launch).lower()} | launch_numbers(options)
    text = " ".join(f"{name}={value}" for name, value in values.items())
    run_pipeline(module, f"triton-xe-gluon-pipeline{{{text}}}")


def check_shared_memory(module: _compiler.Module, limit: int) -> int:
    """Return the bytes of shared local memory that the module needs. Raises `OutOfResources` beyond `limit`."""
    required = module.int_attribute("ttg.shared") or 0
    if required > limit:
        requests = [errors.SharedMemoryRequest.from_native(request) for request in module.shared_memory_requests()]
        raise errors.OutOfResources(required, limit, "shared memory", requests)
    return required


def check_surfaces(conditions: list[tuple[int, list[int]]], ordinary_surfaces: Iterable[int]) -> None:
    """Check that no 2D block message addresses a tensor that was to have ordinary accesses.

    The launcher runs such a variant of a kernel without a further check of these tensors. Raises CompileError for those
    that have a condition for messages nevertheless: in a file of TTGIR, messages are chosen already.
    """
    addressed = sorted({surface for surface, _ in conditions} & set(ordinary_surfaces))
    if addressed:
        numbers = ", ".join(map(str, addressed))
        raise errors.CompileError(
            f"2D block messages address tensors of this launch that they cannot address (surfaces {numbers}): the IR "
            "has been made for other launches"
        )


def translate_to_spirv(llvm_ir: str, library: str, options: xe_options.XeOptions) -> bytes:
    """Translate LLVM IR to SPIR-V with a device library: `none` or `emulation`."""
    bitcode = b""
    if library != "none":
        path = device_library_path(library)
        try:
            bitcode = path.read_bytes()
        except OSError as error:
            raise errors.FileError(f"cannot read the device library `{path}`: {error.strerror}") from error
    return native_compiler().translate_to_spirv(llvm_ir, library, bitcode, options.enable_fp_fusion, options.arch)


def spirv_of_gpus(options: xe_options.XeOptions, kept: dict[str, Any]) -> bytes:
    """Return the SPIR-V of the kept LLVM IR that compilers of GPUs get. It is translated once."""
    if "spirv" not in kept:
        kept["spirv"] = translate_to_spirv(kept["llir"], "none", options)
    return kept["spirv"]


def read_libraries(paths: tuple[tuple[str, str], ...]) -> tuple[list[bytes], list[str]]:
    """Return the bitcode of the libraries in `extern_libs`, and the names of their functions."""
    libraries, symbols = [], []
    for name, path in paths:
        try:
            content = Path(path).read_bytes()
            symbols += native_compiler().library_functions(content)
        except OSError as error:
            raise errors.OptionError(f"`extern_libs`: cannot read `{path}`: {error.strerror}") from error
        except errors.CompileError as error:
            raise errors.OptionError(f"`extern_libs`: `{name}` is not a library of LLVM bitcode: {error}") from error
        libraries.append(content)
    return libraries, sorted(set(symbols))


def _has_block_pointers(module: Any) -> bool:
    """Return whether a module of Triton's makes a block pointer."""
    names = set()
    module.walk(lambda operation: names.add(operation.get_name()))
    return "tt.make_tensor_ptr" in names


def complete_metadata(metadata: dict[str, Any], name: str, options: xe_options.XeOptions) -> None:
    """Add the kernel's name to the metadata, and the entries for which a compilation from LLVM IR has no module."""
    metadata["name"] = name
    metadata.setdefault("shared", 0)
    metadata.setdefault("launch_conditions", [])
    metadata.setdefault("global_scratch_size", 0)
    metadata.setdefault("profile_scratch_size", 0)
    metadata.setdefault("profile_scopes", [])
    metadata.setdefault("threads_per_warp", options.warp_size)
    # There is no choice for the CPU device, and for binaries from files.
    metadata.setdefault("chosen_grf_mode", "")


@dataclasses.dataclass(frozen=True)
class Lowering:
    """A kernel in the dialect of LLVM."""

    #: The TTGIR that it was lowered from.
    source: str
    module: _compiler.Module
    #: Entries of the kernel's metadata.
    metadata: dict[str, Any]
    diagnostics: list[errors.Diagnostic]
    #: Bytes that are live at once beyond those of the registers.
    excess: int


def state_registers(module: _compiler.Module, count: int) -> None:
    """Let a module state the registers per thread that it is compiled for."""
    module.set_attribute(REGISTERS, f"{count} : i32")


def with_registers(source: Any, count: int) -> str:
    """Return TTGIR that states the registers per thread that it is compiled for."""
    module = native_compiler().Module.parse(str(source), "ttgir")
    state_registers(module, count)
    return module.to_text()


def read_metadata(module: _compiler.Module, options: xe_options.XeOptions) -> dict[str, Any]:
    """Return the entries of a kernel's metadata that its allocated module has. Raises `OutOfResources`."""
    metadata: dict[str, Any] = {}
    for memory in ("global", "profile"):
        metadata[f"{memory}_scratch_size"] = module.int_attribute(f"ttg.{memory}_scratch_memory_size") or 0
        metadata[f"{memory}_scratch_align"] = module.int_attribute(f"ttg.{memory}_scratch_memory_alignment") or 1
    metadata["profile_scopes"] = module.profile_scopes()
    metadata["shared"] = check_shared_memory(module, target.resolve(options.arch).shared_memory)
    metadata["launch_conditions"] = module.launch_conditions()
    check_surfaces(metadata["launch_conditions"], options.ordinary_surfaces)
    metadata["num_warps"] = module.int_attribute("ttg.num-warps") or options.num_warps
    metadata["threads_per_warp"] = module.int_attribute("ttg.threads-per-warp") or options.warp_size
    # Triton 3.9 multiplies it with the number of warps, to compare with the device's limit.
    metadata["warp_size"] = metadata["threads_per_warp"]
    return metadata


def min_dot_size(_target: GPUTarget) -> Callable[[Any, Any], tuple[int, int, int]]:
    """Return the smallest dot that the frontend accepts. Dots that are too small for DPAS are computed without it."""

    def check(_lhs_type: object, _rhs_type: object) -> tuple[int, int, int]:
        return (1, 1, 1)

    return check


class XeBackend(triton_compiler.BaseBackend):
    """The compiler of both backends, which differ in their name and in the device library."""

    #: Name of the target, of the entry point and of the torch device.
    target_name: str
    #: Device library linked into the SPIR-V: `none` or `emulation`.
    device_library: str
    #: This is true if the device can divide its registers among more or fewer threads.
    has_register_modes = True

    #: The stage whose result is launched, and the suffix of its file.
    binary_ext = "spv"

    def __init__(self, gpu_target: GPUTarget) -> None:
        from triton_xe import versions
        from triton_xe.compat import unit_arguments

        super().__init__(gpu_target)
        versions.warn_if_untested(triton.__version__)
        # Triton makes a backend before it packs the arguments of a kernel.
        unit_arguments.install()
        #: The last lowering by which registers were chosen, until the next stage takes it.
        self.lowering: Lowering | None = None
        self.architecture = target.resolve(self.read_architecture(gpu_target))

    @staticmethod
    def prepare_key() -> None:
        """Install what Triton needs of us while it makes the key of a kernel, and looks for the kernel.

        Triton parses the options, or takes the hash of the backend, before it does either.
        """
        from triton_xe.compat import key_parts, redis_cache, wheel_key

        wheel_key.install()
        key_parts.install()
        redis_cache.install_if_used()
        hooks.look_up()

    def read_architecture(self, gpu_target: GPUTarget) -> object:
        """Return the description of the architecture by the target."""
        return gpu_target.arch

    @staticmethod
    @abc.abstractmethod
    def supports_target(target: GPUTarget) -> bool:
        """Return whether this backend compiles for `target`."""

    def hash(self) -> str:
        """Return the text that identifies the compiler and the target in cache keys."""
        self.prepare_key()
        return f"{self.target_name}-{self.architecture.name}-{toolchain_key()}"

    @tracebacks.end_here
    def parse_options(self, opts: dict[str, Any]) -> xe_options.XeOptions:
        """Parse the options of a launch, and check them against the limits of the target."""
        from triton_xe import device_compiler, foreign_options

        self.prepare_key()
        known = {name for name in xe_options.XeOptions.__dataclass_fields__ if opts.get(name) is not None}
        values = {name: opts[name] for name in known}
        architecture = target.resolve(values.get("arch", self.architecture.name))
        values |= {"arch": architecture.name, "backend_name": self.target_name}
        if values.get("warp_size") is None:
            values["warp_size"] = self.target.warp_size
        if values.get("generate_native_code"):
            values["device_compiler"] = device_compiler.find().version
        values["without_effect"] = foreign_options.find(opts, xe_options.XeOptions.__dataclass_fields__)
        options = xe_options.XeOptions(**values)
        # A kernel may have a parameter of this name.
        if isinstance(binary := opts.get(stage_files.BINARY), stage_files.StageFile):
            self.check_binary(binary, options)
        if options.generate_native_code:
            from triton_xe.compat import native_code

            native_code.install()

        threads = options.num_warps * options.warp_size
        if threads > architecture.max_work_group_size:
            raise errors.OutOfResources(
                threads,
                architecture.max_work_group_size,
                "threads of a work-group",
                advice=f"A smaller `num_warps` helps: a warp has {options.warp_size} threads.",
            )
        if options.grf_mode.isdecimal() and options.num_warps > (
            limit := architecture.max_warps[int(options.grf_mode)]
        ):
            what = f"warps with {options.grf_mode} registers per thread"
            advice = "A smaller `num_warps`, or another `grf_mode`, helps."
            raise errors.OutOfResources(options.num_warps, limit, what, advice=advice)
        return options

    def check_binary(self, binary: stage_files.StageFile, options: xe_options.XeOptions) -> None:
        """Check that a binary from a file is one that the target launches. Raises OptionError."""
        if binary.stage != "spv":
            raise errors.OptionError(f"`{binary.path}`: expected SPIR-V, found {binary.kind}")

    def pack_metadata(self, metadata: Any) -> tuple[int, int]:
        """Return the metadata of a kernel that launch hooks get."""
        return (metadata.num_warps, metadata.shared)

    def get_codegen_implementation(self, options: xe_options.XeOptions) -> dict[str, Callable]:
        """Return the functions of this backend that the frontend calls."""
        # Needs the language, which does not exist yet while Triton looks for backends.
        from triton_xe import custom_types
        from triton_xe.compat import instrumentation

        # Called right before the function becomes IR, in the same thread.
        instrumentation.begin(options.instrumentation_mode)
        return {
            "convert_custom_types": custom_types.convert_custom_types,
            "min_dot_size": min_dot_size(self.target),
        }

    def get_module_map(self) -> dict[str, ModuleType]:
        """Return replacements for modules that kernels import.

        The functions of `libdevice` have the same names on every device, so ours replace those of other devices.
        """
        from triton_xe import libdevice

        owners = ("triton.language.extra", "triton.language.extra.cuda", "triton.language.extra.hip")
        return {f"{owner}.libdevice": libdevice for owner in owners}

    def load_dialects(self, ctx: Any) -> None:
        """Add the wheel's dialect of profiles to its context, since an operation of an unknown dialect aborts."""
        proton.load_dialects(ctx)

    @tracebacks.end_here
    def add_stages(self, stages: dict[str, Callable], options: xe_options.XeOptions, language: Any) -> None:
        """Register the stages, in order."""
        # Kernels from the cache do without all of these.
        from triton_xe import foreign_options, ir_tree, origins, seals

        for name, _ in options.without_effect:
            report(errors.Diagnostic("remark", foreign_options.describe(name)))
        # Native code is generated from the LLVM IR by another route than the SPIR-V of the launch.
        kept: dict[str, Any] = {}
        if language == triton_compiler.Language.GLUON:
            from triton_xe.compat import gluon_arguments, gluon_builder

            gluon_builder.install()
            gluon_arguments.install()
            # Triton 3.9 also keeps what the frontend makes.
            stages["glir"] = lambda source, metadata: source
            stages["ttgir"] = lambda source, metadata: self.make_gluon_ttgir(source, options)
        else:
            stages["ttir"] = lambda source, metadata: self.make_ttir(source)
            stages["ttgir"] = lambda source, metadata: self.make_ttgir(source, metadata, options)
        stages["llir"] = lambda source, metadata: self.make_llir(source, metadata, options)
        for name, stage in stages.items():
            stages[name] = stage_files.passing_on(stage)
        self.add_binary_stage(stages, options, kept)
        if options.generate_native_code:
            stages["zebin"] = lambda source, metadata: self.make_zebin(metadata, options, kept)
            stages["isa"] = lambda source, metadata: kept["isa"]
        origins.record(stages, self.hash(), options)
        seals.seal_stages(stages, self.binary_ext)
        for name, stage in stages.items():
            stages[name] = ir_tree.within_compilation(stage)
        if options.ir_override and not any(options.ir_override.endswith(f".{name}") for name in stages):
            known = ", ".join(f"`.{name}`" for name in stages)
            raise errors.OptionError(
                f"`ir_override`: expected a file of a stage, {known}, found `{options.ir_override}`"
            )
        if options.ir_override or triton_knobs.compilation.override:
            from triton_xe.compat import overrides

            overrides.install()
            for name, stage in stages.items():
                stages[name] = overrides.mark_finished(name, stage, is_launched=name == self.binary_ext)
        # The wrapper comes last, so that it surrounds all others.
        for name, stage in stages.items():
            stages[name] = tracebacks.end_here(stage)

    def add_binary_stage(
        self, stages: dict[str, Callable], options: xe_options.XeOptions, kept: dict[str, Any]
    ) -> None:
        """Register the stage whose result is launched."""
        stages["spv"] = lambda source, metadata: self.make_spv(source, metadata, options, kept)

    @staticmethod
    def make_ttir(module: Any) -> Any:
        """Run the wheel's own passes over TTIR, except those that remove block pointers and descriptors.

        The text of a harvest is the result of these passes, and stays as it is.
        """
        from triton_xe import versions
        from triton_xe.compat import instrumentation

        instrumentation.end()
        if isinstance(module, str):
            return module
        manager = ir.pass_manager(module.context)
        manager.enable_debug()
        passes.common.add_inliner(manager)
        passes.ttir.add_combine(manager)
        passes.common.add_canonicalizer(manager)
        passes.ttir.add_reorder_broadcast(manager)
        passes.common.add_cse(manager)
        # The wheel's own pass also moves loads, under a mask, which none through a block pointer may have: out of two
        # loops it makes wrong IR.
        if versions.has_block_pointer_operations() and _has_block_pointers(module):
            passes.common.add_licm(manager)
        else:
            passes.ttir.add_triton_licm(manager)
        passes.common.add_symbol_dce(manager)
        passes.ttir.add_loop_unroll(manager)
        manager.run(module, "make_ttir")
        return module

    @staticmethod
    def make_gluon_ttgir(module: Any, options: xe_options.XeOptions) -> str:
        """Import the TTGIR of a kernel in Gluon, whose author has chosen the layouts."""
        from triton_xe import gluon
        from triton_xe.compat import instrumentation

        instrumentation.end()
        text = gluon.resolve_layouts(module)
        with gluon.naming_lines(text):
            ours = native_compiler().Module.parse(text, "ttgir")
        finish_layouts(ours, options)
        return ours.to_text()

    def get_target_name(self, options: xe_options.XeOptions) -> str:
        """Return the name of the target in a module of Gluon."""
        return f"{self.target_name}:{options.arch}"

    def make_ttgir(self, source: Any, metadata: dict[str, Any], options: xe_options.XeOptions) -> str:
        """Import TTIR and choose layouts, for the registers per thread that the module states."""
        return self.choose_registers(lambda count: self.plan_ttgir(source, options, count), options, options.num_warps)

    def choose_registers(self, plan: Callable[[int], str], options: xe_options.XeOptions, num_warps: int) -> str:
        """Return TTGIR for the fewest registers per thread that hold what is live at once, or else for the most.

        `plan` returns the TTGIR for a number of registers, which it states. The lowering by which the choice is made
        is kept for the next stage.
        """
        counts = register_mode.counts(options.grf_mode, options.arch, num_warps)
        for count in counts:
            with collect_diagnostics() as diagnostics:
                text = plan(count)
            if count == counts[-1]:
                break
            try:
                with collect_diagnostics():
                    self.lowering = self.lower(text, options, self.tile_registers(options)[0])
            except errors.TritonXeError:
                # The next stage raises it, when the TTGIR is in the cache.
                break
            if not self.lowering.excess:
                break
        for diagnostic in diagnostics:
            report(diagnostic)
        return text

    def plan_ttgir(self, source: Any, options: xe_options.XeOptions, registers: int) -> str:
        """Choose layouts and accesses for a number of registers per thread."""
        module = native_compiler().Module.parse(str(source), "ttir")
        state_registers(module, registers)
        pipeline_options = {
            "arch": options.arch,
            "num-warps": options.num_warps,
            "threads-per-warp": options.warp_size,
            "num-stages": options.num_stages,
            "raise-pointers": str(options.raise_pointers).lower(),
            "assume-launch": str(options.assume_launch).lower(),
        }
        pipeline_options |= launch_numbers(options)
        if options.skip_passes:
            pipeline_options["skip"] = ",".join(options.skip_passes)
        text = " ".join(f"{name}={value}" for name, value in pipeline_options.items())
        run_pipeline(module, f"triton-xe-ttgir-pipeline{{{text}}}")
        return module.to_text()

    def make_llir(self, source: Any, metadata: dict[str, Any], options: xe_options.XeOptions) -> str:
        """Allocate shared local memory, check it against the target, and lower to LLVM IR."""
        text = str(source)
        if self.lowering is None or self.lowering.source != text:
            module = native_compiler().Module.parse(text, "ttgir")
            if module.int_attribute(REGISTERS) is None:
                # It comes from a file, or from a kernel whose author has chosen the layouts.
                num_warps = module.int_attribute("ttg.num-warps") or options.num_warps
                text = self.choose_registers(lambda count: with_registers(source, count), options, num_warps)
        first, *others = self.tile_registers(options)
        lowering, self.lowering = self.lowering, None
        if lowering is None or lowering.source != text:
            lowering = self.lower(text, options, first)
        # If the registers do not hold what is live at once, loops over slices are taken that leave less than half of
        # that over.
        for other in self.lower_slices(text, options, (first, *others) if lowering.excess else ()):
            if 2 * other.excess < lowering.excess:
                lowering = other
            if not lowering.excess:
                break
        metadata |= lowering.metadata
        for diagnostic in lowering.diagnostics:
            report(diagnostic)
        libraries = read_libraries(options.extern_libs)[0]
        return lowering.module.optimize_llvm_ir(libraries=libraries, keep_loads=self.inserts_checks(options))

    def lower(self, text: str, options: xe_options.XeOptions, tile_registers: int) -> Lowering:
        """Lower TTGIR to the dialect of LLVM, with loops for tiles of more registers per lane than `tile_registers`.

        Raises `OutOfResources`.
        """
        limit = target.resolve(options.arch).shared_memory
        with collect_diagnostics() as diagnostics:
            module = self.allocate(text, options, tile_registers)
            if tile_registers and (module.int_attribute("ttg.shared") or 0) > limit:
                # The error names the operations that need this amount for whole tiles.
                module = self.allocate(text, options, 0)
        return self.lower_allocated(text, module, diagnostics, options)

    def lower_slices(self, text: str, options: xe_options.XeOptions, numbers: Sequence[int]) -> Iterator[Lowering]:
        """Lower TTGIR with loops for tiles of each number of registers per lane after the first one.

        Most numbers make no difference to most kernels: the code of the number before is not lowered again. Code that
        needs more shared local memory than exists is left out, too.
        """
        limit, before = target.resolve(options.arch).shared_memory, ""
        for number in numbers:
            with collect_diagnostics() as diagnostics:
                module = self.allocate(text, options, number)
            allocated = module.to_text()
            if before and allocated != before and (module.int_attribute("ttg.shared") or 0) <= limit:
                yield self.lower_allocated(text, module, diagnostics, options)
            before = allocated

    def lower_allocated(
        self,
        text: str,
        module: _compiler.Module,
        diagnostics: list[errors.Diagnostic],
        options: xe_options.XeOptions,
    ) -> Lowering:
        """Lower a module with allocated memory. Raises `OutOfResources`."""
        with collect_diagnostics() as added:
            metadata = read_metadata(module, options)
            self.lower_to_llvm(module, options)
        # The scheduler states the bytes that are live at once, if it runs.
        live = module.int_attribute("ttig.live_bytes") or 0
        registers = module.int_attribute(REGISTERS) * target.resolve(options.arch).register_bytes
        return Lowering(text, module, metadata, diagnostics + added, max(live - registers, 0))

    def lower_to_llvm(self, module: _compiler.Module, options: xe_options.XeOptions) -> None:
        """Run the pipeline from allocated TTGIR to the dialect of LLVM."""
        self.add_variables(module, options)
        symbols = read_libraries(options.extern_libs)[1]
        flags = {
            "line-info": not triton_knobs.compilation.disable_line_info,
            "checks": self.inserts_checks(options),
            "load-branches": self.wants_cpu_form(options),
        }
        text = " ".join(f"{name}={str(value).lower()}" for name, value in flags.items())
        if options.skip_passes:
            text += f" skip={','.join(options.skip_passes)}"
        extern_symbols = f" extern-symbols={','.join(symbols)}" if symbols else ""
        run_pipeline(module, f"triton-xe-llvm-pipeline{{{text}{extern_symbols}}}")

    def allocate(self, source: Any, options: xe_options.XeOptions, tile_registers: int) -> _compiler.Module:
        """Allocate shared local memory, and turn large tiles into loops."""
        module = native_compiler().Module.parse(str(source), "ttgir")
        # A file may have what this compiler's own TTGIR no longer has.
        if module.has_descriptors() or module.has_block_pointers():
            finish_layouts(module, options)
        text = f"{self.profile_options(options)} tile-registers={tile_registers}"
        run_pipeline(module, f"triton-xe-allocation-pipeline{{{text}}}")
        return module

    def tile_registers(self, options: xe_options.XeOptions) -> tuple[int, ...]:
        """Return the registers of 32 bits that a lane may have of a tensor which no loop computes slice by slice.

        0 means no loops. The next numbers are for kernels whose values the registers do not hold with the first.
        """
        if options.tile_registers is not None:
            return (options.tile_registers,)
        if self.wants_cpu_form(options):
            return (CPU_TILE_REGISTERS,)
        count = register_mode.counts(options.grf_mode, options.arch, options.num_warps)[-1]
        registers = count * target.resolve(options.arch).register_bytes // (4 * options.warp_size)
        return (0, registers, registers // 4, registers // 16)

    def profile_options(self, options: xe_options.XeOptions) -> str:
        """Return the pipeline options that state how the scopes of the kernel are measured."""
        mode = instrumentation_mode.Mode.parse(options.instrumentation_mode or "default")
        values = mode.pipeline_options() | {"max-shared-memory": str(target.resolve(options.arch).shared_memory)}
        return " ".join(f"{name}={value}" for name, value in values.items())

    def wants_cpu_form(self, options: xe_options.XeOptions) -> bool:
        """Return whether masked loads become branches, and tiles become loops that a GPU has registers for."""
        return False

    def inserts_checks(self, options: xe_options.XeOptions) -> bool:
        """Return whether the code checks itself."""
        return False

    def wants_variables(self, options: xe_options.XeOptions) -> bool:
        """Return whether the LLVM IR states which values local variables have. It takes time, of the compiler and of
        debuggers."""
        return knobs.LOCAL_VARIABLES.enabled()

    def add_variables(self, module: _compiler.Module, options: xe_options.XeOptions) -> None:
        """Pass the local variables to the compiler, if they are wanted."""
        from triton_xe.cpu import variables

        if not self.wants_variables(options) or triton_knobs.compilation.disable_line_info:
            return
        if text := variables.describe(module):
            module.set_attribute("ttig.variables", text)

    def make_spv(
        self, source: Any, metadata: dict[str, Any], options: xe_options.XeOptions, kept: dict[str, Any]
    ) -> bytes:
        """Emit SPIR-V for the driver of the target. SPIR-V from a file stays as it is."""
        if isinstance(source, stage_files.StageFile):
            binary = source.content
        else:
            kept["llir"] = str(source)
            if self.device_library == "none":
                binary = spirv_of_gpus(options, kept)
            else:
                binary = translate_to_spirv(kept["llir"], self.device_library, options)
        names = native_compiler().spirv_entry_points(binary)
        if len(names) != 1:
            raise errors.CompileError(f"expected one kernel in the module, found {len(names)}: {', '.join(names)}")
        complete_metadata(metadata, names[0], options)
        if "llir" in kept and self.has_register_modes:
            binary = self.add_register_mode(binary, metadata, options, kept)
        return binary

    def add_register_mode(
        self, binary: bytes, metadata: dict[str, Any], options: xe_options.XeOptions, kept: dict[str, Any]
    ) -> bytes:
        """Record in the binary how many registers to build it with, since a launch reads only the binary."""
        self.check_scratch(metadata, options, kept)
        choice = register_mode.choose(options.grf_mode, kept["llir"], options.arch, metadata["num_warps"])
        metadata["chosen_grf_mode"] = choice.mode
        if choice.spare and options.generate_native_code:
            # The device compiler may know better.
            self.compile_native(choice, metadata, options, kept)
        build_options = target.resolve(options.arch).grf_build_options
        if text := build_options[metadata["chosen_grf_mode"]]:
            binary = native_compiler().add_build_options(binary, text)
        # A kernel that spills here need not do so with a driver's compiler, and the other way round.
        if choice.spare and choice.spare != metadata["chosen_grf_mode"]:
            binary = native_compiler().add_spill_build_options(binary, build_options[choice.spare])
        return binary

    @staticmethod
    def check_scratch(metadata: dict[str, Any], options: xe_options.XeOptions, kept: dict[str, Any]) -> None:
        """Refuse a kernel that has no room for its values, with its line."""
        from triton_xe import refusals

        try:
            register_mode.check_scratch(kept["llir"], options.arch, metadata["num_warps"])
        except errors.DeviceCompilerRefusal as error:
            raise error.at(refusals.find_kernel(kept["llir"], metadata["name"])) from None

    @staticmethod
    def compile_native(
        choice: register_mode.Choice, metadata: dict[str, Any], options: xe_options.XeOptions, kept: dict[str, Any]
    ) -> None:
        """Compile to native code without a GPU, keep the code, and report its spills."""
        from triton_xe import refusals

        name = metadata["name"]
        try:
            kept["native"], mode, spills = register_mode.compile_native(
                spirv_of_gpus(options, kept), options.arch, choice, name
            )
        except errors.DeviceCompilerRefusal as error:
            raise error.at(refusals.find_kernel(kept["llir"], name)) from None
        metadata["chosen_grf_mode"] = mode
        if not spills:
            return
        # With a second build to compare, the remark states which one is better.
        advice = "" if choice.spare else register_mode.advise(mode, options.arch, metadata["num_warps"])
        report_spills(name, f"ocloc {kept['native'].compiler}", spills + (f"; {advice}" if advice else ""))

    def make_zebin(self, metadata: dict[str, Any], options: xe_options.XeOptions, kept: dict[str, Any]) -> bytes:
        """Return native code, made without a GPU, and add its figures to the metadata."""
        if "llir" not in kept:
            raise errors.OptionError("`generate_native_code` needs a source above SPIR-V")
        if "native" not in kept:
            self.check_scratch(metadata, options, kept)
            choice = register_mode.choose(options.grf_mode, kept["llir"], options.arch, metadata["num_warps"])
            self.compile_native(choice, metadata, options, kept)
        metadata["native"] = kept["native"].figures
        kept["isa"] = kept["native"].isa_text
        return kept["native"].zebin
