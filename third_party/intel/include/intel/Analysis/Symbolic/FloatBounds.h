//===- FloatBounds.h - Signs and magnitudes of floats -----------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Reads what operations state about the floats that they compute, whatever
// their operands are: an exponential is not negative, and a product of two
// numbers that were f16 is less than 2^32.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_ANALYSIS_SYMBOLIC_FLOATBOUNDS_H
#define TRITON_INTEL_ANALYSIS_SYMBOLIC_FLOATBOUNDS_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::triton::gpu::intel {

/// Holds for a float, or for each element of a tensor of floats, that is a
/// finite number.
struct FloatBounds {
  /// The number is zero or positive.
  bool isNonNegative = false;
  /// The magnitude is at most 2^exponent; unknown if there is none.
  std::optional<int> exponent = std::nullopt;
};

FloatBounds getFloatBounds(Value value);

/// Returns whether no element is above zero; NaN may be among them.
bool isNonPositiveFloat(Value value);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_ANALYSIS_SYMBOLIC_FLOATBOUNDS_H
