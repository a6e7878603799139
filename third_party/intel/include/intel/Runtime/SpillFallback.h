//===- SpillFallback.h - Another build for a kernel that spills -*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Only the device compiler knows for certain whether a kernel spills registers.
// A binary may contain options for a second build in this case.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_SPILLFALLBACK_H
#define TRITON_INTEL_RUNTIME_SPILLFALLBACK_H

#include "intel/Runtime/Error.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace triton::intel::runtime {

/// The result for a kernel with options for a second build.
struct SpillFallback {
  /// This is true if the second build is the one that is launched.
  bool isSecond;
  /// Bytes per sub-group that the build which is not launched spills.
  std::size_t otherSpillSize;
};

/// Chooses between a build that spills and the one that `buildSecond` makes:
/// the one that spills less. The first build is chosen if both spill the same,
/// because it permits more threads, or if the device compiler refuses the
/// second one. `getSpillSize` returns how many bytes per sub-group a build
/// spills.
template <typename Build, typename GetSpillSize, typename BuildSecond>
std::pair<Build, std::optional<SpillFallback>>
keepBetterBuild(Build first, GetSpillSize getSpillSize,
                BuildSecond buildSecond) {
  std::size_t spilled = getSpillSize(first);
  if (spilled == 0)
    return {std::move(first), std::nullopt};
  try {
    Build second = buildSecond();
    std::size_t spilledBySecond = getSpillSize(second);
    if (spilledBySecond < spilled)
      return {std::move(second), SpillFallback{true, spilled}};
    return {std::move(first), SpillFallback{false, spilledBySecond}};
  } catch (const Error &) {
    // The existing versions can be launched.
    return {std::move(first), std::nullopt};
  }
}

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_SPILLFALLBACK_H
