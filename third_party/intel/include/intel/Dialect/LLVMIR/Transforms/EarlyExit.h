//===- EarlyExit.h - The mark of an early exit ------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_EARLYEXIT_H
#define TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_EARLYEXIT_H

#include "llvm/ADT/StringRef.h"

namespace mlir::triton::gpu::intel {

/// A function of one i1 whose call marks that the calling function returns if
/// the i1 is true. tritonintelgpu-lower-control-flow replaces the call.
inline constexpr llvm::StringLiteral kEarlyExitFunction = "triton_xe_exit_if";

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_DIALECT_LLVMIR_TRANSFORMS_EARLYEXIT_H
