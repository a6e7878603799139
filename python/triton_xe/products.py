# SPDX-License-Identifier: MIT
"""The products that have the chips, by the names and device ids that Intel's driver knows them by.

A chip is named by its product wherever the name of a chip is expected. The tables of README.md and of
docs/get-started/intel-gpu.md are written from here by `scripts/product_table.py`. Nothing of Triton is imported, so
that `triton-xe info` can name a GPU where Triton cannot be imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from triton_xe.suggestions import suggest as suggest_name

#: Names and device ids, unless a product names another source.
SOURCE = "devices_base.inl of Intel's compute runtime (github.com/intel/compute-runtime, MIT), 2026"
_PCI_IDS = "the PCI ID Repository (pci-ids.ucw.cz), 2026"


@dataclass(frozen=True)
class Product:
    """A GPU as it is sold."""

    #: The official name without `Intel(R)`, `(TM)` and `Graphics`.
    name: str
    ids: tuple[int, ...]
    #: The virtual GPU that has the product's properties, where that is not named as the chip.
    virtual: str = ""
    source: str = SOURCE


@dataclass(frozen=True)
class Chip:
    """A chip, what has it, and what has run there."""

    code_name: str
    products: tuple[Product, ...] = ()
    #: Device ids that the driver knows, and has no name for.
    other_ids: tuple[int, ...] = ()
    #: The chips that run as machine code on the simulator, and through Intel's driver on the virtual GPU.
    simulator: str = "no"
    virtual_gpu: str = "no"


CHIPS = {
    "pvc": Chip(
        "Ponte Vecchio",
        (
            Product("Data Center GPU Max 1100", (0x0BD9, 0x0BDA, 0x0BDB)),
            Product("Data Center GPU Max 1100C", (0x0B6E,)),
            Product("Data Center GPU Max 1350", (0x0BD7, 0x0BD8)),
            Product("Data Center GPU Max 1450", (0x0B69,)),
            Product("Data Center GPU Max 1550", (0x0BD5, 0x0BD6), virtual="pvc2"),
            Product("Data Center GPU Max 1550VG", (0x0BD4,), virtual="pvc2"),
        ),
        (0x0BD0,),
        simulator="whole suite",
        virtual_gpu="whole suite",
    ),
    "bmg": Chip(
        "Battlemage",
        (
            Product("Arc B570", (0xE20C,)),
            Product("Arc B580", (0xE209, 0xE20B)),
            Product("Arc Pro B50", (0xE212,)),
            Product("Arc Pro B60", (0xE211,)),
        ),
        (0xE202, 0xE20D, 0xE210, 0xE215, 0xE216, 0xE220, 0xE221, 0xE222, 0xE223),
        simulator="whole suite",
        virtual_gpu="whole suite",
    ),
    "lnl": Chip(
        "Lunar Lake",
        (Product("Arc 130V", (0x64A0,), source=_PCI_IDS), Product("Arc 140V", (0x64A0,), source=_PCI_IDS)),
        (0x6420, 0x64B0),
        simulator="yes",
        virtual_gpu="yes",
    ),
    "ptl": Chip(
        "Panther Lake",
        (Product("Arc B370", (0xB081, 0xB083)), Product("Arc B390", (0xB080, 0xB082))),
        (0xB084, 0xB085, 0xB086, 0xB087, 0xB08F, 0xB090, 0xB0A0, 0xB0B0, 0xFD80, 0xFD81),
        simulator="whole suite",
        virtual_gpu="yes",
    ),
    "nvl-s": Chip("Nova Lake S", (), (0xD740, 0xD741, 0xD742, 0xD743, 0xD744, 0xD745), simulator="yes"),
    "nvl-p": Chip("Nova Lake P"),
    "cri": Chip("Crescent Island", (), (0x674C,)),
    "dg2": Chip(
        "Alchemist",
        (
            Product("Arc A310 LP", (0x56A6,)),
            Product("Arc A310E", (0x56BB,)),
            Product("Arc A350M", (0x5694,)),
            Product("Arc A350E", (0x56BD,)),
            Product("Arc A370M", (0x5693,)),
            Product("Arc A370E", (0x56BC,)),
            Product("Arc A380", (0x56A5,)),
            Product("Arc A380E", (0x56BA,)),
            Product("Arc A530M", (0x5697,)),
            Product("Arc A550M", (0x5692,)),
            Product("Arc A570M", (0x5696,)),
            Product("Arc A580", (0x56A2,)),
            Product("Arc A580E", (0x56BF,)),
            Product("Arc A730M", (0x5691,)),
            Product("Arc A750", (0x56A1,)),
            Product("Arc A750E", (0x56BE,)),
            Product("Arc A760A", (0x56AF,)),
            Product("Arc A770", (0x56A0,)),
            Product("Arc A770M", (0x5690,)),
            Product("Arc Pro A30M", (0x56B0,)),
            Product("Arc Pro A40", (0x56B1,)),
            Product("Arc Pro A50", (0x56B1,)),
            Product("Arc Pro A60", (0x56B3,)),
            Product("Arc Pro A60M", (0x56B2,)),
            Product("Data Center GPU Flex 140", (0x56C1,)),
            Product("Data Center GPU Flex 170", (0x56C0,)),
            Product("Data Center GPU Flex 170V", (0x56C2,)),
        ),
        (*range(0x4F80, 0x4F89), 0x5695, 0x56A3, 0x56A4),
    ),
}

#: Words that make no difference between products, and marks.
_COMMON_WORDS = re.compile(r"\((?:r|tm)\)|\b(?:intel|arc|pro|lp|data|center|gpu|graphics)\b|[^a-z0-9]")
#: A device id as programs print it: `0xe20b`, `8086:e20b`.
_DEVICE_ID = re.compile(r"(?:8086:)?(?:0x)?([0-9a-f]{4})")


def clean(text: str) -> str:
    """Return what a name of a chip is compared by: neither case nor blanks around it make a difference."""
    return text.strip().lower()


def short_name(name: str) -> str:
    """Return the part of a product's name that distinguishes it from others: `b580`, `max1550`, `140v`."""
    return _COMMON_WORDS.sub("", name.lower())


