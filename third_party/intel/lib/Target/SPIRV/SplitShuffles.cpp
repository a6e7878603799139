//===- SplitShuffles.cpp - Shuffles of 64 bits as two of 32 ---------------===//
// SPDX-License-Identifier: MIT
//
// IGC takes shuffles between which values are combined for reductions of a
// sub-group (SubGroupReductionPattern.cpp). It emits nothing for those by AND,
// OR and XOR of 64 bits, and reads a register that nobody wrote
// (EmitPass::ReductionClusteredReduceHelper in EmitVISAPass.cpp, "Unsupported":
// chips without all operations of 64 bits). It does not know two shuffles of 32
// bits whose results shifts bring together.
//
// Sums and products are reductions that it compiles correctly.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton_xe::spirv {
namespace {

/// Returns the name of the function that shuffles 32 bits as `name` shuffles
/// 64; empty if `name` is no shuffle of 64 bits.
StringRef getHalfName(StringRef name) {
  if (name == "_Z17sub_group_shufflelj")
    return "_Z17sub_group_shuffleij";
  if (name == "_Z21sub_group_shuffle_xorlj")
    return "_Z21sub_group_shuffle_xorij";
  return {};
}

/// Returns whether each instruction that uses `value` is a sum or a product.
bool hasArithmeticUsersOnly(const Value &value) {
  return all_of(value.users(), [](const User *user) {
    auto *inst = cast<Instruction>(user);
    return inst->getOpcode() == Instruction::Add ||
           inst->getOpcode() == Instruction::Mul;
  });
}

/// Calls `half` for both halves of the value that `call` shuffles.
Value *createHalves(CallInst &call, FunctionCallee half) {
  IRBuilder<> builder(&call);
  Type *type = call.getType();
  auto shuffle = [&](Value *bits) -> Value * {
    Value *low = builder.CreateTrunc(bits, builder.getInt32Ty());
    CallInst *part = builder.CreateCall(half, {low, call.getArgOperand(1)});
    part->setCallingConv(call.getCallingConv());
    part->setAttributes(call.getAttributes());
    return builder.CreateZExt(part, type);
  };
  Value *bits = call.getArgOperand(0);
  Value *low = shuffle(bits);
  Value *high = shuffle(builder.CreateLShr(bits, 32));
  return builder.CreateOr(low, builder.CreateShl(high, 32));
}
} // namespace

PreservedAnalyses SplitShufflesPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool isChanged = false;
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = getHalfName(function.getName());
    if (name.empty())
      continue;
    Type *i32 = Type::getInt32Ty(module.getContext());
    FunctionCallee half = module.getOrInsertFunction(
        name, FunctionType::get(i32, {i32, i32}, /*isVarArg=*/false),
        function.getAttributes());
    cast<Function>(half.getCallee())->setCallingConv(function.getCallingConv());
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || hasArithmeticUsersOnly(*call))
        continue;
      Value *result = createHalves(*call, half);
      result->takeName(call);
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
      isChanged = true;
    }
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
