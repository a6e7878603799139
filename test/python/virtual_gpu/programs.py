# SPDX-License-Identifier: MIT
"""Programs that tests run on the virtual GPU: `programs.py NAME SPIRV [DEVICE]` calls a function, which asserts."""

from __future__ import annotations

import ctypes
import errno
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from level_zero import DEVICE_LOST, Device, Failure, read_array, write_array

INT, FLOAT = ctypes.c_int32, ctypes.c_float


def _poisoned(device: Device, count: int) -> ctypes.c_void_p:
    """Return memory that both share, whose integers are no result."""
    memory = device.allocate("Shared", 4 * count)
    write_array(memory, INT, [-1234567] * count)
    return memory


def scale(device: Device, module: ctypes.c_void_p) -> None:
    """All kinds of memory, and copies between them."""
    count, kernel = 1000, device.find_kernel(module, "scale")
    values = [random.randrange(1000) / 8 for _ in range(count)]
    for kind in ("Device", "Shared", "Host"):
        staged, out = device.allocate("Host", 4 * count), device.allocate("Host", 4 * count)
        x, y = device.allocate(kind, 4 * count), device.allocate(kind, 4 * count)
        write_array(staged, FLOAT, values)
        device.copy(x, staged, 4 * count)
        device.launch(kernel, (16, 1, 1), (64, 1, 1), (x, y, FLOAT(2.5), INT(count)))
        device.wait()
        device.copy(out, y, 4 * count)
        assert read_array(out, FLOAT, count) == [value * 2.5 for value in values], kind


def ids(device: Device, module: ctypes.c_void_p) -> None:
    """Ids by hardware, which needs powers of two, and by the kernel itself."""
    kernel, groups = device.find_kernel(module, "ids"), (2, 3, 2)
    for local in ((8, 4, 2), (4, 16, 1), (4, 3, 5), (7, 1, 1), (1, 1, 32)):
        sizes = [a * b for a, b in zip(groups, local, strict=True)]
        out = _poisoned(device, sizes[0] * sizes[1] * sizes[2])
        device.launch(kernel, groups, local, (out,))
        device.wait()
        expected = []
        for z in range(sizes[2]):
            for y in range(sizes[1]):
                for x in range(sizes[0]):
                    item = x % local[0] + 100 * (y % local[1]) + 10000 * (z % local[2])
                    group = x // local[0] + 10 * (y // local[1]) + 100 * (z // local[2])
                    expected.append(item + 1000000 * group)
        assert read_array(out, INT, len(expected)) == expected, local


def reduce(device: Device, module: ctypes.c_void_p) -> None:
    """Shared local memory, as an argument, of different sizes."""
    kernel = device.find_kernel(module, "reduce")
    for local in (32, 256):
        groups = 6
        x, sums = _poisoned(device, groups * local), _poisoned(device, groups)
        values = [random.randrange(-1000, 1000) for _ in range(groups * local)]
        write_array(x, INT, values)
        device.call("zeKernelSetGroupSize", kernel, local, 1, 1)
        device.call("zeKernelSetArgumentValue", kernel, 2, ctypes.c_size_t(4 * local), None)
        device.launch(kernel, (groups, 1, 1), (local, 1, 1), (x, sums))
        device.wait()
        expected = [sum(values[i * local : (i + 1) * local]) for i in range(groups)]
        assert read_array(sums, INT, groups) == expected


