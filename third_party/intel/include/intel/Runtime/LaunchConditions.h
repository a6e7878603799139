//===- LaunchConditions.h - What a launch has to satisfy --------*- C++ -*-===//
//
// A kernel addresses tensors by 2D block messages as long as their sizes are
// within the limits of these. What the compiler could not prove of them is left
// to the launch: constraints over the kernel's arguments, in postfix notation,
// one list of numbers per tensor ("surface").
//
// Symbols are arguments, sign-extended to 64 bits. Arithmetic is exact: a
// constraint with an intermediate result beyond 64 bits does not hold.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_RUNTIME_LAUNCHCONDITIONS_H
#define INTEL_RUNTIME_LAUNCHCONDITIONS_H

#include "intel/Runtime/Arguments.h"

#include <cstdint>
#include <vector>

namespace triton::intel::runtime {

/// One step of a constraint. Binary operations take the last two results, the
/// second operand last.
enum class ConditionOp : std::int64_t {
  /// Followed by its value.
  Constant,
  /// Followed by the argument's number.
  Argument,
  Add,
  Multiply,
  /// By positive divisors: the remainder is never negative, quotients are
  /// rounded down or up.
  Modulo,
  FloorDivide,
  CeilDivide,
  /// Ends a constraint: what is left has to be at least zero, or zero.
  NonNegative,
  Zero,
};

/// The condition under which one surface is legal.
struct SurfaceCondition {
  std::int64_t surface;
  std::vector<std::int64_t> code;
};

class LaunchConditions {
public:
  LaunchConditions() = default;
  /// Throws `Error` of kind `Binary` for code that cannot be evaluated with so
  /// many arguments.
  LaunchConditions(std::vector<SurfaceCondition> surfaces,
                   std::size_t numArguments);

  bool isEmpty() const { return surfaces.empty(); }

  /// Appends the surfaces that this launch cannot address to `illegal`.
  void check(const std::vector<Argument> &arguments,
             std::vector<std::int64_t> &illegal) const;

private:
  std::vector<SurfaceCondition> surfaces;
};

} // namespace triton::intel::runtime

#endif // INTEL_RUNTIME_LAUNCHCONDITIONS_H
