//===- CarriedReduction.cpp - Reductions that a loop adds up --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/CarriedReduction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Returns the neutral element of `combiner`.
std::optional<TypedAttr> getNeutral(Operation *combiner) {
  // Not 0, which makes 0 of -0.
  if (isa<arith::AddFOp>(combiner)) {
    auto type = cast<FloatType>(combiner->getResult(0).getType());
    return FloatAttr::get(
        type, APFloat::getZero(type.getFloatSemantics(), /*Negative=*/true));
  }
  return arith::getNeutralElement(combiner);
}

/// Returns whether `value` is the maximum of `other` and anything else.
bool isMaximumWith(Value value, Value other) {
  if (value == other)
    return true;
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::MaxNumFOp, arith::MaximumFOp>(op) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return isMaximumWith(operand, other);
         });
}

/// Returns the value whose numbers those of `value` are copies of.
Value getCopied(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<SplatOp, triton::BroadcastOp, ExpandDimsOp,
                         ConvertLayoutOp>(op)) {
    value = op->getOperand(0);
    op = value.getDefiningOp();
  }
  return value;
}

/// Returns the number that all elements are, if it is constant.
std::optional<APFloat> getConstantFloat(Value value) {
  APFloat number(0.0f);
  if (matchPattern(getCopied(value), m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

/// Returns whether no element is above zero; NaN may be among them.
bool isNonPositive(Value value) {
  // The maximum of a number and others is not less than the number.
  if (auto difference = value.getDefiningOp<arith::SubFOp>())
    return isMaximumWith(difference.getRhs(), difference.getLhs());
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product)
    return false;
  for (auto [lhs, rhs] : {std::pair(product.getLhs(), product.getRhs()),
                          std::pair(product.getRhs(), product.getLhs())}) {
    std::optional<APFloat> scale = getConstantFloat(rhs);
    if (scale && !scale->isNaN() && !scale->isNegative())
      return isNonPositive(lhs);
  }
  return false;
}

/// Returns whether no element is infinite. Of integers none is.
bool isNeverInfinite(Value factor) {
  if (!isa<FloatType>(getElementTypeOrSelf(factor.getType())))
    return true;
  if (std::optional<APFloat> number = getConstantFloat(factor))
    return number->isFinite();
  Operation *op = getCopied(factor).getDefiningOp();
  return isa_and_nonnull<math::ExpOp, math::Exp2Op>(op) &&
         isNonPositive(op->getOperand(0));
}

/// Returns `user`, if it scales what `combiner` adds something to.
Operation *getScaling(Operation *user, Operation *combiner) {
  bool isProduct = isa<arith::AddFOp>(combiner)   ? isa<arith::MulFOp>(user)
                   : isa<arith::AddIOp>(combiner) ? isa<arith::MulIOp>(user)
                                                  : false;
  return isProduct && user->getBlock() == combiner->getBlock() ? user : nullptr;
}

} // namespace

std::optional<CarriedReduction>
mlir::triton::gpu::intel::findCarriedReduction(scf::ForOp loop,
                                               unsigned index) {
  Value carried = loop.getRegionIterArg(index);
  Value next = loop.getBody()->getTerminator()->getOperand(index);
  Operation *combiner = next.getDefiningOp();
  // Nobody else may ask for what there is so far.
  if (!combiner || combiner->getBlock() != loop.getBody() ||
      combiner->getNumOperands() != 2 || !next.hasOneUse() ||
      !carried.hasOneUse())
    return std::nullopt;
  Operation *scaling = getScaling(*carried.user_begin(), combiner);
  Value factor;
  if (scaling) {
    factor = scaling->getOperand(scaling->getOperand(0) == carried);
    carried = scaling->getResult(0);
    if (!carried.hasOneUse() || !isNeverInfinite(factor))
      return std::nullopt;
  }
  if (*carried.user_begin() != combiner)
    return std::nullopt;
  Value other = combiner->getOperand(combiner->getOperand(0) == carried);
  // The result of a reduction that an inner loop has deferred is converted.
  Value result = other;
  while (auto convert = result.getDefiningOp<ConvertLayoutOp>()) {
    if (!result.hasOneUse())
      return std::nullopt;
    result = convert.getSrc();
  }
  auto reduce = result.getDefiningOp<ReduceOp>();
  if (!reduce || reduce->getBlock() != loop.getBody() ||
      reduce.getSrcs().size() != 1 || !result.hasOneUse())
    return std::nullopt;
  Operation *inner = reduce.getSingleCombiner();
  if (!inner || inner->getName() != combiner->getName())
    return std::nullopt;
  std::optional<TypedAttr> neutral = getNeutral(inner);
  if (!neutral)
    return std::nullopt;
  return CarriedReduction{index, combiner, reduce, *neutral, scaling, factor};
}
