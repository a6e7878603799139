# SPDX-License-Identifier: MIT
"""Options and fixtures of all Python tests."""

from __future__ import annotations

import ast
import ctypes
import gc
import hashlib
import itertools
import os
import shutil
import signal
import sys
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import instruction_sets
import pytest
import sanitizers
import warm_ocloc
from triton.runtime import JITFunction

from triton_xe import _compiler, device_compiler, errors, versions

# Tables cut their lines to the width of the terminal: tests see the same one everywhere.
os.environ["COLUMNS"] = "160"
# torch, which nothing has imported yet, computes small things here, and there is a process of tests for each processor
# already: more threads would mostly wait for each other, which they do without sleeping.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Inductor compiles in the process that needs the kernel: to start one that compiles, which imports torch and Inductor
# again, takes longer than the few kernels of a test. Tests of such processes set the number themselves.
os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")

# Queried from the language as the wheel has it.
FEATURES = versions.features()
if not versions.has_block_pointers():
    import triton_xe.block_pointers  # noqa: F401


def pytest_report_header(config):
    return instruction_sets.describe()


#: The folder of files in memory, how much memory has to be free, and the names of folders in it before their process.
MEMORY, ROOM, NAME = Path("/dev/shm"), 4 << 30, "triton-xe-tests-"
#: The folder of each process with the kernels that it has compiled.
KERNELS = "triton-cache"


def has_room_in_memory() -> bool:
    """Check that the files of all tests fit into memory, and that programs run from there."""
    try:
        system = os.statvfs(MEMORY)
        (line,) = (one for one in Path("/proc/meminfo").read_text().splitlines() if one.startswith("MemAvailable:"))
    except (OSError, ValueError):
        return False
    free = min(system.f_bavail * system.f_frsize, int(line.split()[1]) << 10)
    return os.access(MEMORY, os.W_OK) and not system.f_flag & os.ST_NOEXEC and free >= ROOM


