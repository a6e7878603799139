# SPDX-License-Identifier: MIT
"""Count operations in the stages of a compiled kernel.

Benchmarks and tests read from these figures how much shared memory, how many layout conversions, 2D block messages and
DPAS instructions a kernel has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BLOCK_CALLS = {
    "block_loads": "Subgroup2DBlockLoad",
    "block_stores": "Subgroup2DBlockStore",
    "block_prefetches": "Subgroup2DBlockPrefetch",
    "dpas": "_matrix_mad_",
}


def _count_calls(llir: str, needle: str) -> int:
    return len(re.findall(rf"call [^\n]*@[^\s(]*{needle}", llir))


def loop_bodies(llir: str) -> list[str]:
    """Return the text of each outermost loop: its basic blocks, which can all reach each other."""
    bodies = []
    for function in re.findall(r"^define .*?^}", llir, re.MULTILINE | re.DOTALL):
        blocks = {"": ""}
        for text in re.split(r"\n(?=[\w.$-]+:)", function):
            match = re.match(r"([\w.$-]+):", text)
            blocks[match.group(1) if match else ""] = text
        successors = {name: set(re.findall(r"label %([\w.$-]+)", text)) & set(blocks) for name, text in blocks.items()}
        reachable = {name: _reachable(successors, name) for name in blocks}
        loops = {frozenset(other for other in reachable[name] if name in reachable[other]) for name in blocks}
        bodies.extend("\n".join(blocks[name] for name in blocks if name in loop) for loop in loops if loop)
    return bodies


def _reachable(successors: dict[str, set[str]], start: str) -> set[str]:
    """Return the blocks that control can reach from the end of `start`."""
    seen: set[str] = set()
    worklist = list(successors[start])
    while worklist:
        name = worklist.pop()
        if name not in seen:
            seen.add(name)
            worklist.extend(successors[name])
    return seen


def main_loop_statistics(llir: str) -> dict[str, int]:
    """Return the counts of `kernel_statistics` for the loop with most DPAS instructions, or none without such a
    loop."""
    bodies = [body for body in loop_bodies(llir) if _count_calls(body, _BLOCK_CALLS["dpas"])]
    if not bodies:
        return {}
    body = max(bodies, key=lambda text: _count_calls(text, _BLOCK_CALLS["dpas"]))
    return {f"loop_{name}": _count_calls(body, needle) for name, needle in _BLOCK_CALLS.items()}


def _native_statistics(native: Mapping[str, Any]) -> dict[str, int]:
    """Return the figures of ocloc's code as `native_*`, and as `native_loop_*` for the loop with most DPAS."""
    flat = {f"native_{name}": value for name, value in native.items() if isinstance(value, int)}
    flat.update({f"native_{name}": value for name, value in native.get("total", {}).items()})
    loops = native.get("loops", [])
    if loops:
        main_loop = max(loops, key=lambda loop: loop["dpas"])
        flat.update({f"native_loop_{name}": value for name, value in main_loop.items()})
    return flat


def kernel_statistics(asm: Mapping[str, Any], metadata: Any) -> dict[str, Any]:
    """Return the figures of one compiled kernel.

    Keys: `shared` (bytes per work-group), `convert_layouts` and
    `pointer_tensors` (accesses through tensors of pointers) in the TTGIR;
    `block_loads`, `block_stores`, `block_prefetches`, `dpas` in the LLVM IR, that
    is per sub-group and static; the same with prefix `loop_` for the loop
    with most DPAS; `native_*` where native code was made.
    """
    ttgir, llir = asm["ttgir"], asm["llir"]
    statistics: dict[str, Any] = {
        "shared": metadata.shared,
        "convert_layouts": len(re.findall(r"= ttg\.convert_layout ", ttgir)),
        "pointer_tensors": len(re.findall(r"tt\.(?:load|store) [^\n]*: tensor<[^\n]*!tt\.ptr", ttgir)),
    }
    statistics.update({name: _count_calls(llir, needle) for name, needle in _BLOCK_CALLS.items()})
    statistics.update(main_loop_statistics(llir))
    native = getattr(metadata, "native", None)
    if native:
        statistics.update(_native_statistics(native))
    return statistics
