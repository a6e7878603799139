//===- LaneForm.h - Kernels as the analysis of lanes reads them -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Finds what LaneDivergence needs to know of a kernel, and brings its control
// flow into the form that the analysis expects.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_CPU_LANEFORM_H
#define TRITON_INTEL_TARGET_CPU_LANEFORM_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace triton::intel::cpu {

/// The number of lanes of the module's kernels, and of its sub-groups.
struct Geometry {
  unsigned numLanes = 0;
  /// 0 if the kernel does not state it.
  unsigned numSubGroups = 0;
};

/// Returns the module's one kernel; an error if there are none or several.
llvm::Expected<llvm::Function *> findKernel(llvm::Module &module);

/// Reads the numbers from OpenCL's metadata. Returns an error for sub-groups of
/// neither 16 nor 32 lanes.
llvm::Expected<Geometry> readGeometry(const llvm::Function &kernel);

/// Brings control flow into a form with no unreachable blocks and switches, one
/// return, loops with preheaders, and phis for what leaves them.
void simplifyControlFlow(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_TARGET_CPU_LANEFORM_H
