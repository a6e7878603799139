//===- LaunchBounds.h - Bounds that a launch knows --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A value that depends on the program id is not known when a kernel is
// launched, but bounds of it often are: the end of a stretch of K, `min(K, (p +
// 1) * stretch)`, is at least the smaller one of K and `stretch`, and at most
// K.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LAUNCHBOUNDS_H
#define INTEL_ANALYSIS_LAUNCHBOUNDS_H

#include "intel/Analysis/LaunchCondition.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"

namespace mlir::triton::gpu::intel {

/// Bounds of a scalar integer, in terms of the arguments of the kernel and the
/// extents of the grid.
struct LaunchBounds {
  /// The value is not less than the least of these. If empty, there is no known
  /// bound.
  SmallVector<AffineExpr> lower;
  /// The value is not more than the largest of these.
  SmallVector<AffineExpr> upper;
};

/// Bounds of `value`, which are the value itself if the launch knows it. Their
/// preconditions, such as arithmetic that does not overflow, are added to
/// `condition`.
LaunchBounds getLaunchBounds(Value value, ValueSources &sources,
                             LaunchCondition &condition);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LAUNCHBOUNDS_H
