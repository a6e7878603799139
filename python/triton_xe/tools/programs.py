# SPDX-License-Identifier: MIT
"""The programs `triton-xe-opt` and `triton-xe-translate` of a wheel.

In a wheel they are scripts that call functions of the compiler's module, since each real program would contain LLVM
again. The build for development has real programs.
"""

from __future__ import annotations

from triton_xe import compiler


def run_opt(arguments: list[str]) -> int:
    """Run passes on textual IR; the arguments begin with the name of the program."""
    return compiler.native_compiler().run_opt(arguments)


def run_translate(arguments: list[str]) -> int:
    """Translate LLVM IR, with the device libraries of the package unless the arguments name a folder."""
    folder = compiler.device_library_path("emulation").parent
    return compiler.native_compiler().run_translate(arguments, str(folder))
