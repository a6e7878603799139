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
      debug(context, values), builder(context.builder) {}

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

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Emits what stands for `inst`, whose operands are emitted.
Error LaneVectorizer::emit(Instruction &inst) {
  debug.emitRecords(inst);
  builder.SetCurrentDebugLocation(inst.getDebugLoc());
  // Scratch memory of the instruction before is free again.
  context.freeScratch();
  if (Error error = emitInstruction(inst))
    return error;
  debug.recordUnguarded(inst);
  values.moveHome(inst);
  return Error::success();
}

/// Each opcode to the function that knows it. Whatever is not here is refused
/// by name: a guess would be a wrong result.
Error LaneVectorizer::emitInstruction(Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Alloca:
    return privateMemory.emitAlloca(cast<AllocaInst>(inst));
  case Instruction::Load:
    return memory.emitLoad(cast<LoadInst>(inst));
  case Instruction::Store:
    return memory.emitStore(cast<StoreInst>(inst));
  case Instruction::Call:
    return calls.emit(cast<CallInst>(inst));
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return memory.emitAtomic(inst);
  case Instruction::Fence:
    builder.CreateFence(cast<FenceInst>(inst).getOrdering());
    return Error::success();
  case Instruction::GetElementPtr:
    addresses.emitGEP(cast<GetElementPtrInst>(inst));
    return Error::success();
  case Instruction::ExtractElement:
    elements.emitExtractElement(cast<ExtractElementInst>(inst));
    return Error::success();
  case Instruction::InsertElement:
    elements.emitInsertElement(cast<InsertElementInst>(inst));
    return Error::success();
  case Instruction::ShuffleVector:
    elements.emitShuffleVector(cast<ShuffleVectorInst>(inst));
    return Error::success();
  case Instruction::ExtractValue:
    elements.emitExtractValue(cast<ExtractValueInst>(inst));
    return Error::success();
  case Instruction::InsertValue:
    elements.emitInsertValue(cast<InsertValueInst>(inst));
    return Error::success();
  case Instruction::BitCast:
    // A cast that keeps the number of elements is elementwise; the others
    // regroup bits within a lane.
    if (getNumLeaves(inst.getType()) !=
        getNumLeaves(inst.getOperand(0)->getType())) {
      elements.emitBitcast(cast<BitCastInst>(inst));
      return Error::success();
    }
    break;
  default:
    break;
  }
  if (!isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
           FreezeInst>(inst))
    return context.fail(inst, "the CPU's code generator does not know `" +
                                  Twine(inst.getOpcodeName()) + "`");
  arithmetic.emit(inst);
  return Error::success();
}

} // namespace triton_xe::cpu
