//===- Launch.cpp - Run a kernel on the simulated GPU ---------------------===//
// SPDX-License-Identifier: MIT
//
// Every processor takes work-groups by a counter, in order, and runs the
// threads of a group in turn, each up to its next barrier. A group that has run
// for long lets others begin: it may wait for what they write. That is how a
// GPU would make progress, whose groups run at the same time.
//
//===----------------------------------------------------------------------===//

#include "intel/Simulator/Launch.h"

#include "Checks/Checks.h"
#include "Payload.h"
#include "Printing.h"
#include "Timing/LaunchTiming.h"
#include "intel/Runtime/Error.h"
#include "intel/Support/Faults.h"
#include "intel/Support/ProcessMutex.h"
#include "intel/Support/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

namespace triton::intel::simulator {

using runtime::Argument;
using runtime::ArgumentType;
using runtime::Error;
using runtime::ErrorKind;
using support::ThreadPool;

namespace {
using Clock = std::chrono::steady_clock;

/// Instructions of a thread until the next one of its group has its turn, and
/// of a group until another one has.
constexpr std::uint64_t threadTurn = 100'000, groupTurn = 1'000'000;
/// How often the launching thread asks whether to stop.
constexpr std::chrono::milliseconds stopInterval(50);

std::string toHex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof(text), "0x%llx",
                static_cast<unsigned long long>(value));
  return text;
}

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

/// A work-group with its threads, which it keeps for the next one.
class ResidentGroup {
public:
  /// `global` watches it and `counts` count it, if there are any; with `timing`
  /// the model gets to know what it does, and `totals` sum it up.
  ResidentGroup(const LaunchState &state, const Payload &payload,
                unsigned firstNumber, const GlobalMemoryCheck *global,
                const PrivateMemory &privateMemory, Counts *counts,
                LaunchTiming *timing, LaunchTotals &totals)
      : payload(payload), firstNumber(firstNumber),
        privateMemory(privateMemory), timing(timing) {
    group.launch = &state;
    groupChecks.global = global;
    for (unsigned i = 0; i < payload.getNumThreads(); ++i) {
      threads.push_back(std::make_unique<Thread>());
      group.threads.push_back(threads.back().get());
      threads.back()->counts = counts;
      if (timing) {
        recorders.push_back(std::make_unique<Recorder>(totals));
        threads.back()->recorder = recorders.back().get();
      }
      if (!global)
        continue;
      threadChecks.push_back(std::make_unique<ThreadChecks>(&groupChecks));
      threads.back()->checks = threadChecks.back().get();
    }
  }

