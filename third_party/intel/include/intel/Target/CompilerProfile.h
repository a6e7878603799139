//===- CompilerProfile.h - What a compiler of GPU drivers does --*- C++ -*-===//
//
// SPIR-V is not what a GPU runs: its driver's compiler orders instructions,
// gives registers to values and expands what the chip has no instruction for.
// What passes have to know of that is here, and in no pass: a number in this
// file was measured, and CompilerProfile.cpp says how. Facts about chips are in
// KnownTargets.h.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_TARGET_COMPILERPROFILE_H
#define INTEL_TARGET_COMPILERPROFILE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::triton::gpu::intel {

/// Native instructions for an element of a factor that is computed behind its
/// load, by what it is in memory.
struct ElementInstructions {
  int64_t fromE4M3, fromE5M2, fromBytes;
};

/// What one compiler makes of our SPIR-V.
struct CompilerProfile {
  /// As `triton-xe info` shows it.
  llvm::StringRef name;
  /// Of 100 registers, those that values of tensors can have: addresses, and
  /// values that all lanes share, take the others.
  int64_t usablePercent;
  /// 2D block messages of a loop that are under way at the same time: it starts
  /// loads early, and what they bring is alive from then on.
  int64_t messagesInFlight;
  /// Accumulators of 8 registers that DPAS instructions have to take in turn so
  /// that none waits for the one before.
  unsigned accumulatorsInFlight;
  /// Bits per lane of loads from shared memory between two barriers: if there
  /// are more, each load goes where it is used.
  int64_t sharedBitsInFlight;
  /// Native instructions for a 2D block message, with those for its address.
  int64_t messageInstructions;
  ElementInstructions elements;
  /// Of the bits of a lane's number, how many a reduction combines by
  /// broadcasts, the others by exchanges.
  unsigned broadcastBits;
};

/// The compiler of drivers of 2026, for all chips of the table.
extern const CompilerProfile kIGC240;

} // namespace mlir::triton::gpu::intel

#endif // INTEL_TARGET_COMPILERPROFILE_H
