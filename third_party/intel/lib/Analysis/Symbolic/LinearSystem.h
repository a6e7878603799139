//===- LinearSystem.h - Inequalities of polynomials -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A system states that none of its expressions is negative. Each product of
// symbols is a separate variable, for which MLIR's simplex finds a rational
// number (mlir/Analysis/Presburger).
//
// Most queries of a compilation lead to systems that were solved before: every
// query reads the code around it again, and a pass issues queries for many
// accesses in one loop. So an answer is kept for systems that differ in nothing
// but the numbers of their symbols. It depends on the system alone, not on the
// caller.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_LINEARSYSTEM_H
#define TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_LINEARSYSTEM_H

#include "intel/Analysis/Symbolic/SymbolicExpr.h"

namespace mlir::triton::gpu::intel {

/// A system of known expressions that are not negative: facts about symbols,
/// and constraints. It refers to both, and to goals, whose values are of
/// interest.
class LinearSystem {
public:
  LinearSystem(llvm::ArrayRef<SymbolicExpr> constraints,
               std::vector<const SymbolicExpr *> facts,
               llvm::ArrayRef<SymbolicExpr> goals = {});

  /// Describes the value of a symbol in a solution that no integers have: the
  /// integer that it is, or the next one below.
  struct Flaw {
    Symbol symbol;
    int64_t below;
    bool isInteger;
  };
  /// States whether there are no rational solutions and, if there are some,
  /// what is wrong with the one that was found: a factor of a product that has
  /// another value than the product of its factors or, if there is none, a
  /// symbol between two integers.
  struct Solution {
    bool isEmpty = false;
    std::optional<Flaw> flaw;
  };
  Solution solve() const;

  /// Returns the least and the greatest integer that the only goal can be in a
  /// rational solution. There are no bounds if there is no solution.
  SymbolicRange getRange() const;

  /// Returns the symbols of the system in ascending order.
  llvm::ArrayRef<Symbol> getSymbols() const { return symbols; }

private:
  /// Returns all constraints and facts that do not follow from another one, and
  /// products of them that bound products of symbols.
  std::vector<SymbolicExpr> expand() const;
  /// Spells the system and its goals, with the place of each symbol among those
  /// of the system instead of its number.
  std::vector<int64_t> spell() const;
  size_t getPlace(Symbol symbol) const;

  llvm::ArrayRef<SymbolicExpr> constraints;
  std::vector<const SymbolicExpr *> facts;
  llvm::ArrayRef<SymbolicExpr> goals;
  std::vector<Symbol> symbols;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_ANALYSIS_SYMBOLIC_LINEARSYSTEM_H
