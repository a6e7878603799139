//===- DotOps.cpp - Matrix products ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Verifiers of TritonDotOps.td (shapes, element types, layouts), and the
// generated definitions of DotOpInterface.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/Triton/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;

#include "triton/Dialect/Triton/IR/DotOpInterface.cpp.inc"

/// Checks that `shape` is the batch dimensions of `like`, then rows x columns.
static LogicalResult verifyMatrix(Operation *op, RankedTensorType type,
                                  StringRef name, RankedTensorType like,
                                  int64_t rows, int64_t columns) {
  // The batches have to be those of `like`, and the last two dimensions the
  // given ones.
  bool fits =
      type.getRank() == like.getRank() &&
      type.getShape().drop_back(2) == like.getShape().drop_back(2) &&
      type.getShape().take_back(2) == ArrayRef<int64_t>({rows, columns});
  if (fits)
    return success();
  return op->emitOpError("expects `")
         << name << "` to have " << rows << " rows and " << columns
         << " columns in the number of batches of `a`, " << like << ", found "
         << type;
}

/// Checks that there are two dimensions, or three with a batch.
static LogicalResult verifyRank(Operation *op, RankedTensorType a) {
  if (a.getRank() == 2 || a.getRank() == 3)
    return success();
  return op->emitOpError("expects matrices or batches of matrices, found ")
         << a;
}

/// Checks the layouts of a dot's operands against its result's, if there are
/// any.
static LogicalResult verifyDotLayouts(DotOpInterface op) {
  // TTIR has no layouts, TTGIR has them all.
  Attribute a = getTensorEncoding(op.getA().getType());
  Attribute b = getTensorEncoding(op.getB().getType());
  Attribute d = getTensorEncoding(op.getType());
  if (!a && !b && !d)
    return success();
  if (!a || !b || !d)
    return op->emitOpError("expects `a`, `b` and the result to have all an "
                           "encoding or none");
  // The result's layout decides what its operands must look like.
  auto layouts = findInferLayoutInterface(d, op.getLoc());
  if (failed(layouts))
    return failure();
  if (failed((*layouts)->inferDotOpEncoding(a, 0, d, op.getLoc())) ||
      failed((*layouts)->inferDotOpEncoding(b, 1, d, op.getLoc())))
    return failure();
  return (*layouts)->verifyDotOpEncodingCompatibility(op, a, b);
}

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto d = cast<RankedTensorType>(getType());
  if (failed(verifyRank(*this, a)))
    return failure();
  if (d.getRank() != a.getRank())
    return emitOpError("expects a result of rank ")
           << a.getRank() << ", found " << d;
  // a is m x k, b is k x n, the result m x n.
  int64_t m = a.getShape().end()[-2];
  int64_t k = a.getShape().back();
  int64_t n = d.getShape().back();
  if (failed(verifyMatrix(*this, b, "b", a, k, n)) ||
      failed(verifyMatrix(*this, d, "d", a, m, n)))
    return failure();

  Type aElement = a.getElementType();
  Type bElement = b.getElementType();
  Type dElement = d.getElementType();
  if (aElement.getIntOrFloatBitWidth() != bElement.getIntOrFloatBitWidth() ||
      isa<IntegerType>(aElement) != isa<IntegerType>(bElement))
    return emitOpError("expects operands of the same kind and width, found ")
           << aElement << " and " << bElement;
  if (isa<IntegerType>(aElement) != isa<IntegerType>(dElement))
    return emitOpError("expects an integer result of integer operands and a "
                       "float result of float operands, found ")
           << dElement << " of " << aElement;
  return verifyDotLayouts(*this);
}

//===----------------------------------------------------------------------===//
// DotScaledOp
//===----------------------------------------------------------------------===//

int64_t DotScaledOp::getScaleFactor() {
  auto usesFloatScale = [](Value scale) {
    return scale &&
           isa<Float8E4M3FNType>(
               cast<RankedTensorType>(scale.getType()).getElementType());
  };
  // Elements of K for each scale: 16 with scales of e4m3, 32 with exponents
  // alone.
  return usesFloatScale(getAScale()) || usesFloatScale(getBScale()) ? 16 : 32;
}

/// Checks that an operand's tensor can hold values of its format.
static LogicalResult verifyFormat(DotScaledOp op, RankedTensorType type,
                                  StringRef name, ScaleDotElemType format) {
  Type element = type.getElementType();
  bool fits = false;
  // 6-bit formats take a byte each, 4-bit ones share it.
  switch (format) {
  case ScaleDotElemType::E4M3:
  case ScaleDotElemType::E5M2:
  case ScaleDotElemType::E2M3:
  case ScaleDotElemType::E3M2:
    fits = element.getIntOrFloatBitWidth() == 8;
    break;
  case ScaleDotElemType::E2M1:
    fits = element.isInteger(8);
    break;
  case ScaleDotElemType::BF16:
    fits = element.isBF16();
    break;
  case ScaleDotElemType::FP16:
    fits = element.isF16();
    break;
  }
  if (fits)
    return success();
  return op.emitOpError("expects elements of `")
         << name << "` that hold " << stringifyScaleDotElemType(format)
         << ", found " << element;
}

/// Checks an operand's scales, if it has any: one per row (or column of b) and
/// group along K.
static LogicalResult verifyScale(DotScaledOp op, Value scale, StringRef name,
                                 RankedTensorType like, int64_t rows,
                                 int64_t k) {
  if (!scale)
    return success();
  return verifyMatrix(op, cast<RankedTensorType>(scale.getType()), name, like,
                      rows, k / op.getScaleFactor());
}

LogicalResult DotScaledOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto d = cast<RankedTensorType>(getType());
  if (failed(verifyRank(*this, a)))
    return failure();
  if (b.getRank() != a.getRank() || d.getRank() != a.getRank())
    return emitOpError("expects `b` and the result to have rank ")
           << a.getRank() << ", found " << b << " and " << d;
  if (failed(verifyFormat(*this, a, "a", getAElemType())) ||
      failed(verifyFormat(*this, b, "b", getBElemType())))
    return failure();

  // Sizes in values: a tensor of pairs has half of them along one dimension.
  bool aPairs = getAElemType() == ScaleDotElemType::E2M1;
  bool bPairs = getBElemType() == ScaleDotElemType::E2M1;
  int64_t m = d.getShape().end()[-2];
  int64_t n = d.getShape().back();
  // Pairs lie along K or along the other dimension.
  int64_t k = a.getShape().back() * (aPairs && getLhsKPack() ? 2 : 1);
  int64_t aRows = aPairs && !getLhsKPack() ? m / 2 : m;
  int64_t bRows = bPairs && getRhsKPack() ? k / 2 : k;
  int64_t bColumns = bPairs && !getRhsKPack() ? n / 2 : n;
  if (failed(verifyMatrix(*this, a, "a", a, aRows, a.getShape().back())) ||
      failed(verifyMatrix(*this, b, "b", a, bRows, bColumns)) ||
      failed(verifyMatrix(*this, d, "d", a, m, n)))
    return failure();
  // Scales have K last for both operands.
  if (failed(verifyScale(*this, getAScale(), "a_scale", a, m, k)))
    return failure();
  if (failed(verifyScale(*this, getBScale(), "b_scale", a, n, k)))
    return failure();
  return verifyDotLayouts(*this);
}
