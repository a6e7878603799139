//===- CommandProcessor.h - Executes batches of commands --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads commands from memory and carries them out, one after the other; a
// walker has ended before the next command begins. No command is read before
// the one before it is done: the driver adds commands after a wait while
// the batch waits there.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_COMMANDPROCESSOR_H
#define TRITON_INTEL_VIRTUALGPU_COMMANDPROCESSOR_H

#include "intel/Simulator/Timing.h"
#include "intel/VirtualGPU/AddressSpace.h"
#include "intel/VirtualGPU/Clock.h"
#include "intel/VirtualGPU/KernelCache.h"
#include "intel/VirtualGPU/Registers.h"
#include "intel/VirtualGPU/Walker.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace triton::intel::vgpu {

/// The settings by which kernels are run.
struct Execution {
  /// A kernel that runs longer is taken for one that does not end.
  unsigned maxSeconds = 600;
  /// False to leave kernels out, and with them the driver's own: only the costs
  /// of launches are of interest.
  bool runsKernels = true;
  /// True to watch kernels by the simulator's checks.
  bool checks = false;
  /// The folder in which the driver keeps binaries, and the Python that finds
  /// the source of a kernel that fails; empty for none.
  std::string binaries, python;
  /// The file that gets a line for each kernel; empty for none.
  std::string log;
};

/// Sleeps until one of the kernels that the queues of the process run has
/// ended, for half a millisecond at most: the caller may wait for something
/// else. Returns false at once if none runs.
bool waitForKernel();

class CommandProcessor {
public:
  CommandProcessor(const Chip &chip, std::shared_ptr<AddressSpace> space,
                   KernelCache &kernels, const Execution &execution,
                   QueueClock clock);

  /// Executes a batch up to its end. Throws `QueueError` for what is not known
  /// and for page faults, with the place; `QueueStopped` once `stops` is set.
  void run(std::uint64_t address, const std::atomic<bool> &stops);

private:
  using Words = std::vector<std::uint32_t>;
  struct Command;
  static const Command *find(std::uint32_t header);

  void execute(const Command &command, const Words &words);
  void setBases(const Words &words);
  void setComputeMode(const Words &words);
  void setFrontEnd(const Words &words);
  void walk(const Words &words);
  /// Returns how long it takes on the clock.
  std::uint64_t runKernel(const WalkerFields &fields);
  void finishWalk(const WalkerFields &fields, std::uint64_t begin);
  void synchronize(const Words &words);
  void flush(const Words &words);
  void waitForSemaphore(const Words &words);
  void startBatch(const Words &words);
  void setPredicate(const Words &words);
  void endBatch(const Words &words);
  void storeData(const Words &words);
  void loadRegisters(const Words &words);
  void copyRegister(const Words &words);
  void loadRegister(const Words &words);
  void storeRegister(const Words &words);
  void compute(const Words &words);
  void computeInMemory(const Words &words);
  /// Returns an address in memory of this tile, if a bit of a command states
  /// that tiles have separate memory.
  std::uint64_t getTileAddress(std::uint32_t low, std::uint32_t high,
                               bool isOfTile) const;
  /// Leaves the groups to a walker that are this tile's.
  void takePart(WalkerFields &fields) const;
  void copyMemory(const Words &words);
  void fillMemory(const Words &words);
  /// Lets the clock advance by a copy, or by a fill if there is no source.
  void transfer(std::optional<std::uint64_t> source, std::uint64_t destination,
                std::uint64_t numBytes);
  void writePostSync(std::uint32_t operation, std::uint64_t address,
                     std::uint64_t data);

  const Chip &chip;
  std::shared_ptr<AddressSpace> space;
  KernelCache &kernels;
  Execution execution;
  const std::atomic<bool> *stops = nullptr;

  /// The next command; what calls return to; whether the batch has ended.
  std::uint64_t next = 0;
  std::vector<std::uint64_t> callers;
  bool hasEnded = false;

  // Commands set this state for those that follow, also in later batches.
  std::uint64_t generalBase = 0, surfaceBase = 0, instructionBase = 0;
  std::uint32_t scratchSurface = 0;
  bool hasLargeRegisters = false;
  /// Conditional jumps are left out.
  bool isSkipping = false;
  const simulator::ChipModel model;
  QueueClock clock;
  Registers registers;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_COMMANDPROCESSOR_H
