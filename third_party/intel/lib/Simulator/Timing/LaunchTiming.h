//===- LaunchTiming.h - Launches in the timing model ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The model replays the work-groups of one core, the number that it holds at
// the same time. Groups go around the cores: the numbers of groups of two cores
// differ by at most one, and the first core has the first one. In a sampled
// launch, only a few of the other groups run; their execution represents the
// rest.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_TIMING_LAUNCHTIMING_H
#define TRITON_INTEL_LIB_SIMULATOR_TIMING_LAUNCHTIMING_H

#include "Trace.h"
#include "intel/Simulator/AddressTranslation.h"
#include "intel/Simulator/Instruction.h"
#include "intel/Simulator/Timing.h"

#include <atomic>
#include <mutex>
#include <vector>

namespace triton::intel::simulator {

/// The resources of a core that a launch needs.
struct LaunchShape {
  std::uint64_t numGroups = 1;
  unsigned threadsPerGroup = 1, numRegisters = 128;
  std::uint64_t sharedBytes = 0;
};

class LaunchTiming {
public:
  LaunchTiming(const ChipModel &chip, const LaunchShape &shape);

  /// Returns the groups that a sampled launch runs, in order: those that are
  /// replayed, and some whose instructions are averaged. Null if the chip's
  /// launches are not sampled.
  const std::vector<std::uint64_t> *getSample() const {
    return chip.isSampled ? &sample : nullptr;
  }
  /// Prepares a thread's recorder for a group that begins.
  void begin(Recorder &recorder, std::uint64_t group, unsigned thread);
  /// Adds what a processor's groups have done.
  void addTotals(const LaunchTotals &part);

  /// Replays what was recorded. A translation determines which memory is the
  /// host's.
  Timing finish(const Code &code,
                const AddressTranslation *translation = nullptr);

private:
  void chooseSample();
  bool isReplayed(std::uint64_t group) const {
    return group % chip.cores == 0 && group / chip.cores < residents;
  }
  /// Returns the instructions of an average group.
  double getAverageExecuted() const;
  double getWorkRatio() const;
  /// Returns the cycles that memory needs, and the link to the host's.
  std::uint64_t getMemoryCycles(const AddressTranslation *translation) const;

  const ChipModel &chip;
  LaunchShape shape;
  /// Groups of a core at the same time, and how often it takes new ones.
  std::uint64_t residents = 1, waves = 1;
  std::size_t limit = 0;
  std::vector<ThreadTrace> traces;
  /// The groups of a sampled launch, and those of them that are averaged.
  std::vector<std::uint64_t> sample, averaged;
  std::atomic<std::uint64_t> numBegun{0};
  std::mutex totalsMutex;
  LaunchTotals totals;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_TIMING_LAUNCHTIMING_H
