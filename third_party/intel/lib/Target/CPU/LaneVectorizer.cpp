//===- LaneVectorizer.cpp - From code of a lane to code of a sub-group ----===//
// SPDX-License-Identifier: MIT

#include "LaneVectorizer.h"

#include "LaneAddresses.h"
#include "LaneArithmetic.h"
#include "LaneCalls.h"
#include "LaneChecks.h"
#include "LaneControlFlow.h"
#include "LaneDebug.h"
#include "LaneElements.h"
#include "LaneInstructions.h"
#include "LaneInterleave.h"
#include "LaneMath.h"
#include "LaneMatrices.h"
#include "LaneMemory.h"
#include "LanePrivateMemory.h"
#include "LaneValues.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Loads the arguments of a kernel, and takes those of other functions.
static void emitParameters(LaneContext &context, LaneValues &values) {
  IRBuilder<> &builder = context.builder;
  bool isKernel = context.source.getCallingConv() == CallingConv::SPIR_KERNEL;
  auto *argument = context.target.arg_begin();
  // As intel/ABI/CPUKernel.h has it: a kernel gets slots with its arguments,
  // then the state. Other functions get state, mask if they have one, and
  // scalar elements.
  Value *slots = isKernel ? &*argument++ : nullptr;
  context.state = &*argument++;
  if (context.target.hasFnAttribute(kMaskedAttribute)) {
    Type *maskType =
        FixedVectorType::get(builder.getInt1Ty(), context.numLanes);
    context.functionMask =
        builder.CreateBitCast(&*argument++, maskType, "mask");
  }
  for (Argument &old : context.source.args()) {
    Type *type = old.getType();
    if (isKernel) {
      // Every argument has a slot of 8 bytes, whatever its size.
      Value *slot = builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), slots, 8 * old.getArgNo());
      Type *scalar = context.convertType(type);
      // A truth value is a byte in its slot.
      Type *stored = scalar->isIntegerTy(1) ? builder.getInt8Ty() : scalar;
      Value *loaded = builder.CreateAlignedLoad(stored, slot, Align(8));
      if (stored != scalar)
        loaded = builder.CreateICmpNE(loaded, Constant::getNullValue(stored));
      values.setElement(&old, 0, loaded);
      continue;
    }
    for (unsigned element = 0; element < getNumScalars(type); ++element)
      values.setElement(&old, element, &*argument++);
  }
}

Error vectorizeFunction(LaneDivergence &shapes, Function &source,
                        Function &target, const FunctionMap &functions,
                        VectorTarget vectorTarget) {
  LaneContext context(shapes, source, target, std::move(vectorTarget));
  // Each after those that it calls.
  LaneValues values(context);
  LaneMath math(context, values);
  LaneAddresses addresses(context, values);
  LaneArithmetic arithmetic(context, values, math, addresses);
  LaneElements elements(context, values, addresses);
  LaneInterleave interleaving(context, arithmetic);
  LaneChecks checks(context, values);
  LanePrivateMemory privateMemory(context, values);
  LaneMemory memory(context, values, addresses, interleaving, privateMemory,
                    checks);
  LaneMatrices matrices(context, values, privateMemory, checks);
  LaneCalls calls(context, functions, values, math, matrices, checks);
  LaneDebug debug(context, values);
  LaneInstructions instructions(context, values, arithmetic, elements,
                                addresses, privateMemory, memory, calls, debug);
  LaneControlFlow controlFlow(context, values, instructions, checks, debug);
  emitParameters(context, values);
  return controlFlow.run();
}

} // namespace triton::intel::cpu
