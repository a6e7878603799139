//===- SymbolicProofs.cpp - Proofs about polynomials ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/SymbolicExpr.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Analysis/Presburger/Utils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::triton::gpu::intel;
using mlir::presburger::Simplex;

namespace {

// The limits bound the time of a proof; a proof that needs more fails. Each has
// beside it what SymbolicExprTest proves with another one. With these it proves
// 1,115,519 statements, and of 1,888 pairs of accesses that 1,833 never meet.

/// Bounds the facts about the symbols of a statement. The test proves the same
/// with 24, and with 96.
constexpr size_t kMaxFacts = 48;
/// Bounds the products of facts. With 32, 6 statements less are proved; with
/// 128, the same.
constexpr size_t kMaxProducts = 64;
/// Bounds the numbers whose products are facts: those of types, and their
/// quotients by sizes of tiles, would make coefficients so long that a proof
/// takes 10 to 30 times as long. The test proves the same with 2^12, and with
/// 2^30.
constexpr int64_t kMaxBound = int64_t(1) << 16;
/// Bounds the minima that are split into two cases, one in the other. With 1,
/// 344 statements less are proved; with 3, 34 more.
constexpr unsigned kMaxSplits = 2;
/// Bounds the branches on integers. With 2, 396 statements and 29 pairs of
/// accesses less are proved; with 6, 125 and 17 more, in 1.2 times the time.
constexpr unsigned kMaxBranches = 4;

/// Orders expressions by their terms with symbols.
struct HasLessTerms {
  bool operator()(const SymbolicExpr *lhs, const SymbolicExpr *rhs) const {
    auto getTerms = [](const SymbolicExpr *expr) {
      return llvm::drop_begin(expr->getTerms(), expr->getConstantTerm() != 0);
    };
    auto a = getTerms(lhs), b = getTerms(rhs);
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  }
};

/// Removes what another fact implies: of facts that differ in their constants
/// only, the one with the least constant says most.
std::vector<SymbolicExpr> removeImplied(std::vector<SymbolicExpr> facts) {
  std::set<SymbolicExpr *, HasLessTerms> strongest;
  std::vector<SymbolicExpr> kept;
  // The vector does not move its elements, which the set points to.
  kept.reserve(facts.size());
  for (SymbolicExpr &fact : facts) {
    auto it = strongest.find(&fact);
    if (it == strongest.end()) {
      kept.push_back(std::move(fact));
      strongest.insert(&kept.back());
    } else if (fact.getConstantTerm() < (*it)->getConstantTerm()) {
      **it = std::move(fact);
    }
  }
  return kept;
}

/// Maps the products of symbols in expressions to the variables of a linear
/// system.
class LinearSystem {
public:
  LinearSystem(llvm::ArrayRef<SymbolicExpr> facts,
               llvm::ArrayRef<SymbolicExpr> exprs) {
    for (llvm::ArrayRef<SymbolicExpr> list : {facts, exprs})
      for (const SymbolicExpr &expr : list)
        for (auto &[product, factor] : expr.getTerms())
          if (!product.empty())
            columns.try_emplace(product, columns.size());
  }

  /// Describes a value of a symbol in a solution by the integer that it is, or
  /// the next one below.
  struct Value {
    Symbol symbol;
    int64_t below;
    bool isInteger;
  };
  /// Finds what makes a solution none of integers: a factor of a product that
  /// has another value than the product of its factors or, if there is none, a
  /// symbol between two integers.
  std::optional<Value> findFlaw(const Simplex &simplex) const {
    auto sample = simplex.getRationalSample();
    if (!sample)
      return std::nullopt;
    auto getValue = [&](const SymbolicExpr::Product &product) {
      return (*sample)[columns.at(product)];
    };
    auto getFlaw =
        [](Symbol symbol,
           const presburger::Fraction &value) -> std::optional<Value> {
      DynamicAPInt below = floor(value);
      if (abs(below) > DynamicAPInt(std::numeric_limits<int32_t>::max()))
        return std::nullopt;
      return Value{symbol, static_cast<int64_t>(below),
                   below * value.den == value.num};
    };
    for (auto &[product, column] : columns) {
      if (product.size() != 2 || !columns.count({product.front()}) ||
          !columns.count({product.back()}))
        continue;
      presburger::Fraction lhs = getValue({product.front()}),
                           rhs = getValue({product.back()});
      if (lhs * rhs == getValue(product))
        continue;
      // The smaller factor has fewer values.
      bool isFirst = abs(lhs.num) < abs(rhs.num);
      return getFlaw(isFirst ? product.front() : product.back(),
                     isFirst ? lhs : rhs);
    }
    for (auto &[product, column] : columns)
      if (product.size() == 1)
        if (auto flaw = getFlaw(product.front(), getValue(product));
            flaw && !flaw->isInteger)
          return flaw;
    return std::nullopt;
  }

