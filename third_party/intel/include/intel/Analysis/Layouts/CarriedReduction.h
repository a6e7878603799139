//===- CarriedReduction.h - Reductions that a loop adds up ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A loop that adds the sum of each tile to a carried value can add up the
// elements of the tiles instead, and sum these up once after the loop
// (DeferReductions.cpp). The question whether it can needs no layouts. So the
// costs of layouts take such a reduction for what is left of it in the loop.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_LAYOUTS_CARRIEDREDUCTION_H
#define TRITON_INTEL_ANALYSIS_LAYOUTS_CARRIEDREDUCTION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::triton::gpu::intel {

/// A value that a loop carries, and combines with a reduction in each
/// iteration.
struct CarriedReduction {
  unsigned index;
  /// The operation on what is carried, which may be scaled, and on the result
  /// of the reduction.
  Operation *combiner;
  ReduceOp reduce;
  TypedAttr neutral;
  /// The product of what is carried and a factor; null if it is not scaled.
  Operation *scaling;
  Value factor;
  /// No sum of some of the elements overflows if the sum of all does not: the
  /// loop may begin with a part of any sum that has no negative elements.
  bool isMonotonic = false;
  /// Sums of a lane's own elements may be infinite although those of tiles are
  /// finite. The loop can then be run again in the order of the program.
  bool mayOverflow = false;
};

/// Holds the parts of a loop that compute one of the values which it carries.
struct RepeatableLoop {
  llvm::SmallSetVector<unsigned, 4> carried;
  llvm::SetVector<Operation *> operations;
};

/// Returns the parts of `loop` that compute the value which it carries as
/// number `index`; none if they do not give the same when they run again.
std::optional<RepeatableLoop> findRepeatableLoop(scf::ForOp loop,
                                                 unsigned index);

/// Returns how the loop combines the value that it carries as number `index`
/// with a reduction; none if it does anything else with it, if the scale of a
/// lane's part might be infinite, or if sums might overflow in another order
/// and cannot be computed again.
std::optional<CarriedReduction> findCarriedReduction(scf::ForOp loop,
                                                     unsigned index);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_LAYOUTS_CARRIEDREDUCTION_H
