//===- SideEntries.h - Divergent regions with one entry ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_CPU_SIDEENTRIES_H
#define TRITON_INTEL_LIB_TARGET_CPU_SIDEENTRIES_H

#include "intel/Target/CPU/LaneDivergence.h"

namespace triton::intel::cpu {

/// Copies a block for the predecessors outside of a divergent region, so that
/// the region is entered through its entry alone. Returns whether there was one
/// to copy; then control flow has changed, `shapes` is out of date, and there
/// may be another one.
bool splitSideEntry(llvm::Function &function, LaneDivergence &shapes);

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_SIDEENTRIES_H
