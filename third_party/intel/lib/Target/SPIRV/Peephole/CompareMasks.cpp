//===- CompareMasks.cpp - Booleans that are compared as integers ----------===//
// SPDX-License-Identifier: MIT
//
// A comparison of a GPU writes -1 or 0 to a register, or a bit to a flag. That
// a boolean equals a number is one more comparison if the boolean is extended
// by its sign:
//
//   sext(x < y) == -n   rather than   zext(x < y) == n
//
// Both hold for the same n, whatever it is. IGC takes the second form for an
// XOR of two flags if n is known to be 0 or 1, and moves both flags to
// registers for it, in three more instructions. Networks that sort compare this
// way: a pair is swapped if its order differs from the direction of its place.
//
// An XOR of two booleans is such a comparison, too, if one of them is the
// lowest bit of a number, or tests whether two numbers differ that have no
// other bit: n is that bit, or their XOR.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

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

/// Returns whether a value is a number that is known to be 0 or 1.
bool isBit(Value *value, const DataLayout &layout) {
  return value->getType()->isIntOrIntVectorTy() &&
         computeKnownBits(value, layout).countMaxActiveBits() <= 1;
}

/// Tests whether `boolean`, as 0 or 1, equals `number` or differs from it.
Value *createComparison(IRBuilder<> &builder, CmpInst::Predicate predicate,
                        Value *boolean, Value *number) {
  return builder.CreateICmp(predicate,
                            builder.CreateSExt(boolean, number->getType()),
                            builder.CreateNeg(number));
}

/// A number that is 0 or 1, and whether a boolean is true where it is 1
/// (ICMP_NE) or where it is 0 (ICMP_EQ).
struct Bit {
  CmpInst::Predicate predicate;
  Value *number;
};

/// Returns the bit that decides a truncation, a comparison for equality of two
/// numbers of one bit, or a shuffle of these; none for any other boolean.
std::optional<Bit> getBit(IRBuilder<> &builder, Value *boolean,
                          const DataLayout &layout) {
  ArrayRef<int> mask;
  Value *source, *lhs, *rhs;
  CmpPredicate predicate;
  if (match(boolean, m_Shuffle(m_Value(source), m_Poison(), m_Mask(mask)))) {
    std::optional<Bit> bit = getBit(builder, source, layout);
    if (bit)
      bit->number = builder.CreateShuffleVector(bit->number, mask);
    return bit;
  }
  if (match(boolean, m_Trunc(m_Value(source))))
    return Bit{
        CmpInst::ICMP_NE,
        builder.CreateAnd(source, ConstantInt::get(source->getType(), 1))};
  if (!match(boolean, m_ICmp(predicate, m_Value(lhs), m_Value(rhs))) ||
      !CmpInst::isEquality(predicate) || !isBit(lhs, layout) ||
      !isBit(rhs, layout))
    return std::nullopt;
  return Bit{predicate, builder.CreateXor(lhs, rhs)};
}

/// Returns what takes the place of `inst`; null if it has neither form.
Value *rewrite(Instruction &inst, const DataLayout &layout) {
  Value *boolean, *number;
  CmpPredicate predicate;
  IRBuilder<> builder(&inst);
  if (match(&inst,
            m_c_ICmp(predicate, m_ZExt(m_Value(boolean)), m_Value(number))))
    return CmpInst::isEquality(predicate) &&
                   boolean->getType()->isIntOrIntVectorTy(1)
               ? createComparison(builder, predicate, boolean, number)
               : nullptr;
  if (inst.getOpcode() != Instruction::Xor ||
      !inst.getType()->isIntOrIntVectorTy(1))
    return nullptr;
  for (unsigned i : {0, 1})
    // Only a comparison writes its result extended.
    if (isa<CmpInst>(inst.getOperand(1 - i)))
      if (std::optional<Bit> bit = getBit(builder, inst.getOperand(i), layout))
        return createComparison(builder, bit->predicate, inst.getOperand(1 - i),
                                bit->number);
  return nullptr;
}
} // namespace

PreservedAnalyses CompareMasksPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *result = rewrite(inst, function.getDataLayout());
    if (!result)
      continue;
    result->takeName(&inst);
    inst.replaceAllUsesWith(result);
    inst.eraseFromParent();
    isChanged = true;
  }
  if (!isChanged)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
