//===- LaneCalls.h - Calls of builtins and functions ------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Calls of OpenCL's builtins, of intrinsics, and of functions of the module.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANECALLS_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANECALLS_H

#include "LaneChecks.h"
#include "LaneMath.h"
#include "LaneMatrices.h"
#include "LaneValues.h"

#include "llvm/IR/IntrinsicInst.h"

namespace triton::intel::cpu {

class LaneCalls {
public:
  LaneCalls(LaneContext &context, const FunctionMap &functions,
            LaneValues &values, LaneMath &math, LaneMatrices &matrices,
            LaneChecks &checks)
      : context(context), functions(functions), values(values), math(math),
        matrices(matrices), checks(checks), builder(context.builder) {}

  llvm::Error emit(llvm::CallInst &call);

private:
  llvm::Error emitFunctionCall(llvm::CallInst &call);
  llvm::Error emitBuiltinCall(llvm::CallInst &call);
  llvm::Error emitIntrinsic(llvm::IntrinsicInst &call);
  llvm::Value *readClock();
  llvm::Value *readProcessorId();
  void emitReduce(llvm::CallInst &call, llvm::StringRef name);
  void emitShuffle(llvm::CallInst &call, bool isXor);
  void emitConvertToBF16(llvm::CallInst &call);
  void emitPrintf(llvm::CallInst &call);

  LaneContext &context;
  const FunctionMap &functions;
  LaneValues &values;
  LaneMath &math;
  LaneMatrices &matrices;
  LaneChecks &checks;
  llvm::IRBuilder<> &builder;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANECALLS_H
