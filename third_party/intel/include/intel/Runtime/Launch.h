//===- Launch.h - Start a kernel --------------------------------*- C++ -*-===//
//
// Submits one launch of a kernel to a queue.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_LAUNCH_H
#define INTEL_RUNTIME_LAUNCH_H

#include "intel/Runtime/Arguments.h"
#include "intel/Runtime/Module.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triton::intel::runtime {

struct Geometry {
  /// Programs along x, y and z.
  std::array<std::int64_t, 3> grid;
  /// Work-items of one program: sub-groups times lanes.
  std::int64_t workGroupSize;

  bool isEmpty() const { return !grid[0] || !grid[1] || !grid[2]; }
};

/// Throws `Error` of kind `Launch`, with the limit, when `kernel` cannot be
/// launched with this geometry.
void checkGeometry(const Kernel &kernel, const Geometry &geometry);

/// What a kernel with assertions writes through its hidden last argument. Zeros
/// before the launch.
struct AssertionReport {
  /// The assertion that failed first, counted from 1.
  std::int32_t number;
  /// The program that it failed in: x, y, z.
  std::int32_t program[3];
};

/// Submits `kernel` to `queue`; an empty grid submits nothing. `wait` blocks
/// until the kernel is done: on the CPU device its results are plain memory
/// that the caller may read at once. A kernel with assertions is always waited
/// for; if one fails, throws `Error` of kind `Assertion`.
void launch(sycl::queue &queue, const Kernel &kernel, const Geometry &geometry,
            const std::vector<Argument> &arguments, bool wait);

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_LAUNCH_H
