# SPDX-License-Identifier: MIT
"""Published figures of the hardware, with their sources. No code of a kernel depends on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from triton_xe import errors


@dataclass(frozen=True)
class Figure:
    """A number of the hardware, with its source."""

    value: float
    #: The unit in which people know it, and how much of it `value` counts that is.
    unit: str
    source: str
    scale: float = 1

    def __str__(self) -> str:
        return f"{self.value / self.scale:g} {self.unit}"


_GIGA, _KILOBYTE = 1e9, 1024
_ARCHITECTURE_DAY = "Intel Architecture Day 2021: the Xe-core of Xe HPC"
_ARK = "Intel Data Center GPU Max 1550, product specification (ark.intel.com, 232873)"


@dataclass(frozen=True)
class Hardware:
    """The numbers of an architecture that bound a loop."""

    device: str
    engines_per_core: Figure
    #: Operations of bf16 per cycle of the matrix engines of an Xe core. A multiplication and an addition are two.
    matrix_operations: Figure
    #: Operations of f32 per cycle of the vector engines of an Xe core.
    vector_operations: Figure
    #: Bytes per cycle between an Xe core's registers and its L1 cache, which is also the shared local memory.
    load_store_bytes: Figure
    #: Bytes of an Xe core for L1 and shared local memory together.
    cache_bytes: Figure
    cores: Figure
    clock: Figure
    memory_bandwidth: Figure
    #: Bytes per cycle of an Xe core between its L1 and L2.
    far_bytes: Figure
    #: The part of the memory's bandwidth that a kernel reaches which only reads and writes.
    sustained_bandwidth: Figure
    #: The most of it that are reads: less than all, where reads alone are slower than reads with writes.
    sustained_reads: Figure

    @property
    def dpas_cycles_per_row(self) -> float:
        """Return the cycles of a DPAS per row of its result. A row has 16 columns and, for bf16, a K of 16. Other types
        differ in K and in the rate, by the same factor."""
        operations = 2 * 16 * 16
        return operations / (self.matrix_operations.value / self.engines_per_core.value)

    @property
    def lanes_per_cycle(self) -> float:
        """Return the channels of 32 bits that a vector engine takes in a cycle, each for a multiply-add of two
        operations."""
        return self.vector_operations.value / self.engines_per_core.value / 2

    @property
    def bytes_per_cycle(self) -> float:
        """Return an engine's share of the bytes between registers and L1."""
        return self.load_store_bytes.value / self.engines_per_core.value

    @property
    def memory_bytes_per_cycle(self) -> float:
        """Return an engine's share of the memory's bandwidth."""
        engines = self.cores.value * self.engines_per_core.value
        return self.memory_bandwidth.value / self.clock.value / engines

    def figures(self) -> dict[str, Figure]:
        """Return all figures with their sources, by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, Figure)}


#: Bytes per second that 56 cores at 1.55 GHz read and write in L2.
_L2_COPY = 1717e9
#: The part of its bandwidth that HBM2e was measured to give: a copy of arrays that no cache holds.
_HBM2E_SHARE = 852.0 / 1228.8
#: The part that it was measured to give where nothing is written: the sum of an array.
_HBM2E_READ_SHARE = 696.0 / 1228.8


def _sustained_hbm2e(bandwidth: float) -> Figure:
    source = "BabelStream's copy of 1 GiB on a Max 1100: 852.0 of 1228.8 GB/s (docs/Simulator.md, source Max1100)"
    return Figure(_HBM2E_SHARE * bandwidth, "GB/s, sustained", source, scale=_GIGA)


def _sustained_hbm2e_reads(bandwidth: float) -> Figure:
    source = "a read of 1 GiB on a Max 1100: 696.0 of 1228.8 GB/s (docs/Simulator.md, source Max1100)"
    return Figure(_HBM2E_READ_SHARE * bandwidth, "GB/s, sustained, of reads", source, scale=_GIGA)


def _xe2(device: str, core: str, product: str, *, cache: int, cores: int, clock: float, bandwidth: float) -> Hardware:
    """Return the figures of a product whose Xe cores have the engines of Xe2, which Xe3 has, too."""
    return Hardware(
        device=device,
        engines_per_core=Figure(8, "engines per Xe core", core),
        matrix_operations=Figure(2048, "operations per cycle of an Xe core, bf16", core),
        vector_operations=Figure(256, "operations per cycle of an Xe core, f32", core),
        load_store_bytes=Figure(512, "bytes per cycle of an Xe core, L1 and SLM", "not published: that of Xe HPC"),
        cache_bytes=Figure(cache * _KILOBYTE, "KB of an Xe core, L1 and SLM", core, scale=_KILOBYTE),
        cores=Figure(cores, "Xe cores", product),
        clock=Figure(clock, "GHz, at most", product, scale=_GIGA),
        memory_bandwidth=Figure(bandwidth, "GB/s", product, scale=_GIGA),
        far_bytes=Figure(64, "bytes per cycle of an Xe core, from L2", "assumed: a line per cycle"),
        sustained_bandwidth=Figure(bandwidth, "GB/s, sustained", "not published: all of the bandwidth", scale=_GIGA),
        sustained_reads=Figure(
            bandwidth, "GB/s, sustained, of reads", "not published: all of the bandwidth", scale=_GIGA
        ),
    )


#: The figures by architecture, each of one product.
HARDWARE = {
    "pvc": Hardware(
        device="Intel Data Center GPU Max 1550",
        engines_per_core=Figure(8, "engines per Xe core", _ARCHITECTURE_DAY),
        matrix_operations=Figure(4096, "operations per cycle of an Xe core, bf16", _ARCHITECTURE_DAY),
        vector_operations=Figure(256, "operations per cycle of an Xe core, f32", _ARCHITECTURE_DAY),
        load_store_bytes=Figure(512, "bytes per cycle of an Xe core, L1 and SLM", _ARCHITECTURE_DAY),
        cache_bytes=Figure(512 * _KILOBYTE, "KB of an Xe core, L1 and SLM", _ARCHITECTURE_DAY, scale=_KILOBYTE),
        cores=Figure(128, "Xe cores", _ARK),
        clock=Figure(1.6e9, "GHz, at most", _ARK, scale=_GIGA),
        memory_bandwidth=Figure(3276.8e9, "GB/s", _ARK, scale=_GIGA),
        far_bytes=Figure(
            _L2_COPY / (56 * 1.55e9),
            "bytes per cycle of an Xe core, from L2",
            "a copy of arrays in L2 on a Max 1100: 1717 GB/s, read and written (docs/Simulator.md, source Max1100)",
        ),
        sustained_bandwidth=_sustained_hbm2e(3276.8e9),
        sustained_reads=_sustained_hbm2e_reads(3276.8e9),
    ),
    "bmg": _xe2(
        "Intel Arc B580",
        "Intel Arc B-series launch, December 2024: the second generation of Xe cores",
        "Intel Arc B580, product specification (ark.intel.com, 241598); peak of int8: 233 TOPS",
        cache=256,
        cores=20,
        clock=2.85e9,
        bandwidth=456e9,
    ),
    "lnl": _xe2(
        "Intel Arc 140V",
        "Intel Tech Tour 2024, Lunar Lake: the Xe2 core",
        "Intel Core Ultra 9 288V, product specification; LPDDR5X-8533 of 128 bits; peak of int8: 67 TOPS",
        cache=192,
        cores=8,
        clock=2.05e9,
        bandwidth=136.5e9,
    ),
    "ptl": _xe2(
        "Intel Arc B390",
        "Intel Tech Tour 2025, Panther Lake: the Xe3 core",
        "Intel Core Ultra X9 388H, product specification; LPDDR5X-9600 of 128 bits; peak of int8: 120 TOPS",
        cache=256,
        cores=12,
        clock=2.5e9,
        bandwidth=153.6e9,
    ),
}


def _product(arch: str, device: str, source: str, *, cores: int, clock: float, bandwidth: float) -> Hardware:
    """Return the figures of another product that has the cores and the kind of memory of an architecture."""
    known = HARDWARE[arch]
    scale = bandwidth / known.memory_bandwidth.value
    return replace(
        known,
        device=device,
        cores=Figure(cores, "Xe cores", source),
        clock=Figure(clock, "GHz, at most", source, scale=_GIGA),
        memory_bandwidth=Figure(bandwidth, "GB/s", source, scale=_GIGA),
        sustained_bandwidth=replace(known.sustained_bandwidth, value=scale * known.sustained_bandwidth.value),
        sustained_reads=replace(known.sustained_reads, value=scale * known.sustained_reads.value),
    )


#: Other products for which measurements were published, with their architecture (docs/Simulator.md).
PRODUCTS = {
    "max1100": (
        "pvc",
        _product(
            "pvc",
            "Intel Data Center GPU Max 1100",
            "Intel Data Center GPU Max 1100, product specification (ark.intel.com, 232876)",
            cores=56,
            clock=1.55e9,
            bandwidth=1228.8e9,
        ),
    ),
    "max1550-tile": (
        "pvc",
        _product(
            "pvc",
            "a tile of Intel Data Center GPU Max 1550",
            f"half of {_ARK}",
            cores=64,
            clock=1.6e9,
            bandwidth=1638.4e9,
        ),
    ),
    "b580": ("bmg", HARDWARE["bmg"]),
    "b60": (
        "bmg",
        _product(
            "bmg",
            "Intel Arc Pro B60",
            "Intel Arc Pro B60, product specification: 20 Xe cores, 197 TOPS of int8, 456 GB/s",
            cores=20,
            clock=2.4e9,
            bandwidth=456e9,
        ),
    ),
}


def resolve(arch: str) -> Hardware:
    """Return the figures of an architecture."""
    if arch not in HARDWARE:
        raise errors.OptionError(f"there are figures of {', '.join(HARDWARE)}, not of `{arch}`")
    return HARDWARE[arch]
