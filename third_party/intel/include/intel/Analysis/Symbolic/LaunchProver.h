//===- LaunchProver.h - Proofs under launch conditions ----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Often only the launch knows what a proof needs: that an argument is not
// negative, that a sum fits 32 bits, or that there are no more programs than
// tiles. This prover requires such facts of the launch, as a LaunchCondition,
// and goes on with them.
//
// Arguments of the kernel and extents of the grid are known at launch, and so
// are polynomials of them, and their quotients by constants. To require that an
// expression is not negative, its other symbols give way to bounds that are
// known at launch: the number of a program to 0 or the extent of the grid, a
// minimum to both of its operands, or to either one of them. One more rule is
// for programs in groups. If q is d / (g * t), rounded down, then r - g * q is
// not negative if d < t * (r + 1), because all numbers are integers.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHPROVER_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHPROVER_H

#include "intel/Analysis/Symbolic/LaunchCondition.h"
#include "intel/Analysis/Symbolic/ValueProver.h"

namespace mlir::triton::gpu::intel {

/// Holds bounds of a scalar integer that the launch knows.
struct LaunchBounds {
  /// The value is not less than the least of these. If empty, there is no known
  /// bound.
  SmallVector<AffineExpr> lower;
  /// The value is not more than the largest of these.
  SmallVector<AffineExpr> upper;

  bool operator==(const LaunchBounds &other) const {
    return lower == other.lower && upper == other.upper;
  }
};

/// Answers hold in launches that satisfy the condition, to which queries add
/// what they need. A query without an answer adds nothing.
class LaunchProver : public ValueProver {
public:
  LaunchProver(ValueSources &sources, Overflow overflow,
               LaunchCondition &condition, const AddressParts *parts = nullptr)
      : ValueProver(sources, overflow, parts), condition(condition) {}

  /// Returns whether a scalar is not negative.
  bool isNonNegativeAtLaunch(Value value);
  /// Returns the same for the expression that `makeExpr` builds from scalars,
  /// where `at` runs. Launches may have to satisfy a relation of it to the
  /// number of iterations of a loop, which is for numbers that all but extreme
  /// launches fit.
  bool isNonNegativeAtLaunch(Operation *at, MakeExprFn makeExpr);

  /// Returns an expression for each of the numbers that may reach a scalar
  /// through branches, selects and calls; none if one of them depends on
  /// anything that the launch does not know, such as memory.
  SmallVector<AffineExpr> getExpressions(Value value);

  /// Returns bounds of a scalar, which are its expressions if there are any.
  LaunchBounds getBounds(Value value);

  /// Returns an upper bound of `factor` * `value` modulo `modulus`, a power of
  /// two. The value need not be known at launch if its divisors are. Counts
  /// bytes if `value` is a pointer.
  AffineExpr getResidueBound(Value value, int64_t factor, int64_t modulus);

private:
  class Terms;

  void start(Query &query, Operation *at) override;
  bool require(Query &query, const SymbolicExpr &expr);
  template <typename Answer>
  Answer queryWithRequirements(Operation *at,
                               llvm::function_ref<Answer()> compute);
  bool proveAtLaunch(Operation *at, llvm::function_ref<bool()> isProved);
  void dropRequirements(const LaunchCondition &before,
                        llvm::function_ref<bool()> isProved);

  LaunchCondition &condition;
  /// Is an operation of the kernel that the query is about.
  Operation *kernelCode = nullptr;
  /// State whether conditions may be added at all, and for what loops and
  /// branches around the value imply.
  bool mayRequire = true, mayRequireAround = false;
  /// States whether the number of an iteration may give way to that of the last
  /// one.
  bool mayBoundIterations = false;
  /// States whether a requirement was refused because it may not be made.
  bool wasRefused = false;
  /// Holds the requirements that are under way, each with its query.
  std::vector<std::pair<const Query *, SymbolicExpr>> pending;
  /// Count the searches that are under way, and the steps that they have taken.
  unsigned numSearches = 0, numSteps = 0;
};

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHPROVER_H
