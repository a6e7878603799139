# SPDX-License-Identifier: MIT
"""Write the tables of products in README.md and docs/get-started/intel-gpu.md from `triton_xe.products`.

.venv/bin/python scripts/product_table.py           # update the pages
.venv/bin/python scripts/product_table.py --check   # fail when they are not up to date
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import marked_tables

from triton_xe import products

ROOT = Path(__file__).resolve().parent.parent
#: Products in a row of the first table, at most; the second one has all.
FEW = {
    "pvc": "Data Center GPU Max 1100, 1550",
    "bmg": "Arc B570, B580, Pro B50, Pro B60",
    "lnl": "Arc 130V, 140V",
    "ptl": "Arc B370, B390",
    "dg2": "Arc A380, A580, A750, A770, Pro A60, Flex 170",
}


def write_summary() -> str:
    """Write one row for each chip, with what has run on it."""
    lines = [
        "| product | chip | compiles | on the simulator | by Intel's driver on the virtual GPU | on hardware |",
        "|---|---|---|---|---|---|",
    ]
    for name, chip in products.CHIPS.items():
        few = f"{FEW[name]} ({chip.code_name})" if name in FEW else chip.code_name
        lines.append(f"| {few} | `{name}` | yes | {chip.simulator} | {chip.virtual_gpu} | no |")
    return "\n".join(lines) + "\n"


def write_products() -> str:
    """Write one row for each product, with its device ids."""
    lines = ["| product | `arch=` | chip | device ids |", "|---|---|---|---|"]
    for name, chip in products.CHIPS.items():
        for product in chip.products:
            ids = ", ".join(f"`{id_:04x}`" for id_ in product.ids)
            lines.append(f"| {product.name} | `{products.short_name(product.name)}` | `{name}` | {ids} |")
        if chip.other_ids:
            ids = ", ".join(f"`{id_:04x}`" for id_ in chip.other_ids)
            lines.append(f"| {chip.code_name}, others | `{name}` | `{name}` | {ids} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Update or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    pages = {ROOT / "README.md": write_summary(), ROOT / "docs" / "get-started" / "intel-gpu.md": write_products()}
    found = [
        marked_tables.update(page, {"products": table}, script="product_table.py", check=check)
        for page, table in pages.items()
    ]
    return 0 if all(found) else 1


if __name__ == "__main__":
    sys.exit(main())
