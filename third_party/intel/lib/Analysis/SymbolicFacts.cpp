//===- SymbolicFacts.cpp - Proofs about polynomials -----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/SymbolicExpr.h"

#include "mlir/Analysis/Presburger/Simplex.h"
#include "mlir/Analysis/Presburger/Utils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::triton::gpu::intel;
using mlir::presburger::Simplex;

namespace {

/// Kinds of results, as parts of keys.
enum ResultKind : unsigned {
  Quotient,
  Indicator,
  Minimum,
  Maximum,
  FirstWidth
};

// The limits bound the time of a proof; a proof that needs more fails. Each has
// beside it what SymbolicExprTest proves with another one. With these it proves
// 1,115,522 statements, and of 1,888 pairs of accesses that 1,834 never meet.

/// Bounds the facts about the symbols of a statement. The test proves the same
/// with 24, and with 96.
constexpr size_t kMaxFacts = 48;
/// Bounds the products of facts. With 32, 25 statements less are proved; with
/// 128, one more.
constexpr size_t kMaxProducts = 64;
/// Bounds the numbers whose products are facts: those of types would make
/// coefficients so long that a proof takes 10 to 30 times as long.
constexpr int64_t kMaxBound = int64_t(1) << 30;
/// Bounds the minima that are split into two cases, one in the other. With 1,
/// 345 statements less are proved; with 3, 34 more.
constexpr unsigned kMaxSplits = 2;
/// Bounds the branches on integers. With 2, 400 statements and 27 pairs of
/// accesses less are proved; with 6, 117 and 16 more, in 1.2 times the time.
constexpr unsigned kMaxBranches = 4;

SymbolicExpr makeTerm(const SymbolicExpr::Product &product, int64_t factor) {
  SymbolicExpr term(factor);
  for (Symbol symbol : product)
    term = term * SymbolicExpr::getSymbol(symbol);
  return term;
}

std::set<Symbol> getSymbols(llvm::ArrayRef<SymbolicExpr> exprs) {
  std::set<Symbol> found;
  for (const SymbolicExpr &expr : exprs)
    for (auto &term : expr.getTerms())
      found.insert(term.first.begin(), term.first.end());
  return found;
}

/// Divides by what all factors of symbols have in common; integers lose
/// nothing by rounding the constant down.
SymbolicExpr tighten(const SymbolicExpr &expr) {
  int64_t common = 0, constant = 0;
  for (auto &[product, factor] : expr.getTerms()) {
    if (product.empty())
      constant = factor;
    else if (factor == std::numeric_limits<int64_t>::min())
      return expr;
    else
      common = std::gcd(common, factor);
  }
  if (common <= 1)
    return expr;
  SymbolicExpr result(llvm::divideFloorSigned(constant, common));
  for (auto &[product, factor] : expr.getTerms()) {
    if (product.empty())
      continue;
    result = result + makeTerm(product, factor / common);
  }
  return result;
}

/// The products of symbols in `exprs`, each a variable of a linear system.
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
      // The factor that has less values.
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

private:
  std::map<SymbolicExpr::Product, size_t> columns;
};

} // namespace

SymbolicRange SymbolicRange::unite(const SymbolicRange &other) const {
  SymbolicRange both;
  if (min && other.min)
    both.min = std::min(*min, *other.min);
  if (max && other.max)
    both.max = std::max(*max, *other.max);
  return both;
}

Symbol SymbolicFacts::addSymbol(SymbolicRange range, int64_t divisor) {
  Symbol symbol = symbols.size();
  SymbolInfo info;
  info.range = range;
  info.divisor = divisor;
  symbols.push_back(std::move(info));
  return symbol;
}

SymbolicExpr SymbolicFacts::addResult(SymbolInfo info) {
  symbols.push_back(std::move(info));
  return SymbolicExpr::getSymbol(symbols.size() - 1);
}

void SymbolicFacts::assumeNonNegative(const SymbolicExpr &expr) {
  if (!expr.isKnown())
    return;
  for (Symbol symbol : getSymbols(expr))
    symbols[symbol].assumptions.push_back(assumptions.size());
  assumptions.push_back(expr);
}

bool SymbolicFacts::fits(const SymbolicExpr &expr, unsigned width) const {
  assert(width > 0 && width <= 64 && "integers have up to 64 bits");
  auto isInRange = [&](const SymbolicRange &range) {
    return range.min && range.max && *range.min >= llvm::minIntN(width) &&
           *range.max <= llvm::maxIntN(width);
  };
  return isInRange(estimateRange(expr)) || isInRange(getRange(expr));
}

