//===- MaterializeBlockPointer.cpp - Mark accesses for 2D block messages --===//
// SPDX-License-Identifier: MIT
//
// Runs the analysis of BlockAccess.h on every access through a block pointer,
// and records the result in the IR. The layout passes then know which loads and
// stores may have any layout of a block message.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/BlockAccess.h"
#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONINTELGPUMATERIALIZEBLOCKPOINTER
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

namespace {

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
    ValueSources sources(getOperation());
    getOperation().walk([&](BlockAccessOpInterface op) {
      // Accesses through tensors of pointers.
      if (!op.getBlockPointer())
        return;
      BlockAccess access = analyzeBlockAccess(op, sources);
      if (!access)
        return;
      setBlockIO(op, access.isColumnMajor ? BlockIOOrder::ColumnMajor
                                          : BlockIOOrder::RowMajor);
      // A mark says that a guard is proved to be unnecessary, so that a lost
      // mark costs a few instructions and no more.
      if (!access.mayPrecedeRows)
        op->setAttr(TritonIntelGPUDialect::getStartsInRowAttrName(),
                    UnitAttr::get(&getContext()));
      if (!access.hasUnknownRows)
        op->setAttr(TritonIntelGPUDialect::getBoundedRowsAttrName(),
                    UnitAttr::get(&getContext()));
      ++numMarked;
    });
  }

private:
  /// Numbers tensors. A tensor gets the same number, whatever is said about the
  /// others: the variants of a kernel for these have the same IR up to here.
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
};

} // namespace
