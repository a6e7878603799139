//===- KernelAttributes.h - Attributes of kernels in LLVM IR ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Attributes of functions in LLVM IR by which the lowering passes information
// to the back ends.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_TARGET_KERNELATTRIBUTES_H
#define INTEL_TARGET_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::triton::gpu::intel {

/// Attribute of a kernel: the texts of its assertions, one per line.
inline constexpr llvm::StringLiteral kAssertionsAttribute =
    "triton-xe-assertions";

/// Attribute of a kernel: the names of its arguments in Python, separated by
/// commas; some may be empty.
inline constexpr llvm::StringLiteral kArgumentNamesAttribute =
    "triton-xe-argument-names";

} // namespace mlir::triton::gpu::intel

#endif // INTEL_TARGET_KERNELATTRIBUTES_H
