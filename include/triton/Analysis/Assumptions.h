//===- Assumptions.h - What a kernel says of its values ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// `tl.assume` becomes an `llvm.intr.assume` of a comparison.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_ASSUMPTIONS_H
#define TRITON_ANALYSIS_ASSUMPTIONS_H

#include "mlir/IR/Value.h"

namespace mlir::triton {

/// Whether the kernel says so by `tl.assume(value >= 0)` or the like, in the
/// block that defines the value: elsewhere a condition may have come before.
bool isAssumedNonNegative(Value value);

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_ASSUMPTIONS_H
