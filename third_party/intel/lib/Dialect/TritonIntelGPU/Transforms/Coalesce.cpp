//===- Coalesce.cpp - Layouts for memory ----------------------------------===//
//
// Gives every access through a tensor of pointers the blocked layout with which
// the lanes of a sub-group read or write neighbouring memory, each lane as much
// of it as one vector access takes. The layout is a matter of the access alone;
// conversions to and from what is around are left to the choice of layouts
// (tritonintelgpu-remove-layout-conversions), which also weighs whether this
// layout is worth them.
//
// Left alone are accesses through block pointers, and accesses that have the
// layout of an accumulator: its lanes run along rows, and that choice has been
// made by cost.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "LayoutTransfer.h"
#include "intel/Analysis/AccessPattern.h"
#include "intel/Analysis/LayoutCost.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Analysis/AxisInfo.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUCOALESCE
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;
namespace ttg = mlir::triton::gpu;

namespace {

class Coalesce : public gpu::intel::impl::TritonIntelGPUCoalesceBase<Coalesce> {
public:
  using TritonIntelGPUCoalesceBase::TritonIntelGPUCoalesceBase;

  void runOnOperation() override {
    // The analysis holds until something changes, so all choices come first.
    ModuleAxisInfoAnalysis axisInfo(getOperation());
    llvm::MapVector<Operation *, Attribute> layouts;
    getOperation().walk([&](Operation *op) {
      if (Attribute layout = chooseLayout(op, axisInfo))
        layouts.insert({op, layout});
    });
    for (auto [op, layout] : layouts)
      setLayout(op, layout);
    numCoalesced += layouts.size();
  }

private:
  /// The layout that `op` should get; null if it should keep its own.
  Attribute chooseLayout(Operation *op, ModuleAxisInfoAnalysis &axisInfo) {
    RankedTensorType type = getAccessedTensor(op);
    if (!type || !type.getEncoding() || type.getRank() == 0 ||
        isTensorPointerType(getAccessedPointer(op).getType()) ||
        isAccumulatorLayout(type.getEncoding()))
      return {};

    AccessPattern pattern = getAccessPattern(
        op, [&](Value value) { return axisInfo.getAxisInfo(value); });
    unsigned fastest = pattern.getFastestDim();
    int64_t numWarps = ttg::lookupNumWarps(op);
    int64_t lanes = ttg::lookupThreadsPerWarp(op);
    int64_t bits = getIntOrFloatOrPtrBitWidth(type.getElementType());
    int64_t maxVectorBits = getTargetDesc(op).getMaxVectorBits();
    int64_t perThread = std::min(
        {pattern.vector[fastest], std::max<int64_t>(1, maxVectorBits / bits),
         std::max<int64_t>(1, type.getNumElements() / (numWarps * lanes))});
    SmallVector<unsigned> sizePerThread(type.getRank(), 1);
    sizePerThread[fastest] = perThread;
    auto layout = ttg::BlockedEncodingAttr::get(op->getContext(),
                                                type.getShape(), sizePerThread,
                                                pattern.order, numWarps, lanes);
    if (layout == type.getEncoding())
      return {};
    return layout;
  }

  /// Runs `op` in another layout, between conversions.
  void setLayout(Operation *op, Attribute layout) {
    OpBuilder builder(op);
    for (OpOperand &operand : op->getOpOperands())
      if (getTensorEncoding(operand.get().getType()))
        operand.set(ttg::ConvertLayoutOp::create(
            builder, op->getLoc(),
            getTypeWithLayout(operand.get().getType(), layout), operand.get()));
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      if (!getTensorEncoding(type))
        continue;
      result.setType(getTypeWithLayout(type, layout));
      auto back =
          ttg::ConvertLayoutOp::create(builder, op->getLoc(), type, result);
      result.replaceAllUsesExcept(back, back);
    }
  }
};

} // namespace
