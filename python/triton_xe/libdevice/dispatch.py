# SPDX-License-Identifier: MIT
"""Define elementwise functions of the language by overloads.

A function is either one of OpenCL, called by its mangled name, or composed of others in the language itself. Both kinds
check the types of their arguments in the same way. The error of a wrong call names the function, and Triton adds the
line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import triton.language as tl
from triton.language import core

from triton_xe import errors

#: Signatures are written with these names: "f32 i32 -> f32".
TYPES = {
    "i1": tl.int1,
    "i32": tl.int32,
    "u32": tl.uint32,
    "i64": tl.int64,
    "u64": tl.uint64,
    "f32": tl.float32,
    "f64": tl.float64,
}

#: Itanium mangling of OpenCL's types.
MANGLED = {"i32": "i", "u32": "j", "i64": "l", "u64": "m", "f32": "f", "f64": "d"}


def parse_signature(signature: str) -> tuple[list[str], str]:
    """Return the names of the parameters' types and of the result's type."""
    parameters, _, result = signature.partition("->")
    return parameters.split(), result.strip()


def value_of(argument: Any) -> Any:
    """Return the value of a constant; tensors are returned unchanged."""
    return argument.value if isinstance(argument, core.constexpr) else argument


def accepts(argument: Any, name: str) -> bool:
    """Return whether an argument fits a parameter: a tensor by its type, a constant by its kind."""
    if isinstance(argument, core.tensor):
        return argument.dtype == TYPES[name]
    return isinstance(argument, (int, float)) and (name.startswith("f") or not isinstance(argument, float))


def select_overload(function: str, signatures: Sequence[str], arguments: Sequence[Any]) -> int:
    """Return the index of the overload for the arguments."""
    for index, signature in enumerate(signatures):
        parameters, _ = parse_signature(signature)
        if len(parameters) == len(arguments) and all(map(accepts, arguments, parameters)):
            return index
    found = ", ".join(str(a.dtype) if isinstance(a, core.tensor) else type(a).__name__ for a in arguments)
    expected = "; ".join(signatures)
    raise TypeError(f"`libdevice.{function}` has no overload for ({found}), expected one of: {expected}")


def prepare(arguments: Sequence[Any], signature: str, semantic: Any) -> list[Any]:
    """Convert the arguments to tensors of the signature's types and of one shape."""
    parameters, _ = parse_signature(signature)
    tensors = [
        argument if isinstance(argument, core.tensor) else semantic.make_scalar(argument, TYPES[name])
        for argument, name in zip(arguments, parameters, strict=True)
    ]
    widest = tensors[0]
    for tensor in tensors[1:]:
        _, widest = semantic.broadcast_impl_value(tensor, widest)
    return [semantic.broadcast_impl_value(tensor, widest)[0] for tensor in tensors]


def call_opencl(name: str, signature: str, arguments: Sequence[Any], semantic: Any) -> Any:
    """Call an OpenCL function on each element."""
    parameters, result = parse_signature(signature)
    symbol = f"_Z{len(name)}{name}" + "".join(MANGLED[parameter] for parameter in parameters)
    shape_type = arguments[0].type
    scalar = TYPES[result]
    result_type = shape_type.with_element_ty(scalar) if shape_type.is_block() else scalar
    handles = [argument.handle for argument in arguments]
    builder = semantic.builder
    call = builder.create_extern_elementwise("", "", symbol, handles, result_type.to_ir(builder), True)
    return core.tensor(call, result_type)


def opencl(name: str, *signatures: str, function: str | Sequence[str] | None = None) -> Callable:
    """Define the function `name` with overloads by OpenCL's functions: of that name, or of the names in `function`,
    which is one name for all overloads or one for each."""
    functions = [function or name] * len(signatures) if function is None or isinstance(function, str) else function

    def implementation(*arguments: Any, _semantic: Any = None) -> Any:
        values = [value_of(argument) for argument in arguments]
        index = select_overload(name, signatures, values)
        signature = signatures[index]
        return call_opencl(functions[index], signature, prepare(values, signature, _semantic), _semantic)

    return _named(implementation, name, signatures)


def composed(name: str, implementation: Any, *signatures: str, constants: Sequence[Any] = ()) -> Callable:
    """Define the function `name` with overloads by a function of the language.

    This function gets the arguments, the type of the result, and `constants`.
    """

    def call(*arguments: Any, _semantic: Any = None, _generator: Any = None) -> Any:
        values = [value_of(argument) for argument in arguments]
        signature = signatures[select_overload(name, signatures, values)]
        extra = [TYPES[parse_signature(signature)[1]], *constants]
        tensors = prepare(values, signature, _semantic)
        return _generator.call_JitFunction(implementation, [*tensors, *map(core.constexpr, extra)], kwargs={})

    return _named(call, name, signatures)


def unsupported(name: str, reason: str) -> Callable:
    """Define a function that fails when a kernel calls it."""

    def implementation(*arguments: Any, _semantic: Any = None) -> Any:
        raise errors.CompileError(f"`libdevice.{name}` is not supported on this target: {reason}")

    return _named(implementation, name, ())


def _named(implementation: Callable, name: str, signatures: Sequence[str]) -> Callable:
    implementation.__name__ = implementation.__qualname__ = name
    implementation.__doc__ = "; ".join(signatures) or None
    return core.extern(implementation)
