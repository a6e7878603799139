//===- Moves.cpp - Copies, conversions, selections, comparisons -----------===//
// SPDX-License-Identifier: MIT
//
// A move between equal types copies bits, whatever they mean: the compiler
// moves integers as floats. Between an integer and a float it converts: to
// integers to zero and to the limits of the type, NaN to 0 (vISA's chapter on
// data types).
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace triton::intel::simulator {

namespace {
bool hasModifier(const Operand &operand) {
  return operand.negate || operand.absolute;
}

/// Rounds by the thread's mode if cr0 states it, otherwise to zero.
double roundToInteger(double value, bool byMode) {
  return byMode ? std::nearbyint(value) : std::trunc(value);
}

/// To a 64-bit integer, and within the limits of a type with `bits` bits.
std::int64_t convertToInteger(double value, Type type) {
  if (value != value)
    return 0;
  unsigned bits = getSizeInBytes(type) * 8;
  double most =
      std::ldexp(1.0, static_cast<int>(isSigned(type) ? bits - 1 : bits));
  double least = isSigned(type) ? -most : 0;
  if (value <= least)
    return static_cast<std::int64_t>(least);
  if (value >= most)
    return isSigned(type)
               ? std::numeric_limits<std::int64_t>::max() >> (64 - bits)
               : static_cast<std::int64_t>(
                     std::numeric_limits<std::uint64_t>::max() >> (64 - bits));
  return isSigned(type)
             ? static_cast<std::int64_t>(value)
             : static_cast<std::int64_t>(static_cast<std::uint64_t>(value));
}

/// Saturates to or from unsigned numbers of 64 bits, which are negative here
/// where bit 63 is set.
void saturateWide(Step &step, Type source, Integers &values) {
  Type to = step.instruction.destination.type;
  if ((source == Type::UQ) == (to == Type::UQ))
    return;
  std::int64_t limit =
      source == Type::UQ ? std::numeric_limits<std::int64_t>::max() : 0;
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    if (values[lane] < 0)
      values[lane] = limit;
}

Next moveToInteger(Step &step, const Operand &source) {
  Integers result;
  if (!isFloat(source.type)) {
    step.read(source, result);
    if (step.instruction.saturates)
      saturateWide(step, source.type, result);
  } else {
    Doubles values;
    step.read(source, values);
    bool byMode = step.readControl() & control::roundsToInteger;
    for (unsigned lane = 0; lane < step.numLanes; ++lane)
      result[lane] = convertToInteger(roundToInteger(values[lane], byMode),
                                      step.instruction.destination.type);
  }
  step.write(result);
  return Next::Following;
}

bool isWide(Type type) {
  return type == Type::DF || type == Type::Q || type == Type::UQ;
}

/// Returns whether a copy of the bits is enough.
bool copiesBits(const Instruction &instruction, const Operand &source) {
  return source.type == instruction.destination.type && !hasModifier(source) &&
         !instruction.saturates && instruction.condition == Condition::None;
}

void copy(Step &step, const Operand &source) {
  Lanes<std::uint64_t> bits;
  step.readBits(source, bits);
  step.writeBits(bits);
}

template <typename E> bool compare(Condition condition, E a, E b) {
  switch (condition) {
  case Condition::EQ:
    return a == b;
  case Condition::NE:
    return !(a == b);
  case Condition::GT:
    return a > b;
  case Condition::GE:
    return a >= b;
  case Condition::LT:
    return a < b;
  case Condition::LE:
    return a <= b;
  case Condition::UN:
    return a != a || b != b;
  default:
    return false;
  }
}

/// LT and GE are minimum and maximum: where one of two floats is a NaN, the
/// other one. By other conditions a NaN chooses the second source ("sel" in the
/// Programmer's Reference Manual).
template <typename E> E choose(Condition condition, E a, E b) {
  bool isExtreme = condition == Condition::LT || condition == Condition::GE;
  if (isExtreme && a != a)
    return b;
  if (isExtreme && b != b)
    return a;
  return compare(condition, a, b) ? a : b;
}

/// The two sources that are compared. A negated integer is one of the width of
/// the wider source: -(-2^31) of `d` is -2^31, as compilers have it when they
/// replace a subtraction from 0 by a modifier. A narrow source becomes signed
/// if the wider one is: -1 of `uw` is -1 next to a `d`.
template <typename E> void readCompared(Step &step, Lanes<E> &a, Lanes<E> &b) {
  const auto &sources = step.instruction.sources;
  step.read(sources[0], a);
  step.read(sources[1], b);
  if constexpr (std::is_integral_v<E>) {
    unsigned bits = 8 * std::max(getSizeInBytes(sources[0].type),
                                 getSizeInBytes(sources[1].type));
    auto wrap = [&](const Operand &source, const Operand &other,
                    Lanes<E> &values) {
      if (!source.negate && !source.absolute)
        return;
      bool isNarrow = getSizeInBytes(source.type) < getSizeInBytes(other.type);
      bool becomesSigned =
          isSigned(source.type) || (isNarrow && isSigned(other.type));
      unsigned unused = 64 - bits;
      for (unsigned lane = 0; lane < step.numLanes; ++lane) {
        std::uint64_t shifted = static_cast<std::uint64_t>(values[lane])
                                << unused;
        values[lane] = becomesSigned
                           ? static_cast<std::int64_t>(shifted) >> unused
                           : static_cast<std::int64_t>(shifted >> unused);
      }
    };
    wrap(sources[0], sources[1], a);
    wrap(sources[1], sources[0], b);
  }
}

template <typename E> Next selectByCondition(Step &step) {
  Lanes<E> a, b;
  readCompared(step, a, b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    a[lane] = choose(step.instruction.condition, a[lane], b[lane]);
  return step.writeSelection(a);
}

template <typename E> Next selectByPredicate(Step &step, std::uint32_t flag) {
  Lanes<E> a, b;
  step.read(step.instruction.sources[0], a);
  step.read(step.instruction.sources[1], b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    if (!(flag >> lane & 1))
      a[lane] = b[lane];
  step.write(a);
  return Next::Following;
}

/// Both sources and the result are bits of the same type.
Next selectBits(Step &step, std::uint32_t flag) {
  Lanes<std::uint64_t> a, b;
  step.readBits(step.instruction.sources[0], a);
  step.readBits(step.instruction.sources[1], b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    if (!(flag >> lane & 1))
      a[lane] = b[lane];
  step.writeBits(a);
  return Next::Following;
}

template <typename E> Next compareSources(Step &step) {
  const Instruction &instruction = step.instruction;
  Lanes<E> a, b;
  readCompared(step, a, b);
  // The destination may be a source, and gets all ones or zeros.
  Lanes<std::uint64_t> bits;
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    bits[lane] = compare(instruction.condition, a[lane], b[lane])
                     ? ~std::uint64_t(0)
                     : 0;
  step.setFlag([&](unsigned lane) { return bits[lane] != 0; });
  step.writeBits(bits);
  return Next::Following;
}

template <typename E> Next selectByThird(Step &step) {
  const Instruction &instruction = step.instruction;
  Lanes<E> a, b, c;
  step.read(instruction.sources[0], a);
  step.read(instruction.sources[1], b);
  step.read(instruction.sources[2], c);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    if (!compare(instruction.condition, c[lane], E(0)))
      a[lane] = b[lane];
  return step.writeSelection(a);
}
} // namespace

Next executeMov(Step &step) {
  const Instruction &instruction = step.instruction;
  const Operand &source = instruction.sources[0];
  Type to = instruction.destination.type;
  if (copiesBits(instruction, source) && !source.isVector) {
    copy(step, source);
    if (!isFloat(to) && instruction.destination.offset >= registerFile::acc &&
        instruction.destination.offset < registerFile::flag) {
      // Integers in an accumulator have their wide value, too.
      Integers values;
      step.read(source, values);
      step.write(values);
    }
    return Next::Following;
  }
  if (!isFloat(to))
    return moveToInteger(step, source);
  // One rounding: wide numbers to f64 or f32, others through f32.
  if (isWide(source.type) || to == Type::DF) {
    if (to == Type::DF || isFloat(source.type)) {
      Doubles values;
      step.read(source, values);
      step.write(values);
      return Next::Following;
    }
  }
  if (to == Type::HF && !isFloat(source.type)) {
    // Integers of up to 64 bits.
    Integers values;
    step.read(source, values);
    Floats result;
    auto rounding = static_cast<unsigned>(step.getRounding());
    for (unsigned lane = 0; lane < step.numLanes; ++lane) {
      auto value = source.type == Type::UQ
                       ? static_cast<long double>(
                             static_cast<std::uint64_t>(values[lane]))
                       : static_cast<long double>(values[lane]);
      result[lane] = widenHalf(narrowHalf(value, rounding));
    }
    step.write(result);
    return Next::Following;
  }
  Floats values;
  step.read(source, values);
  step.write(values);
  return Next::Following;
}

Next executeSel(Step &step) {
  const Instruction &instruction = step.instruction;
  const Operand &a = instruction.sources[0], &b = instruction.sources[1];
  bool isDouble = a.type == Type::DF || b.type == Type::DF;
  bool isSingle = isFloat(a.type) || isFloat(b.type);
  if (instruction.predicate == Instruction::NoPredicate)
    return isDouble   ? selectByCondition<double>(step)
           : isSingle ? selectByCondition<float>(step)
                      : selectByCondition<std::int64_t>(step);
  std::uint32_t flag = step.readFlag();
  std::uint32_t all = getLaneMask(step.numLanes);
  if (instruction.predicate == Instruction::Any)
    flag = flag ? all : 0;
  else if (instruction.predicate == Instruction::All)
    flag = flag == all ? all : 0;
  if (instruction.isPredicateInverted)
    flag = ~flag;
  if (copiesBits(instruction, a) && copiesBits(instruction, b))
    return selectBits(step, flag);
  return isDouble   ? selectByPredicate<double>(step, flag)
         : isSingle ? selectByPredicate<float>(step, flag)
                    : selectByPredicate<std::int64_t>(step, flag);
}

Next executeCsel(Step &step) {
  return isFloat(step.instruction.sources[0].type)
             ? selectByThird<float>(step)
             : selectByThird<std::int64_t>(step);
}

Next executeCmp(Step &step) {
  const auto &sources = step.instruction.sources;
  if (sources[0].type == Type::DF || sources[1].type == Type::DF)
    return compareSources<double>(step);
  if (isFloat(sources[0].type) || isFloat(sources[1].type))
    return compareSources<float>(step);
  return compareSources<std::int64_t>(step);
}

} // namespace triton::intel::simulator
