//===- Timing.h - A model of how long a launch takes ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A model, not a measurement: it replays what the threads of one Xe core have
// executed, with the latencies that the device compiler's own scheduler assumes
// and the bandwidths of a data sheet. Its contents and its limits are described
// in docs/Simulator.md, "The timing model".
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_TIMING_H
#define TRITON_INTEL_SIMULATOR_TIMING_H

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace triton::intel::simulator {

/// The properties of a chip that the model uses.
struct ChipModel {
  /// Xe cores, and vector engines of each.
  unsigned cores = 1, engines = 1;
  /// Threads that a core holds, by the number of registers of each.
  std::map<unsigned, unsigned> threads;
  /// Lanes of 32 bits that a vector engine takes per cycle.
  unsigned lanesPerCycle = 16;
  /// Cycles of a dpas per row of its result.
  double dpasCyclesPerRow = 1;
  /// The bandwidth of a core per cycle: bytes between its registers and L1 or
  /// shared memory, and lines of 64 bytes from the levels beyond its L1.
  double loadStoreBytes = 512, linesPerCycle = 1;
  /// Bytes per cycle of all memory, and of these the most that are read; 0 if
  /// reads alone are as fast.
  double memoryBytes = 2048, memoryReadBytes = 0;
  /// Bytes per cycle of the link to memory of the host; 0 if there is none.
  double linkBytes = 0;
  /// Bytes of a core for L1 and shared memory together, and of these the most
  /// that may be shared memory.
  std::uint64_t cacheBytes = 0, sharedBytes = 0;
  /// Instructions that are kept of all threads of the core together: 4 bytes
  /// each, and messages.
  std::uint64_t maxRecorded = std::uint64_t(1) << 25;
  /// Launches are sampled: most groups that are not replayed do not run, so
  /// that results are incomplete, and memory is charged only for what the
  /// others touch.
  bool isSampled = false;

  /// Threads of a core, of kernels with `numRegisters` registers: a number
  /// between two is rounded up.
  unsigned getThreads(unsigned numRegisters) const {
    auto mode = threads.lower_bound(numRegisters);
    return mode == threads.end() ? engines : mode->second;
  }
};

/// Why a thread does not issue its next instruction.
enum class Stall : std::uint8_t {
  /// An earlier instruction of a pipe has not completed.
  Pipe,
  Math,
  Dpas,
  /// A message to global memory has not been answered, or not read its
  /// registers; of that what it spent in a queue is counted apart.
  Message,
  Queue,
  /// A message to shared local memory has not been answered; this includes
  /// conflicts of banks.
  Shared,
  Barrier,
  Branch,
  /// The pipe takes another instruction: of an older thread, or a wide one.
  Busy,
};
inline constexpr unsigned numStalls = 9;
const char *getName(Stall stall);

/// The timing of one instruction, over the threads of the core that the model
/// replays.
struct InstructionTiming {
  /// Cycles in which it issued: one per execution.
  std::uint64_t issued = 0;
  /// Cycles that its threads waited before it, by cause.
  std::array<std::uint64_t, numStalls> stalls = {};

  InstructionTiming &operator+=(const InstructionTiming &other) {
    issued += other.issued;
    for (unsigned i = 0; i < numStalls; ++i)
      stalls[i] += other.stalls[i];
    return *this;
  }
};

/// The timing of all launches of a kernel.
struct Timing {
  std::uint64_t launches = 0;
  /// Cycles of the model that they take.
  std::uint64_t cycles = 0;
  /// The part of it that only the bandwidth of memory and link needs.
  std::uint64_t memoryCycles = 0;
  /// Instructions that all threads executed, and bytes of the lines of memory
  /// that they touched, each line once per launch.
  std::uint64_t numExecuted = 0, touchedBytes = 0;
  /// Figures of the last launch: cycles of a core for the groups that it holds
  /// at the same time, the number of these groups and of their threads, and how
  /// often cores take new ones.
  std::uint64_t coreCycles = 0, groups = 0, threads = 0, waves = 0;
  /// The timing of each instruction, by its index in the code.
  std::vector<InstructionTiming> instructions;

  Timing &operator+=(const Timing &other);
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_TIMING_H
