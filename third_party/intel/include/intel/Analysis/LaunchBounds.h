//===- LaunchBounds.h - Bounds that a launch knows --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// What depends on a program's number is not known when a kernel is launched,
// but often what it lies between: the end of a stretch of K is
// `min(K, (p + 1) * stretch)`, at least the smaller one of K and `stretch`, and
// at most K.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LAUNCHBOUNDS_H
#define INTEL_ANALYSIS_LAUNCHBOUNDS_H

#include "intel/Analysis/LaunchCondition.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"

namespace mlir::triton::gpu::intel {

/// Where a scalar integer lies, in terms of the arguments of the kernel and the
/// extents of the grid.
struct LaunchBounds {
  /// The value is not less than the least of these; nothing is known without
  /// any.
  SmallVector<AffineExpr> lower;
  /// The value is not more than the largest of these.
  SmallVector<AffineExpr> upper;
};

/// Bounds of `value`, which are the value itself where the launch knows it.
/// What has to hold for them, such as arithmetic that fits its type, is added
/// to `condition`.
LaunchBounds getLaunchBounds(Value value, ValueSources &sources,
                             LaunchCondition &condition);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LAUNCHBOUNDS_H
