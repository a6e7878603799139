//===- AlignPointers.cpp - Alignments that make masked loads wider --------===//
// SPDX-License-Identifier: MIT
//
// A load reads all memory of a vector whose mask ends within it if the mask of
// the first element is true (LoadStoreToLLVM.cpp). The memory exists then,
// because the vector is aligned to its size. A pointer that Triton knows to be
// a multiple of 16 bytes limits such vectors to this size, although messages
// have 32 bytes for a lane. Allocators align tensors to 64 bytes or more, so
// that few views begin elsewhere. The launcher checks that.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-align-pointers"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "intel/Analysis/Layouts/AccessWidths.h"
#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUALIGNPOINTERS
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// The bytes of the widest vector of a lane.
constexpr int64_t kAlignment = kMaxLoadBits / 8;

/// Lets launches align the pointers of a kernel where this makes masked loads
/// wider.
class AlignPointersPass
    : public triton::gpu::intel::impl::TritonIntelGPUAlignPointersBase<
          AlignPointersPass> {
public:
  using TritonIntelGPUAlignPointersBase::TritonIntelGPUAlignPointersBase;

  void runOnTTGIR() override {
    FuncOp kernel = getOnlyKernel(getOperation());
    if (!kernel)
      return;
    SmallVector<LoadOp> loads;
    kernel.walk([&](LoadOp load) {
      if (load.getMask() && isa<RankedTensorType>(load.getType()))
        loads.push_back(load);
    });
    SmallVector<BlockArgument> pointers;
    for (BlockArgument argument : kernel.getArguments())
      if (isa<PointerType>(argument.getType()) &&
          getDivisor(argument) == kAlignment / 2)
        pointers.push_back(argument);
    if (loads.empty() || pointers.empty())
      return;

    // All at once first: most kernels have no such load.
    AccessWidths known(getOperation());
    auto getWidened = [&] {
      AccessWidths widths(getOperation());
      return llvm::count_if(loads, [&](LoadOp load) {
        return widths.getJoinedWidth(load) > known.getJoinedWidth(load);
      });
    };
    for (BlockArgument pointer : pointers)
      setDivisor(pointer, kAlignment);
    int64_t numWidened = getWidened();
    if (numWidened == 0 || !mayRewrite(kernel)) {
      for (BlockArgument pointer : pointers)
        setDivisor(pointer, kAlignment / 2);
      return;
    }
    LaunchCondition condition;
    for (BlockArgument pointer : pointers) {
      setDivisor(pointer, kAlignment / 2);
      // Nothing is lost without this one.
      if (getWidened() == numWidened)
        continue;
      std::optional<AffineExpr> address = condition.getArgument(pointer);
      if (!address || !condition.requireZero(*address % kAlignment))
        llvm_unreachable("arguments of a kernel have expressions");
      setDivisor(pointer, kAlignment);
      LDBG() << "launches align argument " << pointer.getArgNumber();
    }
    numLoads += numWidened;
    condition.create();
    remark::passed(
        kernel.getLoc(),
        remark::RemarkOpts::name("launch-assumption").category(getArgument()))
        << remark::reason("masked loads are {0} bytes wide in launches where "
                          "{1}",
                          kAlignment, condition.describe());
  }

private:
  static StringRef getDivisorName() {
    return TritonDialect::getDivisibilityAttrName();
  }

  /// Returns the number that a pointer is known to be a multiple of, in bytes;
  /// 1 if none is.
  static int64_t getDivisor(BlockArgument pointer) {
    auto kernel = cast<FuncOp>(pointer.getOwner()->getParentOp());
    auto divisor = kernel.getArgAttrOfType<IntegerAttr>(pointer.getArgNumber(),
                                                        getDivisorName());
    return divisor ? divisor.getInt() : 1;
  }

  static void setDivisor(BlockArgument pointer, int64_t divisor) {
    auto kernel = cast<FuncOp>(pointer.getOwner()->getParentOp());
    auto attribute = kernel.getArgAttrOfType<IntegerAttr>(
        pointer.getArgNumber(), getDivisorName());
    kernel.setArgAttr(pointer.getArgNumber(), getDivisorName(),
                      IntegerAttr::get(attribute.getType(), divisor));
  }
};

} // namespace
