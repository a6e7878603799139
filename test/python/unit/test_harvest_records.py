# SPDX-License-Identifier: MIT
"""Harvest files: whatever is in one, it is read or there is an error; and options give the same key again."""

from __future__ import annotations

import json
import os
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import needs_ocloc
from test_options import CHANGED
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend

from triton_xe import errors
from triton_xe.tools.harvest import command, records, specializations
from triton_xe.tools.harvest.records import Argument, Failure, Harvest, Launch, Specialization


def make(name: str = "add", key: str = "a" * 64, **changes) -> Specialization:
    values = {
        "name": name,
        "module": "__main__",
        "qualified_name": name,
        "file": "add.py",
        "line": 3,
        "source_hash": "b" * 64,
        "text_hash": "c" * 64,
        "source": {name: f"def {name}(x, n):\n    pass\n"},
        "signature": {"x": "*fp32", "n": "i32", "SIZE": "constexpr"},
        "constants": {"2": "64"},
        "attributes": {"0": [["tt.divisibility", 16]]},
        "ttir": "module {\n}\n",
        "options": {"num_warps": 8},
        "environment": {"A": "1"},
        "target": {"backend": "cpu", "arch": "pvc", "warp_size": 16},
        "triton_version": "3.7.1",
        "triton_key": "c" * 64,
        "key": key,
        "launch_conditions": [[0, [1, 2]]],
        "shared": 128,
    }
    return Specialization(**values | changes)


LAUNCH = Launch(
    (4, 1, 1),
    (
        Argument("tensor", "x", "float32", (1000,), (1,), 16),
        Argument("descriptor", "d", "bfloat16", (64, 64), (64, 1), 0, (16, 16), "nan"),
        Argument("scalar", "n", value=1000),
        Argument("constant", "SIZE", value={"repr": "fp16"}),
    ),
)


def lines_of(*specializations: Specialization) -> list[dict]:
    return list(records.lines(Harvest(list(specializations))))


def read_bytes(path, content: bytes) -> Harvest:
    path.write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return records.read_all([path])


def test_what_is_written_is_read(tmp_path):
    variant = make(key="d" * 64, variant_of="a" * 64, options={"nan_descriptors": [0]})
    written = Harvest([make(winner=True, launches=[LAUNCH]), variant], [Failure("mul", "e" * 64, "no TTIR")])
    records.write_all(tmp_path / "harvest", written)
    assert records.read_all([tmp_path / "harvest"]) == written
    assert [line["kind"] for line in records.lines(written)] == [
        "specialization", "winner", "launch", "specialization", "failure",
    ]  # fmt: skip
    assert os.listdir(tmp_path) == ["harvest"]


def test_files_are_merged(tmp_path):
    """Records of one key are joined in the order of their first appearance, as by `cat`."""
    other = Launch((1, 1, 1), ())
    records.write(tmp_path / "a", [make(launches=[LAUNCH]), make("mul", "f" * 64)])
    records.write(tmp_path / "b", [make("sub", "d" * 64), make(winner=True, launches=[other, LAUNCH])])
    merged = records.read([tmp_path / "a", tmp_path / "b"])
    assert [each.name for each in merged] == ["add", "mul", "sub"]
    assert merged[0].winner
    assert merged[0].launches == [LAUNCH, other]
    (tmp_path / "c").write_bytes((tmp_path / "a").read_bytes() + (tmp_path / "b").read_bytes())
    assert records.read([tmp_path / "c"]) == merged


def test_launches_of_unknown_kernels(tmp_path):
    records.append(tmp_path / "harvest", records.winner_line("a" * 64))
    with pytest.warns(UserWarning, match="1 kernels"):
        assert records.read([tmp_path / "harvest"]) == []


def test_killed_writer(tmp_path):
    """The line that a killed process leaves is skipped, wherever it ends, and spoils no other."""
    path = tmp_path / "harvest"
    (line,) = (json.dumps(line).encode() for line in lines_of(make("mul", "f" * 64)))
    for length in (1, 5, 20, 100, len(line) - 1):
        path.unlink(missing_ok=True)
        records.append(path, lines_of(make())[0])
        with path.open("ab") as file:
            file.write(line[:length])
        with pytest.warns(UserWarning, match=r"harvest:2: a line that is cut off is skipped"):
            assert [each.name for each in records.read([path])] == ["add"]
        records.append(path, lines_of(make("sub", "d" * 64))[0])
        with pytest.warns(UserWarning, match=r"harvest:2"):
            assert [each.name for each in records.read([path])] == ["add", "sub"]
    # Only the newline is missing.
    path.write_bytes(line)
    records.append(path, lines_of(make())[0])
    assert [each.name for each in records.read([path])] == ["mul", "add"]


