//===- AccessAnswers.h - Results of the analysis in the IR ------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Records what the analysis of BlockAccess.h has found: properties of accesses,
// and the conditions on launches of the tensors that 2D block messages address,
// which are left in the kernel for the launcher.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_ACCESSANSWERS_H
#define TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_ACCESSANSWERS_H

#include "intel/Analysis/Blocks/BlockAccess.h"
#include "mlir/IR/BuiltinOps.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::triton::gpu::intel {

class AccessAnswers {
public:
  /// Remarks have the category `category`, the name of a pass.
  explicit AccessAnswers(StringRef category) : category(category) {}

  /// Sets the properties of an access, whose tensor has a number, in place of
  /// what they were. Reports the reason if it cannot be messages. Returns
  /// whether it can.
  bool record(BlockAccessOpInterface op, const BlockAccess &access);

  /// Adds the condition of each tensor to its kernel, as a
  /// `ttig.launch_condition`.
  void createConditions() const;

private:
  StringRef category;
  /// By the numbers of tensors.
  llvm::MapVector<int32_t, LaunchCondition> conditions;
};

/// Drops what has been found out about an access whose operands change.
void resetAnswer(BlockAccessOpInterface op);

/// Numbers the tensors that have no number. A tensor gets the same number,
/// whatever holds for the others: the variants of a kernel for these have the
/// same IR up to here. Copies of its code have this number, too.
void numberSurfaces(ModuleOp module);

} // namespace mlir::triton::gpu::intel

#endif // TRITON_INTEL_LIB_DIALECT_TRITONINTELGPU_TRANSFORMS_ACCESSANSWERS_H
