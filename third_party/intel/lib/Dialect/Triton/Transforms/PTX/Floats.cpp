//===- Floats.cpp - Float arithmetic of PTX -------------------------------===//
// SPDX-License-Identifier: MIT
//
// See "Floating-Point Instructions" and "Half Precision Floating-Point
// Instructions" of the PTX ISA. Instructions with `.approx` are the operations
// of math that kernels use themselves, whose errors are no larger. Rounding
// modes other than the nearest one have no operation.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

namespace {

/// The limits that an instruction applies to its result.
struct Limits {
  /// Numbers below 0 become 0.
  bool clampsBelow = false;
  /// Likewise, and numbers above 1 and NaN become 1 and 0.
  bool saturates = false;
};

Value applyLimits(ptx::Builder &b, Limits limits, Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  Value zero = b.constantFloat(element, 0);
  if (limits.saturates) {
    // A comparison with NaN does not hold.
    Value isAbove = b.compare(arith::CmpFPredicate::OGT, value, zero);
    value = b.select(isAbove, value, zero);
    Value one = b.constantFloat(element, 1);
    value =
        b.select(b.compare(arith::CmpFPredicate::OGT, value, one), one, value);
  }
  // NaN stays.
  if (limits.clampsBelow)
    value = b.select(b.compare(arith::CmpFPredicate::OLT, value, zero), zero,
                     value);
  return value;
}

/// `add`, `sub` and `mul`.
LogicalResult translateArithmetic(Translator &t, StringRef name) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  t.takeNearest();
  Limits limits;
  limits.saturates = t.take("sat");
  return t.translateUniform(*type, 2, [&](ArrayRef<Value> in) {
    ptx::Builder &b = t.builder;
    Value result;
    if (name == "add")
      result = b.create<arith::AddFOp>(in[0], in[1]);
    else if (name == "sub")
      result = b.create<arith::SubFOp>(in[0], in[1]);
    else
      result = b.create<arith::MulFOp>(in[0], in[1]);
    return applyLimits(b, limits, result);
  });
}

LogicalResult translateFma(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  // This instruction has no rounding mode that is the default.
  if (!t.take("rn"))
    return t.fail("expected `.rn`");
  Limits limits;
  limits.saturates = t.take("sat");
  limits.clampsBelow = t.take("relu");
  return t.translateUniform(*type, 3, [&](ArrayRef<Value> in) {
    return applyLimits(t.builder, limits,
                       t.builder.create<math::FmaOp>(in[0], in[1], in[2]));
  });
}

/// Returns the number of `min` and `max`. For a number and NaN it is the
/// number, and -0 is below +0: equal numbers have the same bits except for the
/// sign.
Value getExtreme(ptx::Builder &b, bool isMaximum, Value lhs, Value rhs) {
  Value number = isMaximum ? b.create<arith::MaxNumFOp>(lhs, rhs)
                           : b.create<arith::MinNumFOp>(lhs, rhs);
  Value left = b.getBits(lhs), right = b.getBits(rhs);
  Value bits = isMaximum ? b.create<arith::AndIOp>(left, right)
                         : b.create<arith::OrIOp>(left, right);
  Value isEqual = b.compare(arith::CmpFPredicate::OEQ, lhs, rhs);
  return b.select(isEqual, b.bitcast(bits, getElementTypeOrSelf(lhs.getType())),
                  number);
}

/// `min` and `max`, which give NaN if one of both is NaN and `.NaN` is present.
LogicalResult translateExtreme(Translator &t, bool isMaximum) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool keepsNaN = t.take("NaN");
  return t.translateUniform(*type, 2, [&](ArrayRef<Value> in) -> Value {
    ptx::Builder &b = t.builder;
    if (!keepsNaN)
      return getExtreme(b, isMaximum, in[0], in[1]);
    if (isMaximum)
      return b.create<arith::MaximumFOp>(in[0], in[1]);
    return b.create<arith::MinimumFOp>(in[0], in[1]);
  });
}

