//===- SplitShuffles.cpp - Shuffles as two of half as many bits -----------===//
// SPDX-License-Identifier: MIT
//
// IGC gives wrong numbers for two kinds of shuffles. It knows neither of them
// in two shuffles of half as many bits, whose results shifts bring together.
//
// - It takes shuffles between which values are combined for reductions of a
//   sub-group (SubGroupReductionPattern.cpp). It emits nothing for those by
//   AND, OR and XOR of 64 bits, and reads a register that no instruction wrote
//   (EmitPass::ReductionClusteredReduceHelper in EmitVISAPass.cpp,
//   "Unsupported": chips without all operations of 64 bits). Sums and products
//   are reductions that it compiles correctly.
// - A value of one lane becomes a region of a register in the instruction that
//   uses it. If that one extends the sign of its lowest byte, it reads the byte
//   of lane 0.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton_xe::spirv {
namespace {

/// A function that shuffles, and the one that shuffles half as many bits.
struct SplitFunction {
  StringLiteral whole, half;
};

/// Functions for 64 bits come first, since their halves are of 32.
constexpr SplitFunction kSplitFunctions[] = {
    {"_Z17sub_group_shufflelj", "_Z17sub_group_shuffleij"},
    {"_Z21sub_group_shuffle_xorlj", "_Z21sub_group_shuffle_xorij"},
    {"_Z17sub_group_shuffleij", "_Z17sub_group_shufflesj"},
    {"_Z17sub_group_shufflefj", "_Z17sub_group_shufflesj"},
    {"_Z19sub_group_broadcastij", "_Z19sub_group_broadcastsj"},
    {"_Z19sub_group_broadcastfj", "_Z19sub_group_broadcastsj"},
};

/// Returns whether each instruction that uses `value` is a sum or a product.
bool hasArithmeticUsersOnly(const Value &value) {
  return all_of(value.users(), [](const User *user) {
    auto *inst = cast<Instruction>(user);
    return inst->getOpcode() == Instruction::Add ||
           inst->getOpcode() == Instruction::Mul;
  });
}

/// Returns whether an instruction takes a byte of `value`, possibly after
/// others that only move its bits.
bool hasByteUsers(Value &value) {
  SetVector<Value *> moved;
  moved.insert(&value);
  for (unsigned i = 0; i < moved.size(); ++i)
    for (User *user : moved[i]->users()) {
      bool isBytes = user->getType()->getScalarSizeInBits() == 8;
      if ((isBytes && isa<TruncInst, BitCastInst>(user)) ||
          match(user, m_Shl(m_Value(), m_SpecificInt(24))))
        return true;
      if (isa<InsertElementInst, ExtractElementInst, ShuffleVectorInst,
              BitCastInst, FreezeInst>(user))
        moved.insert(user);
    }
  return false;
}

bool isMiscompiled(CallInst &call) {
  if (call.getType()->getPrimitiveSizeInBits() == 64)
    return !hasArithmeticUsersOnly(call);
  return isa<ConstantInt>(call.getArgOperand(1)) && hasByteUsers(call);
}

/// Calls `half` for both halves of the value that `call` shuffles.
Value *createHalves(CallInst &call, FunctionCallee half) {
  IRBuilder<> builder(&call);
  unsigned width = call.getType()->getPrimitiveSizeInBits();
  Type *whole = builder.getIntNTy(width);
  auto shuffle = [&](Value *bits) -> Value * {
    Value *low = builder.CreateTrunc(bits, builder.getIntNTy(width / 2));
    CallInst *part = builder.CreateCall(half, {low, call.getArgOperand(1)});
    part->setCallingConv(call.getCallingConv());
    part->setAttributes(call.getAttributes());
    return builder.CreateZExt(part, whole);
  };
  Value *bits = builder.CreateBitCast(call.getArgOperand(0), whole);
  Value *low = shuffle(bits);
  Value *high = shuffle(builder.CreateLShr(bits, width / 2));
  return builder.CreateBitCast(
      builder.CreateOr(low, builder.CreateShl(high, width / 2)),
      call.getType());
}

/// Splits the calls of `function` that would be miscompiled.
bool splitCalls(Function &function, StringRef halfName) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  unsigned width = function.getReturnType()->getPrimitiveSizeInBits();
  Type *halfType = Type::getIntNTy(context, width / 2);
  bool isChanged = false;
  for (User *user : make_early_inc_range(function.users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || !isMiscompiled(*call))
      continue;
    FunctionCallee half = module.getOrInsertFunction(
        halfName,
        FunctionType::get(halfType, {halfType, Type::getInt32Ty(context)},
                          /*isVarArg=*/false),
        function.getAttributes());
    cast<Function>(half.getCallee())->setCallingConv(function.getCallingConv());
    Value *result = createHalves(*call, half);
    result->takeName(call);
    call->replaceAllUsesWith(result);
    call->eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}
} // namespace

PreservedAnalyses SplitShufflesPass::run(Module &module,
                                         ModuleAnalysisManager &) {
  bool isChanged = false;
  for (const SplitFunction &names : kSplitFunctions)
    if (Function *function = module.getFunction(names.whole))
      isChanged |= splitCalls(*function, names.half);
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
