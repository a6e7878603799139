//===- MathFunctions.cpp - The math pipe, and its macros ------------------===//
// SPDX-License-Identifier: MIT
//
// The accuracy of `math` is not documented publicly: results here are rounded
// correctly, and a comparison with hardware has to allow for its errors.
//
// Division and square root in f64 are sequences (vISA: INVM, RSQTM) that begin
// with an estimate and refine it in registers with more bits than f64, which
// their `mme` names. Here the estimate and the intermediate values have the 64
// bits of mantissa of the host's long double; so the last step rounds what is
// exact except for its last bits, as the sequences are made for. It rounds
// once, by the mode of cr0: twice would be wrong between two doubles.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Step.h"

#include <cmath>
#include <limits>

namespace triton::intel::simulator {

namespace {
double compute(MathFunction function, double x, double y) {
  switch (function) {
  case MathFunction::Inv:
    return 1 / x;
  case MathFunction::Sqt:
    return std::sqrt(x);
  case MathFunction::Rsqt:
    return 1 / std::sqrt(x);
  case MathFunction::Exp:
    return std::exp2(x);
  case MathFunction::Log:
    return std::log2(x);
  case MathFunction::Sin:
    return std::sin(x);
  case MathFunction::Cos:
    return std::cos(x);
  case MathFunction::Pow:
    return std::pow(std::fabs(x), y);
  case MathFunction::Tanh:
    return std::tanh(x);
  case MathFunction::Sigm:
    return 1 / (1 + std::exp(-x));
  case MathFunction::Invm:
  case MathFunction::Rsqtm:
    break;
  }
  return 0;
}

/// Reads an operand of a macro: its wide value where it names one.
void readWide(const Step &step, const Operand &operand,
              Lanes<long double> &out) {
  if (operand.extension >= 0) {
    const auto &values = step.thread.extended[operand.extension];
    for (unsigned lane = 0; lane < step.numLanes; ++lane) {
      long double value = values[lane + step.instruction.firstLane];
      if (operand.absolute)
        value = std::fabs(value);
      out[lane] = operand.negate ? -value : value;
    }
    return;
  }
  Doubles values;
  step.read(operand, values);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    out[lane] = values[lane];
}

void writeWide(Step &step, const Lanes<long double> &values) {
  const Operand &destination = step.instruction.destination;
  if (destination.extension >= 0)
    for (unsigned lane = 0; lane < step.numLanes; ++lane)
      if (step.isEnabled(lane))
        step.thread.extended[destination.extension]
                            [lane + step.instruction.firstLane] = values[lane];
  Doubles narrowed;
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    narrowed[lane] = static_cast<double>(values[lane]);
  step.write(narrowed);
}

/// To f64 by the mode of cr0, which the host's long doubles do not know.
double narrow(long double value, Rounding rounding) {
  auto nearest = static_cast<double>(value);
  if (std::isnan(value) || rounding == Rounding::NearestEven ||
      nearest == value)
    return nearest;
  bool up =
      rounding == Rounding::Up || (rounding == Rounding::ToZero && value < 0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (up)
    return nearest < value ? std::nextafter(nearest, infinity) : nearest;
  return nearest > value ? std::nextafter(nearest, -infinity) : nearest;
}

/// Returns a + b * c in f64, rounded once: what long doubles lose of it goes
/// into the last bit of one (it is rounded to odd), which f64 has not.
double fuse(long double a, long double b, long double c, Rounding rounding) {
  long double product = b * c, sum = a + product;
  if (!std::isfinite(sum))
    return narrow(sum, rounding);
  // Both errors are numbers, and the rest is as exact as counts.
  long double second = sum - a;
  long double rest =
      ((a - (sum - second)) + (product - second)) + std::fma(b, c, -product);
  if (rest != 0) {
    if ((rest < 0) != (sum < 0))
      sum = std::nextafter(sum, 0.0L);
    std::uint64_t mantissa;
    std::memcpy(&mantissa, &sum, sizeof(mantissa));
    mantissa |= 1;
    std::memcpy(&sum, &mantissa, sizeof(mantissa));
  }
  return narrow(sum, rounding);
}

/// Returns whether the sequences for division or square root have nothing to
/// refine: an
/// operand or the result is zero, infinite, a NaN or out of range.
bool isFinal(double result, double x, double y) {
  auto isOrdinary = [](double value) { return std::isnormal(value); };
  return !isOrdinary(result) || !isOrdinary(x) || !isOrdinary(y);
}

/// invm: an estimate of 1 / y for x / y; rsqtm: of 1 / sqrt(x). Where there is
/// nothing to refine the result is final, and the flag states it (eo).
Next executeSeed(Step &step) {
  const Instruction &instruction = step.instruction;
  bool divides = instruction.math == MathFunction::Invm;
  Lanes<long double> x, y, seed;
  readWide(step, instruction.sources[0], x);
  if (divides)
    readWide(step, instruction.sources[1], y);
  std::uint32_t finished = 0;
  for (unsigned lane = 0; lane < step.numLanes; ++lane) {
    auto dividend = static_cast<double>(x[lane]);
    auto divisor = divides ? static_cast<double>(y[lane]) : 1.0;
    double result = divides ? dividend / divisor : std::sqrt(dividend);
    if (isFinal(result, dividend, divisor)) {
      finished |= 1u << lane;
      seed[lane] = result;
    } else {
      seed[lane] = divides ? 1 / y[lane] : 1 / std::sqrt(x[lane]);
    }
  }
  writeWide(step, seed);
  if (instruction.condition == Condition::EO)
    step.setFlag([&](unsigned lane) { return finished >> lane & 1; });
  return Next::Following;
}
} // namespace

Next executeMath(Step &step) {
  const Instruction &instruction = step.instruction;
  if (instruction.math == MathFunction::Invm ||
      instruction.math == MathFunction::Rsqtm)
    return executeSeed(step);
  Doubles x, y;
  step.read(instruction.sources[0], x);
  if (instruction.numSources > 1 &&
      instruction.sources[1].kind != Operand::Null)
    step.read(instruction.sources[1], y);
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    x[lane] = compute(instruction.math, x[lane], y[lane]);
  step.write(x);
  return Next::Following;
}

Next executeMadm(Step &step) {
  const auto &sources = step.instruction.sources;
  Lanes<long double> a, b, c;
  readWide(step, sources[0], a);
  readWide(step, sources[1], b);
  readWide(step, sources[2], c);
  if (step.instruction.destination.extension >= 0) {
    for (unsigned lane = 0; lane < step.numLanes; ++lane)
      a[lane] = std::fma(b[lane], c[lane], a[lane]);
    writeWide(step, a);
    return Next::Following;
  }
  Doubles result;
  for (unsigned lane = 0; lane < step.numLanes; ++lane)
    result[lane] = fuse(a[lane], b[lane], c[lane], step.getRounding());
  step.write(result);
  return Next::Following;
}

} // namespace triton::intel::simulator
