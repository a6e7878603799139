//===- SymbolicProofs.cpp - Proofs about polynomials ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/SymbolicExpr.h"

#include "LinearSystem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

// The limits bound the time of a proof; a proof that needs more fails. Each has
// beside it what SymbolicExprTest proves with another one. With these it proves
// 1,115,519 statements, and of 1,888 pairs of accesses that 1,833 never meet.

/// Bounds the facts about the symbols of a statement. The test proves the same
/// with 24, and with 96.
constexpr size_t kMaxFacts = 48;
/// Bounds the minima that are split into two cases, one in the other. With 1,
/// 344 statements less are proved; with 3, 34 more.
constexpr unsigned kMaxSplits = 2;
/// Bounds the branches on integers. With 2, 396 statements and 29 pairs of
/// accesses less are proved; with 6, 125 and 17 more, in 1.2 times the time.
constexpr unsigned kMaxBranches = 4;

} // namespace

/// Returns the facts about all symbols that expressions lead to.
std::vector<const SymbolicExpr *>
SymbolicFacts::collectFacts(llvm::ArrayRef<SymbolicExpr> exprs) const {
  std::vector<const SymbolicExpr *> facts;
  llvm::SetVector<Symbol> reached;
  std::vector<bool> isUsed(assumptions.size());
  auto reach = [&](const SymbolicExpr &expr) {
    for (auto &term : expr.getTerms())
      reached.insert_range(term.first);
  };
  auto add = [&](const SymbolicExpr &fact) {
    facts.push_back(&fact);
    reach(fact);
  };
  llvm::for_each(exprs, reach);
  for (size_t i = 0; i < reached.size() && facts.size() < kMaxFacts; ++i) {
    const SymbolInfo &info = symbols[reached[i]];
    llvm::for_each(info.bounds, add);
    llvm::for_each(info.definition, add);
    for (size_t number : info.assumptions)
      if (!isUsed[number]) {
        isUsed[number] = true;
        add(assumptions[number]);
      }
  }
  return facts;
}

bool SymbolicFacts::isContradiction(std::vector<SymbolicExpr> constraints,
                                    unsigned numSplits,
                                    unsigned numBranches) const {
  LinearSystem system(constraints, collectFacts(constraints));
  LinearSystem::Solution solution = system.solve();
  if (solution.isEmpty)
    return true;
  // Several cases are a contradiction if each of them is one.
  auto areContradictions = [&](llvm::ArrayRef<std::vector<SymbolicExpr>> cases,
                               unsigned splits, unsigned branches) {
    return llvm::all_of(cases, [&](const std::vector<SymbolicExpr> &added) {
      std::vector<SymbolicExpr> all = constraints;
      all.insert(all.end(), added.begin(), added.end());
      return isContradiction(std::move(all), splits, branches);
    });
  };
  // A minimum is one of two expressions.
  for (Symbol symbol : system.getSymbols()) {
    const std::optional<Choice> &choice = symbols[symbol].choice;
    if (!choice || numSplits == 0)
      continue;
    SymbolicExpr value = SymbolicExpr::getSymbol(symbol);
    auto isEqualTo = [&](const SymbolicExpr &expr) {
      return llvm::is_contained(constraints, value - expr) &&
             llvm::is_contained(constraints, expr - value);
    };
    if (isEqualTo(choice->lhs) || isEqualTo(choice->rhs))
      continue;
    auto getCase = [&](const SymbolicExpr &expr) {
      return std::vector<SymbolicExpr>{value - expr, expr - value};
    };
    return areContradictions({getCase(choice->lhs), getCase(choice->rhs)},
                             numSplits - 1, numBranches);
  }
  // An integer is not between two neighbours (Land and Doig, "An Automatic
  // Method of Solving Discrete Programming Problems", 1960).
  if (numBranches == 0)
    return false;
  if (!solution.flaw)
    return false;
  SymbolicExpr value = SymbolicExpr::getSymbol(solution.flaw->symbol);
  SymbolicExpr below = solution.flaw->below;
  if (!solution.flaw->isInteger)
    return areContradictions({{below - value}, {value - below - 1}}, numSplits,
                             numBranches - 1);
  return areContradictions({{below - 1 - value},
                            {value - below - 1},
                            {value - below, below - value}},
                           numSplits, numBranches - 1);
}

bool SymbolicFacts::isContradiction(
    llvm::ArrayRef<SymbolicExpr> constraints) const {
  if (!llvm::all_of(constraints,
                    [](const SymbolicExpr &expr) { return expr.isKnown(); }))
    return false;
  return isContradiction(constraints.vec(), kMaxSplits, kMaxBranches);
}

bool SymbolicFacts::isNonNegative(const SymbolicExpr &expr) const {
  SymbolicRange range = estimateRange(expr);
  if (range.min && *range.min >= 0)
    return true;
  if (!expr.isKnown() || isOfFreeSymbols(expr))
    return false;
  return isContradiction({-expr - 1});
}

bool SymbolicFacts::areEqual(const SymbolicExpr &lhs,
                             const SymbolicExpr &rhs) const {
  SymbolicExpr difference = lhs - rhs;
  return difference.isZero() ||
         (isNonNegative(difference) && isNonNegative(-difference));
}

bool SymbolicFacts::areDistinct(const SymbolicExpr &lhs,
                                const SymbolicExpr &rhs) const {
  SymbolicExpr difference = lhs - rhs;
  if (!difference.isKnown())
    return false;
  // No multiple of the divisor of the other terms cancels the constant.
  if (int64_t constant = difference.getConstantTerm()) {
    int64_t divisor = getDivisor(difference - constant);
    if (divisor == 0 || constant % divisor != 0)
      return true;
  }
  return isContradiction({difference, -difference});
}

SymbolicRange SymbolicFacts::getRange(const SymbolicExpr &expr) const {
  if (!expr.isKnown())
    return {};
  if (isOfFreeSymbols(expr))
    return estimateRange(expr);
  SymbolicRange range = LinearSystem({}, collectFacts(expr), expr).getRange();
  // The terms that are not constant sum up to a multiple of their divisor.
  int64_t offset = expr.getConstantTerm();
  int64_t divisor = getDivisor(expr - offset), rest;
  if (divisor > 1 && range.max && !llvm::SubOverflow(*range.max, offset, rest))
    range.max = llvm::divideFloorSigned(rest, divisor) * divisor + offset;
  if (divisor > 1 && range.min &&
      !llvm::SubOverflow(*range.min, offset, rest) &&
      rest <= std::numeric_limits<int64_t>::max() - divisor)
    range.min = llvm::divideCeilSigned(rest, divisor) * divisor + offset;
  return range;
}
