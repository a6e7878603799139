//===- Calls.h - Calls of functions by their names --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Builtins of OpenCL C and SPIR-V are functions with mangled names.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_LIB_TARGET_SPIRV_CALLS_H
#define INTEL_LIB_TARGET_SPIRV_CALLS_H

#include "llvm/IR/IRBuilder.h"

namespace triton_xe::spirv {

/// Returns the name of the function that a call calls directly; empty for
/// others, and for values that are no call.
llvm::StringRef getCalleeName(const llvm::Value *value);

/// Calls a builtin, which is declared if it was not.
llvm::CallInst *callBuiltin(llvm::IRBuilder<> &builder, llvm::StringRef mangled,
                            llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> operands);

} // namespace triton_xe::spirv

#endif // INTEL_LIB_TARGET_SPIRV_CALLS_H
