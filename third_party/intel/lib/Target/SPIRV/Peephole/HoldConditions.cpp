//===- HoldConditions.cpp - Conditions that registers hold ----------------===//
// SPDX-License-Identifier: MIT
//
// A comparison of a GPU writes a bit to a flag, or -1 or 0 to a register. IGC
// keeps conditions in flags. A thread has eight of 16 lanes, and no instruction
// combines two of them for the lanes that are active: each `and`, `or` and
// `xor` of two flags moves both to registers, combines these, and compares the
// result with zero. Only a comparison that is used once is combined with a flag
// as it is made.
//
// This pass computes vectors of conditions as numbers instead, which are -1
// where a condition holds:
//
//   %a = fcmp <8 x float> ...           %a = fcmp <8 x float> ...
//   %b = icmp <8 x i32> ...             %a.mask = sext <8 x i1> %a to <8 x i32>
//   %c = xor <8 x i1> %a, %b            %b = icmp <8 x i32> ...
//   %s = select <8 x i1> %c,     =>     %b.mask = sext <8 x i1> %b to <8 x i32>
//            <8 x i32> %x, 0            %c.mask = xor %a.mask, %b.mask
//                                       %s = and %c.mask, %x
//
// One instruction of these GPUs combines three numbers by any function of their
// bits. For the same reason a product of 32 or 64 bits with a number that is 0
// or 1 becomes an `and`: a multiplication is two instructions or more.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

bool isCondition(Type *type) {
  return isa<FixedVectorType>(type) && type->isIntOrIntVectorTy(1);
}

/// Returns whether a value consists of numbers that are known to be 0 or 1.
bool isBit(Value *value, const DataLayout &layout) {
  return value->getType()->isIntOrIntVectorTy() &&
         computeKnownBits(value, layout).countMaxActiveBits() <= 1;
}

/// Returns an operation that combines two conditions; null for all others.
BinaryOperator *getLogic(Value *value) {
  return isCondition(value->getType()) ? dyn_cast<BinaryOperator>(value)
                                       : nullptr;
}

/// Computes the conditions of a function as numbers.
class Holder {
public:
  explicit Holder(Function &function)
      : function(function), layout(function.getDataLayout()) {}
  /// Returns whether anything was changed.
  bool run();

private:
  bool needsRegisters(Value *condition);
  Value *getMask(Value *condition);
  Value *makeMask(Value *condition);
  Value *keep(IRBuilder<> &builder, Value *mask);
  Value *choose(IRBuilder<> &builder, SelectInst &select);
  Value *replace(Instruction &inst);

  Function &function;
  const DataLayout &layout;
  DenseMap<Value *, bool> needed;
  DenseMap<Value *, Value *> masks;
};

/// Returns whether two flags are combined on the way to a condition. A
/// comparison of one use is no second flag.
bool Holder::needsRegisters(Value *condition) {
  auto known = needed.find(condition);
  if (known != needed.end())
    return known->second;
  bool result = false;
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(condition)) {
    result = needsRegisters(shuffle->getOperand(0)) ||
             needsRegisters(shuffle->getOperand(1));
  } else if (BinaryOperator *logic = getLogic(condition)) {
    Value *lhs = logic->getOperand(0), *rhs = logic->getOperand(1);
    auto isFlag = [](Value *value) {
      return !isa<Constant>(value) &&
             !(isa<CmpInst>(value) && value->hasOneUse());
    };
    result = (isFlag(lhs) && isFlag(rhs)) || needsRegisters(lhs) ||
             needsRegisters(rhs);
  }
  return needed[condition] = result;
}

/// Returns numbers of 32 bits that are -1 where a condition holds.
Value *Holder::getMask(Value *condition) {
  auto known = masks.find(condition);
  if (known != masks.end())
    return known->second;
  Value *mask = makeMask(condition);
  masks[condition] = mask;
  return mask;
}

