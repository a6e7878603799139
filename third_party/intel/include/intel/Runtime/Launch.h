//===- Launch.h - Start a kernel --------------------------------*- C++ -*-===//
//
// Submits one launch of a kernel to a queue.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_LAUNCH_H
#define INTEL_RUNTIME_LAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/AssertionReport.h"
#include "intel/Runtime/Geometry.h"
#include "intel/Runtime/Module.h"

#include <vector>

namespace triton::intel::runtime {

/// Submits `kernel` to `queue`; an empty grid submits nothing. `wait` blocks
/// until the kernel is done: on the CPU device its results are plain memory
/// that the caller may read at once. A kernel with assertions is always waited
/// for; if one fails, throws `Error` of kind `Assertion`.
void launch(sycl::queue &queue, const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments, bool wait);

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_LAUNCH_H
