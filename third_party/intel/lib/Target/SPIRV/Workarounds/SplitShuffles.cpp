//===- SplitShuffles.cpp - Shuffles as several of fewer bits --------------===//
// SPDX-License-Identifier: MIT
//
// IGC gives wrong numbers for two kinds of shuffles. It knows neither of them
// in several shuffles of fewer bits, whose results shifts bring together.
//
// - It takes shuffles between which values are combined for reductions of a
//   sub-group (SubGroupReductionPattern.cpp). It emits nothing for those by
//   AND, OR and XOR of 64 bits, and reads a register that no instruction wrote
//   (EmitPass::ReductionClusteredReduceHelper in EmitVISAPass.cpp,
//   "Unsupported": chips without all operations of 64 bits). Sums and products
//   are reductions that it compiles correctly.
// - A value of one lane becomes a region of a register in the instruction that
//   uses it. If that one takes the lowest byte, and extends its sign or puts it
//   into a vector, it reads the byte of lane 0. Shuffles of bytes are right.
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

namespace triton::intel::spirv {
namespace {

/// A function that shuffles, and the one that shuffles parts of this number of
/// bits.
struct SplitFunction {
  StringLiteral whole, part;
  unsigned partBits;
};

/// Functions for 64 bits come first, since the passes look at their parts, too.
constexpr SplitFunction kSplitFunctions[] = {
    {"_Z17sub_group_shufflelj", "_Z17sub_group_shuffleij", 32},
    {"_Z21sub_group_shuffle_xorlj", "_Z21sub_group_shuffle_xorij", 32},
    {"_Z17sub_group_shuffleij", "_Z17sub_group_shufflecj", 8},
    {"_Z17sub_group_shufflefj", "_Z17sub_group_shufflecj", 8},
    {"_Z17sub_group_shufflesj", "_Z17sub_group_shufflecj", 8},
    {"_Z17sub_group_shuffleDhj", "_Z17sub_group_shufflecj", 8},
    {"_Z19sub_group_broadcastij", "_Z19sub_group_broadcastcj", 8},
    {"_Z19sub_group_broadcastfj", "_Z19sub_group_broadcastcj", 8},
    {"_Z19sub_group_broadcastsj", "_Z19sub_group_broadcastcj", 8},
    {"_Z19sub_group_broadcastDhj", "_Z19sub_group_broadcastcj", 8},
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
      unsigned bits = user->getType()->getScalarSizeInBits();
      if ((bits == 8 && isa<TruncInst, BitCastInst>(user)) ||
          match(user, m_Shl(m_Value(), m_SpecificInt(bits - 8))))
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

/// Calls `split` for each part of the value that `call` shuffles.
Value *createParts(CallInst &call, FunctionCallee split, unsigned partBits) {
  IRBuilder<> builder(&call);
  unsigned width = call.getType()->getPrimitiveSizeInBits();
  Type *whole = builder.getIntNTy(width);
  Value *bits = builder.CreateBitCast(call.getArgOperand(0), whole);
  Value *result = nullptr;
  for (unsigned place = 0; place < width; place += partBits) {
    Value *part = builder.CreateTrunc(builder.CreateLShr(bits, place),
                                      builder.getIntNTy(partBits));
    CallInst *shuffled =
        builder.CreateCall(split, {part, call.getArgOperand(1)});
    shuffled->setCallingConv(call.getCallingConv());
    shuffled->setAttributes(call.getAttributes());
    Value *placed =
        builder.CreateShl(builder.CreateZExt(shuffled, whole), place);
    result = result ? builder.CreateOr(result, placed) : placed;
  }
  return builder.CreateBitCast(result, call.getType());
}

/// Splits the calls of `function` that would be miscompiled.
bool splitCalls(Function &function, const SplitFunction &names) {
  Module &module = *function.getParent();
  LLVMContext &context = module.getContext();
  Type *partType = Type::getIntNTy(context, names.partBits);
  bool isChanged = false;
  for (User *user : make_early_inc_range(function.users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || !isMiscompiled(*call))
      continue;
    FunctionCallee split = module.getOrInsertFunction(
        names.part,
        FunctionType::get(partType, {partType, Type::getInt32Ty(context)},
                          /*isVarArg=*/false),
        function.getAttributes());
    cast<Function>(split.getCallee())
        ->setCallingConv(function.getCallingConv());
    Value *result = createParts(*call, split, names.partBits);
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
      isChanged |= splitCalls(*function, names);
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
