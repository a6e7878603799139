//===- LoweredSurface.h - Parts of a tensor in memory -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_LOWEREDSURFACE_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_LOWEREDSURFACE_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"

namespace mlir::triton::gpu::intel {

/// The place of a block in a tensor in memory, in the values of
/// RegisterTypeConverter for a `ttig.surface`.
struct LoweredSurface {
  LoweredSurface(ValueRange values, SmallVector<Value> offsets)
      : base(values[0]), shape(values.slice(1, offsets.size())),
        strides(values.slice(1 + offsets.size(), offsets.size())),
        offsets(std::move(offsets)) {}

  /// Pointer to element (0, ..., 0) of the whole tensor.
  Value base;
  /// Extent of the tensor in elements, i64.
  ValueRange shape;
  /// Distance in elements along each dimension, i64.
  ValueRange strides;
  /// Position of the block's first element, i32.
  SmallVector<Value> offsets;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_MEMORY_LOWEREDSURFACE_H
