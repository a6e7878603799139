//===- CarriedReduction.cpp - Reductions that a loop adds up --------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Layouts/CarriedReduction.h"

#include "intel/Analysis/Symbolic/FloatBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
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

/// Returns whether no element is infinite. Of integers none is.
bool isNeverInfinite(Value factor) {
  if (!isa<FloatType>(getElementTypeOrSelf(factor.getType())))
    return true;
  if (std::optional<APFloat> number = getConstantFloat(factor))
    return number->isFinite();
  Operation *op = getCopied(factor).getDefiningOp();
  return isa_and_nonnull<math::ExpOp, math::Exp2Op>(op) &&
         isNonPositiveFloat(op->getOperand(0));
}

/// Returns `user`, if it scales what `combiner` adds something to.
Operation *getScaling(Operation *user, Operation *combiner) {
  bool isProduct = isa<arith::AddFOp>(combiner)   ? isa<arith::MulFOp>(user)
                   : isa<arith::AddIOp>(combiner) ? isa<arith::MulIOp>(user)
                                                  : false;
  return isProduct && user->getBlock() == combiner->getBlock() ? user : nullptr;
}

/// Finds out whether lanes that sum up their own elements of all tiles may get
/// an infinity where the sums of the tiles are finite: they do not cancel as
/// the elements of a tile do.
void boundSums(CarriedReduction &found, Value start) {
  ReduceOp reduce = found.reduce;
  Value tile = reduce.getSrcs().front();
  auto type = dyn_cast<FloatType>(getElementTypeOrSelf(tile.getType()));
  FloatBounds elements = getFloatBounds(tile), factor{true, 0};
  if (found.factor)
    factor = getFloatBounds(found.factor);
  found.isMonotonic = !type || !isa<arith::AddFOp>(found.combiner) ||
                      (elements.isNonNegative && factor.isNonNegative &&
                       getFloatBounds(start).isNonNegative);
  if (found.isMonotonic)
    return;
  // Loops have less than 2^32 iterations of less than 2^32 elements.
  constexpr int elementsExponent = 64;
  found.mayOverflow =
      *factor.exponent > 0 ||
      *elements.exponent + elementsExponent >
          APFloat::semanticsMaxExponent(type.getFloatSemantics());
}

/// Returns whether `op` writes no memory, and reads none if `mayRead` is false.
bool hasNoEffects(Operation *op, bool mayRead) {
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects &&
         llvm::all_of(*effects, [&](const MemoryEffects::EffectInstance &one) {
           return mayRead && isa<MemoryEffects::Read>(one.getEffect());
         });
}

} // namespace

std::optional<RepeatableLoop>
mlir::triton::gpu::intel::findRepeatableLoop(scf::ForOp loop, unsigned index) {
  RepeatableLoop result;
  Block *body = loop.getBody();
  SmallVector<Value> worklist;
  auto carry = [&](unsigned index) {
    if (result.carried.insert(index))
      worklist.push_back(body->getTerminator()->getOperand(index));
  };
  carry(index);
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(value);
        argument && argument.getOwner() == body) {
      if (argument != loop.getInductionVar())
        carry(argument.getArgNumber() - loop.getNumInductionVars());
      continue;
    }
    Operation *op = value.getDefiningOp()
                        ? body->findAncestorOpInBlock(*value.getDefiningOp())
                        : nullptr;
    if (!op || !result.operations.insert(op))
      continue;
    op->walk([&](Operation *nested) {
      llvm::append_range(worklist, nested->getOperands());
    });
  }
  // A second load returns the same if the loop writes no memory.
  bool mayRead = hasNoEffects(loop, /*mayRead=*/true);
  return llvm::all_of(result.operations,
                      [&](Operation *op) { return hasNoEffects(op, mayRead); })
             ? std::optional(std::move(result))
             : std::nullopt;
}

std::optional<CarriedReduction>
mlir::triton::gpu::intel::findCarriedReduction(scf::ForOp loop,
                                               unsigned index) {
  Value carried = loop.getRegionIterArg(index);
  Value next = loop.getBody()->getTerminator()->getOperand(index);
  Operation *combiner = next.getDefiningOp();
  // The intermediate results may have no other users.
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
  // A lane's own product may become zero, or infinite, where that of a tile is
  // neither.
  if (!neutral || isa<arith::MulFOp>(inner))
    return std::nullopt;
  CarriedReduction found{index, combiner, reduce, *neutral, scaling, factor};
  boundSums(found, loop.getInitArgs()[index]);
  if (found.mayOverflow && !findRepeatableLoop(loop, index))
    return std::nullopt;
  return found;
}
