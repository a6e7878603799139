//===- Membar.h - Where shared memory needs a barrier -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Work-items of a work-group see each other's accesses to shared memory in
// order only across a barrier. This analysis finds the operations before which
// one is missing: an operation that writes what an earlier one has read or
// written, or reads what an earlier one has written, with no barrier on some
// path between the two.
//
// Accesses are intervals of the offsets that the allocation has found.
// Operations with scratch memory write it first, have a separate barrier, and
// read it last: that is a contract with their lowerings. Where allocation has
// given an operation several places, these take turns.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_MEMBAR_H
#define TRITON_ANALYSIS_MEMBAR_H

#include "mlir/IR/BuiltinOps.h"
#include "triton/Analysis/Allocation.h"

namespace mlir::triton::gpu {

/// Returns the operations of an allocated module that need a barrier before
/// them, function by function, in program order.
SmallVector<Operation *>
findMissingBarriers(ModuleOp module, const SharedMemoryAllocation &allocation);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_MEMBAR_H
