//===- SharedMemory.h - The shared local memory of a module -----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_SHAREDMEMORY_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_SHAREDMEMORY_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Name of the module-scope array that is the shared local memory (SLM).
inline constexpr llvm::StringLiteral kSharedMemorySymbol = "triton_xe_slm";

/// Returns the offset of the place that this iteration of the loop around `op`
/// takes, if allocation gave it several of `bytes` bytes each; otherwise null.
Value getPlaceOffset(RewriterBase &rewriter, Operation *op, int64_t bytes);

/// Returns a pointer into SLM at byte `offset` (the value of
/// `allocation.offset`), and `placeOffset` bytes (i32) after that unless null.
Value getSharedMemoryPointer(RewriterBase &rewriter, Location loc,
                             Operation *user, int64_t offset,
                             Value placeOffset = {});

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_SHAREDMEMORY_H
