//===- Chips.cpp - The chips that a virtual GPU can be --------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Chips.h"

#include "intel/Simulator/Instruction.h"
#include "intel/Simulator/Timing.h"

#include <algorithm>

namespace triton::intel::vgpu {

using simulator::Platform;

namespace {
constexpr std::uint64_t gigabyte = std::uint64_t(1) << 30;
constexpr std::uint32_t kilobyte = 1024;
constexpr std::uint64_t billion = 1'000'000'000;

/// Arc B580.
constexpr Chip b580 = {
    .name = "bmg",
    .product = "Intel(R) Arc(TM) B580 Graphics",
    .deviceId = 0xe20b,
    .revision = 0,
    .platform = Platform::Xe2,
    .ipMajor = 20,
    .ipMinor = 1,
    .ipRevision = 4,
    .addressBits = 48,
    .tiles = 1,
    .slices = 5,
    .coresPerSlice = 4,
    .enabledPerSlice = 4,
    .enginesPerCore = 8,
    .threadsPerEngine = 8,
    .sharedKB = 128,
    .l3Banks = 36,
    .l3BankKB = 512,
    .copyEngines = 1,
    .computeEngines = 1,
    .hasRender = true,
    .memoryType = MemoryType::GDDR6,
    .memoryChannels = 12,
    .memoryRate = 456 * billion,
    .localBytes = 12 * gigabyte,
    .pageBytes = 4 * kilobyte,
    .timestampHz = 19'200'000,
    .timestampBits = 64,
    .maxMHz = 2850,
    .cacheKB = 256,
    .matrixOperations = 2048,
    .linkWidth = 8,
    .linkSpeed = "16.0 GT/s PCIe",
    .linkRate = 15'750'000'000,
};

/// Arc 140V of Lunar Lake.
constexpr Chip arc140V = {
    .name = "lnl",
    .product = "Intel(R) Arc(TM) Graphics",
    .deviceId = 0x64a0,
    .revision = 4,
    .platform = Platform::Xe2,
    .ipMajor = 20,
    .ipMinor = 4,
    .ipRevision = 4,
    .addressBits = 48,
    .tiles = 1,
    .slices = 2,
    .coresPerSlice = 4,
    .enabledPerSlice = 4,
    .enginesPerCore = 8,
    .threadsPerEngine = 8,
    .sharedKB = 128,
    .l3Banks = 8,
    .l3BankKB = 1024,
    .copyEngines = 1,
    .computeEngines = 1,
    .hasRender = true,
    .memoryType = MemoryType::LPDDR5,
    .memoryChannels = 8,
    .memoryRate = 136'500'000'000,
    .localBytes = 0,
    .pageBytes = 4 * kilobyte,
    .timestampHz = 19'200'000,
    .timestampBits = 64,
    .maxMHz = 2050,
    .cacheKB = 192,
    .matrixOperations = 2048,
    .linkWidth = 1,
    .linkSpeed = "2.5 GT/s PCIe",
    .linkRate = 0,
};

/// Arc B390 of Panther Lake, with 12 cores.
constexpr Chip arcB390 = {
    .name = "ptl",
    .product = "Intel(R) Arc(TM) B390 GPU",
    .deviceId = 0xb080,
    .revision = 4,
    .platform = Platform::Xe3,
    .ipMajor = 30,
    .ipMinor = 0,
    .ipRevision = 4,
    .addressBits = 48,
    .tiles = 1,
    .slices = 2,
    .coresPerSlice = 6,
    .enabledPerSlice = 6,
    .enginesPerCore = 8,
    .threadsPerEngine = 10,
    .sharedKB = 128,
    .l3Banks = 16,
    .l3BankKB = 1024,
    .copyEngines = 1,
    .computeEngines = 1,
    .hasRender = true,
    .memoryType = MemoryType::LPDDR5,
    .memoryChannels = 8,
    .memoryRate = 153'600'000'000,
    .localBytes = 0,
    .pageBytes = 4 * kilobyte,
    .timestampHz = 19'200'000,
    .timestampBits = 64,
    .maxMHz = 2500,
    .cacheKB = 256,
    .matrixOperations = 2048,
    .linkWidth = 1,
    .linkSpeed = "2.5 GT/s PCIe",
    .linkRate = 0,
};

/// Data Center GPU Max 1100.
constexpr Chip max1100 = {
    .name = "pvc",
    .product = "Intel(R) Data Center GPU Max 1100",
    .deviceId = 0x0bda,
    .revision = 0x2f,
    .platform = Platform::XeHPC,
    .ipMajor = 0,
    .ipMinor = 0,
    .ipRevision = 0,
    .addressBits = 57,
    .tiles = 1,
    .slices = 4,
    .coresPerSlice = 16,
    .enabledPerSlice = 14,
    .enginesPerCore = 8,
    .threadsPerEngine = 8,
    .sharedKB = 128,
    .l3Banks = 54,
    .l3BankKB = 2048,
    .copyEngines = 8,
    .computeEngines = 1,
    .hasRender = false,
    .memoryType = MemoryType::HBM2e,
    .memoryChannels = 8,
    // A copy gets the first part of the 1228.8 GB/s of HBM2e, and a kernel that
    // only reads gets the second one (docs/Simulator.md).
    .memoryRate = 852 * billion,
    .memoryReadRate = 696 * billion,
    .localBytes = 48 * gigabyte,
    .pageBytes = 64 * kilobyte,
    .timestampHz = 25'000'000,
    .timestampBits = 36,
    .maxMHz = 1550,
    .cacheKB = 512,
    .matrixOperations = 4096,
    .linkWidth = 16,
    .linkSpeed = "32.0 GT/s PCIe",
    .linkRate = 63'000'000'000,
};

/// Data Center GPU Max 1550, with two tiles.
constexpr Chip max1550 = {
    .name = "pvc2",
    .product = "Intel(R) Data Center GPU Max 1550",
    .deviceId = 0x0bd5,
    .revision = 0x2f,
    .platform = Platform::XeHPC,
    .ipMajor = 0,
    .ipMinor = 0,
    .ipRevision = 0,
    .addressBits = 57,
    .tiles = 2,
    .slices = 4,
    .coresPerSlice = 16,
    .enabledPerSlice = 16,
    .enginesPerCore = 8,
    .threadsPerEngine = 8,
    .sharedKB = 128,
    .l3Banks = 102,
    .l3BankKB = 2048,
    .copyEngines = 8,
    .computeEngines = 1,
    .hasRender = false,
    .memoryType = MemoryType::HBM2e,
    .memoryChannels = 8,
    // These are the same parts of 1638.4 GB/s.
    .memoryRate = 1136 * billion,
    .memoryReadRate = 928 * billion,
    .localBytes = 64 * gigabyte,
    .pageBytes = 64 * kilobyte,
    .timestampHz = 25'000'000,
    .timestampBits = 36,
    .maxMHz = 1600,
    .cacheKB = 512,
    .matrixOperations = 4096,
    .linkWidth = 16,
    .linkSpeed = "32.0 GT/s PCIe",
    .linkRate = 63'000'000'000,
};
} // namespace

/// The figures that are not published of a chip are those of Xe-HPC.
simulator::ChipModel Chip::getModel() const {
  constexpr double million = 1e6;
  // A row of a product has 16 columns and, for bf16, a depth of 16.
  constexpr double operationsPerRow = 2 * 16 * 16;
  simulator::ChipModel model;
  model.cores = getCores();
  model.engines = enginesPerCore;
  if (platform == Platform::Xe3)
    model.threads = {{96, 10}, {128, 8}, {160, 6},
                     {192, 5}, {256, 4}, {512, 2}};
  else
    model.threads = {{128, 8}, {256, 4}};
  for (auto &mode : model.threads)
    mode.second *= enginesPerCore;
  model.dpasCyclesPerRow =
      operationsPerRow / (double(matrixOperations) / enginesPerCore);
  // A copy in the L2 of the Max 1100, by 56 cores at 1550 MHz: 1717 GB/s
  // (docs/Simulator.md). It is not known for the others.
  if (platform == Platform::XeHPC)
    model.linesPerCycle = 1717e9 / (56 * 1550 * million) / 64;
  model.memoryBytes = double(memoryRate) / (maxMHz * million);
  model.memoryReadBytes = double(memoryReadRate) / (maxMHz * million);
  model.linkBytes = double(linkRate) / (maxMHz * million);
  model.cacheBytes = std::uint64_t(cacheKB) * kilobyte;
  model.sharedBytes = std::uint64_t(sharedKB) * kilobyte;
  return model;
}

const std::vector<Chip> &getChips() {
  // Never destroyed: queues run until the process has ended.
  static const auto &chips =
      *new std::vector<Chip>{b580, max1100, max1550, arc140V, arcB390};
  return chips;
}

const Chip *findChip(std::string_view name) {
  const std::vector<Chip> &chips = getChips();
  auto found = std::find_if(chips.begin(), chips.end(), [&](const Chip &chip) {
    return chip.name == name;
  });
  return found == chips.end() ? nullptr : &*found;
}

} // namespace triton::intel::vgpu
