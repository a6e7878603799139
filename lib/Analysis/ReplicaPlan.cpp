//===- ReplicaPlan.cpp - Results of operations done only once -------------===//
// SPDX-License-Identifier: MIT
//
// Free bits with a basis of 0 do not change the element. The owner then differs
// from the holder only in these bits: the result comes from a register copy, or
// from a shuffle from a lane with a known number. Free bits that depend on
// others, and copies in other warps, need shared memory.
//
//===----------------------------------------------------------------------===//

#include "triton/Analysis/ReplicaPlan.h"

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace mlir::triton::gpu {

static int64_t getElementBytes(Type type) {
  return std::max(8u, getIntOrFloatOrPtrBitWidth(getElementTypeOrSelf(type))) /
         8;
}

static bool isZero(ArrayRef<int32_t> basis) {
  return llvm::all_of(basis,
                      [](int32_t coordinate) { return coordinate == 0; });
}

ReplicaPlan planReplicas(Operation *op, Type type) {
  ReplicaPlan plan;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor) {
    plan.copiedLanes = lookupThreadsPerWarp(op) - 1;
    plan.needsSharedMemory = lookupNumWarps(op) > 1;
    if (plan.needsSharedMemory)
      plan.scratchBytes = getElementBytes(type);
    return plan;
  }
  LinearLayout layout = toLinearLayout(tensor);
  for (auto [dim, mask] : layout.getFreeVariableMasks()) {
    if (dim == LayoutDim::Register)
      plan.copiedRegisters = mask;
    else if (dim == LayoutDim::Lane)
      plan.copiedLanes = mask;
    else
      plan.needsSharedMemory |= mask != 0;
    for (int32_t bit : llvm::seq(layout.getInDimSizeLog2(dim)))
      if (mask >> bit & 1 && !isZero(layout.getBasis(dim, bit)))
        plan.needsSharedMemory = true;
  }
  if (plan.needsSharedMemory)
    plan.scratchBytes = tensor.getNumElements() * getElementBytes(tensor);
  return plan;
}

} // namespace mlir::triton::gpu
