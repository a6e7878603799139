//===- ArgumentsTest.cpp - Kernel arguments as bytes ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/Error.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace triton::intel::runtime;

namespace {
float decodeBFloat16(std::uint64_t bits) {
  auto word = static_cast<std::uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

double decodeFloat16(std::uint64_t bits) {
  int exponent = (bits >> 10) & 0x1f;
  int mantissa = bits & 0x3ff;
  double magnitude = exponent ? std::ldexp(1024 + mantissa, exponent - 25)
                              : std::ldexp(mantissa, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}
} // namespace

TEST(Arguments, ReadsTypesOfSignatures) {
  EXPECT_EQ(parseArgumentType("*fp32"), ArgumentType::Pointer);
  EXPECT_EQ(parseArgumentType("*k*bf16"), ArgumentType::Pointer);
  EXPECT_EQ(parseArgumentType("i1"), ArgumentType::Bool);
  EXPECT_EQ(parseArgumentType("u64"), ArgumentType::UInt64);
  EXPECT_EQ(parseArgumentType("fp32"), ArgumentType::Float32);
  EXPECT_EQ(parseArgumentType("f16"), ArgumentType::Float16);
  EXPECT_THROW(parseArgumentType("fp8e5"), Error);
  EXPECT_THROW(parseArgumentType(""), Error);
}

// Every finite bit pattern is its own encoding.
TEST(Arguments, EncodesRepresentableValuesExactly) {
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7c00) != 0x7c00)
      EXPECT_EQ(encodeFloat(ArgumentType::Float16, decodeFloat16(bits)), bits);
    if ((bits & 0x7f80) != 0x7f80)
      EXPECT_EQ(encodeFloat(ArgumentType::BFloat16, decodeBFloat16(bits)),
                bits);
  }
}

// Between two neighbours the nearer one wins, and half-way the even one.
TEST(Arguments, RoundsOnceToNearestEven) {
  for (std::uint64_t bits = 0; bits < 0x7bff; ++bits) {
    double low = decodeFloat16(bits), high = decodeFloat16(bits + 1);
    double middle = (low + high) / 2;
    std::uint64_t even = bits + (bits & 1);
    EXPECT_EQ(encodeFloat(ArgumentType::Float16, middle), even);
    EXPECT_EQ(encodeFloat(ArgumentType::Float16, std::nextafter(middle, low)),
              bits);
    EXPECT_EQ(encodeFloat(ArgumentType::Float16, std::nextafter(middle, high)),
              bits + 1);
  }
  // Rounding to f32 first would make a tie of this and lose the last bit.
  double value = 1 + std::ldexp(1, -8) + std::ldexp(1, -40);
  EXPECT_EQ(encodeFloat(ArgumentType::BFloat16, value), 0x3f81u);
}

TEST(Arguments, EncodesSpecialValues) {
  double infinity = std::numeric_limits<double>::infinity();
  for (ArgumentType type : {ArgumentType::Float16, ArgumentType::BFloat16}) {
    std::uint64_t bits = encodeFloat(type, infinity);
    EXPECT_EQ(encodeFloat(type, 1e300), bits);
    EXPECT_EQ(encodeFloat(type, -infinity), bits | 0x8000);
    EXPECT_GT(encodeFloat(type, std::nan("")) & 0x7fff, bits);
    EXPECT_EQ(encodeFloat(type, -0.0), 0x8000u);
    EXPECT_EQ(encodeFloat(type, 1e-300), 0u);
  }
  EXPECT_EQ(encodeFloat(ArgumentType::Float32, 1.0), 0x3f800000u);
  EXPECT_EQ(encodeFloat(ArgumentType::Float64, -2.0), 0xc000000000000000u);
  EXPECT_THROW(encodeFloat(ArgumentType::Int32, 1.0), Error);
}
