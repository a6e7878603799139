//===- Launch.h - Run a kernel on the simulated GPU -------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_SIMULATOR_LAUNCH_H
#define TRITON_INTEL_SIMULATOR_LAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Simulator/Counts.h"
#include "intel/Simulator/Kernel.h"
#include "intel/Simulator/Machine.h"
#include "intel/Simulator/Timing.h"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace triton::intel::simulator {

/// Called in the launching thread now and then; the launch ends early if it
/// returns true.
using StopRequest = std::function<bool()>;

/// How many work-groups there are along x, y and z, and the work-items of each.
/// The number of groups of a processor that have begun and not ended: they take
/// turns, and may wait for each other.
inline constexpr std::size_t maxResidentGroups = 64;

struct Dispatch {
  std::array<std::uint32_t, 3> groups = {1, 1, 1}, local = {1, 1, 1};

  std::uint64_t getNumGroups() const {
    return std::uint64_t(groups[0]) * groups[1] * groups[2];
  }
  std::uint64_t getLocalSize() const {
    return std::uint64_t(local[0]) * local[1] * local[2];
  }
};

/// The options of a launch that do more than run it.
struct Watching {
  /// This is true if it is watched by checks (Checks/Checks.h). It runs on the
  /// calling thread then, so that it finds the same every time.
  bool checks = false;
  /// The memory, with checks, of the arguments that are pointers.
  std::vector<runtime::ArgumentMemory> memory;
  DpasOrder dpasOrder = DpasOrder::Step;
  /// The counts to add to; one entry per instruction.
  Counts *counts = nullptr;
  /// The result of the timing model, and its chip; none without it.
  Timing *timing = nullptr;
  const ChipModel *chip = nullptr;
};

/// Runs all work-groups, on the processors of the process, and returns when
/// they have ended. The argument of a pointer to shared local memory is its
/// size in bytes. Throws `Error`:
///   Argument   the number of arguments is wrong
///   Launch     the geometry is not possible; the code does what no hardware
///              does, or accesses invalid memory, or all threads of a group
///              wait for a signal that none of them gives; the launch was
///              interrupted
///   Assertion  an assertion of the kernel failed
///   Code, Access, Race, Barrier  what a check found
void launch(const Kernel &kernel, const Dispatch &dispatch,
            const std::vector<runtime::Argument> &arguments,
            const StopRequest &shouldStop = {}, const Watching &watching = {});

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_LAUNCH_H
