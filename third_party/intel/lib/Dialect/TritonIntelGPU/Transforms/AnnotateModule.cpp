//===- AnnotateModule.cpp - Put the target on the module ------------------===//
//
// The one place where the architecture's name turns into facts in the IR.
//
//===----------------------------------------------------------------------===//

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONANNOTATEMODULE
#include "intel/Dialect/TritonIntelGPU/Transforms/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu;
using namespace mlir::triton::gpu::intel;

namespace {

/// Whether some function has dots, all of which the systolic array can compute.
bool hasDpasFunction(ModuleOp module, const TargetDesc &target) {
  for (auto func : module.getOps<triton::FuncOp>()) {
    bool hasDot = false, allDpas = true;
    func.walk([&](DotOp dot) {
      hasDot = true;
      allDpas &=
          getDpasElementType(dot, target) || getSplitElementType(dot, target);
    });
    if (hasDot && allDpas)
      return true;
  }
  return false;
}

class AnnotateModulePass
    : public gpu::intel::impl::TritonAnnotateModuleBase<AnnotateModulePass> {
public:
  using TritonAnnotateModuleBase::TritonAnnotateModuleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(setTarget(module, arch)))
      return signalPassFailure();
    if (maxConversionBytes >= 0)
      module->setAttr(
          TritonGPUDialect::getMaxConversionBytesAttrName(),
          Builder(&getContext()).getI32IntegerAttr(maxConversionBytes));
    StringRef lanesName = TritonGPUDialect::getThreadsPerWarpAttrName();
    if (module->hasAttr(lanesName))
      return;
    TargetDesc target = getTargetDesc(module);
    int32_t lanes = threadsPerWarp;
    if (!target.isSubGroupSize(lanes)) {
      module.emitError("`threads-per-warp` must be a sub-group size of ")
          << arch << ", found " << lanes;
      return signalPassFailure();
    }
    if (hasDpasFunction(module, target))
      lanes = target.getMinSubGroupSize();
    module->setAttr(lanesName, Builder(&getContext()).getI32IntegerAttr(lanes));
  }
};

} // namespace
