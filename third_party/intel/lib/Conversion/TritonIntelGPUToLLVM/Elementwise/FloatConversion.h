//===- FloatConversion.h - Conversions between float formats ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Conversions of registers between all float types of the language, whether the
// type has native registers (f16, f32, f64) or is kept as an integer of the
// same width (bf16 and the 8-bit floats, see RegisterTypeConverter.h).
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_FLOATCONVERSION_H
#define TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_FLOATCONVERSION_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::triton::gpu::intel {

/// The rounding of a conversion to a narrower type.
enum class FloatRounding { NearestEven, TowardZero };

/// Returns whether there is a conversion from `source` to `target`.
bool isFloatConversionSupported(Type source, Type target);

/// Returns `value`, which holds `source` in its register form (a scalar or a
/// vector), as `target` in its register form; null if there is no such
/// conversion. Values beyond the range of an 8-bit float, infinities included,
/// become its largest finite number of the same sign; NaN stays NaN. Bytes of a
/// vector are taken apart in units of `unitBits` bits (16 or 32), in which they
/// should come from a message.
Value convertFloat(RewriterBase &rewriter, Location loc, Value value,
                   Type source, Type target,
                   FloatRounding rounding = FloatRounding::NearestEven,
                   unsigned unitBits = 16);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_CONVERSION_TRITONINTELGPUTOLLVM_ELEMENTWISE_FLOATCONVERSION_H