/// `abs`, `neg` and `copysign` are about one bit of each number, NaN included.
LogicalResult translateSign(Translator &t, StringRef name) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  // All numbers of a register at once.
  NumberType bits{NumberType::Kind::Bits, type->getWidth(), 1, {}, false};
  uint64_t signs = 0;
  for (unsigned i = 1; i <= type->count; ++i)
    signs |= uint64_t(1) << (i * type->width - 1);
  return t.translateUniform(
      bits, name == "copysign" ? 2 : 1, [&](ArrayRef<Value> in) -> Value {
        ptx::Builder &b = t.builder;
        if (name == "neg")
          return b.with<arith::XOrIOp>(in[0], signs);
        Value magnitude = b.with<arith::AndIOp>(in.back(), ~signs);
        if (name == "abs")
          return magnitude;
        return b.create<arith::OrIOp>(magnitude,
                                      b.with<arith::AndIOp>(in[0], signs));
      });
}

/// `div` and `rcp`, correctly rounded with `.rn` only.
LogicalResult translateQuotient(Translator &t, bool isReciprocal) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool isPrecise = t.take("rn");
  if (!isPrecise && !t.take("approx") && (isReciprocal || !t.take("full")))
    return t.fail("expected `.approx` or `.rn`");
  return t.translateUniform(
      *type, isReciprocal ? 1 : 2, [&](ArrayRef<Value> in) -> Value {
        ptx::Builder &b = t.builder;
        Value dividend =
            isReciprocal ? b.constantFloat(type->element, 1) : in[0];
        if (isPrecise)
          return b.create<PreciseDivFOp>(dividend, in.back());
        return b.create<arith::DivFOp>(dividend, in.back());
      });
}

LogicalResult translateRoot(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool isPrecise = t.take("rn");
  if (!isPrecise && !t.take("approx"))
    return t.fail("expected `.approx` or `.rn`");
  return t.translateUniform(*type, 1, [&](ArrayRef<Value> in) -> Value {
    if (isPrecise)
      return t.builder.create<PreciseSqrtOp>(in[0]);
    return t.builder.create<math::SqrtOp>(in[0]);
  });
}

/// Functions that are approximated on all devices.
LogicalResult translateFunction(Translator &t,
                                llvm::function_ref<Value(Value)> emit) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  if (!t.take("approx"))
    return t.fail("expected `.approx`");
  return t.translateUniform(*type, 1, [&](ArrayRef<Value> in) {
    // Narrow results are rounded once.
    Type compute = type->width < 32 ? t.builder.getF32() : type->element;
    return t.builder.convertFloat(emit(t.builder.convertFloat(in[0], compute)),
                                  type->element);
  });
}

} // namespace

std::optional<LogicalResult> Translator::translateFloat(StringRef name) {
  if (name == "add" || name == "sub" || name == "mul")
    return translateArithmetic(*this, name);
  if (name == "fma" || name == "mad")
    return translateFma(*this);
  if (name == "min" || name == "max")
    return translateExtreme(*this, name == "max");
  if (name == "abs" || name == "neg" || name == "copysign")
    return translateSign(*this, name);
  if (name == "rcp" || (name == "div" && isFloat()))
    return translateQuotient(*this, name == "rcp");
  if (name == "sqrt")
    return translateRoot(*this);
  auto function = [&](auto create) {
    return translateFunction(
        *this, [&](Value value) -> Value { return create(value); });
  };
  if (name == "ex2")
    return function([&](Value x) { return builder.create<math::Exp2Op>(x); });
  if (name == "lg2")
    return function([&](Value x) { return builder.create<math::Log2Op>(x); });
  if (name == "sin")
    return function([&](Value x) { return builder.create<math::SinOp>(x); });
  if (name == "cos")
    return function([&](Value x) { return builder.create<math::CosOp>(x); });
  if (name == "tanh")
    return function([&](Value x) { return builder.create<math::TanhOp>(x); });
  if (name == "rsqrt")
    return function([&](Value x) { return builder.create<math::RsqrtOp>(x); });
  return std::nullopt;
}
