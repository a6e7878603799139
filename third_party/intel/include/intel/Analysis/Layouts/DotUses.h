//===- DotUses.h - Which dots use a tensor as an operand? -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Loads for a dot are treated in another way than the rest: they are
// prefetched, and may be transposed; those for the left operand only if two of
// its elements fill 32 bits.
// This analysis decides which loads are for a dot.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_DOTUSES_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_DOTUSES_H

#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// Returns whether there is a dot in `scope`. Without dots, blocks are of no
/// use.
bool hasDot(Operation *scope);

/// The uses that a tensor finally has.
struct DotUses {
  /// The tensor is the left (right) operand of a dot.
  bool isLeft = false, isRight = false;
  /// It has other uses.
  bool isOther = false;
  /// These dots.
  llvm::SmallSetVector<DotOpInterface, 2> dots;

  /// Returns whether the tensor is only used as a left or right operand of
  /// dots.
  bool isDotOperandOnly() const { return (isLeft || isRight) && !isOther; }
};

/// Follows `value` forwards through loops, branches and calls, and through the
/// operations that `passes` selects.
DotUses findDotUses(Value value, ValueSources &sources,
                    llvm::function_ref<bool(Operation *)> passes);

/// Returns `operand` and the values that it is computed from elementwise, back
/// to their origin. Follows conversions, and the first operands of arithmetic:
/// the others are usually masks and scales.
SmallVector<Value> getOperandOrigins(Value operand);

/// Returns whether K is long enough for a left operand of this type that each
/// lane of DPAS has two neighbours along K, if they have 8 bits in memory.
bool hasPairsOfBytes(RankedTensorType left);

/// Returns whether `access`, a load or store of plain pointers, moves whole
/// rows for a dot: rows of a left operand, or elements that are combined
/// elementwise with the result of a dot. A right operand does not qualify,
/// because two or four of its rows share registers; of 8 bits, a message has 32
/// elements of a row.
bool movesRowsOfDot(Operation *access, ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_DOTUSES_H
