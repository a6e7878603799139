//===- Launch.cpp - Run a kernel on the simulated GPU ---------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Simulator/Launch.h"

#include "Groups.h"
#include "Printing.h"
#include "ZebinPayload.h"
#include "intel/Runtime/Error.h"
#include "intel/Support/ThreadPool.h"

#include <algorithm>
#include <cstdio>
#include <memory>

namespace triton::intel::simulator {

using runtime::Argument;
using runtime::ArgumentType;
using runtime::Error;
using runtime::ErrorKind;
using support::ThreadPool;

namespace {
class Launch {
public:
  Launch(const Kernel &kernel, const Dispatch &dispatch,
         const std::vector<Argument> &arguments, unsigned numWorkers,
         const StopRequest &shouldStop, const Watching &watching);

  void run();

private:
  std::optional<Error> print();

  const Kernel &kernel;
  const Dispatch &dispatch;
  const StopRequest &shouldStop;
  const std::size_t maxResidents;
  PrivateMemory privateMemory;
  PrintBuffer printed;
  ZebinPayload payload;
  LaunchState state;
  std::unique_ptr<GlobalMemoryCheck> global;
  /// The sum of what all processors counted; null without counts.
  Counts *total;
  /// The model of this launch, and its result; null without it.
  std::unique_ptr<LaunchTiming> timing;
  Timing *modelled;
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
/// groups run one after the other. Threads that are watched take less turns.
std::size_t chooseResidents(const Kernel &kernel, std::size_t numThreads,
                            bool isChecked) {
  if (kernel.getPrivateBytes())
    return 1;
  return isChecked ? std::clamp<std::size_t>(maxCheckedThreads / numThreads, 1,
                                             maxResidentGroups)
                   : maxResidentGroups;
}

/// Describes the memory that a kernel may access in addition to its arguments:
/// its variables and constants, private memory of its threads, what it prints,
/// and the report of its assertions, which is the last argument.
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
              {privateMemory.getAddress(), printed.getAddress()}) {
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
        LaunchShape{dispatch.getNumGroups(), payload.getNumThreads(),
                    kernel.getDescription().numRegisters, state.sharedBytes});
  if (watching.checks)
    global = std::make_unique<GlobalMemoryCheck>(
        watching.memory,
        describeOwnMemory(kernel, arguments, privateMemory, printed));
}

/// Writes to C's standard output, as the driver does; also what a kernel has
/// printed before it failed. Returns what is wrong with it.
std::optional<Error> Launch::print() {
  if (!printed.getSize())
    return std::nullopt;
  std::optional<Error> failure;
  try {
    std::string text = printed.format(kernel.getDataMemory());
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
  } catch (const Error &error) {
    failure = Error(error.getKind(),
                    "kernel `" + kernel.getName() + "`: " + error.what());
  }
  if (std::size_t lost = printed.getLost())
    std::fprintf(stderr,
                 "triton-xe: kernel `%s` prints more than the %zu bytes that a "
                 "GPU has for this; %zu bytes are lost\n",
                 kernel.getName().c_str(), printed.getSize(), lost);
  return failure;
}

void Launch::run() {
  // Threads find their private memory by their number on the GPU, of which code
  // for Xe-HPC reads 12 bits.
  constexpr unsigned maxPrivateThreads = 4096;
  GroupLaunch groups{"kernel `" + kernel.getName() + "`",
                     state,
                     payload,
                     privateMemory,
                     dispatch.groups,
                     maxResidents,
                     privateMemory.getSize() ? maxPrivateThreads : ~0u,
                     shouldStop,
                     global.get(),
                     total,
                     timing.get(),
                     timing ? timing->getSample() : nullptr};
  std::optional<Error> failure = GroupRunner(groups).run();
  // The first failure counts.
  if (std::optional<Error> printFailure = print(); printFailure && !failure)
    failure = printFailure;
  if (failure)
    throw *failure;
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
