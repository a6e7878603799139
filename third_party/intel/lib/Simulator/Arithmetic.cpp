//===- Arithmetic.cpp - Sums, products, rounding --------------------------===//
// SPDX-License-Identifier: MIT
//
// Integer products of 32 by 32 bits are sequences: mul multiplies by the lower
// 16 bits of the second factor into an accumulator, macl or mach adds the
// product by the upper ones and returns the low or the high 32 bits
// (doGenerateMacl in visa's HWConformity.cpp).
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Step.h"

#include <algorithm>
#include <cmath>

namespace triton::intel::simulator {

namespace {
enum class Domain { Integer, Single, Double };

/// Returns the numbers that an instruction computes with: f64 if a source has
/// them, f32 if a source is another float.
Domain getDomain(const Instruction &instruction) {
  Domain domain = Domain::Integer;
  for (unsigned i = 0; i < instruction.numSources; ++i) {
    Type type = instruction.sources[i].type;
    if (type == Type::DF)
      return Domain::Double;
    if (isFloat(type))
      domain = Domain::Single;
  }
  return domain;
}

std::int64_t wrap(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits);
}

/// Applies `op` lane by lane to two sources.
template <typename E, typename Op> Next apply(Step &step, const Op &op) {
  Lanes<E> a, b;
  step.read(step.instruction.sources[0], a);
  step.read(step.instruction.sources[1], b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    a[lane] = op(a[lane], b[lane]);
  step.write(a);
  return Next::Following;
}

/// Writes the accumulator of addc, subb, mach and macl, which they do not name:
/// it is acc0 for any lanes, as the compiler's code for the upper half of 32
/// lanes shows.
void writeAccumulator(Step &step, const Integers &wide, unsigned first = 0) {
  for (unsigned lane = 0; lane < step.numLanes && first + lane < maxLanes;
       ++lane) {
    if (!step.isEnabled(lane))
      continue;
    step.thread.wideAccumulator[first + lane] = wide[lane];
    auto low = static_cast<std::uint32_t>(wide[lane]);
    std::memcpy(step.thread.registers.data() + registerFile::acc +
                    (first + lane) * sizeof(low),
                &low, sizeof(low));
  }
}

/// Returns the element of acc0 that mach and macl begin with: the one at the
/// place that their destination has in its register.
unsigned getFirstOfProduct(const Operand &destination) {
  return destination.kind == Operand::Direct
             ? destination.offset % registerBytes / sizeof(std::uint32_t)
             : 0;
}

/// Computes the result of a fused multiply-add of f16: f32 has too few bits for
/// it, and the exact one fits 64.
void fuseHalves(Step &step, const Floats &a, const Floats &b, const Floats &c) {
  Lanes<std::uint64_t> bits;
  Rounding rounding = step.getRounding();
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    long double product =
        static_cast<long double>(b[lane]) * static_cast<long double>(c[lane]);
    long double sum = a[lane] + product;
    // A sum that cancels is -0 where it rounds down, which long doubles do not
    // know.
    if (sum == 0 && rounding == Rounding::Down &&
        std::signbit(a[lane]) != std::signbit(product))
      sum = -0.0L;
    bits[lane] = narrowHalf(sum, static_cast<unsigned>(rounding));
  }
  // Saturation and conditions are those of floats.
  Floats result;
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    result[lane] = widenHalf(static_cast<std::uint16_t>(bits[lane]));
  step.write(result);
}

template <typename E> Next fuse(Step &step) {
  const auto &sources = step.instruction.sources;
  Lanes<E> a, b, c;
  step.read(sources[0], a);
  step.read(sources[1], b);
  step.read(sources[2], c);
  if constexpr (std::is_same_v<E, float>)
    if (step.instruction.destination.type == Type::HF) {
      fuseHalves(step, a, b, c);
      return Next::Following;
    }
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    a[lane] = std::fma(b[lane], c[lane], a[lane]);
  step.write(a);
  return Next::Following;
}
} // namespace

Next executeAdd(Step &step) {
  switch (getDomain(step.instruction)) {
  case Domain::Single:
    return apply<float>(step, [](float a, float b) { return a + b; });
  case Domain::Double:
    return apply<double>(step, [](double a, double b) { return a + b; });
  case Domain::Integer:
    break;
  }
  return apply<std::int64_t>(
      step, [](std::uint64_t a, std::uint64_t b) { return wrap(a + b); });
}

Next executeAdd3(Step &step) {
  const auto &sources = step.instruction.sources;
  Integers a, b, c;
  step.read(sources[0], a);
  step.read(sources[1], b);
  step.read(sources[2], c);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    a[lane] = a[lane] + b[lane] + c[lane];
  step.write(a);
  return Next::Following;
}

