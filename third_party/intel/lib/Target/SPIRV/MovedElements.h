//===- MovedElements.h - Vectors that repeat elements -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A number that several elements share, such as a zero point, is broadcast by
// shuffles. A result that depends on it alone is computed once, and broadcast
// in the same way.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_MOVEDELEMENTS_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_MOVEDELEMENTS_H

#include "llvm/IR/IRBuilder.h"

namespace triton::intel::spirv {

/// Returns the vector or scalar whose elements `value` has, moved or repeated.
/// Returns null if there is no such value.
llvm::Value *getMoved(llvm::Value *value);

/// Returns `moved`, which was computed from the vector that `value` has
/// elements of, moved in the same way.
llvm::Value *moveAlike(llvm::IRBuilder<> &builder, llvm::Value *value,
                       llvm::Value *moved);

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_MOVEDELEMENTS_H
