//===- FunctionExpansions.cpp - Functions as arithmetic -------------------===//
// SPDX-License-Identifier: MIT
//
// Polynomials are minimax fits in f64 (Lawson's iterated least squares) of the
// relative error, their coefficients rounded to f32; errors of whole functions
// were measured against 40 digits, in units of the last place (ulp):
//
//   exp     1.8    2^(x log2(e)), corrected by what the product lost
//   tanh    1.5    below 0.6 a polynomial, above 1 - 2 / (exp(2x) + 1)
//   log2    1.5    x = 2^k (1 + f) with 1 + f between sqrt(1/2) and sqrt(2):
//                  k and a polynomial of f
//   log10   1.9    likewise
//   log1p   1.1    likewise of 1 + x, corrected by what the sum lost
//
// They were 16, 116, 92, 96 and 115 instructions of PVC's for 16 numbers, and
// are 8, 17, 37, 37 and 43. (Its compiler's log, 33, stays.)
//
//===----------------------------------------------------------------------===//

#include "FunctionExpansions.h"

#include "../Utility/LaneBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace mlir::triton::gpu::intel {

namespace {

constexpr double kLog2E = 1.4426950408889634;
constexpr double kLn2 = 0.6931471805599453;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Arithmetic on f32.
class FloatBuilder : public LaneBuilder {
public:
  using LaneBuilder::LaneBuilder;

