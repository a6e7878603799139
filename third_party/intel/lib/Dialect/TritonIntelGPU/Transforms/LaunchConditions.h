//===- LaunchConditions.h - Conditions on launches --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Gathers the conditions of all tensors that 2D block messages address, and
// leaves them in the kernel for the launcher.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAUNCHCONDITIONS_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAUNCHCONDITIONS_H

#include "intel/Analysis/Blocks/BlockAccess.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {

class LaunchConditions {
public:
  /// Adds the conditions that the result for an access depends on.
  void add(ArrayRef<SurfaceCondition> surfaces);

  /// Adds each condition to its kernel as a `ttig.launch_condition`.
  void create() const;

private:
  /// By the numbers of tensors.
  llvm::MapVector<int32_t, LaunchCondition> conditions;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_LAUNCHCONDITIONS_H
