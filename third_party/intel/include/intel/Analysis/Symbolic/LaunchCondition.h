//===- LaunchCondition.h - Conditions on launches ---------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Sizes of a kernel's tensors are arguments, so often only the launch knows
// whether a matrix is wide enough for a 2D block message. A condition contains
// what the compiler could not prove, as constraints over the kernel's arguments
// that the launcher evaluates. Constraints are MLIR's affine expressions (semi-
// affine: arguments may be multiplied) whose symbol i is argument i of the
// kernel: the value of an integer, sign-extended, or the address of a pointer.
// Dimension i is the number of programs of the launch along axis i.
// Constraints use exact integers. If the kernel computes a value in fewer bits,
// another constraint requires that the value fits. A condition may also require
// that the tensors of two pointers do not overlap. The pointers alone do not
// decide this: the launcher knows how far tensors extend.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHCONDITION_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHCONDITION_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Value.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace mlir::triton::gpu::intel {

/// A conjunction of constraints. If there are any, the condition knows the
/// kernel whose launches they constrain.
class LaunchCondition {
public:
  LaunchCondition() = default;
  /// Returns the constraints of a condition that is in a kernel.
  explicit LaunchCondition(LaunchConditionOp op);

  /// These add `expression` >= 0 and == 0. They return false if this never
  /// holds, and add nothing if it always holds.
  [[nodiscard]] bool requireNonNegative(AffineExpr expression);
  [[nodiscard]] bool requireZero(AffineExpr expression);

  /// Adds that the tensors of two pointers have no byte in common, in whichever
  /// order they are given. Returns false if this never holds, because it is one
  /// argument, and if `getArgument` knows no expression for one. With
  /// `mayBeSame`, the pointers may also be the same.
  [[nodiscard]] bool requireDisjoint(BlockArgument first, BlockArgument second,
                                     bool mayBeSame = false);

  /// Returns the expression for an argument of a kernel, and for the number of
  /// programs along `axis` of the launch that runs `op`. None if the condition
  /// already constrains another kernel, or if the kernel is not known.
  std::optional<AffineExpr> getArgument(BlockArgument argument);
  std::optional<AffineExpr> getGridExtent(Operation *op, unsigned axis);

  FuncOp getKernel() const { return kernel; }

  /// The constraints of both; false if they are about different kernels.
  [[nodiscard]] bool append(const LaunchCondition &other);

  /// Returns the expressions that are not negative.
  SmallVector<AffineExpr> getNonNegative() const;
  /// Returns the condition without one of these.
  LaunchCondition without(AffineExpr nonNegative) const;

  bool isTrue() const {
    return constraints.empty() && disjoint.empty() && disjointOrSame.empty();
  }
  /// Adds the condition to the kernel, as a `ttig.launch_condition` on the
  /// tensor with the number `surface` or, without one, on the whole kernel.
  /// Pairs that may be the same have a separate operation. Adds nothing, and
  /// returns false, if the condition is true.
  bool create(std::optional<int32_t> surface = std::nullopt) const;

  /// Returns the constraints as text, with the source names of the arguments.
  std::string describe() const;

private:
  /// Makes this a condition on launches of `function`; false if it already is
  /// one on launches of another kernel.
  bool setKernel(FuncOp function);

  /// The expression, and whether (1) it has to be zero.
  llvm::SetVector<std::pair<AffineExpr, unsigned>> constraints;
  /// The numbers of pointers whose tensors do not overlap, the lower one first.
  llvm::SetVector<std::pair<unsigned, unsigned>> disjoint, disjointOrSame;
  FuncOp kernel;
};

/// Returns the function that launches run; null if it is not known which of
/// several functions this is.
FuncOp getOnlyKernel(ModuleOp module);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_LAUNCHCONDITION_H
