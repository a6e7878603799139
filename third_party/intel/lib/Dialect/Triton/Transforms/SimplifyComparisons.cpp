//===- SimplifyComparisons.cpp - Boundary checks that always hold ---------===//
// SPDX-License-Identifier: MIT
//
// Kernels compare coordinates with the sizes of tensors even if no coordinate
// can exceed them: `arange(0, D) < HEAD` with D = HEAD, or `start + arange(0,
// B) < N` in a loop to N whose step B divides N. Comparisons that follow from
// the bounds of ranges and loops are removed, and loads and stores lose masks
// that are always true.
//
// Runs after plain pointers have been raised to block pointers, which takes the
// sizes of tensors from masks.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/IntegerBounds.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELSIMPLIFYCOMPARISONS
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// The comparison's result, if it is the same for all elements and launches.
std::optional<bool> decide(arith::CmpIOp compare, IntegerBounds &bounds) {
  using Predicate = arith::CmpIPredicate;
  Value left = compare.getLhs(), right = compare.getRhs();
  Predicate predicate = compare.getPredicate();
  // Only less than and less or equal are left.
  bool isInverted = false;
  switch (predicate) {
  case Predicate::sge:
  case Predicate::uge:
    predicate = predicate == Predicate::sge ? Predicate::slt : Predicate::ult;
    isInverted = true;
    break;
  case Predicate::sgt:
  case Predicate::ugt:
    predicate = predicate == Predicate::sgt ? Predicate::sle : Predicate::ule;
    isInverted = true;
    break;
  case Predicate::eq:
  case Predicate::ne:
    return std::nullopt;
  default:
    break;
  }
  bool isSigned = predicate == Predicate::slt || predicate == Predicate::sle;
  bool isStrict = predicate == Predicate::slt || predicate == Predicate::ult;
  std::optional<Bounds> lhs = bounds.get(left), rhs = bounds.get(right);
  // Both orders are the same without negative numbers.
  if (!isSigned && (!lhs || !rhs || lhs->min < 0 || rhs->min < 0))
    return std::nullopt;
  if (lhs && rhs) {
    if (isStrict ? lhs->max < rhs->min : lhs->max <= rhs->min)
      return !isInverted;
    if (isStrict ? lhs->min >= rhs->max : lhs->min > rhs->max)
      return isInverted;
  }
  if (!isSigned)
    return std::nullopt;
  if (std::optional<int64_t> above = bounds.getMaxAbove(left, right);
      above && (isStrict ? *above < 0 : *above <= 0))
    return !isInverted;
  // right < left is the opposite of left <= right.
  if (std::optional<int64_t> above = bounds.getMaxAbove(right, left);
      above && (isStrict ? *above <= 0 : *above < 0))
    return isInverted;
  return std::nullopt;
}

/// Decides comparisons; see the head of the file.
class SimplifyComparisonsPass
    : public triton::intel::impl::TritonIntelSimplifyComparisonsBase<
          SimplifyComparisonsPass> {
public:
  void runOnOperation() override {
    SmallVector<arith::CmpIOp> compares;
    getOperation().walk([&](arith::CmpIOp op) { compares.push_back(op); });
    if (compares.empty())
      return;
    IntegerBounds bounds(getOperation());
    // Nothing changes while the analyses are asked.
    SmallVector<std::pair<arith::CmpIOp, bool>> decided;
    for (arith::CmpIOp compare : compares)
      if (std::optional<bool> result = decide(compare, bounds))
        decided.emplace_back(compare, *result);
    if (decided.empty())
      return;
    for (auto [compare, result] : decided) {
      OpBuilder builder(compare);
      TypedAttr value = builder.getBoolAttr(result);
      if (auto tensor = dyn_cast<ShapedType>(compare.getType()))
        value = DenseElementsAttr::get(tensor, Attribute(value));
      compare.replaceAllUsesWith(
          arith::ConstantOp::create(builder, compare.getLoc(), value)
              .getResult());
      compare.erase();
      ++numDecided;
    }
    foldMasks();
  }

private:
  /// Combinations of masks and choices by them, and accesses.
  void foldMasks() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    for (RegisteredOperationName name : context->getRegisteredOperations())
      if (isa<arith::ArithDialect, TritonDialect>(name.getDialect()))
        name.getCanonicalizationPatterns(patterns, context);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};

} // namespace
