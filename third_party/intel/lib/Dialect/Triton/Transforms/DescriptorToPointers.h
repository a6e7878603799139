//===- DescriptorToPointers.h - Atomic operations of descriptors *- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Accesses through descriptors that no block pointer can express: atomic
// reductions. They become operations on tensors of pointers, with masks that
// keep them inside of the tensor.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_DESCRIPTORTOPOINTERS_H
#define TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_DESCRIPTORTOPOINTERS_H

#include "DescriptorPaddings.h"
#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::intel {

/// A descriptor in parts: the base, extents and strides (i64), and, if it takes
/// the run to know how descriptors pad, whether it does so with NaN (i1).
class DescriptorParts {
public:
  DescriptorParts(TensorDescType type, ValueRange parts);

  Value getBase() const { return parts.front(); }
  ValueRange getExtents() const { return parts.slice(1, rank); }
  /// The last one is 1 in the language, whatever a host or function passes.
  SmallVector<Value> getStrides(OpBuilder &builder, Location loc) const;
  /// Returns null if all descriptors that reach a place pad alike.
  Value getPadsWithNan() const;

private:
  unsigned rank;
  ValueRange parts;
};

/// Returns the type of `tensor` in another shape, whose layout is that which a
/// reshape gives it. A layout that cannot be reshaped is an error at `loc`.
FailureOr<RankedTensorType> reshapeType(Location loc, RankedTensorType tensor,
                                        ArrayRef<int64_t> shape);

/// Adds patterns for tt.descriptor_reduce. `converter` turns a descriptor into
/// its parts.
void populateDescriptorToPointersPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns);

} // namespace mlir::triton::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITON_TRANSFORMS_DESCRIPTORTOPOINTERS_H
