//===- GatherPlan.h - How tt.gather gets at its elements --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A gather reads, for every element of its result, an element of its operand.
// Along one dimension, the axis, the index is the coordinate of that element.
// The other coordinates are those of the result. Where that element is
// (register, lane and warp, or a place in shared memory) is a linear function
// of its coordinates: the XOR of a part that the place of the result determines
// and a part that the index determines. Allocation and lowering both use this
// plan, so that they agree.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_GATHERPLAN_H
#define TRITON_ANALYSIS_GATHERPLAN_H

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu {

struct GatherPlan {
  enum class Kind {
    /// Every work-item has all elements that its indices may name.
    WorkItem,
    /// Every warp has all of them: the plan takes one shuffle per register that
    /// an index may name.
    Subgroup,
    /// The operand goes through shared memory, in row-major order.
    SharedMemory,
  };
  Kind kind;
  /// The map from (register, lane, warp) of the result to the place, for index
  /// 0.
  LinearLayout fromResult;
  /// The map from the index (a coordinate along the axis of the operand) to the
  /// place. A place is a LayoutDim::Offset in shared memory, else (register,
  /// lane, warp) of the operand's owner.
  LinearLayout fromIndex;
  int64_t scratchBytes = 0;
};

/// Returns how to lower `op`.
GatherPlan planGather(GatherOp op);

} // namespace mlir::triton::gpu

#endif // TRITON_ANALYSIS_GATHERPLAN_H
