//===- LaneVectorizer.cpp - From code of a lane to code of a sub-group ----===//
// SPDX-License-Identifier: MIT
//
// Values and arithmetic. Control flow, memory and calls are in files of their
// own.
//
//===----------------------------------------------------------------------===//

#include "LaneVectorizer.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace triton_xe::cpu {

LaneVectorizer::LaneVectorizer(LaneShapes &shapes, Function &source,
                               Function &target, const FunctionMap &functions,
                               VectorTarget vectorTarget)
    : context(shapes, source, target, std::move(vectorTarget)), values(context),
      math(context, values), addresses(context, values),
      arithmetic(context, values, math, addresses),
      elements(context, values, addresses), interleaving(context, arithmetic),
      checks(context, values), privateMemory(context, values),
      memory(context, values, addresses, interleaving, privateMemory, checks),
      matrices(context, values, privateMemory, checks),
      calls(context, functions, values, math, matrices, checks),
      debug(context, values),
      instructions(context, values, arithmetic, elements, addresses,
                   privateMemory, memory, calls, debug),
      builder(context.builder) {}

/// Order matters: parameters first, then the blocks, which may add loads of the
/// state to the entry block; its branch is written last, behind them.
Error LaneVectorizer::run() {
  bool isKernel = context.source.getCallingConv() == CallingConv::SPIR_KERNEL;
  auto *argument = context.target.arg_begin();
  // As intel/ABI/CPUKernel.h has it: a kernel gets slots with its arguments,
  // then the state. Other functions get state, mask if they have one, and
  // leaves.
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
      values.setLeaf(&old, 0, loaded);
      continue;
    }
    for (unsigned leaf = 0; leaf < getNumLeaves(type); ++leaf)
      values.setLeaf(&old, leaf, &*argument++);
  }
  context.mask = context.functionMask;
  if (Error error = emitUniformBlocks())
    return error;
  // Phis of uniform blocks may use what is emitted behind them.
  completeUniformPhis();
  builder.SetInsertPoint(context.entryBlock);
  builder.SetCurrentDebugLocation(DebugLoc());
  builder.CreateBr(firstBlocks.lookup(&context.source.getEntryBlock()));
  return Error::success();
}

} // namespace triton_xe::cpu
