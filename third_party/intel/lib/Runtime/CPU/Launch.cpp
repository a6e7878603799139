//===- Launch.cpp - Start a kernel on the CPU device ----------------------===//
// SPDX-License-Identifier: MIT
//
// Threads take programs from a counter, in order and several at a time. The
// time that a program of the kernel took in the last launch determines how
// many, and whether other threads are woken at all. Programs that may wait for
// each other have a thread each.
//
//===----------------------------------------------------------------------===//

#include "intel/Runtime/CPU/Launch.h"
#include "CheckedLaunch.h"
#include "PrintQueue.h"
#include "Watcher.h"
#include "Worker.h"
#include "intel/Support/Faults.h"
#include "intel/Support/ProcessMutex.h"
#include "intel/Support/ThreadPool.h"

#include "intel/Runtime/Error.h"
#include "intel/Runtime/ReportCheck.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <thread>
#include <xmmintrin.h>

namespace triton::intel::runtime::cpu {

using support::FaultHandlers;
using support::getProcessMutex;
using support::ThreadPool;

namespace {
using Clock = std::chrono::steady_clock;

/// A launch that takes less than this is not worth waking a thread, which takes
/// some microseconds.
constexpr std::chrono::microseconds wakeTime(20);

/// The time that programs that are handed out at once may take: an interrupt
/// waits for them.
constexpr std::int64_t chunkNanoseconds = 500'000;
/// The most programs at once, whatever the time.
constexpr std::int64_t maxChunk = 256;

/// The most programs of a cooperative launch, each of which has a thread.
constexpr std::uint64_t maxCooperativePrograms = 1024;

/// The number of divergent barriers in all launches of the process; tests read
/// it.
std::atomic<std::uint64_t> numDivergentBarriers{0};

/// The floating-point environment of kernels, for as long as it exists.
class KernelEnvironment {
public:
  KernelEnvironment() : saved(_mm_getcsr()) { _mm_setcsr(defaultMXCSR); }
  ~KernelEnvironment() { _mm_setcsr(saved); }
  KernelEnvironment(const KernelEnvironment &) = delete;
  KernelEnvironment &operator=(const KernelEnvironment &) = delete;

private:
  /// All exceptions masked, round to nearest, denormal numbers kept.
  static constexpr unsigned defaultMXCSR = 0x1f80;
  unsigned saved;
};

/// Returns the coordinates of a program, x fastest: "(3, 0, 0)".
std::string toString(const std::array<std::int64_t, 3> &grid,
                     std::uint64_t program) {
  auto numX = static_cast<std::uint64_t>(grid[0]);
  auto numY = static_cast<std::uint64_t>(grid[1]);
  return "(" + std::to_string(program % numX) + ", " +
         std::to_string(program / numX % numY) + ", " +
         std::to_string(program / numX / numY) + ")";
}

/// Describes what a kernel did, after its name: "divided by zero".
std::string describe(const Fault &fault, bool isStackOverflow) {
  if (isStackOverflow)
    return "ran out of stack";
  char address[32];
  std::snprintf(address, sizeof(address), "%p", fault.address);
  switch (fault.signal) {
  // x86 raises it for integers; floating-point exceptions are masked.
  case SIGFPE:
    return "divided by zero";
  case SIGILL:
    return std::string("has an instruction that the processor lacks at ") +
           address;
  default:
    return std::string("accessed invalid memory at ") + address;
  }
}

/// One launch, which a list of those that run may hold.
class Launch : public boost::intrusive::list_base_hook<> {
public:
  Launch(const Kernel &kernel, const Geometry &geometry,
         const std::vector<Argument> &arguments, const StopRequest &shouldStop,
         const std::vector<ArgumentMemory> &memory);

  void run();
  /// Interrupts the launch from any thread; kernels see both flags at their
  /// next poll.
  void interrupt() {
    __atomic_store_n(&interruptFlag, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&callerFlag, 1, __ATOMIC_RELAXED);
  }

private:
  /// Returns whether the user wants it to end.
  bool isInterrupted() const {
    return __atomic_load_n(&interruptFlag, __ATOMIC_RELAXED);
  }
  /// Returns whether no more programs are to be started.
  bool hasFailed() const {
    return isInterrupted() || isFailed.load(std::memory_order_relaxed) ||
           __atomic_load_n(&report.number, __ATOMIC_RELAXED);
  }

