//===- LaunchConditions.cpp - Conditions on launches ----------------------===//
// SPDX-License-Identifier: MIT

#include "LaunchConditions.h"

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

/// Conditions of all surfaces of one tensor add up, those of both versions of
/// its code too: one tensor, one condition.
void LaunchConditions::add(ArrayRef<SurfaceCondition> surfaces) {
  for (const SurfaceCondition &surface : surfaces) {
    auto number = surface.maker->getAttrOfType<IntegerAttr>(
        TritonIntelGPUDialect::getSurfaceAttrName());
    // Only surfaces with a number can be told apart at launch.
    if (!number)
      continue;
    auto [it, isNew] = conditions.try_emplace(number.getInt(), surface);
    if (!isNew && !it->second.condition.append(surface.condition))
      llvm_unreachable("a tensor is made in one kernel");
  }
}

void LaunchConditions::create(StringRef category) const {
  // In the order in which they were added.
  for (const auto &[number, surface] : conditions) {
    if (!surface.condition.create(number))
      continue;
    remark::passed(
        surface.maker->getLoc(),
        remark::RemarkOpts::name("launch-condition").category(category))
        << remark::reason(
               "2D block messages address this tensor in launches where {0}",
               surface.condition.describe());
  }
}
