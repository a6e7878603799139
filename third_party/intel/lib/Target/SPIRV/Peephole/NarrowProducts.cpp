//===- NarrowProducts.cpp - Products of numbers that were extended --------===//
// SPDX-License-Identifier: MIT
//
// An address is often the product of a number of 32 bits, such as that of a
// page or a row, and a stride, which are extended to 64 bits by their signs. A
// GPU multiplies words. IGC computes the product of all 64 bits of both, with
// two products of a word and the sign of the other one, in eleven instructions
// (seen: ocloc 26.27). The product of two words as signed numbers takes four:
// two for the lower half, and two for the upper one. OpenCL C's `mul_hi` is no
// help, as IGC extends its operands, too. So assembly computes the upper half.
//
// Only products that differ between lanes are replaced: IGC takes the result of
// assembly for one value of each lane.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"
#include "../GroupSizes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

constexpr unsigned kWordBits = 32;

/// Returns the values that are computed from the number of a lane, other than
/// those that one lane gives to all. UniformValues.h finds values that are
/// known to be uniform, so that the rest need not vary.
SmallSetVector<Value *, 32> getVarying(Function &function) {
  SmallSetVector<Value *, 32> varying;
  for (Instruction &inst : instructions(function))
    if (getCalleeName(&inst) == kLaneId)
      varying.insert(&inst);
  for (unsigned i = 0; i < varying.size(); ++i)
    for (User *user : varying[i]->users())
      if (!isa<CallInst>(user) || isa<IntrinsicInst>(user))
        varying.insert(user);
  return varying;
}

/// Returns the number, or the vector of numbers, of 32 bits whose extension by
/// the sign is `value`; null if there is none.
Value *getWord(IRBuilder<> &builder, Value *value) {
  Type *words = value->getType()->getWithNewType(builder.getInt32Ty());
  Value *narrow;
  if (match(value, m_SExt(m_Value(narrow))) ||
      match(value, m_NNegZExt(m_Value(narrow))))
    return narrow->getType()->getScalarSizeInBits() > kWordBits
               ? nullptr
               : builder.CreateSExt(narrow, words);
  if (Value *scalar = getSplatValue(value); scalar && !isa<Constant>(value)) {
    Value *word = getWord(builder, scalar);
    auto *vector = cast<FixedVectorType>(value->getType());
    return word ? builder.CreateVectorSplat(vector->getElementCount(), word)
                : nullptr;
  }
  const APInt *number;
  if (match(value, m_APInt(number)) && number->isSignedIntN(kWordBits))
    return ConstantInt::get(words, number->trunc(kWordBits));
  return nullptr;
}

/// Returns the product of two words as a number of 64 bits.
Value *multiply(IRBuilder<> &builder, Value *lhs, Value *rhs,
                unsigned numLanes) {
  Type *word = builder.getInt32Ty();
  std::string text = ("mulh (M1, " + Twine(numLanes) +
                      ") $0(0,0)<1> $1(0,0)<1;1,0> $2(0,0)<1;1,0>")
                         .str();
  auto *code = InlineAsm::get(FunctionType::get(word, {word, word},
                                                /*isVarArg=*/false),
                              text, "=rw,rw,rw", /*hasSideEffects=*/false);
  CallInst *high = builder.CreateCall(code, {lhs, rhs});
  high->setDoesNotThrow();
  high->setDoesNotAccessMemory();
  Value *halves = PoisonValue::get(FixedVectorType::get(word, 2));
  halves = builder.CreateInsertElement(halves, builder.CreateMul(lhs, rhs),
                                       uint64_t(0));
  halves = builder.CreateInsertElement(halves, high, uint64_t(1));
  return builder.CreateBitCast(halves, builder.getInt64Ty());
}

/// Returns whether the signs of both operands are known to be zero: IGC leaves
/// out their products.
bool isUnsigned(const BinaryOperator &product) {
  return llvm::all_of(product.operands(), [](const Use &operand) {
    Value *value = operand.get();
    if (Value *scalar = getSplatValue(value))
      value = scalar;
    const APInt *number;
    return isa<ZExtInst>(value) ||
           (match(value, m_APInt(number)) && number->isNonNegative());
  });
}

} // namespace

PreservedAnalyses NarrowProductsPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  unsigned numLanes = getSubGroupSize(function);
  if (!numLanes)
    return PreservedAnalyses::all();
  SmallSetVector<Value *, 32> varying = getVarying(function);
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *product = dyn_cast<BinaryOperator>(&inst);
    if (!product || product->getOpcode() != Instruction::Mul ||
        !product->getType()->getScalarType()->isIntegerTy(64) ||
        !varying.contains(product) || isUnsigned(*product))
      continue;
    IRBuilder<> builder(product);
    Value *lhs = getWord(builder, product->getOperand(0));
    Value *rhs = lhs ? getWord(builder, product->getOperand(1)) : nullptr;
    if (!rhs)
      continue;
    Value *result;
    if (auto *vector = dyn_cast<FixedVectorType>(product->getType())) {
      result = PoisonValue::get(vector);
      for (unsigned i : seq(vector->getNumElements()))
        result = builder.CreateInsertElement(
            result,
            multiply(builder, builder.CreateExtractElement(lhs, i),
                     builder.CreateExtractElement(rhs, i), numLanes),
            i);
    } else {
      result = multiply(builder, lhs, rhs, numLanes);
    }
    product->replaceAllUsesWith(result);
    RecursivelyDeleteTriviallyDeadInstructions(product);
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