  void chooseChunk();
  void work(bool isCaller) noexcept;
  void runInThreads();
  void runPrograms(Worker &worker, std::uint64_t begin, std::uint64_t end);
  bool isStopRequested();
  void fail(const std::string &message, ErrorKind kind = ErrorKind::Launch);
  /// Returns whether checks would report more details of a kernel's errors.
  ErrorKind getKind(const Fault &fault, bool isStackOverflow) const {
    bool isChecked = fault.signal != SIGILL && !isStackOverflow;
    return isChecked && !kernel.hasChecks() ? ErrorKind::Fault
                                            : ErrorKind::Launch;
  }
  void failProgram(Worker &worker, const Fault &fault, std::uint64_t program);
  std::string describeProgram(std::uint64_t program) const {
    return toString(grid, program);
  }

  const Kernel &kernel;
  /// Copies and references live as long as `run`.
  const std::array<std::int64_t, 3> grid;
  const bool isCooperative;
  const StopRequest &shouldStop;
  /// Nothing is allocated for the arguments that kernels usually have.
  boost::container::small_vector<std::uint64_t, 64> arguments;
  abi::KernelReport report = {};
  PrintQueue prints;
  ProgramSet programs = {};
  std::uint64_t numPrograms;
  /// Programs that are handed out at once.
  std::uint64_t chunk;
  /// This is true if other threads take part.
  bool isWide;
  /// The next program that is not taken; goes beyond the last one.
  std::atomic<std::uint64_t> next{0};
  /// Polled by kernels: whether the launch is to end, and, in the launching
  /// thread, whether it is time to query.
  std::int32_t interruptFlag = 0, callerFlag = 0;
  std::unique_ptr<CheckedLaunch> checks;
  /// The first failure counts: message and kind are its own.
  std::atomic<bool> isFailed{false};
  std::mutex failureMutex;
  std::string failure;
  ErrorKind failureKind = ErrorKind::Launch;
};

/// The launches that run in this process: a child does not have its parent's.
/// Guarded by the process's mutex.
using LaunchList = boost::intrusive::list<Launch>;

/// A child has no threads that run its parent's launches, so its list is empty.
LaunchList &getActiveLaunches() {
  static LaunchList launches;
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { getActiveLaunches().clear(); });
  static_cast<void>(registered);
  return launches;
}

/// Makes a launch known for as long as it exists.
class ActiveLaunch {
public:
  explicit ActiveLaunch(Launch &launch) : launch(launch) {
    std::lock_guard<std::mutex> lock(getProcessMutex());
    getActiveLaunches().push_back(launch);
  }
  ~ActiveLaunch() {
    std::lock_guard<std::mutex> lock(getProcessMutex());
    // A child's list does not hold what its parent had launched.
    if (launch.is_linked())
      getActiveLaunches().erase(LaunchList::s_iterator_to(launch));
  }
  ActiveLaunch(const ActiveLaunch &) = delete;
  ActiveLaunch &operator=(const ActiveLaunch &) = delete;

private:
  Launch &launch;
};

/// Lays out the arguments as generated code reads them: 8 bytes each, with the
/// address of the report after them if the kernel has assertions.
Launch::Launch(const Kernel &kernel, const Geometry &geometry,
               const std::vector<Argument> &arguments,
               const StopRequest &shouldStop,
               const std::vector<ArgumentMemory> &memory)
    : kernel(kernel), grid(geometry.grid),
      isCooperative(geometry.isCooperative), shouldStop(shouldStop) {
  for (const Argument &argument : arguments)
    this->arguments.push_back(argument.bits);
  if (kernel.hasAssertions())
    this->arguments.push_back(reinterpret_cast<std::uintptr_t>(&report));
  numPrograms = static_cast<std::uint64_t>(grid[0]) *
                static_cast<std::uint64_t>(grid[1]) *
                static_cast<std::uint64_t>(grid[2]);
  programs.kernel = &kernel;
  programs.arguments = this->arguments.data();
  programs.grid = grid;
  programs.numSubGroups =
      static_cast<unsigned>(geometry.workGroupSize / kernel.getSubGroupSize());
  // Changed for the caller, see work().
  programs.interruptFlag = &interruptFlag;
  programs.prints = kernel.usesPrint() ? &prints : nullptr;
  chooseChunk();
  if (!kernel.hasChecks())
    return;
  checks = std::make_unique<CheckedLaunch>(
      kernel, memory, numPrograms, programs.numSubGroups,
      // The report is memory that no argument names.
      kernel.hasAssertions() ? reinterpret_cast<std::uintptr_t>(&report) : 0,
      sizeof(report));
  checks->formatContext = this;
  checks->format = [](const void *launch, std::uint64_t program) {
    return static_cast<const Launch *>(launch)->describeProgram(program);
  };
  programs.checks = checks.get();
}

/// Decides how many threads run the launch, and how many programs they take at
/// a time.
void Launch::chooseChunk() {
  if (kernel.hasChecks()) {
    // One after the other: what a check finds is the same every time.
    isWide = false;
    chunk = 1;
    return;
  }
  if (isCooperative) {
    isWide = true;
    chunk = 1;
    return;
  }
  // 0 before the first launch.
  std::int64_t time = kernel.getProgramTime();
  auto count = static_cast<std::int64_t>(
      // So that the product below does not overflow.
      std::min<std::uint64_t>(numPrograms, std::uint64_t(1) << 32));
  isWide =
      count > 1 &&
      (time == 0 || time * count > std::chrono::nanoseconds(wakeTime).count());
  // Output is ordered, hence programs that print are started in order.
  chunk = 1;
  if (time == 0 || kernel.usesPrint())
    return;
  // Several chunks per thread, so that all end at about the same time.
  constexpr std::int64_t chunksPerThread = 8;
  std::int64_t share = count / (chunksPerThread * getNumThreads());
  chunk = std::clamp<std::int64_t>(std::min(share, chunkNanoseconds / time), 1,
                                   maxChunk);
}

/// The first failure is the one that is reported.
void Launch::fail(const std::string &message, ErrorKind kind) {
  std::lock_guard<std::mutex> lock(failureMutex);
  if (failure.empty()) {
    failure = message;
    failureKind = kind;
  }
  isFailed = true;
  // Others may wait for what this program does no more.
  if (isCooperative)
    interrupt();
}

/// After a program was left: a check has found something, the launch is to end,
/// or there was a fault.
void Launch::failProgram(Worker &worker, const Fault &fault,
                         std::uint64_t program) {
  if (std::optional<CheckFailure> found = worker.takeFailure())
    return fail(found->message + " of program " + toString(grid, program) +
                    " of kernel `" + kernel.getName() + "`",
                found->kind);
  // Left because the launch is to end.
  if (fault.signal == 0)
    return;
  bool isStackOverflow = worker.isStackOverflow(fault);
  fail("kernel `" + kernel.getName() + "` " + describe(fault, isStackOverflow) +
           " in program " + toString(grid, program),
       getKind(fault, isStackOverflow));
}

/// Runs the programs `begin` up to `end`, without it.
void Launch::runPrograms(Worker &worker, std::uint64_t begin,
                         std::uint64_t end) {
  KernelEnvironment environment;
  for (std::uint64_t program = begin; program < end; ++program) {
    // The first one runs in any case: others may wait for its output.
    if (std::optional<Fault> fault = worker.run(program))
      failProgram(worker, *fault, program);
    if (hasFailed())
      return;
  }
}

/// Runs Python's signal handlers, perhaps: in the launching thread only.
bool Launch::isStopRequested() {
  // First: an interrupt may come in between.
  __atomic_store_n(&callerFlag, 0, __ATOMIC_RELAXED);
  if (!isInterrupted() && shouldStop && shouldStop())
    interrupt();
  return isInterrupted();
}

/// Runs programs until there are none left, or others shall help.
void Launch::work(bool isCaller) noexcept {
  try {
    Worker &worker = Worker::get();
    ProgramSet own = programs;
    const std::function<bool()> query = [this] { return isStopRequested(); };
    if (isCaller) {
      // The caller has another flag than the other threads.
      own.interruptFlag = &callerFlag;
      own.isStopRequested = &query;
    }
    worker.begin(own);
    Clock::time_point start = Clock::now(), lastQuestion = start;
    while (!hasFailed()) {
      std::uint64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= numPrograms)
        break;
      runPrograms(worker, begin, std::min(begin + chunk, numPrograms));
      if (!isCaller)
        continue;
      Clock::time_point now = Clock::now();
      // Longer than expected: let others help.
      if (!isWide && !checks && now - start > wakeTime)
        break;
      if (shouldStop && now - lastQuestion > stopInterval) {
        isStopRequested();
        // The answer may have taken another launch.
        worker.begin(own);
        lastQuestion = Clock::now();
      }
    }
    numDivergentBarriers += worker.takeNumDivergentBarriers();
  } catch (const std::exception &error) {
    fail("kernel `" + kernel.getName() + "` failed to run: " + error.what());
  }
}

