//===- KernelLog.h - A line for each kernel that ran ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_VIRTUALGPU_KERNELLOG_H
#define TRITON_INTEL_VIRTUALGPU_KERNELLOG_H

#include "intel/Simulator/DirectLaunch.h"

#include <string>

namespace triton::intel::vgpu {

/// Appends a line of JSON to a file: what a tile has run, how much it executed,
/// and how long it takes in the timing model. A line is written before the
/// program can see that the kernel has ended. Throws `QueueError` if the file
/// cannot be written.
void writeLogLine(const std::string &path,
                  const simulator::DirectLaunch &launch,
                  const simulator::Timing &timing, unsigned tile);

} // namespace triton::intel::vgpu

#endif // TRITON_INTEL_VIRTUALGPU_KERNELLOG_H
