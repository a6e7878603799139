//===- Groups.cpp - Run the work-groups of a launch -----------------------===//
// SPDX-License-Identifier: MIT

#include "Groups.h"

#include "intel/Support/Faults.h"
#include "intel/Support/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>

namespace triton::intel::simulator {

using runtime::Error;
using runtime::ErrorKind;
using support::ThreadPool;

namespace {
using Clock = std::chrono::steady_clock;

/// Instructions of a thread until the next one of its group has its turn, and
/// of a group until another one has, which all groups that take turns share.
constexpr std::uint64_t threadTurn = 20'000, groupTurn = 200'000;
/// Turns of a group of a sample until it is taken for one that waits for a
/// group that is not part of the sample.
constexpr unsigned mostTurnsOfSample = 10;
/// The interval at which the launching thread checks whether to stop.
constexpr std::chrono::milliseconds stopInterval(50);

std::string toHex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}
} // namespace

/// A work-group with its threads, which it keeps for the next one.
class ResidentGroup {
public:
  /// `counts` count it, if there are any; with a timing model `totals` sum up
  /// what it does.
  ResidentGroup(const GroupLaunch &launch, unsigned firstNumber, Counts *counts,
                LaunchTotals &totals)
      : payload(launch.payload), firstNumber(firstNumber),
        privateMemory(launch.privateMemory), timing(launch.timing) {
    group.launch = &launch.state;
    groupChecks.global = launch.global;
    for (unsigned i = 0; i < payload.getNumThreads(); ++i) {
      threads.push_back(std::make_unique<Thread>());
      group.threads.push_back(threads.back().get());
      threads.back()->counts = counts;
      if (timing) {
        recorders.push_back(std::make_unique<Recorder>(totals));
        threads.back()->recorder = recorders.back().get();
      }
      if (!launch.global)
        continue;
      threadChecks.push_back(std::make_unique<ThreadChecks>(&groupChecks));
      threads.back()->checks = threadChecks.back().get();
    }
  }

  /// Begins the group with this number and place.
  void begin(std::uint64_t number, const std::array<std::uint32_t, 3> &id) {
    constexpr std::uint8_t undefinedByte = 0xa5;
    this->id = id;
    numTurns = 0;
    group.sharedMemory.assign(payload.getSharedBytes(), undefinedByte);
    for (Barrier &barrier : group.barriers)
      barrier = {};
    for (unsigned i = 0; i < threads.size(); ++i) {
      threads[i]->reset(group, i, firstNumber + i, payload.getLanes(i));
      payload.initialize(*threads[i], id, firstNumber + i);
      if (timing)
        timing->begin(*recorders[i], number, i);
      if (threads[i]->checks)
        threads[i]->checks->reset(payload.getInlineBytes(),
                                  privateMemory.getSpans(firstNumber + i));
    }
    if (groupChecks.global)
      groupChecks.shared.reset(group.sharedMemory.size());
  }

  /// Runs for a turn of about this number of instructions; returns whether
  /// all threads have ended. Throws `Error`.
  bool run(std::uint64_t turn);
  unsigned getNumTurns() const { return numTurns; }

  /// Describes what is running, for messages: "instruction 0x1f0 of sub-group 3
  /// of program (0, 1, 0)".
  std::string describePlace() const;

private:
  const Payload &payload;
  unsigned firstNumber;
  const PrivateMemory &privateMemory;
  LaunchTiming *timing;
  std::array<std::uint32_t, 3> id;
  unsigned numTurns = 0;
  WorkGroup group;
  std::vector<std::unique_ptr<Thread>> threads;
  GroupChecks groupChecks;
  std::vector<std::unique_ptr<ThreadChecks>> threadChecks;
  std::vector<std::unique_ptr<Recorder>> recorders;
  /// The thread that runs, also after a fault.
  Thread *current = nullptr;
};

bool ResidentGroup::run(std::uint64_t turn) {
  ++numTurns;
  std::uint64_t begin = 0, now = 0;
  for (const auto &thread : threads)
    begin += thread->numExecuted;
  while (true) {
    std::uint64_t before = now;
    bool isRunning = false;
    now = 0;
    for (const auto &thread : threads) {
      if (!thread->hasEnded) {
        current = thread.get();
        current->run(threadTurn);
        isRunning |= !thread->hasEnded;
      }
      now += thread->numExecuted;
    }
    if (!isRunning)
      return true;
    if (now == before) {
      auto waiting =
          std::find_if(threads.begin(), threads.end(),
                       [](const auto &thread) { return !thread->hasEnded; });
      current = waiting->get();
      throw Error(ErrorKind::Launch,
                  "a barrier that no other sub-group comes to");
    }
    if (now - begin > turn)
      return false;
  }
}

std::string ResidentGroup::describePlace() const {
  const Instruction &instruction =
      group.launch->code->instructions[current->ip];
  return std::string("`") + getName(instruction.opcode) + "` at " +
         toHex(instruction.address) + ", in sub-group " +
         std::to_string(current->index) + " of program (" +
         std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " +
         std::to_string(id[2]) + ")";
}

GroupRunner::GroupRunner(const GroupLaunch &launch)
    : launch(launch), numGroups(std::uint64_t(launch.groups[0]) *
                                launch.groups[1] * launch.groups[2]) {}

std::array<std::uint32_t, 3> GroupRunner::getId(std::uint64_t group) const {
  const auto &groups = launch.groups;
  const auto &first = launch.firstGroup;
  return {static_cast<std::uint32_t>(first[0] + group % groups[0]),
          static_cast<std::uint32_t>(first[1] + group / groups[0] % groups[1]),
          static_cast<std::uint32_t>(first[2] + group / groups[0] / groups[1])};
}

