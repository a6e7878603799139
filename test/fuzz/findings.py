# SPDX-License-Identifier: MIT
"""Writes a failing program as a script that runs on its own."""

from __future__ import annotations

import base64
import textwrap
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .emit import module_text
from .oracle import CAPACITY, Machine
from .programs import ITEM_SIZES, Program, torch_name
from .run import Failure, base_of, guarded_range

_MAIN = """

def unpack(text):
    return np.frombuffer(zlib.decompress(base64.b85decode(text)), np.uint8)


def main():
    buffers = {}
    for number, (before, _, _, start) in BUFFERS.items():
        data = unpack(before)
        memory = torch.zeros(len(data) + 128, dtype=torch.uint8)
        # Tensors begin as far from a multiple of 64 bytes as they did.
        skip = (start - memory.data_ptr()) % 64
        memory[skip : skip + len(data)] = torch.from_numpy(data.copy())
        buffers[number] = memory[skip : skip + len(data)]
    arguments = {}
    for name, (number, dtype, first, last, surface) in TENSORS.items():
        tensor = buffers[number][first:last].view(getattr(torch, dtype))
        if surface:
            rows, columns, pitch, block = surface
            view = tensor.as_strided((rows, columns), (pitch, 1))
            tensor = TensorDescriptor(view, [rows, columns], [pitch, 1], block)
        arguments[name] = tensor
    for name, targets in TABLES.items():
        for i in range(len(arguments[name])):
            arguments[name][i] = arguments[targets[i % len(targets)]].data_ptr()
    print(LAUNCH)
    kernel[LAUNCH["grid"]](**arguments, **LAUNCH["values"], **LAUNCH["options"])
    wrong = 0
    for number, (_, after, dtype, start) in BUFFERS.items():
        if any(TENSORS[name][0] == number for name in TABLES):
            continue
        actual, expected = buffers[number].view(getattr(torch, dtype)), torch.from_numpy(unpack(after).copy())
        expected = expected.view(getattr(torch, dtype))
        if dtype.startswith("float8"):
            actual, expected = actual.float(), expected.float()
        different = ~((actual == expected) | ((actual != actual) & (expected != expected)))
        wrong += int(different.sum())
        for index in different.nonzero().flatten()[:8].tolist():
            print(f"buffer {number}, element {index}: expected {expected[index]}, found {actual[index]}")
    print(f"{wrong} elements differ")
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
"""


def pack(data: np.ndarray) -> str:
    """Return bytes as text of lines."""
    text = base64.b85encode(zlib.compress(data.tobytes(), 9)).decode()
    lines = textwrap.wrap(text, 100, break_on_hyphens=False) or [""]
    return "(\n" + "".join(f"        {line!r}\n" for line in lines) + "    )"


def script(program: Program, failure: Failure, seed: int) -> str:
    """A script with the kernel, one launch, memory before it and what it should be afterwards; its status is 1 as long
    as there is a difference."""
    launch = program.launches[min(failure.launch, len(program.launches) - 1)]
    machine = Machine(program, launch)
    before = {n: one.memory.copy() for n, one in machine.buffers.items()}
    machine.run()
    lines, tensors = ["BUFFERS = {"], ["TENSORS = {"]
    for number, content in before.items():
        names = [n for n, s in machine.slots.items() if s.buffer == number]
        low, high = (one // 64 * 64 for one in guarded_range(machine, number))
        start = (launch.misalignment - (CAPACITY // 2 - low)) % 64
        dtype = machine.buffers[number].dtype
        after = machine.buffers[number].memory[low:high]
        lines.append(f"    {number}: ({pack(content[low:high])}, {pack(after)}, {torch_name(dtype)!r}, {start}),")
        for name in names:
            tensor, slot = program.tensor(name), machine.slots[name]
            base, end = base_of(machine, name), machine.touched.get(name, (0, 0))[1]
            surface = (*slot.surface, list(tensor.block)) if tensor.block else None
            size = ITEM_SIZES[dtype]
            end = max(base + size * bool(end), end)
            tensors.append(f"    {name!r}: ({number}, {torch_name(dtype)!r}, {base - low}, {end - low}, {surface!r}),")
    described = {"grid": launch.grid, "values": dict(launch.values), "options": launch.options()}
    head = f'"""Seed {seed}, {failure.kind}: {failure.message[:1500]}"""\n'.replace("\\", "/")
    imports = "import base64\nimport zlib\n\nimport numpy as np\nimport torch\n"
    module = module_text(program).replace(
        "import triton.language as tl\n",
        "import triton.language as tl\nfrom triton.tools.tensor_descriptor import TensorDescriptor\n",
        1,
    )
    tables = {one.name: one.targets for one in program.tensors if one.targets}
    data = "\n".join([*lines, "}", *tensors, "}", f"TABLES = {tables!r}", f"LAUNCH = {described!r}"])
    return f"{head}{imports}{module}\n{data}\n{_MAIN}"


@dataclass(frozen=True)
class Finding:
    """One failure, and the file that shows it."""

    kind: str
    seed: int
    message: str
    path: Path


def write(folder: Path, name: str, text: str | bytes) -> Path:
    """Write a file in the folder of findings."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
