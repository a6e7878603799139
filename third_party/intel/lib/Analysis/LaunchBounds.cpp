//===- LaunchBounds.cpp - Bounds that a launch knows ----------------------===//
// SPDX-License-Identifier: MIT
//
// Arithmetic of intervals whose ends are expressions. It is not known which of
// two expressions is larger, so an end is a set of expressions.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/LaunchBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {

using Bounds = SmallVector<AffineExpr>;

/// Computes the bounds of one value.
class BoundsBuilder {
public:
  BoundsBuilder(MLIRContext *context, ValueSources &sources,
                LaunchCondition &condition)
      : context(context), sources(sources), condition(condition) {}

  LaunchBounds get(Value value);

private:
  /// Each operation may double the bounds, and each bound is a constraint of
  /// the launch.
  static constexpr unsigned kMaxOperations = 16;
  static constexpr size_t kMaxBounds = 4;

  LaunchBounds getResult(Operation *op);
  LaunchBounds getBinary(Operation *op);
  /// The value is one of the operands: the least, or the largest one.
  LaunchBounds getExtremum(Operation *op, bool isLeast);

  /// Both bounds are known, and none is negative in launches that satisfy the
  /// condition.
  bool requireNonNegative(const LaunchBounds &bounds) {
    return !bounds.lower.empty() && !bounds.upper.empty() &&
           llvm::all_of(bounds.lower, [&](AffineExpr bound) {
             return condition.requireNonNegative(bound);
           });
  }
  /// The bounds, provided that all between them fits `type`: otherwise the
  /// value would not be the exact number.
  LaunchBounds fit(LaunchBounds bounds, Type type);

  /// Makes the expressions unique.
  MLIRContext *context;
  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// What has to hold for the bounds.
  LaunchCondition &condition;
  /// Values looked at so far.
  unsigned numOperations = 0;
};

/// The combinations of both, without repetitions; none if there are too many.
template <typename Combine>
Bounds combine(ArrayRef<AffineExpr> lhs, ArrayRef<AffineExpr> rhs,
               size_t maxBounds, Combine combineTwo) {
  llvm::SetVector<AffineExpr> all;
  for (AffineExpr left : lhs)
    for (AffineExpr right : rhs)
      all.insert(combineTwo(left, right));
  return all.size() <= maxBounds ? Bounds(all.getArrayRef()) : Bounds();
}

/// What either may be the bound of; none unless both are known.
Bounds unite(ArrayRef<AffineExpr> lhs, ArrayRef<AffineExpr> rhs,
             size_t maxBounds) {
  if (lhs.empty() || rhs.empty())
    return {};
  llvm::SetVector<AffineExpr> all(lhs.begin(), lhs.end());
  all.insert_range(rhs);
  return all.size() <= maxBounds ? Bounds(all.getArrayRef()) : Bounds();
}

LaunchBounds BoundsBuilder::get(Value value) {
  // What the launch knows is its own bound, on both sides.
  if (SmallVector<AffineExpr> known =
          getLaunchExpressions(value, sources, condition);
      !known.empty())
    return {known, known};
  Operation *op = value.getDefiningOp();
  if (!op || ++numOperations > kMaxOperations)
    return {};
  return getResult(op);
}

LaunchBounds BoundsBuilder::fit(LaunchBounds bounds, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  // Exact integers of the condition have 64 bits.
  if (bits >= 64)
    return bounds;
  if (bounds.lower.empty() || bounds.upper.empty())
    return {};
  int64_t limit = int64_t(1) << (bits - 1);
  for (AffineExpr bound : bounds.lower)
    if (!condition.requireNonNegative(bound + limit))
      return {};
  for (AffineExpr bound : bounds.upper)
    if (!condition.requireNonNegative(limit - 1 - bound))
      return {};
  return bounds;
}

LaunchBounds BoundsBuilder::getExtremum(Operation *op, bool isLeast) {
  LaunchBounds lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  // On one side either operand bounds the value by itself, the one with fewer
  // expressions as well as any; on the other side both have to.
  auto getEither = [](const Bounds &first, const Bounds &second) {
    bool isFirst =
        !first.empty() && (second.empty() || first.size() <= second.size());
    return isFirst ? first : second;
  };
  if (isLeast)
    return {unite(lhs.lower, rhs.lower, kMaxBounds),
            getEither(lhs.upper, rhs.upper)};
  return {getEither(lhs.lower, rhs.lower),
          unite(lhs.upper, rhs.upper, kMaxBounds)};
}

LaunchBounds BoundsBuilder::getBinary(Operation *op) {
  LaunchBounds lhs = get(op->getOperand(0)), rhs = get(op->getOperand(1));
  auto combineBoth = [&](const Bounds &lower, const Bounds &upper,
                         auto combineTwo) {
    LaunchBounds bounds{combine(lhs.lower, lower, kMaxBounds, combineTwo),
                        combine(lhs.upper, upper, kMaxBounds, combineTwo)};
    return fit(std::move(bounds), op->getResult(0).getType());
  };
  if (isa<arith::AddIOp>(op))
    return combineBoth(rhs.lower, rhs.upper,
                       [](AffineExpr l, AffineExpr r) { return l + r; });
  if (isa<arith::SubIOp>(op))
    return combineBoth(rhs.upper, rhs.lower,
                       [](AffineExpr l, AffineExpr r) { return l - r; });
  // Of numbers that are not negative, larger ones have larger products and
  // quotients.
  if (!requireNonNegative(lhs) || !requireNonNegative(rhs))
    return {};
  if (isa<arith::MulIOp>(op))
    return combineBoth(rhs.lower, rhs.upper,
                       [](AffineExpr l, AffineExpr r) { return l * r; });
  // Affine expressions divide by positive constants only.
  auto divisor = rhs.lower.size() == 1
                     ? dyn_cast<AffineConstantExpr>(rhs.lower.front())
                     : nullptr;
  if (!divisor || rhs.upper != rhs.lower || divisor.getValue() <= 0)
    return {};
  return combineBoth(rhs.lower, rhs.upper, [&](AffineExpr l, AffineExpr) {
    return l.floorDiv(divisor.getValue());
  });
}

LaunchBounds BoundsBuilder::getResult(Operation *op) {
  return llvm::TypeSwitch<Operation *, LaunchBounds>(op)
      .Case([&](arith::ExtSIOp ext) { return get(ext.getIn()); })
      .Case([&](arith::TruncIOp trunc) {
        return fit(get(trunc.getIn()), trunc.getType());
      })
      .Case([&](arith::MinSIOp) { return getExtremum(op, /*isLeast=*/true); })
      .Case([&](arith::MaxSIOp) { return getExtremum(op, /*isLeast=*/false); })
      .Case([&](GetProgramIdOp program) -> LaunchBounds {
        std::optional<AffineExpr> extent =
            condition.getGridExtent(program, program.getAxisAsInt());
        if (!extent)
          return {};
        return {{getAffineConstantExpr(0, context)}, {*extent - 1}};
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp>(
          [&](auto) { return getBinary(op); })
      .Default([](Operation *) { return LaunchBounds(); });
}

} // namespace

LaunchBounds getLaunchBounds(Value value, ValueSources &sources,
                             LaunchCondition &condition) {
  // Kept apart from the caller's condition, to which nothing must be added if
  // nothing is known.
  LaunchCondition assumed;
  LaunchBounds bounds =
      BoundsBuilder(value.getContext(), sources, assumed).get(value);
  if ((bounds.lower.empty() && bounds.upper.empty()) ||
      !condition.append(assumed))
    return {};
  return bounds;
}

} // namespace mlir::triton::gpu::intel
