//===- LaneDebug.h - Records of variables for debuggers ---------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Copies the debug records of the source, with the emitted values of variables
// where all lanes have the same, and keeps these in the frame, where no
// optimization removes them.
//
//===----------------------------------------------------------------------===//

#ifndef TRITON_INTEL_LIB_TARGET_CPU_LANEDEBUG_H
#define TRITON_INTEL_LIB_TARGET_CPU_LANEDEBUG_H

#include "LaneValues.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"

namespace triton::intel::cpu {

class LaneDebug {
public:
  LaneDebug(LaneContext &context, LaneValues &values)
      : context(context), values(values), builder(context.builder) {}

  /// Emits the debug records of variables before `inst`.
  void emitRecords(llvm::Instruction &inst);
  /// Called after the code of each instruction.
  void recordUnguarded(llvm::Instruction &inst);
  /// Without any lane, a phi of a masked block has no meaning.
  void recordMaskedPhi(llvm::PHINode &phi) { unguarded.insert(&phi); }

private:
  llvm::Value *getValue(llvm::Value *value, llvm::Instruction &at);
  bool keepValue(llvm::DbgVariableRecord &record, llvm::Value *value);
  bool isEmitted(llvm::Instruction &inst);
  bool keepRows(llvm::DbgVariableRecord &record, llvm::Instruction &at);
  llvm::AllocaInst *getVariableSlot(llvm::DbgVariableRecord &record,
                                    uint64_t bytes);

  LaneContext &context;
  LaneValues &values;
  llvm::IRBuilder<> &builder;
  /// Scalars that may be anything where no lane takes part.
  llvm::DenseSet<llvm::Value *> unguarded;
  /// Memory that holds what debuggers are shown, by variable and the part of
  /// it.
  llvm::DenseMap<std::pair<llvm::DILocalVariable *, llvm::DIExpression *>,
                 llvm::AllocaInst *>
      variableSlots;
};

} // namespace triton::intel::cpu

#endif // TRITON_INTEL_LIB_TARGET_CPU_LANEDEBUG_H
