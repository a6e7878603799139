//===- Issue.h - Dependences and costs --------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_TIMING_ISSUE_H
#define TRITON_INTEL_LIB_SIMULATOR_TIMING_ISSUE_H

#include "../Pipes.h"
#include "intel/Simulator/Timing.h"

#include <vector>

namespace triton::intel::simulator {

/// The units of an engine that take one instruction per cycle: its pipes, the
/// systolic array, and the way to the units that answer messages.
enum IssueUnit : unsigned {
  dpasUnit = numInOrderPipes,
  messageUnit,
  /// Waits and nops: they only take their thread's turn.
  noUnit
};
inline constexpr unsigned numIssueUnits = noUnit;

/// Architecture registers, for which hardware waits by itself: halves of flags,
/// then each accumulator, and all address registers together.
inline constexpr unsigned accumulatorBit = 8,
                          addressBit =
                              accumulatorBit + registerFile::numAccumulators,
                          numInterlocks = addressBit + 1;

/// The facts that are the same every time that an instruction runs.
struct IssueRule {
  unsigned unit = noUnit;
  /// Cycles that the unit takes nothing else, and until the result is
  /// available. The result of a message comes from memory.
  unsigned occupancy = 1, latency = 0;
  /// The last but `distance` - 1 instructions of these pipes must be complete.
  std::uint8_t waitedPipes = 0, distance = 0;
  /// Tokens whose owner must have read its registers, or written them.
  std::uint32_t readTokens = 0, writtenTokens = 0;
  /// The token that the instruction sets, or -1.
  std::int8_t token = -1;
  bool isBranch = false, isBarrierWait = false, isBarrierSignal = false,
       isMessage = false;
  /// Interlocks that it waits for, and that it sets.
  std::uint32_t waitedRegisters = 0, setRegisters = 0;
};

/// One per instruction.
std::vector<IssueRule> getIssueRules(const Code &code, const ChipModel &chip);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_TIMING_ISSUE_H
