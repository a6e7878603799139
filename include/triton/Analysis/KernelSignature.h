//===- KernelSignature.h - Kernels and their arguments ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The facts that a launch needs about the functions of a module, at any stage:
// which of them are kernels, and the types of their arguments in the notation
// of Triton's signatures.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_KERNELSIGNATURE_H
#define TRITON_ANALYSIS_KERNELSIGNATURE_H

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace mlir::triton {

struct KernelSignature {
  std::string name;
  /// "i32", "fp16", "bf16", "*fp32", ... per argument. A pointer of the LLVM
  /// dialect, which no longer has a pointee type, is "*i8"; a descriptor has
  /// its MLIR type without a layout; a type that no signature can name is the
  /// empty text.
  SmallVector<std::string> types;
};

/// Returns the public functions of `module` that have a body, in order.
SmallVector<KernelSignature> getKernelSignatures(ModuleOp module);

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_KERNELSIGNATURE_H
