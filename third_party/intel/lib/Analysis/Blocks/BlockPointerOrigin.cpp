//===- BlockPointerOrigin.cpp - Where a block pointer comes from ----------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Blocks/BlockPointerOrigin.h"

#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

bool getBlockPointerSources(Value pointer, ValueSources &sources,
                            SmallVectorImpl<Value> &found) {
  // The pointer before a step of `tt.advance`: its block has the same shape and
  // tensor.
  if (auto advance = pointer.getDefiningOp<AdvanceOp>()) {
    found.push_back(advance.getPtr());
    return true;
  }
  // The pointer is poison where it has no use.
  return isa_and_nonnull<MakeTensorPtrOp, ub::PoisonOp>(
             pointer.getDefiningOp()) ||
         sources.getSources(pointer, found);
}

BlockPointerOrigin traceBlockPointer(Value pointer, ValueSources &sources) {
  // Blocks of code may hand the pointer on in a loop: each value is visited
  // once.
  BlockPointerOrigin origin;
  SmallVector<Value> worklist{pointer};
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!origin.values.insert(value))
      continue;
    if (auto maker = value.getDefiningOp<MakeTensorPtrOp>())
      origin.definitions.insert(maker);
    else if (auto advance = value.getDefiningOp<AdvanceOp>())
      origin.advances.insert(advance);
    // An unknown source makes the result incomplete, but what was found so far
    // is kept.
    origin.isComplete &= getBlockPointerSources(value, sources, worklist);
  }
  return origin;
}

} // namespace mlir::triton::gpu::intel
