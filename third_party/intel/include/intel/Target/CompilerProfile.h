//===- CompilerProfile.h - Profile of drivers' compilers --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A GPU does not run SPIR-V: its driver's compiler schedules instructions,
// allocates registers, and expands operations for which the chip has no
// instruction. The properties of that compiler that passes depend on are in
// this file only. Each number was measured, and CompilerProfile.cpp describes
// how. Facts about chips are in KnownTargets.h.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_TARGET_COMPILERPROFILE_H
#define TRITON_INTEL_TARGET_COMPILERPROFILE_H

#include <cstdint>

namespace mlir::triton::gpu::intel {

/// The number of native instructions that an element of an operand takes
/// between its load and its product, by its type in memory.
struct ElementInstructions {
  int64_t fromE4M3, fromE5M2, fromBytes;
};

/// Facts about one compiler.
struct CompilerProfile {
  /// The share of registers, in percent, that values of tensors can have.
  /// Addresses, and values that all lanes share, take the others.
  int64_t usablePercent;
  /// The share of registers, in percent, that values may have which are live in
  /// all of a loop.
  int64_t residentPercent;
  /// The number of registers that the device compiler needs for scalars and
  /// temporaries, beside those of tensors' values and of messages' addresses.
  unsigned spareRegisters;
  /// The number of accumulators, of 8 registers each, that DPAS instructions
  /// have to take in turn so that none waits for the one before.
  unsigned accumulatorsInFlight;
  /// The number of sums that multiply-adds of a lane have to take in turn so
  /// that more of them gain nothing.
  unsigned sumsInFlight;
  /// The number of native instructions that a 2D block message takes, with
  /// those for its address.
  int64_t messageInstructions;
  ElementInstructions elements;
  /// The number of bits of a lane's number that a reduction combines by
  /// broadcasts. It combines the others by exchanges.
  unsigned broadcastBits;
  /// The fewest rows that a sub-group has in an exact product of f32, which is
  /// computed by multiply-adds of these rows in turn.
  unsigned exactRows;
  /// The most bytes of a lane for results of layout conversions that are loaded
  /// early, with those of another one.
  int64_t heldBytes;
  /// The largest number of elements of a lane in a loop that one sub-group
  /// executes alone.
  int64_t aloneElements;
  /// The largest numbers of iterations, and of operations in all of them, of a
  /// loop that becomes straight code.
  int64_t straightIterations, straightOperations;
};

/// The compiler of drivers of 2026 (IGC 2.40), which serves all chips of the
/// table.
extern const CompilerProfile kIGC240;

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_TARGET_COMPILERPROFILE_H
