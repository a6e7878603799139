//===- Pipeline.h - Shared by the two entry points --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Parsing and running LLVM passes, for optimizeLLVMIR and translateToSPIRV.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_PIPELINE_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_PIPELINE_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace triton_xe::spirv {

llvm::Expected<std::unique_ptr<llvm::Module>>
parseLLVMIR(llvm::StringRef text, llvm::LLVMContext &context);

/// Runs the passes with fresh analyses. No C library function is known to them.
void runPipeline(llvm::ModulePassManager passes, llvm::Module &module,
                 llvm::TargetMachine &machine);

} // namespace triton_xe::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_PIPELINE_H
