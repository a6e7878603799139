//===- ExtendAssembly.cpp - Results of assembly as numbers of 64 bits -----===//
// SPDX-License-Identifier: MIT
//
// LLVM's SPIR-V backend keeps the result of assembly in a register of 64 bits,
// and its combiner takes the zero extension of the result for an AND of that
// register. The operand of the AND then has 32 bits, and its result 64, which
// is no valid SPIR-V (seen: LLVM 22): IGC computes 32 bits. Here the words of
// the extended number become a vector, which the combiner leaves alone.
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

/// Returns the number that is extended to 64 bits with zeros; null if the
/// instruction does not do so. It may be extended by its sign after that.
Value *getExtended(Instruction &inst) {
  if (!inst.getType()->isIntegerTy(64) || !isa<ZExtInst, SExtInst>(inst))
    return nullptr;
  Value *number = inst.getOperand(0);
  if (isa<ZExtInst>(inst) || isa<ZExtInst>(number))
    return number;
  return nullptr;
}

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

} // namespace

PreservedAnalyses ExtendAssemblyPass::run(Function &function,
                                          FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    Value *number = getExtended(inst);
    if (!number || !isAssembly(number))
      continue;
    IRBuilder<> builder(&inst);
    Value *words = ConstantAggregateZero::get(
        FixedVectorType::get(builder.getInt32Ty(), 2));
    words = builder.CreateInsertElement(
        words, builder.CreateZExt(number, builder.getInt32Ty()), uint64_t(0));
    inst.replaceAllUsesWith(builder.CreateBitCast(words, inst.getType()));
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
