//===- MaterializeBlockPointer.cpp - Mark accesses for 2D block messages --===//
// SPDX-License-Identifier: MIT
//
// Runs the analysis of BlockAccess.h on every access of a block, and records
// the result in the IR. The layout passes then know which loads and stores may
// have any layout of a block message.
//
// The sizes and addresses of some tensors are known only to the running kernel,
// which then checks them and chooses between two versions of its code
// (SurfaceVersions.h). The answer for the version that is checked is already
// known: nothing but these tensors kept its accesses from being messages.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-materialize-block-pointer"
#include "triton/Support/DebugOutput.h"

#include "AccessAnswers.h"
#include "SurfaceVersions.h"

#include "intel/Analysis/Blocks/BlockAccess.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUMATERIALIZEBLOCKPOINTER
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

/// An access that depends on what the running kernel finds out.
struct UndecidedAccess {
  BlockAccessOpInterface op;
  SurfaceOp surface;
  BlockAccess access;
};

/// Returns whether a function has a layout of DPAS, without which no access
/// becomes a message.
bool hasDpas(FuncOp function) {
  return function
      .walk([](DotOpInterface dot) {
        return isa<DpasEncodingAttr>(dot.getType().getEncoding())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Sets the order of each access that can be a message, and what else messages
/// depend on.
class MaterializeBlockPointerPass
    : public gpu::intel::impl::TritonIntelGPUMaterializeBlockPointerBase<
          MaterializeBlockPointerPass> {
public:
  using TritonIntelGPUMaterializeBlockPointerBase::
      TritonIntelGPUMaterializeBlockPointerBase;

  void runOnTTGIR() override {
    numberSurfaces(getOperation());
    getOperation().walk([&](SurfaceOp surface) {
      if (llvm::is_contained(ordinarySurfaces, *surface.getNumber()))
        surface.setRules(SurfaceRuleState::Refused);
    });
    AccessAnswers answers(getArgument());
    SmallVector<UndecidedAccess> undecided = recordDecided(answers);
    // In program order.
    llvm::SetVector<SurfaceOp> unknown;
    for (const UndecidedAccess &each : undecided)
      unknown.insert(each.surface);
    numVersions +=
        createSurfaceVersions(unknown.getArrayRef(), getArgument(),
                              [&](Operation *op) { return mayRewrite(op); });
    for (UndecidedAccess &each : undecided) {
      // The check was the last obstacle.
      if (each.surface.getRules() == SurfaceRuleState::Checked)
        each.access.obstacle = BlockAccessObstacle::None;
      record(answers, each.op, each.access);
    }
    answers.createConditions();
  }

private:
  /// Records the answer for each access that is a message in all launches, or
  /// under a condition on the launch, or in none. Returns those about which the
  /// kernel may decide.
  SmallVector<UndecidedAccess> recordDecided(AccessAnswers &answers) {
    SmallVector<UndecidedAccess> undecided;
    ValueSources sources(getOperation());
    for (auto function : getOperation().getOps<FuncOp>()) {
      bool canDecide = hasDpas(function);
      function.walk([&](BlockAccessOpInterface op) {
        BlockAccessQuery query(op);
        BlockAccess access = analyzeBlockAccess(query, sources);
        if (!access && canDecide && access.isSurfaceUnknown)
          undecided.push_back({op, query.surface, std::move(access)});
        else
          record(answers, op, access);
      });
    }
    return undecided;
  }

  void record(AccessAnswers &answers, BlockAccessOpInterface op,
              const BlockAccess &access) {
    if (!answers.record(op, access)) {
      LDBG() << op->getName() << " at " << op.getLoc()
             << " cannot be messages: " << access.reason;
      return;
    }
    LDBG() << op->getName() << " at " << op.getLoc() << " can be messages, "
           << (access.isColumnMajor ? "columns" : "rows") << " in memory";
    ++numMarked;
  }
};

} // namespace