SymbolicFacts::Parts SymbolicFacts::split(const SymbolicExpr &expr,
                                          int64_t modulus) const {
  // Numbers that divide the terms are candidates for the unit.
  std::map<SymbolicExpr::Product, int64_t> divisors;
  std::set<int64_t, std::greater<>> units;
  for (auto &[product, factor] : expr.getTerms()) {
    if (product.empty())
      continue;
    int64_t divisor = std::gcd(getDivisor(makeTerm(product, factor)), modulus);
    divisors[product] = divisor;
    units.insert(divisor);
  }
  for (int64_t unit : units) {
    if (unit <= 1)
      break;
    SymbolicExpr low;
    for (auto &[product, factor] : expr.getTerms())
      if (product.empty() || divisors[product] % unit != 0)
        low = low + makeTerm(product, factor);
    // The low part may be in another multiple of the unit than the first one.
    SymbolicRange range = estimateRange(low);
    if (!range.min || !range.max)
      continue;
    int64_t first = llvm::divideFloorSigned(*range.min, unit);
    if (first != llvm::divideFloorSigned(*range.max, unit))
      continue;
    low = low - SymbolicExpr(unit) * first;
    if (SymbolicExpr high = expr - low; high.isKnown())
      return {high, low, unit};
  }
  return {expr, 0, 1};
}

bool SymbolicFacts::haveDisjointBits(const SymbolicExpr &lhs,
                                     const SymbolicExpr &rhs) const {
  // A multiple of a power of two has no bits below it.
  auto isBelow = [&](const SymbolicExpr &low, const SymbolicExpr &high) {
    uint64_t divisor = getDivisor(high);
    SymbolicRange range = estimateRange(low);
    return range.min && *range.min >= 0 && range.max &&
           (divisor == 0 || *range.max >> llvm::countr_zero(divisor) == 0);
  };
  return isBelow(lhs, rhs) || isBelow(rhs, lhs);
}

SymbolicExpr SymbolicFacts::getIndicator(const SymbolicExpr &expr) {
  if (!expr.isKnown())
    return SymbolicExpr::getUnknown();
  // The low part does not change the sign of a multiple of its unit.
  SymbolicExpr high = split(expr, 0).high;
  SymbolicRange range = estimateRange(high);
  if (range.min && *range.min >= 0)
    return 1;
  if (range.max && *range.max < 0)
    return 0;
  auto [it, isNew] = results.try_emplace(Key{Indicator, high.getTerms(), {}});
  if (isNew)
    it->second = SymbolicExpr::getSymbol(addSymbol({0, 1}));
  return it->second;
}

SymbolicExpr SymbolicFacts::wrap(const SymbolicExpr &expr, unsigned width) {
  if (fits(expr, width))
    return expr;
  if (expr.isKnown()) {
    // A multiple of a power of two wraps around to a multiple, behind which
    // there is room for the low part.
    Parts parts = split(expr, int64_t(1) << std::min(width - 1, 62u));
    if (parts.unit > 1 && !parts.low.isZero())
      return wrap(parts.high, width) + parts.low;
  }
  auto make = [&] {
    // A power of two that divides the number and 2^width divides the result.
    uint64_t divisor = expr.isKnown() ? getDivisor(expr) : 1;
    unsigned shift = std::min<unsigned>(llvm::countr_zero(divisor),
                                        std::min(width - 1, 62u));
    SymbolicRange range = {llvm::minIntN(width) >> shift,
                           llvm::maxIntN(width) >> shift};
    return SymbolicExpr::getSymbol(addSymbol(range)) * (int64_t(1) << shift);
  };
  if (!expr.isKnown())
    return make();
  auto [it, isNew] =
      results.try_emplace(Key{FirstWidth + width, expr.getTerms(), {}});
  if (isNew)
    it->second = make();
  return it->second;
}

