# SPDX-License-Identifier: MIT
"""The table of what is replaced in Triton, with the reasons."""

from __future__ import annotations

import inspect

from triton_xe.compat import originals
from triton_xe.compat.entries import Entry, Form, callable_object, having, taking

#: The series of Triton that the tests run with.
_TESTED = ("3.7", "3.8", "3.9")


def _key_leaves_out_library() -> str:
    from triton.runtime import cache

    return "" if "libtriton" in originals.source(cache, "triton_key") else "Triton does not hash its library"


def _redis_finds_settings() -> str:
    from triton.runtime import cache

    return (
        ""
        if "knobs.cache.redis" in originals.source(cache.RedisRemoteCacheBackend, "__init__")
        else ("Triton's remote cache in Redis finds its settings")
    )


def _triton_reads_ours() -> str:
    from triton.compiler import compiler

    return "Triton reads files of SPIR-V itself" if '"spv"' in originals.source(compiler, "parse") else ""


def _language_has_block_pointers() -> str:
    import triton.language as tl

    parameters = inspect.signature(originals.original(tl, "load")).parameters
    return "the language has block pointers" if "boundary_check" in parameters else ""


def _routed(module: str, name: str, expected: Form = callable_object) -> Entry:
    """Return the entry of a symbol of Triton's profiler."""
    return Entry(
        module=f"triton.profiler.{module}",
        name=name,
        reason="Programs that import `triton.profiler` get profiles of kernels for our devices, which Triton's own "
        "library does not know.",
        until="let a backend bring its profiler along",
        versions=_TESTED,
        installer="triton_xe.tools.profiler.routing.route",
        expected=expected,
    )


def _block_pointer(name: str, expected: Form = callable_object) -> Entry:
    """Return the entry of a function of the language that block pointers need."""
    return Entry(
        module="triton.language",
        name=name,
        reason="Kernels with block pointers run with a Triton that has lost them, after `import "
        "triton_xe.block_pointers`.",
        until="keep block pointers, or let kernels bring their own functions",
        versions=("3.9",),
        installer="triton_xe.block_pointers.install",
        expected=expected,
        unneeded=_language_has_block_pointers,
        is_added=name == "advance",
    )


def _ranked(name: str, *parameters: str) -> Entry:
    """Return the entry of a method of the autotuner."""
    return Entry(
        module="triton.runtime.autotuner",
        name=f"Autotuner.{name}",
        reason="`triton-xe rank` gives an autotuner cycles of the timing model in the place of times, and collects "
        "them by configuration; it is restored when the script has ended.",
        until="pass the configuration that it measures to the function that measures",
        versions=_TESTED,
        installer="triton_xe.tools.report.rank.ranking",
        expected=taking(*parameters),
    )


#: The functions of `libproton` that Triton's modules call.
_LIBRARY = having("start", "activate", "deactivate", "finalize", "enter_scope", "exit_scope", "get_data")

