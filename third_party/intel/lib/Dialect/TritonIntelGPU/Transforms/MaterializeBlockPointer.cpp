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

#include "LaunchConditions.h"
#include "OrdinaryAccesses.h"
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
    conditions = LaunchConditions();
    numberSurfaces();
    SmallVector<UndecidedAccess> undecided = markDecided();
    // In program order.
    llvm::SetVector<Operation *> unknown;
    for (const UndecidedAccess &each : undecided)
      unknown.insert_range(each.access.unknownSurfaces);
    numVersions += createSurfaceVersions(
        llvm::map_to_vector(unknown,
                            [](Operation *op) { return cast<SurfaceOp>(op); }),
        getArgument(), [&](Operation *op) { return mayRewrite(op); });
    ValueSources sources(getOperation());
    for (auto &[op, access] : undecided) {
      bool isChecked = llvm::all_of(access.unknownSurfaces, [](Operation *op) {
        return cast<SurfaceOp>(op).getRules() == SurfaceRuleState::Checked;
      });
      decide(op, isChecked ? analyzeBlockAccess(op, sources) : access);
    }
    conditions.create();
  }

private:
  /// Numbers tensors. A tensor gets the same number, whatever holds for the
  /// others: the variants of a kernel for these have the same IR up to here.
  /// Both versions of its code have this number.
  void numberSurfaces() {
    int32_t number = 0;
    getOperation().walk([&](SurfaceOp surface) {
      if (llvm::is_contained(ordinarySurfaces, number))
        surface.setRules(SurfaceRuleState::Refused);
      surface.setNumber(number++);
    });
  }

  /// Marks each access that is a message in all launches, or under a condition
  /// on the launch. Returns those about which the kernel may decide.
  SmallVector<UndecidedAccess> markDecided() {
    SmallVector<UndecidedAccess> undecided;
    ValueSources sources(getOperation());
    for (auto function : getOperation().getOps<FuncOp>()) {
      bool canDecide = hasDpas(function);
      function.walk([&](BlockAccessOpInterface op) {
        BlockAccess access = analyzeBlockAccess(op, sources);
        if (!access && canDecide && !access.unknownSurfaces.empty())
          undecided.push_back({op, std::move(access)});
        else
          decide(op, access);
      });
    }
    return undecided;
  }

  /// Records the answer for an access.
  void decide(BlockAccessOpInterface op, const BlockAccess &access) {
    if (!access) {
      LDBG() << op->getName() << " at " << op.getLoc()
             << " cannot be messages: " << access.reason;
      reportOrdinaryAccess(op, access, getArgument());
      return;
    }
    LDBG() << op->getName() << " at " << op.getLoc() << " can be messages, "
           << (access.isColumnMajor ? "columns" : "rows") << " in memory";
    op.setOrder(access.isColumnMajor ? BlockOrder::ColumnMajor
                                     : BlockOrder::RowMajor);
    op.setStartsInRow(!access.mayPrecedeRows);
    op.setBoundedRows(!access.hasUnknownRows);
    conditions.add(access.conditions);
    ++numMarked;
  }

  LaunchConditions conditions;
};

} // namespace