SymbolicExpr SymbolicFacts::getQuotient(const SymbolicExpr &expr,
                                        const SymbolicExpr &divisor) {
  if (!expr.isKnown() || !isPositive(divisor))
    return SymbolicExpr::getUnknown();
  // Whole multiples of a constant leave the division.
  SymbolicExpr whole, rest = expr;
  if (std::optional<int64_t> constant = divisor.getConstant()) {
    rest = SymbolicExpr();
    for (auto &[product, factor] : expr.getTerms()) {
      SymbolicExpr term = makeTerm(product, 1);
      int64_t quotient = llvm::divideFloorSigned(factor, *constant);
      // A symbol keeps its sign: its remainders are not those of the factor.
      if (!product.empty() && factor % *constant != 0)
        quotient = 0;
      whole = whole + term * quotient;
      rest = rest + term * (factor - quotient * *constant);
    }
  }
  if (isNonNegative(rest) && isPositive(divisor - rest))
    return whole;
  // The quotient of a multiple of a unit of the divisor is that of all numbers
  // up to the next multiple.
  auto [high, low, unit] = split(rest, getDivisor(divisor));
  rest = high;
  auto [it, isNew] =
      results.try_emplace(Key{Quotient, rest.getTerms(), divisor.getTerms()});
  if (isNew) {
    SymbolInfo info;
    info.divisor = 1;
    SymbolicExpr quotient = SymbolicExpr::getSymbol(symbols.size());
    SymbolicExpr remainder = rest - divisor * quotient;
    info.definition = {remainder, divisor - unit - remainder};
    info.division = Division{rest, divisor};
    // It is no further from zero than the dividend, and has its sign.
    SymbolicRange range = getRange(rest);
    if (range.min)
      info.range.min = std::min<int64_t>(*range.min, 0);
    if (range.max)
      info.range.max = *range.max < 0 ? -1 : *range.max;
    if (std::optional<int64_t> constant = divisor.getConstant()) {
      if (range.min)
        info.range.min = llvm::divideFloorSigned(*range.min, *constant);
      if (range.max)
        info.range.max = llvm::divideFloorSigned(*range.max, *constant);
    }
    it->second = addResult(std::move(info));
  }
  return whole + it->second;
}

SymbolicExpr SymbolicFacts::getRemainder(const SymbolicExpr &expr,
                                         const SymbolicExpr &divisor) {
  return expr - divisor * getQuotient(expr, divisor);
}

SymbolicExpr SymbolicFacts::getExtremum(const SymbolicExpr &lhs,
                                        const SymbolicExpr &rhs,
                                        bool isMinimum) {
  if (!lhs.isKnown() || !rhs.isKnown())
    return SymbolicExpr::getUnknown();
  SymbolicExpr difference = isMinimum ? rhs - lhs : lhs - rhs;
  if (isNonNegative(difference))
    return lhs;
  if (isNonNegative(-difference))
    return rhs;
  // The order of the operands does not matter.
  bool isSwapped = rhs.getTerms() < lhs.getTerms();
  const SymbolicExpr &first = isSwapped ? rhs : lhs;
  const SymbolicExpr &second = isSwapped ? lhs : rhs;
  auto [it, isNew] = results.try_emplace(
      Key{isMinimum ? Minimum : Maximum, first.getTerms(), second.getTerms()});
  if (!isNew)
    return it->second;
  SymbolInfo info;
  info.divisor = std::gcd(getDivisor(lhs), getDivisor(rhs));
  SymbolicExpr result = SymbolicExpr::getSymbol(symbols.size());
  SymbolicRange one = getRange(lhs), other = getRange(rhs);
  auto combine = [](std::optional<int64_t> a, std::optional<int64_t> b,
                    bool isLeast, bool isEither) -> std::optional<int64_t> {
    if (a && b)
      return isLeast ? std::min(*a, *b) : std::max(*a, *b);
    return isEither ? (a ? a : b) : std::nullopt;
  };
  info.range.min = combine(one.min, other.min, isMinimum, !isMinimum);
  info.range.max = combine(one.max, other.max, isMinimum, isMinimum);
  if (isMinimum)
    info.definition = {lhs - result, rhs - result};
  else
    info.definition = {result - lhs, result - rhs};
  info.choice = Choice{
      isMinimum ? Choice::Kind::Minimum : Choice::Kind::Maximum, lhs, rhs};
  it->second = addResult(std::move(info));
  return it->second;
}

SymbolicExpr SymbolicFacts::getMinimum(const SymbolicExpr &lhs,
                                       const SymbolicExpr &rhs) {
  return getExtremum(lhs, rhs, /*isMinimum=*/true);
}

SymbolicExpr SymbolicFacts::getMaximum(const SymbolicExpr &lhs,
                                       const SymbolicExpr &rhs) {
  return getExtremum(lhs, rhs, /*isMinimum=*/false);
}