ENTRIES = (
    Entry(
        module="triton.runtime.cache",
        name="triton_key",
        reason="Triton hashes its whole wheel, hundreds of megabytes, in every process that compiles or loads a "
        "kernel; the hash is kept beside the kernels instead.",
        until="keep the hash of the wheel",
        versions=_TESTED,
        installer="triton_xe.compat.wheel_key.install",
        expected=taking(),
        unneeded=_key_leaves_out_library,
    ),
    Entry(
        module="triton.runtime.cache",
        name="RedisRemoteCacheBackend.__init__",
        reason="Triton's remote cache in Redis looks for its settings in a place where they are not, and raises an "
        "error wherever it is used.",
        until="read `knobs.redis`",
        versions=_TESTED,
        installer="triton_xe.compat.redis_cache.install",
        expected=taking("self", "key"),
        unneeded=_redis_finds_settings,
    ),
    Entry(
        module="triton.compiler.compiler",
        name="get_cache_key",
        reason="A kernel's metadata record what its key is computed from, for harvests, and to report why a kernel of "
        "a bundle cannot be used; Triton hashes the parts of a key, and keeps only the result.",
        until="pass the parts of a key to the cache manager",
        versions=_TESTED,
        installer="triton_xe.compat.key_parts.install",
        expected=taking("src", "backend", "backend_options", "env_vars"),
    ),
    Entry(
        module="triton.runtime.jit",
        name="JITFunction._pack_args",
        reason="Arguments that are 1 are constants of a kernel, and decide which accesses are blocks; for parameters "
        "with a type (`stride: int`) Triton compiles the same code a second time.",
        until="pass the value to the backend, as it does for divisibility",
        versions=_TESTED,
        installer="triton_xe.compat.unit_arguments.install",
        expected=taking("self", "backend", "kwargs", "bound_args", "specialization", "options"),
    ),
    Entry(
        module="triton.compiler.compiler",
        name="parse",
        reason="Triton cannot read edited IR of our stages (`TRITON_KERNEL_OVERRIDE`, `ir_override`): it does not know "
        "our dialect, nor SPIR-V.",
        until="let a backend read the files of its stages",
        versions=_TESTED,
        installer="triton_xe.compat.overrides.install",
        expected=taking("full_name", "ext", "context"),
        unneeded=_triton_reads_ours,
    ),
    Entry(
        module="triton.compiler.compiler",
        name="CompiledKernel.__init__",
        reason="Triton reads only the file that is launched as bytes, and a kernel with `generate_native_code` has a "
        "second binary.",
        until="let a backend state which of its stages are binary",
        versions=_TESTED,
        installer="triton_xe.compat.native_code.install",
        expected=taking("self", "src", "metadata_group", "hash"),
    ),
    Entry(
        module="triton.compiler.code_generator",
        name="gluon_ir",
        reason="Gluon has operations and layouts of other chips, of which some fail assertions for our targets. The "
        "frontend names the line of the kernel if they are refused where they are made.",
        until="query a backend for the builder of kernels in Gluon",
        versions=_TESTED,
        installer="triton_xe.compat.gluon_builder.install",
        expected=having("GluonOpBuilder"),
    ),
    Entry(
        module="triton.compiler.code_generator",
        name="str_to_ty",
        reason="Kernels in Gluon for Intel GPUs get descriptors of the host with accesses that have layouts. Accesses "
        "through Triton's own class have none, which Gluon cannot use.",
        until="let a backend choose the class of a descriptor in Gluon",
        versions=_TESTED,
        installer="triton_xe.compat.gluon_arguments.install",
        expected=taking("name", "c"),
    ),
    Entry(
        module="triton.tools.tensor_descriptor",
        name="TensorDescriptor.from_tensor",
        reason="The host makes a descriptor for each tensor of a launch; without Python this takes a fraction of the "
        "time, with the same checks and messages.",
        until="make descriptors without Python",
        versions=_TESTED,
        installer="triton_xe.compat.host_descriptors.install",
        expected=taking("tensor", "block_shape", "padding", "round_f32_to_tf32"),
    ),
    *(_block_pointer(name) for name in ("make_block_ptr", "advance")),
    _block_pointer("load", taking("pointer", "mask", "other")),
    _block_pointer("store", taking("pointer", "value", "mask")),
    Entry(
        module="triton.profiler.language",
        name="flags",
        reason="Whether the scopes of a kernel become records is an option of the kernel, and so part of its cache "
        "key; Triton reads a flag of the process, which another thread may change.",
        until="query the options of the compilation",
        versions=_TESTED,
        installer="triton_xe.compat.instrumentation.begin",
        expected=having("instrumentation_on"),
    ),
    Entry(
        module="triton.profiler.profile",
        name="start",
        reason="The first session of Triton's profiler is where it is found out whether a device of ours is active.",
        until="let a backend bring its profiler along",
        versions=_TESTED,
        installer="triton_xe.tools.profiler.stock.change",
        expected=callable_object,
    ),
    *(_routed(module, "libproton", _LIBRARY) for module in ("context", "data", "profile", "scope", "state")),
    _routed("profile", "_select_backend"),
    _routed("profile", "InstrumentationHook"),
    _routed("scope", "set_metric_kernels"),
    _routed("scope", "transform_tensor_metrics", taking("metrics")),
    _routed("hooks.launch", "LaunchHook.enter", taking("self", "metadata")),
    _routed("hooks.launch", "LaunchHook.exit", taking("self", "metadata")),
    Entry(
        module="triton.profiler.viewer",
        name="specs",
        reason="Triton's viewer queries the peaks of every device in a profile, and knows none of ours.",
        until="let a backend report the peaks of its devices",
        versions=_TESTED,
        installer="triton_xe.tools.profiler.viewer.install",
        expected=having("max_flops", "max_bps"),
    ),
    _ranked("run", "self"),
    _ranked("_bench", "self", "args", "config"),
)
