//===- BlockMessage.h - What a 2D block message has to satisfy --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Part of what the compiler and the runtime agree on: the compiler knows the
// rules of a target, checks before a message whether one is broken, and the
// runtime says which (intel/Runtime/BlockRules.h).
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ABI_BLOCKMESSAGE_H
#define INTEL_ABI_BLOCKMESSAGE_H

#include <cstddef>
#include <cstdint>

namespace triton::intel::abi {

/// What the hardware demands of the surface, in bytes; the height, in rows, is
/// at least 1. See `BlockIOLimits` of the compiler.
struct BlockRules {
  std::uint32_t baseAlignment, widthAlignment, pitchAlignment, offsetAlignment;
  std::uint32_t minWidth, minPitch;
  /// Of width, pitch and height.
  std::uint32_t maxExtent;
};

static_assert(sizeof(BlockRules) == 28);

/// The operands of a message: width and pitch in bytes, x in elements.
struct BlockOperands {
  std::uint64_t base;
  std::int32_t width, height, pitch, x, y;
};

static_assert(offsetof(BlockOperands, width) == 8);
static_assert(offsetof(BlockOperands, height) == 12);
static_assert(offsetof(BlockOperands, pitch) == 16);
static_assert(offsetof(BlockOperands, x) == 20);
static_assert(offsetof(BlockOperands, y) == 24);

} // namespace triton::intel::abi

#endif // INTEL_ABI_BLOCKMESSAGE_H