/// Keeps the mask of a comparison: IGC would combine the flags of which two are
/// extended. Inline assembly without code takes the register as it is.
Value *Holder::keep(IRBuilder<> &builder, Value *mask) {
  Value *result = PoisonValue::get(mask->getType());
  unsigned length = cast<FixedVectorType>(mask->getType())->getNumElements();
  for (unsigned i = 0; i < length; ++i) {
    Value *kept =
        createOpaqueCopy(builder, builder.CreateExtractElement(mask, i));
    result = builder.CreateInsertElement(result, kept, i);
  }
  return result;
}

Value *Holder::makeMask(Value *condition) {
  Type *type = condition->getType()->getWithNewType(
      Type::getInt32Ty(condition->getContext()));
  IRBuilder<> builder(condition->getContext());
  if (auto *constant = dyn_cast<Constant>(condition))
    return ConstantFoldCastOperand(Instruction::SExt, constant, type, layout);
  if (auto *inst = dyn_cast<Instruction>(condition)) {
    builder.SetInsertPoint(*inst->getInsertionPointAfterDef());
    builder.SetCurrentDebugLocation(inst->getDebugLoc());
  } else {
    builder.SetInsertPoint(&*function.getEntryBlock().getFirstInsertionPt());
  }
  if (BinaryOperator *logic = getLogic(condition)) {
    Value *lhs = getMask(logic->getOperand(0));
    Value *rhs = getMask(logic->getOperand(1));
    return builder.CreateBinOp(logic->getOpcode(), lhs, rhs);
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(condition))
    return builder.CreateShuffleVector(getMask(shuffle->getOperand(0)),
                                       getMask(shuffle->getOperand(1)),
                                       shuffle->getShuffleMask());
  return keep(builder, builder.CreateSExt(condition, type));
}

/// Returns what is chosen, by a mask or by a flag that it is compared to.
Value *Holder::choose(IRBuilder<> &builder, SelectInst &select) {
  Value *mask = getMask(select.getCondition());
  Value *ifTrue = select.getTrueValue(), *ifFalse = select.getFalseValue();
  bool isNumber = select.getType() == mask->getType();
  if (isNumber && match(ifFalse, m_Zero()))
    return builder.CreateAnd(mask, ifTrue);
  if (isNumber && match(ifTrue, m_Zero()))
    return builder.CreateAnd(builder.CreateNot(mask), ifFalse);
  Value *flag =
      builder.CreateICmpNE(mask, Constant::getNullValue(mask->getType()));
  return builder.CreateSelect(flag, ifTrue, ifFalse);
}

/// Returns what takes the place of `inst`; null if that stays.
Value *Holder::replace(Instruction &inst) {
  IRBuilder<> builder(&inst);
  if (inst.getOpcode() == Instruction::Mul &&
      inst.getType()->getScalarSizeInBits() >= 32)
    for (unsigned i : {0, 1})
      if (isBit(inst.getOperand(i), layout))
        return builder.CreateAnd(builder.CreateNeg(inst.getOperand(i)),
                                 inst.getOperand(1 - i));
  if (!isa<SelectInst, SExtInst, ZExtInst>(inst) || isCondition(inst.getType()))
    return nullptr;
  Value *condition = inst.getOperand(0);
  if (!isCondition(condition->getType()) || !needsRegisters(condition))
    return nullptr;
  if (auto *select = dyn_cast<SelectInst>(&inst))
    return choose(builder, *select);
  Value *mask = getMask(condition);
  return isa<SExtInst>(inst)
             ? builder.CreateSExtOrTrunc(mask, inst.getType())
             : builder.CreateZExtOrTrunc(builder.CreateLShr(mask, 31),
                                         inst.getType());
}

bool Holder::run() {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *result = replace(inst);
    if (!result)
      continue;
    result->takeName(&inst);
    inst.replaceAllUsesWith(result);
    inst.eraseFromParent();
    isChanged = true;
  }
  return isChanged;
}

} // namespace

PreservedAnalyses HoldConditionsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  if (!Holder(function).run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
