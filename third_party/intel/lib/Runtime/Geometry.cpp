//===- Geometry.cpp - How many programs a launch has ----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Runtime/Geometry.h"
#include "intel/Runtime/Error.h"

#include <limits>

namespace triton::intel::runtime {

namespace {
/// `tl.program_id` is a signed 32-bit integer, and so is what kernels compute
/// of several of them to number their programs.
constexpr std::int64_t maxPrograms = std::numeric_limits<std::int32_t>::max();
} // namespace

/// Throws `Error` of kind `Launch` for a grid or a work-group that no device
/// takes.
void checkGeometry(const std::string &kernelName, std::size_t maxWorkGroupSize,
                   const Geometry &geometry) {
  for (int dimension = 0; dimension < 3; ++dimension) {
    std::int64_t programs = geometry.grid[dimension];
    std::string name = "grid[" + std::to_string(dimension) + "]";
    if (programs < 0)
      throw Error(ErrorKind::Launch,
                  name + " is negative: " + std::to_string(programs));
    if (programs > maxPrograms)
      throw Error(ErrorKind::Launch, name + " is too large: expected at most " +
                                         std::to_string(maxPrograms) +
                                         " programs, found " +
                                         std::to_string(programs));
  }
  auto [x, y, z] = geometry.grid;
  if (!geometry.isEmpty() && x > maxPrograms / y / z)
    throw Error(ErrorKind::Launch,
                "the grid has too many programs: expected at most " +
                    std::to_string(maxPrograms));
  auto limit = static_cast<std::int64_t>(maxWorkGroupSize);
  if (geometry.workGroupSize > limit)
    throw Error(ErrorKind::Launch, "work-group of kernel `" + kernelName +
                                       "` is too large: expected at most " +
                                       std::to_string(limit) +
                                       " work-items, found " +
                                       std::to_string(geometry.workGroupSize) +
                                       "; reduce `num_warps`");
}

/// Throws `Error` of kind `Argument`.
void checkCooperation(const std::string &kernelName, std::uint64_t maxPrograms,
                      const Geometry &geometry) {
  if (!geometry.isCooperative)
    return;
  // `checkGeometry` limits each of the factors.
  auto numPrograms = static_cast<double>(geometry.grid[0]) *
                     static_cast<double>(geometry.grid[1]) *
                     static_cast<double>(geometry.grid[2]);
  if (numPrograms <= static_cast<double>(maxPrograms))
    return;
  throw Error(ErrorKind::Launch,
              "kernel `" + kernelName + "` has programs that may wait for " +
                  "each other (`launch_cooperative_grid`), of which at most " +
                  std::to_string(maxPrograms) +
                  " run at a time, found a grid of (" +
                  std::to_string(geometry.grid[0]) + ", " +
                  std::to_string(geometry.grid[1]) + ", " +
                  std::to_string(geometry.grid[2]) + ")");
}

void checkArgumentCount(const std::string &kernelName, std::size_t expected,
                        std::size_t found) {
  if (found != expected)
    throw Error(ErrorKind::Argument, "kernel `" + kernelName + "` takes " +
                                         std::to_string(expected) +
                                         " arguments, found " +
                                         std::to_string(found));
}

} // namespace triton::intel::runtime
