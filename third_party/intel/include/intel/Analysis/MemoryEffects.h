//===- MemoryEffects.h - May an operation change memory? --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// One answer for all passes that move accesses, or look whether they could.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_MEMORYEFFECTS_H
#define INTEL_ANALYSIS_MEMORYEFFECTS_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::triton::gpu::intel {

/// Whether `op` may change memory, itself or in its regions. An operation that
/// says nothing of its effects may; prefetches bring memory closer and change
/// none.
bool mayWrite(Operation *op);

/// Whether nothing behind `first` and in front of `last`, in one block, may
/// change memory.
bool isMemoryTheSameBetween(Operation *first, Operation *last);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_MEMORYEFFECTS_H
