//===- CoreMemory.h - When messages are answered ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// L1 and shared memory of an Xe core, with a queue before them, and a queue to
// the levels beyond L1.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_SIMULATOR_TIMING_COREMEMORY_H
#define TRITON_INTEL_LIB_SIMULATOR_TIMING_COREMEMORY_H

#include "Trace.h"
#include "intel/Simulator/Timing.h"

#include "llvm/ADT/DenseMap.h"

#include <list>

namespace triton::intel::simulator {

/// Lines that are in L1, with the cycle in which they have come. The one that
/// was used longest ago makes room.
class LineCache {
public:
  explicit LineCache(std::uint64_t numLines) : capacity(numLines) {}

  /// Finds a line and uses it; null if it is not in the cache.
  const std::uint64_t *find(std::uint64_t line);
  /// Adds a missing line.
  void insert(std::uint64_t line, std::uint64_t arrival);

private:
  struct Entry {
    std::uint64_t line, arrival;
  };
  std::uint64_t capacity;
  /// The one used last comes first.
  std::list<Entry> entries;
  llvm::DenseMap<std::uint64_t, std::list<Entry>::iterator> places;
};

class CoreMemory {
public:
  /// `cacheBytes` is what shared memory leaves of L1.
  CoreMemory(const ChipModel &chip, std::uint64_t cacheBytes)
      : chip(chip), cache(cacheBytes / lineBytes) {}

  /// When a message has read its registers and when it is answered, and how
  /// many cycles of that it spent in queues.
  struct Answer {
    std::uint64_t read = 0, written = 0, queued = 0;
    Stall cause = Stall::Message;
  };
  /// `lines` are those of the message. Calls come in the order of cycles.
  Answer send(std::uint64_t cycle, const TracedMessage &message,
              const std::uint64_t *lines);

private:
  /// Returns the cycle in which the last of the lines arrives.
  std::uint64_t access(double begin, const TracedMessage &message,
                       const std::uint64_t *lines, bool &isFar);
  /// Sends a line to or from the levels beyond L1; returns when it is its turn.
  double passFar(double begin);

  const ChipModel &chip;
  LineCache cache;
  /// The times when the queues are empty.
  double nearFree = 0, farFree = 0;
};

} // namespace triton::intel::simulator

#endif // TRITON_INTEL_LIB_SIMULATOR_TIMING_COREMEMORY_H
