//===- TypeSharedBlocks.cpp - Pointers of blocks in shared memory ---------===//
// SPDX-License-Identifier: MIT
//
// LLVM's SPIR-V backend makes an instruction of a function that moves registers
// from or to consecutive shared memory. It takes the type that a pointer points
// to from the operand. For a global variable that is the variable's type, and
// the driver has no instruction for pointers to arrays of bytes. So such an
// operand is computed from the variable, as a pointer to elements.
//
//===----------------------------------------------------------------------===//

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace triton::intel::spirv {

PreservedAnalyses TypeSharedBlocksPass::run(Function &function,
                                            FunctionAnalysisManager &) {
  bool isChanged = false;
  for (Instruction &inst : instructions(function)) {
    if (!getCalleeName(&inst).contains("intel_sub_group_block_"))
      continue;
    auto &call = cast<CallInst>(inst);
    auto *constant = dyn_cast<Constant>(call.getArgOperand(0));
    if (!constant)
      continue;
    Type *type = call.getType()->isVoidTy() ? call.getArgOperand(1)->getType()
                                            : call.getType();
    IRBuilder<> builder(&call);
    // A method of the builder would return the constant.
    call.setArgOperand(
        0, builder.Insert(GetElementPtrInst::Create(
               type->getScalarType(), constant, {builder.getInt32(0)})));
    isChanged = true;
  }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace triton::intel::spirv