def test_many_processes_write_one_file(tmp_path):
    path, count = tmp_path / "harvest", 16
    children = []
    for number in range(count):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                for each in range(20):
                    key = f"{number}-{each}"
                    records.append(path, lines_of(make(key=key, ttir=key * 5000))[0])
                    records.append(path, records.launch_line(key, LAUNCH))
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * count
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = records.read([path])
    assert {each.key for each in found} == {f"{number}-{each}" for number in range(count) for each in range(20)}
    assert all(each.ttir == each.key * 5000 and each.launches == [LAUNCH] for each in found)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x7fELF\x02\x01\x01\x00\xff\xfe", "expected JSON"),
        (b"\xff" * 100, "expected JSON"),
        (b"import triton\n", "expected JSON"),
        (b"[" * 100_000, "expected fewer levels"),
        (b"[1, 2]\n", "expected an object with `format` 1"),
        (b'{"format": 2, "kind": "winner"}\n', "expected an object with `format` 1"),
        (b'{"format": 1, "kind": "loser"}\n', "expected one of specialization, launch, winner, failure"),
        (b'{"format": 1, "kind": ["winner"]}\n', "expected one of"),
        (b'{"format": 1, "kind": "winner"}\n', "expected an object with `key`"),
        (b'{"format": 1, "kind": "winner", "key": ""}\n', "expected as `key` a text that is not empty"),
        (b'{"format": 1, "kind": "winner", "key": NaN}\n', "expected JSON without `NaN`"),
        (b'{"format": 1, "kind": "winner", "key": ' + b"9" * 5000 + b"}\n", "expected smaller numbers"),
        (b'{"format": 1, "kind": "launch", "key": "a", "grid": [1, 1], "arguments": []}', "a list of three integers"),
    ],
)
def test_files_that_are_no_harvest(tmp_path, content, reason):
    path = tmp_path / "harvest"
    (line,) = (json.dumps(line).encode() for line in lines_of(make()))
    with pytest.raises(errors.HarvestError, match=f"harvest:2: .*{reason}"):
        read_bytes(path, line + b"\n" + content)


def test_long_lines_are_not_read(tmp_path, monkeypatch):
    """A file without newlines must not fill the memory."""
    monkeypatch.setattr(records, "_MAX_LINE", 100)
    with pytest.raises(errors.HarvestError, match=r"harvest:1: .*expected less than 100 bytes"):
        read_bytes(tmp_path / "harvest", b" " * 1000)


def test_files_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(errors.HarvestError, match="cannot read"):
            records.read([path])


NASTY = [
    None, True, -1, 2**70, -(2**70), 1e308, "", "\ud800", "\x1b[31m\x00", [], {}, [[[]]], {"": None}, [None] * 3,
    ["\udfff"], {"\ud800": 1}, {"a": [2**80]},
]  # fmt: skip


@pytest.mark.parametrize("value", NASTY, ids=repr)
def test_wrong_parts(tmp_path, value):
    """Each part of each line is replaced, also those within arguments: there is an error, or the result is whole."""
    path = tmp_path / "harvest"
    original = lines_of(make(winner=True, launches=[LAUNCH]))
    accepted = 0
    for number, line in enumerate(original):
        places = [(line, name) for name in line]
        places += [(argument, name) for argument in line.get("arguments", ()) for name in argument]
        for owner, name in places:
            saved, owner[name] = owner[name], value
            content = "\n".join(map(json.dumps, original)).encode()
            owner[name] = saved
            try:
                found = read_bytes(path, content)
            except errors.HarvestError as error:
                assert f"harvest:{number + 1}:" in str(error)
                continue
            accepted += 1
            check_usable(tmp_path, found)
    assert accepted < sum(map(len, original))


def check_usable(folder, harvest: Harvest) -> None:
    """Records that were read can be written, read again, and shown."""
    records.write_all(folder / "again", harvest)
    assert records.read_all([folder / "again"]) == harvest
    assert all(each.describe().isprintable() for each in harvest.specializations)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files(tmp_path, data):
    """Bytes are cut off, changed or added anywhere: there is an error with a place, or the result is whole."""
    content = bytearray(b"\n".join(json.dumps(line).encode() for line in lines_of(make(launches=[LAUNCH]))))
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(content)))
        replaced = data.draw(st.integers(0, 40))
        content[position : position + replaced] = data.draw(
            st.one_of(st.binary(max_size=8), st.sampled_from([b"NaN", b"Infinity", b"1e999", b"[" * 3000, b"\n", b'"']))
        )
    try:
        found = read_bytes(tmp_path / "harvest", bytes(content))
    except errors.HarvestError as error:
        assert "harvest:" in str(error)
    else:
        check_usable(tmp_path, found)


