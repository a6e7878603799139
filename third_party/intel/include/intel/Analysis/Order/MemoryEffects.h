//===- MemoryEffects.h - May an operation change memory? --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Effects on memory, for all passes that move accesses or test whether they
// may.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_ORDER_MEMORYEFFECTS_H
#define TRITON_INTEL_ANALYSIS_ORDER_MEMORYEFFECTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::triton::gpu::intel {

/// Returns whether `op` or an operation in its regions may write memory. An
/// operation without known effects may; a prefetch does not.
bool mayWrite(Operation *op);

/// Returns whether no operation between `first` and `last`, which are in one
/// block, may write memory.
bool isMemoryTheSameBetween(Operation *first, Operation *last);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_ORDER_MEMORYEFFECTS_H
