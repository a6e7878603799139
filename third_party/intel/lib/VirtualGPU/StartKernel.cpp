//===- StartKernel.cpp - From a walker to the simulator -------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/Error.h"
#include "intel/Simulator/DirectLaunch.h"
#include "intel/VirtualGPU/CommandProcessor.h"
#include "intel/VirtualGPU/Failure.h"
#include "intel/VirtualGPU/KernelLog.h"
#include "intel/VirtualGPU/KernelNames.h"

#include <chrono>
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace triton::intel::vgpu {

using simulator::DirectLaunch;
using simulator::Platform;

namespace {
/// The numbers of a timestamp; on the chip with tiles they have 32 bits.
constexpr unsigned numTimes = 4;

/// Scratch memory of all threads.
struct Scratch {
  std::uint64_t base = 0;
  std::uint32_t bytesPerThread = 0, numThreads = 0;
};

/// Reads a surface of scratch memory (RENDER_SURFACE_STATE, SCRATCH).
Scratch readScratch(const AddressSpace &space, std::uint64_t address) {
  constexpr unsigned numDwords = 10;
  std::uint32_t words[numDwords];
  space.read(address, words, sizeof(words));
  constexpr unsigned typeShift = 29, scratchType = 6;
  if (words[0] >> typeShift != scratchType)
    throw QueueError("the surface at " + toHex(address) +
                     " is none of scratch memory");
  constexpr std::uint32_t widthBits = 7, widthMask = 0x7f, heightShift = 16,
                          heightMask = 0x3fff, pitchMask = 0x3ffff;
  Scratch scratch;
  scratch.numThreads = ((words[2] >> heightShift & heightMask) << widthBits |
                        (words[2] & widthMask)) +
                       1;
  scratch.bytesPerThread = (words[3] & pitchMask) + 1;
  scratch.base = words[8] | std::uint64_t(words[9]) << 32;
  return scratch;
}

/// Kernels that run, and that have ended. Threads sleep on the second number
/// itself: a lock could stay locked in the child of a fork.
std::atomic<unsigned> numRunning{0};
std::atomic<std::uint32_t> numEnded{0};
static_assert(sizeof(numEnded) == sizeof(std::uint32_t));

/// Counts a kernel while it runs.
struct Running {
  Running() { ++numRunning; }
  ~Running() {
    --numRunning;
    ++numEnded;
    syscall(SYS_futex, &numEnded, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr,
            0);
  }
};

/// The words by which messages name a kernel, before its address.
constexpr std::string_view anonymousKernel = "the kernel at ";

/// Names the kernel that failed, and the lines of its source, if the driver has
/// kept its binary. The message begins with `anonymousKernel`.
std::string describeFailure(const std::string &message,
                            const std::vector<std::uint8_t> &code,
                            const Execution &execution) {
  auto place = findKernel(execution.binaries, code);
  if (!place)
    return message;
  std::string lines = execution.python.empty()
                          ? ""
                          : describeSource(execution.python, *place, message);
  return "kernel `" + place->name + "` at " +
         message.substr(anonymousKernel.size()) + lines;
}
} // namespace

bool waitForKernel() {
  constexpr timespec limit = {0, 500'000};
  std::uint32_t before = numEnded;
  if (!numRunning)
    return false;
  syscall(SYS_futex, &numEnded, FUTEX_WAIT_PRIVATE, before, &limit, nullptr, 0);
  return true;
}

void CommandProcessor::walk(const Words &words) {
  WalkerFields fields = readWalker(words, chip.platform);
  takePart(fields);
  std::uint64_t duration = execution.runsKernels ? runKernel(fields) : 0;
  // A kernel that is measured takes a tick at least, see `takeTicks`.
  if (fields.postSync == PostSync::Timestamp)
    duration = std::max(duration, clock.getTick());
  finishWalk(fields, clock.work(duration));
}

void CommandProcessor::takePart(WalkerFields &fields) const {
  if (!fields.partitionDimension)
    return;
  unsigned dimension = *fields.partitionDimension;
  std::uint32_t &count = fields.groups[dimension];
  std::uint64_t first = std::min<std::uint64_t>(
      count, std::uint64_t(registers.getTile()) * fields.partitionGroups);
  fields.firstGroup[dimension] = static_cast<std::uint32_t>(first);
  count = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(count - first, fields.partitionGroups));
  // Timestamps of tiles follow each other, wherever commands of a tile write.
  fields.postSyncAddress += fields.postSync == PostSync::Timestamp
                                ? std::uint64_t(registers.getTile()) *
                                      numTimes * sizeof(std::uint32_t)
                                : registers.getTileOffset();
}

std::uint64_t CommandProcessor::runKernel(const WalkerFields &fields) {
  std::uint64_t code = instructionBase + fields.codeOffset;
  simulator::MappedRange range = space->find(code);
  std::uint64_t numBytes = range.begin + range.size - code;
  const std::uint8_t *bytes = range.get(code, numBytes, /*isWritten=*/false);
  if (!bytes)
    throw QueueError("page fault: the code at " + toHex(code) +
                     " is not bound");
  std::shared_ptr<const KernelCode> kernel =
      kernels.get(bytes, numBytes, chip.platform);
  DirectLaunch direct;
  direct.name = std::string(anonymousKernel) + toHex(code);
  direct.code = kernel->code.get();
  direct.groups = fields.groups;
  direct.firstGroup = fields.firstGroup;
  direct.local = fields.local;
  direct.simdSize = fields.simdSize;
  direct.numThreads = fields.numThreads;
  direct.lastLanes = fields.lastLanes;
  direct.idDimensions = fields.idDimensions;
  direct.walkOrder = fields.walkOrder;
  direct.inlineData = fields.inlineData;
  direct.indirectData.resize(fields.indirectBytes);
  space->read(generalBase + fields.indirectOffset, direct.indirectData.data(),
              fields.indirectBytes);
  direct.sharedBytes = fields.sharedBytes;
  direct.translation = space.get();
  direct.maxThreads = chip.getThreads();
  constexpr unsigned manyRegisters = 256;
  direct.numRegisters = fields.numRegisters ? fields.numRegisters
                        : hasLargeRegisters ? manyRegisters
                                            : direct.numRegisters;
  direct.checks = execution.checks;
  direct.chip = &model;
  simulator::Timing timing;
  direct.timing = &timing;
  if (scratchSurface) {
    Scratch scratch = readScratch(*space, surfaceBase + scratchSurface);
    direct.scratchBase = scratch.base;
    direct.scratchBytes = scratch.bytesPerThread;
    direct.maxThreads = std::min(direct.maxThreads, scratch.numThreads);
  }
  using Clock = std::chrono::steady_clock;
  Clock::time_point limit =
      Clock::now() + std::chrono::seconds(execution.maxSeconds);
  bool isLate = false;
  AddressSpace::Access access(*space);
  Running running;
  try {
    simulator::launch(direct, [&] {
      isLate = Clock::now() > limit;
      return *stops || isLate;
    });
  } catch (const runtime::Error &error) {
    if (*stops)
      throw QueueStopped();
    std::string message = error.what();
    if (isLate)
      message = direct.name + " has not ended after " +
                std::to_string(execution.maxSeconds) + " seconds";
    throw QueueError(describeFailure(message, kernel->bytes, execution));
  }
  if (!execution.log.empty())
    writeLogLine(execution.log, direct, timing, registers.getTile());
  constexpr std::uint64_t picosecondsTimesMHz = 1'000'000;
  return (timing.cycles * picosecondsTimesMHz + chip.maxMHz - 1) / chip.maxMHz;
}

/// Timestamps are four numbers: the begin in the context and of all, and the
/// ends; contexts are never exchanged, so that both are the same.
void CommandProcessor::finishWalk(const WalkerFields &fields,
                                  std::uint64_t begin) {
  if (fields.postSync != PostSync::Timestamp)
    return writePostSync(static_cast<std::uint32_t>(fields.postSync),
                         fields.postSyncAddress, fields.postSyncData);
  begin = clock.toTicks(begin);
  std::uint64_t end = clock.toTicks(clock.read());
  const std::uint64_t times[numTimes] = {begin, begin, end, end};
  std::uint64_t address = fields.postSyncAddress;
  for (std::uint64_t time : times) {
    if (chip.platform == Platform::XeHPC) {
      space->store32(address, static_cast<std::uint32_t>(time));
      address += sizeof(std::uint32_t);
    } else {
      space->store64(address, time);
      address += sizeof(std::uint64_t);
    }
  }
}

} // namespace triton::intel::vgpu