SymbolicExpr SymbolicFacts::getEither(const SymbolicExpr &lhs,
                                      const SymbolicExpr &rhs) {
  if (!lhs.isKnown() || !rhs.isKnown())
    return SymbolicExpr::getUnknown();
  if (lhs == rhs)
    return lhs;
  SymbolInfo info;
  info.divisor =
      std::max<int64_t>(std::gcd(getDivisor(lhs), getDivisor(rhs)), 1);
  info.range = getRange(lhs).unite(getRange(rhs));
  info.choice = Choice{Choice::Kind::Either, lhs, rhs};
  return addResult(std::move(info));
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

/// Returns `constraints`, the facts about all symbols that they and `exprs`
/// lead to, and products of facts that bound products of symbols.
std::vector<SymbolicExpr>
SymbolicFacts::collectFacts(llvm::ArrayRef<SymbolicExpr> exprs,
                            llvm::ArrayRef<SymbolicExpr> constraints) const {
  std::vector<SymbolicExpr> facts(constraints.begin(), constraints.end());
  llvm::SetVector<Symbol> reached;
  std::vector<bool> isUsed(assumptions.size());
  auto reach = [&](const SymbolicExpr &expr) {
    for (Symbol symbol : getSymbols(expr))
      reached.insert(symbol);
  };
  llvm::for_each(exprs, reach);
  llvm::for_each(constraints, reach);
  for (size_t i = 0; i < reached.size() && facts.size() < kMaxFacts; ++i) {
    Symbol symbol = reached[i];
    const SymbolInfo &info = symbols[symbol];
    SymbolicExpr value = SymbolicExpr::getSymbol(symbol);
    if (info.range.min)
      facts.push_back(value - *info.range.min);
    if (info.range.max)
      facts.push_back(SymbolicExpr(*info.range.max) - value);
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
  // Products of symbols.
  std::set<SymbolicExpr::Product> products;
  std::set<Symbol> factors;
  auto addProducts = [&](const SymbolicExpr &expr) {
    for (auto &term : expr.getTerms())
      if (term.first.size() > 1) {
        products.insert(term.first);
        factors.insert(term.first.begin(), term.first.end());
      }
  };
  llvm::for_each(exprs, addProducts);
  llvm::for_each(facts, addProducts);
  size_t limit = facts.size() + kMaxProducts;
  auto add = [&](const SymbolicExpr &lhs, const SymbolicExpr &rhs) {
    SymbolicExpr product = lhs * rhs;
    if (product.isKnown() && facts.size() < limit)
      facts.push_back(product);
  };
  // Facts about one symbol.
  std::map<Symbol, SmallVector<SymbolicExpr, 2>> bounds;
  std::set<Symbol> notNegative;
  for (const SymbolicExpr &fact : facts) {
    const auto &terms = fact.getTerms();
    if (terms.empty() || terms.size() > 2 ||
        terms.rbegin()->first.size() != 1 ||
        (terms.size() == 2 && !terms.begin()->first.empty()))
      continue;
    auto [product, factor] = *terms.rbegin();
    int64_t constant = terms.size() == 2 ? terms.begin()->second : 0;
    if (constant < kMaxBound && constant > -kMaxBound)
      bounds[product.front()].push_back(fact);
    if (factor == 1 && constant <= 0)
      notNegative.insert(product.front());
  }
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
        })) {
      SymbolicExpr value(1);
      for (Symbol symbol : product)
        value = value * SymbolicExpr::getSymbol(symbol);
      facts.push_back(value);
    }
  for (SymbolicExpr &fact : facts)
    fact = tighten(fact);
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
  for (Symbol symbol : getSymbols(facts)) {
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
  return isContradiction(constraints.vec(), kMaxSplits, kMaxBranches);
}

bool SymbolicFacts::isNonNegative(const SymbolicExpr &expr) const {
  SymbolicRange range = estimateRange(expr);
  if (range.min && *range.min >= 0)
    return true;
  // Nothing contradicts that the constant is itself.
  if (!expr.isKnown() || expr.getConstant())
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
  // A constant that the rest has no part of.
  auto constant = difference.getTerms().find({});
  if (constant != difference.getTerms().end()) {
    int64_t divisor = getDivisor(difference - constant->second);
    if (divisor == 0 || constant->second % divisor != 0)
      return true;
  }
  return isContradiction({difference, -difference});
}

std::vector<Symbol> SymbolicFacts::getOrigins(const SymbolicExpr &expr) const {
  llvm::SetVector<Symbol> reached;
  auto reach = [&](const SymbolicExpr &part) {
    for (Symbol symbol : getSymbols(part))
      reached.insert(symbol);
  };
  reach(expr);
  for (size_t i = 0; i < reached.size(); ++i) {
    const SymbolInfo &info = symbols[reached[i]];
    if (info.choice) {
      reach(info.choice->lhs);
      reach(info.choice->rhs);
    }
    if (info.division) {
      reach(info.division->dividend);
      reach(info.division->divisor);
    }
  }
  return {reached.begin(), reached.end()};
}

