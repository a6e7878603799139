//===- IntegerBounds.h - Between which numbers is this? ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The least and the largest signed number that a value, or an element of a
// tensor, can be: of ranges, constants, numbers of programs, loops with
// constant bounds, and what is computed of these without overflow. What loops
// carry is not looked into.
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

/// Both ends belong to it.
struct Bounds {
  int64_t min, max;
};

/// Remembers answers: for code that does not change between questions.
class IntegerBounds {
public:
  /// With `module`, the last iteration of a loop is known to be a whole step in
  /// front of a bound that the step divides.
  explicit IntegerBounds(ModuleOp module = {});
  ~IntegerBounds();

  /// Nothing for what is no integer, or can be any.
  std::optional<Bounds> get(Value value) { return get(value, 0); }

  /// The most by which elements of `value` are above `base`, a scalar or a
  /// tensor of copies of one: `start + range - end` in a loop from `start` to
  /// `end`.
  std::optional<int64_t> getMaxAbove(Value value, Value base) {
    return getMaxAbove(value, base, 0);
  }

private:
  std::optional<Bounds> get(Value value, unsigned depth);
  /// The same, or all that a signed integer of its width may be.
  Bounds getAny(Value value, unsigned depth);
  std::optional<Bounds> compute(Value value, unsigned depth);
  std::optional<int64_t> getMaxAbove(Value value, Value base, unsigned depth);

  /// Whether `divisor` divides a number, as far as the module tells.
  bool isMultiple(Value number, int64_t divisor);

  ModuleOp module;
  /// Made when the first loop asks for it.
  std::unique_ptr<ModuleAxisInfoAnalysis> axisInfo;
  DenseMap<Value, std::optional<Bounds>> known;
};

} // namespace mlir::triton::gpu::intel

#endif // INTEL_ANALYSIS_INTEGERBOUNDS_H
