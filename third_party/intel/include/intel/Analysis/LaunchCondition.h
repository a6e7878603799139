//===- LaunchCondition.h - What a launch has to satisfy ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Sizes of a kernel's tensors are arguments: that a matrix is wide enough for a
// 2D block message is often known by nobody but the launch. A condition holds
// what the compiler could not prove, as constraints over the kernel's arguments
// that the launcher evaluates. Constraints are MLIR's affine expressions (semi-
// affine: arguments may be multiplied) whose symbol i is argument i of the
// kernel: the value of an integer, sign-extended, or the address of a pointer.
// Dimension i is the number of programs of the launch along axis i.
// They count in exact integers: what the kernel computes in fewer bits is
// constrained to fit those.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_LAUNCHCONDITION_H
#define INTEL_ANALYSIS_LAUNCHCONDITION_H

#include "intel/Dialect/TritonIntelGPU/IR/Dialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Value.h"
#include "triton/Analysis/AxisInfo.h"
#include "triton/Analysis/ValueSources.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

#include "llvm/ADT/SetVector.h"

#include <optional>
#include <string>

namespace mlir::triton::gpu::intel {

/// A conjunction of constraints. Wherever there is a constraint, there is the
/// kernel whose launches it is about.
class LaunchCondition {
public:
  /// `expression` >= 0 and == 0. False if that can never be; what always holds
  /// is not kept.
  [[nodiscard]] bool requireNonNegative(AffineExpr expression);
  [[nodiscard]] bool requireZero(AffineExpr expression);

  /// The expression for an argument of a kernel, and for the number of programs
  /// along `axis` of the launch that runs `op`. None if the condition is
  /// already about another kernel, or if nobody knows which kernel it is.
  std::optional<AffineExpr> getArgument(BlockArgument argument);
  std::optional<AffineExpr> getGridExtent(Operation *op, unsigned axis);

  FuncOp getKernel() const { return kernel; }

  /// The constraints of both; false if they are about different kernels.
  [[nodiscard]] bool append(const LaunchCondition &other);

  bool isTrue() const { return constraints.empty(); }
  /// Leaves the condition in the kernel, as a `ttig.launch_condition` on the
  /// tensor with the number `surface` or, without one, on the whole kernel.
  /// Nothing if it is true.
  LaunchConditionOp create(std::optional<int32_t> surface = std::nullopt) const;

  /// The constraints with the names that the arguments have in the source.
  std::string describe() const;

private:
  /// Makes the condition one on launches of `function`; false if it is already
  /// one on those of another kernel.
  bool setKernel(FuncOp function);

  /// The expression, and whether (1) it has to be zero.
  llvm::SetVector<std::pair<AffineExpr, unsigned>> constraints;
  FuncOp kernel;
};

/// The function that launches run; null if there are several, of which nobody
/// knows which one is launched.
FuncOp getOnlyKernel(ModuleOp module);

/// What `value`, a scalar integer or pointer, may be in terms of the arguments
/// of the kernel: an expression for each of the values that it may come from
/// through branches, selects and calls. Empty if one of them depends on
/// anything else, such as a program's number or memory. What has to hold for
/// the expressions to be exact is added to `condition`.
SmallVector<AffineExpr> getLaunchExpressions(Value value, ValueSources &sources,
                                             LaunchCondition &condition);

/// An upper bound of `factor` * `value` modulo `modulus`, a power of two, for
/// values that need not be known at launch: multiples of what divides them.
/// Counts bytes if `value` is a pointer. `condition` is the one that the bound
/// is for.
AffineExpr getResidueBound(Value value, int64_t factor, int64_t modulus,
                           ModuleAxisInfoAnalysis &axisInfo,
                           ValueSources &sources, LaunchCondition &condition);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_LAUNCHCONDITION_H
