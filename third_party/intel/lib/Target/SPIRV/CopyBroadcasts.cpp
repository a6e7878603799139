//===- CopyBroadcasts.cpp - Bytes of what all lanes get from one of them --===//
// SPDX-License-Identifier: MIT
//
// IGC reads a byte of a value of 32 bits as a region of its register, and a
// broadcast as a region, too. Where it joins the two, the number of the lane is
// lost: the byte is that of lane 0.
//
//   %x = call i32 @sub_group_broadcast(i32 %v, i32 7)
//   %y = trunc i32 %x to i8             mov (1|M0) r1.4<1>:d  r6.0<0;1,0>:b
//   %z = sext i8 %y to i32              instead of            r6.28<0;1,0>:b
//
// This pass copies the result of a broadcast of which a byte is used: an empty
// line of assembly, which IGC does not look through. Bytes of shuffles, halves
// of 32 bits, and bytes of 16 bits are compiled correctly.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton_xe::spirv {
namespace {

constexpr unsigned kByte = 8;

/// Returns whether `check` holds for an element of a constant.
bool isAny(Value *value, function_ref<bool(const APInt &)> check) {
  auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return false;
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  return any_of(seq(type ? type->getNumElements() : 1), [&](unsigned index) {
    auto *number = dyn_cast_or_null<ConstantInt>(
        type ? constant->getAggregateElement(index) : constant);
    return number && check(number->getValue());
  });
}

/// Returns whether an instruction may take one byte of an operand: it drops the
/// other ones, or moves the lowest one to where a shift extends its sign.
bool isByteUse(Instruction &inst) {
  unsigned width = inst.getType()->getScalarSizeInBits();
  if (isa<TruncInst, BitCastInst>(inst))
    return width == kByte;
  if (inst.getOpcode() == Instruction::And)
    return isAny(inst.getOperand(1), [](const APInt &number) {
      return number.isMask(kByte);
    });
  return inst.getOpcode() == Instruction::Shl &&
         isAny(inst.getOperand(1),
               [&](const APInt &number) { return number == width - kByte; });
}

/// Returns whether bytes of the result may be bytes of an operand.
bool movesBytes(const Instruction &inst) {
  return isa<InsertElementInst, ExtractElementInst, ShuffleVectorInst,
             BitCastInst, TruncInst, FreezeInst>(inst) ||
         (isa<BinaryOperator>(inst) && cast<BinaryOperator>(inst).isShift() &&
          isa<Constant>(inst.getOperand(1)));
}

bool hasByteUse(Instruction &value) {
  SetVector<Instruction *> values;
  values.insert(&value);
  for (unsigned i = 0; i < values.size(); ++i)
    for (User *user : values[i]->users()) {
      auto *inst = cast<Instruction>(user);
      if (isByteUse(*inst))
        return true;
      if (movesBytes(*inst))
        values.insert(inst);
    }
  return false;
}

void copy(CallInst &call) {
  IRBuilder<> builder(call.getNextNode());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  Type *type = call.getType();
  Type *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
  InlineAsm *code =
      InlineAsm::get(FunctionType::get(bits, {bits}, /*isVarArg=*/false), "\n",
                     "=rw,0", /*hasSideEffects=*/false);
  Value *from = builder.CreateBitCast(&call, bits);
  CallInst *copied = builder.CreateCall(code, {from});
  copied->setDoesNotAccessMemory();
  copied->setDoesNotThrow();
  copied->addFnAttr(Attribute::WillReturn);
  Value *result = builder.CreateBitCast(copied, type);
  call.replaceUsesWithIf(result, [&](const Use &use) {
    return use.getUser() != from && use.getUser() != copied;
  });
}

} // namespace

PreservedAnalyses CopyBroadcastsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  SmallVector<CallInst *> calls;
  for (Instruction &inst : instructions(function))
    if (getSourceName(getCalleeName(&inst)) == "sub_group_broadcast" &&
        inst.getType()->getScalarSizeInBits() >= 32 && hasByteUse(inst))
      calls.push_back(cast<CallInst>(&inst));
  for (CallInst *call : calls)
    copy(*call);
  if (calls.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton_xe::spirv
