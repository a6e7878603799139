//===- DirectLaunch.cpp - Launch code and registers, no zebin -------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/DirectLaunch.h"

#include "Groups.h"
#include "intel/Support/ThreadPool.h"

#include <algorithm>
#include <cstring>

namespace triton::intel::simulator {

namespace {
/// The registers that the fields of a walker describe.
class WalkerPayload : public Payload {
public:
  explicit WalkerPayload(const DirectLaunch &direct) : direct(direct) {
    indirectData = direct.indirectData;
    indirectData.resize(indirectData.size() + padding);
    sharedBytes = direct.sharedBytes;
    numThreads = direct.numThreads;
    inlineBytes = static_cast<unsigned>(
        __builtin_popcount(direct.idDimensions) * registerBytes +
        direct.inlineData.size());
  }

  std::uint32_t getLanes(unsigned thread) const override {
    return thread + 1 == numThreads
               ? direct.lastLanes
               : ~std::uint32_t(0) >> (maxLanes - direct.simdSize);
  }

  void initialize(Thread &thread, const std::array<std::uint32_t, 3> &group,
                  unsigned number) const override {
    initializeHeader(thread, group, number);
    unsigned next = 1;
    for (unsigned dimension = 0; dimension < 3; ++dimension)
      if (direct.idDimensions >> dimension & 1)
        writeIds(thread, dimension, next++);
    if (!direct.inlineData.empty())
      std::memcpy(thread.getRegister(next), direct.inlineData.data(),
                  direct.inlineData.size());
  }

private:
  /// Ids of 16 bits for all lanes of a thread.
  void writeIds(Thread &thread, unsigned dimension, unsigned number) const {
    std::uint16_t ids[maxLanes] = {};
    for (unsigned lane = 0; lane < direct.simdSize; ++lane) {
      std::uint32_t rest = thread.index * direct.simdSize + lane;
      for (std::uint8_t walked : direct.walkOrder) {
        if (walked == dimension) {
          ids[lane] = static_cast<std::uint16_t>(rest % direct.local[walked]);
          break;
        }
        rest /= direct.local[walked];
      }
    }
    std::memcpy(thread.getRegister(number), ids, sizeof(ids));
  }

  const DirectLaunch &direct;
};
} // namespace

void launch(const DirectLaunch &direct, const StopRequest &shouldStop) {
  std::uint64_t numGroups =
      std::uint64_t(direct.groups[0]) * direct.groups[1] * direct.groups[2];
  if (!numGroups)
    return;
  WalkerPayload payload(direct);
  LaunchState state;
  state.code = direct.code;
  state.indirectData = payload.getIndirectData().data();
  state.indirectBytes = payload.getIndirectData().size();
  state.sharedBytes = direct.sharedBytes;
  state.translation = direct.translation;
  state.isStrict = direct.checks;
  state.scratchBase = direct.scratchBase;
  state.scratchBytes = direct.scratchBytes;
  // No more threads have a number than the GPU has: their memory is found by
  // it.
  std::size_t numWorkers = support::ThreadPool::get().getNumThreads();
  // All groups that the GPU holds can be resident: programs of libraries have
  // exactly the groups that fit, which wait for each other.
  std::size_t maxResidents = std::max<std::size_t>(
      1, direct.maxThreads / (numWorkers * direct.numThreads));
  std::optional<GlobalMemoryCheck> global;
  if (direct.checks) {
    maxResidents = std::clamp<std::size_t>(
        maxCheckedThreads / direct.numThreads, 1, maxResidents);
    global.emplace(getAllMemory(), std::vector<runtime::ArgumentMemory>());
  }
  PrivateMemory none(0, 0);
  GroupLaunch groups{
      direct.name,   state,        payload,           none,
      direct.groups, maxResidents, direct.maxThreads, shouldStop};
  groups.firstGroup = direct.firstGroup;
  if (global)
    groups.global = &*global;
  std::optional<LaunchTiming> timing;
  if (direct.timing) {
    LaunchShape shape;
    shape.numGroups = numGroups;
    shape.threadsPerGroup = direct.numThreads;
    shape.numRegisters = direct.numRegisters;
    shape.sharedBytes = direct.sharedBytes;
    groups.timing = &timing.emplace(*direct.chip, shape);
  }
  if (std::optional<runtime::Error> failure = GroupRunner(groups).run())
    throw *failure;
  if (timing)
    *direct.timing = timing->finish(*direct.code, direct.translation);
}

} // namespace triton::intel::simulator
