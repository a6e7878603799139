# SPDX-License-Identifier: MIT
"""Folders that show a difference again: the kernel's TTIR, what was in memory, and a script.

kernel.ttir    the kernel, as it was compiled
inputs.pt      a file of torch: the memory of the launch, and which tensors are in it
launch.json    the grid, the types of the arguments, the options, and what is to blame
reproduce.py   runs the kernel both ways, and ends with status 1 if the results differ
"""

from __future__ import annotations

import dataclasses
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_xe import errors
from triton_xe.tools.verify import builds, comparison, kernel_text
from triton_xe.tools.verify.memory import PAGE, Descriptor, Memory, Tensor, Tuple, Value, tensors_of

if TYPE_CHECKING:
    from triton_xe.tools.verify.blame import Culprit, Investigation

_SCRIPT = '''\
"""Shows a difference again that `triton-xe verify` has found. Ends with status 1 if it is still there.

{report}
"""

import sys
from pathlib import Path

from triton_xe.tools.verify import reproducer

sys.exit(reproducer.run(Path(__file__).parent))
'''
#: The attributes of a descriptor of the host other than its tensor.
_DESCRIPTOR_FIELDS = ("shape", "strides", "block_shape", "padding", "round_f32_to_tf32")


def write(
    investigation: Investigation,
    blamed: Sequence[Culprit] | None,
    report: Sequence[str],
    name: str,
    folder: Path | None,
) -> Path:
    """Write a folder, in `folder` or that for temporary files, and return the path of the script. Raises OSError."""
    import torch

    subject, snapshot = investigation.subject, investigation.snapshot
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    # Names of kernels may be those of Inductor, which are long.
    prefix = "triton-xe-verify-" if folder is None else f"{re.sub(r'[^A-Za-z0-9_]', '_', name)[:60]}-"
    place = Path(tempfile.mkdtemp(prefix=prefix, dir=folder))
    (place / "kernel.ttir").write_text(subject.text.text)
    regions = [(region.data_ptr() % PAGE, region.clone()) for region in snapshot.before.regions]
    torch.save({"memory": regions, "arguments": [_pack(each) for each in snapshot.arguments]}, place / "inputs.pt")
    launch = {
        "grid": list(investigation.call.grid),
        "target": [subject.target.backend, subject.target.arch, subject.target.warp_size],
        "signature": subject.signature,
        "names": subject.names,
        "options": subject.values,
        "reference": sorted(subject.reference()),
        "to_blame": None if blamed is None else [name for culprit in blamed for name in culprit.off],
    }
    (place / "launch.json").write_text(json.dumps(launch, indent=2, default=list) + "\n")
    script = place / "reproduce.py"
    script.write_text(_SCRIPT.format(report="\n".join(report).replace("\\", "/").replace('"""', "'''")))
    return script


def run(folder: Path) -> int:
    """Run the kernel of a folder as optimized and as a reference, and print the first difference.

    Returns 1 if there is one. Raises OptionError if the folder is not one that `write` has written.
    """
    import torch
    from triton.backends.compiler import GPUTarget

    try:
        launch = json.loads((folder / "launch.json").read_text())
        text = kernel_text.KernelText((folder / "kernel.ttir").read_text())
        inputs = torch.load(folder / "inputs.pt")
    except (OSError, ValueError) as error:
        raise errors.OptionError(f"cannot read `{folder}`: {error}") from error
    subject = builds.Subject(
        text, launch["options"], _tuples(launch["signature"]), launch["names"], GPUTarget(*launch["target"])
    )
    before = Memory()
    for remainder, content in inputs["memory"]:
        before.add(remainder, content.numel(), lambda target, content=content: target.copy_(content))
    described = [_unpack(each) for each in inputs["arguments"]]
    call = builds.Call(tuple(launch["grid"]))
    optimized, reference = (subject.run(frozenset(off), call, described, before) for off in ((), launch["reference"]))
    for name, outcome in (("optimized", optimized), ("reference", reference)):
        if outcome.error:
            print(f"the {name} kernel raises {builds.error_line(outcome.error)}")
    if optimized.error or reference.error:
        return int(type(optimized.error) is not type(reference.error))
    tensors = list(tensors_of(described))
    difference = comparison.find(text, tensors, before.regions, optimized.memory.regions, reference.memory.regions)
    print(difference or "no difference")
    return int(difference is not None)


def _pack(described: Any) -> dict[str, Any]:
    """Return a description as plain values, which torch stores without code."""
    if isinstance(described, Tensor):
        return {"kind": "tensor", **dataclasses.asdict(described)}
    if isinstance(described, Descriptor):
        fields = {
            name: getattr(described.original, name) for name in _DESCRIPTOR_FIELDS if hasattr(described.original, name)
        }
        fields |= {name: list(map(int, fields[name])) for name in ("shape", "strides", "block_shape")}
        return {"kind": "descriptor", "base": _pack(described.base), "fields": fields}
    if isinstance(described, Tuple):
        return {"kind": "tuple", "elements": [_pack(each) for each in described.elements]}
    value = described.value
    # Constants are in the TTIR already, whatever they are.
    return {"kind": "value", "value": value if isinstance(value, int | float | bool) else None}


def _unpack(packed: dict[str, Any]) -> Any:
    packed = dict(packed)
    kind = packed.pop("kind")
    if kind == "tensor":
        for name in ("shape", "strides"):
            packed[name] = tuple(packed[name])
        return Tensor(**packed)
    if kind == "descriptor":
        from triton.tools.tensor_descriptor import TensorDescriptor

        original = TensorDescriptor.__new__(TensorDescriptor)
        vars(original).update(packed["fields"])
        return Descriptor(_unpack(packed["base"]), original)
    if kind == "tuple":
        return Tuple(tuple(_unpack(each) for each in packed["elements"]))
    return Value(packed["value"])


def _tuples(signature: Any) -> Any:
    """Return a signature with tuples where JSON has lists."""
    return [tuple(_tuples(kind)) if isinstance(kind, list) else kind for kind in signature]
