//===- SimplifyDivRem.cpp - Divisions of sums with a known part -----------===//
// SPDX-License-Identifier: MIT
//
// Kernels with weights of a few bits, or with a scale for a group of rows,
// divide positions along K: `(start + range) // 8`, `% 8`, `// 128`. A step of
// the loop begins at a multiple of the divisor, so the quotient is `start // 8`
// plus a known quotient, and the remainder is known. This saves a division per
// element, and shows which elements are equal.
//
// A step may also be a part of a group, such as tokens in one page of a cache.
// If it begins at a multiple of its own size, and this size divides the
// divisor, all of it is in one group, and its remainders are consecutive.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/AddressUses.h"
#include "intel/Analysis/ValueProver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include <numeric>

namespace mlir::triton::intel {
#define GEN_PASS_DEF_TRITONINTELSIMPLIFYDIVREM
#include "intel/Dialect/Triton/Transforms/Passes.h.inc"
} // namespace mlir::triton::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// Simplifies quotients and remainders; see the head of the file.
class SimplifyDivRemPass
    : public triton::intel::impl::TritonIntelSimplifyDivRemBase<
          SimplifyDivRemPass> {
public:
  using TritonIntelSimplifyDivRemBase::TritonIntelSimplifyDivRemBase;

  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::DivSIOp, arith::RemSIOp>(op) &&
          isa<RankedTensorType>(op->getResult(0).getType()))
        divisions.push_back(op);
    });
    if (divisions.empty())
      return;
    ValueSources sources(getOperation());
    for (Operation *op : divisions)
      simplify(op, sources);
  }

private:
  /// Returns whether `sum`, whose elements are `start` and at most `range`, is
  /// not negative and has not wrapped around: that is known of a part of an
  /// address (AddressUses.h), and has to be proved of data.
  static bool isExactSum(arith::AddIOp sum, Value start, int64_t range,
                         ValueSources &sources) {
    int64_t largest = llvm::maxIntN(start.getType().getIntOrFloatBitWidth());
    SymbolicRange bounds =
        ValueProver(sources, Overflow::Wraps).getRange(start);
    if (bounds.min && bounds.max && *bounds.min >= 0 &&
        *bounds.max <= largest - range)
      return true;
    return isPartOfAddress(sum.getResult(), sources) &&
           ValueProver(sources, Overflow::Excluded).isNonNegative(start);
  }

  void simplify(Operation *op, ValueSources &sources) {
    APInt divisor;
    auto sum = op->getOperand(0).getDefiningOp<arith::AddIOp>();
    if (!sum || !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
        !divisor.isStrictlyPositive())
      return;
    for (auto [uniform, known] : {std::pair(sum.getLhs(), sum.getRhs()),
                                  std::pair(sum.getRhs(), sum.getLhs())}) {
      auto splat = uniform.getDefiningOp<SplatOp>();
      // Another number of the program is as unknown as the first one.
      if (!splat || known.getDefiningOp<SplatOp>())
        continue;
      SymbolicRange range =
          ValueProver(sources, Overflow::Wraps).getRange(known);
      // Quotients are rounded toward zero: only of numbers that are not
      // negative is that the same direction for the sum and its parts.
      if (!range.min || !range.max || *range.min < 0 ||
          !isExactSum(sum, splat.getSrc(), *range.max, sources))
        continue;
      int64_t size = divisor.getSExtValue();
      // What begins at a multiple of this has no multiple of the divisor in it.
      int64_t common = std::gcd(
          ValueProver(sources, Overflow::Wraps).getDivisor(splat.getSrc()),
          size);
      bool isInGroup = *range.max < common;
      if (common != size && !isInGroup)
        continue;
      if (!mayRewrite(op))
        return;
      if (common == size)
        replace(op, splat, known, *range.min, *range.max, size);
      else
        replaceInGroup(op, splat, known, size);
      ++numSimplified;
      return;
    }
  }

  /// Returns the quotient or remainder of the number that all elements have.
  template <typename Division>
  static Value divideUniform(OpBuilder &builder, Operation *op, SplatOp splat,
                             int64_t divisor) {
    Location loc = op->getLoc();
    Value scalar = splat.getSrc();
    Value scalarDivisor = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(scalar.getType(), divisor));
    return SplatOp::create(
        builder, loc, splat.getType(),
        Division::create(builder, loc, scalar, scalarDivisor));
  }

  /// Replaces a quotient or remainder of `splat` + `known`, all elements of
  /// which are in one group.
  static void replaceInGroup(Operation *op, SplatOp splat, Value known,
                             int64_t divisor) {
    OpBuilder builder(op);
    Value result;
    if (isa<arith::RemSIOp>(op))
      result = arith::AddIOp::create(
          builder, op->getLoc(),
          divideUniform<arith::RemSIOp>(builder, op, splat, divisor), known);
    else
      result = divideUniform<arith::DivSIOp>(builder, op, splat, divisor);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  /// Replaces the operation where `splat` is a multiple of the divisor.
  static void replace(Operation *op, SplatOp splat, Value known, int64_t least,
                      int64_t largest, int64_t divisor) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Type type = known.getType();
    auto makeConstant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              cast<ShapedType>(type),
              builder.getIntegerAttr(getElementTypeOrSelf(type), value)));
    };
    // All elements may have the same quotient: most groups are no smaller than
    // a step.
    bool isOneGroup = least / divisor == largest / divisor;
    Value result;
    if (isa<arith::RemSIOp>(op)) {
      if (!isOneGroup)
        result = arith::RemSIOp::create(builder, loc, known, op->getOperand(1));
      else if (least < divisor)
        result = known;
      else
        result = arith::SubIOp::create(builder, loc, known,
                                       makeConstant(least / divisor * divisor));
    } else {
      Value quotient =
          divideUniform<arith::DivSIOp>(builder, op, splat, divisor);
      if (isOneGroup && least < divisor) {
        result = quotient;
      } else {
        Value part = isOneGroup ? makeConstant(least / divisor)
                                : arith::DivSIOp::create(builder, loc, known,
                                                         op->getOperand(1))
                                      .getResult();
        result = arith::AddIOp::create(builder, loc, quotient, part);
      }
    }
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }
};

} // namespace
