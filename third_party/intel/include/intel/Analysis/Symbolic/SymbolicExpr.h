//===- SymbolicExpr.h - Integers with unknown parts -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A symbolic expression is a polynomial with integer coefficients over symbols:
// integers of which nothing is known but facts. Numbers are exact, they do not
// wrap around: code that builds an expression from an operation on w bits has
// to state that it wraps (SymbolicFacts::wrap).
//
// Facts are polynomials that are not negative. A statement is proved if the
// facts and its negation have no solution in rational numbers, which MLIR's
// simplex decides (mlir/Analysis/Presburger); each product of symbols is a
// separate variable there. Products of two facts are facts, and some of them
// are added, so that a product is bounded where its factors are (McCormick,
// "Computability of Global Solutions to Factorable Nonconvex Programs", 1976).
// So all answers are sound, and "not proved" does not mean "false".
//
// Nothing here knows MLIR's values, and no query creates an operation.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_SYMBOLICEXPR_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_SYMBOLICEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace mlir::triton::gpu::intel {

/// The number of a symbol of a SymbolicFacts.
using Symbol = unsigned;

/// A polynomial over symbols. If a coefficient does not fit 64 bits, the
/// expression is unknown, and so is every expression that contains it.
class SymbolicExpr {
public:
  /// Holds factors in ascending order; the empty product is 1.
  using Product = llvm::SmallVector<Symbol, 2>;
  /// Holds products in ascending order, each with a factor that is not 0.
  using Terms = std::vector<std::pair<Product, int64_t>>;
  /// Products with more factors, and sums with more terms, are unknown.
  static constexpr size_t kMaxDegree = 6, kMaxTerms = 32;

  SymbolicExpr() = default;
  SymbolicExpr(int64_t constant);
  static SymbolicExpr getSymbol(Symbol symbol);
  /// Returns the sum of terms in any order, of which several may have the same
  /// factors.
  static SymbolicExpr getSum(Terms summands);
  static SymbolicExpr getUnknown();

  bool isKnown() const { return known; }
  bool isZero() const { return known && terms.empty(); }
  /// Returns the value, if there are no symbols.
  std::optional<int64_t> getConstant() const;
  /// Returns the term without symbols: 0 if there is none.
  int64_t getConstantTerm() const;
  const Terms &getTerms() const { return terms; }

  SymbolicExpr operator+(const SymbolicExpr &other) const;
  SymbolicExpr operator-(const SymbolicExpr &other) const;
  SymbolicExpr operator*(const SymbolicExpr &other) const;
  SymbolicExpr operator-() const;
  /// Returns the terms, each as a separate expression.
  std::vector<SymbolicExpr> getSummands() const;
  /// Returns the largest part that is a multiple of `divisor`, an expression of
  /// one term, divided by it; `rest` is what is left.
  SymbolicExpr divide(const SymbolicExpr &divisor, SymbolicExpr &rest) const;
  /// Returns the polynomial with other expressions in the places of symbols.
  SymbolicExpr
  substitute(llvm::function_ref<SymbolicExpr(Symbol)> getReplacement) const;
  SymbolicExpr substitute(Symbol symbol, const SymbolicExpr &by) const;
  std::set<Symbol> getSymbols() const;
  /// Returns an expression that is negative if and only if this one is: it is
  /// divided by what all factors of products have in common. Integers lose
  /// nothing if the constant is rounded down.
  SymbolicExpr tighten() const;
  /// Returns whether both are the same polynomial. Two polynomials that differ
  /// may be equal numbers because of facts.
  bool operator==(const SymbolicExpr &other) const {
    return known && other.known && terms == other.terms;
  }

private:
  static SymbolicExpr combine(const SymbolicExpr &lhs, const SymbolicExpr &rhs,
                              bool isDifference);

  Terms terms;
  bool known = true;
};

/// Inclusive bounds; none where there is no bound, or none is known.
struct SymbolicRange {
  std::optional<int64_t> min, max;

  /// Returns the bounds of what is in either of two ranges.
  SymbolicRange unite(const SymbolicRange &other) const;
};

/// Holds facts about symbols, and proves statements from them. Answers hold for
/// all integers that satisfy the facts.
class SymbolicFacts {
public:
  /// Returns a new symbol between these bounds, a multiple of `divisor`.
  Symbol addSymbol(SymbolicRange range = {}, int64_t divisor = 1);
  unsigned getNumSymbols() const { return symbols.size(); }

  /// States that an expression is not negative.
  void assumeNonNegative(const SymbolicExpr &expr);

