//===- Atomics.cpp - Atomic messages --------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Lanes of a message come one after the other, the lowest first: hardware
// promises no order. Threads of this process exclude each other by exchanging
// whole values.
//
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "Numbers.h"

#include <algorithm>
#include <cmath>

namespace triton::intel::simulator {

namespace {
template <typename To, typename From> To castBits(From bits) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, bits);
}

/// A float of the size of an integer type.
template <typename Bits> struct FloatOf;
template <> struct FloatOf<std::uint16_t> {
  static float widen(std::uint16_t bits) { return widenHalf(bits); }
  static std::uint16_t narrow(float value) { return narrowHalf(value); }
};
template <> struct FloatOf<std::uint32_t> {
  static float widen(std::uint32_t bits) { return castBits<float>(bits); }
  static std::uint32_t narrow(float value) { return toBits(value); }
};
template <> struct FloatOf<std::uint64_t> {
  static double widen(std::uint64_t bits) { return castBits<double>(bits); }
  static std::uint64_t narrow(double value) {
    return castBits<std::uint64_t>(value);
  }
};

/// Returns the value that replaces `before` in memory.
template <typename Bits>
Bits combine(AtomicOp op, Bits before, Bits operand, Bits other) {
  using Signed = std::make_signed_t<Bits>;
  using Float = FloatOf<Bits>;
  auto isLess = [](Bits a, Bits b) {
    return static_cast<Signed>(a) < static_cast<Signed>(b);
  };
  switch (op) {
  case AtomicOp::Increment:
    return before + 1;
  case AtomicOp::Decrement:
    return before - 1;
  case AtomicOp::Load:
    return before;
  case AtomicOp::Store:
    return operand;
  case AtomicOp::Add:
    return before + operand;
  case AtomicOp::Subtract:
    return before - operand;
  case AtomicOp::SignedMin:
    return isLess(operand, before) ? operand : before;
  case AtomicOp::SignedMax:
    return isLess(before, operand) ? operand : before;
  case AtomicOp::UnsignedMin:
    return std::min(before, operand);
  case AtomicOp::UnsignedMax:
    return std::max(before, operand);
  case AtomicOp::CompareExchange:
    return before == operand ? other : before;
  case AtomicOp::FloatAdd:
    return Float::narrow(Float::widen(before) + Float::widen(operand));
  case AtomicOp::FloatSubtract:
    return Float::narrow(Float::widen(before) - Float::widen(operand));
  case AtomicOp::FloatMin:
    return Float::narrow(
        std::fmin(Float::widen(before), Float::widen(operand)));
  case AtomicOp::FloatMax:
    return Float::narrow(
        std::fmax(Float::widen(before), Float::widen(operand)));
  case AtomicOp::FloatCompareExchange:
    return Float::widen(before) == Float::widen(operand) ? other : before;
  case AtomicOp::And:
    return before & operand;
  case AtomicOp::Or:
    return before | operand;
  case AtomicOp::Xor:
    return before ^ operand;
  }
  return before;
}

template <typename Bits>
std::uint64_t exchange(AtomicOp op, std::uint8_t *memory, std::uint64_t operand,
                       std::uint64_t other) {
  auto *place = reinterpret_cast<Bits *>(memory);
  Bits before = __atomic_load_n(place, __ATOMIC_SEQ_CST), after;
  do
    after = combine(op, before, static_cast<Bits>(operand),
                    static_cast<Bits>(other));
  while (!__atomic_compare_exchange_n(place, &before, after, /*weak=*/false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  return before;
}
} // namespace

std::uint64_t executeAtomic(Request &request, std::uint8_t *memory,
                            std::uint64_t operand, std::uint64_t other) {
  unsigned size = request.message.memoryBytes;
  if (reinterpret_cast<std::uintptr_t>(memory) % size)
    request.fail("an address that is no multiple of " + std::to_string(size));
  switch (size) {
  case 2:
    return exchange<std::uint16_t>(request.message.atomic, memory, operand,
                                   other);
  case 4:
    return exchange<std::uint32_t>(request.message.atomic, memory, operand,
                                   other);
  case 8:
    return exchange<std::uint64_t>(request.message.atomic, memory, operand,
                                   other);
  default:
    request.fail("atomics of this size are not simulated");
  }
}

} // namespace triton::intel::simulator
