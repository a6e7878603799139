//===- MemoryEffects.cpp - May an operation change memory? ----------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Order/MemoryEffects.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::triton::gpu::intel {

/// Operations with regions are equivalent to the operations in them.
bool mayWrite(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        if (isa<PrefetchOp, PrefetchBlockOp>(nested) ||
            nested->hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>() ||
            isMemoryEffectFree(nested))
          return WalkResult::advance();
        auto effects = dyn_cast<MemoryEffectOpInterface>(nested);
        return effects && effects.onlyHasEffect<MemoryEffects::Read>()
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool isMemoryTheSameBetween(Operation *first, Operation *last) {
  for (Operation *op = first->getNextNode(); op != last; op = op->getNextNode())
    if (mayWrite(op))
      return false;
  return true;
}

} // namespace mlir::triton::gpu::intel
