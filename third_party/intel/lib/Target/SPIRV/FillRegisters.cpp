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

namespace triton_xe::spirv {
namespace {

/// Returns whether the function loads one row of half a register.
bool loadsHalf(StringRef name) {
  constexpr StringLiteral prefix = "intel_sub_group_2d_block_read_";
  size_t start = name.find(prefix);
  // Not one that transforms or transposes: its name goes on with that.
  if (start == StringRef::npos || !isDigit(name[start + prefix.size()]))
    return false;
  std::optional<BlockMessageShape> shape =
      readBlockMessageShape(name.split("PU3AS1").first);
  return shape && shape->rows == 1 && shape->blocks == 1 &&
         shape->columns * shape->bits == 32 * 8;
}

/// Returns the same function with two blocks instead of one.
FunctionCallee getWhole(Function &function) {
  auto [front, back] = function.getName().split("x1cP");
  FunctionCallee whole = function.getParent()->getOrInsertFunction(
      (front + "x2cP" + back).str(), function.getFunctionType(),
      function.getAttributes());
  cast<Function>(whole.getCallee())->setCallingConv(function.getCallingConv());
  return whole;
}

} // namespace

PreservedAnalyses FillRegistersPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration() || !loadsHalf(function.getName()))
      continue;
    FunctionCallee whole = getWhole(function);
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != &function)
        continue;
      // A lane has two bytes of each block, the first one's in front.
      IRBuilder<> builder(&call->getFunction()->getEntryBlock().front());
      AllocaInst *values =
          builder.CreateAlloca(ArrayType::get(builder.getInt16Ty(), 2));
      builder.SetInsertPoint(call->getNextNode());
      builder.SetCurrentDebugLocation(call->getDebugLoc());
      Value *first = builder.CreateLoad(builder.getInt16Ty(), values);
      builder.CreateStore(first, call->getArgOperand(5));
      call->setCalledFunction(whole);
      call->setArgOperand(5, values);
    }
    if (function.use_empty())
      function.eraseFromParent();
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
