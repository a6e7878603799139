//===- Arguments.cpp - Kernel arguments as bytes --------------------------===//
// SPDX-License-Identifier: MIT
//
// Triton's type names, and Python floats in the kernel's floating-point types.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/Error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace triton::intel::runtime {

namespace {
/// Triton's names, and those of MLIR, which signatures of IR files hold.
constexpr std::pair<std::string_view, ArgumentType> scalarTypes[] = {
    {"i1", ArgumentType::Bool},       {"u1", ArgumentType::Bool},
    {"i8", ArgumentType::Int8},       {"i16", ArgumentType::Int16},
    {"i32", ArgumentType::Int32},     {"i64", ArgumentType::Int64},
    {"u8", ArgumentType::UInt8},      {"u16", ArgumentType::UInt16},
    {"u32", ArgumentType::UInt32},    {"u64", ArgumentType::UInt64},
    {"fp16", ArgumentType::Float16},  {"f16", ArgumentType::Float16},
    {"bf16", ArgumentType::BFloat16}, {"fp32", ArgumentType::Float32},
    {"f32", ArgumentType::Float32},   {"fp64", ArgumentType::Float64},
    {"f64", ArgumentType::Float64},
};

/// Encodes in an IEEE-like format of 16 bits, given the number of mantissa
/// bits.
/// Sign, exponent, mantissa: 5 + 10 bits of f16, 8 + 7 of bf16.
std::uint64_t encode16(double value, int mantissaBits) {
  const int exponentBits = 15 - mantissaBits;
  const int bias = (1 << (exponentBits - 1)) - 1;
  const std::uint64_t sign = std::signbit(value) ? 0x8000 : 0;
  const std::uint64_t infinity = ((1ull << exponentBits) - 1) << mantissaBits;
  // Quiet.
  if (std::isnan(value))
    return sign | infinity | (1ull << (mantissaBits - 1));
  if (std::isinf(value))
    return sign | infinity;
  if (value == 0)
    return sign;
  // value = fraction * 2^exponent, with a fraction from 0.5 to 1.
  int exponent;
  std::frexp(std::fabs(value), &exponent);
  // The exponent of the last place: of the binade, or of the subnormals.
  int unit = std::max(exponent - 1, 1 - bias) - mantissaBits;
  // The default rounding mode rounds to nearest even. A carry out of the
  // mantissa moves to the next binade by itself in this representation.
  auto scaled = static_cast<std::uint64_t>(
      std::nearbyint(std::ldexp(std::fabs(value), -unit)));
  // `scaled` holds the leading one of normal numbers, which adds 1 to the
  // exponent's field: hence one less above. Subnormal ones have none.
  std::uint64_t binade = unit + mantissaBits + bias - 1;
  std::uint64_t encoded = (binade << mantissaBits) + scaled;
  return sign | (encoded < infinity ? encoded : infinity);
}
} // namespace

/// Pointers are all alike, whatever they point to.
ArgumentType parseArgumentType(std::string_view type) {
  if (!type.empty() && type.front() == '*')
    return ArgumentType::Pointer;
  for (const auto &[name, argumentType] : scalarTypes)
    if (name == type)
      return argumentType;
  throw Error(ErrorKind::Argument,
              "expected a scalar or pointer type, found `" + std::string(type) +
                  "`");
}

unsigned getSizeInBytes(ArgumentType type) {
  switch (type) {
  case ArgumentType::Bool:
  case ArgumentType::Int8:
  case ArgumentType::UInt8:
    return 1;
  case ArgumentType::Int16:
  case ArgumentType::UInt16:
  case ArgumentType::Float16:
  case ArgumentType::BFloat16:
    return 2;
  case ArgumentType::Int32:
  case ArgumentType::UInt32:
  case ArgumentType::Float32:
    return 4;
  case ArgumentType::Pointer:
  case ArgumentType::Int64:
  case ArgumentType::UInt64:
  case ArgumentType::Float64:
    return 8;
  }
  return 0;
}

/// Types are ordered: integers first, then floating point.
bool isInteger(ArgumentType type) {
  return type >= ArgumentType::Bool && type <= ArgumentType::UInt64;
}

bool isUnsigned(ArgumentType type) {
  return type >= ArgumentType::UInt8 && type <= ArgumentType::UInt64;
}

bool isFloat(ArgumentType type) { return type >= ArgumentType::Float16; }

/// From Python's double in one rounding: through f32 there would be two.
std::uint64_t encodeFloat(ArgumentType type, double value) {
  std::uint64_t bits = 0;
  switch (type) {
  case ArgumentType::Float16:
    return encode16(value, /*mantissaBits=*/10);
  case ArgumentType::BFloat16:
    return encode16(value, /*mantissaBits=*/7);
  case ArgumentType::Float32: {
    auto single = static_cast<float>(value);
    std::memcpy(&bits, &single, sizeof(single));
    return bits;
  }
  case ArgumentType::Float64:
    std::memcpy(&bits, &value, sizeof(value));
    return bits;
  default:
    throw Error(ErrorKind::Argument, "expected a floating-point type");
  }
}

//===----------------------------------------------------------------------===//
// Spans
//===----------------------------------------------------------------------===//

void SpanBuilder::addDimension(std::int64_t size, std::int64_t stride) {
  isLegal &= size >= 0;
  isEmpty |= size == 0;
  if (size <= 1)
    return;
  std::uint64_t step = stride < 0 ? -static_cast<std::uint64_t>(stride)
                                  : static_cast<std::uint64_t>(stride);
  std::uint64_t distance;
  std::uint64_t &side = stride < 0 ? before : after;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(size - 1), step,
                             &distance) ||
      __builtin_add_overflow(side, distance, &side))
    isLegal = false;
}

ArgumentSpan SpanBuilder::get(std::uint64_t pointer,
                              std::uint64_t elementBytes) const {
  // A dimension without elements leaves none, however large the others are.
  if (isEmpty)
    return {pointer, pointer};
  ArgumentSpan span;
  std::uint64_t count, front, back;
  if (!isLegal || __builtin_add_overflow(after, 1, &count) ||
      __builtin_mul_overflow(before, elementBytes, &front) ||
      __builtin_mul_overflow(count, elementBytes, &back) ||
      __builtin_sub_overflow(pointer, front, &front) ||
      __builtin_add_overflow(pointer, back, &back))
    return span;
  span.begin = front;
  span.end = back;
  return span;
}

} // namespace triton::intel::runtime
