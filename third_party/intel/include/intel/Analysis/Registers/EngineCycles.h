//===- EngineCycles.h - Cycles of vector engines ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The figures of a vector engine that models of costs count with. Only those of
// Xe-HPC are public, and are used for all chips here (the sources are in
// triton_xe/tools/report/roofline.py and hardware.py).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_REGISTERS_ENGINECYCLES_H
#define TRITON_INTEL_ANALYSIS_REGISTERS_ENGINECYCLES_H

#include <cstdint>

namespace mlir::triton::gpu::intel {

/// Lanes of an instruction that an engine executes in a cycle.
constexpr int64_t kLanesPerCycle = 16;

/// An engine's share of the 512 bytes that an Xe core moves between registers
/// and L1 or shared local memory in a cycle.
constexpr int64_t kBytesPerCycle = 64;

/// The bytes of a line of L1.
constexpr int64_t kLineBytes = 64;

/// Cycles that its matrix engine takes for a row of a DPAS.
constexpr int64_t kCyclesPerRow = 1;

/// Engines of an Xe core, over which the warps of a work-group are spread.
constexpr int64_t kEnginesPerCore = 8;

/// Costs count in this part of a cycle, in which an engine's share of L1 is one
/// byte.
constexpr int64_t kCostOfCycle = kBytesPerCycle;

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_REGISTERS_ENGINECYCLES_H
