//===- FloatConversion.cpp - Conversions between float formats ------------===//
// SPDX-License-Identifier: MIT
//
// Conversions go through f32, or through f16 for 8-bit floats that are widened.
// Both hold all values of the narrower formats exactly, so only the last step
// rounds. f64 is converted to f32 in a way that keeps the last rounding
// correct. Narrowing to an 8-bit float uses integer arithmetic. No step depends
// on subnormal numbers of the hardware's formats, because devices may flush
// these to zero.
//
//===----------------------------------------------------------------------===//

#include "FloatConversion.h"

#include "../Utility/Calls.h"
#include "../Utility/LaneBuilder.h"
#include "../Utility/RegisterTypeConverter.h"
#include "../Utility/Registers.h"

#include "intel/Target/WidenE4M3.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/Sequence.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace mlir::triton::gpu::intel {

namespace {

/// A binary float format as the target of a narrowing from f32.
struct NarrowFormat {
  unsigned mantissaBits;
  int bias;
  /// Bits of the largest finite number, of infinity and of a quiet NaN.
  int64_t maxFinite, infinity, nan;
  /// Width of the format in memory.
  unsigned storageBits;
};

/// Each format does what torch does. Without an infinity, e4m3fn saturates:
/// numbers beyond the largest become that, and so does infinity. Hence
/// `infinity` is the largest number there.
constexpr NarrowFormat kE5M2{2, 15, 0x7b, /*infinity=*/0x7c, 0x7f, 8};
constexpr NarrowFormat kE4M3FN{3, 7, 0x7e, /*infinity=*/0x7e, 0x7f, 8};
constexpr NarrowFormat kF16{10, 15, 0x7bff, /*infinity=*/0x7c00, 0x7e00, 16};

/// The format that narrowing starts from, in the same terms.
constexpr unsigned kF32MantissaBits = 23;
constexpr int kF32Bias = 127;
constexpr int64_t kF32Infinity = 0x7f800000;

/// Returns `magnitude` (bits of a non-negative f32) below the smallest normal
/// number of `format`: in units of the format's smallest subnormal, rounded.
Value narrowSubnormal(const LaneBuilder &b, Value magnitude,
                      const NarrowFormat &format, FloatRounding rounding) {
  Value value = b.cast<arith::BitcastOp>(b.getF32(), magnitude);
  // The exponent of the smallest subnormal number.
  int unitExponent = 1 - format.bias - static_cast<int>(format.mantissaBits);
  // The conversion to an integer cuts what is left.
  if (rounding == FloatRounding::TowardZero) {
    Value scale = b.constantFloat(b.getF32(), std::ldexp(1.0, -unitExponent));
    return b.cast<arith::FPToUIOp>(b.getInt(32),
                                   b.binary<arith::MulFOp>(value, scale));
  }
  // The last mantissa bit of a sum with 2^23 units counts units, and the
  // addition rounds to nearest even.
  double anchor = std::ldexp(1.0, unitExponent + int(kF32MantissaBits));
  Value anchorValue = b.constantFloat(b.getF32(), anchor);
  Value sum = b.binary<arith::AddFOp>(value, anchorValue);
  return b.binary<arith::SubIOp>(
      b.cast<arith::BitcastOp>(b.getInt(32), sum),
      b.cast<arith::BitcastOp>(b.getInt(32), anchorValue));
}

/// Converts f32 to `format`, as an integer of the format's width.
Value narrowF32(const LaneBuilder &b, Value value, const NarrowFormat &format,
                FloatRounding rounding) {
  Value bits = b.cast<arith::BitcastOp>(b.getInt(32), value);
  Value magnitude = b.binary<arith::AndIOp>(bits, 0x7fffffff);

  // Normal numbers: change the exponent's bias, then cut the mantissa. A carry
  // of the rounding runs into the exponent, where it belongs.
  unsigned dropped = kF32MantissaBits - format.mantissaBits;
  int64_t rebias = int64_t(kF32Bias - format.bias) << kF32MantissaBits;
  Value normal = b.binary<arith::SubIOp>(magnitude, rebias);
  // Half of a unit less one, and one more for odd numbers: ties go to even.
  if (rounding == FloatRounding::NearestEven) {
    Value isOdd =
        b.binary<arith::AndIOp>(b.binary<arith::ShRUIOp>(normal, dropped), 1);
    normal = b.binary<arith::AddIOp>(normal, (int64_t(1) << (dropped - 1)) - 1);
    normal = b.binary<arith::AddIOp>(normal, isOdd);
  }
  normal = b.binary<arith::ShRUIOp>(normal, dropped);
  // Numbers beyond the format: infinity, or the largest number toward zero.
  normal =
      b.select(b.compare(arith::CmpIPredicate::sgt, normal, format.maxFinite),
               rounding == FloatRounding::NearestEven ? format.infinity
                                                      : format.maxFinite,
               normal);

  Value subnormal = narrowSubnormal(b, magnitude, format, rounding);
  // As f32 bits: below it, the other way of rounding holds.
  int64_t smallestNormal = int64_t(kF32Bias - format.bias + 1)
                           << kF32MantissaBits;
  Value result =
      b.select(b.compare(arith::CmpIPredicate::slt, magnitude, smallestNormal),
               subnormal, normal);
  // Infinity stays infinity in either rounding, unless the format saturates.
  if (format.infinity != format.maxFinite)
    result =
        b.select(b.compare(arith::CmpIPredicate::eq, magnitude, kF32Infinity),
                 format.infinity, result);
  // NaN has larger bits than infinity.
  result =
      b.select(b.compare(arith::CmpIPredicate::sgt, magnitude, kF32Infinity),
               format.nan, result);
  // The sign moves from bit 31 to the highest bit of the format.
  Value sign = b.binary<arith::ShRUIOp>(
      b.binary<arith::AndIOp>(bits, int64_t(1) << 31), 32 - format.storageBits);
  return b.cast<arith::TruncIOp>(b.getInt(format.storageBits),
                                 b.binary<arith::OrIOp>(result, sign));
}

/// Converts f16 to e5m2, which has the same exponent: only the mantissa is cut.
/// The bits of infinity follow those of the largest number in both formats, so
/// that a carry of the rounding ends there.
Value narrowF16ToE5M2(const LaneBuilder &b, Value value,
                      FloatRounding rounding) {
  Value bits = b.cast<arith::BitcastOp>(b.getInt(16), value);
  Value magnitude = b.binary<arith::AndIOp>(bits, 0x7fff);
  Value result = magnitude;
  // As in narrowF32, with 8 bits to drop.
  if (rounding == FloatRounding::NearestEven) {
    Value isOdd =
        b.binary<arith::AndIOp>(b.binary<arith::ShRUIOp>(result, 8), 1);
    result =
        b.binary<arith::AddIOp>(b.binary<arith::AddIOp>(result, 0x7f), isOdd);
  }
  // Unsigned, since a rounded NaN may reach bit 15.
  result = b.binary<arith::ShRUIOp>(result, 8);
  // NaN, tested before the rounding has changed it.
  result =
      b.select(b.compare(arith::CmpIPredicate::ugt, magnitude, kF16.infinity),
               kE5M2.nan, result);
  Value sign = b.binary<arith::AndIOp>(b.binary<arith::ShRUIOp>(bits, 8), 0x80);
  return b.cast<arith::TruncIOp>(b.getInt(8),
                                 b.binary<arith::OrIOp>(result, sign));
}

/// Returns a byte that is e4m3fn as f16. Exponent and mantissa move to their
/// places, which makes 2^-8 of the number, exactly. Subnormal numbers are
/// subnormal on the way; devices with f16 keep those (OpenCL C 3.0, 6.3.1; the
/// GPU's compiler sets up this mode).
Value widenE4M3FN(const LaneBuilder &b, Value byte) {
  // The extension puts the sign in both bits above the exponent.
  Value moved =
      b.binary<arith::ShLIOp>(b.cast<arith::ExtSIOp>(b.getInt(16), byte), 7);
  // The only NaN has all bits: one more in its last bit runs over into bit 14,
  // where the sum differs from the sign then. The difference is that bit of the
  // exponent that makes a NaN of f16.
  Value next = b.binary<arith::AddIOp>(moved, 0x80);
  Value bits =
      b.binary<arith::XOrIOp>(moved, b.binary<arith::AndIOp>(next, 0x4000));
  return b.binary<arith::MulFOp>(
      LLVM::BitcastOp::create(b.rewriter, b.loc, b.getF16(), bits),
      b.constantFloat(b.getF16(), std::ldexp(1.0, 8)));
}

/// Bytes one by one.
Value widenBytes(const LaneBuilder &b, Value bytes, Type source) {
  if (isa<Float8E4M3FNType>(source))
    return widenE4M3FN(b, bytes);
  // The bits of an e5m2 are the upper ones of an f16.
  Value bits = b.cast<arith::ExtUIOp>(b.getInt(16), bytes);
  return LLVM::BitcastOp::create(b.rewriter, b.loc, b.getF16(),
                                 b.binary<arith::ShLIOp>(bits, 8));
}

/// Returns the lower bytes of each 16 bits of `units`, or the upper ones, as
/// f16 in these bits. For e4m3fn each device has a separate form:
/// WidenE4M3.cpp.
Value widenUnits(const LaneBuilder &b, Value units, Type source, bool isUpper) {
  unsigned bits = getElementTypeOrSelf(units.getType()).getIntOrFloatBitWidth();
  if (isa<Float8E4M3FNType>(source)) {
    std::string name = getWidenE4M3Name(isUpper, b.width, bits);
    // Convergent, since it may be computed for all lanes of a sub-group.
    return callFunction(b.rewriter, b.loc, name, units.getType(), units,
                        /*isPure=*/true, /*isConvergent=*/true);
  }
  int64_t lowerBytes = bits == 16 ? 0xff : 0xff00ff;
  if (isUpper)
    return b.binary<arith::AndIOp>(units, lowerBytes << 8);
  return b.binary<arith::ShLIOp>(b.binary<arith::AndIOp>(units, lowerBytes), 8);
}

/// Returns the elements of two vectors (or scalars), one of each in turn.
Value interleave(const LaneBuilder &b, Value first, Value second) {
  int32_t width = getVectorWidth(first.getType());
  if (width == 1)
    return packRegisters(b.rewriter, b.loc, {first, second}).front();
  // One operation, which moves to its user as a whole.
  SmallVector<int32_t> mask;
  for (int32_t index : llvm::seq(width))
    mask.append({index, width + index});
  return LLVM::ShuffleVectorOp::create(b.rewriter, b.loc, first, second, mask);
}

/// Returns an 8-bit float as f16. Bytes are not moved one by one: of each unit,
/// those with even numbers and those with odd ones are computed together, and
/// if a user wants them apart, as DPAS does, nothing is left to move.
Value widenToF16(const LaneBuilder &b, Value value, Type source,
                 unsigned unitBits) {
  if (b.width * 8 % unitBits != 0)
    return widenBytes(b, value, source);

  OpBuilder &builder = b.rewriter;
  unsigned numUnits = b.width * 8 / unitBits;
  Type unit = getVectorType(builder.getIntegerType(unitBits), numUnits);
  Value units = LLVM::BitcastOp::create(builder, b.loc, unit, value);
  // e5m2 in scalars: they stay what they are when vectors change their type.
  SmallVector<Value> parts = isa<Float8E5M2Type>(source)
                                 ? unpackRegisters(builder, b.loc, units)
                                 : SmallVector<Value>{units};
  LaneBuilder part(b.rewriter, b.loc, numUnits / parts.size());
  // A unit holds one number of 16 bits per two bytes.
  Type halves = getVectorType(builder.getF16Type(), b.width / 2 / parts.size());
  SmallVector<Value> results;
  for (Value bytes : parts) {
    auto widen = [&](bool isUpper) -> Value {
      return LLVM::BitcastOp::create(builder, b.loc, halves,
                                     widenUnits(part, bytes, source, isUpper));
    };
    Value lower = widen(false), upper = widen(true);
    results.push_back(interleave(b, lower, upper));
  }
  return joinRegisters(builder, b.loc, results, builder.getF16Type());
}

/// bf16 is the upper half of an f32.
Value widenBF16(const LaneBuilder &b, Value value) {
  Value bits = b.cast<arith::ExtUIOp>(b.getInt(32), value);
  return b.cast<arith::BitcastOp>(b.getF32(),
                                  b.binary<arith::ShLIOp>(bits, 16));
}

/// Returns the upper half of an f32: bf16 rounded toward zero, except for a NaN
/// that has its payload in the lower half only.
Value takeUpperHalf(const LaneBuilder &b, Value value) {
  Value bits = b.cast<arith::BitcastOp>(b.getInt(32), value);
  return b.cast<arith::TruncIOp>(b.getInt(16),
                                 b.binary<arith::ShRUIOp>(bits, 16));
}

/// Converts f32 to bf16, as an i16.
Value narrowToBF16(const LaneBuilder &b, Value value, FloatRounding rounding) {
  if (rounding == FloatRounding::TowardZero) {
    // A NaN must not become infinity: it gets a separate payload.
    Value isNan = arith::CmpFOp::create(
        b.rewriter, b.loc, arith::CmpFPredicate::UNO, value, value);
    return b.select(isNan, 0x7fc0, takeUpperHalf(b, value));
  }
  // Native on the GPU, part of the device library on the CPU.
  std::string name = "_Z27__spirv_ConvertFToBF16INTEL";
  name += b.width == 1 ? "f" : "Dv" + std::to_string(b.width) + "_f";
  return callFunction(b.rewriter, b.loc, name, b.getInt(16), value,
                      /*isPure=*/true, /*isConvergent=*/false);
}

/// Returns the bits of an f64 as an f32 that a second rounding may start from.
/// If no f32 equals the number, the result is the neighbour whose last bit is
/// set with `isOdd`, and otherwise the one nearer to zero. The first is called
/// "round to odd": such a neighbour is neither a number of a narrower format
/// nor the middle between two of them, so that the second rounding goes where
/// one rounding would have gone.
Value narrowF64(const LaneBuilder &b, Value value, bool isOdd) {
  // Rounded to nearest first, then corrected by at most one unit.
  Value nearest = b.cast<arith::TruncFOp>(b.getF32(), value);
  Type f64 = value.getType();
  Value wide = b.cast<arith::ExtFOp>(f64, nearest);
  Value bits = b.cast<arith::BitcastOp>(b.getInt(32), nearest);
  // Bits without the sign.
  auto magnitude = [&](Value number) {
    Value raw = b.cast<arith::BitcastOp>(b.getInt(64), number);
    return b.binary<arith::AndIOp>(raw, std::numeric_limits<int64_t>::max());
  };
  auto isAbove = [&](Value lhs, Value rhs) -> Value {
    return arith::CmpIOp::create(b.rewriter, b.loc, arith::CmpIPredicate::ugt,
                                 magnitude(lhs), magnitude(rhs));
  };
  // Magnitudes are ordered like their bits. Infinity counts as inexact where
  // the number was finite, and becomes the largest number; NaN stays NaN.
  Value tooLarge = isAbove(wide, value);
  // One less in the bits is the neighbour nearer to zero.
  Value towardZero = b.select(tooLarge, b.binary<arith::SubIOp>(bits, 1), bits);
  if (isOdd) {
    Value isInexact =
        arith::OrIOp::create(b.rewriter, b.loc, tooLarge, isAbove(value, wide));
    towardZero =
        b.select(isInexact, b.binary<arith::OrIOp>(towardZero, 1), towardZero);
  }
  Value isNan = arith::CmpFOp::create(b.rewriter, b.loc,
                                      arith::CmpFPredicate::UNO, value, value);
  return b.cast<arith::BitcastOp>(b.getF32(),
                                  b.select(isNan, bits, towardZero));
}

/// The 8-bit formats that have conversions here.
bool isEightBitFloat(Type type) {
  return isa<Float8E5M2Type, Float8E4M3FNType>(type);
}

/// Converts any source to f32. An f64 that f32 does not have is rounded so that
/// `target` can be rounded from it.
Value convertToF32(const LaneBuilder &b, Value value, Type source, Type target,
                   FloatRounding rounding, unsigned unitBits) {
  // bf16 is half of an f32.
  if (source.isBF16())
    return widenBF16(b, value);
  if (source.isF64()) {
    // The last step rounds toward zero as well: cutting twice is cutting once.
    bool isToZero = rounding == FloatRounding::TowardZero;
    if (target.isF32() && !isToZero)
      return b.cast<arith::TruncFOp>(b.getF32(), value);
    return narrowF64(b, value, /*isOdd=*/!target.isF32());
  }
  // 8-bit floats are exact in f16.
  if (isEightBitFloat(source))
    value = widenToF16(b, value, source, unitBits);
  return b.cast<arith::ExtFOp>(b.getF32(), value);
}

} // namespace

