//===- NonNegative.cpp - Scalars that cannot be negative ------------------===//
// SPDX-License-Identifier: MIT
//
// Follows a scalar's definition backwards. A value that is reached again on its
// own path may be assumed not to be negative: if the initial value and every
// increment are not negative, neither is any value in between. Arithmetic is
// assumed not to overflow, as for all coordinates of a tensor.
//
// The launch checks the signs of arguments, and one fact about grids. Triton's
// tutorial on matrix multiplication puts programs p into groups of G rows of
// tiles, of m x n tiles in total, and divides by the remaining rows of the
// group:
//
//     min(m - p / (G * n) * G, G)
//
// This is positive if p < m * n: (p / (G * n)) * G * n <= p < m * n, divided by
// n. The launch knows the bounds of program ids.
//
// A difference is not negative if it is a sum of terms that are not, and of
// differences that the branches and loops around it have compared: in `while
// step < end` the difference `end - step` is not negative. Minima and
// remainders in it are replaced by their bounds.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/NonNegative.h"
#include "intel/Analysis/SymbolicReader.h"
#include "intel/Analysis/UniformSum.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "triton/Analysis/Assumptions.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

namespace {

/// Adds what has been compared if `condition` is true, as sums that are not
/// negative.
void addFacts(Value condition, UniformValues &values,
              SmallVectorImpl<UniformSum> &facts) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    addFacts(both.getLhs(), values, facts);
    addFacts(both.getRhs(), values, facts);
    return;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return;
  UniformSum difference = UniformSum::get(compare.getLhs(), values) -
                          UniformSum::get(compare.getRhs(), values);
  UniformSum none, one(1);
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    facts.push_back(none - difference - one);
    break;
  case arith::CmpIPredicate::sle:
    facts.push_back(none - difference);
    break;
  case arith::CmpIPredicate::sgt:
    facts.push_back(difference - one);
    break;
  case arith::CmpIPredicate::sge:
    facts.push_back(difference);
    break;
  default:
    // Equalities say nothing about order, unsigned numbers not about signs.
    break;
  }
}

/// What loops and branches around `op` have compared, as sums that are not
/// negative where it runs.
SmallVector<UniformSum> getFacts(Operation *op, UniformValues &values) {
  SmallVector<UniformSum> facts;
  for (Region *region = op->getParentRegion(); region;
       region = region->getParentRegion()) {
    Operation *parent = region->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && !loop.getUnsignedCmp()) {
      UniformSum counter = UniformSum::get(loop.getInductionVar(), values);
      facts.push_back(counter - UniformSum::get(loop.getLowerBound(), values));
      facts.push_back(UniformSum::get(loop.getUpperBound(), values) - counter -
                      UniformSum(1));
    } else if (auto branch = dyn_cast<scf::IfOp>(parent);
               branch && region == &branch.getThenRegion()) {
      addFacts(branch.getCondition(), values, facts);
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent);
               loop && region == &loop.getAfter()) {
      // The condition compares what the body gets under other names.
      SmallVector<UniformSum> compared;
      addFacts(loop.getConditionOp().getCondition(), values, compared);
      for (UniformSum &fact : compared) {
        std::optional<UniformSum> renamed = fact;
        for (auto [argument, handed] : llvm::zip_equal(
                 loop.getAfterArguments(), loop.getConditionOp().getArgs()))
          if (renamed)
            renamed = renamed->substitute(values.getNumber(handed),
                                          UniformSum::get(argument, values));
        if (renamed)
          facts.push_back(*renamed);
      }
    }
  }
  return facts;
}

/// A proof, which may assume what it is about to show of a value that leads
/// back to itself (see the head of the file).
class NonNegativeProof {
public:
  NonNegativeProof(ValueSources &sources, LaunchCondition &condition)
      : sources(sources), condition(condition) {}

  /// Whether `value` is not negative in launches that satisfy the condition.
  bool prove(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return constant.isNonNegative();
    // A value that is in the set is proved already, or on the path above.
    if (!assumed.insert(value).second || isAssumedNonNegative(value))
      return true;
    SmallVector<Value> found;
    // All of what the value may be.
    if (sources.getSources(value, found))
      return proveAll(found);
    // From the definition first: it may ask nothing of the launch.
    return attempt([&] { return proveDefinition(value); }) ||
           attempt([&] { return proveAtLaunch(value); });
  }

private:
  /// From the operation or loop that makes the value.
  bool proveDefinition(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      return proveCounter(argument);
    return proveOperation(value.getDefiningOp());
  }

  /// The launch knows the value, and that it is not negative.
  bool proveAtLaunch(Value value) {
    SmallVector<AffineExpr> expressions =
        getLaunchExpressions(value, sources, condition);
    return !expressions.empty() &&
           llvm::all_of(expressions, [&](AffineExpr expression) {
             return condition.requireNonNegative(expression);
           });
  }

  /// All of several values.
  bool proveAll(ValueRange values) {
    return llvm::all_of(values, [&](Value value) { return prove(value); });
  }

