//===- FillRegisters.cpp - No message for half a register -----------------===//
// SPDX-License-Identifier: MIT
//
// A row of 32 bytes is half a register. The compiler of GPU drivers (seen:
// ocloc 26.27) lets the message write directly to the position of the row in a
// larger vector. For odd rows this position is in the middle of a register,
// which no message can write to, so the last step of the compiler inserts a
// move after the message. This move has one lane, like the message, instead of
// all. So the other half of the register is loaded as well, and not used.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/BlockMessages.h"
#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {

/// Returns whether a message loads one row of half a register.
static bool loadsHalf(const BlockMessage &message) {
  return message.kind == BlockMessageKind::Load && message.rows == 1 &&
         message.blocks == 1 && message.getRowBytes() == 32;
}

PreservedAnalyses FillRegistersPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    auto *call = dyn_cast<BlockMessageCall>(&inst);
    if (!call || !loadsHalf(call->getMessage()))
      continue;
    // A lane has two bytes of each block, those of the first one first.
    IRBuilder<> builder(&function.getEntryBlock().front());
    AllocaInst *values =
        builder.CreateAlloca(ArrayType::get(builder.getInt16Ty(), 2));
    builder.SetInsertPoint(call->getNextNode());
    builder.SetCurrentDebugLocation(call->getDebugLoc());
    Value *first = builder.CreateLoad(builder.getInt16Ty(), values);
    builder.CreateStore(first, call->get(MessageOperand::Elements));
    call->set(MessageOperand::Blocks, builder.getInt32(2));
    call->set(MessageOperand::Elements, values);
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
