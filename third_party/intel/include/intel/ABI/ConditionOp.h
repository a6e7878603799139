//===- ConditionOp.h - The notation of launch conditions --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Part of the contract between the compiler and the runtime: constraints on a
// launch (on a kernel's arguments and the extents of the grid) in postfix
// notation, as a list of numbers.
//
// Symbols are arguments, sign-extended to 64 bits. Arithmetic is exact: a
// constraint with an intermediate result beyond 64 bits does not hold.
//
// Tensors span the bytes from their lowest element to their highest one. If it
// is not known which bytes these are, they may be any.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ABI_CONDITIONOP_H
#define TRITON_INTEL_ABI_CONDITIONOP_H

#include <cstdint>

namespace triton::intel::abi {

/// One step of a constraint. Binary operations take the last two results, the
/// second operand last.
enum class ConditionOp : std::int64_t {
  /// Followed by its value.
  Constant,
  /// Followed by the argument's number.
  Argument,
  Add,
  Multiply,
  /// Divisors are positive. The remainder is never negative; quotients are
  /// rounded down or up.
  Modulo,
  FloorDivide,
  CeilDivide,
  /// Ends a constraint: the result has to be at least zero, or zero.
  NonNegative,
  Zero,
  /// The number of programs along an axis, 0 to 2, which follows.
  GridExtent,
  /// A constraint by itself: the tensors of two pointers have no byte in
  /// common. The arguments' numbers follow. A null pointer and a tensor without
  /// elements span nothing.
  Disjoint,
  /// The same, except for pointers that are the same address.
  DisjointOrSame,
};

/// In the place of the number of a tensor: a launch without this condition must
/// not run the kernel at all.
inline constexpr std::int64_t launchAssumption = -1;

} // namespace triton::intel::abi

#endif // TRITON_INTEL_ABI_CONDITIONOP_H
