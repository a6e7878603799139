//===- SaturateConversions.cpp --------------------------------------------===//
//
// A float that an integer cannot hold, and NaN, converts to anything: LLVM's
// fptosi and fptoui give poison, SPIR-V calls the result undefined, and two
// instruction sets of one compiler do differ (an f32 below zero as an unsigned
// integer is 0 for AVX2 and 2^32 - 1 for AVX-512). The saturating conversion
// says what comes out on every device: the nearest integer of the type. A GPU
// has it as a modifier of the same instruction. That NaN becomes 0 is advice in
// OpenCL, not a promise, and the CPU runtime does not follow it for unsigned
// integers of 32 bits; hence 0 is what goes into the conversion.
//
// It stands in front of the optimizer, which takes poison at its word.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton_xe::spirv {

PreservedAnalyses SaturateConversionsPass::run(Function &function,
                                               FunctionAnalysisManager &) {
  SmallVector<CastInst *> conversions;
  for (Instruction &inst : instructions(function))
    if (isa<FPToSIInst, FPToUIInst>(inst))
      conversions.push_back(cast<CastInst>(&inst));
  for (CastInst *inst : conversions) {
    IRBuilder<> builder(inst);
    Value *number = inst->getOperand(0);
    Value *isNumber = builder.CreateFCmpORD(number, number);
    number = builder.CreateSelect(isNumber, number,
                                  Constant::getNullValue(number->getType()));
    Value *saturated = builder.CreateIntrinsic(
        isa<FPToSIInst>(inst) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat,
        {inst->getDestTy(), inst->getSrcTy()}, {number});
    saturated->takeName(inst);
    inst->replaceAllUsesWith(saturated);
    inst->eraseFromParent();
  }
  return conversions.empty() ? PreservedAnalyses::all()
                             : PreservedAnalyses::none();
}

} // namespace triton_xe::spirv
