//===- KeepDivisions.cpp - Keep divisions in f64 --------------------------===//
// SPDX-License-Identifier: MIT
//
// The quotient of two f32, computed in f64 and rounded to f32, is the correctly
// rounded quotient (Figueroa, "When is double rounding innocuous?", 1995). LLVM
// knows this and divides in f32 instead, and so do device compilers that are
// based on it. But OpenCL's division of f32 may be off by 2.5 units in the last
// place, and is on GPUs. If the quotient is multiplied by a power of two before
// it is rounded, LLVM does not recognize it; another power of two before
// the division compensates. Neither product rounds, because f64 has a larger
// range of exponents than f32.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// Returns whether this f64 (or each of a vector) comes from an f32, or could.
bool isSingle(Value *value) {
  if (auto *extension = dyn_cast<FPExtInst>(value))
    return extension->getSrcTy()->getScalarSizeInBits() <= 32;
  auto *constant = dyn_cast<Constant>(value);
  if (!constant)
    return false;
  auto isExact = [](Constant *element) {
    auto *number = dyn_cast_or_null<ConstantFP>(element);
    if (!number)
      return false;
    APFloat single = number->getValueAPF();
    bool losesInfo = false;
    single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
    return !losesInfo;
  };
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  if (!vector)
    return isExact(constant);
  return llvm::all_of(llvm::seq(vector->getNumElements()), [&](unsigned i) {
    return isExact(constant->getAggregateElement(i));
  });
}

/// Returns whether LLVM would divide in f32.
bool isAtRisk(Instruction &inst) {
  return inst.getOpcode() == Instruction::FDiv &&
         inst.getType()->getScalarType()->isDoubleTy() &&
         isSingle(inst.getOperand(0)) && isSingle(inst.getOperand(1)) &&
         llvm::any_of(inst.users(),
                      [](User *user) { return isa<FPTruncInst>(user); });
}

} // namespace

PreservedAnalyses KeepDivisionsPass::run(Function &function,
                                         FunctionAnalysisManager &) {
  SmallVector<Instruction *> quotients;
  for (Instruction &inst : instructions(function))
    if (isAtRisk(inst))
      quotients.push_back(&inst);
  for (Instruction *quotient : quotients) {
    IRBuilder<> builder(quotient);
    Type *type = quotient->getType();
    Value *scaled = builder.CreateFMul(quotient->getOperand(0),
                                       ConstantFP::get(type, 0x1p64));
    Value *divided = builder.CreateFDiv(scaled, quotient->getOperand(1));
    Value *result = builder.CreateFMul(divided, ConstantFP::get(type, 0x1p-64));
    result->takeName(quotient);
    quotient->replaceAllUsesWith(result);
    quotient->eraseFromParent();
  }
  if (quotients.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace triton::intel::spirv
