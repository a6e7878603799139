//===- WidenOffsets.cpp - Sums of which addresses are made ----------------===//
// SPDX-License-Identifier: MIT
//
// The elements that a lane loads are at constant distances from each other. A
// kernel computes their offsets in 32 bits, `(x + 64) * 4`, and adds them to a
// 64-bit address, so each element is extended, shifted and added on its own. If
// the constant is added after the extension, all of this happens once, and each
// address is one addition:
//
//     base + sext(x + 64) * 4  =  (base + sext(x) * 4) + 256
//
// The same holds for a number that all elements share, such as the counter of a
// loop, and where the optimizer shifts before it extends. Both sides are equal
// if `x + 64` does not overflow. Offsets do not overflow, because no tensor has
// addresses that are 2^31 elements apart in the wrong direction. Masks and
// other uses of the number keep its value in 32 bits.
//
// The sum is written in the order in which its parts change: first those that
// are invariant in the loop, which are added up before it, then those that
// vary, then the parts in which elements differ. A pointer to a row that the
// loop computes is taken apart for that, `base + row * pitch`.
//
// The optimizer writes a sum of numbers that have no bit in common as a
// disjunction. The device compiler adds three numbers in one instruction, of
// which one may be a constant; for a disjunction of three it loads the constant
// into a register. So the positions of elements become sums again.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/SimplifyQuery.h"
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

/// Uses of a number that are followed.
constexpr unsigned kMaxUses = 256;

/// Returns whether nothing but addresses is computed of `number`.
bool isPartOfAddresses(Value *number) {
  SmallVector<Value *> open{number};
  SmallPtrSet<Value *, 32> seen;
  while (!open.empty()) {
    Value *value = open.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (seen.size() > kMaxUses || value->use_empty())
      return false;
    for (User *user : value->users()) {
      // Where an address is used, it is one.
      if (isa<IntToPtrInst, GetElementPtrInst>(user))
        continue;
      auto *inst = dyn_cast<Instruction>(user);
      bool isArithmetic =
          inst &&
          (isa<ExtractElementInst, ShuffleVectorInst, SelectInst>(inst) ||
           match(inst, m_AddLike(m_Value(), m_Value())) ||
           (inst->getOpcode() == Instruction::Shl &&
            inst->getOperand(0) == value) ||
           (inst->getOpcode() == Instruction::Mul &&
            isa<Constant>(inst->getOperand(1))));
      if (!isArithmetic)
        return false;
      open.push_back(inst);
    }
  }
  return true;
}

/// Returns whether `inst` is a disjunction that adds the parts of a position:
/// that of a lane, or those of a lane's elements. A disjunction of fields,
/// which are cut out of words, is none: one instruction does both.
bool isPosition(Instruction &inst) {
  Value *lhs, *rhs;
  if (!match(&inst, m_Or(m_Value(lhs), m_Value(rhs))) ||
      inst.getType()->getScalarSizeInBits() < 32)
    return false;
  auto isLane = [](Value *part) { return getCalleeName(part) == kLaneId; };
  auto isField = [](Value *part) {
    return match(part, m_And(m_Value(), m_Value())) ||
           match(part, m_LShr(m_Value(), m_Value()));
  };
  if (isField(lhs) || isField(rhs) ||
      (!isa<FixedVectorType>(inst.getType()) && !isLane(lhs) && !isLane(rhs)))
    return false;
  // The optimizer may have lost the flag.
  return cast<PossiblyDisjointInst>(inst).isDisjoint() ||
         haveNoCommonBitsSet(lhs, rhs, SimplifyQuery(inst.getDataLayout()));
}

/// Writes positions as sums.
bool addPositions(Function &function) {
  bool hasChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    if (!isPosition(inst))
      continue;
    auto *sum =
        BinaryOperator::CreateAdd(inst.getOperand(0), inst.getOperand(1),
                                  inst.getName(), inst.getIterator());
    sum->setDebugLoc(inst.getDebugLoc());
    inst.replaceAllUsesWith(sum);
    inst.eraseFromParent();
    hasChanged = true;
  }
  return hasChanged;
}

/// Returns the number of 32 bits that is extended to 64 bits with its sign;
/// null for other numbers. If it cannot be negative, zeros may extend it.
Value *getExtended(Value *number) {
  auto *cast = dyn_cast<CastInst>(number);
  bool isSigned = cast && (isa<SExtInst>(cast) ||
                           (isa<ZExtInst>(cast) && cast->hasNonNeg()));
  return isSigned && cast->getType()->getScalarType()->isIntegerTy(64) &&
                 cast->getSrcTy()->getScalarType()->isIntegerTy(32)
             ? cast->getOperand(0)
             : nullptr;
}