/// By way of f32, each known type becomes each other.
bool isFloatConversionSupported(Type source, Type target) {
  auto isKnown = [](Type type) {
    return type.isF64() || type.isF32() || type.isF16() || type.isBF16() ||
           isEightBitFloat(type);
  };
  return isKnown(source) && isKnown(target);
}

Value convertFloat(RewriterBase &rewriter, Location loc, Value value,
                   Type source, Type target, FloatRounding rounding,
                   unsigned unitBits) {
  if (source == target)
    return value;
  if (!isFloatConversionSupported(source, target))
    return Value();
  // The bf16 builtin exists for up to eight elements, the size of a register
  // vector.
  LaneBuilder b(rewriter, loc, getVectorWidth(value.getType()));

  // Pairs with a shorter way than f32 come first.
  if (isEightBitFloat(source) && target.isF16())
    return widenToF16(b, value, source, unitBits);
  if (source.isF16() && isa<Float8E5M2Type>(target))
    return narrowF16ToE5M2(b, value, rounding);
  if (source.isF64() && target.isF16() &&
      rounding == FloatRounding::NearestEven)
    return b.cast<arith::TruncFOp>(b.getF16(), value);

  // Everything else by way of f32.
  Value wide = convertToF32(b, value, source, target, rounding, unitBits);
  if (target.isF32())
    return wide;
  if (target.isF64())
    return b.cast<arith::ExtFOp>(getVectorType(rewriter.getF64Type(), b.width),
                                 wide);
  // An 8-bit float has so few bits that none is lost in the upper half.
  if (target.isBF16())
    return isEightBitFloat(source) ? takeUpperHalf(b, wide)
                                   : narrowToBF16(b, wide, rounding);
  // To nearest there is an operation, toward zero there is none.
  if (target.isF16())
    return rounding == FloatRounding::NearestEven
               ? b.cast<arith::TruncFOp>(b.getF16(), wide)
               : b.cast<arith::BitcastOp>(b.getF16(),
                                          narrowF32(b, wide, kF16, rounding));
  return narrowF32(b, wide, isa<Float8E5M2Type>(target) ? kE5M2 : kE4M3FN,
                   rounding);
}

} // namespace mlir::triton::gpu::intel
