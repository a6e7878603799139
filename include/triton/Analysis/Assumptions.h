//===- Assumptions.h - What a kernel says of its values ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads the assumptions of a kernel: `tl.assume` becomes an `llvm.intr.assume`
// of a comparison.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_ANALYSIS_ASSUMPTIONS_H
#define TRITON_ANALYSIS_ASSUMPTIONS_H

#include "mlir/IR/Value.h"

namespace mlir::triton {

/// Returns whether the kernel says by `tl.assume(value >= 0)` or the like that
/// `value` is not negative. Only assumptions in the block that defines the
/// value count, since others may be conditional.
bool isAssumedNonNegative(Value value);

} // namespace mlir::triton

#endif // TRITON_ANALYSIS_ASSUMPTIONS_H
