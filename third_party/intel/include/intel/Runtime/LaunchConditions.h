//===- LaunchConditions.h - Conditions on launches --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A kernel addresses tensors by 2D block messages if their sizes are within the
// limits of the messages. The launch checks what the compiler could not prove:
// constraints on the kernel's arguments and the grid, in postfix notation, as
// one list of numbers per tensor ("surface"). intel/ABI/ConditionOp.h defines
// the notation.
//
// Some conditions are about the memory of tensors. Only for these the launch
// finds out which bytes tensors span.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_RUNTIME_LAUNCHCONDITIONS_H
#define TRITON_INTEL_RUNTIME_LAUNCHCONDITIONS_H

#include "intel/ABI/ConditionOp.h"
#include "intel/Runtime/Arguments.h"

#include <array>
#include <cstdint>
#include <vector>

namespace triton::intel::runtime {

using abi::ConditionOp;

/// The condition under which one surface is legal.
struct SurfaceCondition {
  std::int64_t surface;
  std::vector<std::int64_t> code;
};

class LaunchConditions {
public:
  LaunchConditions() = default;
  /// Throws `Error` of kind `Binary` for code that cannot be evaluated with
  /// `numArguments` arguments.
  LaunchConditions(std::vector<SurfaceCondition> surfaces,
                   std::size_t numArguments);

  bool isEmpty() const { return surfaces.empty(); }

  /// Returns the positions of the pointers that `check` takes the spans of, in
  /// ascending order.
  const std::vector<std::size_t> &getSpanned() const { return spanned; }

  /// Appends the surfaces that a launch of `numPrograms` programs cannot
  /// address to `illegal`. `spans` are by position, and need not have those
  /// that the conditions do not use; a missing one counts as not known.
  void check(const std::vector<Argument> &arguments,
             const std::array<std::int64_t, 3> &grid,
             const std::vector<ArgumentSpan> &spans,
             std::vector<std::int64_t> &illegal) const;

private:
  std::vector<SurfaceCondition> surfaces;
  std::vector<std::size_t> spanned;
};

} // namespace triton::intel::runtime

#endif // TRITON_INTEL_RUNTIME_LAUNCHCONDITIONS_H
