//===- UniformValues.h - Values that all lanes share ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef TRITON_INTEL_LIB_TARGET_SPIRV_UNIFORMVALUES_H
#define TRITON_INTEL_LIB_TARGET_SPIRV_UNIFORMVALUES_H

#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"

#include <optional>

namespace triton::intel::spirv {

/// Finds values of a kernel that are the same in all lanes of a sub-group
/// wherever these compute them. It follows operations of one iteration and the
/// numbers that loops carry, but no other control flow: a value that is found
/// is uniform, and others may be.
class UniformValues {
public:
  UniformValues(const llvm::Function &function, const llvm::LoopInfo &loops,
                const llvm::PostDominatorTree &postDominators);

  bool contains(const llvm::Value *value);

  /// Returns whether all lanes that run the function run a block together.
  bool isRunByAllLanes(const llvm::BasicBlock *block);

private:
  bool compute(const llvm::Instruction &inst);

  const llvm::Function &function;
  const llvm::LoopInfo &loops;
  const llvm::PostDominatorTree &postDominators;
  /// Blocks that some lanes may not run, or not at the same time; computed with
  /// the first query.
  std::optional<llvm::DenseSet<const llvm::BasicBlock *>> divergent;
  /// Arguments of other functions are those of their calls.
  bool isKernel;
  /// Values that are uniform unless one that they depend on is found not to be,
  /// and values that may vary.
  llvm::DenseSet<const llvm::Value *> assumed, varying;
};

} // namespace triton::intel::spirv

#endif // TRITON_INTEL_LIB_TARGET_SPIRV_UNIFORMVALUES_H
