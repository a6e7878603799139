//===- KernelAttributes.h - Attributes of kernels in LLVM IR ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Attributes of functions in LLVM IR by which the lowering passes information
// to the back ends and to Python.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_KERNELATTRIBUTES_H
#define TRITON_INTEL_TARGET_KERNELATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::triton::gpu::intel {

/// Attribute of a kernel: the texts of its assertions, one per line.
inline constexpr llvm::StringLiteral kAssertionsAttribute =
    "triton-xe-assertions";

/// Attribute of a kernel: the names of its arguments in Python, separated by
/// commas; some may be empty.
inline constexpr llvm::StringLiteral kArgumentNamesAttribute =
    "triton-xe-argument-names";

/// Attributes of a kernel: the number of registers per thread that its
/// operations were ordered for, and the most bytes of them that are live at an
/// operation. python/triton_xe/register_mode.py and AddressRegisters.cpp read
/// them.
inline constexpr llvm::StringLiteral kRegistersAttribute =
    "triton-xe-registers";
inline constexpr llvm::StringLiteral kLiveBytesAttribute =
    "triton-xe-live-bytes";

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_KERNELATTRIBUTES_H
