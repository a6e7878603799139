//===- Chips.h - The chips that a virtual GPU can be ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The differences between chips are data in this file. Device ids, IP versions,
// units and memory are published. The sizes of L3 banks, the masks of units and
// the revisions are chosen so that the published sums come out; no document
// gives them, and they were not compared with hardware.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_CHIPS_H
#define TRITON_INTEL_VIRTUALGPU_CHIPS_H

#include <cstdint>
#include <string_view>
#include <vector>

namespace triton::intel::simulator {
enum class Platform : std::uint8_t;
struct ChipModel;
} // namespace triton::intel::simulator

namespace triton::intel::vgpu {

/// Kinds of memory, by the numbers of the hardware configuration table.
enum class MemoryType : std::uint32_t { LPDDR5 = 1, HBM2e = 3, GDDR6 = 4 };

struct Chip {
  /// The name by which a user selects it, and the product.
  std::string_view name, product;
  std::uint16_t deviceId, revision;
  simulator::Platform platform;
  /// The version of the graphics IP; zeros where the driver takes it from the
  /// device id.
  std::uint16_t ipMajor, ipMinor, ipRevision;
  /// Bits of a virtual address.
  unsigned addressBits;
  /// Tiles; what follows is of each of them.
  unsigned tiles;
  /// Slices, Xe cores that a slice has room for, and those that are enabled.
  unsigned slices, coresPerSlice, enabledPerSlice;
  unsigned enginesPerCore, threadsPerEngine;
  unsigned sharedKB, l3Banks, l3BankKB;
  /// Copy engines, and instances of the compute engine.
  unsigned copyEngines, computeEngines;
  /// True if there is a render engine.
  bool hasRender;
  MemoryType memoryType;
  unsigned memoryChannels;
  /// Bytes per second that memory gives, and the most that are read; 0 if reads
  /// alone are as fast.
  std::uint64_t memoryRate, memoryReadRate = 0;
  /// Bytes of local memory, 0 for a chip that has that of the system; and the
  /// smallest page.
  std::uint64_t localBytes;
  std::uint32_t pageBytes;
  /// Ticks of the timestamp per second, and bits of its counter.
  std::uint32_t timestampHz;
  unsigned timestampBits;
  unsigned maxMHz;
  /// Kilobytes of a core for L1 and shared memory together, and operations of
  /// bf16 per cycle of its matrix engines.
  unsigned cacheKB, matrixOperations;
  /// Lanes and speed of the PCI link, as sysfs writes the latter, and its bytes
  /// per second in a direction; 0 if all memory is that of the system.
  unsigned linkWidth;
  std::string_view linkSpeed;
  std::uint64_t linkRate;

  /// Returns the Xe cores of a tile.
  unsigned getCores() const { return slices * enabledPerSlice; }
  /// Returns how many threads a tile runs at the same time.
  unsigned getThreads() const {
    return getCores() * enginesPerCore * threadsPerEngine;
  }
  bool hasLocalMemory() const { return localBytes != 0; }
  /// Returns what the timing model has to know of a tile.
  simulator::ChipModel getModel() const;
};

/// Returns all chips.
const std::vector<Chip> &getChips();

/// Returns the chip of this name, or null.
const Chip *findChip(std::string_view name);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_CHIPS_H