_CODE_NAMES = {short_name(chip.code_name): name for name, chip in CHIPS.items()}
_PRODUCTS = {short_name(product.name): (name, product) for name, chip in CHIPS.items() for product in chip.products}
_IDS = {id_: name for name, chip in CHIPS.items() for id_ in chip.other_ids} | {
    id_: name for name, product in _PRODUCTS.values() for id_ in product.ids
}


def _device_id(text: str) -> int | None:
    match = _DEVICE_ID.fullmatch(clean(text))
    return int(match[1], 16) if match else None


def find_product(text: str) -> Product | None:
    """Return the product that a name or a device id refers to; None where it is that of a chip, or of several."""
    if found := _PRODUCTS.get(short_name(text)):
        return found[1]
    id_ = _device_id(text)
    fitting = [product for _, product in _PRODUCTS.values() if id_ in product.ids]
    return fitting[0] if len(fitting) == 1 else None


def find_chip(text: str) -> str | None:
    """Return the chip of a product, a code name or a device id; None if there is no such thing."""
    # Names first: `b580` could be the digits of an id, too.
    name = short_name(text)
    if chip := _PRODUCTS[name][0] if name in _PRODUCTS else _CODE_NAMES.get(name):
        return chip
    id_ = _device_id(text)
    return _IDS.get(id_) if id_ is not None else None


def find_virtual(text: str) -> str | None:
    """Return the virtual GPU that represents a product, or for another name of a chip; None if there is no such
    thing."""
    product = find_product(text)
    return (product.virtual if product else "") or find_chip(text)


def suggest(text: str, names: Iterable[str]) -> str:
    """Return `: did you mean ...?` with the name, of some or of a product, that is nearest to a text; otherwise an
    empty text."""
    known = {name: f"`{name}`" for name in names}
    known |= {name: f"`{name}` ({chip})" for name, (chip, _) in _PRODUCTS.items() if name not in known}
    known |= {name: f"`{name}` ({chip})" for name, chip in _CODE_NAMES.items() if name not in known}
    return suggest_name(short_name(text), known)


def describe_device(id_: int) -> str:
    """Return what a device id refers to; an empty text for GPUs without a chip of the table."""
    if id_ not in _IDS:
        return ""
    names = [product.name for _, product in _PRODUCTS.values() if id_ in product.ids]
    chip = _IDS[id_]
    return f"{' or '.join(names) or CHIPS[chip].code_name} ({chip})"
