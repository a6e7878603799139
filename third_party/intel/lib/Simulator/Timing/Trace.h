//===- Trace.h - Traces of threads ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_SIMULATOR_TIMING_TRACE_H
#define TRITON_INTEL_LIB_SIMULATOR_TIMING_TRACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace triton::intel::simulator {

/// Bytes of a line of the caches.
inline constexpr unsigned lineBytes = 64;

/// The unit that executes a message.
enum class MessageRoute : std::uint8_t {
  Load,
  Prefetch,
  Store,
  Atomic,
  /// Memory of a thread, which stays in L1; and through the legacy data port.
  Scratch,
  ScratchBlock,
  Shared,
  SharedFence,
  Fence,
  Signal,
  Other,
};

struct TracedMessage {
  /// Its lines are the next ones of the thread.
  std::uint32_t numLines = 0;
  std::uint32_t bytes = 0;
  std::uint16_t conflicts = 0;
  /// Registers of its payload, and lanes.
  std::uint8_t payload = 0, numLanes = 0;
  MessageRoute route = MessageRoute::Other;
  /// L1 is neither read nor filled.
  bool passesL1 = false;
};

/// The trace of one thread.
struct ThreadTrace {
  /// Indices of instructions. Each send has the next one of the messages.
  std::vector<std::uint32_t> instructions;
  std::vector<TracedMessage> messages;
  std::vector<std::uint64_t> lines;
  /// The number of instructions that ran, also those that are not kept.
  std::uint64_t numExecuted = 0;
  /// The number of its group among those traced.
  unsigned group = 0;
};

/// The lines of global memory that a launch has touched, each once.
class LineSet {
public:
  void add(std::uint64_t line) {
    std::uint64_t page = line / linesPerPage;
    if (page != lastPage || !lastMask) {
      lastPage = page;
      lastMask = &getMask(page);
    }
    *lastMask |= std::uint64_t(1) << line % linesPerPage;
  }
  void add(const LineSet &other);
  std::uint64_t getSize() const {
    return countLines([](std::uint64_t) { return true; });
  }
  /// Returns the number of lines in pages of memory whose address fulfils a
  /// condition.
  std::uint64_t
  countLines(llvm::function_ref<bool(std::uint64_t address)> condition) const;

private:
  static constexpr unsigned linesPerPage = 64;

  std::uint64_t &getMask(std::uint64_t page);

  /// Masks do not move.
  llvm::DenseMap<std::uint64_t, std::unique_ptr<std::uint64_t>> masks;
  std::uint64_t lastPage = 0;
  std::uint64_t *lastMask = nullptr;
};

/// The totals of all threads of a launch, or of those of a processor.
struct LaunchTotals {
  /// Holds all lines that messages touched, and those that they read.
  LineSet lines, readLines;
  std::uint64_t numExecuted = 0;
};

/// Records what a thread does while it runs: totals, and of some threads
/// everything. Iterations of a loop that leave the thread as it was do not
/// count: it waits for other threads, and how often it looks depends on the
/// order in which the simulator runs them.
class Recorder {
public:
  explicit Recorder(LaunchTotals &totals) : totals(totals) {}

  /// `trace` may be null; otherwise it is the one with this number. Of more
  /// than `limit` instructions the first ones are kept.
  void begin(ThreadTrace *trace, unsigned number, std::size_t limit) {
    this->trace = trace;
    this->number = number;
    this->limit = limit;
    isFull = false;
    numExecuted = 0;
    last = {};
  }
  unsigned getNumber() const { return number; }

  void execute(std::uint32_t index) {
    ++totals.numExecuted;
    ++numExecuted;
    if (trace)
      record(index);
  }
  /// The last instruction has not run, and will be tried again.
  void undo() {
    --totals.numExecuted;
    --numExecuted;
    if (trace)
      takeBack();
  }
  /// The last instruction has jumped back, to `target`, with these lanes and
  /// registers.
  void jumpBack(std::uint32_t target, std::uint32_t lanes,
                llvm::ArrayRef<std::uint8_t> registers);

  /// Follows the `execute` of a send; its lines follow.
  void beginMessage(const TracedMessage &message) {
    if (trace && !isFull)
      trace->messages.push_back(message);
  }
  /// Adds a line of the message. A line of global memory counts for the launch
  /// as well, and once more among those that are read if the message reads it.
  void addLine(std::uint64_t line, bool isGlobal, bool isRead) {
    if (isGlobal)
      totals.lines.add(line);
    if (isGlobal && isRead)
      totals.readLines.add(line);
    if (trace && !isFull) {
      trace->lines.push_back(line);
      ++trace->messages.back().numLines;
    }
  }
  void addBytes(std::uint64_t bytes, unsigned conflicts = 0) {
    if (!trace || isFull)
      return;
    trace->messages.back().bytes += static_cast<std::uint32_t>(bytes);
    trace->messages.back().conflicts += static_cast<std::uint16_t>(conflicts);
  }

private:
  void record(std::uint32_t index);
  void takeBack();

  /// The thread after its last jump back.
  struct Arrival {
    std::uint32_t target = 0, lanes = 0;
    /// The instructions until then, and the sizes of the trace.
    std::uint64_t numExecuted = 0;
    std::size_t numInstructions = 0, numMessages = 0, numLines = 0;
    /// Empty after long iterations, which are taken not to wait.
    std::vector<std::uint8_t> registers;
  };

  LaunchTotals &totals;
  ThreadTrace *trace = nullptr;
  unsigned number = 0;
  std::size_t limit = 0;
  bool isFull = false;
  /// The instructions of this thread.
  std::uint64_t numExecuted = 0;
  Arrival last;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_TIMING_TRACE_H
