//===- AllocateSharedMemory.cpp - Give operations shared memory -----------===//
// SPDX-License-Identifier: MIT
//
// Writes the result of the analysis in Analysis/Allocation.h into the IR. Runs
// when layouts are final: a conversion that is still to be removed would count.
// For the same reason this is where conversions that need shared memory are
// reported.
//
//===----------------------------------------------------------------------===//

#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUALLOCATESHAREDMEMORY
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton::gpu;

namespace {

/// Sets `ttg.shared` on the module, and `allocation.offset` on each operation
/// with a need for shared memory, with `allocation.places` if it has several.
/// Fails, with a diagnostic, on recursion and on conversions that cannot be
/// planned.
class TritonGPUAllocateSharedMemoryPass
    : public triton::gpu::impl::TritonGPUAllocateSharedMemoryBase<
          TritonGPUAllocateSharedMemoryPass> {
public:
  void runOnTTGIR() override {
    ModuleOp module = getOperation();
    FailureOr<SharedMemoryAllocation> allocation =
        SharedMemoryAllocation::compute(module);
    if (failed(allocation))
      return signalPassFailure();

    Builder builder(module);
    for (const SharedMemoryBuffer &buffer : allocation->getBuffers()) {
      buffer.owner->setAttr(TritonGPUDialect::getAllocationOffsetAttrName(),
                            builder.getI32IntegerAttr(buffer.offset));
      if (buffer.places > 1)
        buffer.owner->setAttr(TritonGPUDialect::getAllocationPlacesAttrName(),
                              builder.getI32IntegerAttr(buffer.places));
      ++numBuffers;
      if (auto conversion = dyn_cast<ConvertLayoutOp>(buffer.owner))
        report(conversion, buffer.bytes);
    }
    // A pass in front may have found that more is needed.
    int32_t size = allocation->getSharedMemorySize();
    StringRef name = TritonGPUDialect::getSharedAttrName();
    if (auto known = module->getAttrOfType<IntegerAttr>(name))
      size = std::max<int32_t>(size, known.getInt());
    module->setAttr(name, builder.getI32IntegerAttr(size));
  }

private:
  /// Reports a missed remark: conversions through shared memory are what users
  /// can avoid.
  void report(ConvertLayoutOp op, int64_t bytes) {
    Attribute from = op.getSrc().getType().getEncoding();
    Attribute to = op.getType().getEncoding();
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("layout-conversion").category(getArgument()))
        << remark::reason("layout conversion through {0} bytes of shared local "
                          "memory, from {1} to {2}",
                          bytes, from, to)
        << remark::metric("Bytes", bytes);
  }
};

} // namespace
