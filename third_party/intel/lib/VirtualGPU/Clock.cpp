//===- Clock.cpp - The time of a virtual GPU ------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Clock.h"

#include "intel/VirtualGPU/Failure.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace triton::intel::vgpu {

namespace {
constexpr std::uint64_t picosecondsPerSecond = 1'000'000'000'000;
} // namespace

std::uint64_t readSystemClock(int clock) {
  constexpr std::uint64_t nanosecondsPerSecond = 1'000'000'000;
  timespec time;
  if (clock_gettime(clock, &time) != 0)
    throw CallError(EINVAL, "there is no clock " + std::to_string(clock));
  return static_cast<std::uint64_t>(time.tv_sec) * nanosecondsPerSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

/// Drivers take a counter of 0 for one that was not written.
Clock::Clock(const Chip &chip)
    : chip(chip), last(picosecondsPerSecond),
      free(getFirstUnit(chip, chip.tiles), last) {}

std::uint64_t Clock::read() const {
  std::lock_guard<std::mutex> lock(mutex);
  return last;
}

std::uint64_t Clock::work(const std::vector<unsigned> &units,
                          std::uint64_t earliest, std::uint64_t duration,
                          Path path) {
  std::lock_guard<std::mutex> lock(mutex);
  unsigned unit = *std::min_element(
      units.begin(), units.end(),
      [&](unsigned left, unsigned right) { return free[left] < free[right]; });
  std::uint64_t begin = std::max(earliest, free[unit]);
  if (path != Path::None) {
    std::uint64_t &shared = pathFree[static_cast<std::size_t>(path)];
    begin = std::max(begin, shared);
    shared = begin + duration;
  }
  free[unit] = begin + duration;
  last = std::max(last, free[unit]);
  return begin;
}

std::uint64_t Clock::toTicks(std::uint64_t time) const {
  // Seconds apart, and kilohertz, so that the product fits.
  constexpr std::uint64_t thousand = 1000;
  std::uint64_t seconds = time / picosecondsPerSecond,
                rest = time % picosecondsPerSecond;
  std::uint64_t ticks =
      seconds * chip.timestampHz +
      rest * (chip.timestampHz / thousand) / (picosecondsPerSecond / thousand);
  return ticks & ~std::uint64_t(0) >> (64 - chip.timestampBits);
}

std::uint64_t Clock::getTick() const {
  return (picosecondsPerSecond + chip.timestampHz - 1) / chip.timestampHz;
}

void QueueClock::join() { now = std::max(now, device.read()); }

std::uint64_t QueueClock::work(std::uint64_t duration, Path path) {
  std::uint64_t begin = device.work(units, now, duration, path);
  now = begin + duration;
  return begin;
}

std::uint64_t QueueClock::takeTicks() { return toTicks(work(getTick())); }

} // namespace triton::intel::vgpu
