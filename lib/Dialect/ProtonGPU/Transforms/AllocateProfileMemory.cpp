//===- AllocateProfileMemory.cpp - Bytes of profile memory ----------------===//
// SPDX-License-Identifier: MIT

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "Segments.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPUALLOCATEPROFILEMEMORY
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

namespace {

/// Programs have lines of the cache of their own.
constexpr int64_t kAlignment = 128;

class AllocateProfileMemory
    : public mlir::triton::proton_gpu::impl::ProtonGPUAllocateProfileMemoryBase<
          AllocateProfileMemory> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SegmentType type = findSegmentType(module);
    if (!type)
      return;
    int64_t words = ProtonGPUDialect::kPreambleWords +
                    gpu::TritonGPUDialect::getNumWarps(module);
    int64_t bytes = llvm::alignTo(words * ProtonGPUDialect::kWordBytes +
                                      getSegmentBytes(module, type),
                                  kAlignment);
    Builder builder(module);
    module->setAttr(gpu::TritonGPUDialect::getProfileScratchSizeAttrName(),
                    builder.getI32IntegerAttr(bytes));
    module->setAttr(gpu::TritonGPUDialect::getProfileScratchAlignmentAttrName(),
                    builder.getI32IntegerAttr(kAlignment));
  }
};

} // namespace
