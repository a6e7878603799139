//===- RunCode.h - Instructions without a kernel around them ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SIMULATOR_RUNCODE_H
#define TRITON_INTEL_SIMULATOR_RUNCODE_H

#include "intel/Simulator/Instruction.h"
#include "intel/Simulator/Timing.h"

#include <cstdint>
#include <string>

namespace triton::intel::simulator {

/// The state in which the threads of one work-group begin.
struct CodeInputs {
  /// 256 registers of 64 bytes for each thread, one after the other.
  std::string registers;
  /// The lanes that are alive.
  std::uint32_t lanes = 1;
  /// Shared local memory of the group, and what binding table entry 255 is.
  std::uint32_t sharedBytes = 0;
  std::string indirectData;
  /// True to watch the run. Then only what a dispatch sets in r0, and all of
  /// r1, is defined at the start.
  bool checks = false;
  /// The chip of the timing model, and where its result goes; null without it.
  /// All threads are on one core of the chip.
  const ChipModel *chip = nullptr;
  Timing *timing = nullptr;
};

/// Runs code up to the end of each thread, and returns the registers after it.
/// Throws `Error` as a launch does, and of kind `Argument` for registers that
/// are not those of whole threads.
std::string runCode(const Code &code, const CodeInputs &inputs);

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_RUNCODE_H
