//===- SymbolicExpr.cpp - Polynomials over symbols ------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/SymbolicExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;
using namespace mlir::triton::gpu::intel;

SymbolicExpr::SymbolicExpr(int64_t constant) { add({}, constant); }

SymbolicExpr SymbolicExpr::getSymbol(Symbol symbol) {
  SymbolicExpr expr;
  expr.add({symbol}, 1);
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

void SymbolicExpr::add(const Product &product, int64_t factor) {
  auto [it, isNew] = terms.try_emplace(product, 0);
  if (llvm::AddOverflow(it->second, factor, it->second))
    known = false;
  if (it->second == 0)
    terms.erase(it);
  if (terms.size() > kMaxTerms || product.size() > kMaxDegree)
    known = false;
  if (!known)
    terms.clear();
}

SymbolicExpr SymbolicExpr::operator+(const SymbolicExpr &other) const {
  SymbolicExpr sum = *this;
  sum.known &= other.known;
  for (auto &[product, factor] : other.terms)
    if (sum.known)
      sum.add(product, factor);
  return sum.known ? sum : getUnknown();
}

SymbolicExpr SymbolicExpr::operator-() const { return *this * -1; }

SymbolicExpr SymbolicExpr::operator-(const SymbolicExpr &other) const {
  return *this + -other;
}

SymbolicExpr SymbolicExpr::operator*(const SymbolicExpr &other) const {
  if (!known || !other.known)
    return getUnknown();
  SymbolicExpr result;
  for (auto &[lhs, lhsFactor] : terms)
    for (auto &[rhs, rhsFactor] : other.terms) {
      int64_t factor;
      if (llvm::MulOverflow(lhsFactor, rhsFactor, factor))
        return getUnknown();
      Product product;
      std::merge(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
                 std::back_inserter(product));
      result.add(product, factor);
      if (!result.known)
        return result;
    }
  return result;
}

std::vector<SymbolicExpr> SymbolicExpr::getSummands() const {
  std::vector<SymbolicExpr> summands;
  for (auto &[product, factor] : terms)
    summands.emplace_back().add(product, factor);
  return summands;
}

SymbolicExpr SymbolicExpr::divide(const SymbolicExpr &divisor,
                                  SymbolicExpr &rest) const {
  assert(divisor.terms.size() == 1 && "an expression of one term");
  rest = *this;
  if (!known)
    return getUnknown();
  auto &[part, scale] = *divisor.terms.begin();
  SymbolicExpr quotient;
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
    quotient.add(left, factor / scale);
  }
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
