//===- LaneVectorizer.cpp - From code of a lane to code of a sub-group ----===//
// SPDX-License-Identifier: MIT
//
// Values and arithmetic. Control flow, memory and calls are in files of their
// own.
//
//===----------------------------------------------------------------------===//

#include "LaneVectorizer.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace triton_xe::cpu {

LaneVectorizer::LaneVectorizer(LaneShapes &shapes, Function &source,
                               Function &target, const FunctionMap &functions,
                               VectorTarget vectorTarget)
    : context(shapes, source, target, std::move(vectorTarget)), values(context),
      math(context, values), addresses(context, values),
      arithmetic(context, values, math, addresses), functions(functions),
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

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

/// Emits what stands for `inst`, whose operands are emitted.
Error LaneVectorizer::emit(Instruction &inst) {
  emitDebugRecords(inst);
  builder.SetCurrentDebugLocation(inst.getDebugLoc());
  // Scratch memory of the instruction before is free again.
  context.freeScratch();
  if (Error error = emitInstruction(inst))
    return error;
  recordUnguarded(inst);
  values.moveHome(inst);
  return Error::success();
}

/// Each opcode to the function that knows it. Whatever is not here is refused
/// by name: a guess would be a wrong result.
Error LaneVectorizer::emitInstruction(Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::Alloca:
    return emitAlloca(cast<AllocaInst>(inst));
  case Instruction::Load:
    return emitLoad(cast<LoadInst>(inst));
  case Instruction::Store:
    return emitStore(cast<StoreInst>(inst));
  case Instruction::Call:
    return emitCall(cast<CallInst>(inst));
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return emitAtomic(inst);
  case Instruction::Fence:
    builder.CreateFence(cast<FenceInst>(inst).getOrdering());
    return Error::success();
  case Instruction::GetElementPtr:
    addresses.emitGEP(cast<GetElementPtrInst>(inst));
    return Error::success();
  case Instruction::ExtractElement:
    emitExtractElement(cast<ExtractElementInst>(inst));
    return Error::success();
  case Instruction::InsertElement:
    emitInsertElement(cast<InsertElementInst>(inst));
    return Error::success();
  case Instruction::ShuffleVector:
    emitShuffleVector(cast<ShuffleVectorInst>(inst));
    return Error::success();
  // Aggregates are split into leaves: parts move without code.
  case Instruction::ExtractValue: {
    auto &extract = cast<ExtractValueInst>(inst);
    Value *aggregate = extract.getAggregateOperand();
    unsigned first = getFirstLeaf(aggregate->getType(), extract.getIndices());
    for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf)
      addresses.copyLeaf(&inst, leaf, aggregate, first + leaf);
    return Error::success();
  }
  case Instruction::InsertValue: {
    auto &insert = cast<InsertValueInst>(inst);
    Value *part = insert.getInsertedValueOperand();
    unsigned first = getFirstLeaf(inst.getType(), insert.getIndices());
    unsigned count = getNumLeaves(part->getType());
    // Unsigned: leaves ahead of the part are beyond its length, too.
    for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf)
      leaf - first < count
          ? addresses.copyLeaf(&inst, leaf, part, leaf - first)
          : addresses.copyLeaf(&inst, leaf, insert.getAggregateOperand(), leaf);
    return Error::success();
  }
  case Instruction::BitCast:
    // A cast that keeps the number of elements is elementwise; the others
    // regroup bits within a lane.
    if (getNumLeaves(inst.getType()) !=
        getNumLeaves(inst.getOperand(0)->getType())) {
      emitBitcast(inst);
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

//===----------------------------------------------------------------------===//
// Elements of vectors
//===----------------------------------------------------------------------===//

/// A bitcast that changes the number of elements of a vector.
void LaneVectorizer::emitBitcast(Instruction &inst) {
  Value *operand = inst.getOperand(0);
  if (context.getShape(&inst).isUnknown())
    return;
  Type *type = inst.getType();
  if (context.getShape(&inst).isVarying())
    return values.setRows(
        inst, castRows(context, values.getRows(operand), getLeafType(type, 0)));
  Value *cast = builder.CreateBitCast(values.getUniformVector(operand), type);
  if (!type->isVectorTy())
    return values.setLeaf(&inst, 0, cast);
  for (unsigned leaf = 0; leaf < getNumLeaves(type); ++leaf)
    values.setLeaf(&inst, leaf, builder.CreateExtractElement(cast, leaf));
}

/// An element of a vector is a leaf, hence no code, unless the index is a
/// value.
void LaneVectorizer::emitExtractElement(ExtractElementInst &inst) {
  Value *vector = inst.getVectorOperand();
  Value *index = inst.getIndexOperand();
  unsigned count = getNumLeaves(vector->getType());
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    // An index out of range gives poison: nothing to record.
    if (constant->getValue().ult(count))
      addresses.copyLeaf(&inst, 0, vector, constant->getZExtValue());
    return;
  }
  if (context.getShape(&inst).isUnknown())
    return;
  // An index that only the launch knows: a chain of selects, since rows are not
  // in memory.
  bool isVarying = context.getShape(&inst).isVarying();
  auto get = [&](Value *value, unsigned leaf) {
    return isVarying ? values.getRow(value, leaf) : values.getBase(value, leaf);
  };
  // It starts with element 0, so that an index out of range reads something.
  Value *place = get(index, 0);
  Value *result = get(vector, 0);
  for (unsigned leaf = 1; leaf < count; ++leaf)
    result = builder.CreateSelect(
        builder.CreateICmpEQ(place, ConstantInt::get(place->getType(), leaf)),
        get(vector, leaf), result);
  values.setLeaf(&inst, 0, result);
}

/// As emitExtractElement: other leaves than the one that is set are copied.
void LaneVectorizer::emitInsertElement(InsertElementInst &inst) {
  Value *vector = inst.getOperand(0), *element = inst.getOperand(1);
  Value *index = inst.getOperand(2);
  auto *constant = dyn_cast<ConstantInt>(index);
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf) {
    // Without code.
    if (constant) {
      constant->getValue() == leaf
          ? addresses.copyLeaf(&inst, leaf, element, 0)
          : addresses.copyLeaf(&inst, leaf, vector, leaf);
      continue;
    }
    LaneShape shape = context.getShape(&inst, leaf);
    if (shape.isUnknown())
      continue;
    auto get = [&](Value *value, unsigned part) {
      return shape.isVarying() ? values.getRow(value, part)
                               : values.getBase(value, part);
    };
    // Any leaf may be the one: a select for each.
    Value *place = get(index, 0);
    values.setLeaf(&inst, leaf,
                   builder.CreateSelect(
                       builder.CreateICmpEQ(
                           place, ConstantInt::get(place->getType(), leaf)),
                       get(element, 0), get(vector, leaf)));
  }
}

/// Elements move within a lane: leaves are renamed. Elements that are undefined
/// get no leaf.
void LaneVectorizer::emitShuffleVector(ShuffleVectorInst &inst) {
  unsigned width = getNumLeaves(inst.getOperand(0)->getType());
  for (auto [leaf, element] : enumerate(inst.getShuffleMask()))
    if (element >= 0)
      addresses.copyLeaf(&inst, leaf,
                         inst.getOperand(unsigned(element) / width),
                         unsigned(element) % width);
}

} // namespace triton_xe::cpu
