//===- RewriteTensorPointer.cpp - Fallback for block accesses -------------===//
// SPDX-License-Identifier: MIT
//
// Chooses the 2D block messages of each access, now that layouts are known, and
// replaces the accesses without any by those through tensors of pointers.
//
// In the pipeline, accesses have their tensor and their offsets as operands.
// The pass also takes block pointers, which it analyzes itself. Pointers that
// flow into each other (PointerWebs.h) stay, or are replaced by their parts.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-rewrite-tensor-pointer"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

#include "OrdinaryAccesses.h"
#include "PointerWebs.h"
#include "intel/Analysis/Blocks/BlockTile.h"
#include "intel/Dialect/Triton/Transforms/BlockPointerAccesses.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/Triton/Transforms/BlockPointerParts.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUREWRITETENSORPOINTER
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// An access through a block pointer.
struct PointerAccess {
  Operation *op;
  Value pointer;
  BlockAccess answer;
};

/// See the head of the file.
class RewriteTensorPointerPass
    : public gpu::intel::impl::TritonIntelGPURewriteTensorPointerBase<
          RewriteTensorPointerPass> {
public:
  using TritonIntelGPURewriteTensorPointerBase::
      TritonIntelGPURewriteTensorPointerBase;

  void runOnTTGIR() override {
    if (failed(rewriteBlockPointers(getOperation())))
      return signalPassFailure();
    SmallVector<BlockAccessOpInterface> accesses;
    getOperation().walk(
        [&](BlockAccessOpInterface op) { accesses.push_back(op); });
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

  //===--------------------------------------------------------------------===//
  // Block pointers
  //===--------------------------------------------------------------------===//

  /// Replaces the webs of block pointers that have an access which cannot be a
  /// message, and reports the reason for each of their accesses.
  LogicalResult rewriteBlockPointers(ModuleOp module) {
    SmallVector<PointerAccess> accesses = findPointerAccesses(module);
    if (accesses.empty())
      return success();
    PointerWebs webs(module);
    // All decisions come first: one access decides for the others of its web.
    for (PointerAccess &access : accesses)
      if (!access.answer)
        webs.markForRewrite(access.pointer);
    for (PointerAccess &access : accesses) {
      if (!webs.isRewritten(access.pointer)) {
        ++numKept;
        continue;
      }
      // This access could have been a message without the others.
      if (access.answer) {
        access.answer.obstacle = BlockAccessObstacle::OtherAccess;
        access.answer.reason = "another access through the same block pointer "
                               "cannot be a 2D block message";
      }
      reportOrdinaryAccess(access.op, access.answer, getArgument());
      access.op->removeAttr(TritonIntelGPUDialect::getBlockIOAttrName());
    }
    // Rewriting starts at the makers: without one there are no parts.
    if (Value origin = webs.findUnknownOrigin())
      return reportUnknownOrigin(accesses, webs, origin);
    bool isAny = false;
    for (Value value : webs.getValues()) {
      if (!webs.isRewritten(value))
        continue;
      value.setType(getMarkedBlockPointer(value.getType()));
      isAny = true;
    }
    return isAny ? replaceMarkedBlockPointers(module) : success();
  }

  SmallVector<PointerAccess> findPointerAccesses(ModuleOp module) {
    SmallVector<PointerAccess> accesses;
    ValueSources sources(module);
    module.walk([&](Operation *op) {
      if (!isa<LoadOp, StoreOp, PrefetchOp>(op) ||
          !isTensorPointerType(op->getOperand(0).getType()))
        return;
      PointerAccess access{op, op->getOperand(0), {}};
      access.answer = analyzeAccessAndLayout(
          BlockAccessQuery(op, access.pointer, sources), sources);
      accesses.push_back(std::move(access));
    });
    return accesses;
  }

  /// Values have no separate line where they are arguments of blocks: the
  /// access that has to be rewritten has one.
  static LogicalResult reportUnknownOrigin(ArrayRef<PointerAccess> accesses,
                                           PointerWebs &webs, Value origin) {
    for (const PointerAccess &access : accesses) {
      if (!webs.isConnected(access.pointer, origin))
        continue;
      InFlightDiagnostic error = access.op->emitOpError(
          "cannot be a 2D block access, and its block pointer does not come "
          "from `tt.make_tensor_ptr`");
      error.attachNote(origin.getLoc()) << "the block pointer comes from here";
      break;
    }
    return failure();
  }
};

} // namespace
