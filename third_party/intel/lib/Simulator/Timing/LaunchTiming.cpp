//===- LaunchTiming.cpp - Which threads of a launch the model replays -----===//
// SPDX-License-Identifier: MIT

#include "LaunchTiming.h"

#include "Replay.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

namespace triton::intel::simulator {

namespace {
std::uint64_t divideUp(std::uint64_t value, std::uint64_t by) {
  return (value + by - 1) / by;
}
} // namespace

const char *getName(Stall stall) {
  switch (stall) {
  case Stall::Pipe:
    return "pipe";
  case Stall::Math:
    return "math";
  case Stall::Dpas:
    return "dpas";
  case Stall::Message:
    return "message";
  case Stall::Queue:
    return "queue";
  case Stall::Shared:
    return "shared";
  case Stall::Barrier:
    return "barrier";
  case Stall::Branch:
    return "branch";
  case Stall::Busy:
    return "busy";
  }
  return "";
}

Timing &Timing::operator+=(const Timing &other) {
  launches += other.launches;
  cycles += other.cycles;
  memoryCycles += other.memoryCycles;
  numExecuted += other.numExecuted;
  touchedBytes += other.touchedBytes;
  coreCycles = other.coreCycles;
  groups = other.groups;
  threads = other.threads;
  waves = other.waves;
  instructions.resize(std::max(instructions.size(), other.instructions.size()));
  for (std::size_t i = 0; i < other.instructions.size(); ++i)
    instructions[i] += other.instructions[i];
  return *this;
}

LaunchTiming::LaunchTiming(const ChipModel &chip, const LaunchShape &shape)
    : chip(chip), shape(shape) {
  residents =
      std::max(1u, chip.getThreads(shape.numRegisters) / shape.threadsPerGroup);
  if (shape.sharedBytes)
    residents = std::clamp<std::uint64_t>(chip.sharedBytes / shape.sharedBytes,
                                          1, residents);
  std::uint64_t groupsOfCore = divideUp(shape.numGroups, chip.cores);
  residents = std::min(residents, groupsOfCore);
  waves = divideUp(groupsOfCore, residents);
  traces.resize(residents * shape.threadsPerGroup);
  limit = std::max<std::size_t>(1, chip.maxRecorded / traces.size());
  if (chip.isSampled)
    chooseSample();
}

/// Chooses groups at equal distances, which are right on average for work that
/// grows from group to group. An odd number of many groups is no divisor of
/// what the dimensions of most grids are.
void LaunchTiming::chooseSample() {
  constexpr std::uint64_t fewest = 2, groupsPerSample = 32;
  std::uint64_t count = shape.numGroups / groupsPerSample | 1;
  count = std::min(std::max(fewest, count), shape.numGroups);
  for (std::uint64_t i = 0; i < count; ++i)
    averaged.push_back((2 * i + 1) * shape.numGroups / (2 * count));
  sample = averaged;
  for (std::uint64_t i = 0; i < residents; ++i)
    if (i * chip.cores < shape.numGroups)
      sample.push_back(i * chip.cores);
  llvm::sort(sample);
  sample.erase(std::unique(sample.begin(), sample.end()), sample.end());
}

void LaunchTiming::begin(Recorder &recorder, std::uint64_t group,
                         unsigned thread) {
  if (!thread)
    ++numBegun;
  if (!isReplayed(group))
    return recorder.begin(nullptr, 0, 0);
  std::uint64_t resident = group / chip.cores;
  auto number =
      static_cast<unsigned>(resident * shape.threadsPerGroup + thread);
  traces[number].group = static_cast<unsigned>(resident);
  recorder.begin(&traces[number], number, limit);
}

void LaunchTiming::addTotals(const LaunchTotals &part) {
  std::lock_guard<std::mutex> lock(totalsMutex);
  totals.lines.add(part.lines);
  totals.readLines.add(part.readLines);
  totals.numExecuted += part.numExecuted;
}

double LaunchTiming::getAverageExecuted() const {
  auto executed = static_cast<double>(totals.numExecuted);
  if (numBegun >= shape.numGroups)
    return executed / static_cast<double>(shape.numGroups);
  for (const ThreadTrace &trace : traces)
    if (!std::binary_search(averaged.begin(), averaged.end(),
                            std::uint64_t(trace.group) * chip.cores))
      executed -= static_cast<double>(trace.numExecuted);
  return executed / static_cast<double>(averaged.size());
}

/// Returns how much longer than the replayed threads those of an average core
/// take, by the instructions of both: threads may have been cut off, and groups
/// need not do the same (causal masks). While all groups run at the same time,
/// the launch is not over before the replayed ones are.
double LaunchTiming::getWorkRatio() const {
  double recorded = 0, executed = 0;
  for (const ThreadTrace &trace : traces) {
    recorded += static_cast<double>(trace.instructions.size());
    executed += static_cast<double>(trace.numExecuted);
  }
  double own = executed / static_cast<double>(residents);
  double ratio = getAverageExecuted() / own;
  if (waves == 1)
    ratio = std::max(1.0, ratio);
  return ratio * (executed / recorded);
}

std::uint64_t
LaunchTiming::getMemoryCycles(const AddressTranslation *translation) const {
  auto countRemote = [&](const LineSet &lines) -> double {
    if (!translation || chip.linkBytes <= 0)
      return 0;
    return static_cast<double>(lines.countLines([&](std::uint64_t address) {
      return translation->find(address).isRemote;
    }) * lineBytes);
  };
  auto countLocal = [&](const LineSet &lines, double remote) {
    return static_cast<double>(lines.getSize() * lineBytes) - remote;
  };
  double remote = countRemote(totals.lines);
  double cycles = countLocal(totals.lines, remote) / chip.memoryBytes;
  if (chip.memoryReadBytes > 0)
    cycles = std::max(
        cycles, countLocal(totals.readLines, countRemote(totals.readLines)) /
                    chip.memoryReadBytes);
  if (remote > 0)
    cycles = std::max(cycles, remote / chip.linkBytes);
  return static_cast<std::uint64_t>(std::ceil(cycles));
}

Timing LaunchTiming::finish(const Code &code,
                            const AddressTranslation *translation) {
  std::uint64_t shared = std::min(residents * shape.sharedBytes,
                                  std::min(chip.sharedBytes, chip.cacheBytes));
  CoreTiming core = replay(code, chip, chip.cacheBytes - shared, traces);
  Timing timing;
  timing.launches = 1;
  timing.groups = residents;
  timing.threads = traces.size();
  timing.waves = waves;
  timing.instructions = std::move(core.instructions);
  timing.coreCycles = core.cycles;
  timing.memoryCycles = getMemoryCycles(translation);
  timing.numExecuted = static_cast<std::uint64_t>(std::llround(
      getAverageExecuted() * static_cast<double>(shape.numGroups)));
  timing.touchedBytes = totals.lines.getSize() * lineBytes;
  double all = static_cast<double>(waves * core.cycles) * getWorkRatio();
  timing.cycles =
      std::max(static_cast<std::uint64_t>(std::ceil(all)), timing.memoryCycles);
  return timing;
}

} // namespace triton::intel::simulator
