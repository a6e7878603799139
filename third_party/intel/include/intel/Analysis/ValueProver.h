//===- ValueProver.h - What is proved of integers ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Asks the facts of SymbolicExpr.h about MLIR's values: each question reads the
// values as expressions (SymbolicReader.h), together with what is known where
// they are computed, and is proved or not.
//
// A value that comes from several places, through loops, branches that compute
// it, and calls, has the bounds that all of its sources have. A loop hands its
// values to itself, so that bounds from below are proved by induction: if no
// initial value is negative, and no later one provided that those before it are
// not, none is.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_VALUEPROVER_H
#define INTEL_ANALYSIS_VALUEPROVER_H

#include "intel/Analysis/SymbolicReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Analysis/ValueSources.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// Answers hold at all times at which the values exist, in all launches. The
/// code may change between questions.
class ValueProver {
public:
  /// With Overflow::Excluded, questions are to be about parts of addresses.
  ValueProver(ValueSources &sources, Overflow overflow)
      : sources(sources), overflow(overflow) {}

  /// Returns whether a signed integer, or each element of a tensor of them, is
  /// proved not to be negative.
  bool isNonNegative(Value value);
  /// The same for an expression that `makeExpr` makes of scalars where `at`
  /// runs; a null `at` may be anywhere.
  using ReadFn = llvm::function_ref<SymbolicExpr(Value)>;
  bool isNonNegative(Operation *at,
                     llvm::function_ref<SymbolicExpr(ReadFn)> makeExpr);

  /// Returns bounds of an integer, or of all elements of a tensor of them.
  SymbolicRange getRange(Value value);

  /// Returns the result of a comparison, if it is the same for all elements.
  std::optional<bool> decide(arith::CmpIOp compare);

private:
  struct Question;
  SymbolicRange getRangeWhereMade(Value value);
  SymbolicRange getRangeOfSources(Value value);
  SymbolicRange getRangeOfSources(Value value, llvm::ArrayRef<Value> found,
                                  SymbolicRange assumption);

  ValueSources &sources;
  Overflow overflow;
  /// What is assumed of values whose bounds are being looked for.
  llvm::DenseMap<Value, SymbolicRange> assumed;
  /// What has been found, as long as one question is asked.
  llvm::DenseMap<Value, SymbolicRange> known;
  /// Questions within questions, now and since the first one.
  unsigned depth = 0, numQuestions = 0;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_VALUEPROVER_H
