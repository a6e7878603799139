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
// If it begins at a multiple of its size, and this size divides the divisor,
// all of it is in one group, and its remainders are consecutive.
//
// Numbers that are known to be in one group have a known quotient: the columns
// of a head of 64 are all in the first part of 64 columns.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "triton-intel-simplify-div-rem"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/Triton/Transforms/Passes.h"

#include "intel/Analysis/Symbolic/LaunchProver.h"
#include "intel/Analysis/Symbolic/ValueProver.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
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
    condition = LaunchCondition();
    ValueSources sources(getOperation());
    for (Operation *op : divisions)
      simplify(op, sources);
    if (condition.create())
      remark::passed(
          condition.getKernel().getLoc(),
          remark::RemarkOpts::name("launch-assumption").category(getArgument()))
          << remark::reason("no dividend overflows in launches where {0}",
                            condition.describe());
  }

private:
  /// Returns whether the sum of `start` and numbers of at most `range` is not
  /// negative and has not wrapped around in any element. That a sum is a part
  /// of an address implies nothing for elements that masks exclude.
  bool isExactSum(Operation *at, Value start, int64_t range,
                  ValueSources &sources, LaunchCondition &needed) {
    int64_t largest = llvm::maxIntN(start.getType().getIntOrFloatBitWidth());
    auto isProved = [&](auto makeExpr) {
      auto make = [&](SymbolicFacts &, ValueProver::ReadFn read) {
        return makeExpr(read(start));
      };
      return ValueProver(sources, Overflow::Wraps).isNonNegative(at, make) ||
             (assumeLaunch && LaunchProver(sources, Overflow::Wraps, needed)
                                  .isNonNegativeAtLaunch(at, make));
    };
    return isProved([](const SymbolicExpr &start) { return start; }) &&
           isProved([&](const SymbolicExpr &start) {
             return SymbolicExpr(largest - range) - start;
           });
  }

  void simplify(Operation *op, ValueSources &sources) {
    APInt constant;
    if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
        !constant.isStrictlyPositive())
      return;
    int64_t divisor = constant.getSExtValue();
    Value dividend = op->getOperand(0);
    SymbolicRange all =
        ValueProver(sources, Overflow::Wraps).getRange(dividend);
    if (isInOneGroup(all, divisor)) {
      if (!mayRewrite(op))
        return;
      LDBG() << "all dividends are in one group at " << op->getLoc();
      OpBuilder builder(op);
      op->getResult(0).replaceAllUsesWith(
          divideKnown(builder, op, dividend, all, divisor));
      op->erase();
      ++numSimplified;
      return;
    }
    auto sum = dividend.getDefiningOp<arith::AddIOp>();
    if (!sum)
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
      if (!range.min || !range.max || *range.min < 0)
        continue;
      // A step that begins at a multiple of this contains no multiple of the
      // divisor.
      int64_t common = std::gcd(
          ValueProver(sources, Overflow::Wraps).getDivisor(splat.getSrc()),
          divisor);
      bool isInGroup = *range.max < common;
      LaunchCondition needed = condition;
      if ((common != divisor && !isInGroup) ||
          !isExactSum(op, splat.getSrc(), *range.max, sources, needed))
        continue;
      if (!mayRewrite(op))
        return;
      LDBG() << "divides the parts of the sum at " << op->getLoc() << " by "
             << divisor;
      condition = needed;
      if (common == divisor)
        replace(op, splat, known, range, divisor);
      else
        replaceInGroup(op, splat, known, divisor);
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

  /// Returns whether numbers that are not negative have one quotient.
  static bool isInOneGroup(const SymbolicRange &range, int64_t divisor) {
    return range.min && range.max && *range.min >= 0 &&
           *range.min / divisor == *range.max / divisor;
  }

  /// Returns the quotient or remainder, as `op` computes it, of numbers in a
  /// range.
  static Value divideKnown(OpBuilder &builder, Operation *op, Value known,
                           const SymbolicRange &range, int64_t divisor) {
    Location loc = op->getLoc();
    bool isRemainder = isa<arith::RemSIOp>(op);
    auto type = cast<ShapedType>(known.getType());
    auto makeConstant = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(
          builder, loc,
          DenseElementsAttr::get(
              type, builder.getIntegerAttr(type.getElementType(), value)));
    };
    // Most groups are no smaller than a step, so that elements are in one.
    if (!isInOneGroup(range, divisor))
      return isRemainder ? arith::RemSIOp::create(builder, loc, known,
                                                  op->getOperand(1))
                               .getResult()
                         : arith::DivSIOp::create(builder, loc, known,
                                                  op->getOperand(1))
                               .getResult();
    int64_t quotient = *range.min / divisor;
    if (!isRemainder)
      return makeConstant(quotient);
    return quotient == 0
               ? known
               : arith::SubIOp::create(builder, loc, known,
                                       makeConstant(quotient * divisor));
  }

  /// Replaces the operation where `splat` is a multiple of the divisor.
  static void replace(Operation *op, SplatOp splat, Value known,
                      const SymbolicRange &range, int64_t divisor) {
    OpBuilder builder(op);
    Value quotient;
    if (isa<arith::DivSIOp>(op))
      quotient = divideUniform<arith::DivSIOp>(builder, op, splat, divisor);
    Value result = divideKnown(builder, op, known, range, divisor);
    if (quotient)
      result =
          matchPattern(result, m_Zero())
              ? quotient
              : arith::AddIOp::create(builder, op->getLoc(), quotient, result);
    op->getResult(0).replaceAllUsesWith(result);
    op->erase();
  }

  /// The rewrites are right in launches that satisfy this.
  LaunchCondition condition;
};

} // namespace
