//===- LaneInstructions.cpp - Instructions by their opcodes ---------------===//
// SPDX-License-Identifier: MIT

#include "LaneInstructions.h"

using namespace llvm;

namespace triton::intel::cpu {

Error LaneInstructions::emit(Instruction &inst) {
  debug.emitRecords(inst);
  builder.SetCurrentDebugLocation(inst.getDebugLoc());
  // Scratch memory of the instruction before is free again.
  context.freeScratch();
  if (Error error = emitByOpcode(inst))
    return error;
  debug.recordUnguarded(inst);
  values.moveToStackSlot(inst);
  return Error::success();
}

/// Each opcode to the function that knows it. Whatever is not here is refused
/// by name: a guess would be a wrong result.
Error LaneInstructions::emitByOpcode(Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Alloca:
    return privateMemory.emitAlloca(cast<AllocaInst>(inst));
  case Instruction::Load:
    return memory.emitLoad(cast<LoadInst>(inst));
  case Instruction::Store:
    return memory.emitStore(cast<StoreInst>(inst));
  case Instruction::Call:
    return calls.emit(cast<CallInst>(inst));
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return memory.emitAtomic(inst);
  case Instruction::Fence:
    builder.CreateFence(cast<FenceInst>(inst).getOrdering());
    return Error::success();
  case Instruction::GetElementPtr:
    addresses.emitGEP(cast<GetElementPtrInst>(inst));
    return Error::success();
  case Instruction::ExtractElement:
    elements.emitExtractElement(cast<ExtractElementInst>(inst));
    return Error::success();
  case Instruction::InsertElement:
    elements.emitInsertElement(cast<InsertElementInst>(inst));
    return Error::success();
  case Instruction::ShuffleVector:
    elements.emitShuffleVector(cast<ShuffleVectorInst>(inst));
    return Error::success();
  case Instruction::ExtractValue:
    elements.emitExtractValue(cast<ExtractValueInst>(inst));
    return Error::success();
  case Instruction::InsertValue:
    elements.emitInsertValue(cast<InsertValueInst>(inst));
    return Error::success();
  case Instruction::BitCast:
    // A cast that keeps the number of elements is elementwise; the others
    // regroup bits within a lane.
    if (getNumScalars(inst.getType()) !=
        getNumScalars(inst.getOperand(0)->getType())) {
      elements.emitBitcast(cast<BitCastInst>(inst));
      return Error::success();
    }
    break;
  default:
    break;
  }
  if (!isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
           FreezeInst>(inst))
    return context.fail(inst, "the CPU's code generator does not know `" +
                                  Twine(inst.getOpcodeName()) + "`");
  arithmetic.emit(inst);
  return Error::success();
}

} // namespace triton::intel::cpu
