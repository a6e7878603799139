//===- Walker.cpp - The command that starts a kernel ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Walker.h"

#include "intel/Simulator/Instruction.h"
#include "intel/VirtualGPU/Failure.h"

#include <cstring>

namespace triton::intel::vgpu {

using simulator::Platform;

namespace {
/// Places of the parts that generations have at different dwords.
struct Layout {
  unsigned length, descriptor, postSync, inlineData;
  unsigned numInlineDwords;
  /// True if ids of all three dimensions come in registers if any do.
  bool hasAllIds;
};

constexpr Layout layoutXeHPC = {39, 18, 26, 31, 8, true};
constexpr Layout layoutXe2 = {40, 19, 27, 32, 8, false};

std::uint32_t getBits(std::uint32_t word, unsigned high, unsigned low) {
  return word >> low & (~std::uint32_t(0) >> (31 - (high - low)));
}

/// Returns the bytes of shared local memory by their number.
std::uint32_t getSharedBytes(std::uint32_t number) {
  constexpr std::uint32_t kilobytes[] = {0,  1,  2,  4,  8,  16,
                                         32, 64, 24, 48, 96, 128};
  if (number >= std::size(kilobytes))
    throw QueueError("COMPUTE_WALKER: size " + std::to_string(number) +
                     " of shared local memory is not known");
  return kilobytes[number] * 1024;
}

std::array<std::uint8_t, 3> getWalkOrder(std::uint32_t number) {
  constexpr std::array<std::uint8_t, 3> orders[] = {
      {0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 0, 1}, {1, 2, 0}, {2, 1, 0}};
  if (number >= std::size(orders))
    throw QueueError("COMPUTE_WALKER: walk order " + std::to_string(number) +
                     " is not known");
  return orders[number];
}

unsigned getSIMDSize(std::uint32_t number) {
  constexpr std::uint32_t simd16 = 1, simd32 = 2;
  if (number != simd16 && number != simd32)
    throw QueueError("COMPUTE_WALKER: SIMD size " + std::to_string(number) +
                     " is not known");
  return number == simd16 ? 16 : 32;
}
} // namespace

WalkerFields readWalker(const std::vector<std::uint32_t> &words,
                        Platform platform) {
  const Layout &layout = platform == Platform::XeHPC ? layoutXeHPC : layoutXe2;
  if (words.size() != layout.length)
    throw QueueError("COMPUTE_WALKER: expected " +
                     std::to_string(layout.length) + " dwords, found " +
                     std::to_string(words.size()));
  WalkerFields fields;
  constexpr std::uint32_t indirectAlignment = 64;
  fields.indirectBytes = getBits(words[2], 16, 0);
  fields.indirectOffset = words[3] & ~(indirectAlignment - 1);
  fields.simdSize = getSIMDSize(getBits(words[4], 31, 30));
  if (getBits(words[4], 29, 29)) {
    fields.idDimensions = layout.hasAllIds ? 7 : getBits(words[4], 28, 26);
    fields.walkOrder = getWalkOrder(getBits(words[4], 24, 22));
  }
  fields.lastLanes = words[5];
  for (unsigned i = 0; i < 3; ++i) {
    fields.local[i] = getBits(words[6], 10 * i + 9, 10 * i) + 1;
    fields.groups[i] = words[7 + i];
    if (words[10 + i])
      throw QueueError("COMPUTE_WALKER: dword " + std::to_string(10 + i) +
                       ", the first group, is " + toHex(words[10 + i]) +
                       ", which is not known");
  }
  constexpr unsigned partitionSize = 14;
  if (getBits(words[0], 9, 9))
    if (unsigned type = getBits(words[2], 31, 30)) {
      fields.partitionDimension = type - 1;
      fields.partitionGroups = words[partitionSize];
    }
  const std::uint32_t *descriptor = words.data() + layout.descriptor;
  fields.codeOffset =
      descriptor[0] | std::uint64_t(getBits(descriptor[1], 15, 0)) << 32;
  fields.numThreads = getBits(descriptor[5], 9, 0);
  fields.sharedBytes = getSharedBytes(getBits(descriptor[5], 20, 16));
  constexpr unsigned registersShift = 26, registersMask = 0x1f,
                     registersStep = 32;
  if (platform == Platform::Xe3)
    fields.numRegisters =
        ((descriptor[2] >> registersShift & registersMask) + 1) * registersStep;
  if (!fields.numThreads)
    throw QueueError("COMPUTE_WALKER: groups without threads");
  if (getBits(words[4], 25, 25)) {
    const std::uint32_t *data = words.data() + layout.inlineData;
    fields.inlineData.resize(layout.numInlineDwords * sizeof(*data));
    std::memcpy(fields.inlineData.data(), data, fields.inlineData.size());
  }
  const std::uint32_t *sync = words.data() + layout.postSync;
  std::uint32_t operation = getBits(sync[0], 1, 0);
  if (operation == 2)
    throw QueueError("COMPUTE_WALKER: post-sync operation 2 is not known");
  fields.postSync = static_cast<PostSync>(operation);
  fields.postSyncAddress = sync[1] | std::uint64_t(sync[2]) << 32;
  fields.postSyncData = sync[3] | std::uint64_t(sync[4]) << 32;
  return fields;
}

} // namespace triton::intel::vgpu
