//===- CarriedReduction.h - Reductions that a loop adds up ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A loop that adds the sum of each tile to a carried value can add up the
// elements of the tiles instead, and sum these up once behind the loop
// (DeferReductions.cpp). The question whether it can needs no layouts. So the
// costs of layouts take such a reduction for what is left of it in the loop.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_CARRIEDREDUCTION_H
#define INTEL_ANALYSIS_CARRIEDREDUCTION_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "triton/Dialect/Triton/IR/Dialect.h"

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
};

/// Returns how the loop combines the value that it carries as number `index`
/// with a reduction; none if it does anything else with it, or if the scale of
/// a lane's part might be infinite.
std::optional<CarriedReduction> findCarriedReduction(scf::ForOp loop,
                                                     unsigned index);

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_CARRIEDREDUCTION_H
