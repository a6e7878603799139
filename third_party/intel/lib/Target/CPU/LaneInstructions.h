//===- LaneInstructions.h - Instructions by their opcodes -------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Leads each instruction to the emitter that knows it.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEINSTRUCTIONS_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEINSTRUCTIONS_H

#include "LaneAddresses.h"
#include "LaneArithmetic.h"
#include "LaneCalls.h"
#include "LaneDebug.h"
#include "LaneElements.h"
#include "LaneMemory.h"
#include "LanePrivateMemory.h"
#include "LaneValues.h"

namespace triton::intel::cpu {

class LaneInstructions {
public:
  LaneInstructions(LaneContext &context, LaneValues &values,
                   LaneArithmetic &arithmetic, LaneElements &elements,
                   LaneAddresses &addresses, LanePrivateMemory &privateMemory,
                   LaneMemory &memory, LaneCalls &calls, LaneDebug &debug)
      : context(context), values(values), arithmetic(arithmetic),
        elements(elements), addresses(addresses), privateMemory(privateMemory),
        memory(memory), calls(calls), debug(debug), builder(context.builder) {}

  /// Emits the code for `inst`, whose operands are emitted.
  llvm::Error emit(llvm::Instruction &inst);

private:
  llvm::Error emitByOpcode(llvm::Instruction &inst);

  LaneContext &context;
  LaneValues &values;
  LaneArithmetic &arithmetic;
  LaneElements &elements;
  LaneAddresses &addresses;
  LanePrivateMemory &privateMemory;
  LaneMemory &memory;
  LaneCalls &calls;
  LaneDebug &debug;
  llvm::IRBuilder<> &builder;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEINSTRUCTIONS_H
