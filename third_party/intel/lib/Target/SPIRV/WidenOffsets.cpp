//===- WidenOffsets.cpp - Constant distances between addresses ------------===//
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
// loop. Both sides are equal if `x + 64` does not overflow. Offsets do not
// overflow, because no tensor has addresses that are 2^31 elements apart in the
// wrong direction. Masks and other uses of the number keep its value in 32
// bits.
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
           inst->getOpcode() == Instruction::Add ||
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

/// A sum of numbers of 32 bits, by kinds of parts.
struct Parts {
  /// The values that are the same in all elements.
  SmallVector<Value *, 2> scalars;
  /// Others, and constants.
  SmallVector<Value *, 2> vectors;
  Constant *constant = nullptr;
};

/// Adds the parts of `number`.
void addParts(Value *number, Parts &parts) {
  Value *lhs, *rhs;
  if (auto *constant = dyn_cast<Constant>(number); constant && !parts.constant)
    parts.constant = constant;
  else if (Value *scalar = getSplatValue(number))
    parts.scalars.push_back(scalar);
  else if (match(number, m_Add(m_Value(lhs), m_Value(rhs)))) {
    addParts(lhs, parts);
    addParts(rhs, parts);
  } else {
    parts.vectors.push_back(number);
  }
}

/// Writes offsets of one vector.
class OffsetWriter {
public:
  OffsetWriter(CastInst &extension, const Parts &parts)
      : parts(parts), type(cast<FixedVectorType>(extension.getType())),
        builder(&extension) {}

  /// Replaces `offset`, the extension shifted to the left, or, if it is added
  /// to an address that all elements share, the sum.
  void replace(Instruction &offset, unsigned shift) {
    SmallVector<Instruction *> sums;
    for (User *user : offset.users())
      if (Value *base = getBase(*user, offset))
        sums.push_back(cast<Instruction>(user));
    for (Instruction *sum : sums) {
      write(*sum, shift, getBase(*sum, offset));
      sum->eraseFromParent();
    }
    if (!offset.use_empty())
      write(offset, shift, /*base=*/nullptr);
  }

private:
  /// Returns what `user` adds to the offset in all elements; null if it does
  /// not.
  static Value *getBase(User &user, Instruction &offset) {
    Value *other;
    return match(&user, m_c_Add(m_Specific(&offset), m_Value(other))) &&
                   other != &offset && !isa<Constant>(other)
               ? getSplatValue(other)
               : nullptr;
  }

  void write(Instruction &old, unsigned shift, Value *base) {
    builder.SetInsertPoint(&old);
    Value *result = nullptr;
    auto add = [&](Value *part) {
      result = result ? builder.CreateAdd(result, part) : part;
    };
    Value *shared = base;
    for (Value *scalar : parts.scalars) {
      Value *part = builder.CreateShl(
          builder.CreateSExt(scalar, type->getElementType()), shift);
      shared = shared ? builder.CreateAdd(shared, part) : part;
    }
    if (shared)
      add(builder.CreateVectorSplat(type->getNumElements(), shared));
    for (Value *vector : parts.vectors)
      add(builder.CreateShl(builder.CreateSExt(vector, type), shift));
    if (parts.constant)
      add(builder.CreateShl(builder.CreateSExt(parts.constant, type), shift));
    result->takeName(&old);
    old.replaceAllUsesWith(result);
  }

  const Parts &parts;
  FixedVectorType *type;
  IRBuilder<> builder;
};

} // namespace

PreservedAnalyses WidenOffsetsPass::run(Function &function,
                                        FunctionAnalysisManager &) {
  SmallVector<CastInst *> extensions;
  for (Instruction &inst : instructions(function)) {
    // The sign of what cannot be negative may have become a zero.
    bool isExtension =
        isa<SExtInst>(inst) || (isa<ZExtInst>(inst) && inst.hasNonNeg());
    if (isExtension && isa<FixedVectorType>(inst.getType()) &&
        inst.getType()->getScalarType()->isIntegerTy(64) &&
        inst.getOperand(0)->getType()->getScalarType()->isIntegerTy(32) &&
        match(inst.getOperand(0), m_Add(m_Value(), m_Value())) &&
        isPartOfAddresses(&inst))
      extensions.push_back(cast<CastInst>(&inst));
  }
  bool hasChanged = false;
  for (CastInst *extension : extensions) {
    Parts parts;
    addParts(extension->getOperand(0), parts);
    // Vectors alone are no easier to add in 64 bits.
    if (!parts.constant && parts.scalars.empty())
      continue;
    hasChanged = true;
    OffsetWriter writer(*extension, parts);
    SmallVector<std::pair<Instruction *, unsigned>> shifted;
    for (User *user : extension->users()) {
      const APInt *shift;
      if (match(user, m_Shl(m_Specific(extension), m_APInt(shift))))
        shifted.emplace_back(cast<Instruction>(user), shift->getZExtValue());
    }
    for (auto [offset, shift] : shifted)
      writer.replace(*offset, shift);
    writer.replace(*extension, /*shift=*/0);
  }
  return hasChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton_xe::spirv
