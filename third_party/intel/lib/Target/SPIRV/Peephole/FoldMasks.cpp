//===- FoldMasks.cpp - One bound for two masks ----------------------------===//
// SPDX-License-Identifier: MIT
//
// The mask of a two-dimensional tile combines a mask of its rows and a mask of
// its columns. If all elements of a vector are in one row, they share the mask
// of the row:
//
//   row & (column[0] < end), row & (column[1] < end), ...
//
// Compilers of drivers use one flag register for such a mask, and compute each
// mask by copying both parts into registers, in four instructions. No number is
// less than the least number, so the row's mask can select the bound instead,
// once for all elements:
//
//   end' = row ? end : least number
//   column[0] < end', column[1] < end', ...
//
// Both have the same result, whatever the numbers are.
//
// In a causal mask the column is the bound, and rows may be equal to it:
// column < end, row >= column. If the first mask holds, the column is not the
// greatest number. So rows can be limited to a smaller number, once before
// the loop, and a column whose mask does not hold can become the greatest
// number:
//
//   row' = min(row, greatest number - 1)
//   row' >= (column < end ? column : greatest number)
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

namespace triton::intel::spirv {
namespace {

/// Returns the bound with which `x predicate bound` holds for no x; nothing for
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

/// Returns the scalar that each element of a vector is, or the vector whose
/// first element it is; null if elements differ.
Value *getCommonElement(Value *vector) {
  if (Value *scalar = getSplatValue(vector))
    return scalar;
  auto *shuffle = dyn_cast<ShuffleVectorInst>(vector);
  return shuffle && shuffle->isZeroEltSplat() ? shuffle->getOperand(0)
                                              : nullptr;
}

/// Returns the scalar that `getCommonElement` represents.
Value *getScalar(IRBuilder<> &builder, Value *element) {
  return element->getType()->isVectorTy()
             ? builder.CreateExtractElement(element, uint64_t(0))
             : element;
}

/// Returns the bound with which `x predicate bound` holds for no x but the
/// bound, if `value` is another number wherever `all` holds; nothing if that is
/// not known.
std::optional<APInt> getUnreachedBound(CmpInst::Predicate predicate, Value *all,
                                       Value *value) {
  CmpPredicate known;
  Value *other;
  // The number is less than another one, or greater.
  if (!match(all, m_c_ICmp(known, m_Specific(value), m_Value(other))))
    return std::nullopt;
  unsigned bits = value->getType()->getScalarSizeInBits();
  if (predicate == CmpInst::ICMP_SGE && known == CmpInst::ICMP_SLT)
    return APInt::getSignedMaxValue(bits);
  if (predicate == CmpInst::ICMP_UGE && known == CmpInst::ICMP_ULT)
    return APInt::getMaxValue(bits);
  if (predicate == CmpInst::ICMP_SLE && known == CmpInst::ICMP_SGT)
    return APInt::getSignedMinValue(bits);
  if (predicate == CmpInst::ICMP_ULE && known == CmpInst::ICMP_UGT)
    return APInt::getMinValue(bits);
  return std::nullopt;
}

/// Folds masks of one function.
class MaskFolder {
public:
  /// Returns `mask` where `all` holds, and nothing elsewhere, as a mask that
  /// costs no more than `mask` does; null if that is not possible.
  Value *fold(IRBuilder<> &builder, Value *mask, Value *all);

private:
  /// Returns `x`, kept from `bound` by one; computed once, where `x` is.
  Value *keepFrom(Instruction *x, const APInt &bound, bool isSigned);

  /// The kept numbers, by the number and the function that keeps it.
  DenseMap<std::pair<Value *, unsigned>, Value *> kept;
};

Value *MaskFolder::keepFrom(Instruction *x, const APInt &bound, bool isSigned) {
  bool isLargest = isSigned ? bound.isMaxSignedValue() : bound.isMaxValue();
  Intrinsic::ID id = isLargest ? (isSigned ? Intrinsic::smin : Intrinsic::umin)
                               : (isSigned ? Intrinsic::smax : Intrinsic::umax);
  Value *&result = kept[{x, id}];
  if (result)
    return result;
  IRBuilder<> builder(x->getParent(), *x->getInsertionPointAfterDef());
  result = builder.CreateBinaryIntrinsic(
      id, x, ConstantInt::get(x->getType(), isLargest ? bound - 1 : bound + 1));
  return result;
}

Value *MaskFolder::fold(IRBuilder<> &builder, Value *mask, Value *all) {
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
  if (!getCommonElement(rhs)) {
    std::swap(lhs, rhs);
    predicate = CmpPredicate::getSwapped(predicate);
  }
  Value *bound = getCommonElement(rhs);
  if (!bound)
    return nullptr;
  unsigned bits = bound->getType()->getScalarSizeInBits();
  std::optional<APInt> empty = getEmptyBound(predicate, bits);
  if (!empty) {
    // Numbers that change with the mask would be kept from the bound each time.
    auto *numbers = dyn_cast<Instruction>(lhs);
    if (!numbers || numbers->getParent() == builder.GetInsertBlock() ||
        !numbers->getInsertionPointAfterDef())
      return nullptr;
    empty = getUnreachedBound(predicate, all, bound);
    if (!empty)
      return nullptr;
    lhs = keepFrom(numbers, *empty, CmpInst::isSigned(predicate));
  }
  Value *scalar = getScalar(builder, bound);
  Value *chosen =
      builder.CreateSelect(getScalar(builder, all), scalar,
                           ConstantInt::get(scalar->getType(), *empty));
  unsigned length = cast<FixedVectorType>(mask->getType())->getNumElements();
  return builder.CreateICmp(predicate, lhs,
                            builder.CreateVectorSplat(length, chosen));
}

} // namespace

PreservedAnalyses FoldMasksPass::run(Function &function,
                                     FunctionAnalysisManager &) {
  bool hasChanged = false;
  MaskFolder folder;
  // A folded operation is part of the one after it.
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *lhs, *rhs;
    if (!isa<FixedVectorType>(inst.getType()) ||
        !inst.getType()->isIntOrIntVectorTy(1) ||
        !match(&inst, m_And(m_Value(lhs), m_Value(rhs))))
      continue;
    if (!getCommonElement(lhs))
      std::swap(lhs, rhs);
    Value *all = getCommonElement(lhs);
    if (!all || isa<Constant>(all))
      continue;
    IRBuilder<> builder(&inst);
    Value *folded = folder.fold(builder, rhs, all);
    if (!folded)
      continue;
    folded->takeName(&inst);
    inst.replaceAllUsesWith(folded);
    inst.eraseFromParent();
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
