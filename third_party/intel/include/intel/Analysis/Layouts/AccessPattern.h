//===- AccessPattern.h - How an access walks through memory -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Describes one load, store or atomic operation through a tensor of pointers or
// a block pointer by the numbers that the choice of a layout depends on. They
// are proved from the addresses and the mask (ElementRuns.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_ACCESSPATTERN_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_ACCESSPATTERN_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu::intel {

class ElementRuns;

struct AccessPattern {
  /// Dimensions of the tensor, the one with the longest contiguous runs first.
  SmallVector<unsigned> order;
  /// Per dimension, successive elements that are contiguous in memory.
  SmallVector<int64_t> contiguity;
  /// Per dimension, successive elements with the same address.
  SmallVector<int64_t> constancy;
  /// Per dimension, successive elements at equal distances, and the distance of
  /// two neighbours, in elements.
  SmallVector<int64_t> steps, distance;
  /// Per dimension, successive elements that one vector access may cover: they
  /// are contiguous, aligned to their total size, and have equal masks.
  SmallVector<int64_t> vector;
  /// Per dimension, the same if masks may differ, as long as an element has a
  /// true mask only if those before it have: those with a true mask are
  /// contiguous. A load of the whole vector then reads bytes that exist, as
  /// aligned ones are in one page of memory; a store of it has a true mask
  /// everywhere if the last one is true. Equal to `vector` for other
  /// operations.
  SmallVector<int64_t> enabled;
  /// A mask or a check of bounds leaves elements out.
  bool isMasked = false;

  unsigned getFastestDim() const { return order.front(); }
};

/// Returns the pointer, block pointer or tensor of pointers that a load, store,
/// prefetch or atomic goes through; null for other operations, and for accesses
/// of blocks.
Value getAccessedPointer(Operation *op);

/// Returns whether `op` is an access of a block, or has such a pointer.
bool accessesMemory(Operation *op);

/// Returns the tensor that `op` loads, stores, prefetches or updates, with its
/// present layout; null for scalar accesses, those through block pointers, and
/// other operations.
RankedTensorType getAccessedTensor(Operation *op);

/// Returns the pattern of `op`, for which getAccessedTensor is not null. If
/// nothing is known, no elements are contiguous.
AccessPattern getAccessPattern(Operation *op, ElementRuns &runs);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_ACCESSPATTERN_H