/// Runs the programs in several threads at a time.
void Launch::runInThreads() {
  std::thread::id caller = std::this_thread::get_id();
  auto workAnywhere = [&] { work(std::this_thread::get_id() == caller); };
  auto query = [&] { isStopRequested(); };
  if (!isCooperative)
    return ThreadPool::get().run(workAnywhere, query, stopInterval);
  try {
    support::runInOwnThreads(numPrograms, workAnywhere, query, stopInterval);
  } catch (const std::system_error &error) {
    fail("kernel `" + kernel.getName() + "` has " +
         std::to_string(numPrograms) +
         " programs that may wait for each other "
         "(`launch_cooperative_grid`), and the system has fewer threads: " +
         error.what());
  }
}

/// Does all of the launch: programs, output, failures, and the time for next
/// time.
void Launch::run() {
  Clock::time_point begin = Clock::now();
  {
    ActiveLaunch active(*this);
    WatchedFlag watched(shouldStop ? &callerFlag : nullptr);
    FaultHandlers handlers;
    // Alone at first, if that looks short enough.
    if (!isWide) {
      work(/*isCaller=*/true);
      // It takes longer than the last time.
      isWide = next < numPrograms && !hasFailed();
    }
    if (isWide)
      runInThreads();
  }
  // Also after a failure: what was printed helps to find it.
  if (kernel.usesPrint())
    prints.finish();
  // Assertions first: a failed one ends the launch as well.
  checkReport(report, {kernel.getAssertions(), {}}, kernel.getName());
  if (isFailed)
    throw Error(failureKind, failure);
  if (isInterrupted())
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() + "` was interrupted");
  std::int64_t nanoseconds =
      std::chrono::nanoseconds(Clock::now() - begin).count();
  // Time of all threads together, so that it is the same whichever threads ran
  // it.
  if (isWide)
    nanoseconds *= static_cast<std::int64_t>(
        std::min<std::uint64_t>(getNumThreads(), numPrograms));
  kernel.getProgramTime() = std::max<std::int64_t>(
      nanoseconds / static_cast<std::int64_t>(numPrograms), 1);
}

