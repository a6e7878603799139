//===- Timestamps.h - The clock of a virtual GPU ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Ticks count the time of this process's machine since it was started, at the
// rate of the chip's counter: what a program measures is how long the
// simulation took.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_VIRTUALGPU_TIMESTAMPS_H
#define INTEL_VIRTUALGPU_TIMESTAMPS_H

#include "intel/VirtualGPU/Chips.h"

#include <cstdint>

namespace triton::intel::vgpu {

/// Returns nanoseconds of a clock of the system. Throws `CallError` if there is
/// none of this number.
std::uint64_t readClock(int clock);

/// Returns the counter of a chip, cut to its bits.
std::uint64_t readTimestamp(const Chip &chip);

/// Converts nanoseconds to ticks of a chip, not cut.
std::uint64_t toTicks(std::uint64_t nanoseconds, const Chip &chip);

} // namespace triton::intel::vgpu

#endif // INTEL_VIRTUALGPU_TIMESTAMPS_H
