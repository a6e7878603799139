//===- SymbolicFacts.cpp - Facts about symbols ----------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/SymbolicExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>
#include <set>

using namespace mlir;
using namespace mlir::triton::gpu::intel;

namespace {

/// Kinds of results, as parts of keys.
enum ResultKind : unsigned {
  Quotient,
  Indicator,
  Minimum,
  Maximum,
  FirstWidth
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
  SymbolInfo info;
  info.range = range;
  info.divisor = divisor;
  addResult(std::move(info));
  return symbols.size() - 1;
}

SymbolicExpr SymbolicFacts::addResult(SymbolInfo info) {
  SymbolicExpr symbol = SymbolicExpr::getSymbol(symbols.size());
  if (info.range.min)
    info.bounds.push_back(symbol - *info.range.min);
  if (info.range.max)
    info.bounds.push_back(SymbolicExpr(*info.range.max) - symbol);
  for (SymbolicExpr &fact : info.definition)
    fact = fact.tighten();
  symbols.push_back(std::move(info));
  return symbol;
}

void SymbolicFacts::assumeNonNegative(const SymbolicExpr &expr) {
  if (!expr.isKnown())
    return;
  for (Symbol symbol : expr.getSymbols())
    symbols[symbol].assumptions.push_back(assumptions.size());
  assumptions.push_back(expr.tighten());
  // Comparisons that state the same are true.
  results[Key{Indicator, split(expr, 0).high.getTerms(), {}}] = 1;
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
    int64_t divisor = std::gcd(
        getDivisor(SymbolicExpr::getSum({{product, factor}})), modulus);
    divisors[product] = divisor;
    units.insert(divisor);
  }
  for (int64_t unit : units) {
    if (unit <= 1)
      break;
    SymbolicExpr::Terms lowTerms;
    for (auto &[product, factor] : expr.getTerms())
      if (product.empty() || divisors[product] % unit != 0)
        lowTerms.push_back({product, factor});
    SymbolicExpr low = SymbolicExpr::getSum(std::move(lowTerms));
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
    // A multiple of a power of two wraps around to a multiple, above which
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
    SymbolicExpr::Terms quotients, remainders;
    for (auto &[product, factor] : expr.getTerms()) {
      int64_t quotient = llvm::divideFloorSigned(factor, *constant);
      // A symbol keeps its sign: its remainders are not those of the factor.
      if (!product.empty() && factor % *constant != 0)
        quotient = 0;
      quotients.push_back({product, quotient});
      remainders.push_back({product, factor - quotient * *constant});
    }
    whole = SymbolicExpr::getSum(std::move(quotients));
    rest = SymbolicExpr::getSum(std::move(remainders));
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

std::vector<Symbol> SymbolicFacts::getOrigins(const SymbolicExpr &expr) const {
  llvm::SetVector<Symbol> reached;
  auto reach = [&](const SymbolicExpr &part) {
    for (Symbol symbol : part.getSymbols())
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

bool SymbolicFacts::isOfFreeSymbols(const SymbolicExpr &expr) const {
  return llvm::all_of(expr.getTerms(), [&](auto &term) {
    const SymbolicExpr::Product &product = term.first;
    if (product.empty())
      return true;
    const SymbolInfo &info = symbols[product.front()];
    return product.size() == 1 && info.definition.empty() &&
           info.assumptions.empty() && !info.choice && info.divisor == 1;
  });
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
