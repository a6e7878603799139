# SPDX-License-Identifier: MIT
"""The memory of the arguments of a launch: what is in it, and the same arguments in copies of it.

The unit is a region: the storages of tensors that overlap. A copy of it is at an address that has the same remainder
by the size of a page, so that whatever a kernel or a launch condition requires of addresses has the same answer.
"""

from __future__ import annotations

import copy
import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from triton_xe import errors

if TYPE_CHECKING:
    import torch

#: Bytes whose multiples an address and its copy differ by, and around a copy: a write there damages nothing else.
PAGE = 4096


class UnverifiableError(errors.TritonXeError):
    """A launch cannot be verified; the message states why."""


@dataclass(frozen=True)
class Tensor:
    """A tensor argument: `offset` is that of its first element, in bytes from the beginning of its region."""

    name: str
    #: The type of an element, as Triton's signature has it: `fp32`, `i64`.
    element: str
    region: int
    offset: int
    #: The name of the type in torch: `float32`.
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    #: The type of a `triton.reinterpret`, or an empty string.
    reinterpreted: str = ""

    def index_of(self, offset: int) -> tuple[int, ...] | None:
        """Return the index of the element at an offset in bytes from the first one; None if there is none."""
        itemsize = _dtype(self.dtype).itemsize
        position, remainder = divmod(offset, itemsize)
        if remainder or position < 0:
            return None
        index = [0] * len(self.shape)
        for dim in sorted(range(len(self.shape)), key=lambda each: -self.strides[each]):
            if self.strides[dim] > 0:
                index[dim] = min(position // self.strides[dim], self.shape[dim] - 1)
                position -= index[dim] * self.strides[dim]
        return tuple(index) if position == 0 and 0 not in self.shape else None

    @property
    def extent(self) -> tuple[int, int]:
        """Return where the bytes of its elements begin and end in the region."""
        if 0 in self.shape:
            return self.offset, self.offset
        last = sum((size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True))
        return self.offset, self.offset + (last + 1) * _dtype(self.dtype).itemsize


@dataclass(frozen=True)
class Descriptor:
    """A tensor descriptor of the host. `original` is as the user has made it, for all but its tensor."""

    base: Tensor | Value
    original: Any


@dataclass(frozen=True)
class Value:
    """An argument without memory."""

    value: Any


@dataclass(frozen=True)
class Tuple:
    """A tuple of arguments; `make` returns one of the same type."""

    elements: tuple[Any, ...]
    make: Callable[[Sequence[Any]], Any] = tuple


@dataclass
class Memory:
    """Copies of regions."""

    #: Each holds the bytes of a region between two pages.
    buffers: list[torch.Tensor] = field(default_factory=list)
    regions: list[torch.Tensor] = field(default_factory=list)

    def add(self, remainder: int, size: int, fill: Callable[[torch.Tensor], Any]) -> None:
        """Add a region of `size` bytes at an address with this remainder, and let `fill` fill it."""
        import torch

        try:
            buffer = torch.zeros(size + 3 * PAGE, dtype=torch.uint8)
        except (RuntimeError, MemoryError) as error:
            raise UnverifiableError(f"there is no memory for a copy of {size} bytes") from error
        begin = (remainder - buffer.data_ptr()) % PAGE + PAGE
        self.buffers.append(buffer)
        # Checks of accesses use the storage, which ends where the region does.
        self.regions.append(_bytes_at(buffer.data_ptr() + begin, size))
        fill(self.regions[-1])

    def clone(self) -> Memory:
        """Return copies of these copies."""
        other = Memory()
        for region in self.regions:
            other.add(region.data_ptr() % PAGE, region.numel(), lambda target, region=region: target.copy_(region))
        return other

    def arguments(self, described: Sequence[Any]) -> list[Any]:
        """Return arguments in this memory."""
        return [self._argument(each) for each in described]

    def _argument(self, described: Any) -> Any:
        if isinstance(described, Value):
            return described.value
        if isinstance(described, Tuple):
            return described.make(self.arguments(described.elements))
        if isinstance(described, Descriptor):
            descriptor = copy.copy(described.original)
            descriptor.base = self._argument(described.base)
            return descriptor
        return self._tensor(described)

    def _tensor(self, described: Tensor) -> Any:
        import torch

        dtype = _dtype(described.dtype)
        region = self.regions[described.region]
        if described.offset % dtype.itemsize:
            raise UnverifiableError(f"argument `{described.name}`: its address is no multiple of its elements' size")
        with torch.no_grad():
            tensor = torch.empty(0, dtype=dtype).set_(
                region.untyped_storage(), described.offset // dtype.itemsize, described.shape, described.strides
            )
        if not described.reinterpreted:
            return tensor
        from triton import language
        from triton.runtime.jit import TensorWrapper

        return TensorWrapper(tensor, language.dtype(described.reinterpreted))


class Snapshot:
    """The arguments of a launch, and the contents of their memory.

    `arguments` describes them. Raises UnverifiableError for memory of unknown extent.
    """

    def __init__(self, signature: Sequence[Any], names: Sequence[str], values: Sequence[Any]) -> None:
        self._found: list[tuple[int, int]] = []
        self._tensors: list[Any] = list(_tensors(signature, names, values))
        storages = {(each.untyped_storage().data_ptr(), each.untyped_storage().nbytes()) for each in self._tensors}
        for begin, size in sorted(storages):
            if self._found and begin < sum(self._found[-1]):
                first, known = self._found[-1]
                self._found[-1] = first, max(known, begin + size - first)
            elif size:
                self._found.append((begin, size))
        self.arguments = [
            self._describe(kind, name, value) for kind, name, value in zip(signature, names, values, strict=True)
        ]
        self.before = Memory()
        for (begin, size), region in zip(self._found, self.live(), strict=True):
            self.before.add(begin % PAGE, size, lambda target, region=region: target.copy_(region))

    @classmethod
    def of(cls, signature: Sequence[Any], names: Sequence[str], values: Sequence[Any]) -> Snapshot:
        """Return the snapshot of a launch whose arguments may be wrong, which the launch itself has better words for.

        Raises UnverifiableError for these, too.
        """
        try:
            return cls(signature, names, values)
        except (AttributeError, TypeError, ValueError, RuntimeError) as error:
            raise UnverifiableError(f"its arguments are not as expected: {error}") from error

    def live(self) -> list[torch.Tensor]:
        """Return the user's memory: tensors of bytes, which hold nothing alive."""
        return [_bytes_at(begin, size) for begin, size in self._found]

    def tensors(self) -> list[Tensor]:
        """Return all tensors among the arguments, those of descriptors too."""
        return list(tensors_of(self.arguments))

    def _describe(self, kind: Any, name: str, value: Any) -> Any:
        if isinstance(kind, tuple | list):
            names = [f"{name}[{index}]" for index in range(len(kind))]
            elements = [self._describe(*each) for each in zip(kind, names, value, strict=True)]
            # Named tuples take their elements one by one.
            return Tuple(tuple(elements), getattr(type(value), "_make", tuple))
        if str(kind).startswith("tensordesc"):
            element = re.match(r"tensordesc<(\w+)", kind)
            return Descriptor(self._describe_tensor(element[1] if element else "", name, value.base), value)
        if not str(kind).startswith("*") or value is None or isinstance(value, int):
            return Value(value)
        return self._describe_tensor(kind[1:].removeprefix("k"), name, value)

    def _describe_tensor(self, element: str, name: str, value: Any) -> Any:
        tensor = _plain(value)
        address, storage = tensor.data_ptr(), tensor.untyped_storage()
        begin, size = storage.data_ptr(), storage.nbytes()
        for number, (first, length) in enumerate(self._found):
            # The address of a tensor without elements is none.
            if size and tensor.numel() and first <= begin < first + length:
                return Tensor(
                    name, element, number, address - first, str(tensor.dtype).removeprefix("torch."),
                    tuple(tensor.shape), tuple(tensor.stride()),
                    str(value.dtype) if value is not tensor else "",
                )  # fmt: skip
        # Without elements: nothing can be read or written there.
        return Value(value)


def _tensors(kinds: Sequence[Any], names: Sequence[str], values: Sequence[Any]) -> Iterator[Any]:
    """Find the tensors among arguments. Raises UnverifiableError for addresses of memory that has no tensor."""
    for kind, name, value in zip(kinds, names, values, strict=True):
        if isinstance(kind, tuple | list):
            yield from _tensors(kind, [f"{name}[{index}]" for index in range(len(kind))], value)
            continue
        if str(kind).startswith("tensordesc"):
            value = value.base
        elif not str(kind).startswith("*"):
            continue
        if value is None or (isinstance(value, int) and value == 0):
            continue
        tensor = _plain(value)
        if not hasattr(tensor, "untyped_storage") or not hasattr(tensor, "shape"):
            raise UnverifiableError(f"argument `{name}` is an address: the extent of its memory is unknown")
        if tensor.device.type != "cpu":
            raise UnverifiableError(f"argument `{name}` is on another device")
        yield tensor


def _plain(value: Any) -> Any:
    """Return the tensor of torch of an argument: that of a `triton.reinterpret`, or the value itself."""
    if not hasattr(value, "untyped_storage") and hasattr(value, "base"):
        return value.base
    return value


def tensors_of(described: Sequence[Any]) -> Iterator[Tensor]:
    """Find the tensors among described arguments, those of descriptors too."""
    for each in described:
        if isinstance(each, Tensor):
            yield each
        elif isinstance(each, Descriptor):
            if isinstance(each.base, Tensor):
                yield each.base
        elif isinstance(each, Tuple):
            yield from tensors_of(each.elements)


def _bytes_at(address: int, size: int) -> torch.Tensor:
    """Return memory as a tensor of bytes, which does not hold it alive."""
    import torch

    return torch.frombuffer((ctypes.c_uint8 * size).from_address(address), dtype=torch.uint8)


def _dtype(name: str) -> torch.dtype:
    import torch

    return getattr(torch, name)
