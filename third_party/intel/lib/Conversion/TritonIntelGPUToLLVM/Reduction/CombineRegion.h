//===- CombineRegion.h - Regions of reductions and scans --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// tt.reduce and tt.scan define how two elements combine in a region on scalars.
// Their lowerings need the same on registers, preferably a vector at a time.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_REDUCTION_COMBINEREGION_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_REDUCTION_COMBINEREGION_H

#include "mlir/Transforms/DialectConversion.h"
#include "triton/Analysis/CombineLayout.h"

namespace mlir::triton::gpu::intel {

/// One list of register vectors per operand of the reduction or scan.
using OperandChunks = SmallVector<SmallVector<Value>>;

/// Returns how the operand of a reduction or scan lies along its axis; reports
/// layouts that do not separate it from other dimensions.
FailureOr<CombineLayout>
getCombineLayout(Operation *op, const LinearLayout &layout, unsigned axis);
/// Returns the byte offset of the scratch memory of `op`, which it has if the
/// axis crosses warps; 0 otherwise. Reports an error if allocation has given it
/// none.
FailureOr<int64_t> getCombineScratchOffset(Operation *op,
                                           const CombineLayout &layout);

/// Pointers to the scratch memory of each operand of `op`, which has `elements`
/// of each. If iterations take turns, to the place of this one.
SmallVector<Value> getScratchPointers(RewriterBase &rewriter, Operation *op,
                                      int64_t scratchOffset,
                                      ArrayRef<Type> elementTypes,
                                      int64_t elements);

/// Returns the results of `op`, in the registers of their layout, from `values`
/// of one element per row; `registers` states in which register of the
/// operand's layout each row is.
OperandChunks arrangeRows(RewriterBase &rewriter, ReduceOp op,
                          const OperandChunks &values,
                          ArrayRef<unsigned> registers);

class CombineRegion {
public:
  CombineRegion(Region &region, ConversionPatternRewriter &rewriter,
                Location loc);

  /// Combines element by element. `lhs` and `rhs` have one vector (or scalar)
  /// per operand, all of one width, in register form; so has the result.
  ///
  /// Work-items where `isValid` (i1; null for all) is false take part with
  /// undefined values; assertions of the region are ignored there.
  SmallVector<Value> combine(ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                             Value isValid = {}) const;

  /// Combines lists of vectors that correspond to each other.
  OperandChunks combine(const OperandChunks &lhs,
                        const OperandChunks &rhs) const;

private:
  SmallVector<Value> combineVectors(ArrayRef<Value> arguments) const;
  SmallVector<Value> combineScalars(ArrayRef<Value> arguments,
                                    Value isValid) const;

  Block &block;
  ConversionPatternRewriter &rewriter;
  Location loc;
  /// Every operation of the region also exists on vectors.
  bool isVectorizable;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_REDUCTION_COMBINEREGION_H
