//===- LaneInterleave.h - Neighbours in memory as one vector ----*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Rows in the order in which a lane's elements lie in memory.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEINTERLEAVE_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEINTERLEAVE_H

#include "LaneArithmetic.h"
#include "LaneContext.h"

namespace triton::intel::cpu {

class LaneInterleave {
public:
  LaneInterleave(LaneContext &context, LaneArithmetic &arithmetic)
      : context(context), arithmetic(arithmetic), builder(context.builder) {}

  llvm::Value *interleave(llvm::ArrayRef<llvm::Value *> rows);

private:
  llvm::Value *findInterleaved(llvm::ArrayRef<llvm::Value *> rows,
                               unsigned depth);

  LaneContext &context;
  LaneArithmetic &arithmetic;
  llvm::IRBuilder<> &builder;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEINTERLEAVE_H
