//===- NarrowComparisons.cpp - Comparisons of widened numbers -------------===//
// SPDX-License-Identifier: MIT
//
// Positions in a block pointer have 64 bits, and so have the masks of accesses
// that no 2D block message can do. Most positions are sums of a number of 32
// bits and a constant that is known not to overflow:
//
//   (sext(k) | 8) < sext(end)
//
// A GPU compares 64 bits by three comparisons of 32 bits, and copies both
// halves of the constant sum next to each other first. If the upper 33 bits of
// both sides are equal, the lower halves are in the same order, with a sign or
// without one. So they are compared instead, and computed in 32 bits where that
// needs no conversion back.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton::intel::spirv {
namespace {

/// Operations between a comparison and the number that was extended.
constexpr unsigned kMaxDepth = 4;

/// Returns whether lower halves of an operation depend on those of its operands
/// alone.
bool isModular(Value *number) {
  auto *operation = dyn_cast<BinaryOperator>(number);
  return operation &&
         (operation->isBitwiseLogicOp() ||
          is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul},
                       operation->getOpcode()));
}

/// Returns whether lower halves cost nothing beyond the 64 bits that go: other
/// code would keep both.
bool isCheap(Value *number, unsigned depth = 0) {
  if (isa<Constant>(number) || match(number, m_ZExtOrSExt(m_Value())) ||
      getSplatValue(number))
    return true;
  if (!isModular(number))
    return !number->getType()->isVectorTy();
  auto isUniform = [](Value *operand) {
    return isa<Constant>(operand) || getSplatValue(operand);
  };
  return depth < kMaxDepth &&
         (number->hasOneUse() ||
          all_of(cast<User>(number)->operands(), isUniform)) &&
         all_of(
             cast<User>(number)->operands(),
             [&](Value *operand) { return isCheap(operand, depth + 1); });
}

/// Returns the lower halves of 64 bits.
Value *narrow(IRBuilder<> &builder, Value *number, unsigned depth = 0) {
  Type *type = number->getType()->getWithNewType(builder.getInt32Ty());
  Value *source;
  if (match(number, m_ZExtOrSExt(m_Value(source)))) {
    if (source->getType() == type)
      return source;
    if (source->getType()->getScalarSizeInBits() < 32)
      return builder.CreateCast(cast<CastInst>(number)->getOpcode(), source,
                                type);
  }
  if (isa<Constant>(number) || depth == kMaxDepth)
    return builder.CreateTrunc(number, type);
  if (Value *scalar = getSplatValue(number))
    return builder.CreateVectorSplat(
        cast<FixedVectorType>(type)->getElementCount(),
        narrow(builder, scalar, depth + 1));
  if (!isModular(number) || !isCheap(number))
    return builder.CreateTrunc(number, type);
  auto *operation = cast<BinaryOperator>(number);
  return builder.CreateBinOp(
      operation->getOpcode(),
      narrow(builder, operation->getOperand(0), depth + 1),
      narrow(builder, operation->getOperand(1), depth + 1));
}

/// Returns whether the upper 33 bits of each element are equal. LLVM's analysis
/// does not look at the number that a splat repeats.
bool isExtended(Value *number, const DataLayout &layout, unsigned depth = 0) {
  if (depth < kMaxDepth) {
    if (Value *scalar = getSplatValue(number))
      return isExtended(scalar, layout, depth + 1);
    Value *lhs, *rhs;
    if (match(number, m_BitwiseLogic(m_Value(lhs), m_Value(rhs))) &&
        isExtended(lhs, layout, depth + 1) &&
        isExtended(rhs, layout, depth + 1))
      return true;
  }
  return ComputeNumSignBits(number, layout) > 32;
}

} // namespace

PreservedAnalyses NarrowComparisonsPass::run(Function &function,
                                             FunctionAnalysisManager &) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<WeakTrackingVH> replaced;
  for (Instruction &inst : instructions(function)) {
    CmpPredicate predicate;
    Value *lhs, *rhs;
    if (!match(&inst, m_ICmp(predicate, m_Value(lhs), m_Value(rhs))) ||
        !lhs->getType()->getScalarType()->isIntegerTy(64) || !isCheap(lhs) ||
        !isCheap(rhs) || !isExtended(lhs, layout) || !isExtended(rhs, layout))
      continue;
    IRBuilder<> builder(&inst);
    Value *result = builder.CreateICmp(predicate, narrow(builder, lhs),
                                       narrow(builder, rhs));
    result->takeName(&inst);
    inst.replaceAllUsesWith(result);
    replaced.push_back(&inst);
  }
  if (replaced.empty())
    return PreservedAnalyses::all();
  RecursivelyDeleteTriviallyDeadInstructions(replaced);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