/// Describes a part of an address, which is extended to 64 bits if it has less,
/// and then shifted to the left. If `element` is not negative, the part is that
/// element of the value.
struct Part {
  Value *value;
  unsigned shift;
  int element = -1;
};

/// Returns which element of its first operand a shuffle repeats; -1 if it does
/// not, and for other values.
int getRepeated(Value *number) {
  auto *shuffle = dyn_cast<ShuffleVectorInst>(number);
  if (!shuffle)
    return -1;
  int element = getSplatIndex(shuffle->getShuffleMask());
  auto *source = cast<FixedVectorType>(shuffle->getOperand(0)->getType());
  return element < static_cast<int>(source->getNumElements()) ? element : -1;
}

/// Returns whether some part of a sum is a constant, or the same in all
/// elements. Other parts are no easier to add in 64 bits than in 32.
bool hasSharedPart(Value *number) {
  Value *lhs, *rhs;
  return isa<Constant>(number) || getSplatValue(number) ||
         getRepeated(number) >= 0 ||
         (match(number, m_AddLike(m_Value(lhs), m_Value(rhs))) &&
          (hasSharedPart(lhs) || hasSharedPart(rhs)));
}

/// Represents a vector of addresses as a sum.
class AddressSum {
public:
  AddressSum(Instruction &addresses, const Loop *loop)
      : addresses(addresses), loop(loop) {
    collect(&addresses, /*shift=*/0);
  }

  /// Returns whether to write the sum in another order spares instructions.
  bool isGain() const {
    if (hasNarrowSum)
      return true;
    // Two parts become one before the loop.
    unsigned numInvariant = count_if(
        scalars, [&](const Part &part) { return isInvariant(part.value); });
    return loop && numInvariant >= 2 &&
           numInvariant < scalars.size() + vectors.size();
  }

  /// Rewrites the sum, in the place of the addresses.
  void write() const;

private:
  void collect(Value *number, unsigned shift);
  void collectScalar(Value *number, unsigned shift);
  void addConstant(Constant *number, unsigned shift);

  /// Returns whether the loop, if there is one, does not change a part.
  bool isInvariant(Value *part) const {
    return !loop || loop->isLoopInvariant(part);
  }

  Instruction &addresses;
  const Loop *loop;
  /// Holds the parts that are the same in all elements.
  SmallVector<Part> scalars;
  /// Holds the other parts, except for constants.
  SmallVector<Part> vectors;
  Constant *constant = nullptr;
  /// States whether a part that all elements share was added in 32 bits.
  bool hasNarrowSum = false;
};

void AddressSum::addConstant(Constant *number, unsigned shift) {
  IRBuilder<> builder(&addresses);
  Value *wide =
      builder.CreateShl(builder.CreateSExt(number, addresses.getType()), shift);
  constant =
      cast<Constant>(constant ? builder.CreateAdd(constant, wide) : wide);
}

void AddressSum::collect(Value *number, unsigned shift) {
  Value *lhs, *rhs;
  const APInt *amount;
  bool isWide = number->getType()->getScalarType()->isIntegerTy(64);
  if (auto *known = dyn_cast<Constant>(number)) {
    addConstant(known, shift);
  } else if (Value *scalar = getSplatValue(number)) {
    collectScalar(scalar, shift);
  } else if (int element = getRepeated(number); element >= 0) {
    scalars.push_back(
        {cast<Instruction>(number)->getOperand(0), shift, element});
  } else if ((isWide || hasSharedPart(number)) &&
             match(number, m_AddLike(m_Value(lhs), m_Value(rhs)))) {
    hasNarrowSum |= !isWide;
    collect(lhs, shift);
    collect(rhs, shift);
  } else if (isWide ? match(number, m_Shl(m_Value(lhs), m_APInt(amount)))
                    : match(number, m_NSWShl(m_Value(lhs), m_APInt(amount)))) {
    // No sign is lost.
    collect(lhs, shift + amount->getZExtValue());
  } else if (Value *narrow = getExtended(number);
             narrow && isPartOfAddresses(number)) {
    collect(narrow, shift);
  } else {
    vectors.push_back({number, shift});
  }
}

