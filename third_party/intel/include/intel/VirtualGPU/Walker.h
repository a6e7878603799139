//===- Walker.h - The command that starts a kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// COMPUTE_WALKER as its fields. Names and places are those of the driver's
// headers (compute-runtime, shared/source/generated/xe_hpc_core and xe2_hpg);
// Xe3 has the layout of Xe2.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_WALKER_H
#define TRITON_INTEL_VIRTUALGPU_WALKER_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace triton::intel::simulator {
enum class Platform : std::uint8_t;
} // namespace triton::intel::simulator

namespace triton::intel::vgpu {

/// The kind of write to memory that follows the end of a walker or a flush.
enum class PostSync : std::uint8_t { None = 0, Immediate = 1, Timestamp = 3 };

struct WalkerFields {
  /// The offset of indirect data from the general state base, and its size.
  std::uint32_t indirectOffset = 0, indirectBytes = 0;
  unsigned simdSize = 0;
  /// The dimensions whose ids the hardware writes to registers, as a mask; 0 if
  /// the kernel loads them.
  unsigned idDimensions = 0;
  std::array<std::uint8_t, 3> walkOrder = {0, 1, 2};
  std::uint32_t lastLanes = 0;
  /// Work-items of a group, groups, and the number of the first one.
  std::array<std::uint32_t, 3> local = {1, 1, 1}, groups = {1, 1, 1},
                               firstGroup = {0, 0, 0};
  /// The first instruction, from the instruction base.
  std::uint64_t codeOffset = 0;
  unsigned numThreads = 0;
  /// The dimension along which tiles share the groups, and how many each has;
  /// no dimension if all have all.
  std::optional<unsigned> partitionDimension;
  std::uint32_t partitionGroups = 0;
  /// Registers of a thread; 0 if the walker does not state it.
  unsigned numRegisters = 0;
  std::uint32_t sharedBytes = 0;
  std::vector<std::uint8_t> inlineData;
  PostSync postSync = PostSync::None;
  std::uint64_t postSyncAddress = 0, postSyncData = 0;
};

/// Reads a walker, the header included. Throws `QueueError` for a length or a
/// field that is not known, with its dword and bits.
WalkerFields readWalker(const std::vector<std::uint32_t> &words,
                        simulator::Platform platform);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_WALKER_H
