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

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether a message loads one row of half a register.
bool loadsHalf(const BlockMessage &message) {
  return message.kind == BlockMessageKind::Load && message.rows == 1 &&
         message.blocks == 1 && message.getRowBytes() == 32;
}

/// Returns the function for two blocks instead of the one of `message`.
FunctionCallee getWhole(BlockMessage message, Function &function) {
  message.blocks = 2;
  FunctionCallee whole = function.getParent()->getOrInsertFunction(
      message.getName(), function.getFunctionType(), function.getAttributes());
  cast<Function>(whole.getCallee())->setCallingConv(function.getCallingConv());
  return whole;
}

} // namespace

PreservedAnalyses FillRegistersPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : make_early_inc_range(module)) {
    std::optional<BlockMessage> message = readBlockMessage(function.getName());
    if (!function.isDeclaration() || !message || !loadsHalf(*message))
      continue;
    FunctionCallee whole = getWhole(*message, function);
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &function)
        continue;
      // A lane has two bytes of each block, those of the first one first.
      IRBuilder<> builder(&call->getFunction()->getEntryBlock().front());
      AllocaInst *values =
          builder.CreateAlloca(ArrayType::get(builder.getInt16Ty(), 2));
      builder.SetInsertPoint(call->getNextNode());
      builder.SetCurrentDebugLocation(call->getDebugLoc());
      Value *first = builder.CreateLoad(builder.getInt16Ty(), values);
      builder.CreateStore(first, call->getArgOperand(BlockMessage::Elements));
      call->setCalledFunction(whole);
      call->setArgOperand(BlockMessage::Elements, values);
    }
    if (function.use_empty())
      function.eraseFromParent();
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