  /// The induction variable of a loop.
  bool proveCounter(BlockArgument argument) {
    scf::ForOp loop = getCountingLoop(argument);
    // The loop ends before its variable passes a bound, so the step counts only
    // as something that is added.
    return loop && proveAll({loop.getLowerBound(), loop.getStep()});
  }

  /// From what the operation does with its operands.
  bool proveOperation(Operation *op) {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<GetProgramIdOp, GetNumProgramsOp>(
            [](Operation *) { return true; })
        // Both operands: no overflow is assumed, and bits of sign bits are sign
        // bits.
        .Case<arith::AddIOp, arith::MulIOp, arith::DivSIOp, arith::MinSIOp,
              arith::OrIOp, arith::XOrIOp>(
            [&](Operation *op) { return proveAll(op->getOperands()); })
        // The sign of a remainder is that of the dividend.
        .Case<arith::RemSIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp,
              arith::DivUIOp, arith::RemUIOp, arith::ExtSIOp, arith::TruncIOp,
              arith::IndexCastOp>(
            [&](Operation *op) { return prove(op->getOperand(0)); })
        // A zero extension has a sign bit of 0 in any case.
        .Case<arith::ExtUIOp>([](Operation *) { return true; })
        .Case([&](arith::SubIOp sub) {
          return attempt([&] { return proveTilesLeft(sub); }) ||
                 attempt([&] { return proveDifference(sub); });
        })
        // One operand suffices: the maximum is no smaller, the conjunction has
        // no sign bit.
        .Case<arith::MaxSIOp, arith::AndIOp>([&](Operation *op) {
          return llvm::any_of(op->getOperands(), [&](Value value) {
            return attempt([&] { return prove(value); });
          });
        })
        .Default([](Operation *) { return false; });
  }

  /// No term of the sum is negative.
  bool prove(const UniformSum &sum) {
    return llvm::all_of(sum.getTerms(), [&](const UniformSum &term) {
      return term.getFactor() > 0 &&
             llvm::all_of(term.getValues(values),
                          [&](Value value) { return prove(value); });
    });
  }

  /// From what is known where the operation runs.
  bool proveDifference(arith::SubIOp sub) {
    // Each replacement makes one more sum to prove, or two.
    constexpr unsigned maxReplacements = 4;
    numSums = 0;
    return proveSum(UniformSum::get(sub.getResult(), values),
                    getFacts(sub, values), maxReplacements);
  }

  /// `sum` is not negative where none of `facts` is, with up to so many values
  /// replaced by their bounds.
  bool proveSum(const UniformSum &sum, ArrayRef<UniformSum> facts,
                unsigned numReplacements) {
    // What indices are computed of takes few; others are not worth more.
    constexpr unsigned maxSums = 64;
    if (++numSums > maxSums)
      return false;
    if (attempt([&] { return prove(sum); }))
      return true;
    for (const UniformSum &fact : facts)
      if (attempt([&] { return prove(sum - fact); }))
        return true;
    if (numReplacements == 0)
      return false;
    return llvm::any_of(sum.getTerms(), [&](const UniformSum &term) {
      SmallVector<Value> factors = term.getValues(values);
      Operation *op =
          factors.size() == 1 ? factors.front().getDefiningOp() : nullptr;
      if (!op)
        return false;
      unsigned number = values.getNumber(factors.front());
      auto proveWith = [&](const UniformSum &by) {
        std::optional<UniformSum> replaced = sum.substitute(number, by);
        return replaced && proveSum(*replaced, facts, numReplacements - 1);
      };
      auto proveWithOperand = [&](Value operand) {
        return proveWith(UniformSum::get(operand, values));
      };
      // A bound takes the place of one linear term alone: elsewhere it may be
      // the wrong one.
      bool isAlone = llvm::count(sum.getValues(values), factors.front()) == 1;
      bool isAdded = term.getFactor() > 0;
      if (isa<arith::MinSIOp, arith::MaxSIOp>(op)) {
        // It is one of both, or no more than either.
        if (isa<arith::MinSIOp>(op) == isAdded)
          return llvm::all_of(op->getOperands(), proveWithOperand);
        return isAlone && llvm::any_of(op->getOperands(), proveWithOperand);
      }
      auto remainder = dyn_cast<arith::RemSIOp>(op);
      return remainder && isAlone && !isAdded &&
             attempt([&] { return prove(remainder.getRhs()); }) &&
             proveWith(UniformSum::get(remainder.getRhs(), values) -
                       UniformSum(1));
    });
  }

  /// `sub` is m - p / (G * n) * G with p < m * n.
  bool proveTilesLeft(arith::SubIOp sub) {
    UniformSum left = UniformSum::get(sub.getResult(), values);
    // One of the values of the sum has to be the group p / (G * n).
    return llvm::any_of(left.getValues(values), [&](Value value) {
      auto group = value.getDefiningOp<arith::DivSIOp>();
      return group && attempt([&] { return proveTilesLeft(left, group); });
    });
  }