/// Matches a pointer that is one `index` of 64 bits away from another one, in
/// elements of 1 << `shift` bytes.
bool matchRow(Value *number, Value *&pointer, Value *&index, unsigned &shift) {
  auto *conversion = dyn_cast<PtrToIntInst>(number);
  auto *row = conversion
                  ? dyn_cast<GetElementPtrInst>(conversion->getPointerOperand())
                  : nullptr;
  if (!row || row->getNumIndices() != 1)
    return false;
  pointer = row->getPointerOperand();
  index = *row->idx_begin();
  uint64_t size =
      row->getDataLayout().getTypeAllocSize(row->getSourceElementType());
  shift = isPowerOf2_64(size) ? Log2_64(size) : 0;
  return isPowerOf2_64(size) && index->getType()->isIntegerTy(64);
}

/// A pointer to a row that a loop computes is taken apart, as the tensor that
/// it points into may be the same in all iterations.
void AddressSum::collectScalar(Value *number, unsigned shift) {
  Value *lhs, *rhs;
  const APInt *amount;
  unsigned size;
  if (!number->getType()->isIntegerTy(64) || isInvariant(number)) {
    scalars.push_back({number, shift});
  } else if (match(number, m_AddLike(m_Value(lhs), m_Value(rhs)))) {
    collectScalar(lhs, shift);
    collectScalar(rhs, shift);
  } else if (match(number, m_Shl(m_Value(lhs), m_APInt(amount)))) {
    collectScalar(lhs, shift + amount->getZExtValue());
  } else if (Value *narrow = getExtended(number)) {
    collectScalar(narrow, shift);
  } else if (matchRow(number, lhs, rhs, size)) {
    scalars.push_back({lhs, shift});
    collectScalar(rhs, shift + size);
  } else {
    scalars.push_back({number, shift});
  }
}

void AddressSum::write() const {
  IRBuilder<> builder(&addresses);
  auto *type = cast<FixedVectorType>(addresses.getType());
  auto widen = [&](const Part &part, Type *wide) {
    Value *value = part.value;
    if (part.element >= 0)
      value = builder.CreateExtractElement(value, part.element);
    value = value->getType()->isPointerTy()
                ? builder.CreatePtrToInt(value, wide)
                : builder.CreateSExt(value, wide);
    return part.shift ? builder.CreateShl(value, part.shift) : value;
  };
  auto add = [&](Value *sum, Value *part) {
    return sum && part ? builder.CreateAdd(sum, part) : sum ? sum : part;
  };
  // Parts that are invariant in the loop come first, so that their sum is, too.
  // Among the invariant parts, and among the others, bases of 64 bits come
  // last: several addresses may share the sum of the rest.
  Value *shared = nullptr;
  for (bool invariant : {true, false}) {
    Value *sum = nullptr;
    for (bool isBase : {false, true})
      for (const Part &part : scalars)
        if (isBase != part.value->getType()->isIntOrIntVectorTy(32) &&
            isInvariant(part.value) == invariant)
          sum = add(sum, widen(part, type->getElementType()));
    shared = add(shared, sum);
  }
  Value *result =
      shared ? builder.CreateVectorSplat(type->getNumElements(), shared)
             : nullptr;
  for (const Part &part : vectors)
    result = add(result, widen(part, type));
  result = add(result, constant);
  result->takeName(&addresses);
  addresses.replaceAllUsesWith(result);
}

/// Returns whether `inst` is a vector of addresses, and not a part of others
/// alone.
bool isAddresses(Instruction &inst) {
  return isa<FixedVectorType>(inst.getType()) &&
         inst.getType()->getScalarType()->isIntegerTy(64) &&
         (getExtended(&inst) || isa<BinaryOperator>(inst)) &&
         any_of(inst.users(),
                [](User *user) { return !isa<BinaryOperator>(user); }) &&
         isPartOfAddresses(&inst);
}

} // namespace

PreservedAnalyses WidenOffsetsPass::run(Function &function,
                                        FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool hasChanged = addPositions(function);
  SmallVector<WeakTrackingVH> candidates;
  for (Instruction &inst : instructions(function))
    if (isAddresses(inst))
      candidates.push_back(&inst);
  // The last sums are written first, so that each finds its parts unchanged.
  for (WeakTrackingVH &handle : reverse(candidates)) {
    auto *addresses = dyn_cast_or_null<Instruction>(handle);
    if (!addresses)
      continue;
    AddressSum sum(*addresses, loops.getLoopFor(addresses->getParent()));
    if (!sum.isGain())
      continue;
    sum.write();
    RecursivelyDeleteTriviallyDeadInstructions(addresses);
    hasChanged = true;
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
