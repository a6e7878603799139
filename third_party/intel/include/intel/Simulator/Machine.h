//===- Machine.h - Threads and work-groups of the simulated GPU -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The state of a hardware thread, which runs one sub-group, and what the
// threads of a work-group share. `Thread::run` executes until the thread ends,
// waits for a barrier or has used up its time; the caller decides which thread
// is next.
//
// A thread is an object, and stopping it in the middle needs no separate stack:
// that is why the fibers of the CPU device have no part here.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_SIMULATOR_MACHINE_H
#define TRITON_INTEL_SIMULATOR_MACHINE_H

#include "intel/Simulator/AddressTranslation.h"
#include "intel/Simulator/Counts.h"
#include "intel/Simulator/Instruction.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triton::intel::simulator {

/// One of the barriers of a work-group: the threads that have signalled in this
/// phase, and those that may pass.
struct Barrier {
  unsigned numSignalled = 0;
  /// Threads that have signalled as consumers, by their index in the group.
  std::vector<std::uint16_t> consumers;
};

inline constexpr unsigned numBarriers = 32;

class Thread;

/// How dpas sums products of floats, which is not documented. `Step`: exactly
/// within a step of depth, with one rounding per step, the first step first.
/// `Reversed`: the same, the last step first. `Product`: with a rounding for
/// each product. `Whole`: exactly, with one rounding at the end.
enum class DpasOrder : std::uint8_t { Step, Reversed, Product, Whole };

/// The state that all threads of a launch see.
struct LaunchState {
  const Code *code = nullptr;
  DpasOrder dpasOrder = DpasOrder::Step;
  /// The memory that binding table entry 255 represents: arguments and local
  /// ids (indirect data).
  const std::uint8_t *indirectData = nullptr;
  std::uint64_t indirectBytes = 0;
  /// Translates addresses of the flat space; null if they are pointers.
  const AddressTranslation *translation = nullptr;
  /// Bytes of scratch memory of a thread. With a translation it is in the flat
  /// space, one thread of the GPU after the other; else each thread has its
  /// own.
  std::uint32_t scratchBytes = 0;
  std::uint64_t scratchBase = 0;
  std::uint32_t sharedBytes = 0;
  /// True where code is an error that breaks a documented rule which code of
  /// others breaks: surfaces of 2D blocks with rows of fewer than 64 bytes,
  /// with a pitch like that or one below the width, and threads that end while
  /// lanes wait. The behaviour of hardware is then not documented. Without
  /// this, rows lie where their pitch puts them, and the thread ends.
  bool isStrict = true;
};

/// A work-group: its shared local memory, barriers and threads.
struct WorkGroup {
  const LaunchState *launch = nullptr;
  std::vector<std::uint8_t> sharedMemory;
  std::array<Barrier, numBarriers> barriers;
  std::vector<Thread *> threads;
};

class ThreadChecks;
class Recorder;

enum class StopReason : std::uint8_t { Ended, AtBarrier, OutOfTime };

class Thread {
public:
  /// Makes it ready to run a kernel from its first instruction: `index` is its
  /// number in the group, `number` one of the GPU, `lanes` the mask of lanes
  /// that are alive. Registers hold a pattern that no program writes; the
  /// caller sets those that a dispatch defines.
  void reset(WorkGroup &group, unsigned index, unsigned number,
             std::uint32_t lanes);

  /// Executes at most `budget` instructions. Throws `Error` of kind `Launch`
  /// for what hardware would hang or fault at, with the instruction.
  StopReason run(std::uint64_t budget);

  /// Returns the bytes of a general register.
  std::uint8_t *getRegister(unsigned number) {
    return registers.data() + number * registerBytes;
  }

  /// Returns the lanes that were alive at the start.
  std::uint32_t getDispatchedLanes() const {
    return reinterpret_cast<const std::uint32_t *>(registers.data() +
                                                   registerFile::state)[2];
  }

  /// All register files, see `registerFile`.
  alignas(64) std::array<std::uint8_t, registerFile::numBytes> registers;
  /// The accumulator of integer products: more than the 32 bits of its
  /// register.
  std::array<std::int64_t, maxLanes> wideAccumulator;
  /// Registers with an extension (mme): their values at full precision, by the
  /// number of the extension.
  std::array<std::array<long double, maxLanes>, 8> extended;
  /// The next instruction.
  std::uint32_t ip = 0;
  /// Lanes that run, and for the others where they go on.
  std::uint32_t running = 0;
  /// Lanes that have called the function that runs: others wait for it to end,
  /// wherever they are.
  std::uint32_t callers = 0;
  std::array<std::uint32_t, maxLanes> resume;
  WorkGroup *group = nullptr;
  /// Its number in the group, and on the GPU.
  unsigned index = 0, number = 0;
  /// Signals that have come for it, by barrier.
  std::array<std::uint8_t, numBarriers> credits;
  std::vector<std::uint8_t> scratch;
  bool hasEnded = false, isWaiting = false;
  /// Signals and waits of barriers that all threads of the group take part in.
  std::uint32_t numSignals = 0, numWaits = 0;
  /// On request, what watches it, where its instructions are counted, and what
  /// the timing model keeps of them.
  ThreadChecks *checks = nullptr;
  Counts *counts = nullptr;
  Recorder *recorder = nullptr;
  std::uint64_t numExecuted = 0;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_SIMULATOR_MACHINE_H
