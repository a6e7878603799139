//===- AllocateSharedMemory.cpp - Segments in shared memory ---------------===//
// SPDX-License-Identifier: MIT
//
// The memory is placed after the kernel's own, which is assumed to be in use
// all the time, because records may be made anywhere.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/ProtonGPU/Transforms/Passes.h"

#include "Segments.h"

#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::proton_gpu {
#define GEN_PASS_DEF_PROTONGPUALLOCATESHAREDMEMORY
#include "triton/Dialect/ProtonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::proton_gpu

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::proton_gpu;

namespace {

class AllocateSharedMemory
    : public mlir::triton::proton_gpu::impl::ProtonGPUAllocateSharedMemoryBase<
          AllocateSharedMemory> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SegmentType type = findSegmentType(module);
    if (!type)
      return;
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

private:
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

  /// Bytes so far.
  int64_t size = 0;
};

} // namespace
