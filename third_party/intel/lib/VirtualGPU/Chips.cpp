//===- Chips.cpp - The chips that a virtual GPU can be --------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Chips.h"

#include "intel/Simulator/Instruction.h"

#include <algorithm>

namespace triton::intel::vgpu {

using simulator::Platform;

namespace {
constexpr std::uint64_t gigabyte = std::uint64_t(1) << 30;
constexpr std::uint32_t kilobyte = 1024;

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
    .localBytes = 12 * gigabyte,
    .pageBytes = 4 * kilobyte,
    .timestampHz = 19'200'000,
    .timestampBits = 64,
    .maxMHz = 2850,
    .linkWidth = 8,
    .linkSpeed = "16.0 GT/s PCIe",
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
    .localBytes = 48 * gigabyte,
    .pageBytes = 64 * kilobyte,
    .timestampHz = 25'000'000,
    .timestampBits = 36,
    .maxMHz = 1550,
    .linkWidth = 16,
    .linkSpeed = "32.0 GT/s PCIe",
};
} // namespace

const std::vector<Chip> &getChips() {
  // Never destroyed: queues run until the process has ended.
  static const auto &chips = *new std::vector<Chip>{b580, max1100};
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
