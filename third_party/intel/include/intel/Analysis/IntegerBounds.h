//===- IntegerBounds.h - Between which numbers is this? ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Finds the least and the largest signed number that a value, or an element of
// a tensor, can be. Knows ranges, constants, program ids, counters of loops
// with constant bounds, and values that are computed from these without
// overflow. Values that loops carry are not analyzed.
//
//===----------------------------------------------------------------------===//

#ifndef INTEL_ANALYSIS_INTEGERBOUNDS_H
#define INTEL_ANALYSIS_INTEGERBOUNDS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>

namespace mlir::triton {
class ModuleAxisInfoAnalysis;
}

namespace mlir::triton::gpu::intel {

/// A closed interval.
struct Bounds {
  int64_t min, max;
};

/// Caches answers, so the code must not change between questions.
class IntegerBounds {
public:
  /// With `module`, the analysis uses divisibility: if the step of a loop
  /// divides its bound, the last iteration is a whole step in front of the
  /// bound.
  explicit IntegerBounds(ModuleOp module = {});
  ~IntegerBounds();

  /// None if `value` is no integer, or can be any integer.
  std::optional<Bounds> get(Value value) { return get(value, 0); }

  /// The largest difference of elements of `value` and `base`, a scalar or a
  /// tensor of copies of one. An example is `start + range - end` in a loop
  /// from `start` to `end`.
  std::optional<int64_t> getMaxAbove(Value value, Value base) {
    return getMaxAbove(value, base, 0);
  }

private:
  std::optional<Bounds> get(Value value, unsigned depth);
  /// The same, or the whole range of a signed integer of its width.
  Bounds getAny(Value value, unsigned depth);
  std::optional<Bounds> compute(Value value, unsigned depth);
  std::optional<int64_t> getMaxAbove(Value value, Value base, unsigned depth);

  /// Whether `divisor` is known to divide a number.
  bool isMultiple(Value number, int64_t divisor);

  ModuleOp module;
  /// Created when the first loop needs it.
  std::unique_ptr<ModuleAxisInfoAnalysis> axisInfo;
  DenseMap<Value, std::optional<Bounds>> known;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_INTEGERBOUNDS_H
