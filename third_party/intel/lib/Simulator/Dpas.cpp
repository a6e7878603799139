//===- Dpas.cpp - The systolic array --------------------------------------===//
// SPDX-License-Identifier: MIT
//
// D = C + A * B with the operand layouts of DPAS.md in the description of vISA:
// a register of B holds, for each of 16 columns, the elements of one step of
// depth; A has one row of 32 bytes after the other.
//
// The rounding of hardware inside a step, and which step is first, are not
// documented: a launch states which order it takes. Sums are exact in f64 until
// they are rounded.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Step.h"

#include <algorithm>

namespace triton::intel::simulator {

namespace {
constexpr unsigned columns = 16;
constexpr unsigned maxDepth = 8;
constexpr unsigned maxProducts = 8;

unsigned getBits(Type type) {
  switch (type) {
  case Type::U2:
  case Type::S2:
    return 2;
  case Type::U4:
  case Type::S4:
    return 4;
  case Type::TF32:
    return 32;
  default:
    return getSizeInBytes(type) * 8;
  }
}

/// The shape of a dpas: how its operands are packed.
struct Shape {
  unsigned depth, rows;
  /// Products of a step.
  unsigned products;
};

/// Returns element `index` of a row of bytes.
std::int32_t readInteger(const std::uint8_t *bytes, unsigned index, Type type) {
  unsigned bits = getBits(type), begin = index * bits;
  unsigned value = bytes[begin / 8] >> (begin % 8) & ((1u << bits) - 1);
  bool isNegative = isSigned(type) && value >> (bits - 1);
  return static_cast<std::int32_t>(value) -
         (isNegative ? static_cast<std::int32_t>(1u << bits) : 0);
}

float readFloat(const std::uint8_t *bytes, unsigned index, Type type) {
  switch (type) {
  case Type::BF: {
    std::uint16_t bits;
    std::memcpy(&bits, bytes + 2 * index, sizeof(bits));
    return widenBFloat(bits);
  }
  case Type::HF: {
    std::uint16_t bits;
    std::memcpy(&bits, bytes + 2 * index, sizeof(bits));
    return widenHalf(bits);
  }
  case Type::BF8:
    return widenE5M2(bytes[index]);
  case Type::HF8:
    return widenE4M3(bytes[index]);
  default: {
    std::uint32_t bits;
    std::memcpy(&bits, bytes + 4 * index, sizeof(bits));
    // The lowest bits of tf32 do not count.
    return toFloat(type == Type::TF32 ? bits & 0xffffe000 : bits);
  }
  }
}

float readElement(const std::uint8_t *bytes, unsigned index, Type type, float) {
  return readFloat(bytes, index, type);
}
std::int32_t readElement(const std::uint8_t *bytes, unsigned index, Type type,
                         std::int32_t) {
  return readInteger(bytes, index, type);
}

/// The operands in the order that they are multiplied in.
template <typename E> struct Operands {
  E b[maxDepth][maxProducts][columns];
  E a[maxDepth][maxDepth * maxProducts];
};

/// A column has `products` elements of each step, in the bytes that they need,
/// several steps to a dword of a narrow type.
template <typename E>
void readB(const Step &step, const Shape &shape, Operands<E> &operands) {
  const Operand &source = step.instruction.sources[1];
  const std::uint8_t *bytes = step.thread.registers.data() + source.offset;
  unsigned stepsPerDword = 32 / (getBits(source.type) * shape.products);
  for (unsigned d = 0; d < shape.depth; ++d)
    for (unsigned n = 0; n < columns; ++n) {
      const std::uint8_t *dword =
          bytes + d / stepsPerDword * registerBytes + n * 4;
      for (unsigned j = 0; j < shape.products; ++j)
        operands.b[d][j][n] = readElement(
            dword, d % stepsPerDword * shape.products + j, source.type, E());
    }
}

template <typename E>
void readA(const Step &step, const Shape &shape, Operands<E> &operands) {
  const Operand &source = step.instruction.sources[2];
  const std::uint8_t *bytes = step.thread.registers.data() + source.offset;
  unsigned count = shape.depth * shape.products;
  unsigned rowBytes = count * getBits(source.type) / 8;
  for (unsigned r = 0; r < shape.rows; ++r)
    for (unsigned k = 0; k < count; ++k)
      operands.a[r][k] = readElement(bytes + r * rowBytes, k, source.type, E());
}

/// Reads rows of accumulators: 16 dwords, or 16 words two rows to a register.
void readAccumulators(const Step &step, unsigned row, Lanes<float> &values) {
  const Operand &source = step.instruction.sources[0];
  for (unsigned n = 0; n < columns; ++n) {
    if (source.kind == Operand::Null) {
      values[n] = 0;
      continue;
    }
    unsigned size = getSizeInBytes(source.type);
    values[n] = readFloat(step.thread.registers.data() + source.offset +
                              row * columns * size,
                          n, source.type);
  }
}

void readAccumulators(const Step &step, unsigned row,
                      Lanes<std::int32_t> &values) {
  const Operand &source = step.instruction.sources[0];
  if (source.kind == Operand::Null) {
    for (unsigned n = 0; n < columns; ++n)
      values[n] = 0;
    return;
  }
  std::memcpy(values.values,
              step.thread.registers.data() + source.offset +
                  row * registerBytes,
              registerBytes);
}

template <typename Element>
void storeRow(Step &step, unsigned row, const Element *values) {
  std::uint8_t *bytes = step.thread.registers.data() +
                        step.instruction.destination.offset +
                        row * columns * sizeof(Element);
  for (unsigned n = 0; n < columns; ++n)
    if (step.isEnabled(n))
      std::memcpy(bytes + n * sizeof(Element), values + n, sizeof(Element));
}

void writeRow(Step &step, unsigned row, const Lanes<float> &values) {
  Type type = step.instruction.destination.type;
  if (type == Type::F)
    return storeRow(step, row, values.values);
  std::uint16_t halves[columns];
  for (unsigned n = 0; n < columns; ++n)
    halves[n] =
        type == Type::BF ? narrowBFloat(values[n]) : narrowHalf(values[n]);
  storeRow(step, row, halves);
}

void writeRow(Step &step, unsigned row, const Lanes<std::int32_t> &values) {
  storeRow(step, row, values.values);
}

/// Adds the products of one step to exact sums.
void addStep(const Operands<float> &operands, const Shape &shape, unsigned row,
             unsigned depth, double (&sums)[columns]) {
  for (unsigned j = 0; j < shape.products; ++j) {
    double a = operands.a[row][depth * shape.products + j];
    for (unsigned n = 0; n < columns; ++n)
      sums[n] += a * static_cast<double>(operands.b[depth][j][n]);
  }
}

/// Adds products with a rounding to f32 for each of them.
void addProducts(const Operands<float> &operands, const Shape &shape,
                 unsigned row, unsigned depth, double (&sums)[columns]) {
  for (unsigned j = 0; j < shape.products; ++j) {
    double a = operands.a[row][depth * shape.products + j];
    for (unsigned n = 0; n < columns; ++n)
      sums[n] = static_cast<float>(
          sums[n] + a * static_cast<double>(operands.b[depth][j][n]));
  }
}

/// Accumulates all steps of a row, in an order.
void accumulate(const Operands<float> &operands, const Shape &shape,
                unsigned row, DpasOrder order, Lanes<float> &values) {
  double sums[columns];
  for (unsigned n = 0; n < columns; ++n)
    sums[n] = values[n];
  for (unsigned step = 0; step < shape.depth; ++step) {
    unsigned depth =
        order == DpasOrder::Reversed ? shape.depth - 1 - step : step;
    if (order == DpasOrder::Product)
      addProducts(operands, shape, row, depth, sums);
    else
      addStep(operands, shape, row, depth, sums);
    if (order == DpasOrder::Whole)
      continue;
    for (unsigned n = 0; n < columns; ++n)
      sums[n] = static_cast<float>(sums[n]);
  }
  for (unsigned n = 0; n < columns; ++n)
    values[n] = static_cast<float>(sums[n]);
}

/// Sums of integers wrap around, in any order.
void accumulate(const Operands<std::int32_t> &operands, const Shape &shape,
                unsigned row, DpasOrder, Lanes<std::int32_t> &values) {
  for (unsigned k = 0; k < shape.depth * shape.products; ++k) {
    auto a = static_cast<std::uint32_t>(operands.a[row][k]);
    const auto &b = operands.b[k / shape.products][k % shape.products];
    for (unsigned n = 0; n < columns; ++n)
      values[n] =
          static_cast<std::int32_t>(static_cast<std::uint32_t>(values[n]) +
                                    a * static_cast<std::uint32_t>(b[n]));
  }
}

template <typename E> Next multiply(Step &step, const Shape &shape) {
  Operands<E> operands;
  readB(step, shape, operands);
  readA(step, shape, operands);
  // Results may overwrite accumulators of other rows, too: vISA lets the
  // destination share registers with all sources but B (GraphColor.cpp).
  Lanes<E> values[maxDepth];
  for (unsigned row = 0; row < shape.rows; ++row)
    readAccumulators(step, row, values[row]);
  for (unsigned row = 0; row < shape.rows; ++row) {
    accumulate(operands, shape, row, step.thread.group->launch->dpasOrder,
               values[row]);
    writeRow(step, row, values[row]);
  }
  return Next::Following;
}
} // namespace

Next executeDpas(Step &step) {
  const Instruction &instruction = step.instruction;
  Type b = instruction.sources[1].type, a = instruction.sources[2].type;
  if (instruction.depth > maxDepth || instruction.repeat > maxDepth ||
      instruction.numLanes != columns)
    step.fail("a dpas of another shape than 8x8 with 16 lanes");
  // The number of elements of the wider one of the two that fit into a dword; 2
  // bits count as 4.
  unsigned bits = std::max({getBits(a), getBits(b), 4u});
  Shape shape = {instruction.depth, instruction.repeat,
                 std::min(32 / bits, maxProducts)};
  return isFloat(a) ? multiply<float>(step, shape)
                    : multiply<std::int32_t>(step, shape);
}

} // namespace triton::intel::simulator
