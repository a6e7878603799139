//===- SliceScans.h - Scans of one slice after the other --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A scan along the dimension that is cut into slices: each slice is scanned,
// and combined with the last element of the slice ahead of it, which a loop
// carries (of a reverse scan the slices come in reverse order):
//
//   scf.for %i = 0 to 16 iter_args(%last) {
//     %part = tt.scan %x_i
//     %own = last element of %part
//     %y_i = %i == 0 ? %part : combine %last, %part
//     yield %i == 0 ? %own : combine %last, %own
//   }
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICESCANS_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICESCANS_H

#include "triton/Dialect/Triton/IR/Dialect.h"

namespace mlir::triton::gpu::intel {

/// Returns the type of the value that a loop over slices carries for a scan: a
/// tensor without dimension `axis`, or a scalar.
Type getCarriedType(RankedTensorType slice, unsigned axis);

/// A scan as it is after one more slice.
struct ContinuedScan {
  /// The slices of the results.
  SmallVector<Value> results;
  /// Their last elements along the axis, for the next slice.
  SmallVector<Value> last;
};

/// Continues after `scan`, the scan within a slice, with the last elements of
/// the slice ahead of it. `isFirst` is a flag, true if there is none.
ContinuedScan continueScan(OpBuilder &builder, ScanOp scan, ValueRange carried,
                           Value isFirst);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_SLICESCANS_H
