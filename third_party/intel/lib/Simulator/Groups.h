//===- Groups.h - Run the work-groups of a launch ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Every processor takes work-groups by a counter, in order, and runs the
// threads of a group in turn, each up to its next barrier. A group that has run
// for long lets others begin: it may wait for what they write. That is how a
// GPU would make progress, whose groups run at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_GROUPS_H
#define TRITON_INTEL_LIB_SIMULATOR_GROUPS_H

#include "Checks/Checks.h"
#include "Payload.h"
#include "Timing/LaunchTiming.h"
#include "intel/Runtime/Error.h"
#include "intel/Simulator/Launch.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace triton::intel::simulator {

/// Memory for what kernels keep outside of registers, for each thread that may
/// run at the same time.
class PrivateMemory {
public:
  PrivateMemory(std::size_t bytesPerThread, std::size_t numThreads)
      : bytesPerThread(bytesPerThread), memory(bytesPerThread * numThreads) {}
  std::uint64_t getAddress() const {
    return reinterpret_cast<std::uint64_t>(memory.data());
  }
  std::uint64_t getSize() const { return memory.size(); }
  /// Returns all of it, and the part of the thread with this number on the GPU.
  PrivateSpans getSpans(unsigned number) const {
    return {{getAddress(), getSize()},
            {getAddress() + number * bytesPerThread, bytesPerThread}};
  }

private:
  std::size_t bytesPerThread;
  std::vector<std::uint8_t> memory;
};

/// The number of threads that are watched at the same time: watching needs much
/// memory.
inline constexpr std::size_t maxCheckedThreads = 256;

/// The properties that all groups of a launch have in common.
struct GroupLaunch {
  /// The kernel as messages name it: "kernel `add`".
  std::string name;
  const LaunchState &state;
  const Payload &payload;
  const PrivateMemory &privateMemory;
  /// The number of groups along x, y and z.
  std::array<std::uint32_t, 3> groups;
  /// Groups of a processor that may take turns, and threads of the GPU, whose
  /// numbers are below this.
  std::size_t maxResidents;
  unsigned maxThreads;
  const StopRequest &shouldStop;
  /// The objects that watch, count and time the launch; null where that is not
  /// done.
  const GlobalMemoryCheck *global = nullptr;
  Counts *counts = nullptr;
  LaunchTiming *timing = nullptr;
  /// The numbers of the groups that run, in order; null for all. The others run
  /// as well if one of these takes so long that it may wait for them.
  const std::vector<std::uint64_t> *sample = nullptr;
  /// The number of the first group.
  std::array<std::uint32_t, 3> firstGroup = {0, 0, 0};
};

class ResidentGroup;

class GroupRunner {
public:
  explicit GroupRunner(const GroupLaunch &launch);

  /// Runs all groups, on the processors of the process; returns what failed.
  std::optional<runtime::Error> run();

private:
  unsigned getThreadsPerWorker() const {
    return static_cast<unsigned>(launch.maxResidents *
                                 launch.payload.getNumThreads());
  }
  void work(bool isCaller) noexcept;
  void runGroups(bool isCaller, unsigned worker);
  void runResidents(bool isCaller, unsigned worker, Counts &counts,
                    LaunchTotals &totals);
  /// A turn of a group; returns whether it has ended or cannot go on.
  bool runTurn(ResidentGroup &group, std::uint64_t turn);
  /// Returns the group that begins next; none if all have begun that run.
  std::optional<std::uint64_t> takeGroup();
  std::array<std::uint32_t, 3> getId(std::uint64_t group) const;
  void fail(const std::string &message, runtime::ErrorKind kind);
  void checkStop();

  const GroupLaunch &launch;
  std::uint64_t numGroups;
  std::mutex totalMutex;
  /// How many groups have begun; with a sample, how many of it, and how many of
  /// all groups have been passed after it.
  std::atomic<std::uint64_t> next{0}, nextOther{0};
  std::atomic<bool> runsAll{false};
  std::atomic<unsigned> numWorkers{0};
  std::atomic<bool> isStopped{false};
  std::mutex failureMutex;
  std::string failure;
  runtime::ErrorKind failureKind = runtime::ErrorKind::Launch;
  bool isInterrupted = false;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_GROUPS_H
