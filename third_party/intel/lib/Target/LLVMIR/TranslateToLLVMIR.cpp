//===- TranslateToLLVMIR.cpp - The LLVM dialect to LLVM IR ----------------===//
// SPDX-License-Identifier: MIT

#include "intel/Target/LLVMIR/LLVMIR.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/XeVM/XeVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace mlir::triton::gpu::intel {

void registerAllTranslations(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  // Cache controls and the like stay on operations of the LLVM dialect.
  registerXeVMDialectTranslation(registry);
}

std::unique_ptr<llvm::Module> translateToLLVMIR(ModuleOp module,
                                                llvm::LLVMContext &context) {
  return translateModuleToLLVMIR(module, context);
}

} // namespace mlir::triton::gpu::intel
