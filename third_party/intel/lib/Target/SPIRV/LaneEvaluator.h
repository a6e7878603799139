//===- LaneEvaluator.h - Numbers that follow from the lane ------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_LANEEVALUATOR_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_LANEEVALUATOR_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"

namespace triton::intel::spirv {

/// Evaluates scalars that depend on nothing but the number of the lane.
class LaneEvaluator {
public:
  LaneEvaluator(unsigned numLanes, const llvm::DataLayout &layout)
      : numLanes(numLanes), layout(layout) {}

  /// Returns a vector of the values in all lanes; null if they are not known.
  llvm::Constant *evaluate(llvm::Value *value);
  /// Forgets all results.
  void forget() { results.clear(); }

private:
  llvm::Constant *compute(llvm::Value *value);

  unsigned numLanes;
  const llvm::DataLayout &layout;
  /// The vectors that `evaluate` has returned, by value; null if unknown.
  llvm::DenseMap<llvm::Value *, llvm::Constant *> results;
};

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_LANEEVALUATOR_H
