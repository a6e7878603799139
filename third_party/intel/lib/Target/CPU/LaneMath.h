//===- LaneMath.h - Mathematical functions for all lanes --------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Mathematical builtins of OpenCL and intrinsics of LLVM, and divisions that
// have no vector instruction.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEMATH_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEMATH_H

#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneMath {
public:
  LaneMath(LaneContext &context, LaneValues &values)
      : context(context), values(values), builder(context.builder) {}

  /// Emits a call of the function `name`, which getBuiltin or LLVM names so.
  llvm::Error emitCall(llvm::CallInst &call, llvm::StringRef name);
  /// Creates a division or a remainder of rows of integers; `inst` states
  /// which.
  llvm::Value *emitDivision(llvm::Instruction &inst, llvm::Value *lhs,
                            llvm::Value *rhs);
  /// Creates the remainder of rows of floats.
  llvm::Value *emitRemainder(llvm::Value *lhs, llvm::Value *rhs);

private:
  llvm::Value *emitRow(llvm::CallInst &call, llvm::StringRef name,
                       llvm::ArrayRef<llvm::Value *> rows);
  llvm::Value *emitFloatFunction(llvm::Type *result, llvm::StringRef name,
                                 llvm::ArrayRef<llvm::Value *> rows);
  llvm::SmallVector<llvm::Value *>
  widenHalves(llvm::ArrayRef<llvm::Value *> rows);
  llvm::Value *emitIntegerFunction(llvm::CallInst &call, llvm::StringRef name,
                                   llvm::ArrayRef<llvm::Value *> rows);
  llvm::Value *callVectorLibrary(llvm::StringRef name, llvm::StringRef accuracy,
                                 llvm::ArrayRef<llvm::Value *> rows);

  LaneContext &context;
  LaneValues &values;
  llvm::IRBuilder<> &builder;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEMATH_H
