//===- LaneChecks.h - Code that checks itself -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Calls of the runtime's functions that check accesses and barriers, and the
// question whether a launch is to end.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANECHECKS_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANECHECKS_H

#include "LaneValues.h"

#include "intel/Target/SPIRV/BlockMessages.h"

namespace triton::intel::cpu {

class LaneChecks {
public:
  LaneChecks(LaneContext &context, LaneValues &values)
      : context(context), values(values), builder(context.builder) {}

  /// Emits a check ahead of an access; `stored` is what a store or an atomic
  /// operation brings.
  void checkAccess(llvm::Instruction &inst, llvm::Value *pointer,
                   llvm::Value *stored = nullptr);
  llvm::Error checkBlockIO(spirv::BlockMessageCall &call);
  void emitBarrier(llvm::CallInst &call);
  /// Checks, at the back edge of a loop, whether the launch is to end.
  void emitPoll();

private:
  LaneContext &context;
  LaneValues &values;
  llvm::IRBuilder<> &builder;
  /// Pointer to the flag that loops poll.
  llvm::Value *interruptFlag = nullptr;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANECHECKS_H
