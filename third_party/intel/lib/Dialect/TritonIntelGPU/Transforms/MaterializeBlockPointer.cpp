//===- MaterializeBlockPointer.cpp - Mark accesses for 2D block messages --===//
// SPDX-License-Identifier: MIT
//
// Runs the analysis of BlockAccess.h on every access through a block pointer,
// and records the result in the IR. The layout passes then know which loads and
// stores may have any layout of a block message.
//
// The sizes and addresses of some tensors are known only to the running kernel,
// which then checks them and chooses between two versions of its code
// (SurfaceVersions.h). The answer for the version that is checked is already
// known: nothing but these tensors kept its accesses from being messages.
//
//===----------------------------------------------------------------------===//

#include "SurfaceVersions.h"

#include "intel/Analysis/BlockAccess.h"
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

/// Leaves `ttig.block_io`, and what else messages depend on, on each access
/// that can be a message.
class MaterializeBlockPointerPass
    : public gpu::intel::impl::TritonIntelGPUMaterializeBlockPointerBase<
          MaterializeBlockPointerPass> {
public:
  using TritonIntelGPUMaterializeBlockPointerBase::
      TritonIntelGPUMaterializeBlockPointerBase;

  void runOnTTGIR() override {
    numberSurfaces();
    SmallVector<UndecidedAccess> undecided = markDecided();
    // In program order.
    llvm::SetVector<MakeTensorPtrOp> unknown;
    for (const UndecidedAccess &each : undecided)
      unknown.insert_range(each.access.unknownSurfaces);
    numVersions +=
        createSurfaceVersions(unknown.getArrayRef(), getArgument(),
                              [&](Operation *op) { return mayRewrite(op); });
    for (auto &[op, access] : undecided)
      if (llvm::all_of(access.unknownSurfaces, [](MakeTensorPtrOp maker) {
            return maker->hasAttr(TritonIntelGPUDialect::getCheckedAttrName());
          }))
        mark(op, access);
  }

private:
  /// Numbers tensors. A tensor gets the same number, whatever is said about the
  /// others: the variants of a kernel for these have the same IR up to here.
  /// Both versions of its code have this number.
  void numberSurfaces() {
    Builder builder(&getContext());
    int32_t number = 0;
    getOperation().walk([&](MakeTensorPtrOp maker) {
      if (llvm::is_contained(ordinarySurfaces, number))
        maker->setAttr(TritonIntelGPUDialect::getOrdinaryAttrName(),
                       builder.getUnitAttr());
      maker->setAttr(TritonIntelGPUDialect::getSurfaceAttrName(),
                     builder.getI32IntegerAttr(number++));
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
        // Accesses through tensors of pointers have none.
        if (!op.getBlockPointer())
          return;
        BlockAccess access = analyzeBlockAccess(op, sources);
        if (access)
          mark(op, access);
        else if (canDecide && !access.unknownSurfaces.empty())
          undecided.push_back({op, std::move(access)});
      });
    }
    return undecided;
  }

  void mark(BlockAccessOpInterface op, const BlockAccess &access) {
    setBlockIO(op, access.isColumnMajor ? BlockIOOrder::ColumnMajor
                                        : BlockIOOrder::RowMajor);
    // A mark says that a guard is proved to be unnecessary, so that a lost mark
    // costs a few instructions and no more.
    if (!access.mayPrecedeRows)
      op->setAttr(TritonIntelGPUDialect::getStartsInRowAttrName(),
                  UnitAttr::get(&getContext()));
    if (!access.hasUnknownRows)
      op->setAttr(TritonIntelGPUDialect::getBoundedRowsAttrName(),
                  UnitAttr::get(&getContext()));
    ++numMarked;
  }
};

} // namespace
