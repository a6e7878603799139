//===- Timestamps.cpp - The clock of a virtual GPU ------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/VirtualGPU/Timestamps.h"

#include "intel/VirtualGPU/Failure.h"

#include <cerrno>
#include <ctime>

namespace triton::intel::vgpu {

namespace {
constexpr std::uint64_t nanosecondsPerSecond = 1'000'000'000;
} // namespace

std::uint64_t readClock(int clock) {
  timespec time;
  if (clock_gettime(clock, &time) != 0)
    throw CallError(EINVAL, "there is no clock " + std::to_string(clock));
  return static_cast<std::uint64_t>(time.tv_sec) * nanosecondsPerSecond +
         static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t toTicks(std::uint64_t nanoseconds, const Chip &chip) {
  // Seconds apart, so that the product fits.
  std::uint64_t seconds = nanoseconds / nanosecondsPerSecond,
                rest = nanoseconds % nanosecondsPerSecond;
  return seconds * chip.timestampHz +
         rest * chip.timestampHz / nanosecondsPerSecond;
}

std::uint64_t readTimestamp(const Chip &chip) {
  std::uint64_t mask = ~std::uint64_t(0) >> (64 - chip.timestampBits);
  return toTicks(readClock(CLOCK_MONOTONIC), chip) & mask;
}

} // namespace triton::intel::vgpu
