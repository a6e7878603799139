//===- BlockMessage.h - Rules of 2D block messages --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Part of the contract between the compiler and the runtime. The compiler knows
// the rules of a target, and emits a check before each message. If a rule
// is broken, the runtime reports which one (intel/Runtime/BlockRules.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ABI_BLOCKMESSAGE_H
#define TRITON_INTEL_ABI_BLOCKMESSAGE_H

#include <cstddef>
#include <cstdint>

namespace triton::intel::abi {

/// The rules of the hardware for a surface, in bytes. The height, in rows, is
/// at least 1. See `BlockIOLimits` of the compiler.
struct BlockRules {
  std::uint32_t baseAlignment, widthAlignment, pitchAlignment, offsetAlignment;
  std::uint32_t minWidth, minPitch;
  /// The largest width, pitch and height.
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

#endif // TRITON_INTEL_ABI_BLOCKMESSAGE_H
