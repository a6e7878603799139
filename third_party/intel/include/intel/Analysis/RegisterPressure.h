//===- RegisterPressure.h - Registers that a kernel needs -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// An estimate of how many bytes of a thread's registers hold values at the same
// time, from LLVM IR in the order in which the device's compiler gets it. A
// thread runs the lanes of a sub-group: a value takes the bytes of its type for
// each lane, or once where all lanes have the same.
//
// What is counted are scalars, the pieces that vectors and structs consist of.
// Instructions that only move pieces (into a vector and out of it, from one
// type to another of the same size) need no registers of their own. Constants
// are operands of instructions, and a condition has a bit per lane. Not known
// are the device compiler's own order of instructions, its temporary values,
// and what its instructions want of places; who compares the estimate with a
// number of registers has to leave room for them.
//
// Liveness goes from uses upwards, block by block (Boissinot et al., "Computing
// Liveness Sets for SSA-Form Programs", 2011): the time is that of the
// instructions, and of what is alive at the ends of blocks.
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

/// Where a function has most in registers.
struct RegisterPressure {
  /// Bytes of one thread's registers.
  int64_t bytes = 0;
  /// The first instruction behind which so much is alive; null where that is
  /// what a function starts with.
  const llvm::Instruction *place = nullptr;
};

/// What the estimate asks others.
struct RegisterPressureQueries {
  /// Whether all lanes have the same in a scalar that a value consists of;
  /// those of vectors, arrays and structs are numbered depth first.
  llvm::function_ref<bool(const llvm::Value &, unsigned)> isUniform;
  /// Bytes that a function with a body needs besides what its caller keeps.
  llvm::function_ref<int64_t(const llvm::Function &)> getCalleeBytes;
};

/// Most bytes that are in registers at the same time in `function`, which has a
/// body and no unreachable blocks, for sub-groups of `numLanes`.
RegisterPressure computeRegisterPressure(const llvm::Function &function,
                                         unsigned numLanes,
                                         RegisterPressureQueries queries);

} // namespace triton_xe

#endif // INTEL_ANALYSIS_REGISTERPRESSURE_H
