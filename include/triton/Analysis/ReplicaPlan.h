//===- ReplicaPlan.h - Results of operations done only once -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Work-items may hold the same element several times, but an operation with an
// effect, such as an atomic one, must happen once per element: in its *owner*,
// the place whose free bits (LinearLayout::getFreeVariableMasks) are all 0. If
// the operation has a result, the other holders need it, too. This plan defines
// how they get it. Allocation and lowering both use it, so that they agree.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_REPLICAPLAN_H
#define TRITON_ANALYSIS_REPLICAPLAN_H

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu {

struct ReplicaPlan {
  /// Register r holds what register `r & ~copiedRegisters` of the same
  /// work-item holds, and lane l what lane `l & ~copiedLanes` of the same warp
  /// holds. Meaningless where shared memory is needed.
  int32_t copiedRegisters = 0;
  int32_t copiedLanes = 0;
  /// Owners store their elements in row-major order in shared memory; after a
  /// barrier all holders load.
  bool needsSharedMemory = false;
  int64_t scratchBytes = 0;
};

/// Returns the plan for a result of type `type` (a tensor, or a scalar, which
/// all work-items hold) of `op`.
ReplicaPlan planReplicas(Operation *op, Type type);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_REPLICAPLAN_H
