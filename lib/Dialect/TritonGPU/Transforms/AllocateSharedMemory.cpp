//===- AllocateSharedMemory.cpp - Give operations shared memory -----------===//
//
// Writes the result of the analysis in Analysis/Allocation.h into the IR. Runs
// when layouts are final: a conversion that is still to be removed would count.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUALLOCATESHAREDMEMORY
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton::gpu;

namespace {

class TritonGPUAllocateSharedMemoryPass
    : public triton::gpu::impl::TritonGPUAllocateSharedMemoryBase<
          TritonGPUAllocateSharedMemoryPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<SharedMemoryAllocation> allocation =
        SharedMemoryAllocation::compute(module);
    if (failed(allocation))
      return signalPassFailure();

    Builder builder(module);
    for (const SharedMemoryBuffer &buffer : allocation->getBuffers()) {
      buffer.owner->setAttr(TritonGPUDialect::getAllocationOffsetAttrName(),
                            builder.getI32IntegerAttr(buffer.offset));
      ++numBuffers;
    }
    module->setAttr(
        TritonGPUDialect::getSharedAttrName(),
        builder.getI32IntegerAttr(allocation->getSharedMemorySize()));
  }
};

} // namespace
