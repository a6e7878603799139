//===- DotUses.h - In which factors of dots does a tensor end? --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loads for a dot are treated in another way than the rest: they are
// prefetched, and may be transposed; those for the left factor only if two of
// its elements fill 32 bits.
// This analysis decides which loads are for a dot.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_DOTUSES_H
#define INTEL_ANALYSIS_DOTUSES_H

#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// Whether there is a dot in `scope`. Without dots, blocks are of no use.
bool hasDot(Operation *scope);

/// The uses that a tensor finally has.
struct DotUses {
  /// It is the left (right) factor of a dot.
  bool isLeft = false, isRight = false;
  /// It has other uses.
  bool isOther = false;
  /// These dots.
  llvm::SmallSetVector<DotOpInterface, 2> dots;

  /// It is only used as a factor of dots.
  bool isFactorOnly() const { return (isLeft || isRight) && !isOther; }
};

/// Follows `value` forwards through loops, branches and calls, and through the
/// operations that `passes` selects.
DotUses findDotUses(Value value, ValueSources &sources,
                    llvm::function_ref<bool(Operation *)> passes);

/// `factor` and the values that it is computed from elementwise, back to their
/// origin. Follows conversions, and the first operands of arithmetic: the
/// others are usually masks and scales.
SmallVector<Value> getFactorOrigins(Value factor);

/// Whether `access`, a load or store of plain pointers, moves whole rows for a
/// dot: rows of a left factor, or elements that are combined elementwise with
/// the result of a dot. A right factor does not qualify, because two or four of
/// its rows share registers; of 8 bits, a message has 32 elements of a row.
bool movesRowsOfDot(Operation *access, ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_DOTUSES_H
