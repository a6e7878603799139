//===- Clock.h - The time of a virtual GPU ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The time of a device is that of the timing model: it advances by the work of
// its queues, and does not advance while they have none. The load of the
// machine, and how long the simulation takes, do not change it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_VIRTUALGPU_CLOCK_H
#define TRITON_INTEL_VIRTUALGPU_CLOCK_H

#include "intel/VirtualGPU/Chips.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

namespace triton::intel::vgpu {

/// Returns nanoseconds of a clock of the system. Throws `CallError` if there is
/// none of this number.
std::uint64_t readSystemClock(int clock);

/// A resource that copies share, whichever units carry them out: the memory of
/// the chip, or one of the two directions of its link to the host.
enum class Path : std::uint8_t { None, Memory, FromHost, ToHost };

/// The clock of a device, in picoseconds.
class Clock {
public:
  /// The units of the first tile: the one that runs kernels, and those that
  /// copy.
  static constexpr unsigned kernelUnit = 0, firstCopyUnit = 1;

  explicit Clock(const Chip &chip);

  /// Returns the first unit of a tile.
  static unsigned getFirstUnit(const Chip &chip, unsigned tile) {
    return tile * (firstCopyUnit + chip.copyEngines);
  }

  /// Returns when the last work ended so far. This never decreases.
  std::uint64_t read() const;

  /// Lets one of some units work for a time: that which is free first, not
  /// before `earliest`, and not before the path is free. Returns when it
  /// begins.
  std::uint64_t work(const std::vector<unsigned> &units, std::uint64_t earliest,
                     std::uint64_t duration, Path path);

  /// Returns the time of a tick, rounded up.
  std::uint64_t getTick() const;
  /// Returns the chip's counter at a time, cut to its bits.
  std::uint64_t toTicks(std::uint64_t time) const;

private:
  const Chip &chip;
  mutable std::mutex mutex;
  std::uint64_t last;
  /// The time from which on each unit is free, and each path.
  std::vector<std::uint64_t> free;
  std::array<std::uint64_t, 4> pathFree = {};
};

/// The time of a queue: its work comes one after the other, and at the same
/// time as that of other queues if these use other units.
class QueueClock {
public:
  QueueClock(Clock &device, std::vector<unsigned> units)
      : device(device), units(std::move(units)) {}

  /// Something that the queue waited for has happened: what follows is later
  /// than everything that has ended.
  void join();
  /// Lets the queue work for a time; returns when it began.
  std::uint64_t work(std::uint64_t duration, Path path = Path::None);
  std::uint64_t read() const { return now; }

  std::uint64_t getTick() const { return device.getTick(); }
  std::uint64_t toTicks(std::uint64_t time) const {
    return device.toTicks(time);
  }
  /// Returns the chip's counter. This takes a tick: the driver takes an end
  /// that is its begin for a counter that has wrapped.
  std::uint64_t takeTicks();

private:
  Clock &device;
  std::vector<unsigned> units;
  std::uint64_t now = 0;
};

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_CLOCK_H
