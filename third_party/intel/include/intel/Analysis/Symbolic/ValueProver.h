//===- ValueProver.h - Proofs about integers --------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Proves statements about MLIR's values from the facts of SymbolicExpr.h: each
// query reads the values as expressions (SymbolicReader.h), together with what
// is known where they are computed, and is proved or not.
//
// A value that comes from several places, through loops, branches that compute
// it, and calls, has the bounds that all of its sources have. A loop hands its
// values to itself, so that bounds from below are proved by induction: if no
// initial value is negative, and no later one provided that those before it are
// not, none is.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_VALUEPROVER_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_VALUEPROVER_H

#include "intel/Analysis/Symbolic/SymbolicReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Analysis/ValueSources.h"
#include "llvm/Support/SaveAndRestore.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// Answers hold at all times at which the values exist, in all launches. The
/// code may change between queries.
class ValueProver {
public:
  /// With Overflow::Excluded, queries are to be about parts of addresses.
  /// With `parts`, these do not overflow even if all else may.
  ValueProver(ValueSources &sources, Overflow overflow,
              const AddressParts *parts = nullptr)
      : sources(sources), overflow(overflow), parts(parts) {}
  virtual ~ValueProver() = default;

  /// Returns whether a signed integer, or each element of a tensor of them, is
  /// proved not to be negative.
  bool isNonNegative(Value value);
  /// Returns whether the expression that `makeExpr` builds from scalars is
  /// proved not to be negative where `at` runs.
  using ReadFn = llvm::function_ref<SymbolicExpr(Value)>;
  using MakeExprFn = llvm::function_ref<SymbolicExpr(SymbolicFacts &, ReadFn)>;
  bool isNonNegative(Operation *at, MakeExprFn makeExpr);

  /// Returns bounds of an integer, or of all elements of a tensor of them.
  SymbolicRange getRange(Value value) { return getBoundsOf(value).range; }

  /// Returns a number that divides a scalar, in bytes if it is a pointer; 0 if
  /// the scalar is 0.
  int64_t getDivisor(Value scalar);
  /// Returns the same for the expression that `makeExpr` builds from scalars.
  int64_t getDivisor(MakeExprFn makeExpr);

  /// Returns the result of a comparison, if it is the same for all elements.
  std::optional<bool> decide(arith::CmpIOp compare);

protected:
  /// Holds the facts of one query.
  struct Query {
    /// Adds the facts that hold where `at` runs; none if `at` is null.
    Query(ValueProver &prover, Operation *at);

    /// Reads a scalar, or the element of a tensor at the indices of the
    /// query.
    SymbolicExpr read(Value value);

    SymbolicFacts facts;
    SymbolicReader reader;
    SymbolicReader::Execution execution;
    llvm::SmallVector<SymbolicExpr> indices;
    llvm::SaveAndRestore<unsigned> nested;
  };

  /// Returns an operation that runs when a value is made; null if no operation
  /// does.
  static Operation *getMaker(Value value);

  /// Adds the facts that hold where `at` runs to a query that has none yet;
  /// `at` may be null.
  virtual void start(Query &query, Operation *at);

  ValueSources &sources;

  /// Holds the origins that a value may have, and all values on the paths from
  /// these to it, itself included.
  struct Sources {
    llvm::SmallVector<Value> origins, passed;
  };
  /// Follows a value to the values that it may be.
  Sources collectSources(Value value);
  /// Returns whether a query has led to too many nested ones for further ones.
  bool isExhausted() const;

  /// Bounds divisors of values from several places. Messages require multiples
  /// of up to 64 bytes, and pages for those of their size.
  static constexpr int64_t kMaxDivisor = int64_t(1) << 20;
  /// States whether the query is for divisors or for bounds.
  bool wantsDivisors = false;

private:
  using Bounds = SymbolicReader::Bounds;
  Bounds getBoundsOf(Value value);
  Bounds getBoundsOfSources(Value value);
  Bounds getBoundsOfOrigins(const Sources &all, const Bounds &assumption);
  int64_t getPointerDivisor(Value pointer, Query &query);

  Overflow overflow;
  const AddressParts *parts;
  /// Holds what an induction assumes of values.
  llvm::DenseMap<Value, Bounds> assumed;
  /// Caches what is known of values while one query is answered.
  llvm::DenseMap<Value, Bounds> known;
  /// Count queries that other queries issue: nested ones, and all of them.
  unsigned depth = 0, numQuestions = 0;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_VALUEPROVER_H
