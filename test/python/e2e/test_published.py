# SPDX-License-Identifier: MIT
"""The table of docs/Simulator.md with measurements of others is what the script makes that it names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from support import needs_ocloc

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))

import published

from triton_xe.tools.report import hardware

#: Measurements that take little time: a stream, and a product with few rows.
CHEAP = ((10, published.MEASUREMENTS[9]), (19, published.MEASUREMENTS[18]))


def read_rows() -> list[str]:
    return published.find_table(published.PAGE.read_text())[1].splitlines()


@needs_ocloc
@pytest.mark.parametrize(("number", "each"), CHEAP, ids=["copy", "8 rows"])
def test_rows_are_measured_again(number: int, each: published.Measurement) -> None:
    """`benchmarks/published.py --write` makes all of them."""
    assert published.describe(number, each, published.model(each)) in read_rows()


def test_all_measurements_are_there() -> None:
    """Each has a row with its number, value and source, and each source is named."""
    rows = read_rows()
    assert len(published.MEASUREMENTS) >= 20
    for number, each in enumerate(published.MEASUREMENTS, 1):
        row = next(line for line in rows if line.startswith(f"| {number} |"))
        assert f"| {each.value:.4g} {each.unit} | {each.software} | {each.source} |" in row
        # No measurement is beyond what the data sheet allows.
        assert 0 < each.value < published.get_peak(each) * 1.001
    for name, text in published.SOURCES.items():
        assert f"- {name}: {text}." in rows


def test_measured_terms_of_the_model() -> None:
    """A core gets no more from L2 than was measured, and memory gives no more; of both all products have the same."""
    for name in ("max1100", "max1550-tile"):
        _, product = hardware.PRODUCTS[name]
        cores_and_clock = product.cores.value * product.clock.value
        assert product.far_bytes.value * 56 * 1.55e9 == pytest.approx(1717e9)
        assert product.sustained_bandwidth.value / product.memory_bandwidth.value == pytest.approx(852 / 1228.8)
        assert product.sustained_reads.value / product.memory_bandwidth.value == pytest.approx(696 / 1228.8)
        assert product.far_bytes.value * cores_and_clock > product.sustained_bandwidth.value


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [((1, 2, 3, 4), (10, 20, 40, 30), 0.8), ((1, 2, 3), (3, 2, 1), -1), ((1, 1, 2), (5, 5, 7), 1)],
)
def test_rank_correlation(one: tuple[float, ...], two: tuple[float, ...], expected: float) -> None:
    """Spearman's correlation of a textbook; equal numbers share their rank."""
    assert published.correlate_ranks(one, two) == pytest.approx(expected)
