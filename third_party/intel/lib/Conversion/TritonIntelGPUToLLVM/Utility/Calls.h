//===- Calls.h - Calls of functions that others define ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_CALLS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_CALLS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Returns the function `name`, declared at module scope if it is not yet
/// there. `isConvergent` for everything that involves other work-items.
LLVM::LLVMFuncOp lookupOrDeclareFunction(RewriterBase &rewriter,
                                         Operation *user, StringRef name,
                                         Type result, ArrayRef<Type> arguments,
                                         bool isPure, bool isConvergent);

/// Calls the function `name` (declared on demand); null for a void result.
Value callFunction(RewriterBase &rewriter, Location loc, StringRef name,
                   Type result, ValueRange arguments, bool isPure,
                   bool isConvergent);

/// Calls the function `name` (declared on demand), which returns nothing.
LLVM::CallOp callProcedure(RewriterBase &rewriter, Location loc, StringRef name,
                           ValueRange arguments, bool isConvergent);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_CALLS_H
