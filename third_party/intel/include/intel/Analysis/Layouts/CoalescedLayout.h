//===- CoalescedLayout.h - Layouts for memory -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The layout that an ordinary access would have if nothing but memory mattered.
// The choice of layouts tries it for each access.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_COALESCEDLAYOUT_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_COALESCEDLAYOUT_H

#include "triton/Analysis/ValueSources.h"

namespace mlir::triton::gpu::intel {

class ElementRuns;

/// Returns a blocked layout for the tensor that `op` accesses: along the
/// dimension with the longest runs in memory, a lane has the elements that one
/// vector access covers, neighbouring lanes follow, then neighbouring warps. No
/// lane has more than its share of the tensor.
///
/// In a right operand, lanes of the systolic array hold columns. If its rows
/// are contiguous in memory, a lane has the rows that one instruction takes.
/// They stay together on the way through shared memory.
///
/// Returns null for operations that access no tensor, or one without a layout.
Attribute getCoalescedLayout(Operation *op, ElementRuns &runs,
                             ValueSources &sources);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_COALESCEDLAYOUT_H
