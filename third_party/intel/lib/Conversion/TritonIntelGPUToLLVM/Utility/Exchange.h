//===- Exchange.h - Registers that move between work-items ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The two ways by which a work-item gets at another one's registers: shuffles
// within the sub-group, and shared local memory (SLM) within the work-group.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_EXCHANGE_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_EXCHANGE_H

#include "mlir/IR/PatternMatch.h"
#include "triton/Analysis/LayoutConversion.h"

namespace mlir::triton::gpu::intel {

/// Returns the value of `function` in this work-item, as an i32.
Value evaluateThreadFunction(RewriterBase &rewriter, Location loc,
                             const ThreadFunction &function);
/// Creates the test whether this work-item has all bits of the two masks clear.
/// Returns null if both masks are 0, so that every work-item qualifies.
Value areThreadBitsClear(RewriterBase &rewriter, Location loc, int32_t laneMask,
                         int32_t warpMask);

/// Returns the `value` (a scalar or a vector) of lane `lane` (i32, any lane of
/// the sub-group).
Value shuffleFromLane(RewriterBase &rewriter, Location loc, Value value,
                      Value lane);
/// Returns the `value` of the lane whose number differs in the bits of `mask`.
Value shuffleXor(RewriterBase &rewriter, Location loc, Value value,
                 unsigned mask);
/// Returns the `value` of lane `lane`, for all lanes of the sub-group. The
/// device compiler knows that the result is uniform.
Value broadcastFromLane(RewriterBase &rewriter, Location loc, Value value,
                        unsigned lane);

/// Returns the number of bytes that one element takes in SLM.
unsigned getSharedBytes(Type element);

/// Returns a pointer to element `index` (i32) after `base`.
Value getSharedElementPointer(RewriterBase &rewriter, Location loc, Value base,
                              Type element, Value index);

/// Stores `registers` (scalars of one type, a power of two of them)
/// consecutively at a pointer into SLM that is aligned to `alignment` bytes.
void storeShared(RewriterBase &rewriter, Location loc, Value pointer,
                 ArrayRef<Value> registers, unsigned alignment);
/// The counterpart of `storeShared`: `count` scalars of type `element`.
SmallVector<Value> loadShared(RewriterBase &rewriter, Location loc,
                              Value pointer, Type element, unsigned count,
                              unsigned alignment);

/// Stores `registers` (scalars of one type) of all lanes from a pointer into
/// SLM on, which is the same for all lanes: the first word of all lanes, one
/// lane after the other, then the next. A word has `wordElements` registers and
/// 2, 4 or 8 bytes; there are 1, 2, 4 or 8 of them.
void storeSharedBlock(RewriterBase &rewriter, Location loc, Value pointer,
                      ArrayRef<Value> registers, unsigned wordElements);
/// The counterpart of `storeSharedBlock`: `count` scalars of type `element`.
SmallVector<Value> loadSharedBlock(RewriterBase &rewriter, Location loc,
                                   Value pointer, Type element, unsigned count,
                                   unsigned wordElements);

/// A tensor that lies in SLM as a whole, in row-major order. Made where all
/// uses of its pointers are dominated.
class SharedTensor {
public:
  /// `layout` is that of the registers whose places are computed, `element` is
  /// the type of one of them.
  SharedTensor(RewriterBase &rewriter, Location loc, Value base, Type element,
               const LinearLayout &layout);

  /// Returns a pointer to the element that this work-item holds in register
  /// `index`.
  Value getPointer(unsigned index);

private:
  RewriterBase &rewriter;
  Location loc;
  Value base;
  Type element;
  /// The map from register, lane and warp to the position in memory.
  LinearLayout positions;
  /// The part of the position that depends on the work-item.
  Value threadPosition;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_EXCHANGE_H
