//===- DotUses.h - In which factors of dots does a tensor end? --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loads for a dot are treated in another way than the rest: they are
// prefetched, and may be transposed; those for the left factor only if two of
// its elements fill 32 bits.
// What counts as "for a dot" is asked here.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_DOTUSES_H
#define INTEL_ANALYSIS_DOTUSES_H

#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// Whether there is a dot in `scope`: elsewhere blocks gain nothing.
bool hasDot(Operation *scope);

/// What happens to a tensor in the end.
struct DotUses {
  /// It is the left (right) factor of a dot.
  bool isLeft = false, isRight = false;
  /// Something else is done with it.
  bool isOther = false;
  /// These dots.
  llvm::SmallSetVector<DotOpInterface, 2> dots;

  /// Nothing but a factor of dots.
  bool isFactorOnly() const { return (isLeft || isRight) && !isOther; }
};

/// Follows `value` forwards through loops, branches and calls, and through the
/// operations that `passes` selects.
DotUses findDotUses(Value value, ValueSources &sources,
                    llvm::function_ref<bool(Operation *)> passes);

/// `factor`, and what it is made from element by element, back to where that
/// comes from: through conversions and arithmetic, by way of first operands.
/// Others are masks and scales, as a rule.
SmallVector<Value> getFactorOrigins(Value factor);

/// Whether `access`, a load or store of plain pointers, moves rows as dots have
/// them: those of a left factor, or elements that go with the result of a dot
/// one by one. Rows of a right factor share registers, in pairs or fours; of 8
/// bits, a message has 32 elements of a row.
bool movesRowsOfDot(Operation *access, ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_DOTUSES_H
