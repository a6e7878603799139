//===- WorkItem.h - Who executes this, and waiting for all ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_WORKITEM_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_WORKITEM_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Returns the i32 number of the work-item within its sub-group.
Value getLaneId(RewriterBase &rewriter, Location loc);
/// Returns the i32 number of the sub-group within its work-group.
Value getWarpId(RewriterBase &rewriter, Location loc);
/// Returns the i64 number of work-groups of the launch along an axis.
Value getNumPrograms(RewriterBase &rewriter, Location loc, int32_t axis);
/// Returns the i64 number of the work-group among those of the launch, x
/// fastest.
Value getLinearProgramId(RewriterBase &rewriter, Location loc);

/// Emits a barrier of the work-group that orders its accesses to shared local
/// memory, and to global memory too if `fenceGlobal`.
void emitBarrier(RewriterBase &rewriter, Location loc, bool fenceGlobal);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_WORKITEM_H
