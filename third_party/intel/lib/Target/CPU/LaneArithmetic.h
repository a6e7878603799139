//===- LaneArithmetic.h - Operations on elements ----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Operations that do the same for each scalar element of their operands:
// arithmetic, comparisons, conversions, selects.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEARITHMETIC_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEARITHMETIC_H

#include "LaneAddresses.h"
#include "LaneMath.h"
#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneArithmetic {
public:
  LaneArithmetic(LaneContext &context, LaneValues &values, LaneMath &math,
                 LaneAddresses &addresses)
      : context(context), values(values), math(math), addresses(addresses),
        builder(context.builder) {}

  void emit(llvm::Instruction &inst);
  llvm::Value *emitWithOperands(llvm::Instruction &inst,
                                llvm::ArrayRef<llvm::Value *> operands,
                                llvm::Type *type);

private:
  llvm::Value *emitBase(llvm::Instruction &inst, unsigned element);
  llvm::Value *emitRow(llvm::Instruction &inst, unsigned element);

  LaneContext &context;
  LaneValues &values;
  LaneMath &math;
  LaneAddresses &addresses;
  llvm::IRBuilder<> &builder;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEARITHMETIC_H
