# SPDX-License-Identifier: MIT
"""The simulator as a device: native code of an Intel GPU, executed instruction by instruction on this processor.

The device compiler makes the code, `iga64` of the same packages disassembles it, and `_simulator` runs it.
"""

from __future__ import annotations

import functools
from typing import Any

from triton_xe import native, target

#: The machine of a zebin's ELF header.
_INTEL_GT = 205


def is_zebin(binary: bytes) -> bool:
    """Whether a binary is native code of a GPU."""
    return binary[:4] == b"\x7fELF" and int.from_bytes(binary[18:20], "little") == _INTEL_GT


class Device:
    """What the driver asks of a device. Memory is that of the process."""

    is_cpu = True

    def __init__(self) -> None:
        # Loads LLVM, for its readers of ELF, YAML and JSON.
        from triton_xe import _simulator

        self._module = _simulator
        self.name = "Simulator of Xe"

    @property
    def compute_units(self) -> int:
        """Threads that run work-groups."""
        return self._module.processor_count()

    @property
    def max_work_group_size(self) -> int:
        """Work-items of the largest work-group of the architecture that is the default."""
        return target.resolve(target.DEFAULT).max_work_group_size

    @property
    def sub_group_sizes(self) -> list[int]:
        """Numbers of lanes that a sub-group may have."""
        return list(target.resolve(target.DEFAULT).sub_group_sizes)

    def load_kernel(self, binary: bytes, name: str) -> Any:
        """Disassemble and load a kernel of a zebin. Raises what `_simulator.load_kernel` and `iga64` do."""
        platform, code = self._module.find_code(binary, name)
        return self._module.load_kernel(binary, name, native.describe_code(code, platform))


@functools.cache
def open_device() -> Device:
    """The simulator; there is one per process."""
    return Device()
