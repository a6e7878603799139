# SPDX-License-Identifier: MIT
"""Launch kernels whose scopes are measured, with memory for their records."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from triton_xe import instrumentation_mode
from triton_xe.tools.profiler import events, records, scope_stack

#: The bytes for all records of a launch with `flush`: two million records.
ARENA_BYTES = 16 << 20
#: The position of the metadata among the arguments of a launcher (python/src/ArgumentPacker.h).
_LAUNCH_METADATA = 6


def with_profile_memory(launch: Callable[..., None], metadata: Any, src: Any) -> Callable[..., None]:
    """Return a launcher that gives the kernel memory for its records, and passes the records to sessions."""
    from triton_xe import _cpu

    mode = instrumentation_mode.Mode.parse(metadata.instrumentation_mode or "default")
    warps = metadata.num_warps
    layout = records.Layout(
        program_bytes=metadata.profile_scratch_size,
        num_warps=warps,
        units=mode.recording_units(warps),
        warps_per_unit=mode.warps_per_unit(warps),
        clock_bits=mode.clock_bits,
        arena_bytes=ARENA_BYTES if mode.buffer_strategy == "flush" else 0,
        programs=mode.programs,
    )
    header = list(layout.arena_header()) if layout.arena_bytes else []
    scopes = tuple((name, parent) for name, parent, _line in metadata.profile_scopes)
    lines = tuple(line for _name, _parent, line in metadata.profile_scopes)
    device = metadata.target.backend
    configuration = _configuration(src, metadata)

    @functools.wraps(launch)
    def launch_with_memory(*arguments: Any) -> None:
        import torch

        x, y, z = arguments[:3]
        # Programs that make no records leave no preamble: zero is none.
        memory = torch.zeros(layout.memory_bytes(x * y * z), dtype=torch.uint8, device=device)
        if header:
            end = memory.numel() - layout.arena_bytes
            memory[end : end + len(header)] = torch.tensor(header, dtype=torch.uint8, device=device)
        submitted = _cpu.read_clock()
        launch(*arguments, memory)
        if events.is_anybody_listening():
            about = (configuration, device, submitted, lines)
            operation = events.operation_of(arguments[_LAUNCH_METADATA])
            path = scope_stack.current_path()
            events.announce_launch(events.Launch(metadata.name, path, scopes, layout, memory, operation, *about))

    return launch_with_memory


def _configuration(src: Any, metadata: Any) -> events.Configuration:
    """Return the constants by the names of their parameters, and the options that autotuning chooses."""
    names = getattr(getattr(src, "fn", None), "arg_names", ())
    constants = {path[0]: value for path, value in getattr(src, "constants", {}).items() if len(path) == 1}
    values = [(names[place], str(value)) for place, value in sorted(constants.items()) if place < len(names)]
    return (*values, ("num_warps", str(metadata.num_warps)), ("num_stages", str(metadata.num_stages)))
