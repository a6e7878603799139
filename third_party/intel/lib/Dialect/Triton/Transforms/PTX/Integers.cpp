//===- Integers.cpp - Integer arithmetic of PTX ---------------------------===//
// SPDX-License-Identifier: MIT
//
// Sums, products, comparisons of size and counts of bits; see "Integer
// Arithmetic Instructions" of the PTX ISA.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

namespace {

/// Which part of a product an instruction returns.
enum class Part { Low, High, Wide };

std::optional<Part> takePart(Translator &translator) {
  if (translator.take("lo"))
    return Part::Low;
  if (translator.take("hi"))
    return Part::High;
  if (translator.take("wide"))
    return Part::Wide;
  return std::nullopt;
}

Value getProduct(ptx::Builder &builder, NumberType type, Part part, Value lhs,
                 Value rhs) {
  if (part == Part::Low)
    return builder.create<arith::MulIOp>(lhs, rhs);
  // Half a product of 128 bits has a separate operation.
  if (type.width == 64) {
    OpBuilder &create = builder.builder;
    if (type.isSigned())
      return arith::MulSIExtendedOp::create(create, builder.loc, lhs, rhs)
          .getHigh();
    return arith::MulUIExtendedOp::create(create, builder.loc, lhs, rhs)
        .getHigh();
  }
  unsigned width = type.width;
  Value product = builder.create<arith::MulIOp>(
      builder.resize(lhs, 2 * width, type.isSigned()),
      builder.resize(rhs, 2 * width, type.isSigned()));
  return part == Part::Wide ? product : builder.slice(product, width, width);
}

/// `mul` and `mad`, whose destination may be of twice the width.
LogicalResult translateProduct(Translator &t, bool hasSum) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  std::optional<Part> part = takePart(t);
  if (!part)
    return t.fail("expected `.lo`, `.hi` or `.wide`");
  if (failed(t.finish(hasSum ? 4 : 3)))
    return failure();
  FailureOr<Value> lhs = t.read(1, *type), rhs = t.read(2, *type);
  if (failed(lhs) || failed(rhs))
    return failure();
  Value result = getProduct(t.builder, *type, *part, *lhs, *rhs);
  if (hasSum) {
    FailureOr<Value> sum = t.read(3, ptx::Builder::getWidth(result));
    if (failed(sum))
      return failure();
    result = t.builder.create<arith::AddIOp>(result, *sum);
  }
  return t.write(result);
}

/// Sums that stop at the largest and smallest number of 32 bits.
Value saturate(ptx::Builder &b, Value wide) {
  wide = b.with<arith::MinSIOp>(wide, INT32_MAX);
  return b.resize(b.with<arith::MaxSIOp>(wide, int64_t(INT32_MIN)), 32);
}

/// `add` and `sub`.
LogicalResult translateSum(Translator &t, bool isDifference) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool saturates = t.take("sat");
  return t.translateUniform(*type, 2, [&](ArrayRef<Value> in) -> Value {
    ptx::Builder &b = t.builder;
    Value lhs = in[0], rhs = in[1];
    if (saturates) {
      lhs = b.resize(lhs, 64, /*isSigned=*/true);
      rhs = b.resize(rhs, 64, /*isSigned=*/true);
    }
    Value sum = isDifference ? b.create<arith::SubIOp>(lhs, rhs)
                             : b.create<arith::AddIOp>(lhs, rhs);
    return saturates ? saturate(b, sum) : sum;
  });
}

/// `min` and `max`.
LogicalResult translateExtreme(Translator &t, bool isMaximum) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool clamps = t.take("relu");
  return t.translateUniform(*type, 2, [&](ArrayRef<Value> in) -> Value {
    ptx::Builder &b = t.builder;
    Value result;
    if (type->isSigned())
      result = isMaximum ? b.create<arith::MaxSIOp>(in[0], in[1])
                         : b.create<arith::MinSIOp>(in[0], in[1]);
    else
      result = isMaximum ? b.create<arith::MaxUIOp>(in[0], in[1])
                         : b.create<arith::MinUIOp>(in[0], in[1]);
    return clamps ? b.with<arith::MaxSIOp>(result, 0) : result;
  });
}

