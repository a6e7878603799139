# SPDX-License-Identifier: MIT
"""Chips are named by their products wherever a chip is expected, and documents list what the table has."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import triton
import triton.language as tl
import warm_python
from numerics import poisoned, random_tensor
from triton.backends.compiler import GPUTarget
from triton.compiler import make_backend

from triton_xe import errors, products, target
from triton_xe.tools.ahead_of_time import compilation
from triton_xe.tools.virtual_gpu import command, starting


@pytest.mark.parametrize(
    ("name", "chip"),
    [
        ("b580", "bmg"),
        ("B-580", "bmg"),
        ("Intel(R) Arc(TM) B580 Graphics", "bmg"),
        ("Arc Pro B60", "bmg"),
        ("Arc B390", "ptl"),
        ("a770", "dg2"),
        ("140V", "lnl"),
        ("max1550", "pvc"),
        ("Data Center GPU Max 1100", "pvc"),
        ("Flex 170", "dg2"),
        ("Battlemage", "bmg"),
        ("nova lake s", "nvl-s"),
        ("0xE20B", "bmg"),
        ("8086:0bda", "pvc"),
        ("8086:e223", "bmg"),
    ],
)
def test_products_name_chips(name, chip):
    assert target.resolve(name) is target.architectures()[chip]
    assert compilation.parse_target(name).arch == chip
    assert target.chip(name) == chip


def test_every_name_and_device_id_is_found():
    """No two products have the same short name, and no device id is one of two chips."""
    assert list(products.CHIPS) == list(target.architectures())
    ids = {}
    for name, chip in products.CHIPS.items():
        for product in chip.products:
            assert target.resolve(product.name).name == name
            assert products.find_chip(products.short_name(product.name)) == name
            assert product.virtual in ("", *starting.CHIPS)
        for id_ in {*chip.other_ids, *(id_ for product in chip.products for id_ in product.ids)}:
            assert ids.setdefault(id_, name) == name
            assert target.resolve(f"0x{id_:04x}").name == name
    names = [products.short_name(product.name) for chip in products.CHIPS.values() for product in chip.products]
    assert len(set(names)) == len(names)
    # A product's own series names the same chip to torch.xpu.
    assert all(target.resolve({"name": f"Intel(R) {product.name.replace('Arc', 'Arc(TM)')}"}).name == name
               for name, chip in products.CHIPS.items() for product in chip.products
               if "Flex" not in product.name)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("b581", "did you mean `b58"),
        ("bgm", "did you mean `bmg`?"),
        ("a777", "did you mean `a77"),
        ("Battlmage", "did you mean `battlemage` (bmg)?"),
        ("quantum", "found `quantum`"),
    ],
)
def test_unknown_names_suggest_the_nearest(name, advice):
    with pytest.raises(errors.OptionError, match=r"expected `pvc`, .*, or a product such as `b580`, found") as caught:
        target.resolve(name)
    assert advice in str(caught.value)
    assert ("did you mean" in str(caught.value)) == (name != "quantum")


@pytest.mark.parametrize("name", ["", " ", "\t"])
def test_empty_names_are_none(name):
    with pytest.raises(errors.OptionError, match="unknown architecture"):
        target.resolve(name)
    with pytest.raises(errors.OptionError, match="unknown architecture"):
        compilation.parse_target(name)
    assert target.resolve(f"{name}BMG{name}") is target.architectures()["bmg"]


@triton.jit
def double(x, y, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(y + at, tl.load(x + at) * 2)


def test_option_and_environment(monkeypatch):
    """A launch for a product is one for its chip, with the same key."""
    x, y = random_tensor((64,), torch.float32, seed=3), poisoned((64,), torch.float32)
    kernel = double[(1,)](x, y, 64, arch="Arc B580")
    assert (y == x * 2).all()
    assert kernel.metadata.arch == "bmg"
    backend = make_backend(GPUTarget("xpu", "pvc", 16))
    keys = {backend.parse_options({"arch": arch}).hash() for arch in ("bmg", "b580", "0xe20b")}
    assert len(keys) == 1
    monkeypatch.setenv("TRITON_XE_CPU_ARCH", "b580")
    assert triton.runtime.driver.active.get_current_target().arch == "bmg"


def test_virtual_gpus():
    """Each is named by the product that it represents, with its tiles."""
    parse = command._chip
    chips = [parse(name) for name in ("b580", " Max 1100", "Max 1550", "140V", "PVC2 ", "B390")]
    assert chips == ["bmg", "pvc", "pvc2", "lnl", "pvc2", "ptl"]
    with pytest.raises(Exception, match="expected one of bmg, pvc, pvc2, lnl, ptl, found 'a770'"):
        parse("a770")


def test_documents():
    """The tables of README.md and of the page for owners of a GPU are those of the module."""
    script = Path(__file__).parents[3] / "scripts" / "product_table.py"
    result = warm_python.run([sys.executable, script, "--check"])
    assert result.returncode == 0, result.stdout + result.stderr


def test_products_without_triton():
    """They are named where Triton cannot be imported, too."""
    code = "import sys; sys.modules['triton'] = None; from triton_xe import products; print(products.find_chip('b580'))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "bmg\n"), result.stderr


def test_products_of_virtual_gpus(capsys):
    """A name of another product is answered by what there is, and the table is that of the library."""
    source = Path(__file__).parents[3] / "third_party" / "intel" / "lib" / "VirtualGPU" / "Chips.cpp"
    ids = re.findall(r'\.name = "(\w+)",\s+\.product = "[^"]*",\s+\.deviceId = (\w+),', source.read_text())
    assert [name for name, _ in ids] == sorted(starting.CHIPS, key=[name for name, _ in ids].index)
    for name, id_ in ids:
        assert int(id_, 16) in products.find_product(starting.CHIPS[name]).ids
        assert command._chip(starting.CHIPS[name]) == name and capsys.readouterr().err == ""
    assert command._chip("b570") == "bmg"
    assert capsys.readouterr().err == "note: there is no virtual Arc B570; this is `bmg`, Arc B580\n"
    assert command._chip("max1450") == "pvc"
    assert "this is `pvc`, Data Center GPU Max 1100" in capsys.readouterr().err
    assert command._chip("8086:e212") == "bmg" and "Arc Pro B50" in capsys.readouterr().err
