//===- ExecutionWeight.h - How often does a block run? ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// What costs are multiplied with, wherever they are compared.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_EXECUTIONWEIGHT_H
#define INTEL_ANALYSIS_EXECUTIONWEIGHT_H

#include "mlir/IR/Block.h"

namespace mlir::triton::gpu::intel {

/// What a block that runs once weighs.
constexpr int64_t kWeightOfOnce = 64;

/// How often code in `block` runs, relatively: a loop multiplies by 8, or by
/// its iterations where `countsTrips` and these are known, and of the two
/// branches of a condition one is taken. 64 * 2^12 at most.
int64_t getExecutionWeight(Block *block, bool countsTrips);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_EXECUTIONWEIGHT_H
