//===- StopPrograms.h - The mark where a program may stop -------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef INTEL_DIALECT_LLVMIR_TRANSFORMS_STOPPROGRAMS_H
#define INTEL_DIALECT_LLVMIR_TRANSFORMS_STOPPROGRAMS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::triton::gpu::intel {

/// A function of one i1 whose call marks that the calling function returns if
/// the i1 is true. tritonintelgpu-stop-programs replaces the call.
inline constexpr llvm::StringLiteral kStopFunction = "triton_xe_stop_if";

} // namespace mlir::triton::gpu::intel

#endif // INTEL_DIALECT_LLVMIR_TRANSFORMS_STOPPROGRAMS_H
