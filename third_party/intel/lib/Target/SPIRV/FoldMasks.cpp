//===- FoldMasks.cpp - One bound for two masks ----------------------------===//
// SPDX-License-Identifier: MIT
//
// The mask of a tile in two dimensions is that of its rows and that of its
// columns. Where all elements of a vector lie in one row, their masks have the
// row's in common:
//
//   row & (column[0] < end), row & (column[1] < end), ...
//
// Compilers of drivers have one flag register for such a mask, and compute each
// of these by copying both parts into registers, four instructions in all.
// Nothing is less than the least number, so that the row's part may as well
// choose the bound, once for all elements:
//
//   end' = row ? end : least number
//   column[0] < end', column[1] < end', ...
//
// Both have the same result, whatever the numbers are.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton_xe::spirv {
namespace {

/// The bound with which `x predicate bound` holds for no x; nothing for
/// predicates that always hold for one.
std::optional<APInt> getEmptyBound(CmpInst::Predicate predicate,
                                   unsigned bits) {
  switch (predicate) {
  case CmpInst::ICMP_SLT:
    return APInt::getSignedMinValue(bits);
  case CmpInst::ICMP_ULT:
    return APInt::getMinValue(bits);
  case CmpInst::ICMP_SGT:
    return APInt::getSignedMaxValue(bits);
  case CmpInst::ICMP_UGT:
    return APInt::getMaxValue(bits);
  default:
    return std::nullopt;
  }
}

/// `mask` where `all` holds, and nothing elsewhere, as a mask that costs no
/// more than `mask` does; null if that is not possible.
Value *fold(IRBuilder<> &builder, Value *mask, Value *all) {
  Value *lhs, *rhs;
  if (match(mask, m_And(m_Value(lhs), m_Value(rhs)))) {
    if (Value *folded = fold(builder, lhs, all))
      return builder.CreateAnd(folded, rhs);
    Value *folded = fold(builder, rhs, all);
    return folded ? builder.CreateAnd(lhs, folded) : nullptr;
  }
  CmpPredicate predicate;
  if (!match(mask, m_ICmp(predicate, m_Value(lhs), m_Value(rhs))) ||
      !lhs->getType()->isIntOrIntVectorTy())
    return nullptr;
  if (!getSplatValue(rhs)) {
    std::swap(lhs, rhs);
    predicate = CmpPredicate::getSwapped(predicate);
  }
  Value *bound = getSplatValue(rhs);
  if (!bound)
    return nullptr;
  std::optional<APInt> empty =
      getEmptyBound(predicate, bound->getType()->getIntegerBitWidth());
  if (!empty)
    return nullptr;
  Value *chosen = builder.CreateSelect(
      all, bound, ConstantInt::get(bound->getType(), *empty));
  unsigned length = cast<FixedVectorType>(mask->getType())->getNumElements();
  return builder.CreateICmp(predicate, lhs,
                            builder.CreateVectorSplat(length, chosen));
}

} // namespace

PreservedAnalyses FoldMasksPass::run(Function &function,
                                     FunctionAnalysisManager &) {
  bool hasChanged = false;
  // What is folded is part of what comes behind it.
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *lhs, *rhs;
    if (!isa<FixedVectorType>(inst.getType()) ||
        !inst.getType()->isIntOrIntVectorTy(1) ||
        !match(&inst, m_And(m_Value(lhs), m_Value(rhs))))
      continue;
    if (!getSplatValue(lhs))
      std::swap(lhs, rhs);
    Value *all = getSplatValue(lhs);
    if (!all || isa<Constant>(all))
      continue;
    IRBuilder<> builder(&inst);
    Value *folded = fold(builder, rhs, all);
    if (!folded)
      continue;
    folded->takeName(&inst);
    inst.replaceAllUsesWith(folded);
    inst.eraseFromParent();
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
