//===- Bits.cpp - Logic, shifts, fields and counts of bits ----------------===//
// SPDX-License-Identifier: MIT
//
// The rules are those of vISA's descriptions (BFE.md, BFI.md, BFN.md, FBH.md,
// ...). A negated source of a logic operation is its complement.
//
//===----------------------------------------------------------------------===//

#include "Step.h"

namespace triton::intel::simulator {

namespace {
using Bits = Lanes<std::uint64_t>;

/// Reads a source, extended by its type; negated ones as their complements.
void readLogic(const Step &step, const Operand &operand, Integers &out) {
  Operand plain = operand;
  plain.negate = false;
  step.read(plain, out);
  if (operand.negate)
    for (unsigned lane = 0; lane < step.numLanes; ++lane)
      out[lane] = ~out[lane];
}

bool isWide(Type type) { return getSizeInBytes(type) == 8; }

/// Rotates the lower `bits` bits.
std::uint64_t rotateLeft(std::uint64_t value, unsigned count, unsigned bits) {
  std::uint64_t mask = ~std::uint64_t(0) >> (64 - bits);
  value &= mask;
  count %= bits;
  return count ? (value << count | value >> (bits - count)) & mask : value;
}

std::uint32_t reverse(std::uint32_t value) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 32; ++i)
    result |= (value >> i & 1) << (31 - i);
  return result;
}

/// Returns the number of zeros, or of bits equal to the sign, at the top; all
/// ones for a number that has nothing else.
std::int64_t findHigh(std::int64_t value, bool isSignedType) {
  auto bits = static_cast<std::uint32_t>(value);
  if (isSignedType && static_cast<std::int32_t>(bits) < 0)
    bits = ~bits;
  return bits ? __builtin_clz(bits) : -1;
}

std::uint64_t getFieldMask(std::uint64_t width, std::uint64_t offset) {
  return ((std::uint64_t(1) << (width & 31)) - 1) << (offset & 31);
}
} // namespace

Next executeLogic(Step &step) {
  const Instruction &instruction = step.instruction;
  Integers a, b;
  readLogic(step, instruction.sources[0], a);
  if (instruction.opcode != Opcode::Not)
    readLogic(step, instruction.sources[1], b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    switch (instruction.opcode) {
    case Opcode::And:
      a[lane] &= b[lane];
      break;
    case Opcode::Or:
      a[lane] |= b[lane];
      break;
    case Opcode::Xor:
      a[lane] ^= b[lane];
      break;
    default:
      a[lane] = ~a[lane];
    }
  step.write(a);
  return Next::Following;
}

Next executeBfn(Step &step) {
  const Instruction &instruction = step.instruction;
  Integers sources[3], result;
  for (unsigned i = 0; i < 3; ++i)
    step.read(instruction.sources[i], sources[i]);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    result[lane] = 0;
  // A sum of the rows of the table that are true.
  for (unsigned row = 0; row < 8; ++row) {
    if (!(instruction.booleanTable >> row & 1))
      continue;
    for (unsigned lane = 0; lane < step.numLanes; ++lane) {
      std::int64_t term = ~std::int64_t(0);
      for (unsigned i = 0; i < 3; ++i)
        term &= row >> i & 1 ? sources[i][lane] : ~sources[i][lane];
      result[lane] |= term;
    }
  }
  step.write(result);
  return Next::Following;
}

Next executeShift(Step &step) {
  const Instruction &instruction = step.instruction;
  Type type = instruction.sources[0].type;
  Integers a, b;
  step.read(instruction.sources[0], a);
  step.read(instruction.sources[1], b);
  bool wide = isWide(type) || isWide(instruction.destination.type);
  unsigned bits = wide ? 64 : getSizeInBytes(type) * 8;
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    auto count = static_cast<unsigned>(b[lane] & (wide ? 63 : 31));
    auto value = static_cast<std::uint64_t>(a[lane]);
    switch (instruction.opcode) {
    case Opcode::Shl:
      a[lane] = static_cast<std::int64_t>(value << count);
      break;
    case Opcode::Shr:
      // Smaller types are extended to 32 bits first.
      a[lane] = wide ? static_cast<std::int64_t>(value >> count)
                     : static_cast<std::uint32_t>(value) >> count;
      break;
    case Opcode::Asr:
      a[lane] = isSigned(type) ? a[lane] >> count
                               : static_cast<std::int64_t>(value >> count);
      break;
    case Opcode::Rol:
      a[lane] = static_cast<std::int64_t>(rotateLeft(value, count, bits));
      break;
    default:
      a[lane] = static_cast<std::int64_t>(
          rotateLeft(value, bits - count % bits, bits));
    }
  }
  step.write(a);
  return Next::Following;
}

/// bfe: a field of the third source; bfi1: a mask; bfi2: by the mask in the
/// first source the second one or the third.
Next executeBitField(Step &step) {
  const Instruction &instruction = step.instruction;
  Integers a, b, c;
  step.read(instruction.sources[0], a);
  step.read(instruction.sources[1], b);
  if (instruction.opcode != Opcode::Bfi1)
    step.read(instruction.sources[2], c);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    if (instruction.opcode == Opcode::Bfi1) {
      a[lane] = static_cast<std::int64_t>(
          getFieldMask(static_cast<std::uint64_t>(a[lane]),
                       static_cast<std::uint64_t>(b[lane])));
      continue;
    }
    if (instruction.opcode == Opcode::Bfi2) {
      a[lane] = (a[lane] & b[lane]) | (~a[lane] & c[lane]);
      continue;
    }
    auto width = static_cast<unsigned>(a[lane] & 31);
    auto offset = static_cast<unsigned>(b[lane] & 31);
    std::uint64_t field =
        static_cast<std::uint32_t>(c[lane]) >> offset & getFieldMask(width, 0);
    a[lane] = static_cast<std::int64_t>(field);
    if (width && isSigned(instruction.destination.type))
      a[lane] = static_cast<std::int64_t>(field << (64 - width)) >>
                static_cast<int>(64 - width);
  }
  step.write(a);
  return Next::Following;
}

Next executeBitCount(Step &step) {
  const Instruction &instruction = step.instruction;
  Type type = instruction.sources[0].type;
  Integers values;
  step.read(instruction.sources[0], values);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    auto bits = static_cast<std::uint32_t>(values[lane]);
    switch (instruction.opcode) {
    case Opcode::Bfrev:
      values[lane] = reverse(bits);
      break;
    case Opcode::Cbit:
      values[lane] = __builtin_popcount(bits);
      break;
    case Opcode::Fbh:
      values[lane] = findHigh(values[lane], isSigned(type));
      break;
    case Opcode::Fbl:
      values[lane] = bits ? __builtin_ctz(bits) : -1;
      break;
    default:
      values[lane] = bits ? __builtin_clz(bits) : 32;
    }
  }
  step.write(values);
  return Next::Following;
}

} // namespace triton::intel::simulator
