//===- LLVMIR.h - The LLVM dialect to LLVM IR -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The last step in MLIR: translates the result of triton-xe-llvm-pipeline to a
// module of LLVM, from which Target/SPIRV and Target/CPU make binaries. Used by
// the Python module and by triton-xe-translate.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_LLVMIR_LLVMIR_H
#define TRITON_INTEL_TARGET_LLVMIR_LLVMIR_H

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace mlir::triton::gpu::intel {

/// Registers the translations of the dialects of a lowered module to LLVM IR.
void registerAllTranslations(DialectRegistry &registry);

/// Returns the module in LLVM IR, with neither target nor data layout. Null,
/// with diagnostics, if operations have no translation, or if the halves of
/// split barriers do not take turns. The context of `module` must have been
/// built from a registry with `registerAllTranslations`.
std::unique_ptr<llvm::Module> translateToLLVMIR(ModuleOp module,
                                                llvm::LLVMContext &context);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_LLVMIR_LLVMIR_H
