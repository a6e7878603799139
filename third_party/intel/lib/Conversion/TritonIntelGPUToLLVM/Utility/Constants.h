//===- Constants.h - Integers that the lowering knows -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_CONSTANTS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_CONSTANTS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Returns `constant` as an i32 (i64).
Value constantI32(RewriterBase &rewriter, Location loc, int32_t constant);
Value constantI64(RewriterBase &rewriter, Location loc, int64_t constant);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_CONSTANTS_H
