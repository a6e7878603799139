//===- RegisterPressure.h - Registers that a kernel needs -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Estimates how many bytes of a thread's registers are live at the same time,
// from LLVM IR in the order in which the device compiler gets it. A thread runs
// the lanes of a sub-group: a value takes the bytes of its type for each lane,
// or once if it is uniform.
//
// The analysis counts scalars: the elements of vectors and the fields of
// structs. Instructions that only move scalars (into a vector and out of it, or
// from one type to another of the same size) need no registers of their own.
// Constants are operands of instructions, and a condition has a bit per lane.
// The analysis does not know in which order the device compiler schedules
// instructions, its temporary values, and the alignment of its operands. Users
// of the estimate have to leave room for them.
//
// Liveness is propagated from uses upwards, block by block (Boissinot et al.,
// "Computing Liveness Sets for SSA-Form Programs", 2011). The time is linear in
// the number of instructions and of values that are live at the ends of blocks.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_REGISTERPRESSURE_H
#define INTEL_ANALYSIS_REGISTERPRESSURE_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace triton_xe {

/// The point of a function with the highest register pressure.
struct RegisterPressure {
  /// Bytes of one thread's registers.
  int64_t bytes = 0;
  /// The first instruction after which so many bytes are live; null if they are
  /// live at the beginning of the function.
  const llvm::Instruction *place = nullptr;
};

/// Information that the caller of the analysis provides.
struct RegisterPressureQueries {
  /// This returns whether a scalar of a value is uniform. The scalars of
  /// vectors, arrays and structs are numbered depth first.
  llvm::function_ref<bool(const llvm::Value &, unsigned)> isUniform;
  /// Bytes that a called function needs in addition to the values that are live
  /// in its caller.
  llvm::function_ref<int64_t(const llvm::Function &)> getCalleeBytes;
};

/// Returns the highest register pressure in `function`, for sub-groups of
/// `numLanes`. The function has a body and no unreachable blocks.
RegisterPressure computeRegisterPressure(const llvm::Function &function,
                                         unsigned numLanes,
                                         RegisterPressureQueries queries);

} // namespace triton_xe

#endif // INTEL_ANALYSIS_REGISTERPRESSURE_H
