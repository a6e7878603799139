//===- LaunchConditionCode.h - Conditions for the runtime -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// `ttig.launch_condition` in the notation that the runtime evaluates
// (intel/ABI/ConditionOp.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHCONDITIONCODE_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHCONDITIONCODE_H

#include "mlir/IR/BuiltinOps.h"

#include <vector>

namespace mlir::triton::gpu::intel {

/// The condition under which 2D block messages may address one tensor.
struct LaunchConditionCode {
  /// The number of the tensor in the kernel; `abi::launchAssumption` for a
  /// condition of the whole kernel.
  int64_t surface;
  /// Constraints on the launch, all of which have to hold.
  std::vector<int64_t> code;
};

/// Returns the conditions of the kernel in `module`; empty if every launch may
/// run it.
SmallVector<LaunchConditionCode> getLaunchConditionCodes(ModuleOp module);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHCONDITIONCODE_H
