//===- Calls.h - Calls of functions by their names --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Builtins of OpenCL C and SPIR-V are functions with mangled names.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_CALLS_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_CALLS_H

#include "llvm/IR/IRBuilder.h"

namespace triton::intel::spirv {

/// The builtins that return the number of a lane in its sub-group, and that of
/// a sub-group in its work-group.
inline constexpr llvm::StringLiteral kLaneId = "_Z22get_sub_group_local_idv";
inline constexpr llvm::StringLiteral kSubGroupId = "_Z16get_sub_group_idv";

/// Returns the name of the function that a call calls directly; empty for
/// others, and for values that are no call.
llvm::StringRef getCalleeName(const llvm::Value *value);

/// Returns a function's source name: what an Itanium-mangled plain function is
/// called, or the name itself.
llvm::StringRef getSourceName(llvm::StringRef name);

/// Returns whether a builtin of this source name multiplies matrices, which
/// takes an instruction of the systolic array (DPAS).
bool isProduct(llvm::StringRef sourceName);

/// Calls a builtin, which is declared if it was not.
llvm::CallInst *callBuiltin(llvm::IRBuilder<> &builder, llvm::StringRef mangled,
                            llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> operands);

/// Returns a copy of an integer that the device compiler does not look through:
/// inline assembly without code, which takes the register as it is.
llvm::CallInst *createOpaqueCopy(llvm::IRBuilder<> &builder,
                                 llvm::Value *number);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_CALLS_H
