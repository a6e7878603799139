//===- FunctionExpansions.h - Functions as arithmetic -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Some functions of OpenCL take a GPU's compiler a hundred instructions and
// more for f32, or two where ten would be needed. These are written as
// arithmetic around the GPU's own powers of two and reciprocals: within the
// errors that OpenCL allows (table "ULP values for single precision" of its
// specification), for all numbers, infinities and NaN.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_FUNCTIONEXPANSIONS_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_FUNCTIONEXPANSIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// Returns the OpenCL function `name` of one f32, a scalar or a vector, as
/// arithmetic; null if there is no such expansion: the function is to be
/// called.
Value expandOpenCLFunction(RewriterBase &rewriter, Location loc, StringRef name,
                           Value value);

/// Creates e to the power of `value`, an f32 or a vector of it, by a power of
/// two: off by |value| units in the last place, which `tl.exp` may be, as it is
/// on other backends. Sums of a softmax and sigmoids do not see it.
Value approximateExponential(RewriterBase &rewriter, Location loc, Value value);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_FUNCTIONEXPANSIONS_H
