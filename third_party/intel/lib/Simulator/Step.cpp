//===- Step.cpp - One instruction of one thread ---------------------------===//
// SPDX-License-Identifier: MIT

#include "Step.h"

#include "Numbers.h"
#include "intel/Runtime/Error.h"

#include <cmath>
#include <limits>

namespace triton::intel::simulator {

using runtime::Error;
using runtime::ErrorKind;

namespace {
template <typename T> T load(const std::uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

bool isAccumulator(const Operand &operand) {
  return operand.kind == Operand::Direct &&
         operand.offset >= registerFile::acc &&
         operand.offset < registerFile::flag;
}

/// Limits of an integer type.
struct Range {
  std::int64_t least, most;
};

/// The limits of unsigned numbers of 64 bits are those that fit a signed one.
Range getRange(Type type) {
  unsigned bits = getSizeInBytes(type) * 8;
  if (isSigned(type)) {
    std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
    return {-most - 1, most};
  }
  if (bits == 64)
    return {0, std::numeric_limits<std::int64_t>::max()};
  return {0, (std::int64_t(1) << bits) - 1};
}

/// Returns the low bits of a number, as a number of an integer type.
std::int64_t cut(std::int64_t value, Type type) {
  unsigned shift = 64 - getSizeInBytes(type) * 8;
  std::uint64_t high = static_cast<std::uint64_t>(value) << shift;
  return isSigned(type) ? static_cast<std::int64_t>(high) >> shift
                        : static_cast<std::int64_t>(high >> shift);
}

template <typename E> bool satisfies(Condition condition, E value) {
  switch (condition) {
  case Condition::EQ:
    return value == 0;
  case Condition::NE:
    return value != 0;
  case Condition::GT:
    return value > 0;
  case Condition::GE:
    return value >= 0;
  case Condition::LT:
    return value < 0;
  case Condition::LE:
    return value <= 0;
  case Condition::UN:
    return value != value;
  default:
    return false;
  }
}

/// To [0, 1]; a NaN becomes 0.
template <typename E> E saturate(E value) {
  return value >= 1 ? E(1) : value > 0 ? value : E(0);
}

/// Replaces denormal numbers by zeros of the same sign.
void flush(Floats &values, unsigned numLanes) {
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (std::fabs(values[lane]) < std::numeric_limits<float>::min())
      values[lane] = std::copysign(0.0f, values[lane]);
}
void flush(Doubles &values, unsigned numLanes) {
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (std::fabs(values[lane]) < std::numeric_limits<double>::min())
      values[lane] = std::copysign(0.0, values[lane]);
}
/// Flushes numbers that are those of f16.
void flushHalves(Floats &values, unsigned numLanes) {
  constexpr float smallestNormal = 0x1p-14f;
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (std::fabs(values[lane]) < smallestNormal)
      values[lane] = std::copysign(0.0f, values[lane]);
}

template <typename E>
void applyModifiers(const Operand &operand, Lanes<E> &values,
                    unsigned numLanes) {
  if (operand.absolute)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      values[lane] = std::abs(values[lane]);
  if (operand.negate)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      values[lane] = -values[lane];
}

/// Wraps around instead.
template <>
void applyModifiers(const Operand &operand, Integers &values,
                    unsigned numLanes) {
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    auto bits = static_cast<std::uint64_t>(values[lane]);
    if (operand.absolute && isSigned(operand.type) && values[lane] < 0)
      bits = -bits;
    if (operand.negate)
      bits = -bits;
    values[lane] = static_cast<std::int64_t>(bits);
  }
}
} // namespace

void Step::fail(const std::string &message) const {
  throw Error(ErrorKind::Launch, message);
}

std::uint32_t Step::readControl() const {
  return load<std::uint32_t>(thread.registers.data() + registerFile::control);
}

std::uint32_t Step::readFlag() const {
  auto bits = load<std::uint64_t>(thread.registers.data() + registerFile::flag +
                                  instruction.flag * 2);
  return static_cast<std::uint32_t>(bits >> instruction.firstLane) &
         getLaneMask(numLanes);
}

void Step::writeFlag(std::uint32_t bits) {
  std::uint8_t *flag =
      thread.registers.data() + registerFile::flag + instruction.flag * 2;
  std::uint64_t mask = std::uint64_t(enabled) << instruction.firstLane;
  auto value = load<std::uint64_t>(flag);
  value =
      (value & ~mask) | ((std::uint64_t(bits) << instruction.firstLane) & mask);
  std::memcpy(flag, &value, sizeof(value));
}

std::uint32_t Step::getAddress(const Operand &operand, unsigned number) const {
  auto address = load<std::uint16_t>(thread.registers.data() + operand.offset +
                                     number * sizeof(std::uint16_t));
  auto place = static_cast<std::uint32_t>(address + operand.addressOffset);
  if (!operand.sharesRegister || !number)
    return place;
  constexpr std::uint32_t inRegister = registerBytes - 1;
  return (getAddress(operand, 0) & ~inRegister) | (place & inRegister);
}

std::uint32_t Step::getOffset(const Operand &operand) const {
  if (operand.kind != Operand::IndirectRegion)
    return operand.offset;
  std::uint32_t address = getAddress(operand, 0);
  if (address >= registerFile::acc)
    fail("an address register has " + std::to_string(address) +
         ", which is no byte of a register");
  return address;
}

template <typename Element, typename E, typename Convert>
void Step::readElements(const Operand &operand, E *out,
                        const Convert &convert) const {
  if (operand.kind == Operand::Immediate) {
    Element element;
    std::memcpy(&element, &operand.immediate, sizeof(Element));
    E value = convert(element);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = value;
    return;
  }
  const std::uint8_t *bytes = thread.registers.data();
  if (operand.kind == Operand::IndirectLanes) {
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      std::uint32_t address =
          getAddress(operand, lane / operand.width) +
          lane % operand.width * operand.horizontal * sizeof(Element);
      if (address >= registerFile::acc) {
        if (isEnabled(lane))
          fail("an address register has " + std::to_string(address) +
               ", which is no byte of a register");
        address = 0;
      }
      out[lane] = convert(load<Element>(bytes + address));
    }
    return;
  }
  bytes += getOffset(operand);
  if (operand.stride == 0) {
    E value = convert(load<Element>(bytes));
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = value;
  } else if (operand.stride == 1) {
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = convert(load<Element>(bytes + lane * sizeof(Element)));
  } else if (operand.stride > 0) {
    std::size_t distance = operand.stride * sizeof(Element);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = convert(load<Element>(bytes + lane * distance));
  } else {
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = convert(
          load<Element>(bytes + (lane / operand.width * operand.vertical +
                                 lane % operand.width * operand.horizontal) *
                                    sizeof(Element)));
  }
}

