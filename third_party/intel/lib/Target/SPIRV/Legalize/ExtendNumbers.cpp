//===- ExtendNumbers.cpp - Extensions that LLVM's combiner keeps ----------===//
// SPDX-License-Identifier: MIT
//
// The combiner of LLVM's SPIR-V backend takes the zero extension of some values
// for an AND of a wider one (seen: LLVM 22). Two of these do not work:
//
// The backend keeps the result of assembly in a register of 64 bits. The AND
// has this register as an operand, whose type in SPIR-V has 32 bits, and 64
// bits as its result: IGC computes 32 bits. Here the words of the extended
// number become a vector, which the combiner leaves alone.
//
// For a vector that was truncated, or extended by its sign, no instruction is
// selected for the AND. Here the AND is in the IR, where it is selected.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether a number is the result of assembly, an integer, as it is or
/// extended before.
bool isAssembly(Value *number) {
  while (auto *cast = dyn_cast<CastInst>(number)) {
    if (!isa<BitCastInst, ZExtInst, SExtInst>(cast) ||
        cast->getType()->isVectorTy())
      return false;
    number = cast->getOperand(0);
  }
  auto *call = dyn_cast<CallInst>(number);
  return call && call->isInlineAsm() && call->getType()->isIntegerTy();
}

/// Returns the result of assembly that an instruction extends to 64 bits, as
/// words of 32 bits; null for others. It may have been extended with zeros to
/// fewer bits before.
Value *extendAssembly(IRBuilder<> &builder, Instruction &inst) {
  if (!inst.getType()->isIntegerTy(64) || !isa<ZExtInst, SExtInst>(inst))
    return nullptr;
  Value *number = inst.getOperand(0);
  if ((!isa<ZExtInst>(inst) && !isa<ZExtInst>(number)) || !isAssembly(number))
    return nullptr;
  Value *words =
      ConstantAggregateZero::get(FixedVectorType::get(builder.getInt32Ty(), 2));
  words = builder.CreateInsertElement(
      words, builder.CreateZExt(number, builder.getInt32Ty()), uint64_t(0));
  return builder.CreateBitCast(words, inst.getType());
}

/// Returns a vector that is extended with zeros after it was truncated or
/// extended by its sign; null for others.
Value *extendVector(IRBuilder<> &builder, Instruction &inst) {
  if (!inst.getType()->isVectorTy() || !isa<ZExtInst>(inst) ||
      !isa<TruncInst, SExtInst>(inst.getOperand(0)))
    return nullptr;
  auto *number = cast<CastInst>(inst.getOperand(0));
  Value *source = number->getOperand(0);
  auto getBits = [](Value *value) {
    return value->getType()->getScalarSizeInBits();
  };
  auto keepBits = [&](Value *value) {
    APInt bits = APInt::getLowBitsSet(getBits(value), getBits(number));
    return builder.CreateAnd(value, ConstantInt::get(value->getType(), bits));
  };
  if (isa<SExtInst>(number))
    return keepBits(builder.CreateSExt(source, inst.getType()));
  return getBits(source) < getBits(&inst)
             ? builder.CreateZExt(keepBits(source), inst.getType())
             : keepBits(builder.CreateTrunc(source, inst.getType()));
}

} // namespace

PreservedAnalyses ExtendNumbersPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    IRBuilder<> builder(&inst);
    Value *extended = extendAssembly(builder, inst);
    if (!extended)
      extended = extendVector(builder, inst);
    if (!extended)
      continue;
    inst.replaceAllUsesWith(extended);
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
