//===- DescriptorToPointers.h - Descriptors that select elements *- C++ -*-===//
//
// Accesses through descriptors that no block pointer can express: rows picked
// by their numbers, and atomic reductions. They become accesses through tensors
// of pointers, with masks that keep them inside of the tensor.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_DIALECT_TRITON_TRANSFORMS_DESCRIPTORTOPOINTERS_H
#define INTEL_DIALECT_TRITON_TRANSFORMS_DESCRIPTORTOPOINTERS_H

#include "mlir/Transforms/DialectConversion.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::triton::intel {

/// Padding of the descriptors that reach each operation which reads.
using PaddingMap = llvm::DenseMap<Operation *, PaddingOption>;

/// Patterns for tt.descriptor_gather, tt.descriptor_scatter and
/// tt.descriptor_reduce. `converter` turns a descriptor into its base, shape
/// and strides (i64).
void populateDescriptorToPointersPatterns(const TypeConverter &converter,
                                          RewritePatternSet &patterns,
                                          const PaddingMap &paddings);

} // namespace mlir::triton::intel

#endif // INTEL_DIALECT_TRITON_TRANSFORMS_DESCRIPTORTOPOINTERS_H
