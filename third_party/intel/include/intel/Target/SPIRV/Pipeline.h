//===- Pipeline.h - LLVM passes on a module ---------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Parsing of LLVM IR, and a run of LLVM passes. Every translation of LLVM IR
// begins with the one and does its work in the other.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_SPIRV_PIPELINE_H
#define TRITON_INTEL_TARGET_SPIRV_PIPELINE_H

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace triton::intel::spirv {

llvm::Expected<std::unique_ptr<llvm::Module>>
parseLLVMIR(llvm::StringRef text, llvm::LLVMContext &context);

/// Runs the passes with fresh analyses. No C library function is known to them.
void runPipeline(llvm::ModulePassManager passes, llvm::Module &module,
                 llvm::TargetMachine &machine);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_TARGET_SPIRV_PIPELINE_H
