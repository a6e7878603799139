//===- AllocateMemory.cpp - Places of records -----------------------------===//
// SPDX-License-Identifier: MIT
//
// Segments and contexts come behind the shared memory of the kernel, which is
// assumed to be in use all the time, because records may be made anywhere.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "Segments.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPUALLOCATEMEMORY
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

namespace {

/// The profile memory of each program begins at a multiple of so many bytes.
/// This is the default of `scratch-mem-alignment` in Triton's own lowering of
/// records (`convert-proton-to-protongpu`).
constexpr int64_t kProfileAlignment = 128;

class AllocateMemory
    : public mlir::triton::proton_gpu::impl::ProtonGPUAllocateMemoryBase<
          AllocateMemory> {
public:
  void runOnOperation() override {
    SegmentType type = findSegmentType(getOperation());
    if (!type)
      return;
    allocateShared(type);
    allocateProfile(type);
  }

private:
  void allocateShared(SegmentType type) {
    ModuleOp module = getOperation();
    StringRef name = gpu::TritonGPUDialect::getSharedAttrName();
    auto shared = module->getAttrOfType<IntegerAttr>(name);
    size = shared ? shared.getInt() : 0;
    if (type.getSpace() == MemorySpace::Shared)
      allocate<SegmentAllocOp>(getSegmentBytes(module, type),
                               ProtonGPUDialect::kRecordBytes);
    int64_t numWarps = gpu::TritonGPUDialect::getNumWarps(module);
    allocate<InitContextOp, SaveContextOp, RestoreContextOp>(
        numWarps * ProtonGPUDialect::kWordBytes, ProtonGPUDialect::kWordBytes);
    module->setAttr(name, Builder(module).getI32IntegerAttr(size));
  }

  void allocateProfile(SegmentType type) {
    ModuleOp module = getOperation();
    int64_t words = ProtonGPUDialect::kPreambleWords +
                    gpu::TritonGPUDialect::getNumWarps(module);
    int64_t bytes = llvm::alignTo(words * ProtonGPUDialect::kWordBytes +
                                      getSegmentBytes(module, type),
                                  kProfileAlignment);
    Builder builder(module);
    module->setAttr(gpu::TritonGPUDialect::getProfileScratchSizeAttrName(),
                    builder.getI32IntegerAttr(bytes));
    module->setAttr(gpu::TritonGPUDialect::getProfileScratchAlignmentAttrName(),
                    builder.getI32IntegerAttr(kProfileAlignment));
  }

  /// One place for all operations of these kinds, if there are any.
  template <typename... Ops> void allocate(int64_t bytes, int64_t alignment) {
    int64_t offset = llvm::alignTo(size, alignment);
    getOperation().walk([&](Operation *op) {
      if (!isa<Ops...>(op))
        return;
      op->setAttr(gpu::TritonGPUDialect::getAllocationOffsetAttrName(),
                  Builder(op).getI32IntegerAttr(offset));
      size = offset + bytes;
    });
  }

  /// Bytes of shared memory so far.
  int64_t size = 0;
};

} // namespace
