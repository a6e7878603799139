//===- NonNegative.h - Scalars that cannot be negative ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Coordinates of a tensor that are zero or more are left out of messages by the
// upper bounds of a surface alone; nothing has to be done about its lower ones.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_NONNEGATIVE_H
#define INTEL_ANALYSIS_NONNEGATIVE_H

#include "intel/Analysis/LaunchCondition.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/ValueSources.h"

namespace mlir::triton::gpu::intel {

/// Whether the signed integer `value` is proved to be zero or more, provided
/// that its arithmetic does not overflow.
bool isKnownNonNegative(Value value, ValueSources &sources);

/// The same for launches that satisfy what is added to `condition`: arguments
/// that are not negative, and no more programs than there are tiles where a
/// kernel divides by the tiles that are left (see NonNegative.cpp).
bool isNonNegativeAtLaunch(Value value, ValueSources &sources,
                           LaunchCondition &condition);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_NONNEGATIVE_H
