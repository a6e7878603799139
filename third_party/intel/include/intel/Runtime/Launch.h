//===- Launch.h - Start a kernel --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Submits one launch of a kernel to a queue.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_LAUNCH_H
#define TRITON_INTEL_RUNTIME_LAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/Geometry.h"
#include "intel/Runtime/LaunchTime.h"
#include "intel/Runtime/Module.h"

#include <optional>
#include <vector>

namespace triton::intel::runtime {

/// Submits `kernel` to `queue`; an empty grid submits nothing. `wait` blocks
/// until the kernel is done; the caller may then read its results, which are
/// plain memory on the CPU device. A kernel with a report always blocks, and
/// throws like `checkReport`. `time`, if it is not null, receives the time of
/// the kernel, and stays empty if nothing was submitted. If `queue` is captured
/// into a graph, there is no time, and a kernel with a report is an error;
/// otherwise nothing is allocated, and nothing waits.
void launch(sycl::queue &queue, const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments, bool wait,
            std::optional<LaunchTime> *time = nullptr);

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_LAUNCH_H
