//===- LaneMatrices.h - DPAS and 2D block messages --------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Operations of a sub-group on matrices, which are functions of the library on
// rows in memory, since tiles are more than registers hold.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEMATRICES_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEMATRICES_H

#include "LaneChecks.h"
#include "LanePrivateMemory.h"
#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneMatrices {
public:
  LaneMatrices(LaneContext &context, LaneValues &values,
               LanePrivateMemory &privateMemory, LaneChecks &checks)
      : context(context), values(values), privateMemory(privateMemory),
        checks(checks), builder(context.builder) {}

  void emitMatrixMad(llvm::CallInst &call);
  llvm::Error emitBlockIO(spirv::BlockMessageCall &call);

private:
  /// Returns the memory that holds the rows of `value`: where it came from, or
  /// a copy.
  llvm::Value *getMemory(llvm::Value *value);

  LaneContext &context;
  LaneValues &values;
  LanePrivateMemory &privateMemory;
  LaneChecks &checks;
  llvm::IRBuilder<> &builder;
  /// Copies of values in memory, and the block where they were made.
  llvm::DenseMap<llvm::Value *,
                 std::pair<llvm::AllocaInst *, llvm::BasicBlock *>>
      copies;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEMATRICES_H
