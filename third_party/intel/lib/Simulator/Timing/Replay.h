//===- Replay.h - Threads of a core, cycle by cycle -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_TIMING_REPLAY_H
#define TRITON_INTEL_LIB_SIMULATOR_TIMING_REPLAY_H

#include "Trace.h"
#include "intel/Simulator/Instruction.h"
#include "intel/Simulator/Timing.h"

#include <vector>

namespace triton::intel::simulator {

struct CoreTiming {
  /// Until the last thread has ended.
  std::uint64_t cycles = 0;
  /// The timing of each instruction, by its index in the code.
  std::vector<InstructionTiming> instructions;
};

/// Issues what the threads of a core have executed, which begin together. They
/// are in the order of their age, and take turns at the engines of the core.
/// `cacheBytes` is what shared memory leaves of L1.
CoreTiming replay(const Code &code, const ChipModel &chip,
                  std::uint64_t cacheBytes,
                  const std::vector<ThreadTrace> &traces);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_TIMING_REPLAY_H