/// The accumulator gets the carry.
Next executeAddc(Step &step) {
  Integers a, b, carry;
  step.read(step.instruction.sources[0], a);
  step.read(step.instruction.sources[1], b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    a[lane] += b[lane];
    carry[lane] = a[lane] >> 32 & 1;
  }
  step.write(a);
  writeAccumulator(step, carry);
  return Next::Following;
}

/// The accumulator gets the borrow.
Next executeSubb(Step &step) {
  Integers a, b, borrow;
  step.read(step.instruction.sources[0], a);
  step.read(step.instruction.sources[1], b);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    borrow[lane] = a[lane] < b[lane];
    a[lane] -= b[lane];
  }
  step.write(a);
  writeAccumulator(step, borrow);
  return Next::Following;
}

Next executeAvg(Step &step) {
  return apply<std::int64_t>(
      step, [](std::int64_t a, std::int64_t b) { return (a + b + 1) >> 1; });
}

Next executeMul(Step &step) {
  switch (getDomain(step.instruction)) {
  case Domain::Single:
    return apply<float>(step, [](float a, float b) { return a * b; });
  case Domain::Double:
    return apply<double>(step, [](double a, double b) { return a * b; });
  case Domain::Integer:
    break;
  }
  return apply<std::int64_t>(
      step, [](std::uint64_t a, std::uint64_t b) { return wrap(a * b); });
}

Next executeMach(Step &step) {
  const Instruction &instruction = step.instruction;
  Integers a, b, sum;
  step.read(instruction.sources[0], a);
  step.read(instruction.sources[1], b);
  unsigned first = getFirstOfProduct(instruction.destination);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    // The sign of a source is in its upper bits already. Products wrap around,
    // as does their sum, at the 64 bits that count.
    auto wide = static_cast<std::uint64_t>(
        step.thread.wideAccumulator[(first + lane) % maxLanes]);
    auto upper = static_cast<std::uint64_t>(b[lane] >> 16);
    wide += (static_cast<std::uint64_t>(a[lane]) * upper) << 16;
    sum[lane] = wrap(wide);
    a[lane] =
        instruction.opcode == Opcode::Mach ? wrap(wide >> 32) : wrap(wide);
  }
  step.write(a);
  writeAccumulator(step, sum, first);
  return Next::Following;
}

/// The addend is the first source.
Next executeMad(Step &step) {
  switch (getDomain(step.instruction)) {
  case Domain::Single:
    return fuse<float>(step);
  case Domain::Double:
    return fuse<double>(step);
  case Domain::Integer:
    break;
  }
  const auto &sources = step.instruction.sources;
  Integers a, b, c;
  step.read(sources[0], a);
  step.read(sources[1], b);
  step.read(sources[2], c);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    a[lane] = wrap(static_cast<std::uint64_t>(a[lane]) +
                   static_cast<std::uint64_t>(b[lane]) *
                       static_cast<std::uint64_t>(c[lane]));
  step.write(a);
  return Next::Following;
}

/// Four products of bytes, signed as the types of their operands.
Next executeDp4a(Step &step) {
  const auto &sources = step.instruction.sources;
  Integers sum;
  Lanes<std::uint64_t> b, c;
  step.read(sources[0], sum);
  step.readBits(sources[1], b);
  step.readBits(sources[2], c);
  auto getByte = [](std::uint64_t bits, unsigned index,
                    bool isSigned) -> std::int64_t {
    auto byte = static_cast<std::uint8_t>(bits >> (8 * index));
    return isSigned ? static_cast<std::int8_t>(byte) : std::int64_t(byte);
  };
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i)
      sum[lane] += getByte(b[lane], i, isSigned(sources[1].type)) *
                   getByte(c[lane], i, isSigned(sources[2].type));
  step.write(sum);
  return Next::Following;
}

/// To an integer that is a float: floor, ceiling, nearest even, to zero; or
/// what is left above the floor.
Next executeRound(Step &step) {
  Floats values;
  step.read(step.instruction.sources[0], values);
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    float value = values[lane];
    switch (step.instruction.opcode) {
    case Opcode::Rndd:
      value = std::floor(value);
      break;
    case Opcode::Rndu:
      value = std::ceil(value);
      break;
    case Opcode::Rnde:
      value = __builtin_roundevenf(value);
      break;
    case Opcode::Rndz:
      value = std::trunc(value);
      break;
    default:
      value -= std::floor(value);
    }
    values[lane] = value;
  }
  step.write(values);
  return Next::Following;
}

} // namespace triton::intel::simulator
