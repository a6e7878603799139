//===- VerifyLLVM.cpp - Check what translates to LLVM IR ------------------===//
// SPDX-License-Identifier: MIT
//
// The last pass of the stage. The lowering is partial: operations that no
// pattern matches stay. This pass reports them as errors, with the line of the
// kernel. It changes nothing.
//
//===----------------------------------------------------------------------===//

#include "intel/Pipelines/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::triton::gpu::intel {
#define GEN_PASS_DEF_TRITONXEVERIFYLLVM
#include "intel/Pipelines/Passes.h.inc"
} // namespace mlir::triton::gpu::intel

using namespace mlir;

namespace {

LogicalResult verifyOperation(Operation *op) {
  if (isa<ModuleOp>(op) || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
    return success();
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op))
    return cast.emitOpError("is left of a lowering: nobody turns ")
           << cast.getOperandTypes() << " into " << cast.getResultTypes();
  return op->emitOpError("should have been lowered to the LLVM dialect");
}

class VerifyLLVM
    : public mlir::triton::gpu::intel::impl::TritonXeVerifyLLVMBase<
          VerifyLLVM> {
public:
  void runOnOperation() override {
    bool isLegal = true;
    getOperation().walk(
        [&](Operation *op) { isLegal &= succeeded(verifyOperation(op)); });
    if (!isLegal)
      signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
