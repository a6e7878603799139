//===- NonNegative.h - Scalars that cannot be negative ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Proves that coordinates of a tensor are not negative. A 2D block message then
// needs no check of the lower bound: the extents of the surface exclude
// coordinates that are too large.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_NONNEGATIVE_H
#define INTEL_ANALYSIS_NONNEGATIVE_H

#include "intel/Analysis/LaunchCondition.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"

namespace mlir::triton::gpu::intel {

/// Whether the signed integer `value` is known not to be negative, provided
/// that its arithmetic does not overflow, in launches that satisfy the
/// constraints that are added to `condition`: arguments are not negative and,
/// if the kernel divides by the number of remaining tiles, there are no more
/// programs than tiles (see NonNegative.cpp).
bool isNonNegativeAtLaunch(Value value, ValueSources &sources,
                           LaunchCondition &condition);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_NONNEGATIVE_H
