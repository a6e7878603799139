//===- NarrowHalves.cpp - Arithmetic of halves without f32 ----------------===//
// SPDX-License-Identifier: MIT
//
// Packed weights are small integers, which kernels multiply by a scale in f32
// and round to f16, the type of the other factor. A product, sum or difference
// of two halves that is rounded to f32 and then to f16 equals the one that is
// rounded to f16 directly: the 24 bits of f32 are twice the 11 bits of f16,
// plus two (Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter
// 30(3), 1995). So the operation can be done in f16 if its operands are halves,
// or integers that halves can represent.
//
// Small non-negative integers are converted to halves by their bits: if the
// exponent bits of 1024 are set before ten bits, the half is the integer
// plus 1024. The difference of two such integers is exactly the difference of
// these halves. The usual conversion of an integer takes two moves on Xe HPC,
// because a result that is half as wide leaves every other 16 bits of a
// register empty. Fields of words are converted where they are
// (FieldsOfWords.h).
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../FieldsOfWords.h"
#include "../MovedElements.h"

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

/// The bits of 1024 as f16, whose last one counts 1.
constexpr unsigned kBits1024 = 0x6400;
constexpr unsigned kMantissaBits = 10;

/// Makes halves of values that f32 holds.
class HalfMaker {
public:
  explicit HalfMaker(Function &function) : layout(function.getDataLayout()) {}

  /// Returns whether a float is a half, or an integer whose bits are those of
  /// halves.
  bool isHalf(Value *value) const;
  /// Returns the half, at the insertion point of `builder`.
  Value *getHalf(IRBuilder<> &builder, Value *value) const;

  /// Returns whether bits make a half of an integer.
  bool isShort(Value *integer) const {
    return integer->getType()->getScalarSizeInBits() >= 16 &&
           computeKnownBits(integer, layout).countMaxActiveBits() <=
               kMantissaBits;
  }
  /// Returns the integer that `value` converts, if bits make a half of it, or
  /// of both sides of a difference that it is; null if not.
  Value *getShort(Value *value) const {
    Value *integer, *left, *right;
    bool isSigned = match(value, m_SIToFP(m_Value(integer)));
    if (!isSigned && !match(value, m_UIToFP(m_Value(integer))))
      return nullptr;
    bool isDifference = isSigned &&
                        match(integer, m_Sub(m_Value(left), m_Value(right))) &&
                        isShort(left) && isShort(right);
    return isDifference || isShort(integer) ? integer : nullptr;
  }
  /// Returns such an integer as a half.
  Value *convert(IRBuilder<> &builder, Value *integer) const;

private:
  Value *getWith1024(IRBuilder<> &builder, Value *integer) const;

  const DataLayout &layout;
};

bool HalfMaker::isHalf(Value *value) const {
  Value *source;
  if (match(value, m_FPExt(m_Value(source))))
    return source->getType()->getScalarType()->isHalfTy();
  Value *moved = getMoved(value);
  return moved ? isHalf(moved) : getShort(value) != nullptr;
}

Value *HalfMaker::getHalf(IRBuilder<> &builder, Value *value) const {
  if (Value *moved = getMoved(value))
    return moveAlike(builder, value, getHalf(builder, moved));
  Value *source = cast<CastInst>(value)->getOperand(0);
  return isa<FPExtInst>(value) ? source : convert(builder, source);
}

/// Once for all copies of an element.
Value *HalfMaker::getWith1024(IRBuilder<> &builder, Value *integer) const {
  if (Value *moved = getMoved(integer))
    return moveAlike(builder, integer, getWith1024(builder, moved));
  Type *type = integer->getType();
  // The shift of a word may depend on a lane or a loop. If the sign does not
  // get into the field that is cut out, a logical shift has the same result.
  // The device compiler truncates it within the next instruction, but takes one
  // more to truncate the result of an arithmetic shift.
  Value *word, *amount;
  const APInt *field;
  if (match(integer,
            m_And(m_AShr(m_Value(word), m_Value(amount)), m_APInt(field))) &&
      computeKnownBits(amount, layout).getMaxValue().ule(field->countl_zero()))
    integer = builder.CreateAnd(builder.CreateLShr(word, amount), *field);
  Value *bits = builder.CreateOr(integer, ConstantInt::get(type, kBits1024));
  return builder.CreateBitCast(
      builder.CreateTrunc(bits, type->getWithNewType(builder.getInt16Ty())),
      type->getWithNewType(builder.getHalfTy()));
}

Value *HalfMaker::convert(IRBuilder<> &builder, Value *integer) const {
  Value *left = integer, *right = nullptr;
  bool isDifference =
      !isShort(integer) && match(integer, m_Sub(m_Value(left), m_Value(right)));
  Type *type = integer->getType()->getWithNewType(builder.getHalfTy());
  Constant *with1024 = ConstantFP::get(type, 1024.0), *bases = with1024;
  // Elements that share a number share its sum with each base, too.
  Value *sum = !isDifference || getMoved(right)
                   ? convertFields(builder, left, type, bases)
                   : nullptr;
  if (!sum)
    sum = getWith1024(builder, left);
  Value *base = isDifference ? getWith1024(builder, right) : with1024;
  if (bases == with1024)
    return builder.CreateFSub(sum, base);
  return builder.CreateFAdd(
      sum, builder.CreateFSub(builder.CreateFSub(with1024, bases), base));
}

} // namespace

PreservedAnalyses NarrowHalvesPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  HalfMaker maker(function);
  SmallVector<Instruction *> narrowings, conversions;
  for (Instruction &inst : instructions(function)) {
    if (!inst.getType()->getScalarType()->isHalfTy())
      continue;
    BinaryOperator *operation;
    if (match(&inst, m_FPTrunc(m_OneUse(m_BinOp(operation)))) &&
        is_contained({Instruction::FMul, Instruction::FAdd, Instruction::FSub},
                     operation->getOpcode()) &&
        operation->getType()->getScalarType()->isFloatTy() &&
        all_of(operation->operands(),
               [&](Value *operand) { return maker.isHalf(operand); }))
      narrowings.push_back(&inst);
    else if (maker.getShort(&inst))
      conversions.push_back(&inst);
  }
  for (Instruction *inst : narrowings) {
    auto *operation = cast<BinaryOperator>(inst->getOperand(0));
    IRBuilder<> builder(inst);
    builder.setFastMathFlags(operation->getFastMathFlags());
    Value *left = maker.getHalf(builder, operation->getOperand(0));
    Value *right = maker.getHalf(builder, operation->getOperand(1));
    inst->replaceAllUsesWith(
        builder.CreateBinOp(operation->getOpcode(), left, right));
    RecursivelyDeleteTriviallyDeadInstructions(inst);
  }
  for (Instruction *inst : conversions) {
    IRBuilder<> builder(inst);
    inst->replaceAllUsesWith(maker.convert(builder, inst->getOperand(0)));
    RecursivelyDeleteTriviallyDeadInstructions(inst);
  }
  if (narrowings.empty() && conversions.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
