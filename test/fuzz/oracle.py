# SPDX-License-Identifier: MIT
"""The memory that a launch leaves, computed with numpy, one program instance after the other.

The oracle also refuses launches that are not defined: an access outside of a buffer, a race of program instances, a
load of what was stored since the last barrier, an address of an accessed element that wraps around, a float that would
be rounded. Masks and bounds may wrap around, and so may addresses of elements that a mask excludes. A program that the
oracle accepts has one result, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from . import arithmetic
from .arithmetic import Rejected
from .constructs import OPERATIONS
from .programs import FLOATS, FP8, ITEM_SIZES, NUMPY_NAMES, Expr, Launch, Program, Slot, Stmt

#: Bytes of a buffer, whose middle is where tensors begin.
CAPACITY = 1 << 18
#: Addresses of one buffer and the next.
BUFFER_SHIFT = 40
#: Iterations of one loop.
MAX_TRIPS = 64
#: Operations whose operands are parts of an address if the result is, and those of them that move elements.
MOVES = ("expand", "spread", "trans", "reshape")
PARTS = (*MOVES, "add", "sub", "mul", "shl", "cast", "where", "ptradd")


class Left(Exception):
    """A program instance returns early."""


class NeedsBarrier(Rejected):
    """A statement reads or stores again what was stored since the last barrier."""

    def __init__(self, statement: Stmt) -> None:
        super().__init__("a barrier is missing")
        self.statement = statement


@dataclass
class Value:
    """Elements, and for pointers the tensors that they come from."""

    data: np.ndarray
    origins: frozenset[str] = frozenset()
    #: The parts of a block pointer or a descriptor: base, shape, strides, offsets, block.
    block: tuple | None = None
    #: Which elements are sums or products that have wrapped around, or are computed from such as parts of an address
    #: are; none if no element is.
    overflow: np.ndarray | None = None


def _values_of_8_bits() -> dict[str, np.ndarray]:
    """Return the values of floats of 8 bits, by their bits."""
    bits = np.arange(256)
    sign = np.where(bits >= 128, -1.0, 1.0)
    tables = {}
    for dtype, digits, bias in (("fp8e5", 2, 15), ("fp8e4nv", 3, 7)):
        exponent, fraction = (bits & 127) >> digits, (bits & ((1 << digits) - 1)) / (1 << digits)
        small = fraction * 2.0 ** (1 - bias)
        tables[dtype] = sign * np.where(exponent == 0, small, (1 + fraction) * 2.0 ** (exponent - bias))
    tables["fp8e5"][(bits & 127) == 0x7C] *= np.inf
    tables["fp8e5"][(bits & 127) > 0x7C] = np.nan
    tables["fp8e4nv"][(bits & 127) == 0x7F] = np.nan
    return tables


#: The values of floats of 8 bits, by type and bits.
FP8_VALUES = _values_of_8_bits()


def round_float(data: np.ndarray, dtype: str) -> np.ndarray:
    """Round to the nearest number of the type, to even if there are two; to NaN if floats of 8 bits lack the number."""
    if dtype == "fp64":
        return data
    if dtype in FP8:
        return np.where(np.isin(data, FP8_VALUES[dtype]), data, np.nan)
    if dtype == "bf16":
        bits = np.ascontiguousarray(data, np.float32).view(np.uint32).astype(np.uint64)
        bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16).astype(np.uint32)
        return bits.view(np.float32).astype(np.float64).reshape(np.shape(data))
    return data.astype(np.float16 if dtype == "fp16" else np.float32).astype(np.float64)


def encode(data: np.ndarray, dtype: str) -> np.ndarray:
    """Return elements as bytes, in a row for each."""
    if dtype in FP8:
        # Positive values are in the order of their bits, and NaNs are after all others.
        data = data.reshape(-1)
        bits = np.searchsorted(FP8_VALUES[dtype][:128], np.abs(data))
        return (bits | np.where(data < 0, 128, 0)).astype(np.uint8).reshape(-1, 1)
    if dtype == "bf16":
        raw = (np.ascontiguousarray(data, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    elif dtype in FLOATS:
        raw = np.ascontiguousarray(data, {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64}[dtype])
    else:
        raw = np.ascontiguousarray(data, NUMPY_NAMES[dtype])
    return raw.reshape(-1).view(np.uint8).reshape(-1, ITEM_SIZES[dtype])


def decode(raw: np.ndarray, dtype: str) -> np.ndarray:
    """Return the elements of bytes in a row: the inverse of `encode`."""
    raw = np.ascontiguousarray(raw)
    if dtype in FP8:
        return FP8_VALUES[dtype][raw]
    if dtype == "bf16":
        return (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if dtype in FLOATS:
        kind = {"fp16": np.float16, "fp32": np.float32, "fp64": np.float64}[dtype]
        return raw.view(kind).astype(np.float64)
    return raw.view(NUMPY_NAMES[dtype])


@lru_cache(maxsize=32)
def contents(seed: int, dtype: str) -> np.ndarray:
    """Return the bytes of a buffer before a launch: small whole numbers as floats, and mostly small integers.

    A launch requests them several times, and must not change them.
    """
    generator = np.random.default_rng(seed)
    count = CAPACITY // ITEM_SIZES[dtype]
    if dtype in FLOATS:
        return encode(np.arange(-4.0, 5.0), dtype)[generator.integers(0, 9, count, np.uint8)].reshape(-1)
    info = np.iinfo(NUMPY_NAMES[dtype])
    elements = generator.integers(0, 16, count, np.uint8).astype(NUMPY_NAMES[dtype])
    if dtype != "i32":
        # Tensors of i32 may hold the numbers of rows.
        large = generator.integers(info.min, info.max, count, NUMPY_NAMES[dtype], endpoint=True)
        elements = np.where(generator.integers(0, 2, count, np.uint8) == 0, elements, large)
    return encode(elements, dtype).reshape(-1)


@dataclass
class Buffer:
    """Memory, and the accesses to its elements."""

    dtype: str
    memory: np.ndarray
    writer: np.ndarray = field(init=False)
    reader: np.ndarray = field(init=False)
    #: The number of the barrier after which an element was stored last.
    epoch: np.ndarray = field(init=False)
    #: Number of the function of atomic operations on an element.
    atomic: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        count = CAPACITY // ITEM_SIZES[self.dtype]
        self.writer = np.full(count, -1, np.int32)
        self.reader = np.full(count, -1, np.int32)
        self.epoch = np.full(count, -1, np.int32)
        self.atomic = np.zeros(count, np.int8)


ATOMICS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip
#: The value in `Buffer.atomic` that means: one program instance alone has had the old value.
EXCLUSIVE = 100
#: The reader of an element that several program instances have read.
SEVERAL = -2


class Machine:
    """One launch, whose memory is in `buffers` afterwards. `touched` are the lowest and highest address by tensor."""

    def __init__(self, program: Program, launch: Launch, fill: int = 0) -> None:
        self.program, self.launch, self.fill = program, launch, fill
        dtypes: dict[int, str] = {}
        for slot in launch.slots:
            dtype = program.tensor(slot.tensor).dtype
            if dtypes.setdefault(slot.buffer, dtype) != dtype:
                raise Rejected("tensors of two types share a buffer")
        self.buffers = {n: Buffer(d, contents(launch.seed * 16 + n, d).copy()) for n, d in dtypes.items()}
        self.slots = {slot.tensor: slot for slot in launch.slots}
        for slot in launch.slots:
            names = program.tensor(slot.tensor).targets
            if names:
                addresses = self.buffers[slot.buffer].memory.view(np.int64)
                for i, name in enumerate(names):
                    addresses[i :: len(names)] = self.base_of(self.slots[name])
        self.touched: dict[str, tuple[int, int]] = {}
        self.values = dict(launch.values)
        self.variables: dict[str, Value] = {}
        self.instance, self.barriers = 0, 0
        #: Which elements of the last result have wrapped around.
        self.overflow: np.ndarray | None = None
        self.pid = (0, 0)
        self.statement: Stmt | None = None

    def run(self) -> None:
        """All program instances, in order."""
        self.touch_surfaces()
        with np.errstate(all="ignore"):
            for y in range(self.launch.grid[1]):
                for x in range(self.launch.grid[0]):
                    self.pid, self.variables = (x, y), {}
                    self.instance += 1
                    self.barriers += 1
                    with suppress(Left):
                        self.block(self.program.body)

    # ------------------------------------------------------------------------------------------------------------------
    # Statements
    # ------------------------------------------------------------------------------------------------------------------

    def block(self, body: tuple[Stmt, ...]) -> None:
        for one in body:
            self.statement = one
            getattr(self, f"do_{one.kind}")(one)

    def do_assign(self, s: Stmt) -> None:
        self.variables[s.name] = self.eval(s.exprs[0])

    def do_barrier(self, s: Stmt) -> None:
        self.barriers += 1

    def do_if(self, s: Stmt) -> None:
        self.block(s.body if bool(self.eval(s.exprs[0]).data) else s.other)

    def do_leave(self, s: Stmt) -> None:
        if bool(self.eval(s.exprs[0]).data):
            raise Left

    def do_assume(self, s: Stmt) -> None:
        if not np.all(self.eval(s.exprs[0]).data):
            raise Rejected("a promise that is not kept")

    do_assert = do_assume

    def do_for(self, s: Stmt) -> None:
        first, last, step = (int(self.eval(one).data) for one in s.exprs)
        trips = range(first, last, step)
        if len(trips) > MAX_TRIPS:
            raise Rejected("a long loop")
        for i in trips:
            self.variables[s.name] = Value(np.array(i, np.int32))
            self.block(s.body)

    def do_while(self, s: Stmt) -> None:
        count = 0
        while True:
            self.variables[s.name] = Value(np.array(count, np.int32))
            self.statement = s
            if count >= int(self.eval(s.exprs[0]).data) or not all(bool(self.eval(one).data) for one in s.exprs[1:]):
                return
            if count > MAX_TRIPS:
                raise Rejected("a long loop")
            self.block(s.body)
            count += 1

    def do_store(self, s: Stmt) -> None:
        value = self.eval(s.exprs[1])
        pointer, mask = self.address_of(s.exprs[0], s.exprs[2:], s.exprs[0].shape)
        data = np.broadcast_to(value.data, pointer.data.shape)
        self.write(pointer.data, data, mask, s.exprs[0].dtype[1:], pointer.origins)

    def do_bstore(self, s: Stmt) -> None:
        place, value = self.eval(s.exprs[0]), self.eval(s.exprs[1])
        address, inside = self.block_addresses(place, place.block[3], s.attrs[0])
        self.write(address, value.data, inside, element_type(s.exprs[0]), place.origins)

    def do_dstore(self, s: Stmt) -> None:
        place = self.eval(s.exprs[0])
        offsets = [int(self.exact(one)) for one in s.exprs[1:3]]
        address, inside = self.block_addresses(place, offsets, (0, 1))
        self.write(address, self.eval(s.exprs[3]).data, inside, element_type(s.exprs[0]), place.origins)

    def do_dscatter(self, s: Stmt) -> None:
        address, inside, place = self.gathered_rows(*s.exprs[:3])
        self.write(address, self.eval(s.exprs[3]).data, inside, element_type(s.exprs[0]), place.origins)

    def do_atomic(self, s: Stmt) -> None:
        function, used = s.attrs
        value = self.eval(s.exprs[1])
        compared = self.eval(s.exprs[2]).data if function == "cas" else None
        pointer, mask = self.address_of(s.exprs[0], s.exprs[2:] if compared is None else (), s.exprs[0].shape)
        data = np.broadcast_to(value.data, pointer.data.shape)[mask]
        dtype = s.exprs[0].dtype[1:]
        result = np.full(pointer.data.shape, self.fill, NUMPY_NAMES[dtype])
        buffer, index = self.locate(pointer.data[mask], dtype, pointer.origins)
        if buffer is not None:
            self.claim(buffer, index, function, used)
            rows = buffer.memory.reshape(-1, ITEM_SIZES[dtype])
            elements = decode(rows.reshape(-1), dtype).copy()
            result[mask] = elements[index]
            if compared is not None:
                elements[index] = np.where(elements[index] == compared.reshape(-1), data, elements[index])
            elif function == "xchg":
                elements[index] = data
            else:
                ATOMICS[function].at(elements, index, data)
            elements[index] = self.rounded(elements[index], dtype) if dtype in FLOATS else elements[index]
            rows[index] = encode(elements[index], dtype)
        if used:
            self.variables[s.name] = Value(result)

    def claim(self, buffer: Buffer, index: np.ndarray, function: str, used: bool) -> None:
        """Raises `Rejected` if elements depend on the order of atomic operations, or if their old values do."""
        code = EXCLUSIVE if used else 1 + list(ATOMICS).index(function)
        if np.any((buffer.atomic[index] != 0) & (buffer.atomic[index] != code)):
            raise Rejected("two kinds of atomic operations on one element")
        written = buffer.writer[index]
        if not used and np.any(written != -1):
            raise Rejected("an atomic operation on what is stored")
        if np.any(buffer.reader[index] != -1):
            raise Rejected("an atomic operation on what is loaded")
        if used:
            if len(np.unique(index)) != len(index) or np.any((written != -1) & (written != self.instance)):
                raise Rejected("an old value that depends on the order")
            if np.any((written != -1) & (buffer.atomic[index] == 0)):
                raise Rejected("an atomic operation on what is stored")
            if np.any((written == self.instance) & (buffer.epoch[index] == self.barriers)):
                raise NeedsBarrier(self.statement)
            buffer.writer[index] = self.instance
            buffer.epoch[index] = self.barriers
        buffer.atomic[index] = code

    # ------------------------------------------------------------------------------------------------------------------
    # Memory
    # ------------------------------------------------------------------------------------------------------------------

    def mask_of(self, exprs: tuple[Expr, ...], shape: tuple[int, ...]) -> np.ndarray:
        return np.broadcast_to(self.eval(exprs[0]).data, shape) if exprs else np.ones(shape, bool)

    def locate(self, address: np.ndarray, dtype: str, origins: frozenset[str]) -> tuple[Buffer | None, np.ndarray]:
        """Return the buffer, and the numbers of its elements."""
        if not address.size:
            return None, address
        numbers = np.unique(address >> BUFFER_SHIFT)
        if len(numbers) != 1 or int(numbers[0]) - 1 not in self.buffers:
            raise Rejected("an address outside of the buffers")
        number = int(numbers[0]) - 1
        offset = address - ((number + 1) << BUFFER_SHIFT)
        size = ITEM_SIZES[dtype]
        if offset.min() < 0 or offset.max() + size > CAPACITY:
            raise Rejected("an address outside of the buffer")
        for name in origins:
            if self.slots[name].buffer == number:
                low, high = self.touched.get(name, (1 << 60, -1))
                self.touched[name] = min(low, int(offset.min())), max(high, int(offset.max()) + size)
        return self.buffers[number], offset // size

    def read(
        self, address: np.ndarray, mask: np.ndarray, other: np.ndarray, dtype: str, origins: frozenset[str]
    ) -> np.ndarray:
        """Return elements, and `other` where the mask is false."""
        result = np.array(np.broadcast_to(other, address.shape), NUMPY_NAMES[dtype])
        numbers = address >> BUFFER_SHIFT
        several = np.unique(numbers[mask])
        if len(several) > 1:
            for number in several:
                result = self.read(address, mask & (numbers == number), result, dtype, origins)
            return result
        buffer, index = self.locate(address[mask], dtype, origins)
        if buffer is None:
            return result
        written = buffer.writer[index]
        if np.any((written != -1) & (written != self.instance)):
            raise Rejected("a race: a load of what another program stores")
        if np.any((written == self.instance) & (buffer.epoch[index] == self.barriers)):
            raise NeedsBarrier(self.statement)
        if np.any(buffer.atomic[index]):
            raise Rejected("a load of what atomic operations change")
        readers = buffer.reader[index]
        buffer.reader[index] = np.where((readers == -1) | (readers == self.instance), self.instance, SEVERAL)
        result[mask] = decode(buffer.memory.reshape(-1, ITEM_SIZES[dtype])[index].reshape(-1), dtype)
        return result

    def write(
        self, address: np.ndarray, data: np.ndarray, mask: np.ndarray, dtype: str, origins: frozenset[str]
    ) -> None:
        """Stores elements where the mask is true."""
        buffer, index = self.locate(address[mask], dtype, origins)
        if buffer is None:
            return
        data = data[mask]
        written, readers = buffer.writer[index], buffer.reader[index]
        if np.any((written != -1) & (written != self.instance)):
            raise Rejected("a race: two programs store one element")
        if np.any((readers != -1) & (readers != self.instance)):
            raise Rejected("a race: a store to what another program loads")
        if np.any(buffer.atomic[index]):
            raise Rejected("a store to what atomic operations change")
        if np.any((written == self.instance) & (buffer.epoch[index] == self.barriers)):
            raise NeedsBarrier(self.statement)
        raw = encode(data, dtype)
        buffer.memory.reshape(-1, ITEM_SIZES[dtype])[index] = raw
        if np.any(buffer.memory.reshape(-1, ITEM_SIZES[dtype])[index] != raw):
            raise Rejected("a store of two values to one element")
        buffer.writer[index] = self.instance
        buffer.epoch[index] = self.barriers

    def block_addresses(self, place: Value, offsets: list[int], checked: tuple) -> tuple[np.ndarray, np.ndarray]:
        """Return addresses of a block's elements, and which are inside of its shape."""
        base, shape, strides, _, block, size = place.block
        address = np.full(block, base, np.int64)
        inside = np.ones(block, bool)
        for axis in range(len(block)):
            index = (offsets[axis] + np.arange(block[axis], dtype=np.int64)).reshape(
                [-1 if a == axis else 1 for a in range(len(block))]
            )
            valid = (index >= 0) & (index < shape[axis])
            if axis in checked:
                inside &= valid
            elif not valid.all():
                raise Rejected("an unchecked element outside of the shape")
            address = address + index * strides[axis] * size
        return address, inside

    # ------------------------------------------------------------------------------------------------------------------
    # Expressions
    # ------------------------------------------------------------------------------------------------------------------

    def exact_value(self, e: Expr) -> Value:
        """Return the value of an expression that may not wrap around: parts of block pointers and descriptors."""
        value = self.eval(e)
        if value.overflow is not None and value.overflow.any():
            raise Rejected("a coordinate that wraps around")
        return value

    def address_of(self, e: Expr, masks: tuple[Expr, ...], shape: tuple[int, ...]) -> tuple[Value, np.ndarray]:
        """Return pointers and the mask of an access, whose addresses may not wrap around."""
        pointer, mask = self.eval(e), self.mask_of(masks, shape)
        if pointer.overflow is not None and np.any(np.broadcast_to(pointer.overflow, shape) & mask):
            raise Rejected("an address that wraps around")
        return pointer, mask

    def exact(self, e: Expr) -> np.ndarray:
        return self.exact_value(e).data

    def rounded(self, data: np.ndarray, dtype: str) -> np.ndarray:
        """Returns the numbers as they are; raises `Rejected` if the type cannot hold one of them."""
        result = round_float(data, dtype)
        if not np.array_equal(result, data) or not np.all(np.abs(data) < 2.0**60):
            raise Rejected("a float that is rounded")
        return result

    def eval(self, e: Expr) -> Value:
        special = getattr(self, f"eval_{e.op.replace(' ', '_')}", None)
        if special:
            return special(e)
        values = [self.eval(one) for one in e.args]
        compute = OPERATIONS[e.op][1] if e.op in OPERATIONS else arithmetic.compute
        self.overflow = None
        data = np.asarray(compute(self, e, [one.data for one in values]))
        overflow, self.overflow = self.overflow, None
        origins = frozenset(e.attrs) if e.op == "address" else frozenset()
        return Value(
            data, origins.union(*(one.origins for one in values)), None, self.follow(e, values, data.shape, overflow)
        )

    def follow(
        self, e: Expr, values: list[Value], shape: tuple[int, ...], overflow: np.ndarray | None
    ) -> np.ndarray | None:
        """Return which elements of a result have wrapped around, here or in a part of an address that they may be."""
        before = [one.overflow for one in values]
        if e.op not in PARTS or all(one is None for one in before):
            return overflow
        if e.op in MOVES:
            return np.asarray(arithmetic.compute(self, e, before))
        found = [one for one in (overflow, *before) if one is not None]
        return np.any([np.broadcast_to(one, shape) for one in found], axis=0)

    def eval_const(self, e: Expr) -> Value:
        return Value(np.array(e.attrs[0], NUMPY_NAMES[e.dtype]))

    def eval_full(self, e: Expr) -> Value:
        return Value(np.full(e.shape, e.attrs[0], NUMPY_NAMES[e.dtype]))

    def eval_arg(self, e: Expr) -> Value:
        return Value(np.array(self.values[e.attrs[0]], np.int32))

    def eval_var(self, e: Expr) -> Value:
        if e.attrs[0] not in self.variables:
            raise Rejected("a variable without a value")
        return self.variables[e.attrs[0]]

    def eval_pid(self, e: Expr) -> Value:
        return Value(np.array(self.pid[e.attrs[0]], np.int32))

    def eval_range(self, e: Expr) -> Value:
        return Value(np.arange(e.shape[0], dtype=np.int32))

    def base_of(self, slot: Slot) -> int:
        size = ITEM_SIZES[self.program.tensor(slot.tensor).dtype]
        return ((slot.buffer + 1) << BUFFER_SHIFT) + CAPACITY // 2 + slot.offset * size

    def eval_tensor(self, e: Expr) -> Value:
        name = e.attrs[0]
        slot, tensor = self.slots[name], self.program.tensor(name)
        base, origins = self.base_of(slot), frozenset({name})
        if tensor.block:
            rows, columns, pitch = slot.surface
            size = ITEM_SIZES[tensor.dtype]
            block = (base, (rows, columns), (pitch, 1), None, tensor.block, size)
            return Value(np.zeros(()), origins, block)
        return Value(np.array(base, np.int64), origins)

    def touch_surfaces(self) -> None:
        """All memory of a descriptor of the host belongs to its tensor, whether the kernel reads it or not."""
        for slot in self.launch.slots:
            tensor = self.program.tensor(slot.tensor)
            if tensor.block:
                base, size = self.base_of(slot), ITEM_SIZES[tensor.dtype]
                if (base | slot.surface[2] * size | self.launch.misalignment) % 16:
                    raise Rejected("a descriptor that the language does not allow")
                self.touch_surface(slot.tensor, base, *slot.surface, size)

    def touch_surface(self, name: str, base: int, rows: int, columns: int, pitch: int, size: int) -> None:
        """Everything that a descriptor describes belongs to its tensor."""
        low = base & ((1 << BUFFER_SHIFT) - 1)
        high = low + max(0, (rows - 1) * pitch + columns) * size
        if high > CAPACITY:
            raise Rejected("a descriptor outside of the buffer")
        before = self.touched.get(name, (1 << 60, -1))
        self.touched[name] = min(low, before[0]), max(high, before[1])

    def eval_ptradd(self, e: Expr) -> Value:
        pointer, offset = self.eval(e.args[0]), self.eval(e.args[1])
        data = pointer.data + offset.data.astype(np.int64) * ITEM_SIZES[e.dtype[1:]]
        return Value(data, pointer.origins, None, self.follow(e, [pointer, offset], data.shape, None))

    def eval_load(self, e: Expr) -> Value:
        statement = self.statement
        pointer, mask = self.address_of(e.args[0], e.args[1:2], e.shape)
        other = self.eval(e.args[2]).data if len(e.args) > 2 else np.array(self.fill)
        self.statement = statement
        return Value(self.read(pointer.data, mask, other, e.dtype, pointer.origins))

    def eval_call_load(self, e: Expr) -> Value:
        """Return the largest of 16 elements, as the function that a kernel calls has it."""
        pointer, first = self.eval(e.args[0]), self.exact(e.args[1])
        dtype = e.args[0].dtype[1:]
        address = pointer.data + (int(first) + np.arange(16, dtype=np.int64)) * ITEM_SIZES[dtype]
        found = self.read(address, np.ones(16, bool), np.array(0), dtype, pointer.origins)
        return Value(np.asarray(arithmetic.convert(found, e.dtype).max()))

    def eval_mkblock(self, e: Expr) -> Value:
        base = self.eval(e.args[0])
        m, n, s0, s1, o0, o1 = (int(self.exact(one)) for one in e.args[1:])
        size = ITEM_SIZES[e.args[0].dtype[1:]]
        return Value(np.zeros(()), base.origins, (int(base.data), (m, n), (s0, s1), [o0, o1], e.attrs[0], size))

    def eval_advance(self, e: Expr) -> Value:
        place = self.eval(e.args[0])
        base, shape, strides, offsets, block, size = place.block
        moved = [offset + int(self.exact(one)) for offset, one in zip(offsets, e.args[1:], strict=True)]
        return Value(place.data, place.origins, (base, shape, strides, moved, block, size))

    def eval_bload(self, e: Expr) -> Value:
        place = self.eval(e.args[0])
        address, inside = self.block_addresses(place, place.block[3], e.attrs[0])
        return Value(self.read(address, inside, np.array(0), e.dtype, place.origins))

    def eval_mkdesc(self, e: Expr) -> Value:
        base = self.eval(e.args[0])
        m, n, pitch = (int(self.exact(one)) for one in e.args[1:])
        size = ITEM_SIZES[e.args[0].dtype[1:]]
        if (int(base.data) + self.launch.misalignment) % 16 or (pitch * size) % 16 or m < 1 or n < 1 or pitch < n:
            raise Rejected("a descriptor that the language does not allow")
        for name in base.origins:
            self.touch_surface(name, int(base.data), m, n, pitch, size)
        return Value(np.zeros(()), base.origins, (int(base.data), (m, n), (pitch, 1), None, e.attrs[0], size))

    def eval_dgather(self, e: Expr) -> Value:
        address, inside, place = self.gathered_rows(*e.args)
        return Value(self.read(address, inside, np.array(0), e.dtype, place.origins))

    def gathered_rows(self, descriptor: Expr, rows: Expr, column: Expr) -> tuple[np.ndarray, np.ndarray, Value]:
        """Return addresses of rows of a descriptor, which elements are inside of it, and the descriptor."""
        place = self.eval(descriptor)
        numbers, first = self.exact(rows).astype(np.int64)[:, None], int(self.exact(column))
        base, (m, n), (pitch, _), _, block, size = place.block
        columns = first + np.arange(block[1], dtype=np.int64)[None, :]
        inside = (numbers >= 0) & (numbers < m) & (columns >= 0) & (columns < n)
        return base + (numbers * pitch + columns) * size, inside, place

    def eval_dload(self, e: Expr) -> Value:
        place = self.eval(e.args[0])
        offsets = [int(self.exact(one)) for one in e.args[1:]]
        address, inside = self.block_addresses(place, offsets, (0, 1))
        return Value(self.read(address, inside, np.array(0), e.dtype, place.origins))


def element_type(place: Expr) -> str:
    """Returns the type that a pointer, a block pointer or a descriptor points to."""
    return place.dtype[1:] if place.dtype[0] == "*" else place.dtype.partition(":")[2]
