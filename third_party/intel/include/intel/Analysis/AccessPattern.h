//===- AccessPattern.h - How an access walks through memory -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// What axis analysis says about one load, store or atomic through a tensor of
// pointers or a block pointer, reduced to the numbers that layouts are chosen
// by.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_ACCESSPATTERN_H
#define INTEL_ANALYSIS_ACCESSPATTERN_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::triton {
class AxisInfo;
}

namespace mlir::triton::gpu::intel {

struct AccessPattern {
  /// Dimensions of the tensor, that with the longest contiguous runs first.
  SmallVector<unsigned> order;
  /// Per dimension, elements in a row that lie side by side in memory.
  SmallVector<int64_t> contiguity;
  /// Per dimension, elements in a row that are the same one in memory.
  SmallVector<int64_t> constancy;
  /// Per dimension, elements in a row that one vector access may take: they lie
  /// side by side, the first is aligned to all of them, and the mask is equal.
  SmallVector<int64_t> vector;

  unsigned getFastestDim() const { return order.front(); }
};

/// The pointer, block pointer or tensor of pointers that a load, store,
/// prefetch or atomic goes through; null for other operations.
Value getAccessedPointer(Operation *op);

/// The tensor that `op` loads, stores, prefetches or updates, with its present
/// layout; null for scalar accesses and other operations.
RankedTensorType getAccessedTensor(Operation *op);

/// The pattern of `op`, for which getAccessedTensor is not null. `getAxisInfo`
/// is only asked if the answer depends on it, so that an analysis may wait for
/// the first question. With nothing known, every element is for itself.
AccessPattern
getAccessPattern(Operation *op,
                 llvm::function_ref<AxisInfo *(Value)> getAxisInfo);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_ACCESSPATTERN_H
