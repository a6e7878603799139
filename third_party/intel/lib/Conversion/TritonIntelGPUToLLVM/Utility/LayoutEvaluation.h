//===- LayoutEvaluation.h - Which element is where, as code -----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// A LinearLayout maps registers, lanes and warps to coordinates of elements, or
// to places in memory. Registers are known here, lanes and warps when the
// kernel runs: by linearity the coordinates are the XOR of a constant for the
// register and of a value for the work-item.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_LAYOUTEVALUATION_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_LAYOUTEVALUATION_H

#include "mlir/IR/PatternMatch.h"
#include "triton/Tools/LinearLayout.h"

namespace mlir::triton::gpu::intel {

/// Evaluates `layout` on i32 values, one per input dimension; gives one i32 per
/// output dimension. Constant inputs fold.
SmallVector<std::pair<LayoutDim, Value>>
applyLinearLayout(RewriterBase &rewriter, Location loc,
                  const LinearLayout &layout,
                  ArrayRef<std::pair<LayoutDim, Value>> inputs);

/// Returns the work-item's part of the coordinates: the layout applied to
/// (register 0, lane, warp). One i32 per output dimension.
SmallVector<Value> getBaseCoordinates(RewriterBase &rewriter, Location loc,
                                      const LinearLayout &layout);

/// Returns the part of register `index`: the layout applied to it in lane 0 of
/// warp 0. One number per output dimension.
SmallVector<int32_t> getRegisterCoordinates(const LinearLayout &layout,
                                            unsigned index);

/// Returns `index`, an integer of any width, as an i32 that is a coordinate of
/// a dimension of `size` elements, whatever it was: an index that is none gives
/// an undefined element, but no access elsewhere.
Value wrapCoordinate(RewriterBase &rewriter, Location loc, Value index,
                     int64_t size);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_UTILITY_LAYOUTEVALUATION_H
