//===- AllocateMemory.cpp - Places in shared and global memory ------------===//
// SPDX-License-Identifier: MIT
//
// Writes the result of the analysis in Analysis/Allocation.h into the IR, and
// inserts a `ttg.barrier local` wherever Analysis/Membar.h finds one missing:
// the offsets determine which accesses conflict. Runs when layouts are final: a
// conversion that is still to be removed would count. For the same reason this
// is where conversions that need shared memory are reported.
//
// In global scratch memory, every operation in every function gets a separate
// place, because it is not known how long the memory of a pointer is in use.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritongpu-allocate-memory"
#include "triton/Support/DebugOutput.h"

#include "triton/Dialect/TritonGPU/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "triton/Analysis/Allocation.h"
#include "triton/Analysis/Membar.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::triton::gpu {
#define GEN_PASS_DEF_TRITONGPUALLOCATEMEMORY
#include "triton/Dialect/TritonGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu

using namespace mlir;
using namespace mlir::triton::gpu;

namespace {

class AllocateMemory
    : public triton::gpu::impl::TritonGPUAllocateMemoryBase<AllocateMemory> {
public:
  void runOnTTGIR() override {
    FailureOr<SharedMemoryAllocation> allocation =
        SharedMemoryAllocation::compute(getOperation());
    if (failed(allocation) || failed(allocateGlobalScratch()))
      return signalPassFailure();
    allocateShared(*allocation);
    insertBarriers(*allocation);
  }

private:
  /// Sets `ttg.shared` on the module, and `allocation.offset` on each operation
  /// with a need for shared memory, with `allocation.places` if it has several.
  void allocateShared(const SharedMemoryAllocation &allocation) {
    ModuleOp module = getOperation();
    for (const SharedMemoryBuffer &buffer : allocation.getBuffers()) {
      set(buffer.owner, TritonGPUDialect::getAllocationOffsetAttrName(),
          buffer.offset);
      if (buffer.places > 1)
        set(buffer.owner, TritonGPUDialect::getAllocationPlacesAttrName(),
            buffer.places);
      LDBG() << buffer.bytes << " bytes at " << buffer.offset << " for "
             << buffer.owner->getName() << " at " << buffer.owner->getLoc();
      ++numBuffers;
      if (auto conversion = dyn_cast<ConvertLayoutOp>(buffer.owner))
        report(conversion, conversion.getSrc(), conversion.getResult(),
               buffer.bytes);
      if (auto merged = dyn_cast<ConvertLayoutsOp>(buffer.owner))
        report(merged);
    }
    // An earlier pass may have found that more is needed.
    int32_t size = allocation.getSharedMemorySize();
    StringRef name = TritonGPUDialect::getSharedAttrName();
    if (auto known = module->getAttrOfType<IntegerAttr>(name))
      size = std::max<int32_t>(size, known.getInt());
    set(module, name, size);
  }

  /// Separates accesses that conflict.
  void insertBarriers(const SharedMemoryAllocation &allocation) {
    for (Operation *op : findMissingBarriers(getOperation(), allocation)) {
      OpBuilder builder(op);
      BarrierOp::create(builder, op->getLoc(), AddrSpace::Local);
      LDBG() << "a barrier before " << op->getName() << " at " << op->getLoc();
      ++numBarriers;
    }
  }

  /// Sets the offset of each allocation in global scratch memory, and the size
  /// and alignment of the memory of a program on the module, if there are any.
  LogicalResult allocateGlobalScratch() {
    ModuleOp module = getOperation();
    int64_t bytes = 0;
    // The alignment is 0 until there is an operation.
    int64_t alignment = 0;
    module.walk([&](GlobalScratchAllocOp op) {
      int64_t wanted = op.getAlignment();
      bytes = llvm::alignTo(bytes, wanted);
      alignment = std::max(alignment, wanted);
      // It has the right width, whatever the sum is; it is checked below.
      set(op, TritonGPUDialect::getGlobalScratchOffsetAttrName(),
          static_cast<int32_t>(bytes));
      bytes += op.getNbytes();
      ++numGlobalBuffers;
    });
    if (alignment == 0)
      return success();
    // The next program's begins where this one's ends. Even nothing has an
    // address.
    bytes = llvm::alignTo(std::max<int64_t>(bytes, 1), alignment);
    if (bytes > std::numeric_limits<int32_t>::max())
      return module.emitError("a program needs ")
             << bytes << " bytes of global scratch memory, and "
             << std::numeric_limits<int32_t>::max() << " is the limit";
    set(module, TritonGPUDialect::getGlobalScratchSizeAttrName(), bytes);
    set(module, TritonGPUDialect::getGlobalScratchAlignmentAttrName(),
        alignment);
    return success();
  }

  static void set(Operation *op, StringRef name, int32_t value) {
    op->setAttr(name, Builder(op).getI32IntegerAttr(value));
  }

  /// Reports a missed remark: conversions through shared memory are what users
  /// can avoid.
  void report(Operation *op, Value source, Value result, int64_t bytes) {
    Attribute from = cast<RankedTensorType>(source.getType()).getEncoding();
    Attribute to = cast<RankedTensorType>(result.getType()).getEncoding();
    remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("layout-conversion").category(getArgument()))
        << remark::reason("layout conversion through {0} bytes of shared local "
                          "memory, from {1} to {2}",
                          bytes, from, to)
        << remark::metric("Bytes", bytes);
  }
  void report(ConvertLayoutsOp op) {
    // The allocation has planned it.
    FailureOr<MergedConversions> merged = planConversions(op);
    for (auto [source, result, plan] :
         llvm::zip_equal(op.getSources(), op.getResults(), merged->plans))
      report(op, source, result, plan.shared->scratchBytes);
  }
};

} // namespace
