//===- SymbolicExpr.cpp - Polynomials over symbols ------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/SymbolicExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::triton::gpu::intel;

SymbolicExpr::SymbolicExpr(int64_t constant) {
  if (constant != 0)
    terms.push_back({{}, constant});
}

SymbolicExpr SymbolicExpr::getSymbol(Symbol symbol) {
  SymbolicExpr expr;
  expr.terms.push_back({{symbol}, 1});
  return expr;
}

SymbolicExpr SymbolicExpr::getUnknown() {
  SymbolicExpr expr;
  expr.known = false;
  return expr;
}

std::optional<int64_t> SymbolicExpr::getConstant() const {
  if (!known || terms.size() > 1)
    return std::nullopt;
  if (terms.empty())
    return 0;
  auto &[product, factor] = *terms.begin();
  return product.empty() ? std::optional(factor) : std::nullopt;
}

int64_t SymbolicExpr::getConstantTerm() const {
  // The empty product comes first.
  return terms.empty() || !terms.begin()->first.empty() ? 0
                                                        : terms.begin()->second;
}

SymbolicExpr SymbolicExpr::getSum(Terms summands) {
  llvm::sort(summands, llvm::less_first());
  SymbolicExpr sum;
  Terms &terms = sum.terms;
  auto removeZero = [&] {
    if (!terms.empty() && terms.back().second == 0)
      terms.pop_back();
  };
  for (auto &[product, factor] : summands) {
    if (terms.empty() || terms.back().first != product) {
      removeZero();
      terms.push_back({std::move(product), factor});
    } else if (llvm::AddOverflow(terms.back().second, factor,
                                 terms.back().second)) {
      return getUnknown();
    }
  }
  removeZero();
  bool isTooLong = llvm::any_of(
      terms, [](const auto &term) { return term.first.size() > kMaxDegree; });
  return terms.size() > kMaxTerms || isTooLong ? getUnknown() : sum;
}

/// Returns the sum, or the difference, of two expressions.
SymbolicExpr SymbolicExpr::combine(const SymbolicExpr &lhs,
                                   const SymbolicExpr &rhs, bool isDifference) {
  if (!lhs.known || !rhs.known)
    return getUnknown();
  SymbolicExpr result;
  result.terms.reserve(lhs.terms.size() + rhs.terms.size());
  auto left = lhs.terms.begin(), right = rhs.terms.begin();
  auto leftEnd = lhs.terms.end(), rightEnd = rhs.terms.end();
  while (left != leftEnd || right != rightEnd) {
    bool isLeft =
        right == rightEnd || (left != leftEnd && left->first <= right->first);
    bool isRight =
        left == leftEnd || (right != rightEnd && right->first <= left->first);
    int64_t factor = isLeft ? left->second : 0;
    if (isRight &&
        (isDifference ? llvm::SubOverflow(factor, right->second, factor)
                      : llvm::AddOverflow(factor, right->second, factor)))
      return getUnknown();
    if (factor != 0)
      result.terms.push_back({isLeft ? left->first : right->first, factor});
    left += isLeft;
    right += isRight;
  }
  return result.terms.size() > kMaxTerms ? getUnknown() : result;
}

SymbolicExpr SymbolicExpr::operator+(const SymbolicExpr &other) const {
  return combine(*this, other, /*isDifference=*/false);
}

SymbolicExpr SymbolicExpr::operator-(const SymbolicExpr &other) const {
  return combine(*this, other, /*isDifference=*/true);
}

SymbolicExpr SymbolicExpr::operator-() const {
  SymbolicExpr result = *this;
  for (auto &term : result.terms)
    if (llvm::SubOverflow<int64_t>(0, term.second, term.second))
      return getUnknown();
  return result;
}

SymbolicExpr SymbolicExpr::operator*(const SymbolicExpr &other) const {
  if (!known || !other.known)
    return getUnknown();
  Terms products;
  for (auto &[lhs, lhsFactor] : terms)
    for (auto &[rhs, rhsFactor] : other.terms) {
      int64_t factor;
      if (llvm::MulOverflow(lhsFactor, rhsFactor, factor))
        return getUnknown();
      Product product;
      std::merge(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
                 std::back_inserter(product));
      products.push_back({std::move(product), factor});
    }
  return getSum(std::move(products));
}

std::vector<SymbolicExpr> SymbolicExpr::getSummands() const {
  std::vector<SymbolicExpr> summands;
  for (auto &term : terms)
    summands.emplace_back().terms.push_back(term);
  return summands;
}

SymbolicExpr SymbolicExpr::divide(const SymbolicExpr &divisor,
                                  SymbolicExpr &rest) const {
  assert(divisor.terms.size() == 1 && "an expression of one term");
  rest = *this;
  if (!known)
    return getUnknown();
  auto &[part, scale] = *divisor.terms.begin();
  Terms quotients;
  for (auto &[product, factor] : terms) {
    // This quotient is no number of 64 bits.
    if (scale == -1 && factor == std::numeric_limits<int64_t>::min())
      continue;
    if (factor % scale != 0 || !std::includes(product.begin(), product.end(),
                                              part.begin(), part.end()))
      continue;
    Product left;
    std::set_difference(product.begin(), product.end(), part.begin(),
                        part.end(), std::back_inserter(left));
    quotients.push_back({std::move(left), factor / scale});
  }
  SymbolicExpr quotient = getSum(std::move(quotients));
  rest = rest - quotient * divisor;
  return quotient;
}

SymbolicExpr SymbolicExpr::substitute(
    llvm::function_ref<SymbolicExpr(Symbol)> getReplacement) const {
  if (!known)
    return getUnknown();
  SymbolicExpr result;
  for (auto &[product, factor] : terms) {
    SymbolicExpr term(factor);
    for (Symbol symbol : product)
      term = term * getReplacement(symbol);
    result = result + term;
  }
  return result;
}

SymbolicExpr SymbolicExpr::substitute(Symbol symbol,
                                      const SymbolicExpr &by) const {
  return substitute(
      [&](Symbol other) { return other == symbol ? by : getSymbol(other); });
}

std::set<Symbol> SymbolicExpr::getSymbols() const {
  std::set<Symbol> found;
  for (auto &term : terms)
    found.insert(term.first.begin(), term.first.end());
  return found;
}

SymbolicExpr SymbolicExpr::tighten() const {
  int64_t common = 0;
  for (auto &[product, factor] : terms) {
    if (product.empty())
      continue;
    if (factor == std::numeric_limits<int64_t>::min())
      return *this;
    common = std::gcd(common, factor);
  }
  if (common <= 1)
    return *this;
  Terms quotients;
  for (auto &[product, factor] : terms)
    quotients.push_back({product, llvm::divideFloorSigned(factor, common)});
  return getSum(std::move(quotients));
}