SymbolicRange SymbolicFacts::estimateRange(const SymbolicExpr &expr) const {
  // An end of an interval is infinite if it is none, or does not fit 64 bits.
  auto combine = [](std::optional<int64_t> lhs, std::optional<int64_t> rhs,
                    auto overflows) -> std::optional<int64_t> {
    int64_t result;
    if (!lhs || !rhs || overflows(*lhs, *rhs, result))
      return std::nullopt;
    return result;
  };
  auto add = [](int64_t lhs, int64_t rhs, int64_t &sum) {
    return llvm::AddOverflow(lhs, rhs, sum);
  };
  auto multiply = [&](const SymbolicRange &lhs,
                      const SymbolicRange &rhs) -> SymbolicRange {
    auto times = [&](std::optional<int64_t> a, std::optional<int64_t> b) {
      return combine(a, b, [](int64_t x, int64_t y, int64_t &product) {
        return llvm::MulOverflow(x, y, product);
      });
    };
    // Products of numbers that are not negative grow with each factor, so that
    // only the upper ends may be infinite.
    if (lhs.min && rhs.min && *lhs.min >= 0 && *rhs.min >= 0)
      return {times(lhs.min, rhs.min), times(lhs.max, rhs.max)};
    SymbolicRange product;
    for (auto a : {lhs.min, lhs.max})
      for (auto b : {rhs.min, rhs.max}) {
        std::optional<int64_t> corner = times(a, b);
        if (!corner)
          return {};
        product.min = std::min(product.min.value_or(*corner), *corner);
        product.max = std::max(product.max.value_or(*corner), *corner);
      }
    return product;
  };
  SymbolicRange sum{0, 0};
  if (!expr.isKnown())
    return {};
  for (const auto &entry : expr.getTerms()) {
    const SymbolicExpr::Product &product = entry.first;
    int64_t factor = entry.second;
    SymbolicRange term{1, 1};
    for (auto [number, symbol] : llvm::enumerate(product))
      term = number == 0 ? symbols[symbol].range
                         : multiply(term, symbols[symbol].range);
    // A negative factor swaps the ends.
    SymbolicRange scaled;
    auto scale = [&](std::optional<int64_t> end) {
      return combine(end, factor, [](int64_t x, int64_t y, int64_t &result) {
        return llvm::MulOverflow(x, y, result);
      });
    };
    scaled.min = scale(factor < 0 ? term.max : term.min);
    scaled.max = scale(factor < 0 ? term.min : term.max);
    sum.min = combine(sum.min, scaled.min, add);
    sum.max = combine(sum.max, scaled.max, add);
  }
  return sum;
}

SymbolicRange SymbolicFacts::getRange(const SymbolicExpr &expr) const {
  SymbolicRange range;
  if (!expr.isKnown())
    return range;
  if (std::optional<int64_t> constant = expr.getConstant())
    return {*constant, *constant};
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
  auto constant = expr.getTerms().find({});
  int64_t offset = constant == expr.getTerms().end() ? 0 : constant->second;
  int64_t divisor = getDivisor(expr - offset), rest;
  if (divisor > 1 && range.max && !llvm::SubOverflow(*range.max, offset, rest))
    range.max = llvm::divideFloorSigned(rest, divisor) * divisor + offset;
  if (divisor > 1 && range.min &&
      !llvm::SubOverflow(*range.min, offset, rest) &&
      rest <= std::numeric_limits<int64_t>::max() - divisor)
    range.min = llvm::divideCeilSigned(rest, divisor) * divisor + offset;
  return range;
}

int64_t SymbolicFacts::getDivisor(const SymbolicExpr &expr) const {
  if (!expr.isKnown())
    return 1;
  uint64_t common = 0;
  for (auto &[product, factor] : expr.getTerms()) {
    uint64_t divisor = llvm::AbsoluteValue(factor);
    for (Symbol symbol : product) {
      bool hasOverflowed;
      uint64_t longer = llvm::SaturatingMultiply<uint64_t>(
          divisor, symbols[symbol].divisor, &hasOverflowed);
      if (!hasOverflowed)
        divisor = longer;
    }
    common = std::gcd(common, divisor);
  }
  // The result is a positive number of 64 bits.
  if (common > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    common = uint64_t(1) << std::min(62, llvm::countr_zero(common));
  return common;
}