/// Throws if the work-group does not have the sub-groups that the kernel was
/// compiled for.
void checkSubGroups(const Kernel &kernel, const Geometry &geometry) {
  std::int64_t lanes = kernel.getSubGroupSize();
  std::int64_t expected = kernel.getNumSubGroups() * lanes;
  std::int64_t found = geometry.workGroupSize;
  if (found <= 0 || found % lanes || (expected && found != expected))
    throw Error(ErrorKind::Launch,
                "kernel `" + kernel.getName() + "` takes work-groups of " +
                    (expected ? std::to_string(expected)
                              : "multiples of " + std::to_string(lanes)) +
                    " work-items, found " + std::to_string(found));
}
} // namespace

/// Throws `Error`: of kind `Argument` or `Launch` for what the caller does
/// wrong, and of other kinds for what the kernel does.
void launch(const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments,
            const StopRequest &shouldStop,
            const std::vector<ArgumentMemory> &memory) {
  checkGeometry(kernel.getName(), Kernel::maxWorkGroupSize, geometry);
  checkArgumentCount(kernel.getName(), kernel.getArgumentCount(),
                     arguments.size());
  checkSubGroups(kernel, geometry);
  // Checks run one program after the other.
  checkCooperation(kernel.getName(),
                   kernel.hasChecks() ? 1 : maxCooperativePrograms, geometry);
  if (geometry.isEmpty())
    return;
  Launch(kernel, geometry, arguments, shouldStop, memory).run();
}

/// May be called from any thread.
void requestInterrupt() {
  std::lock_guard<std::mutex> lock(getProcessMutex());
  for (Launch &launch : getActiveLaunches())
    launch.interrupt();
}

unsigned getNumThreads() { return ThreadPool::get().getNumThreads(); }

std::uint64_t getNumDivergentBarriers() { return numDivergentBarriers; }

} // namespace triton::intel::runtime::cpu