std::optional<std::uint64_t> GroupRunner::takeGroup() {
  std::uint64_t group = next.fetch_add(1, std::memory_order_relaxed);
  if (!launch.sample)
    return group < numGroups ? std::optional(group) : std::nullopt;
  const std::vector<std::uint64_t> &sample = *launch.sample;
  if (group < sample.size())
    return sample[group];
  while (runsAll) {
    group = nextOther.fetch_add(1, std::memory_order_relaxed);
    if (group >= numGroups)
      break;
    if (!std::binary_search(sample.begin(), sample.end(), group))
      return group;
  }
  return std::nullopt;
}

/// The first failure counts.
void GroupRunner::fail(const std::string &message, ErrorKind kind) {
  std::lock_guard<std::mutex> lock(failureMutex);
  if (failure.empty()) {
    failure = message;
    failureKind = kind;
  }
  isStopped = true;
}

void GroupRunner::checkStop() {
  if (!launch.shouldStop || isStopped || !launch.shouldStop())
    return;
  isInterrupted = true;
  isStopped = true;
}

bool GroupRunner::runTurn(ResidentGroup &group, std::uint64_t turn) {
  support::FaultTarget target = {};
  bool hasEnded = true;
  // The mask of signals is not saved: the handler does not change it.
  if (sigsetjmp(target.position, 0) == 0) {
    support::FaultTarget *outer = support::setFaultTarget(&target);
    try {
      hasEnded = group.run(turn);
    } catch (const Error &error) {
      fail(launch.name + ": " + error.what() + "\n  " + group.describePlace(),
           error.getKind());
    }
    support::setFaultTarget(outer);
    return hasEnded;
  }
  support::setFaultTarget(nullptr);
  fail(launch.name + " accessed invalid memory at " +
           toHex(reinterpret_cast<std::uint64_t>(target.fault.address)) +
           "\n  " + group.describePlace(),
       ErrorKind::Launch);
  return true;
}

void GroupRunner::runGroups(bool isCaller, unsigned worker) {
  // The first processor always works.
  if (worker && (worker + 1) * getThreadsPerWorker() > launch.maxThreads)
    return;
  Counts counts(launch.counts ? launch.state.code->instructions.size() : 0);
  LaunchTotals totals;
  runResidents(isCaller, worker, counts, totals);
  if (launch.timing)
    launch.timing->addTotals(totals);
  std::lock_guard<std::mutex> lock(totalMutex);
  for (std::size_t i = 0; i < counts.size(); ++i)
    (*launch.counts)[i] += counts[i];
}

/// Runs groups until there are none left, and counts.
void GroupRunner::runResidents(bool isCaller, unsigned worker, Counts &counts,
                               LaunchTotals &totals) {
  std::vector<std::unique_ptr<ResidentGroup>> residents, unused;
  Clock::time_point lastQuestion = Clock::now();
  std::size_t current = 0;
  // Another group begins when one that has needs longer than a turn: it may
  // wait for the new one, and so may all groups that take turns.
  bool mayBegin = true;
  unsigned firstNumber = worker * getThreadsPerWorker();
  while (!isStopped) {
    if (current >= residents.size() || mayBegin) {
      if (current >= residents.size())
        current = 0;
      mayBegin = false;
      if (residents.size() < launch.maxResidents) {
        if (std::optional<std::uint64_t> group = takeGroup()) {
          if (unused.empty()) {
            auto number = firstNumber +
                          static_cast<unsigned>(residents.size() *
                                                launch.payload.getNumThreads());
            unused.push_back(std::make_unique<ResidentGroup>(
                launch, number, launch.counts ? &counts : nullptr, totals));
          }
          residents.push_back(std::move(unused.back()));
          unused.pop_back();
          residents.back()->begin(*group, getId(*group));
          current = residents.size() - 1;
        }
      }
      if (residents.empty())
        return;
    }
    // The more groups have begun and not ended, the more likely it is that they
    // wait for one that has not begun. Turns of a sample are counted.
    std::uint64_t turn =
        launch.sample ? groupTurn : groupTurn / residents.size();
    if (runTurn(*residents[current], turn)) {
      unused.push_back(std::move(residents[current]));
      residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(current));
    } else {
      if (residents[current]->getNumTurns() > mostTurnsOfSample)
        runsAll = true;
      ++current;
      mayBegin = true;
    }
    if (isCaller && Clock::now() - lastQuestion > stopInterval) {
      checkStop();
      lastQuestion = Clock::now();
    }
  }
}

void GroupRunner::work(bool isCaller) noexcept {
  try {
    runGroups(isCaller, numWorkers.fetch_add(1));
  } catch (const std::exception &error) {
    fail(launch.name + " failed to run: " + error.what(), ErrorKind::Launch);
  }
}

std::optional<Error> GroupRunner::run() {
  // No access of a kernel faults in the process if addresses are translated:
  // the process keeps its own handlers then.
  std::optional<support::FaultHandlers> handlers;
  if (!launch.state.translation)
    handlers.emplace();
  if (launch.global) {
    work(/*isCaller=*/true);
  } else {
    std::thread::id caller = std::this_thread::get_id();
    ThreadPool::get().run([&] { work(std::this_thread::get_id() == caller); },
                          [&] { checkStop(); }, stopInterval);
  }
  if (!failure.empty())
    return Error(failureKind, failure);
  if (isInterrupted)
    return Error(ErrorKind::Launch, launch.name + " was interrupted");
  return std::nullopt;
}

} // namespace triton::intel::simulator