/// `abs` and `neg`.
LogicalResult translateSign(Translator &t, bool isAbsolute) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  return t.translateUniform(*type, 1, [&](ArrayRef<Value> in) -> Value {
    ptx::Builder &b = t.builder;
    Value negated = b.create<arith::SubIOp>(b.constant(type->width, 0), in[0]);
    return isAbsolute ? b.create<arith::MaxSIOp>(in[0], negated) : negated;
  });
}

/// `popc`, `clz` and `bfind`: numbers of 32 bits about wider ones, too.
LogicalResult translateCount(Translator &t, StringRef name) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool returnsShift = name == "bfind" && t.take("shiftamt");
  if (failed(t.finish(2)))
    return failure();
  FailureOr<Value> source = t.read(1, *type);
  if (failed(source))
    return failure();
  ptx::Builder &b = t.builder;
  if (name == "popc")
    return t.write(b.resize(b.create<math::CtPopOp>(*source), 32));
  Value bits = *source;
  // The sign does not count: it is the first other bit that is found.
  if (name == "bfind" && type->isSigned()) {
    Value sign = b.with<arith::ShRSIOp>(bits, type->width - 1);
    bits = b.create<arith::XOrIOp>(bits, sign);
  }
  Value zeros = b.resize(b.create<math::CountLeadingZerosOp>(bits), 32);
  if (name == "clz")
    return t.write(zeros);
  Value place = b.create<arith::SubIOp>(b.constant(32, type->width - 1), zeros);
  if (!returnsShift)
    return t.write(place);
  Value none = b.compare(arith::CmpIPredicate::eq, bits, 0);
  return t.write(b.select(none, b.constant(32, ~0u), zeros));
}

/// `dp4a`: a sum of four products of bytes.
LogicalResult translateByteProducts(Translator &t) {
  FailureOr<NumberType> right = t.takeType();
  if (failed(right))
    return failure();
  FailureOr<NumberType> left = t.takeType();
  if (failed(left))
    return failure();
  auto isWord = [](NumberType type) {
    return type.name == "u32" || type.name == "s32";
  };
  if (!isWord(*left) || !isWord(*right))
    return t.fail("expected two of the types `.u32` and `.s32`");
  if (failed(t.finish(4)))
    return failure();
  FailureOr<Value> lhs = t.read(1, 32), rhs = t.read(2, 32),
                   sum = t.read(3, 32);
  if (failed(lhs) || failed(rhs) || failed(sum))
    return failure();
  ptx::Builder &b = t.builder;
  Value result = *sum;
  for (unsigned first = 0; first < 32; first += 8) {
    Value product = b.create<arith::MulIOp>(
        b.resize(b.slice(*lhs, first, 8), 32, left->isSigned()),
        b.resize(b.slice(*rhs, first, 8), 32, right->isSigned()));
    result = b.create<arith::AddIOp>(result, product);
  }
  return t.write(result);
}

} // namespace

std::optional<LogicalResult> Translator::translateInteger(StringRef name) {
  if (name == "dp4a")
    return translateByteProducts(*this);
  if (name == "popc" || name == "clz" || name == "bfind")
    return translateCount(*this, name);
  // The same names are those of floats.
  if (isFloat())
    return std::nullopt;
  if (name == "add" || name == "sub")
    return translateSum(*this, name == "sub");
  if (name == "mul" || name == "mad")
    return translateProduct(*this, name == "mad");
  if (name == "min" || name == "max")
    return translateExtreme(*this, name == "max");
  if (name == "abs" || name == "neg")
    return translateSign(*this, name == "abs");
  return std::nullopt;
}