void Step::readBits(const Operand &operand, Lanes<std::uint64_t> &out) const {
  auto widen = [](auto bits) { return static_cast<std::uint64_t>(bits); };
  if (operand.isVector && isFloat(operand.type)) {
    Floats values;
    read(operand, values);
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      std::uint32_t bits;
      std::memcpy(&bits, &values[lane], sizeof(bits));
      out[lane] = bits;
    }
    return;
  }
  if (operand.isVector) {
    Integers values;
    read(operand, values);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = static_cast<std::uint64_t>(values[lane]);
    return;
  }
  switch (getSizeInBytes(operand.type)) {
  case 1:
    return readElements<std::uint8_t>(operand, out.values, widen);
  case 2:
    return readElements<std::uint16_t>(operand, out.values, widen);
  case 4:
    return readElements<std::uint32_t>(operand, out.values, widen);
  default:
    return readElements<std::uint64_t>(operand, out.values, widen);
  }
}

void Step::read(const Operand &operand, Integers &out) const {
  auto widen = [](auto value) { return static_cast<std::int64_t>(value); };
  if (operand.isVector) {
    // Eight elements of 4 bits, repeatedly.
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      std::int64_t value = operand.immediate >> (lane % 8 * 4) & 15;
      out[lane] = isSigned(operand.type) && value > 7 ? value - 16 : value;
    }
  } else {
    switch (operand.type) {
    case Type::UB:
      readElements<std::uint8_t>(operand, out.values, widen);
      break;
    case Type::B:
      readElements<std::int8_t>(operand, out.values, widen);
      break;
    case Type::UW:
      readElements<std::uint16_t>(operand, out.values, widen);
      break;
    case Type::W:
      readElements<std::int16_t>(operand, out.values, widen);
      break;
    case Type::UD:
      readElements<std::uint32_t>(operand, out.values, widen);
      break;
    case Type::D:
      readElements<std::int32_t>(operand, out.values, widen);
      break;
    case Type::UQ:
    case Type::Q:
      readElements<std::int64_t>(operand, out.values, widen);
      break;
    default:
      fail(std::string("an integer operand of type ") + getName(operand.type));
    }
  }
  if (operand.negate || operand.absolute)
    applyModifiers(operand, out, numLanes);
}

