//===- MatrixMadTest.cpp - DPAS of the CPU device -------------------------===//
// SPDX-License-Identifier: MIT
//
// Every function against the definition in emulation/matrix_mad.cl, one element
// and one product at a time. Results agree in every bit.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace triton::intel::device_library;
using namespace triton::intel::device_library::test;

namespace {
constexpr int systolicDepth = 8;

/// The shape that the name of a function describes: types of A and B, of the
/// accumulator (f32, i32, bf16, f16), and the numbers of rows and lanes.
struct Shape {
  std::string a, b, accumulator;
  int rows, lanes;
  /// Exact products of f32 have twice the depth of the array.
  bool isDeep = false;
  bool isScaled = false;

  bool isInteger() const { return a.back() == '8'; }
  bool isF8() const { return a[0] == 'e'; }
  int bits() const {
    if (a == "e2m1")
      return 4;
    return a == "tf32" || a == "f32" ? 32 : isInteger() || isF8() ? 8 : 16;
  }
  /// Each row of A, and each column of B, has this many scales.
  int groups() const { return isScaled && bits() == 4 ? 2 : 1; }
  int depth() const { return systolicDepth * 32 / bits() * (isDeep ? 2 : 1); }
  int accumulatorBytes() const {
    return accumulator == "f32" || accumulator == "i32" ? 4 : 2;
  }
};

/// Takes the next type off mangled parameters; types of vectors count in
/// `seen`, as others are repeated by their numbers.
std::string takeType(std::string &rest, std::vector<std::string> &seen) {
  std::string type;
  if (rest[0] == 'S') {
    type = seen.at(rest[1] == '_' ? 0 : rest[1] - '0' + 1);
    rest.erase(0, rest.find('_') + 1);
    return type;
  }
  bool isVector = rest[0] == 'D' && rest[1] == 'v';
  std::size_t begin = isVector ? rest.find('_') + 1 : 0;
  type = rest.substr(0, begin + (rest[begin] == 'D' ? 2 : 1));
  rest.erase(0, type.size());
  if (isVector)
    seen.push_back(type);
  return type;
}

Shape parse(const std::string &name) {
  Shape shape;
  std::string prefix = "intel_sub_group_";
  std::size_t begin = name.find(prefix) + prefix.size();
  std::size_t middle = name.find('_', begin);
  std::size_t end = name.find("_matrix_mad_k");
  shape.isScaled = name.find("_scaled_matrix_mad_k") != std::string::npos;
  shape.a = name.substr(begin, middle - begin);
  shape.b = name.substr(middle + 1, name.find('_', middle + 1) - middle - 1);
  shape.isDeep =
      shape.a == "f32" && name.find("_k16", end) != std::string::npos;
  // Scaled functions call the kinds of 8-bit floats by separate names.
  for (std::string *type : {&shape.a, &shape.b})
    if (*type == "hf8" || *type == "bf8")
      *type = *type == "hf8" ? "e4m3" : "e5m2";
  std::string types = name.substr(
      name.find_first_not_of("0123456789", end + std::strlen("_matrix_mad_k")));
  std::vector<std::string> seen;
  std::string a = takeType(types, seen);
  takeType(types, seen);
  std::string c = takeType(types, seen);
  shape.rows = c[0] == 'D' && c[1] == 'v' ? c[2] - '0' : 1;
  // Half of the lanes have double the amount of A.
  shape.lanes = a.back() == 'i' ? 8 : 16;
  if (shape.a == "i8" || shape.a == "u8")
    shape.accumulator = "i32";
  else if (c.size() >= 2 && c.substr(c.size() - 2) == "Dh")
    shape.accumulator = "f16";
  else if ((shape.a == "bf16" || shape.isF8()) && c.back() != 'f')
    shape.accumulator = "bf16";
  else
    shape.accumulator = "f32";
  return shape;
}

float asFloat(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::uint32_t asBits(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/// The bits of an f32 that count: tf32 has no lower 13, exact products have
/// all.
float readSingle(const Shape &shape, float value) {
  return shape.a == "f32" ? value : asFloat(asBits(value) & ~0x1fffu);
}

float widen(const std::string &type, std::uint16_t bits) {
  if (type == "bf16")
    return asFloat(std::uint32_t(bits) << 16);
  if (type == "e2m1") {
    int exponent = bits >> 1 & 3, mantissa = bits & 1;
    float sign = bits >> 3 ? -1.0f : 1.0f;
    return sign * (exponent ? std::ldexp(float(2 + mantissa), exponent - 2)
                            : 0.5f * mantissa);
  }
  // The upper byte of an f16.
  if (type == "e5m2")
    return widen("f16", bits << 8);
  if (type == "e4m3") {
    int exponent = bits >> 3 & 15, mantissa = bits & 7;
    float sign = bits >> 7 ? -1.0f : 1.0f;
    if (exponent == 15 && mantissa == 7)
      return NAN;
    return sign * (exponent ? std::ldexp(float(8 + mantissa), exponent - 10)
                            : std::ldexp(float(mantissa), -9));
  }
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float sign = bits >> 15 ? -1.0f : 1.0f;
  if (exponent == 31)
    return mantissa ? asFloat(0x7fc00000u | std::uint32_t(bits >> 15) << 31 |
                              std::uint32_t(mantissa) << 13)
                    : sign * INFINITY;
  if (exponent == 0)
    return sign * std::ldexp(float(mantissa), -24);
  return sign * std::ldexp(float(1024 + mantissa), exponent - 25);
}

/// Rounds to nearest even.
std::uint16_t narrow(const std::string &type, float value) {
  std::uint32_t bits = asBits(value);
  if (type == "bf16") {
    if (std::isnan(value))
      return bits >> 16 | 0x40;
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }
  std::uint16_t sign = bits >> 16 & 0x8000;
  if (std::isnan(value))
    return sign | 0x7e00 | (bits >> 13 & 0x3ff);
  double magnitude = std::fabs(double(value));
  if (magnitude >= 65520)
    return sign | 0x7c00;
  int exponent = std::max(std::ilogb(magnitude == 0 ? 1e-30 : magnitude), -14);
  // In units of the last place; a carry goes to the exponent.
  auto units = static_cast<std::uint16_t>(
      std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
  return sign | static_cast<std::uint16_t>(((exponent + 14) << 10) + units);
}

struct Operands {
  alignas(64) char a[1024], b[1024], c[1024];
  /// Bytes of lanes, for each group.
  unsigned char aScale[32], bScale[32];
};

template <typename T> T at(const char *memory, int index) {
  T value;
  std::memcpy(&value, memory + index * sizeof(T), sizeof(T));
  return value;
}

/// A number of any 8-bit type.
float readF8(const std::string &type, const char *memory, int index) {
  return widen(type, at<std::uint8_t>(memory, index));
}

int readByte(const std::string &type, const char *memory, int index) {
  return type == "i8" ? int(at<std::int8_t>(memory, index))
                      : int(at<std::uint8_t>(memory, index));
}

/// These functions return the index of element (row, k) of A, and of element
/// (k, column) of B, among elements of 8 bits.
int findA8(const Shape &shape, int row, int k) {
  // Rows of bytes, lowest first, however many of them a lane has.
  return row * shape.depth() + k;
}
int findB8(const Shape &shape, int k, int column) {
  return (k / 4 * shape.lanes + column) * 4 + k % 4;
}

/// These elements by the operands' layouts.
int readA8(const Shape &shape, const char *a, int row, int k) {
  return readByte(shape.a, a, findA8(shape, row, k));
}

int readB8(const Shape &shape, const char *b, int k, int column) {
  return readByte(shape.b, b, findB8(shape, k, column));
}

/// A value of 4 bits; places are those of two in a byte.
float readE2M1(const char *memory, int byte, int k) {
  return widen("e2m1", at<std::uint8_t>(memory, byte) >> (k % 2 * 4) & 15);
}

float readA(const Shape &shape, const char *a, int row, int k) {
  if (shape.bits() == 4)
    return readE2M1(a, (row * shape.depth() + k) / 2, k);
  if (shape.isF8())
    return readF8(shape.a, a, findA8(shape, row, k));
  if (shape.bits() == 16)
    return widen(shape.a, at<std::uint16_t>(a, row * shape.depth() + k));
  // Rows follow each other.
  return readSingle(shape, at<float>(a, row * shape.depth() + k));
}

float readB(const Shape &shape, const char *b, int k, int column) {
  if (shape.bits() == 4)
    return readE2M1(b, (k / 8 * shape.lanes + column) * 4 + k % 8 / 2, k);
  if (shape.isF8())
    return readF8(shape.b, b, findB8(shape, k, column));
  if (shape.bits() == 16)
    return widen(shape.b, at<std::uint16_t>(
                              b, (k / 2 * shape.lanes + column) * 2 + k % 2));
  return readSingle(shape, at<float>(b, k * shape.lanes + column));
}

/// Group by group: sums from 0, which are scaled before they are added.
float computeScaled(const Shape &shape, const Operands &operands, int row,
                    int column, float sum) {
  int group = shape.depth() / shape.groups();
  for (int i = 0; i < shape.groups(); ++i) {
    float part = 0;
    for (int k = i * group; k < (i + 1) * group; ++k)
      part = std::fma(readA(shape, operands.a, row, k),
                      readB(shape, operands.b, k, column), part);
    int a = operands.aScale[i * shape.lanes + row];
    int b = operands.bScale[i * shape.lanes + column];
    // Half of the exponent at a time: all of it may be no number.
    int exponent = a + b - 254, half = exponent >> 1;
    float power = std::ldexp(1.0f, exponent - half);
    sum = a == 255 || b == 255
              ? NAN
              : std::fma(part * std::ldexp(1.0f, half), power, sum);
  }
  return sum;
}

void computeExpected(const Shape &shape, const Operands &operands, char *d) {
  for (int row = 0; row < shape.rows; ++row)
    for (int column = 0; column < shape.lanes; ++column) {
      int index = row * shape.lanes + column;
      if (shape.isInteger()) {
        auto sum = at<std::uint32_t>(operands.c, index);
        for (int k = 0; k < shape.depth(); ++k)
          sum += readA8(shape, operands.a, row, k) *
                 readB8(shape, operands.b, k, column);
        std::memcpy(d + index * 4, &sum, 4);
        continue;
      }
      bool isNarrow = shape.accumulatorBytes() == 2;
      float sum = isNarrow ? widen(shape.accumulator,
                                   at<std::uint16_t>(operands.c, index))
                           : at<float>(operands.c, index);
      if (shape.isScaled)
        sum = computeScaled(shape, operands, row, column, sum);
      for (int k = 0; k < shape.depth() && !shape.isScaled; ++k)
        sum = std::fma(readA(shape, operands.a, row, k),
                       readB(shape, operands.b, k, column), sum);
      if (isNarrow) {
        std::uint16_t bits = narrow(shape.accumulator, sum);
        std::memcpy(d + index * 2, &bits, 2);
      } else {
        std::memcpy(d + index * 4, &sum, 4);
      }
    }
}

/// Returns whether the results are the same; which NaN it is does not matter.
bool isSame(const Shape &shape, const char *a, const char *b, int index) {
  if (shape.accumulatorBytes() == 2) {
    auto x = at<std::uint16_t>(a, index), y = at<std::uint16_t>(b, index);
    return x == y || (std::isnan(widen(shape.accumulator, x)) &&
                      std::isnan(widen(shape.accumulator, y)));
  }
  auto x = at<std::uint32_t>(a, index), y = at<std::uint32_t>(b, index);
  return x == y || (shape.accumulator == "f32" && std::isnan(asFloat(x)) &&
                    std::isnan(asFloat(y)));
}

class MatrixMadTest : public testing::Test {
protected:
  /// Any bits, or numbers of like size, which round at every step.
  void fill(const Shape &shape, Operands &operands, bool anyBits) {
    for (char *memory : {operands.a, operands.b, operands.c})
      for (unsigned i = 0; i < sizeof(operands.a); ++i)
        memory[i] = static_cast<char>(generator());
    for (unsigned char *memory : {operands.aScale, operands.bScale})
      for (unsigned i = 0; i < sizeof(operands.aScale); ++i)
        memory[i] = static_cast<unsigned char>(
            anyBits ? generator() : 120 + generator() % 14);
    if (anyBits || shape.isInteger())
      return;
    std::normal_distribution<float> normal;
    auto fillWith = [&](char *memory, const std::string &type) {
      // All e2m1 are numbers around 1.
      if (type == "e2m1")
        return;
      // Bytes as they are, but of numbers around 1.
      if (type[0] == 'e') {
        for (unsigned i = 0; i < sizeof(operands.a); ++i)
          memory[i] = static_cast<char>((memory[i] & 0x8f) | 0x30);
        return;
      }
      for (unsigned i = 0; i < sizeof(operands.a) / 4; ++i) {
        std::uint32_t bits = asBits(normal(generator));
        if (type != "f32" && type != "tf32")
          bits = narrow(type, normal(generator)) |
                 narrow(type, normal(generator)) << 16;
        std::memcpy(memory + 4 * i, &bits, 4);
      }
    };
    fillWith(operands.a, shape.a);
    fillWith(operands.b, shape.b);
    fillWith(operands.c, shape.accumulator);
  }

  static void call(const Function &function, const Shape &shape,
                   const Operands &operands, char *result) {
    if (shape.isScaled)
      function.scaledMatrixMad(result, operands.a, operands.b, operands.c,
                               operands.aScale, operands.bScale);
    else
      function.matrixMad(result, operands.a, operands.b, operands.c);
  }

  void check(const Function &function, bool anyBits) {
    Shape shape = parse(function.name);
    Operands operands;
    fill(shape, operands, anyBits);
    char expected[1024];
    std::memcpy(expected, operands.c, sizeof(expected));
    computeExpected(shape, operands, expected);

    alignas(64) char result[1024];
    std::memcpy(result, operands.c, sizeof(result));
    call(function, shape, operands, result);
    int size = shape.rows * shape.lanes;
    for (int i = 0; i < size; ++i)
      ASSERT_TRUE(isSame(shape, result, expected, i))
          << function.name << ": element " << i;
    int used = size * shape.accumulatorBytes();
    ASSERT_EQ(
        std::memcmp(result + used, expected + used, sizeof(result) - used), 0)
        << function.name << ": after the result";

    call(function, shape, operands, operands.c);
    ASSERT_EQ(std::memcmp(operands.c, result, sizeof(result)), 0)
        << function.name << ": in place";
  }

  /// Every function of both lists, many times.
  void checkAll(bool anyBits) {
    for (InstructionSet set : getInstructionSets())
      for (FunctionList list : {getMatrixMad(set), getScaledMatrixMad(set)})
        for (const Function &function : toVector(list))
          for (int i = 0; i < 50 && !HasFatalFailure(); ++i)
            check(function, anyBits);
  }

  std::mt19937 generator{1};
};
} // namespace

TEST_F(MatrixMadTest, NamesTellShapes) {
  Shape shape = parse("_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv8_sDv8_iS0_");
  EXPECT_EQ(shape.rows, 8);
  EXPECT_EQ(shape.accumulator, "i32");
  shape = parse("_Z40intel_sub_group_bf16_bf16_matrix_mad_k16Dv4_sDv8_iS_");
  EXPECT_EQ(shape.rows, 4);
  EXPECT_EQ(shape.accumulator, "bf16");
  shape = parse("_Z39intel_sub_group_tf32_tf32_matrix_mad_k8fDv8_fDv2_f");
  EXPECT_EQ(shape.rows, 2);
  shape = parse("_Z38intel_sub_group_f16_f16_matrix_mad_k16sDv8_iDh");
  EXPECT_EQ(shape.rows, 1);
  EXPECT_EQ(shape.accumulator, "f16");
  EXPECT_EQ(shape.lanes, 16);
  shape = parse("_Z36intel_sub_group_i8_i8_matrix_mad_k32Dv4_iDv8_iS_");
  EXPECT_EQ(shape.rows, 4);
  EXPECT_EQ(shape.lanes, 8);
  shape = parse("_Z40intel_sub_group_e5m2_e4m3_matrix_mad_k32Dv4_sDv8_iS_");
  EXPECT_EQ(shape.rows, 4);
  EXPECT_EQ(shape.b, "e4m3");
  EXPECT_EQ(shape.accumulator, "bf16");
  shape = parse("_Z45intel_sub_group_hf8_bf8_scaled_matrix_mad_k32Dv8_sDv8_i"
                "Dv8_fhh");
  EXPECT_TRUE(shape.isScaled);
  EXPECT_EQ(shape.a, "e4m3");
  EXPECT_EQ(shape.b, "e5m2");
  EXPECT_EQ(shape.rows, 8);
  EXPECT_EQ(shape.accumulator, "f32");
}

TEST_F(MatrixMadTest, RoundsAsTheDefinitionSays) {
  checkAll(/*anyBits=*/false);
}

// Infinities, NaNs and denormal numbers included, and all scales.
TEST_F(MatrixMadTest, TakesAnyBits) { checkAll(/*anyBits=*/true); }
