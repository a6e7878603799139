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

#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// 2^23 as f32, whose last bit counts 1, and its bits.
constexpr double kBase = 0x1p23;
constexpr unsigned kBitsOfBase = 0x4b000000;
constexpr unsigned kMantissaBits = 23;

/// Returns whether an integer has less than 23 bits and no sign. It may be
/// broadcast.
bool isShort(Value *integer, const DataLayout &layout) {
  if (Value *moved = getMoved(integer))
    return isShort(moved, layout);
  return integer->getType()->getScalarSizeInBits() >= 32 &&
         computeKnownBits(integer, layout).countMaxActiveBits() < kMantissaBits;
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

/// Returns the integer that `value` converts; null if it is no conversion. With
/// a broadcast, the conversion is what is broadcast.
Value *getConverted(Value *value) {
  if (Value *moved = getMoved(value))
    return getConverted(moved);
  Value *integer;
  return match(value, m_CombineOr(m_UIToFP(m_Value(integer)),
                                  m_SIToFP(m_Value(integer))))
             ? integer
             : nullptr;
}

/// Returns an integer, or what converts one, that is short, plus 2^23 as f32.
Value *addBase(IRBuilder<> &builder, Value *value) {
  if (Value *moved = getMoved(value))
    return moveAlike(builder, value, addBase(builder, moved));
  if (auto *cast = dyn_cast<CastInst>(value);
      cast && cast->getType()->isFPOrFPVectorTy())
    value = cast->getOperand(0);
  Value *integer = builder.CreateTrunc(
      value, value->getType()->getWithNewType(builder.getInt32Ty()));
  Value *bits = builder.CreateOr(
      integer, ConstantInt::get(integer->getType(), kBitsOfBase));
  return builder.CreateBitCast(
      bits, integer->getType()->getWithNewType(builder.getFloatTy()));
}

/// A sum of a field of a word and a constant, or its difference from `other`,
/// which is short, or converts what is.
struct Sum {
  Value *field;
  Constant *constant = nullptr;
  Value *other = nullptr;
};

/// Returns the sum that an instruction computes as f32, or converts to it.
std::optional<Sum> getSum(Instruction &inst, const DataLayout &layout) {
  Value *left, *right, *field;
  if (!inst.getType()->getScalarType()->isFloatTy())
    return std::nullopt;
  bool isFloat = isa<BinaryOperator>(inst);
  if (match(&inst,
            m_CombineOr(m_FSub(m_OneUse(m_Value(left)), m_Value(right)),
                        m_FAdd(m_OneUse(m_Value(left)), m_Value(right)))))
    field = isa<CastInst>(left) ? getConverted(left) : nullptr;
  else if (match(&inst, m_SIToFP(m_OneUse(m_CombineOr(
                            m_Sub(m_Value(left), m_Value(right)),
                            m_Add(m_Value(left), m_Value(right)))))))
    field = left;
  else
    return std::nullopt;
  if (!field || !isExtracted(field) || !isShort(field, layout))
    return std::nullopt;
  Instruction *operation =
      isFloat ? &inst : cast<Instruction>(inst.getOperand(0));
  bool isDifference = is_contained({Instruction::FSub, Instruction::Sub},
                                   operation->getOpcode());
  if (auto *constant = dyn_cast<Constant>(right)) {
    IRBuilder<> builder(&inst);
    if (!isFloat)
      constant =
          dyn_cast<Constant>(builder.CreateSIToFP(constant, inst.getType()));
    return !isDifference && constant && isIntegral(constant)
               ? std::optional(Sum{field, constant})
               : std::nullopt;
  }
  Value *other = isFloat ? getConverted(right) : right;
  if (!isDifference || !other || !isShort(other, layout))
    return std::nullopt;
  return Sum{field, nullptr, right};
}

/// Returns what replaces a sum.
Value *convert(IRBuilder<> &builder, const Sum &sum, Type *type) {
  Constant *base = ConstantFP::get(type, kBase), *bases = base;
  // Elements that share a number share its sum with each base, too.
  Value *field = sum.constant || getMoved(sum.other)
                     ? convertFields(builder, sum.field, type, bases)
                     : nullptr;
  if (!field)
    field = addBase(builder, sum.field);
  if (sum.constant)
    return builder.CreateFAdd(field, builder.CreateFSub(sum.constant, bases));
  Value *other = addBase(builder, sum.other);
  if (bases == base)
    return builder.CreateFSub(field, other);
  return builder.CreateFAdd(
      field, builder.CreateFSub(builder.CreateFSub(base, bases), other));
}

} // namespace

PreservedAnalyses ConvertByBitsPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  SmallVector<Instruction *> replaced;
  for (Instruction &inst : instructions(function)) {
    std::optional<Sum> sum = getSum(inst, function.getDataLayout());
    if (!sum)
      continue;
    IRBuilder<> builder(&inst);
    inst.replaceAllUsesWith(convert(builder, *sum, inst.getType()));
    replaced.push_back(&inst);
  }
  for (Instruction *inst : replaced)
    RecursivelyDeleteTriviallyDeadInstructions(inst);
  if (replaced.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
