//===- ExecutionWeight.h - How often does a block run? ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The weight that costs are multiplied by before they are compared.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_REGISTERS_EXECUTIONWEIGHT_H
#define TRITON_INTEL_ANALYSIS_REGISTERS_EXECUTIONWEIGHT_H

#include "mlir/IR/Block.h"

namespace mlir::triton::gpu::intel {

/// The weight of a block that runs once.
constexpr int64_t kWeightOfOnce = 64;

/// Returns how often code in `block` runs, relative to a block that runs once.
/// A loop multiplies by 8 or, if `countsTrips` is set and the number of
/// iterations is known, by this number. One of the two branches of a condition
/// is taken. The result is 64 * 2^12 at most.
int64_t getExecutionWeight(Block *block, bool countsTrips);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_REGISTERS_EXECUTIONWEIGHT_H
