//===- ScalarizeBooleans.cpp - Differences of flags, one by one -----------===//
//
// The device compiler of 2022 (IGC 1.0.12504, Debian 12) aborts on vectors of
// booleans that are compared with others or chosen between, as sorts do it:
// OpLogicalNotEqual of vectors, or what its own optimizer makes one of. It
// takes all vectors apart in the end, so nothing is lost by elements.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace triton_xe::spirv {
namespace {

bool isBoolVector(Value *value) {
  Type *type = value->getType();
  return isa<FixedVectorType>(type) && type->isIntOrIntVectorTy(1);
}

/// Negations, and what two flags have in common, are no differences.
bool isDifference(Instruction &inst) {
  if (inst.getOpcode() == Instruction::Xor)
    return isBoolVector(&inst) && !match(&inst, m_Not(m_Value()));
  return (isa<SelectInst>(inst) && isBoolVector(&inst)) ||
         (isa<ICmpInst>(inst) && isBoolVector(inst.getOperand(0)));
}

} // namespace

PreservedAnalyses ScalarizeBooleansPass::run(Function &function,
                                             FunctionAnalysisManager &) {
  SmallVector<Instruction *> differences;
  for (Instruction &inst : instructions(function))
    if (isDifference(inst))
      differences.push_back(&inst);
  for (Instruction *inst : differences) {
    IRBuilder<> builder(inst);
    unsigned count = cast<FixedVectorType>(inst->getType())->getNumElements();
    Value *result = PoisonValue::get(inst->getType());
    for (unsigned index = 0; index < count; ++index) {
      auto getElement = [&](Value *vector) {
        return vector->getType()->isVectorTy()
                   ? builder.CreateExtractElement(vector, index)
                   : vector;
      };
      Value *first = getElement(inst->getOperand(0));
      Value *second = getElement(inst->getOperand(1));
      Value *element;
      if (auto *compare = dyn_cast<ICmpInst>(inst))
        element = builder.CreateICmp(compare->getPredicate(), first, second);
      else if (isa<SelectInst>(inst))
        element = builder.CreateSelect(first, second,
                                       getElement(inst->getOperand(2)));
      else
        element = builder.CreateXor(first, second);
      result = builder.CreateInsertElement(result, element, index);
    }
    inst->replaceAllUsesWith(result);
    inst->eraseFromParent();
  }
  if (differences.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton_xe::spirv
