//===- VerifyTTGIR.cpp - Check what the lowering expects ------------------===//
// SPDX-License-Identifier: MIT
//
// Runs first in the stage that lowers TTGIR, because users may write TTGIR
// themselves. It reports operations and types that the stage before should
// have removed, or should not have created, with the line of the kernel. The
// lowering would report them much later or, in patterns that rely on their
// absence, not at all. It changes nothing. As any pass that queries layouts, it
// first refuses values that have none. The types of ttg check that layouts
// divide the work-group, so this pass does not.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-verify-ttgir"
#include "triton/Support/DebugOutput.h"

#include "intel/Pipelines/Passes.h"

#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONXEVERIFYTTGIR
#include "intel/Pipelines/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
namespace ttig = mlir::triton::gpu::intel;

namespace {

/// Returns whether passes of the stage before take the operation apart, or
/// whether it is parsed for the sake of others' IR only.
bool hasNoLowering(Operation *op) {
  // Of our own operations the lowering knows these.
  if (isa_and_nonnull<ttig::TritonIntelGPUDialect>(op->getDialect()))
    return !isa<ttig::ArriveBarrierOp, ttig::WaitBarrierOp, ttig::PrefetchOp,
                ttig::SurfaceOp, ttig::LoadBlockOp, ttig::StoreBlockOp,
                ttig::PrefetchBlockOp, ttig::LaunchConditionOp,
                ttig::AllocPrivateOp, ttig::DeallocPrivateOp, ttig::LoadSliceOp,
                ttig::StoreSliceOp, ttig::SubGroupShuffleOp,
                ttig::StackWarpsOp>(op);
  return isa<MakeTensorDescOp, DescriptorLoadOp, DescriptorStoreOp,
             DescriptorReduceOp, DescriptorGatherOp, DescriptorScatterOp,
             MakeTensorPtrOp, AdvanceOp, CatOp>(op) ||
         isa<PredicateStageOp, MaskOp, MaskReturnOp,
             UnrealizedConversionCastOp>(op);
}

/// Checks the messages of an access, and that their order is still that of its
/// tensor.
LogicalResult verifyBlockAccess(ttig::BlockAccessOpInterface op) {
  auto surface = op.getSurface().getDefiningOp<ttig::SurfaceOp>();
  if (surface && op.getOrder()) {
    unsigned dim = op.getBlockType().getRank() -
                   (op.getOrder() == ttig::BlockOrder::ColumnMajor ? 2 : 1);
    if (ttig::getContiguousDim(surface.getStrides()) != dim)
      return op->emitOpError("has another order than its tensor, of which the "
                             "stride of dimension ")
             << dim << " is not 1";
    if (surface.getRules() == ttig::SurfaceRuleState::Refused)
      return op->emitOpError("has an order, and its tensor is refused");
  }
  if (auto prefetch = dyn_cast<ttig::PrefetchBlockOp>(op.getOperation()))
    return ttig::getBlockPrefetchPlan(prefetch);
  return ttig::getBlockTilePlan(op);
}

/// Checks one operation; fails with a diagnostic.
LogicalResult verifyOperation(Operation *op) {
  // The first pass replaces block pointers whose makers are known.
  if (hasNoLowering(op) ||
      llvm::any_of(op->getOperandTypes(), isTensorPointerType))
    return op->emitOpError("should have been taken apart: it has no lowering");
  auto access = dyn_cast<ttig::BlockAccessOpInterface>(op);
  if (access)
    LDBG() << op->getName() << " at " << op->getLoc();
  return access ? verifyBlockAccess(access) : success();
}

/// Checks all operations of a module, so that one run reports all errors.
class VerifyTTGIR : public ttig::impl::TritonXeVerifyTTGIRBase<VerifyTTGIR> {
public:
  void runOnTTGIR() override {
    bool isLegal = true;
    getOperation().walk(
        [&](Operation *op) { isLegal &= succeeded(verifyOperation(op)); });
    if (!isLegal)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
