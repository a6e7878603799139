//===- RewriteTensorPointer.cpp - Fallback for block accesses -------------===//
// SPDX-License-Identifier: MIT
//
// Chooses the 2D block messages of each access, now that layouts are known, and
// replaces the accesses without any by those through tensors of pointers.
//
// In the pipeline, accesses have their tensor and their offsets as operands,
// and the results of the analysis of BlockAccess.h. The pass also takes block
// pointers, which it brings into this form, and accesses that have not been
// analyzed.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-rewrite-tensor-pointer"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "AccessAnswers.h"
#include "OrdinaryAccesses.h"
#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Dialect/Triton/Transforms/BlockPointerAccesses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUREWRITETENSORPOINTER
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// See the head of the file.
class RewriteTensorPointerPass
    : public gpu::intel::impl::TritonIntelGPURewriteTensorPointerBase<
          RewriteTensorPointerPass> {
public:
  using TritonIntelGPURewriteTensorPointerBase::
      TritonIntelGPURewriteTensorPointerBase;

  void runOnTTGIR() override {
    if (failed(replaceBlockPointers(getOperation())))
      return signalPassFailure();
    SmallVector<BlockAccessOpInterface> accesses;
    getOperation().walk(
        [&](BlockAccessOpInterface op) { accesses.push_back(op); });
    analyze(accesses);
    for (BlockAccessOpInterface op : accesses) {
      if (!chooseMessages(op)) {
        LDBG() << op->getName() << " at " << op.getLoc()
               << " becomes an ordinary access";
        ++numRewritten;
        if (failed(replaceByOrdinaryAccess(op)))
          return signalPassFailure();
        continue;
      }
      LDBG() << op->getName() << " at " << op.getLoc() << " stays: messages";
      ++numKept;
    }
    settleConditions();
  }

private:
  /// Analyzes the accesses that no pass has analyzed: those without an order,
  /// of tensors without a number.
  void analyze(ArrayRef<BlockAccessOpInterface> accesses) {
    SmallVector<BlockAccessOpInterface> unknown;
    llvm::copy_if(accesses, std::back_inserter(unknown),
                  [](BlockAccessOpInterface op) {
                    auto surface = op.getSurface().getDefiningOp<SurfaceOp>();
                    return !op.getOrder() && surface && !surface.getNumber();
                  });
    numberSurfaces(getOperation());
    AccessAnswers answers(getArgument());
    ValueSources sources(getOperation());
    for (BlockAccessOpInterface op : unknown)
      answers.record(op, analyzeBlockAccess(op, sources));
    answers.createConditions();
  }

  /// Sets the messages of an access. Returns false, and reports the reason, if
  /// there are none.
  bool chooseMessages(BlockAccessOpInterface op) {
    // The pass that has refused an access has reported it.
    if (!op.getOrder())
      return false;
    bool isColumnMajor = op.getOrder() == BlockOrder::ColumnMajor;
    BlockAccessQuery query(op);
    BlockAccess refusal;
    FailureOr<MessagesAttr> messages =
        intel::chooseMessages(query, isColumnMajor, &refusal.reason);
    if (succeeded(messages)) {
      op.setMessagesAttr(*messages);
      return true;
    }
    refusal.obstacle = BlockAccessObstacle::Layout;
    reportOrdinaryAccess(op, refusal, getArgument());
    return false;
  }

  /// Reports the conditions on launches of tensors that messages address, and
  /// drops those of all others.
  void settleConditions() {
    llvm::DenseMap<int32_t, Location> addressed;
    getOperation().walk([&](BlockAccessOpInterface op) {
      auto surface = op.getSurface().getDefiningOp<SurfaceOp>();
      if (surface && surface.getNumber())
        addressed.try_emplace(*surface.getNumber(), surface.getLoc());
    });
    getOperation().walk([&](LaunchConditionOp op) {
      if (!op.getSurface())
        return;
      auto it = addressed.find(*op.getSurface());
      if (it == addressed.end()) {
        op->erase();
        return;
      }
      remark::passed(
          it->second,
          remark::RemarkOpts::name("launch-condition").category(getArgument()))
          << remark::reason(
                 "2D block messages address this tensor in launches where {0}",
                 LaunchCondition(op).describe());
    });
  }
};

} // namespace
