//===- AnnotateModule.cpp - Put the target on the module ------------------===//
// SPDX-License-Identifier: MIT
//
// Turns the name of the architecture into attributes of the module. No other
// pass does this.
//
//===----------------------------------------------------------------------===//

#define DEBUG_TYPE "tritonintelgpu-annotate-module"
#include "triton/Support/DebugOutput.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "intel/Dialect/TritonIntelGPU/IR/DotPrecision.h"
#include "intel/Dialect/TritonIntelGPU/IR/ScaledDot.h"
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

/// Returns whether a dot can have a layout of the systolic array, which
/// computes it directly, split into several products of narrower floats, or
/// with operands that are scaled first, or whose operands exact products of f32
/// have.
bool isOnDpas(DotOpInterface dot, const TargetDesc &target) {
  if (getDpasElementType(dot, target) || isExactSingleDot(dot, target))
    return true;
  if (auto common = dyn_cast<DotOp>(*dot))
    return static_cast<bool>(getSplitElementType(common, target));
  std::optional<CommonDot> scaled = getCommonDot(cast<DotScaledOp>(*dot));
  // Only tf32 replaces f32 there.
  if (!scaled ||
      (scaled->element.isF32() && scaled->precision == InputPrecision::IEEE))
    return false;
  std::optional<DpasElement> element =
      getDpasElement(scaled->element, /*isOperand=*/true);
  return element && target.supportsDpas({*element, *element, DpasElement::F32});
}

/// Returns whether some function has dots, all of which can have a layout of
/// the systolic array.
bool hasDpasFunction(ModuleOp module, const TargetDesc &target) {
  for (auto func : module.getOps<triton::FuncOp>()) {
    // Functions without dots do not matter.
    bool hasDot = false, allDpas = true;
    func.walk([&](DotOpInterface dot) {
      hasDot = true;
      allDpas &= isOnDpas(dot, target);
    });
    if (hasDot && allDpas)
      return true;
  }
  return false;
}

/// Sets the target and the sub-group size; each later pass reads them from the
/// module.
class AnnotateModulePass
    : public gpu::intel::impl::TritonAnnotateModuleBase<AnnotateModulePass> {
public:
  using TritonAnnotateModuleBase::TritonAnnotateModuleBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(setTarget(module, arch)))
      return signalPassFailure();
    StringRef lanesName = TritonGPUDialect::getThreadsPerWarpAttrName();
    // A size that the kernel brings with it is not changed.
    if (module->hasAttr(lanesName))
      return;
    TargetDesc target = getTargetDesc(module);
    int32_t lanes = threadsPerWarp;
    if (!target.isSubGroupSize(lanes)) {
      module.emitError("`threads-per-warp` must be a sub-group size of ")
          << arch << ", found " << lanes;
      return signalPassFailure();
    }
    // DPAS works with the smallest sub-groups.
    if (hasDpasFunction(module, target))
      lanes = target.getMinSubGroupSize();
    LDBG() << "sub-groups of " << lanes << " for " << arch;
    module->setAttr(lanesName, Builder(&getContext()).getI32IntegerAttr(lanes));
  }
};

} // namespace