  /// Returns the expression modulo 2^width as a signed integer of `width` bits:
  /// itself, if it is proved to be in range, or a symbol.
  SymbolicExpr wrap(const SymbolicExpr &expr, unsigned width);
  /// Rounds down, with a positive divisor. Unknown unless `divisor` is proved
  /// to be positive.
  SymbolicExpr getQuotient(const SymbolicExpr &expr,
                           const SymbolicExpr &divisor);
  /// Returns a number between 0 and `divisor` - 1, under the same condition.
  SymbolicExpr getRemainder(const SymbolicExpr &expr,
                            const SymbolicExpr &divisor);
  /// Returns 1 if the expression is not negative, and 0 if it is.
  SymbolicExpr getIndicator(const SymbolicExpr &expr);
  SymbolicExpr getMinimum(const SymbolicExpr &lhs, const SymbolicExpr &rhs);
  SymbolicExpr getMaximum(const SymbolicExpr &lhs, const SymbolicExpr &rhs);
  /// Returns a new symbol each time, which is one of the two numbers.
  SymbolicExpr getEither(const SymbolicExpr &lhs, const SymbolicExpr &rhs);

  /// Returns whether the expression is proved not to be negative.
  bool isNonNegative(const SymbolicExpr &expr) const;
  bool isPositive(const SymbolicExpr &expr) const {
    return isNonNegative(expr - 1);
  }
  /// Returns whether two integers are known to have no binary digit in common
  /// that is 1.
  bool haveDisjointBits(const SymbolicExpr &lhs, const SymbolicExpr &rhs) const;
  bool areEqual(const SymbolicExpr &lhs, const SymbolicExpr &rhs) const;
  /// Returns whether the two are proved never to be the same number.
  bool areDistinct(const SymbolicExpr &lhs, const SymbolicExpr &rhs) const;
  /// Returns whether no integers satisfy the facts and `constraints`, each of
  /// which states that an expression is not negative.
  bool isContradiction(llvm::ArrayRef<SymbolicExpr> constraints) const;

  SymbolicRange getRange(const SymbolicExpr &expr) const;
  /// Returns whether the expression is proved to be a signed integer of `width`
  /// bits.
  bool fits(const SymbolicExpr &expr, unsigned width) const;
  /// Describes a symbol that is one of two expressions.
  struct Choice {
    enum class Kind { Minimum, Maximum, Either } kind;
    SymbolicExpr lhs, rhs;
  };
  const std::optional<Choice> &getChoice(Symbol symbol) const {
    return symbols[symbol].choice;
  }
  /// Describes a symbol that is a quotient, rounded down.
  struct Division {
    SymbolicExpr dividend, divisor;
  };
  const std::optional<Division> &getDivision(Symbol symbol) const {
    return symbols[symbol].division;
  }
  /// Returns the symbols of an expression, and those that these consist of.
  std::vector<Symbol> getOrigins(const SymbolicExpr &expr) const;
  /// Returns a number that divides the expression: 0 if it is zero, at least 1
  /// otherwise.
  int64_t getDivisor(const SymbolicExpr &expr) const;

private:
  struct SymbolInfo {
    SymbolicRange range;
    int64_t divisor;
    /// Hold the facts that define the symbol, and those that its range gives.
    std::vector<SymbolicExpr> definition, bounds;
    /// Holds the indices of the assumptions that the symbol is part of.
    std::vector<size_t> assumptions;
    std::optional<Choice> choice;
    std::optional<Division> division;
  };

  SymbolicExpr addResult(SymbolInfo info);
  /// Describes an expression as the sum of a multiple of `unit`, and of a part
  /// that is at least 0 and less than `unit`.
  struct Parts {
    SymbolicExpr high, low;
    int64_t unit = 1;
  };
  /// Returns the parts with the largest unit that is found. It divides
  /// `modulus`, unless that is 0.
  Parts split(const SymbolicExpr &expr, int64_t modulus) const;
  /// Computes bounds from the ranges of symbols alone, without a proof.
  SymbolicRange estimateRange(const SymbolicExpr &expr) const;
  /// Returns whether an expression is a sum of multiples of symbols of which
  /// nothing but ranges is known: then its estimated range is the best one.
  bool isOfFreeSymbols(const SymbolicExpr &expr) const;
  SymbolicExpr getExtremum(const SymbolicExpr &lhs, const SymbolicExpr &rhs,
                           bool isMinimum);
  std::vector<const SymbolicExpr *>
  collectFacts(llvm::ArrayRef<SymbolicExpr> exprs) const;
  bool isContradiction(std::vector<SymbolicExpr> constraints,
                       unsigned numSplits, unsigned numBranches) const;

  std::vector<SymbolInfo> symbols;
  std::vector<SymbolicExpr> assumptions;
  /// Results that were requested before are the same symbols.
  using Key = std::tuple<unsigned, SymbolicExpr::Terms, SymbolicExpr::Terms>;
  std::map<Key, SymbolicExpr> results;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_SYMBOLICEXPR_H
