//===- NarrowDoubles.h - f64 to f16 -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_TARGET_NARROWDOUBLES_H
#define TRITON_INTEL_TARGET_NARROWDOUBLES_H

#include "llvm/IR/IRBuilder.h"

namespace triton::intel {

/// Emits the conversion of f64, a scalar or a vector, to f16 with one rounding,
/// by conversions to f32 and from f32 that hardware has.
llvm::Value *narrowToHalf(llvm::IRBuilderBase &builder, llvm::Value *value);

} // namespace triton::intel

#endif // TRITON_INTEL_TARGET_NARROWDOUBLES_H
