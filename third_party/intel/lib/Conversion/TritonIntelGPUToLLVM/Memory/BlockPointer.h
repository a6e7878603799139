//===- BlockPointer.h - Parts of a lowered block pointer --------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_BLOCKPOINTER_H
#define INTEL_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_BLOCKPOINTER_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace mlir::triton::gpu::intel {

/// View of the values that RegisterTypeConverter makes of a block pointer.
struct LoweredBlockPointer {
  LoweredBlockPointer(ValueRange values, unsigned rank)
      : base(values[0]), shape(values.slice(1, rank)),
        strides(values.slice(1 + rank, rank)),
        offsets(values.slice(1 + 2 * rank, rank)) {}

  /// Pointer to element (0, ..., 0) of the whole tensor.
  Value base;
  /// Extent of the tensor in elements, i64.
  ValueRange shape;
  /// Distance in elements along each dimension, i64.
  ValueRange strides;
  /// Position of the block's first element, i32.
  ValueRange offsets;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_BLOCKPOINTER_H