/// Returns an element of an immediate vector of floats: sign, three bits of
/// exponent, four of fraction. The smallest numbers are not subnormal, but zero
/// is zero ("Restricted Float" in the Programmer's Reference Manual).
static float widenRestricted(std::uint8_t bits) {
  constexpr int fractionBits = 4, bias = 3;
  int exponent = (bits >> fractionBits & 7) - bias;
  int significand = 1 << fractionBits | (bits & 15);
  float value = bits & 0x7f ? std::ldexp(static_cast<float>(significand),
                                         exponent - fractionBits)
                            : 0.0f;
  return bits & 0x80 ? -value : value;
}

void Step::read(const Operand &operand, Floats &out) const {
  switch (operand.type) {
  case Type::F:
    if (operand.isVector) {
      // Four elements of 8 bits, repeatedly.
      for (unsigned lane = 0; lane < numLanes; ++lane)
        out[lane] = widenRestricted(
            static_cast<std::uint8_t>(operand.immediate >> (lane % 4 * 8)));
      break;
    }
    [[fallthrough]];
  case Type::TF32:
    readElements<float>(operand, out.values, [](float value) { return value; });
    if (!(readControl() & control::keepFloatDenormals))
      flush(out, numLanes);
    break;
  case Type::HF:
    readElements<std::uint16_t>(operand, out.values, widenHalf);
    if (!(readControl() & control::keepHalfDenormals))
      flushHalves(out, numLanes);
    break;
  case Type::BF:
    readElements<std::uint16_t>(operand, out.values, widenBFloat);
    break;
  case Type::BF8:
    readElements<std::uint8_t>(operand, out.values, widenE5M2);
    break;
  case Type::HF8:
    readElements<std::uint8_t>(operand, out.values, widenE4M3);
    break;
  case Type::DF: {
    // Moves and selections round.
    Doubles values;
    read(operand, values);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = static_cast<float>(values[lane]);
    return;
  }
  default: {
    Integers values;
    read(operand, values);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] =
          operand.type == Type::UQ
              ? static_cast<float>(static_cast<std::uint64_t>(values[lane]))
              : static_cast<float>(values[lane]);
    return;
  }
  }
  if (operand.negate || operand.absolute)
    applyModifiers(operand, out, numLanes);
}

void Step::read(const Operand &operand, Doubles &out) const {
  if (operand.type == Type::DF) {
    readElements<double>(operand, out.values,
                         [](double value) { return value; });
    if (!(readControl() & control::keepDoubleDenormals))
      flush(out, numLanes);
    if (operand.negate || operand.absolute)
      applyModifiers(operand, out, numLanes);
    return;
  }
  if (isFloat(operand.type)) {
    Floats values;
    read(operand, values);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      out[lane] = values[lane];
    return;
  }
  Integers values;
  read(operand, values);
  // The host has no instruction for unsigned numbers of 64 bits, and what it
  // has instead makes -0 of 0 where it rounds down.
  for (unsigned lane = 0; lane < numLanes; ++lane)
    out[lane] =
        operand.type == Type::UQ && values[lane] < 0
            ? static_cast<double>(static_cast<std::uint64_t>(values[lane]))
            : static_cast<double>(values[lane]);
}

template <typename Element> void Step::writeElements(const Element *values) {
  const Operand &operand = instruction.destination;
  if (operand.kind == Operand::Null || operand.kind == Operand::None)
    return;
  std::uint8_t *bytes = thread.registers.data() + getOffset(operand);
  if (operand.stride == 1 && isFull()) {
    std::memcpy(bytes, values, numLanes * sizeof(Element));
    return;
  }
  std::size_t distance = operand.stride * sizeof(Element);
  for (unsigned lane = 0; lane < numLanes; ++lane)
    if (isEnabled(lane))
      std::memcpy(bytes + lane * distance, &values[lane], sizeof(Element));
}

void Step::writeBits(const Lanes<std::uint64_t> &values) {
  auto narrow = [&](auto zero) {
    using Element = decltype(zero);
    Lanes<Element> narrowed;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      narrowed[lane] = static_cast<Element>(values[lane]);
    writeElements(narrowed.values);
  };
  switch (getSizeInBytes(instruction.destination.type)) {
  case 1:
    return narrow(std::uint8_t(0));
  case 2:
    return narrow(std::uint16_t(0));
  case 4:
    return narrow(std::uint32_t(0));
  default:
    return narrow(std::uint64_t(0));
  }
}

template <typename E> void Step::setCondition(const Lanes<E> &values) {
  if (instruction.condition == Condition::None || !setsFlag)
    return;
  setFlag([&](unsigned lane) {
    return satisfies(instruction.condition, values[lane]);
  });
}