  /// `left` is rows - rowsPerGroup * group, where the group is a division by
  /// rowsPerGroup * columns.
  bool proveTilesLeft(const UniformSum &left, arith::DivSIOp group) {
    UniformSum rows, rest;
    // G is the factor of the group in the sum, with its sign changed; what
    // remains are the rows, m.
    UniformSum rowsPerGroup =
        UniformSum() -
        left.divide(UniformSum::get(values.getNumber(group)), rows);
    if (rowsPerGroup.size() != 1)
      return false;
    // n is the divisor of the group without G.
    UniformSum columns =
        UniformSum::get(group.getRhs(), values).divide(rowsPerGroup, rest);
    if (!rest.isZero())
      return false;
    // p < m * n is what makes (p / (G * n)) * G less than m.
    std::optional<UniformSum> tiles = rows * columns;
    return tiles && prove(rowsPerGroup) && prove(columns) &&
           prove(group.getLhs()) &&
           proveBelow(UniformSum::get(group.getLhs(), values), *tiles);
  }

  /// `sum`, of which no term is negative, is less than `bound`. Digits of a
  /// number are: i * n + j < m * n if i < m and j < n.
  bool proveBelow(const UniformSum &sum, const UniformSum &bound) {
    std::optional<int64_t> constant = sum.getConstant(),
                           limit = bound.getConstant();
    if (constant)
      return limit && *constant < *limit;
    SmallVector<Value> factors = sum.getValues(values);
    if (factors.size() == 1 && sum.size() == 1 && sum.getFactor() == 1)
      return proveBelow(factors.front(), bound);
    return llvm::any_of(factors, [&](Value value) {
      UniformSum lower, rest;
      UniformSum width =
          sum.divide(UniformSum::get(values.getNumber(value)), lower);
      if (width.size() != 1)
        return false;
      UniformSum count = bound.divide(width, rest);
      return rest.isZero() && attempt([&] {
               return proveBelow(value, count) && proveBelow(lower, width);
             });
    });
  }

  /// `value`, which is not negative, is less than `bound`.
  bool proveBelow(Value value, const UniformSum &bound) {
    if (auto quotient = value.getDefiningOp<arith::DivSIOp>()) {
      std::optional<UniformSum> product =
          bound * UniformSum::get(quotient.getRhs(), values);
      return product && prove(quotient.getRhs()) &&
             proveBelow(UniformSum::get(quotient.getLhs(), values), *product);
    }
    if (auto remainder = value.getDefiningOp<arith::RemSIOp>())
      // A remainder by exactly the number of tiles.
      return UniformSum::get(remainder.getRhs(), values) == bound &&
             prove(remainder.getRhs());
    // A program's number is less than the extent of the grid, which the launch
    // compares with the number of tiles.
    if (auto program = value.getDefiningOp<GetProgramIdOp>()) {
      std::optional<AffineExpr> extent =
          condition.getGridExtent(program, program.getAxisAsInt());
      std::optional<AffineExpr> limit =
          getExpression(bound, value.getContext());
      return extent && limit && condition.requireNonNegative(*limit - *extent);
    }
    // Kernels that loop over tiles: the variable stays below the upper bound,
    // unless signs are no signs in the loop.
    scf::ForOp loop = getCountingLoop(value);
    return loop && !loop.getUnsignedCmp() &&
           UniformSum::get(loop.getUpperBound(), values) == bound;
  }

  /// `sum` in terms of the launch.
  std::optional<AffineExpr> getExpression(const UniformSum &sum,
                                          MLIRContext *context) {
    AffineExpr result = getAffineConstantExpr(0, context);
    for (const UniformSum &term : sum.getTerms()) {
      AffineExpr product = getAffineConstantExpr(term.getFactor(), context);
      for (Value value : term.getValues(values)) {
        SmallVector<AffineExpr> found =
            getLaunchExpressions(value, sources, condition);
        // A value that is one of several would need a condition for each.
        if (found.size() != 1)
          return std::nullopt;
        product = product * found.front();
      }
      result = result + product;
    }
    return result;
  }

  /// One of several ways to go: what a failed one assumed must not help the
  /// next one, nor may the launch be asked for it.
  bool attempt(llvm::function_ref<bool()> proveIt) {
    llvm::SmallPtrSet<Value, 16> assumedBefore = assumed;
    LaunchCondition before = condition;
    if (proveIt())
      return true;
    assumed = std::move(assumedBefore);
    condition = std::move(before);
    return false;
  }

  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// What is asked of the launch.
  LaunchCondition &condition;
  /// Values that are proved, or that the proof is about.
  llvm::SmallPtrSet<Value, 16> assumed;
  /// Numbers the scalars of sums.
  UniformValues values;
  /// Sums of one difference that have been looked at.
  unsigned numSums = 0;
};

} // namespace

bool isNonNegativeAtLaunch(Value value, ValueSources &sources,
                           LaunchCondition &condition) {
  // A copy, since a failed proof must leave the caller's condition alone.
  LaunchCondition needed = condition;
  if (!NonNegativeProof(sources, needed).prove(value))
    return false;
  condition = std::move(needed);
  return true;
}

} // namespace mlir::triton::gpu::intel
