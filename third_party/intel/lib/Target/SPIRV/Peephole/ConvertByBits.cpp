//===- ConvertByBits.cpp - Small integers as f32 without a conversion -----===//
// SPDX-License-Identifier: MIT
//
// Packed weights are small integers, from which kernels subtract a zero point
// in f32. If the exponent bits of 2^23 are set above a non-negative integer of
// less than 23 bits, the float is the integer plus 2^23. The sum of this float
// and an integer constant less 2^23 is the sum of both integers. It is exact,
// as every integer up to 2^24 is a float. The difference of two such floats is
// that of the integers.
//
// The `or` that sets the bits and the `and` that extracts the integer are one
// instruction of three operands (`bfn`), where the conversion is a second one.
//
// Fields of words are converted where they are (FieldsOfWords.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../FieldsOfWords.h"
#include "../MovedElements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// 2^23 as f32, whose last bit counts 1, and its bits.
constexpr double kBase = 0x1p23;
constexpr unsigned kBitsOfBase = 0x4b000000;
constexpr unsigned kMantissaBits = 23;

/// Returns the integer that `value` converts to f32, if it has less than 23
/// bits and no sign; null if not.
Value *getShort(Value *value, const DataLayout &layout) {
  Value *integer;
  if (!value->getType()->getScalarType()->isFloatTy() ||
      !match(value, m_CombineOr(m_UIToFP(m_Value(integer)),
                                m_SIToFP(m_Value(integer)))) ||
      integer->getType()->getScalarSizeInBits() < 32 ||
      computeKnownBits(integer, layout).countMaxActiveBits() >= kMantissaBits)
    return nullptr;
  return integer;
}

/// Returns whether an `and` computes the integer, for one user alone.
bool isExtracted(Value *integer) {
  return match(integer, m_OneUse(m_And(m_Value(), m_Value())));
}

/// Returns whether each element is an integer of less than 23 bits.
bool isIntegral(const Constant *constant) {
  auto isShortInteger = [](const Constant *element) {
    auto *number = dyn_cast_or_null<ConstantFP>(element);
    return number && number->getValueAPF().isInteger() &&
           abs(number->getValueAPF()).convertToFloat() < kBase;
  };
  auto *vector = dyn_cast<FixedVectorType>(constant->getType());
  if (!vector)
    return isShortInteger(constant);
  return all_of(seq(vector->getNumElements()), [&](unsigned index) {
    return isShortInteger(constant->getAggregateElement(index));
  });
}

/// Returns whether all elements of a float are short integers, which are
/// converted, and may be broadcast.
bool isShort(Value *value, const DataLayout &layout) {
  Value *moved = getMoved(value);
  return moved ? isShort(moved, layout) : getShort(value, layout) != nullptr;
}

/// Returns `value`, which is short, plus 2^23.
Value *addBase(IRBuilder<> &builder, Value *value) {
  if (Value *moved = getMoved(value))
    return moveAlike(builder, value, addBase(builder, moved));
  Value *integer = cast<CastInst>(value)->getOperand(0);
  integer = builder.CreateTrunc(
      integer, integer->getType()->getWithNewType(builder.getInt32Ty()));
  Value *bits = builder.CreateOr(
      integer, ConstantInt::get(integer->getType(), kBitsOfBase));
  return builder.CreateBitCast(bits, value->getType());
}

/// Returns what replaces a sum or a difference; null if nothing does.
Value *convert(BinaryOperator &inst, const DataLayout &layout) {
  Type *type = inst.getType();
  Value *left = inst.getOperand(0), *right = inst.getOperand(1);
  Value *integer = getShort(left, layout);
  if (!integer || !left->hasOneUse() || !isExtracted(integer))
    return nullptr;
  IRBuilder<> builder(&inst);
  Constant *bases = ConstantFP::get(type, kBase);
  if (inst.getOpcode() == Instruction::FSub && isShort(right, layout)) {
    // Elements that share a number share its sum with each base, too.
    Value *sum = getMoved(right) ? convertFields(builder, integer, type, bases)
                                 : nullptr;
    if (!sum) {
      Value *minuend = addBase(builder, left);
      return builder.CreateFSub(minuend, addBase(builder, right));
    }
    Value *rest = builder.CreateFSub(ConstantFP::get(type, kBase), bases);
    return builder.CreateFAdd(
        sum, builder.CreateFSub(rest, addBase(builder, right)));
  }
  auto *constant = dyn_cast<Constant>(right);
  if (!constant || inst.getOpcode() != Instruction::FAdd ||
      !isIntegral(constant))
    return nullptr;
  Value *sum = convertFields(builder, integer, type, bases);
  if (!sum)
    sum = addBase(builder, left);
  return builder.CreateFAdd(sum, builder.CreateFSub(constant, bases));
}

} // namespace

PreservedAnalyses ConvertByBitsPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  SmallVector<BinaryOperator *> replaced;
  for (Instruction &inst : instructions(function)) {
    auto *operation = dyn_cast<BinaryOperator>(&inst);
    if (!operation)
      continue;
    Value *value = convert(*operation, function.getDataLayout());
    if (!value)
      continue;
    operation->replaceAllUsesWith(value);
    replaced.push_back(operation);
  }
  for (BinaryOperator *operation : replaced)
    RecursivelyDeleteTriviallyDeadInstructions(operation);
  if (replaced.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
