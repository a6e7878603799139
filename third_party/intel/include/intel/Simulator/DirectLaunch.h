//===- DirectLaunch.h - Launch code and registers, no zebin -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A launch as hardware sees it: where the code is, how many threads there are,
// and which registers they start with. Only the kernel knows the meaning of the
// arguments.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_DIRECTLAUNCH_H
#define TRITON_INTEL_SIMULATOR_DIRECTLAUNCH_H

#include "intel/Simulator/AddressTranslation.h"
#include "intel/Simulator/Launch.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace triton::intel::simulator {

struct DirectLaunch {
  /// The kernel as messages name it.
  std::string name;
  const Code *code = nullptr;
  /// Groups and work-items of a group, along x, y and z, and the number of the
  /// first group.
  std::array<std::uint32_t, 3> groups = {1, 1, 1}, local = {1, 1, 1},
                               firstGroup = {0, 0, 0};
  /// Lanes of a thread, threads of a group, and the lanes of its last thread.
  unsigned simdSize = 16, numThreads = 1;
  std::uint32_t lastLanes = 1;
  /// The dimensions whose local ids come in registers, a register each, as a
  /// mask of bits; and all dimensions, the one that changes first leading.
  unsigned idDimensions = 0;
  std::array<std::uint8_t, 3> walkOrder = {0, 1, 2};
  /// Inline data follows the ids in registers; indirect data is in memory.
  std::vector<std::uint8_t> inlineData, indirectData;
  std::uint32_t sharedBytes = 0;
  /// The addresses of the kernel; must not be null.
  const AddressTranslation *translation = nullptr;
  /// `scratchBase` is the address of the first thread's scratch memory, and
  /// `scratchBytes` the size of each thread's.
  std::uint64_t scratchBase = 0;
  std::uint32_t scratchBytes = 0;
  /// Threads that the GPU runs at the same time.
  unsigned maxThreads = 1;
  /// Registers of a thread, which decide how many of them a core holds.
  unsigned numRegisters = 128;
  /// True to watch it by checks (Checks/Checks.h), on the calling thread, and
  /// to be strict (`LaunchState`). Any address may be right that `translation`
  /// knows.
  bool checks = false;
  /// The result of the timing model, and its chip; none without it.
  Timing *timing = nullptr;
  const ChipModel *chip = nullptr;
};

/// Runs all work-groups as `launch` for a kernel does, and throws likewise.
void launch(const DirectLaunch &direct, const StopRequest &shouldStop = {});

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_DIRECTLAUNCH_H
