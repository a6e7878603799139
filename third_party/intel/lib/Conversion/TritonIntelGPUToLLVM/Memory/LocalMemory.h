//===- LocalMemory.h - Places in shared memory that has a name --*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A memdesc is the address of its buffer in shared memory, and the coordinates
// at which the view starts. Coordinates determine the offset of an element by
// the inverse of the shared encoding, a linear layout.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_LOCALMEMORY_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_LOCALMEMORY_H

#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// View of the values of RegisterTypeConverter for a memdesc.
struct LoweredMemDesc {
  explicit LoweredMemDesc(ValueRange values)
      : base(values.front()), offsets(values.drop_front()) {}

  /// Pointer to the buffer in shared memory.
  Value base;
  /// Coordinates of the view's first element within its buffer, i32.
  ValueRange offsets;
};

/// Returns (dim0, ...) -> offset, of the allocation that a view is in.
LinearLayout getPlaces(MemDescType memdesc);

/// Returns the offset at which a view starts.
Value getStart(ConversionPatternRewriter &rewriter, Location loc,
               const LinearLayout &places, LoweredMemDesc memdesc);

/// Returns where the element at an offset lies after the gaps of the padding,
/// which is additive where offsets have no bit in common.
Value pad(ConversionPatternRewriter &rewriter, Location loc,
          SharedEncodingInterface encoding, Value offset);

/// Accesses of elements that an index picks along one dimension of a memdesc,
/// one per register. Coordinates along the other dimensions are those of the
/// register.
class PickedAccess {
public:
  /// Prepares the accesses of a tensor in this layout; emits nothing yet.
  PickedAccess(RankedTensorType tensor, MemDescType memdesc, unsigned axis);

  /// Returns a pointer for every register.
  SmallVector<Value> getPointers(ConversionPatternRewriter &rewriter,
                                 Location loc, LoweredMemDesc memdesc,
                                 ArrayRef<Value> indices) const;
  /// Reads the elements.
  SmallVector<Value> load(ConversionPatternRewriter &rewriter, Location loc,
                          LoweredMemDesc memdesc,
                          ArrayRef<Value> indices) const;
  /// Writes the elements; of copies only the owner's is written.
  void store(ConversionPatternRewriter &rewriter, Location loc,
             LoweredMemDesc memdesc, ArrayRef<Value> indices,
             ArrayRef<Value> registers) const;

private:
  /// (register, lane, warp) -> (dim0, ...), of the tensor.
  LinearLayout layout;
  /// (dim0, ...) -> offset, of the allocation.
  LinearLayout places;
  /// The encoding of the buffer, for its padding.
  SharedEncodingInterface encoding;
  /// Type of an element in a register.
  Type element;
  /// The dimension that indices count along, and its size in the view.
  unsigned axis;
  int64_t size;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_LOCALMEMORY_H
