//===- LaunchConditions.cpp - Conditions on launches ----------------------===//
// SPDX-License-Identifier: MIT

#include "LaunchConditions.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

/// Conditions of all accesses of one tensor add up, those of both versions of
/// its code too: one tensor, one condition.
void LaunchConditions::add(ArrayRef<SurfaceCondition> surfaces) {
  for (const SurfaceCondition &surface : surfaces) {
    auto op = dyn_cast<SurfaceOp>(surface.surface);
    // Only surfaces with a number can be distinguished at launch.
    if (!op || !op.getNumber())
      continue;
    auto [it, isNew] =
        conditions.try_emplace(*op.getNumber(), surface.condition);
    if (!isNew && !it->second.append(surface.condition))
      llvm_unreachable("a tensor is in one kernel");
  }
}

void LaunchConditions::create() const {
  // In the order in which they were added.
  for (const auto &[number, condition] : conditions)
    condition.create(number);
}