def test_values():
    """Numbers that JSON does not have, subclasses and objects are shown, and read by every reader."""

    class Strange:
        def __repr__(self):
            raise RuntimeError

    deep = []
    for _ in range(200):
        deep = [deep]
    for value in (float("nan"), float("-inf"), 2**64, Strange(), deep, {1: 2}, b"bytes"):
        line = {"format": 1, "kind": "failure", "value": records.to_json(value)}
        assert json.loads(json.dumps(line, allow_nan=False)) == line
    assert records.to_json((1, (2.5, "a"), None, True)) == [1, [2.5, "a"], None, True]
    assert records.to_json(float("nan")) == {"repr": "nan"}
    assert "RuntimeError" in records.represent(Strange())


def test_selection():
    base, loser = make(winner=True, launches=[LAUNCH]), make(key="d" * 64)
    variant, variant_of_loser = make(key="e" * 64, variant_of="a" * 64), make(key="f" * 64, variant_of="d" * 64)
    other = make("mul", "1" * 64, launches=[LAUNCH])
    harvest = Harvest([base, loser, variant, variant_of_loser, other], [Failure("mul", "2" * 64, "no TTIR")])
    assert command.select(harvest, None) == harvest
    assert command.select(harvest, None, launched=True).specializations == [base, variant, other]
    assert command.select(harvest, None, winners=True).specializations == [base, variant]
    assert command.select(harvest, "m*") == Harvest([other], harvest.failures)
    assert command.select(harvest, "a*", launched=True) == Harvest([base, variant])


#: These options follow from the target, or change no code; `without_effect` has a separate test.
NOT_RECORDED = {"arch", "backend_name", "without_effect"}
VALUES = {name: value for name, value in CHANGED.items() if name not in NOT_RECORDED}
TARGETS = [GPUTarget("cpu", "pvc", 16), GPUTarget("xpu", "pvc", 16), GPUTarget("xpu", "bmg", 16)]


def check_round_trip(target: GPUTarget, given: dict) -> dict:
    """Return what is recorded of these options, which gives the same key."""
    backend = make_backend(target)
    expected = backend.parse_options(given)
    recorded = json.loads(json.dumps(specializations.minimize(backend, expected)))
    assert backend.parse_options(recorded).hash() == expected.hash()
    assert not NOT_RECORDED & recorded.keys()
    return recorded


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.backend}-{target.arch}")
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_ocloc if name == "generate_native_code" else ()) for name in VALUES]
)
def test_each_option_gives_its_key_again(target, name):
    check_round_trip(target, {name: VALUES[name]})


@settings(max_examples=60, deadline=None)
@given(
    target=st.sampled_from(TARGETS),
    names=st.sets(st.sampled_from(sorted(VALUES.keys() - {"generate_native_code", "grf_mode"}))),
)
def test_options_give_their_key_again(target, names):
    check_round_trip(target, {name: VALUES[name] for name in names})


def test_recorded_options_are_few():
    """An option that a backend adds by itself is not recorded, so that another backend adds what it needs."""
    cpu, xpu = TARGETS[:2]
    assert check_round_trip(cpu, {}) == {}
    assert check_round_trip(cpu, {"debug": True}) == {"debug": True}
    assert check_round_trip(cpu, {"num_warps": 8, "num_stages": 2}) == {"num_warps": 8}
    assert check_round_trip(xpu, {"debug": False, "grf_mode": "256"}) == {"grf_mode": "256"}
    assert check_round_trip(xpu, {"maxnreg": 128, "num_warps": 2}) == {"maxnreg": 128, "num_warps": 2}


def test_assertions_are_recorded(monkeypatch):
    """TTIR has them if kernels check themselves, and no other chip may take it for TTIR without them."""
    checked = {"debug": True, "sanitize_overflow": False}
    assert check_round_trip(TARGETS[0], {"cpu_checks": True}) == checked
    monkeypatch.setenv("TRITON_XE_CPU_DEBUG", "1")
    assert check_round_trip(TARGETS[0], {}) == checked
    assert check_round_trip(TARGETS[0], {"num_warps": 2, "debug": True}) == {"num_warps": 2, "debug": True}


def test_external_libraries_are_recorded(tmp_path):
    library = tmp_path / "library.bc"
    library.write_bytes(b"BC")
    recorded = check_round_trip(TARGETS[0], {"extern_libs": {"mine": str(library)}})
    assert recorded == {"extern_libs": [["mine", str(library)]]}
