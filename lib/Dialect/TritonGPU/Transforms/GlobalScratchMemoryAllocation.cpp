//===- GlobalScratchMemoryAllocation.cpp - Memory of a CTA ----------------===//
// SPDX-License-Identifier: MIT
//
// Every operation in every function gets memory of its own, because it is not
// known how long the memory behind a pointer is in use.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUGLOBALSCRATCHMEMORYALLOCATION
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton::gpu;

namespace {

class GlobalScratchMemoryAllocation
    : public triton::gpu::impl::TritonGPUGlobalScratchMemoryAllocationBase<
          GlobalScratchMemoryAllocation> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder builder(module);
    int64_t bytes = 0;
    // 0 until there is an operation.
    int64_t alignment = 0;
    module.walk([&](GlobalScratchAllocOp op) {
      int64_t wanted = op.getAlignment();
      bytes = llvm::alignTo(bytes, wanted);
      alignment = std::max(alignment, wanted);
      // It has the right width, whatever the sum is; it is checked below.
      op->setAttr(TritonGPUDialect::getGlobalScratchOffsetAttrName(),
                  builder.getI32IntegerAttr(static_cast<int32_t>(bytes)));
      bytes += op.getNbytes();
      ++numBuffers;
    });
    if (alignment == 0)
      return;
    // The next program's begins where this one's ends. Even nothing has an
    // address.
    bytes = llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
    if (bytes > std::numeric_limits<int32_t>::max()) {
      module.emitError("a program needs ")
          << bytes << " bytes of global scratch memory, and "
          << std::numeric_limits<int32_t>::max() << " is the limit";
      return signalPassFailure();
    }
    module->setAttr(TritonGPUDialect::getGlobalScratchSizeAttrName(),
                    builder.getI32IntegerAttr(static_cast<int32_t>(bytes)));
    module->setAttr(TritonGPUDialect::getGlobalScratchAlignmentAttrName(),
                    builder.getI32IntegerAttr(static_cast<int32_t>(alignment)));
  }
};

} // namespace
