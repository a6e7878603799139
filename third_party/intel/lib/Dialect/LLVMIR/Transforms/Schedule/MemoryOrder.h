//===- MemoryOrder.h - Order of memory accesses -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Determines which memory an operation of lowered code may change, and which
// loads may be executed late.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_MEMORYORDER_H
#define TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_MEMORYORDER_H

#include "mlir/IR/Operation.h"

namespace mlir::triton::gpu::intel {

/// Memories of a device, as bits of a set.
enum Memory : unsigned { None = 0, Global = 1, Shared = 2, All = 3 };

/// Returns the memories whose loads must not cross `op`: it may write to them,
/// or it waits for others that do. Operations with regions are equivalent to
/// the operations in them.
unsigned getFencedMemory(Operation *op);

/// Returns whether `op` computes its results from its operands and does nothing
/// else. Instructions of the systolic array do not count.
bool isComputation(Operation *op);

/// Returns the memory that `op` reads if it is a load of short latency: of a
/// block, which is in the cache by then, or of shared memory. Returns `None`
/// for all other operations.
unsigned getNearMemory(Operation *op);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_LLVMIR_TRANSFORMS_SCHEDULE_MEMORYORDER_H
