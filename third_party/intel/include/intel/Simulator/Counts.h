//===- Counts.h - Counts of executed instructions ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SIMULATOR_COUNTS_H
#define TRITON_INTEL_SIMULATOR_COUNTS_H

#include <cstdint>
#include <vector>

namespace triton::intel::simulator {

/// The counts of one instruction, over all sub-groups.
struct InstructionCounts {
  std::uint64_t executions = 0;
  /// Lanes that took part.
  std::uint64_t lanes = 0;
  /// The counts of messages: bytes of memory, lines of 64 bytes that they
  /// touch, and how many accesses to shared memory had to wait for another one
  /// to the same bank.
  std::uint64_t bytes = 0, cacheLines = 0, bankConflicts = 0;

  InstructionCounts &operator+=(const InstructionCounts &other) {
    executions += other.executions;
    lanes += other.lanes;
    bytes += other.bytes;
    cacheLines += other.cacheLines;
    bankConflicts += other.bankConflicts;
    return *this;
  }
};

/// By the index of the instruction in the code.
using Counts = std::vector<InstructionCounts>;

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_COUNTS_H
