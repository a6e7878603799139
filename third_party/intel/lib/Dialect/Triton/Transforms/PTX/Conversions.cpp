//===- Conversions.cpp - The conversions of PTX ---------------------------===//
// SPDX-License-Identifier: MIT
//
// `cvt` between integers, floats, and the formats of 8 and 4 bits; see "Data
// Movement and Conversion Instructions: cvt" of the PTX ISA. Of two sources
// that become one register, the first one is the upper half.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

namespace {

/// The rounding and the limits of a conversion.
struct Mode {
  /// `rn`, `rz` or `rna`, or, to integers, `rni`, `rzi`, `rmi` or `rpi`.
  StringRef rounding;
  bool saturates = false;
  /// Infinities and what is too large become the largest number.
  bool isFinite = false;
  bool clampsBelow = false;
};

Mode takeMode(Translator &t) {
  Mode mode;
  for (StringRef name : {"rn", "rz", "rna", "rni", "rzi", "rmi", "rpi"})
    if (t.take(name))
      mode.rounding = name;
  mode.saturates = t.take("sat");
  mode.isFinite = t.take("satfinite");
  mode.clampsBelow = t.take("relu");
  return mode;
}

/// Returns the number rounded to an integer.
Value roundToInteger(ptx::Builder &b, StringRef rounding, Value value) {
  if (rounding == "rni")
    return b.create<math::RoundEvenOp>(value);
  if (rounding == "rmi")
    return b.create<math::FloorOp>(value);
  if (rounding == "rpi")
    return b.create<math::CeilOp>(value);
  return b.create<math::TruncOp>(value);
}

bool roundsToInteger(StringRef rounding) {
  return rounding.size() == 3 && rounding.ends_with("i");
}

/// Integers: wider ones have all numbers, narrower ones have the low bits, or
/// the nearest number with `.sat`.
Value convertInteger(ptx::Builder &b, const Mode &mode, NumberType from,
                     NumberType to, Value value) {
  if (mode.saturates) {
    // Only limits that the source can exceed are numbers of its type.
    if (from.isSigned()) {
      if (!to.isSigned())
        value = b.with<arith::MaxSIOp>(value, 0);
      else if (to.width < from.width)
        value = b.with<arith::MaxSIOp>(value, ~uint64_t(0) << (to.width - 1));
    }
    unsigned limitBits = to.isSigned() ? to.width - 1 : to.width;
    unsigned sourceBits = from.isSigned() ? from.width - 1 : from.width;
    if (limitBits < sourceBits) {
      uint64_t limit = (uint64_t(1) << limitBits) - 1;
      value = from.isSigned() ? b.with<arith::MinSIOp>(value, limit)
                              : b.with<arith::MinUIOp>(value, limit);
    }
  }
  return b.resize(value, to.width, from.isSigned());
}

Value convertToFloat(ptx::Builder &b, NumberType from, Type element,
                     Value value) {
  Type type = b.getType(element);
  if (from.isSigned())
    return arith::SIToFPOp::create(b.builder, b.loc, type, value);
  return arith::UIToFPOp::create(b.builder, b.loc, type, value);
}

/// Floats to integers: what is too large becomes the nearest integer of the
/// type, and NaN becomes 0, or the highest bit where one side has 64 bits.
Value convertToInteger(ptx::Builder &b, const Mode &mode, NumberType from,
                       NumberType to, Value value) {
  // f16 has no powers of two that are this large.
  if (from.width < 32)
    value = b.convertFloat(value, b.getF32());
  value = roundToInteger(b, mode.rounding, value);
  Type element = getElementTypeOrSelf(value.getType());
  unsigned width = to.width;
  Type type = b.getInt(width);
  Value result =
      to.isSigned()
          ? Value(arith::FPToSIOp::create(b.builder, b.loc, type, value))
          : Value(arith::FPToUIOp::create(b.builder, b.loc, type, value));
  double above = std::ldexp(1.0, to.isSigned() ? width - 1 : width);
  double below = to.isSigned() ? -above : 0;
  uint64_t highest = uint64_t(1) << (width - 1);
  Value largest = b.constant(width, to.isSigned() ? highest - 1 : ~uint64_t(0));
  Value smallest = b.constant(width, to.isSigned() ? highest : 0);
  auto compare = [&](arith::CmpFPredicate predicate, double limit) {
    return b.compare(predicate, value, b.constantFloat(element, limit));
  };
  result = b.select(compare(arith::CmpFPredicate::OGE, above), largest, result);
  result =
      b.select(compare(arith::CmpFPredicate::OLT, below), smallest, result);
  bool isWide = from.width == 64 || width == 64;
  return b.select(b.compare(arith::CmpFPredicate::UNO, value, value),
                  b.constant(width, isWide ? highest : 0), result);
}

/// Replaces what exceeds the largest finite number of a type by that number,
/// with its sign.
Value limitToFinite(ptx::Builder &b, Value value,
                    const llvm::fltSemantics &semantics) {
  Type element = getElementTypeOrSelf(value.getType());
  double largest = APFloat::getLargest(semantics).convertToDouble();
  Value high = b.constantFloat(element, largest);
  Value low = b.constantFloat(element, -largest);
  value =
      b.select(b.compare(arith::CmpFPredicate::OGT, value, high), high, value);
  return b.select(b.compare(arith::CmpFPredicate::OLT, value, low), low, value);
}

/// An f32 with the ten bits of mantissa that tf32 has.
Value convertToTF32(ptx::Builder &b, const Mode &mode, Value value) {
  // An f32 has 23 bits.
  constexpr unsigned dropped = 13;
  Value bits = b.getBits(value);
  Value rounded = bits;
  if (mode.rounding == "rna")
    rounded = b.with<arith::AddIOp>(bits, 1u << (dropped - 1));
  else if (mode.rounding == "rn")
    // A tie is rounded up if the last bit that stays is set.
    rounded = b.create<arith::AddIOp>(
        b.with<arith::AddIOp>(bits, (1u << (dropped - 1)) - 1),
        b.with<arith::AndIOp>(b.with<arith::ShRUIOp>(bits, dropped), 1));
  rounded = b.with<arith::AndIOp>(rounded, ~uint64_t(0) << dropped);
  // Neither may NaN become an infinity, nor an infinity NaN.
  Value exponent = b.with<arith::AndIOp>(bits, 0x7f800000);
  Value isFinite = b.compare(arith::CmpIPredicate::ne, exponent, 0x7f800000);
  return b.bitcast(b.select(isFinite, rounded, bits), b.getF32());
}

/// Returns the code of e2m1 of an f32 in 4 bits: how many of the numbers
/// halfway between neighbours are smaller. A tie goes to the even code. NaN is
/// the largest number.
Value convertToE2M1(ptx::Builder &b, Value value) {
  using Predicate = arith::CmpFPredicate;
  Value magnitude = b.bitcast(
      b.with<arith::AndIOp>(b.getBits(value), 0x7fffffff), b.getF32());
  Value code = b.constant(8, 0);
  const double halves[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0};
  for (auto [i, half] : llvm::enumerate(halves)) {
    // All comparisons of NaN hold.
    Value isAbove = b.compare(i % 2 ? Predicate::UGE : Predicate::UGT,
                              magnitude, b.constantFloat(b.getF32(), half));
    code = b.create<arith::AddIOp>(code, b.resize(isAbove, 8));
  }
  Value isNaN = b.compare(Predicate::UNO, value, value);
  Value sign = b.with<arith::AndIOp>(
      b.resize(b.with<arith::ShRUIOp>(b.getBits(value), 28), 8), 8);
  sign = b.select(isNaN, b.constant(8, 0), sign);
  return b.resize(b.create<arith::OrIOp>(code, sign), 4);
}

/// Returns the f32 that a code of 4 bits is: its bits of an f32 are those of a
/// number that is smaller by a power of two, subnormal numbers included.
Value convertFromE2M1(ptx::Builder &b, Value code) {
  Value wide = b.resize(code, 32);
  Value rest = b.with<arith::ShLIOp>(b.with<arith::AndIOp>(wide, 7), 9);
  Value half = b.bitcast(b.resize(rest, 16), b.builder.getF16Type());
  Value number =
      b.create<arith::MulFOp>(b.convertFloat(half, b.getF32()),
                              b.constantFloat(b.getF32(), std::ldexp(1.0, 14)));
  Value sign = b.with<arith::ShLIOp>(b.with<arith::AndIOp>(wide, 8), 28);
  return b.bitcast(b.create<arith::OrIOp>(b.getBits(number), sign), b.getF32());
}

/// Returns the f32 of a power of two, whose exponent is the code; 255 is NaN.
Value convertFromUE8M0(ptx::Builder &b, Value code) {
  Value wide = b.resize(code, 32);
  Value bits = b.with<arith::ShLIOp>(wide, 23);
  // The smallest one is subnormal, and the bits of NaN would be an infinity.
  bits = b.select(b.compare(arith::CmpIPredicate::eq, wide, 0),
                  b.constant(32, 0x00400000), bits);
  bits = b.select(b.compare(arith::CmpIPredicate::eq, wide, 255),
                  b.constant(32, 0x7fc00000), bits);
  return b.bitcast(bits, b.getF32());
}

/// Returns a number of a format of 8 or 4 bits as a float of another type.
Value widen(ptx::Builder &b, NumberType from, Value bits) {
  if (isa<Float4E2M1FNType>(from.element))
    return convertFromE2M1(b, bits);
  if (isa<Float8E8M0FNUType>(from.element))
    return convertFromUE8M0(b, bits);
  return b.convertFloat(b.bitcast(bits, from.element), b.getF32());
}

/// Floats to floats; `value` is a float of the source's type.
FailureOr<Value> convertFloat(Translator &t, const Mode &mode, NumberType from,
                              NumberType to, Value value) {
  ptx::Builder &b = t.builder;
  if (!from.isArithmetic())
    value = widen(b, from, value);
  if (mode.clampsBelow) {
    Value zero = b.constantFloat(getElementTypeOrSelf(value.getType()), 0);
    value = b.select(b.compare(arith::CmpFPredicate::OLT, value, zero), zero,
                     value);
  }
  if (to.isTF32) {
    if (mode.isFinite)
      value = limitToFinite(b, value, APFloat::FloatTF32());
    return convertToTF32(b, mode, value);
  }
  // Neither of bf16 and f16 has all numbers of the other.
  if (from.width == to.width && from.element != to.element)
    value = b.convertFloat(value, b.getF32());
  bool isNarrower = to.width < ptx::Builder::getWidth(value);
  if (roundsToInteger(mode.rounding))
    value = roundToInteger(b, mode.rounding, value);
  if (isa<Float8E8M0FNUType>(to.element))
    return t.fail("conversions to powers of two are not translated");
  if (!to.isArithmetic()) {
    // The format is left implicit where there is no infinity.
    if (!mode.isFinite || mode.rounding != "rn")
      return t.fail("expected `.rn.satfinite`");
    value = b.convertFloat(value, b.getF32());
    if (isa<Float4E2M1FNType>(to.element))
      return convertToE2M1(b, value);
    value = limitToFinite(b, value,
                          cast<FloatType>(to.element).getFloatSemantics());
    return b.getBits(b.convertFloat(value, to.element));
  }
  if (mode.isFinite)
    value = limitToFinite(b, value,
                          cast<FloatType>(to.element).getFloatSemantics());
  if (!isNarrower || mode.rounding == "rn")
    return b.convertFloat(value, to.element);
  if (mode.rounding != "rz" || !getElementTypeOrSelf(value.getType()).isF32())
    return t.fail("expected `.rn`");
  // Toward zero, no number becomes an infinity.
  return Value(FpToFpOp::create(
      b.builder, b.loc, b.getType(to.element), value,
      RoundingModeAttr::get(b.builder.getContext(), RoundingMode::RTZ)));
}

/// Limits a float to the numbers from 0 to 1; NaN becomes 0.
Value saturate(ptx::Builder &b, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Value zero = b.constantFloat(element, 0), one = b.constantFloat(element, 1);
  value =
      b.select(b.compare(arith::CmpFPredicate::OGT, value, zero), value, zero);
  return b.select(b.compare(arith::CmpFPredicate::OGT, value, one), one, value);
}

/// Converts one number.
FailureOr<Value> convertNumber(Translator &t, const Mode &mode, NumberType from,
                               NumberType to, Value value) {
  ptx::Builder &b = t.builder;
  if (from.isFloat() && to.isFloat()) {
    if (mode.saturates && !to.isArithmetic())
      return t.fail("`.sat` is not translated for this type");
    FailureOr<Value> result = convertFloat(t, mode, from, to, value);
    return succeeded(result) && mode.saturates ? saturate(b, *result) : result;
  }
  if (!from.isFloat() && !to.isFloat())
    return convertInteger(b, mode, from, to, value);
  if (from.isFloat()) {
    if (!roundsToInteger(mode.rounding))
      return t.fail("expected `.rni`, `.rzi`, `.rmi` or `.rpi`");
    return convertToInteger(b, mode, from, to, value);
  }
  if (mode.rounding != "rn")
    return t.fail("expected `.rn`");
  Value result = convertToFloat(b, from, to.element, value);
  return mode.saturates ? saturate(b, result) : result;
}

/// The conversions to and from two numbers at once, and to tf32.
constexpr std::pair<StringRef, StringRef> packedConversions[] = {
    {"f16x2", "f32"},     {"bf16x2", "f32"},     {"tf32", "f32"},
    {"e4m3x2", "f32"},    {"e5m2x2", "f32"},     {"e2m1x2", "f32"},
    {"e4m3x2", "f16x2"},  {"e5m2x2", "f16x2"},   {"e2m1x2", "f16x2"},
    {"e4m3x2", "bf16x2"}, {"e5m2x2", "bf16x2"},  {"e2m1x2", "bf16x2"},
    {"f16x2", "e4m3x2"},  {"f16x2", "e5m2x2"},   {"f16x2", "e2m1x2"},
    {"ue8m0x2", "f32"},   {"bf16x2", "ue8m0x2"}, {"ue8m0x2", "bf16x2"},
};

/// Returns whether conversions take any type of this kind: one number, of a
/// format that has arithmetic.
bool isOrdinary(NumberType type) {
  return type.kind != NumberType::Kind::Bits && type.count == 1 &&
         type.isArithmetic() && !type.isTF32;
}

/// Checks the types and the rounding by the tables of the PTX ISA.
LogicalResult checkConversion(Translator &t, const Mode &mode, NumberType from,
                              NumberType to) {
  bool isPacked =
      llvm::is_contained(packedConversions, std::pair(to.name, from.name));
  if (!isPacked && (!isOrdinary(from) || !isOrdinary(to)))
    return t.fail("there is no conversion from `." + from.name + "` to `." +
                  to.name + "`");
  bool areFloats = from.isFloat() && to.isFloat();
  if (!areFloats && (mode.clampsBelow || mode.isFinite))
    return t.fail("`.relu` and `.satfinite` are for floats");
  if (mode.clampsBelow && to.width >= 32 && !to.isTF32)
    return t.fail("`.relu` is for narrow floats and `.tf32`");
  if (mode.rounding.empty() || isPacked)
    return success();
  if (!from.isFloat() && !to.isFloat())
    return t.fail("integers are not rounded");
  if (areFloats && roundsToInteger(mode.rounding) && from.name != to.name)
    return t.fail("`." + mode.rounding + "` is for one type on both sides");
  if (areFloats && !roundsToInteger(mode.rounding) &&
      (to.width > from.width || from.name == to.name))
    return t.fail("this conversion does not round");
  return success();
}

} // namespace

LogicalResult Translator::translateConversion() {
  FailureOr<NumberType> from = takeType();
  if (failed(from))
    return failure();
  FailureOr<NumberType> to = takeType();
  if (failed(to))
    return failure();
  Mode mode = takeMode(*this);
  if (failed(checkConversion(*this, mode, *from, *to)))
    return failure();
  // The sources are one register of two numbers, or two of one number each.
  unsigned numSources = to->count / from->count;
  if (failed(finish(numSources + 1)))
    return failure();
  SmallVector<Value> results;
  for (unsigned i = 0; i < numSources; ++i) {
    // Unlike other instructions, this one takes the low bits of a register.
    FailureOr<Value> source = read(numSources - i, *from, /*isLow=*/true);
    if (failed(source))
      return failure();
    for (Value number : split(*source, *from)) {
      FailureOr<Value> result = convertNumber(*this, mode, *from, *to, number);
      if (failed(result))
        return failure();
      results.push_back(*result);
    }
  }
  return write(instruction->operands[0], join(results), /*isExtended=*/true,
               to->isSigned());
}