  Simplex solve(llvm::ArrayRef<SymbolicExpr> exprs) const {
    Simplex simplex(columns.size());
    for (const SymbolicExpr &expr : exprs)
      simplex.addInequality(getRow(expr));
    return simplex;
  }

  SmallVector<DynamicAPInt> getRow(const SymbolicExpr &expr) const {
    SmallVector<DynamicAPInt> row(columns.size() + 1, DynamicAPInt(0));
    for (auto &[product, factor] : expr.getTerms())
      row[product.empty() ? columns.size() : columns.at(product)] =
          DynamicAPInt(factor);
    return row;
  }

  std::set<Symbol> getSymbols() const {
    std::set<Symbol> symbols;
    for (auto &[product, column] : columns)
      symbols.insert(product.begin(), product.end());
    return symbols;
  }

private:
  std::map<SymbolicExpr::Product, size_t> columns;
};

/// Adds products of facts that bound products of symbols in the facts and in
/// `exprs`.
void addProducts(std::vector<SymbolicExpr> &facts,
                 llvm::ArrayRef<SymbolicExpr> exprs,
                 llvm::ArrayRef<SymbolicExpr> constraints) {
  std::set<SymbolicExpr::Product> products;
  std::set<Symbol> factors;
  for (llvm::ArrayRef<SymbolicExpr> list : {exprs, llvm::ArrayRef(facts)})
    for (const SymbolicExpr &expr : list)
      for (auto &term : expr.getTerms())
        if (term.first.size() > 1) {
          products.insert(term.first);
          factors.insert(term.first.begin(), term.first.end());
        }
  if (products.empty())
    return;
  // These facts are about one symbol each.
  std::map<Symbol, SmallVector<SymbolicExpr, 2>> bounds;
  std::set<Symbol> notNegative;
  for (const SymbolicExpr &fact : facts) {
    const auto &terms = fact.getTerms();
    int64_t constant = fact.getConstantTerm();
    if (terms.size() != (constant == 0 ? 1 : 2) ||
        terms.rbegin()->first.size() != 1)
      continue;
    auto [product, factor] = *terms.rbegin();
    if (constant < kMaxBound && constant > -kMaxBound)
      bounds[product.front()].push_back(fact);
    if (factor == 1 && constant <= 0)
      notNegative.insert(product.front());
  }
  size_t limit = facts.size() + kMaxProducts;
  auto add = [&](const SymbolicExpr &lhs, const SymbolicExpr &rhs) {
    SymbolicExpr product = lhs * rhs;
    if (product.isKnown() && facts.size() < limit)
      facts.push_back(product.tighten());
  };
  // A constraint times a symbol that is not negative is not negative.
  for (const SymbolicExpr &constraint : constraints)
    for (Symbol symbol : factors)
      if (notNegative.count(symbol))
        add(constraint, SymbolicExpr::getSymbol(symbol));
  // The product of bounds of two factors bounds the product of the factors.
  for (const SymbolicExpr::Product &product : products) {
    if (product.size() != 2)
      continue;
    for (const SymbolicExpr &lhs : bounds[product.front()])
      for (const SymbolicExpr &rhs : bounds[product.back()])
        add(lhs, rhs);
  }
  // A longer product of symbols that are not negative is not negative.
  for (const SymbolicExpr::Product &product : products)
    if (product.size() > 2 && llvm::all_of(product, [&](Symbol symbol) {
          return notNegative.count(symbol) != 0;
        }))
      facts.push_back(SymbolicExpr::getSum({{product, 1}}));
  facts = removeImplied(std::move(facts));
}

} // namespace