def permute(device: Device, module: ctypes.c_void_p) -> None:
    """Private memory of more threads than take turns."""
    kernel, count, items = device.find_kernel(module, "permute"), 50, 4096
    order, out = _poisoned(device, count), _poisoned(device, items)
    permutation = random.sample(range(count), count)
    write_array(order, INT, permutation)
    device.launch(kernel, (items // 64, 1, 1), (64, 1, 1), (order, out, INT(count)))
    device.wait()
    for i, found in enumerate(read_array(out, INT, items)):
        mine = [0] * count
        for k, place in enumerate(permutation):
            mine[place] = k * 1000 + i
        total = 0
        for value in mine:
            total = total * 3 + value
        assert ctypes.c_int32(total).value == found, i


def count(device: Device, module: ctypes.c_void_p) -> None:
    """Atomic messages."""
    counter = _poisoned(device, 1)
    write_array(counter, INT, [5])
    device.launch(device.find_kernel(module, "count"), (64, 1, 1), (32, 1, 1), (counter,))
    device.wait()
    assert read_array(counter, INT, 1) == [5 + sum(range(2048))]


def chain(device: Device, module: ctypes.c_void_p) -> None:
    """Groups that wait for the one before."""
    turn = _poisoned(device, 1)
    write_array(turn, INT, [0])
    device.launch(device.find_kernel(module, "chain"), (20, 1, 1), (16, 1, 1), (turn,))
    device.wait()
    assert read_array(turn, INT, 1) == [20]


def meet(device: Device, module: ctypes.c_void_p) -> None:
    """More groups than take turns otherwise wait for each other; the smallest chip holds 512."""
    groups = 400
    count, seen = _poisoned(device, 1), _poisoned(device, groups)
    write_array(count, INT, [0])
    device.launch(device.find_kernel(module, "meet"), (groups, 1, 1), (16, 1, 1), (count, seen))
    device.wait()
    assert read_array(seen, INT, groups) == [i + 1 for i in range(groups)]


def times(device: Device, module: ctypes.c_void_p) -> None:
    """Events know when their kernels ran: one after the other, and each for some time."""
    kernel, counter, ends = device.find_kernel(module, "count"), _poisoned(device, 1), [0]
    for _ in range(3):
        event = device.make_event()
        device.launch(kernel, (64, 1, 1), (32, 1, 1), (counter,), event)
        # From Xe2 on the driver has a separate command for what follows a kernel with an event.
        device.launch(kernel, (1, 1, 1), (32, 1, 1), (counter,))
        device.call("zeEventHostSynchronize", event, ctypes.c_uint64(-1))
        begin, end = device.read_times(event)
        # Tiles begin on their own.
        assert ends[-1] <= begin < end
        ends.append(end)


def modelled(device: Device, module: ctypes.c_void_p) -> None:
    """Time is that of the work: double the work takes double the time, and copies take what their path gives."""
    kernel, x = device.find_kernel(module, "work"), _poisoned(device, 4096)
    found = []
    for steps in (1000, 2000):
        event = device.make_event()
        device.launch(kernel, (64, 1, 1), (64, 1, 1), (x, INT(steps)), event)
        device.wait()
        begin, end = device.read_times(event)
        found.append(end - begin)
    assert 1.9 < found[1] / found[0] < 2.1, found
    size = 16 << 20
    staged, big = device.allocate("Host", size), device.allocate("Device", 2 * size)
    for destination, source in ((big, staged), (staged, big), (ctypes.c_void_p(big.value + size), big)):
        event = device.make_event()
        device.copy(destination, source, size, event)
        device.call("zeEventHostSynchronize", event, ctypes.c_uint64(-1))
        begin, end = device.read_times(event)
        found.append(end - begin)
    print("ticks", *found)


def flips(device: Device, module: ctypes.c_void_p) -> None:
    """Kernels that need what groups at the other end have written, some of which take longer."""
    kernel, count, rounds = device.find_kernel(module, "flip"), 4096, 10
    x, y, out = (device.allocate(kind, 4 * count) for kind in ("Device", "Device", "Host"))
    for _ in range(5):
        values = [random.randrange(1 << 20) for _ in range(count)]
        write_array(out, INT, values)
        device.copy(x, out, 4 * count)
        for _ in range(rounds):
            device.launch(kernel, (count // 64, 1, 1), (64, 1, 1), (x, y, INT(count)))
            x, y = y, x
        device.wait()
        device.copy(out, x, 4 * count)
        assert read_array(out, INT, count) == [value + rounds for value in values]


def repeat(device: Device, module: ctypes.c_void_p) -> None:
    """Many launches without a wait in between, and pauses after which the driver submits again."""
    counter = _poisoned(device, 1)
    write_array(counter, INT, [0])
    kernel = device.find_kernel(module, "count")
    for _ in range(3):
        for _ in range(100):
            device.launch(kernel, (1, 1, 1), (2, 1, 1), (counter,))
        device.wait()
        ctypes.CDLL(None).usleep(30_000)
    assert read_array(counter, INT, 1) == [300]


def queues(device: Device, module: ctypes.c_void_p) -> None:
    """Two queues that wait for each other, many times before the program waits for both."""
    items, kernel = 64, device.find_kernel(module, "scale")
    buffers = [_poisoned(device, items) for _ in range(2)]
    write_array(buffers[0], FLOAT, list(range(items)))
    lists, before = [device.list, device.make_list()], None
    for step in range(20):
        device.list, event = lists[step % 2], device.make_event()
        x, y = buffers[step % 2], buffers[1 - step % 2]
        device.launch(kernel, (1, 1, 1), (items, 1, 1), (x, y, FLOAT(-2.0), INT(items)), event, before)
        before = event
    for device.list in lists:
        device.wait()
    device.list = lists[0]
    assert read_array(buffers[0], FLOAT, items) == [i * 2.0**20 for i in range(items)]


def skip(device: Device, module: ctypes.c_void_p) -> None:
    """Without execution kernels change nothing, and launches end nevertheless."""
    counter = _poisoned(device, 1)
    event = device.make_event()
    device.launch(device.find_kernel(module, "count"), (64, 1, 1), (32, 1, 1), (counter,), event)
    device.launch(device.find_kernel(module, "hang"), (1, 1, 1), (16, 1, 1), (counter,))
    device.wait()
    begin, end = device.read_times(event)
    assert end - begin == 1
    assert read_array(counter, INT, 1) == [-1234567]


def fault(device: Device, module: ctypes.c_void_p) -> None:
    """A page fault: the device is lost, and code that waits for it is notified."""
    out = _poisoned(device, 64)
    device.launch(device.find_kernel(module, "fault"), (4, 1, 1), (16, 1, 1), (out, ctypes.c_uint64(0x123450000)))
    try:
        device.wait()
    except Failure as failure:
        assert failure.status == DEVICE_LOST, failure
        return
    raise AssertionError("the launch was taken for one that has ended")


def race(device: Device, module: ctypes.c_void_p) -> None:
    """Sub-groups get in each other's way, which nothing but the checks sees: they take the device."""
    kernel, out, local = device.find_kernel(module, "race"), _poisoned(device, 128), 128
    device.call("zeKernelSetGroupSize", kernel, local, 1, 1)
    device.call("zeKernelSetArgumentValue", kernel, 1, ctypes.c_size_t(4 * local), None)
    device.launch(kernel, (1, 1, 1), (local, 1, 1), (out,))
    try:
        device.wait()
    except Failure as failure:
        assert failure.status == DEVICE_LOST, failure
        print("lost")


def leave(device: Device, module: ctypes.c_void_p) -> None:
    """The program ends while a kernel runs that does not."""
    stop = _poisoned(device, 1)
    write_array(stop, INT, [0])
    device.launch(device.find_kernel(module, "hang"), (1, 1, 1), (16, 1, 1), (stop,))


def vanish(device: Device, module: ctypes.c_void_p) -> None:
    """The process ends in the middle of a launch, without a message."""
    leave(device, module)
    os._exit(7)


def null(device: Device, module: ctypes.c_void_p) -> None:
    """A null pointer as an argument of a kernel."""
    kernel, x = device.find_kernel(module, "scale"), _poisoned(device, 64)
    device.launch(kernel, (1, 1, 1), (64, 1, 1), (x, ctypes.c_void_p(), FLOAT(2), INT(64)))
    try:
        device.wait()
    except Failure as failure:
        assert failure.status == DEVICE_LOST, failure
        return
    raise AssertionError("the launch was taken for one that has ended")


def close_twice(device: Device, module: ctypes.c_void_p) -> None:
    """A descriptor of the device that is closed twice, and used afterwards; another one goes on."""
    request = 0xC0286440  # DEVICE_QUERY
    opened = os.open("/dev/dri/renderD128", os.O_RDWR)
    for argument, expected in ((None, errno.EFAULT), (ctypes.create_string_buffer(40), 0)):
        ctypes.set_errno(0)
        ctypes.CDLL(None, use_errno=True).ioctl(opened, ctypes.c_ulong(request), argument)
        assert ctypes.get_errno() == expected, expected
    os.close(opened)
    try:
        os.close(opened)
    except OSError as error:
        assert error.errno == errno.EBADF
    else:
        raise AssertionError("a descriptor that was closed")
    scale(device, module)


def too_much(device: Device, _module: ctypes.c_void_p) -> None:
    """More memory than the chip has."""
    held = 0
    try:
        while held < 100:
            device.allocate("Device", 1 << 30)
            held += 1
    except Failure:
        # 95 % of the chip's memory are for programs.
        assert 10 <= held <= 48
        return
    raise AssertionError("100 GB are more than any chip has")


def fork(device: Device, module: ctypes.c_void_p) -> None:
    """A child has none of the queues; it ends, and its parent goes on."""
    scale(device, module)
    child = os.fork()
    if not child:
        os.close(os.open("/dev/dri/renderD128", os.O_RDWR))
        os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
    scale(device, module)


GOOD: tuple[Callable[[Device, ctypes.c_void_p], None], ...] = (
    scale, ids, reduce, permute, count, chain, meet, times, repeat, queues,
)  # fmt: skip
OTHERS = (fault, race, leave, vanish, null, close_twice, too_much, fork, skip, modelled, flips)
#: Programs that end without the driver, which looks every half second whether the device is lost, for each of what it
#: has. `fault` ends as usual.
SHORT = (race, null)


def main() -> int:
    """Run one program, or all of those that end well."""
    device = Device(int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    module = device.load(Path(sys.argv[2]).read_bytes())
    for program in (*GOOD, *OTHERS):
        if program.__name__ == sys.argv[1] or (sys.argv[1] == "good" and program in GOOD):
            program(device, module)
            print(program.__name__, "ok", flush=True)
            if program in SHORT:
                os._exit(0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