void Step::write(Integers &values) {
  const Operand &operand = instruction.destination;
  Range range = getRange(operand.type);
  bool detects = setsFlag && instruction.condition == Condition::OV;
  std::uint32_t overflown = 0;
  if (isAccumulator(operand)) {
    unsigned first = (operand.offset - registerFile::acc) / 4;
    for (unsigned lane = 0; lane < numLanes && first + lane < maxLanes; ++lane)
      if (isEnabled(lane))
        thread.wideAccumulator[first + lane] = values[lane];
  }
  if (detects)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      overflown |= static_cast<std::uint32_t>(values[lane] < range.least ||
                                              values[lane] > range.most)
                   << lane;
  // Unsigned numbers of 64 bits may have bit 63 set. Only moves saturate them.
  if (instruction.saturates && operand.type != Type::UQ)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      values[lane] = std::min(std::max(values[lane], range.least), range.most);
  Lanes<std::uint64_t> bits;
  for (unsigned lane = 0; lane < numLanes; ++lane)
    bits[lane] = static_cast<std::uint64_t>(values[lane]);
  writeBits(bits);
  if (detects)
    return writeFlag(overflown);
  if (instruction.condition == Condition::None || !setsFlag)
    return;
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    values[lane] = cut(values[lane], operand.type);
    if (operand.type == Type::UQ && values[lane] < 0)
      values[lane] = range.most;
  }
  setCondition(values);
}

void Step::write(Floats &values) {
  const Operand &operand = instruction.destination;
  // Floats of 8 bits saturate at their largest number.
  if (instruction.saturates && getSizeInBytes(operand.type) > 1)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      values[lane] = saturate(values[lane]);
  Lanes<std::uint16_t> halves;
  switch (operand.type) {
  case Type::F:
    if (!(readControl() & control::keepFloatDenormals))
      flush(values, numLanes);
    writeElements(values.values);
    break;
  case Type::TF32:
    for (unsigned lane = 0; lane < numLanes; ++lane)
      values[lane] = roundTF32(values[lane]);
    writeElements(values.values);
    break;
  case Type::HF: {
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      halves[lane] = narrowHalf(values[lane]);
      values[lane] = widenHalf(halves[lane]);
    }
    if (!(readControl() & control::keepHalfDenormals)) {
      flushHalves(values, numLanes);
      for (unsigned lane = 0; lane < numLanes; ++lane)
        halves[lane] = narrowHalf(values[lane]);
    }
    writeElements(halves.values);
    break;
  }
  case Type::BF:
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      halves[lane] = narrowBFloat(values[lane]);
      values[lane] = widenBFloat(halves[lane]);
    }
    writeElements(halves.values);
    break;
  case Type::BF8:
  case Type::HF8: {
    Lanes<std::uint8_t> bytes;
    for (unsigned lane = 0; lane < numLanes; ++lane) {
      std::uint16_t half = narrowHalf(values[lane]);
      bytes[lane] = operand.type == Type::BF8
                        ? narrowE5M2(half)
                        : narrowE4M3(half, instruction.saturates);
    }
    writeElements(bytes.values);
    break;
  }
  case Type::DF: {
    Lanes<double> doubles;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      doubles[lane] = values[lane];
    writeElements(doubles.values);
    break;
  }
  default:
    fail(std::string("a float result of type ") + getName(operand.type));
  }
  setCondition(values);
}

void Step::write(Doubles &values) {
  const Operand &operand = instruction.destination;
  if (operand.type != Type::DF) {
    // One rounding: f16 of f64 must not go through f32.
    if (operand.type == Type::HF) {
      // A value that is an f16 already does not change.
      auto rounding = static_cast<unsigned>(getRounding());
      Floats halves;
      for (unsigned lane = 0; lane < numLanes; ++lane)
        halves[lane] = widenHalf(
            narrowHalf(static_cast<long double>(values[lane]), rounding));
      return write(halves);
    }
    Floats narrowed;
    for (unsigned lane = 0; lane < numLanes; ++lane)
      narrowed[lane] = static_cast<float>(values[lane]);
    return write(narrowed);
  }
  if (instruction.saturates)
    for (unsigned lane = 0; lane < numLanes; ++lane)
      values[lane] = saturate(values[lane]);
  if (!(readControl() & control::keepDoubleDenormals))
    flush(values, numLanes);
  writeElements(values.values);
  setCondition(values);
}

void applyRounding(std::uint32_t controlRegister) {
  constexpr unsigned modes[] = {_MM_ROUND_NEAREST, _MM_ROUND_UP, _MM_ROUND_DOWN,
                                _MM_ROUND_TOWARD_ZERO};
  constexpr unsigned maskedExceptions = 0x1f80;
  _mm_setcsr(maskedExceptions |
             modes[controlRegister >> control::roundingShift & 3]);
}

} // namespace triton::intel::simulator