  Value number(double value) const { return constantFloat(getF32(), value); }
  Value add(Value lhs, Value rhs) const {
    return binary<arith::AddFOp>(lhs, rhs);
  }
  Value sub(Value lhs, Value rhs) const {
    return binary<arith::SubFOp>(lhs, rhs);
  }
  Value mul(Value lhs, Value rhs) const {
    return binary<arith::MulFOp>(lhs, rhs);
  }
  /// Rounded once.
  Value fma(Value lhs, Value rhs, Value sum) const {
    return math::FmaOp::create(rewriter, loc, lhs, rhs, sum);
  }
  Value powerOfTwo(Value value) const {
    return math::Exp2Op::create(rewriter, loc, value);
  }
  Value reciprocal(Value value) const {
    return binary<arith::DivFOp>(number(1), value);
  }
  /// Creates a comparison of `lhs` with a number.
  Value is(arith::CmpFPredicate predicate, Value lhs, double rhs) const {
    return arith::CmpFOp::create(rewriter, loc, predicate, lhs, number(rhs));
  }
  /// Returns a polynomial of `value`; the coefficient of the highest power
  /// comes first.
  Value polynomial(Value value, ArrayRef<double> coefficients) const {
    Value sum = number(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = fma(sum, value, number(coefficient));
    return sum;
  }
};

Value expandExp(const FloatBuilder &b, Value x) {
  // log2(e) in two parts.
  constexpr double high = float(kLog2E);
  Value exponent = b.mul(x, b.number(high));
  Value lost = b.fma(x, b.number(high),
                     arith::NegFOp::create(b.rewriter, b.loc, exponent));
  lost = b.fma(x, b.number(kLog2E - high), lost);
  // NaN for infinities, to which any factor between 0 and infinity is right.
  lost = arith::MaxNumFOp::create(b.rewriter, b.loc, lost, b.number(-1));
  Value factor = b.fma(lost, b.number(kLn2), b.number(1));
  return b.mul(b.powerOfTwo(exponent), factor);
}

Value expandTanh(const FloatBuilder &b, Value x) {
  Value magnitude = math::AbsFOp::create(b.rewriter, b.loc, x);
  // An infinite power of two gives 1.
  Value power = b.powerOfTwo(b.mul(magnitude, b.number(2 * kLog2E)));
  Value large =
      b.fma(b.reciprocal(b.add(power, b.number(1))), b.number(-2), b.number(1));

  Value square = b.mul(x, x);
  Value rest = b.polynomial(
      square, {-0.005905868, 0.020805385, -0.053786684, 0.13331959, -0.333333});
  Value small = b.fma(b.mul(x, square), rest, x);
  Value result =
      b.select(b.is(arith::CmpFPredicate::OLT, magnitude, 0.6), small, large);
  // The sum of the polynomial is +0 for -0.
  return math::CopySignOp::create(b.rewriter, b.loc, result, x);
}

/// A positive number as 2^exponent * (1 + rest).
struct Logarithm {
  /// Times 2^23.
  Value exponent;
  /// ln(1 + rest).
  Value ofRest;
};

Logarithm takeLogarithm(const FloatBuilder &b, Value x) {
  // A subnormal number has no exponent.
  constexpr double unit = 1 << 23;
  Value isSubnormal = b.is(arith::CmpFPredicate::OLT, x, 0x1p-126);
  x = b.select(isSubnormal, b.mul(x, b.number(unit)), x);
  Value shift = b.select(isSubnormal, b.number(-23 * unit), b.number(0));

  // The bits of sqrt(1/2) make the mantissa's carry the exponent's.
  Value bits = b.cast<arith::BitcastOp>(b.getInt(32), x);
  Value exponent = b.binary<arith::AndIOp>(
      b.binary<arith::SubIOp>(bits, 0x3f3504f3), -(1 << 23));
  Value mantissa = b.cast<arith::BitcastOp>(
      b.getF32(), b.binary<arith::SubIOp>(bits, exponent));
  Value rest = b.sub(mantissa, b.number(1));
  Value factor = b.polynomial(rest, {-0.07823377, 0.13004832, -0.13208796,
                                     0.14163469, -0.1661115, 0.20003016,
                                     -0.25001523, 0.33333308, -0.49999988});
  return {b.add(b.cast<arith::SIToFPOp>(b.getF32(), exponent), shift),
          b.fma(b.mul(rest, rest), factor, rest)};
}

/// `logarithm` of numbers; what it is of 0, negative numbers, infinity and NaN
/// in all bases.
Value coverSpecialNumbers(const FloatBuilder &b, Value x, Value logarithm) {
  using arith::CmpFPredicate;
  Value special = b.select(b.is(CmpFPredicate::OEQ, x, 0), b.number(-kInfinity),
                           b.number(std::nan("")));
  Value covered = b.select(b.is(CmpFPredicate::OGT, x, 0), logarithm, special);
  return b.select(b.is(CmpFPredicate::OEQ, x, kInfinity), x, covered);
}

Value expandLog2(const FloatBuilder &b, Value x) {
  Logarithm parts = takeLogarithm(b, x);
  Value exponent = b.mul(parts.exponent, b.number(0x1p-23));
  return coverSpecialNumbers(b, x,
                             b.fma(parts.ofRest, b.number(kLog2E), exponent));
}

Value expandLog10(const FloatBuilder &b, Value x) {
  constexpr double log10E = 0.4342944819032518;
  constexpr double log10Of2 = 0.3010299956639812;
  Logarithm parts = takeLogarithm(b, x);
  Value ofRest = b.mul(parts.ofRest, b.number(log10E));
  return coverSpecialNumbers(
      b, x, b.fma(parts.exponent, b.number(log10Of2 * 0x1p-23), ofRest));
}

Value expandLog1p(const FloatBuilder &b, Value x) {
  Value sum = b.add(x, b.number(1));
  Value lost = b.sub(x, b.sub(sum, b.number(1)));
  Logarithm parts = takeLogarithm(b, sum);
  Value ofRest = b.fma(lost, b.reciprocal(sum), parts.ofRest);
  Value logarithm = coverSpecialNumbers(
      b, sum, b.fma(parts.exponent, b.number(kLn2 * 0x1p-23), ofRest));
  // The sum of -0 and 1 has lost the sign.
  return b.select(b.is(arith::CmpFPredicate::OEQ, x, 0), x, logarithm);
}

using Expansion = Value (*)(const FloatBuilder &, Value);

/// The expansions of the functions that have one.
constexpr std::pair<StringLiteral, Expansion> kExpansions[] = {
    {"exp", expandExp},   {"log10", expandLog10}, {"log1p", expandLog1p},
    {"log2", expandLog2}, {"tanh", expandTanh},
};

} // namespace

Value expandOpenCLFunction(RewriterBase &rewriter, Location loc, StringRef name,
                           Value value) {
  if (!getElementTypeOrSelf(value.getType()).isF32())
    return {};
  const auto *entry = llvm::find_if(
      kExpansions, [&](const auto &known) { return known.first == name; });
  if (entry == std::end(kExpansions))
    return {};
  FloatBuilder builder(rewriter, loc, getVectorWidth(value.getType()));
  return entry->second(builder, value);
}

Value approximateExponential(RewriterBase &rewriter, Location loc,
                             Value value) {
  FloatBuilder b(rewriter, loc, getVectorWidth(value.getType()));
  return b.powerOfTwo(b.mul(value, b.number(kLog2E)));
}

} // namespace mlir::triton::gpu::intel