/// Returns `constraints`, the facts about all symbols that they and `exprs`
/// lead to, and products of facts that bound products of symbols.
std::vector<SymbolicExpr>
SymbolicFacts::collectFacts(llvm::ArrayRef<SymbolicExpr> exprs,
                            llvm::ArrayRef<SymbolicExpr> constraints) const {
  std::vector<SymbolicExpr> facts;
  for (const SymbolicExpr &constraint : constraints)
    facts.push_back(constraint.tighten());
  llvm::SetVector<Symbol> reached;
  std::vector<bool> isUsed(assumptions.size());
  auto reach = [&](const SymbolicExpr &expr) {
    for (auto &term : expr.getTerms())
      reached.insert_range(term.first);
  };
  llvm::for_each(exprs, reach);
  llvm::for_each(constraints, reach);
  for (size_t i = 0; i < reached.size() && facts.size() < kMaxFacts; ++i) {
    const SymbolInfo &info = symbols[reached[i]];
    facts.insert(facts.end(), info.bounds.begin(), info.bounds.end());
    for (const SymbolicExpr &fact : info.definition) {
      facts.push_back(fact);
      reach(fact);
    }
    for (size_t number : info.assumptions)
      if (!isUsed[number]) {
        isUsed[number] = true;
        facts.push_back(assumptions[number]);
        reach(assumptions[number]);
      }
  }
  facts = removeImplied(std::move(facts));
  addProducts(facts, exprs, constraints);
  return facts;
}

bool SymbolicFacts::isContradiction(std::vector<SymbolicExpr> constraints,
                                    unsigned numSplits,
                                    unsigned numBranches) const {
  std::vector<SymbolicExpr> facts = collectFacts({}, constraints);
  for (const SymbolicExpr &fact : facts)
    if (std::optional<int64_t> constant = fact.getConstant();
        constant && *constant < 0)
      return true;
  LinearSystem system(facts, {});
  Simplex simplex = system.solve(facts);
  if (simplex.isEmpty())
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
  auto flaw = system.findFlaw(simplex);
  if (!flaw)
    return false;
  SymbolicExpr value = SymbolicExpr::getSymbol(flaw->symbol);
  SymbolicExpr below = flaw->below;
  if (!flaw->isInteger)
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
  std::vector<SymbolicExpr::Terms> key;
  for (const SymbolicExpr &constraint : constraints)
    key.push_back(constraint.getTerms());
  auto [it, isNew] = knownContradictions.try_emplace(std::move(key));
  if (isNew)
    it->second = isContradiction(constraints.vec(), kMaxSplits, kMaxBranches);
  return it->second;
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
  auto [it, isNew] = knownRanges.try_emplace(expr.getTerms());
  if (isNew)
    it->second = findRange(expr);
  return it->second;
}

SymbolicRange SymbolicFacts::findRange(const SymbolicExpr &expr) const {
  SymbolicRange range;
  std::vector<SymbolicExpr> facts = collectFacts(expr, {});
  LinearSystem system(facts, expr);
  Simplex simplex = system.solve(facts);
  if (simplex.isEmpty())
    return range;
  auto toInteger =
      [](const presburger::MaybeOptimum<presburger::Fraction> &optimum,
         bool isUp) -> std::optional<int64_t> {
    if (!optimum.isBounded())
      return std::nullopt;
    DynamicAPInt value = isUp ? floor(*optimum) : ceil(*optimum);
    if (value > DynamicAPInt(std::numeric_limits<int64_t>::max()) ||
        value < DynamicAPInt(std::numeric_limits<int64_t>::min()))
      return std::nullopt;
    return static_cast<int64_t>(value);
  };
  range.max = toInteger(
      simplex.computeOptimum(Simplex::Direction::Up, system.getRow(expr)),
      /*isUp=*/true);
  range.min = toInteger(
      simplex.computeOptimum(Simplex::Direction::Down, system.getRow(expr)),
      /*isUp=*/false);
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
