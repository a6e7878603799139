//===- ExpandSharedBlocks.cpp - Whole registers in shared memory ----------===//
// SPDX-License-Identifier: MIT
//
// A block function moves registers of all lanes from or to consecutive memory:
// element i of lane l is i times the number of lanes, plus l, past the pointer.
// GPUs have messages for that. Other devices get ordinary accesses of each
// lane: on the CPU device these are checked as all others are, and become
// accesses of whole rows again.
//
//===----------------------------------------------------------------------===//

#include "../GroupSizes.h"

#include "intel/Target/SPIRV/Passes.h"

#include "../Calls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace triton::intel::spirv {
namespace {

/// The function with the number of a lane, as lowerings call it.

/// Replaces one call, which has a result if it reads.
void expand(CallInst &call, unsigned numLanes) {
  IRBuilder<> builder(&call);
  bool isRead = !call.getType()->isVoidTy();
  Value *value = isRead ? nullptr : call.getArgOperand(1);
  Type *type = isRead ? call.getType() : value->getType();
  auto *vector = dyn_cast<FixedVectorType>(type);
  Type *element = type->getScalarType();
  unsigned bytes = element->getPrimitiveSizeInBits() / 8;

  CallInst *lane = callBuiltin(builder, kLaneId, builder.getInt32Ty(), {});
  Value *own = builder.CreateGEP(element, call.getArgOperand(0), lane);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < (vector ? vector->getNumElements() : 1); ++i) {
    Value *place = builder.CreateConstGEP1_32(element, own, i * numLanes);
    if (isRead) {
      Value *loaded = builder.CreateAlignedLoad(element, place, Align(bytes));
      result = vector ? builder.CreateInsertElement(result, loaded, i) : loaded;
    } else {
      Value *stored = vector ? builder.CreateExtractElement(value, i) : value;
      builder.CreateAlignedStore(stored, place, Align(bytes));
    }
  }
  if (isRead)
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

/// Returns the number of lanes of the kernels of a module, which is the same
/// for all of them; 0 if there is none.
unsigned getNumLanes(const Module &module) {
  for (const Function &function : module)
    if (unsigned lanes = getSubGroupSize(function))
      return lanes;
  return 0;
}

} // namespace

PreservedAnalyses ExpandSharedBlocksPass::run(Module &module,
                                              ModuleAnalysisManager &) {
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    if (function.getName().contains("intel_sub_group_block_"))
      for (User *user : function.users())
        if (auto *call = dyn_cast<CallInst>(user);
            call && call->getCalledOperand() == &function)
          calls.push_back(call);
  if (calls.empty())
    return PreservedAnalyses::all();
  unsigned numLanes = getNumLanes(module);
  for (CallInst *call : calls)
    expand(*call, numLanes);
  return PreservedAnalyses::none();
}

} // namespace triton::intel::spirv