def remove_files_of_ended_runs() -> None:
    """Remove the folders of runs that failed, or were killed: they would stay in memory."""
    for folder in MEMORY.glob(f"{NAME}*"):
        if not Path("/proc", folder.name.removeprefix(NAME)).exists():
            shutil.rmtree(folder, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    # Triton makes and removes a folder for each of the seven files of a kernel. On a disk that can take a quarter of
    # the time of a compilation, and to remove the files of the last runs can take minutes.
    if config.option.basetemp is None and has_room_in_memory():
        remove_files_of_ended_runs()
        config.option.basetemp = str(MEMORY / f"{NAME}{os.getpid()}")
        # A run that is ended from outside removes its files, too. Tests that run in this process may fork processes,
        # which would inherit the handler.
        if config.getoption("numprocesses", None):
            signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sanitizers.LOADED:
        sanitizers.collect_reports()
    config.addinivalue_line("markers", "full: takes long; runs with --full only")
    config.addinivalue_line(
        "markers", "pairwise: without --full, runs with enough sets of parameters that each two values meet in one"
    )
    config.addinivalue_line("markers", "instruction_sets: also runs with the other instruction sets of the machine")
    config.addinivalue_line("markers", "opencl: also runs on Intel's OpenCL runtime")
    config.addinivalue_line("markers", "needs(feature): runs where Triton has it (triton_xe.versions.features)")
    config.addinivalue_line("markers", "conformance: small; also runs with every other Triton in the tested range")
    config.addinivalue_line("markers", "newest_torch: runs with the newest torch, too")
    config.addinivalue_line(
        "markers", "shows(feature, *ways, remark): a row of docs/Inductor.md; ways are forward, backward and dynamic"
    )
    config.addinivalue_line("markers", "covers(names, element_types): operations of the language that a test checks")


def pairs_of_parameters(item: pytest.Item) -> set:
    """Return each of an item's sets of parameters and each two of them, by name: one set of each `parametrize`."""
    values = list(enumerate(item.callspec._idlist))
    return {*itertools.combinations(values, 1), *itertools.combinations(values, 2)}


def cover_pairs(items: list) -> list:
    """Return a few items of one test that have all pairs of values that there are: always the one with most new ones.

    The number of parameters multiplies, but what goes wrong rarely takes more than two of them.
    """
    missing = {item: pairs_of_parameters(item) for item in items}
    chosen = set()
    while missing:
        best = max(missing, key=lambda item: len(missing[item]))
        covered = missing.pop(best)
        chosen.add(best)
        missing = {item: rest for item, pairs in missing.items() if (rest := pairs - covered)}
    return [item for item in items if item in chosen]


def keep_pairs(items: list) -> list:
    """Return the items without those that tests marked `pairwise` have only for `--full`."""
    tests = defaultdict(list)
    for item in items:
        if item.get_closest_marker("pairwise"):
            tests[item.nodeid.partition("[")[0]].append(item)
    chosen = {item for group in tests.values() for item in cover_pairs(group)}
    return [item for item in items if item in chosen or not item.get_closest_marker("pairwise")]


def sample(items: list, share: int) -> list:
    """Return one in `share` of the items of each test, and at least one.

    Which ones, their names decide: every n-th one would be of one element type where there are n.
    """
    tests = defaultdict(list)
    for item in items:
        tests[item.nodeid.partition("[")[0]].append(item)
    chosen = set()
    for group in tests.values():
        group.sort(key=lambda item: zlib.crc32(item.nodeid.encode()))
        chosen.update(group[: -(-len(group) // share)])
    return [item for item in items if item in chosen]


def names_conformance(path: Path) -> bool:
    """Check that a file gives tests the mark itself."""
    return "pytest.mark.conformance" in path.read_text()


def pytest_ignore_collect(collection_path, config):
    """Leave out files without such tests: to collect them would take as long as a third of these tests."""
    if config.getoption("markexpr") == "conformance" and collection_path.suffix == ".py":
        return None if names_conformance(collection_path) else True
    return None


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items) -> Iterator[None]:
    # A mark from another file would be lost where files without it are left out.
    for path in {item.path for item in items if item.get_closest_marker("conformance")}:
        if not names_conformance(path):
            raise pytest.UsageError(f"{path} has tests for other Tritons, but does not name `pytest.mark.conformance`")
    # Deselected, not skipped: a skip in the report means that something is missing.
    missing = {feature.name for feature in FEATURES if not feature.present}

    def is_wanted(item) -> bool:
        if item.get_closest_marker("full") and not config.getoption("--full"):
            return False
        return not any(marker.args[0] in missing for marker in item.iter_markers("needs"))

    def keep(wanted: list) -> None:
        unwanted = set(items).difference(wanted)
        if unwanted:
            config.hook.pytest_deselected(items=[item for item in items if item in unwanted])
            items[:] = wanted

    keep(list(filter(is_wanted, items)))
    if not config.getoption("--full"):
        keep(keep_pairs(items))
    # Now pytest's own options select.
    yield
    keep(sample(items, config.getoption("--one-in")))


def freeze_objects() -> None:
    """Remove garbage, and search no more for it among the objects that are left: they stay."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Search for no garbage while tests are collected: thousands of objects come, and none of them goes."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        # Every 700 objects, which is the default, most of those found are in use, and are looked at repeatedly.
        gc.set_threshold(10_000)


def pytest_collection_finish():
    """Freeze the objects that exist: every later search for garbage would look through thousands of tests again."""
    freeze_objects()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item) -> Iterator[None]:
    # Tests of numbers run for chips that the CPU device emulates and the simulator does not, and with f64 for chips
    # that have none.
    try:
        yield
    except (errors.BinaryError, errors.ToolError) as error:
        if os.environ.get("TRITON_XE_CPU_RUNTIME") == "simulator":
            if "graphics IP" in str(error):
                pytest.skip("the simulator does not decode this chip (docs/Simulator.md lists those that it does)")
            if "Double type is not supported" in str(error):
                pytest.skip("this chip has no instructions for f64, so that no machine code exists")
        raise


def pytest_sessionfinish(session):
    if sanitizers.LOADED and sanitizers.reports():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_unconfigure(config):
    """Remove the files of this run; those of its workers are among them. Files of tests that failed stay.

    pytest removes the files of a test that passes when it ends (`tmp_path_retention_policy`).
    """
    session = config.pluginmanager.get_plugin("session")
    if config.option.basetemp == str(MEMORY / f"{NAME}{os.getpid()}"):
        folder = Path(config.option.basetemp)
        has_failures = getattr(session, "testsfailed", 0)
        for unneeded in list(folder.rglob(f"{KERNELS}*")) if has_failures else [folder]:
            shutil.rmtree(unneeded, ignore_errors=True)


def pytest_terminal_summary(terminalreporter):
    if sanitizers.LOADED:
        for report in sanitizers.reports():
            terminalreporter.section("report of a sanitizer")
            terminalreporter.write_line(report)


@pytest.fixture(scope="session", autouse=True)
def kernel_cache(tmp_path_factory):
    """A cache of this run's own: no test may pass because of a kernel compiled earlier."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp(KERNELS)))
        yield


@pytest.fixture(scope="session", autouse=True)
def object_codes():
    """Object code of the same LLVM IR is emitted once: one in five kernels has that of one before.

    Two processes emit the same code, and so do two threads (e2e/test_determinism.py, e2e/test_threads.py).
    """
    emit = _compiler.translate_to_object
    results: dict[tuple, tuple[str, bytes]] = {}

    def emit_once(llvm_ir: str, *options, **named):
        key = (hashlib.blake2b(llvm_ir.encode()).digest(), options, tuple(sorted(named.items())))
        if key not in results:
            results[key] = emit(llvm_ir, *options, **named)
        return results[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_compiler, "translate_to_object", emit_once)
        yield emit


@pytest.fixture
def emits_again(object_codes, monkeypatch):
    """Object code is emitted for each compilation of the test."""
    monkeypatch.setattr(_compiler, "translate_to_object", object_codes)


@pytest.fixture(scope="session", autouse=True)
def warm_device_compiler():
    """The device compiler stays loaded: to start it takes twice as long as it takes for most kernels."""
    compilers = warm_ocloc.Compilers(device_compiler._run)
    with pytest.MonkeyPatch.context() as patch:
        # The libraries of the sanitizers have to be loaded before all others.
        if not sanitizers.LOADED:
            patch.setattr(device_compiler, "_run", compilers.run)
        yield compilers
    compilers.end()


@pytest.fixture(scope="module", autouse=True)
def forget_kernels():
    """Kernels keep the text of every stage as long as the process lives: a thousand of them are a lot of memory."""
    yield
    tests = str(Path(__file__).parent)
    for module in list(sys.modules.values()):
        if not str(getattr(module, "__file__", None)).startswith(tests):
            continue
        for value in list(vars(module).values()):
            if isinstance(value, JITFunction):
                value.device_caches.clear()
    freeze_objects()
    ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture
def one_parser(monkeypatch):
    """Threads parse one after the other: CPython 3.11 counts the depth of a syntax tree for all of them at once.

    Now and then that is a SystemError ("AST constructor recursion depth mismatch", python/cpython#106905).
    """
    lock, parse = threading.Lock(), ast.parse

    def parse_alone(*arguments, **keywords):
        with lock:
            return parse(*arguments, **keywords)

    monkeypatch.setattr(ast, "parse", parse_alone)


@pytest.fixture
def on_native(monkeypatch):
    """Kernels that the test compiles run on the package's own runtime."""
    monkeypatch.delenv("TRITON_XE_CPU_RUNTIME", raising=False)


@pytest.fixture
def on_opencl(monkeypatch):
    """Kernels that the test compiles run on Intel's OpenCL runtime. Triton keeps what was compiled before."""
    monkeypatch.setenv("TRITON_XE_CPU_RUNTIME", "opencl")