  /// Begins the group with this number and place.
  void begin(std::uint64_t number, const std::array<std::uint32_t, 3> &id) {
    constexpr std::uint8_t undefinedByte = 0xa5;
    this->id = id;
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

  /// Runs for a turn; returns whether all threads have ended. Throws `Error`.
  bool run();

  /// Describes what is running, for messages: "instruction 0x1f0 of sub-group 3
  /// of program (0, 1, 0)".
  std::string describePlace() const;

private:
  const Payload &payload;
  unsigned firstNumber;
  const PrivateMemory &privateMemory;
  LaunchTiming *timing;
  std::array<std::uint32_t, 3> id;
  WorkGroup group;
  std::vector<std::unique_ptr<Thread>> threads;
  GroupChecks groupChecks;
  std::vector<std::unique_ptr<ThreadChecks>> threadChecks;
  std::vector<std::unique_ptr<Recorder>> recorders;
  /// The thread that runs, also after a fault.
  Thread *current = nullptr;
};

bool ResidentGroup::run() {
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
    if (now - begin > groupTurn)
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

class Launch {
public:
  Launch(const Kernel &kernel, const Dispatch &dispatch,
         const std::vector<Argument> &arguments, unsigned numWorkers,
         const StopRequest &shouldStop, const Watching &watching);

  void run();

private:
  unsigned getThreadsPerWorker() const {
    return static_cast<unsigned>(maxResidents * payload.getNumThreads());
  }
  void work(bool isCaller) noexcept;
  void runGroups(bool isCaller, unsigned worker);
  void runResidents(bool isCaller, unsigned worker, Counts &counts,
                    LaunchTotals &totals);
  /// A turn of a group; returns whether it has ended or cannot go on.
  bool runTurn(ResidentGroup &group);
  std::array<std::uint32_t, 3> getId(std::uint64_t group) const;
  void fail(const std::string &message, ErrorKind kind);
  void ask();
  void print();

  const Kernel &kernel;
  const Dispatch &dispatch;
  const StopRequest &shouldStop;
  const std::size_t maxResidents;
  PrivateMemory privateMemory;
  PrintBuffer printed;
  Payload payload;
  LaunchState state;
  std::unique_ptr<GlobalMemoryCheck> global;
  /// The sum of what all processors counted; null without counts.
  Counts *total;
  std::mutex totalMutex;
  /// The model of this launch, and what it says; null without it.
  std::unique_ptr<LaunchTiming> timing;
  Timing *modelled;
  std::uint64_t numGroups;
  std::atomic<std::uint64_t> next{0};
  std::atomic<unsigned> numWorkers{0};
  std::atomic<bool> isStopped{false};
  std::mutex failureMutex;
  std::string failure;
  ErrorKind failureKind = ErrorKind::Launch;
  bool isInterrupted = false;
};

/// Returns the number of sub-groups of a work-group.
std::size_t countThreads(const Kernel &kernel, const Dispatch &dispatch) {
  unsigned simdSize = kernel.getDescription().simdSize;
  return (dispatch.getLocalSize() + simdSize - 1) / simdSize;
}

bool prints(const Kernel &kernel) {
  const auto &arguments = kernel.getDescription().arguments;
  return std::any_of(arguments.begin(), arguments.end(),
                     [](const PayloadArgument &argument) {
                       return argument.kind == "printf_buffer";
                     });
}

/// Private memory of kernels that have it in the global space is large: then
/// groups run one after the other. Threads that are watched need much memory,
/// too.
std::size_t chooseResidents(const Kernel &kernel, std::size_t numThreads,
                            bool isChecked) {
  constexpr std::size_t maxCheckedThreads = 256;
  if (kernel.getPrivateBytes())
    return 1;
  return isChecked ? std::clamp<std::size_t>(maxCheckedThreads / numThreads, 1,
                                             maxResidentGroups)
                   : maxResidentGroups;
}

/// Describes the memory that a kernel may access besides its arguments: its
/// variables and constants, private memory of its threads, what it prints, and
/// the report of its assertions, which is the last argument.
std::vector<runtime::ArgumentMemory>
describeOwnMemory(const Kernel &kernel, const std::vector<Argument> &arguments,
                  const PrivateMemory &privateMemory,
                  const PrintBuffer &printed) {
  std::vector<runtime::ArgumentMemory> own = kernel.getDataMemory();
  if (privateMemory.getSize())
    own.push_back({"private memory", 0, privateMemory.getAddress(),
                   privateMemory.getAddress(), privateMemory.getSize(), 1,
                   true});
  if (printed.getSize())
    own.push_back({"what is printed", 0, printed.getAddress(),
                   printed.getAddress(), printed.getSize(), 1, true});
  if (kernel.hasReport()) {
    std::uint64_t address = arguments.back().bits;
    own.push_back({"the report of assertions", arguments.size() - 1, address,
                   address, sizeof(abi::KernelReport), 1, true});
  }
  return own;
}

Launch::Launch(const Kernel &kernel, const Dispatch &dispatch,
               const std::vector<Argument> &arguments, unsigned numWorkers,
               const StopRequest &shouldStop, const Watching &watching)
    : kernel(kernel), dispatch(dispatch), shouldStop(shouldStop),
      maxResidents(chooseResidents(kernel, countThreads(kernel, dispatch),
                                   watching.checks)),
      privateMemory(kernel.getPrivateBytes(),
                    numWorkers * maxResidents * countThreads(kernel, dispatch)),
      printed(prints(kernel)),
      payload(kernel, dispatch, arguments,
              {privateMemory.getAddress(), printed.getAddress()}),
      numGroups(dispatch.getNumGroups()) {
  state.code = &kernel.getCode();
  state.dpasOrder = watching.dpasOrder;
  state.indirectData = payload.getIndirectData().data();
  state.indirectBytes = payload.getIndirectData().size();
  state.scratchBytes = kernel.getScratchBytes();
  state.sharedBytes = payload.getSharedBytes();
  total = watching.counts;
  modelled = watching.timing;
  if (modelled)
    timing = std::make_unique<LaunchTiming>(
        *watching.chip,
        LaunchShape{numGroups, payload.getNumThreads(),
                    kernel.getDescription().numRegisters, state.sharedBytes});
  if (watching.checks)
    global = std::make_unique<GlobalMemoryCheck>(
        watching.memory,
        describeOwnMemory(kernel, arguments, privateMemory, printed));
}

std::array<std::uint32_t, 3> Launch::getId(std::uint64_t group) const {
  const auto &groups = dispatch.groups;
  return {static_cast<std::uint32_t>(group % groups[0]),
          static_cast<std::uint32_t>(group / groups[0] % groups[1]),
          static_cast<std::uint32_t>(group / groups[0] / groups[1])};
}

/// The first failure counts.
void Launch::fail(const std::string &message, ErrorKind kind) {
  std::lock_guard<std::mutex> lock(failureMutex);
  if (failure.empty()) {
    failure = message;
    failureKind = kind;
  }
  isStopped = true;
}

void Launch::ask() {
  if (!shouldStop || isStopped || !shouldStop())
    return;
  isInterrupted = true;
  isStopped = true;
}

bool Launch::runTurn(ResidentGroup &group) {
  support::FaultTarget target = {};
  bool hasEnded = true;
  // The mask of signals is not saved: the handler does not change it.
  if (sigsetjmp(target.position, 0) == 0) {
    support::FaultTarget *outer = support::setFaultTarget(&target);
    try {
      hasEnded = group.run();
    } catch (const Error &error) {
      fail("kernel `" + kernel.getName() + "`: " + error.what() + "\n  " +
               group.describePlace(),
           error.getKind());
    }
    support::setFaultTarget(outer);
    return hasEnded;
  }
  support::setFaultTarget(nullptr);
  fail("kernel `" + kernel.getName() + "` accessed invalid memory at " +
           toHex(reinterpret_cast<std::uint64_t>(target.fault.address)) +
           "\n  " + group.describePlace(),
       ErrorKind::Launch);
  return true;
}

void Launch::runGroups(bool isCaller, unsigned worker) {
  // Threads find their private memory by their number on the GPU, of which code
  // for Xe-HPC reads 12 bits.
  constexpr unsigned maxThreads = 4096;
  if (privateMemory.getSize() &&
      (worker + 1) * getThreadsPerWorker() > maxThreads)
    return;
  Counts counts(total ? state.code->instructions.size() : 0);
  LaunchTotals totals;
  runResidents(isCaller, worker, counts, totals);
  if (timing)
    timing->addTotals(totals);
  std::lock_guard<std::mutex> lock(totalMutex);
  for (std::size_t i = 0; i < counts.size(); ++i)
    (*total)[i] += counts[i];
}

/// Runs groups until there are none left, and counts.
void Launch::runResidents(bool isCaller, unsigned worker, Counts &counts,
                          LaunchTotals &totals) {
  std::vector<std::unique_ptr<ResidentGroup>> residents, unused;
  Clock::time_point lastQuestion = Clock::now();
  std::size_t current = 0;
  unsigned firstNumber = worker * getThreadsPerWorker();
  while (!isStopped) {
    // Another one may begin when those that have need longer than a turn.
    if (current >= residents.size()) {
      current = 0;
      if (residents.size() < maxResidents) {
        std::uint64_t group = next.fetch_add(1, std::memory_order_relaxed);
        if (group < numGroups) {
          if (unused.empty()) {
            auto number =
                firstNumber + static_cast<unsigned>(residents.size() *
                                                    payload.getNumThreads());
            unused.push_back(std::make_unique<ResidentGroup>(
                state, payload, number, global.get(), privateMemory,
                total ? &counts : nullptr, timing.get(), totals));
          }
          residents.push_back(std::move(unused.back()));
          unused.pop_back();
          residents.back()->begin(group, getId(group));
          current = residents.size() - 1;
        }
      }
      if (residents.empty())
        return;
    }
    if (runTurn(*residents[current])) {
      unused.push_back(std::move(residents[current]));
      residents.erase(residents.begin() + static_cast<std::ptrdiff_t>(current));
    } else {
      ++current;
    }
    if (isCaller && Clock::now() - lastQuestion > stopInterval) {
      ask();
      lastQuestion = Clock::now();
    }
  }
}

void Launch::work(bool isCaller) noexcept {
  try {
    runGroups(isCaller, numWorkers.fetch_add(1));
  } catch (const std::exception &error) {
    fail("kernel `" + kernel.getName() + "` failed to run: " + error.what(),
         ErrorKind::Launch);
  }
}

/// Writes to C's standard output, as the driver does; also what a kernel has
/// printed before it failed.
void Launch::print() {
  if (!printed.getSize())
    return;
  try {
    std::string text = printed.format(kernel.getDataMemory());
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  } catch (const Error &error) {
    fail("kernel `" + kernel.getName() + "`: " + error.what(), error.getKind());
  }
  if (std::size_t lost = printed.getLost())
    std::fprintf(stderr,
                 "triton-xe: kernel `%s` prints more than the %zu bytes that a "
                 "GPU has for this; %zu bytes are lost\n",
                 kernel.getName().c_str(), printed.getSize(), lost);
}

void Launch::run() {
  {
    support::FaultHandlers handlers;
    if (global) {
      work(/*isCaller=*/true);
    } else {
      std::thread::id caller = std::this_thread::get_id();
      ThreadPool::get().run([&] { work(std::this_thread::get_id() == caller); },
                            [&] { ask(); }, stopInterval);
    }
  }
  print();
  if (!failure.empty())
    throw Error(failureKind, failure);
  if (isInterrupted)
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() + "` was interrupted");
  if (timing)
    *modelled = timing->finish(kernel.getCode());
}

/// Throws if the work-groups are not those that the kernel was compiled for.
void checkDispatch(const Kernel &kernel, const Dispatch &dispatch) {
  const std::vector<std::uint32_t> &required =
      kernel.getDescription().requiredWorkGroupSize;
  std::uint64_t limit = kernel.getMaxWorkGroupSize();
  if (!dispatch.getLocalSize() || dispatch.getLocalSize() > limit)
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() + "` takes work-groups of 1 to " +
                    std::to_string(limit) + " work-items, found " +
                    std::to_string(dispatch.getLocalSize()));
  if (required.size() == 3 &&
      !std::equal(required.begin(), required.end(), dispatch.local.begin()))
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() + "` takes work-groups of " +
                    std::to_string(required[0]) + " x " +
                    std::to_string(required[1]) + " x " +
                    std::to_string(required[2]) + " work-items, found " +
                    std::to_string(dispatch.local[0]) + " x " +
                    std::to_string(dispatch.local[1]) + " x " +
                    std::to_string(dispatch.local[2]));
}
} // namespace

void launch(const Kernel &kernel, const Dispatch &dispatch,
            const std::vector<Argument> &arguments,
            const StopRequest &shouldStop, const Watching &watching) {
  if (arguments.size() != kernel.getArgumentCount())
    throw Error(ErrorKind::Argument,
                "kernel `" + kernel.getName() + "` takes " +
                    std::to_string(kernel.getArgumentCount()) +
                    " arguments, found " + std::to_string(arguments.size()));
  checkDispatch(kernel, dispatch);
  if (!dispatch.getNumGroups())
    return;
  std::vector<Argument> all = arguments;
  abi::KernelReport report = {};
  if (kernel.hasReport())
    all.push_back(
        {ArgumentType::Pointer, reinterpret_cast<std::uintptr_t>(&report)});
  Launch(kernel, dispatch, all, ThreadPool::get().getNumThreads(), shouldStop,
         watching)
      .run();
  runtime::checkReport(report, kernel.getReportTexts(), kernel.getName());
}

} // namespace triton::intel::simulator
