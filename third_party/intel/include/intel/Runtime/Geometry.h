//===- Geometry.h - How many programs a launch has --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The geometry of a launch, and the checks of it that are the same on all
// devices.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_GEOMETRY_H
#define TRITON_INTEL_RUNTIME_GEOMETRY_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace triton::intel::runtime {

struct Geometry {
  /// The number of programs along x, y and z.
  std::array<std::int64_t, 3> grid;
  /// The number of work-items of one program: sub-groups times lanes.
  std::int64_t workGroupSize;
  /// Programs may wait for each other: all of them have to run at a time.
  bool isCooperative = false;

  bool isEmpty() const { return !grid[0] || !grid[1] || !grid[2]; }
};

/// Throws `Error` of kind `Launch`, with the limit, when a kernel that takes
/// work-groups of up to `maxWorkGroupSize` work-items cannot be launched with
/// this geometry.
void checkGeometry(const std::string &kernelName, std::size_t maxWorkGroupSize,
                   const Geometry &geometry);

/// Throws `Error` of kind `Launch` for a cooperative launch with more programs
/// than can run at a time.
void checkCooperation(const std::string &kernelName, std::uint64_t maxPrograms,
                      const Geometry &geometry);

/// Throws `Error` of kind `Argument` when a launch does not have the number of
/// arguments that the kernel takes, hidden ones not counted.
void checkArgumentCount(const std::string &kernelName, std::size_t expected,
                        std::size_t found);

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_GEOMETRY_H
