//===- LaneElements.cpp - Elements of vectors and structures --------------===//
// SPDX-License-Identifier: MIT

#include "LaneElements.h"

#include "LaneRows.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace triton_xe::cpu {

/// An element of a vector is a leaf, hence no code, unless the index is a
/// value.
void LaneElements::emitExtractElement(ExtractElementInst &inst) {
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
void LaneElements::emitInsertElement(InsertElementInst &inst) {
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
void LaneElements::emitShuffleVector(ShuffleVectorInst &inst) {
  unsigned width = getNumLeaves(inst.getOperand(0)->getType());
  for (auto [leaf, element] : enumerate(inst.getShuffleMask()))
    if (element >= 0)
      addresses.copyLeaf(&inst, leaf,
                         inst.getOperand(unsigned(element) / width),
                         unsigned(element) % width);
}

void LaneElements::emitExtractValue(ExtractValueInst &inst) {
  Value *aggregate = inst.getAggregateOperand();
  unsigned first = getFirstLeaf(aggregate->getType(), inst.getIndices());
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf)
    addresses.copyLeaf(&inst, leaf, aggregate, first + leaf);
}

void LaneElements::emitInsertValue(InsertValueInst &inst) {
  Value *part = inst.getInsertedValueOperand();
  unsigned first = getFirstLeaf(inst.getType(), inst.getIndices());
  unsigned count = getNumLeaves(part->getType());
  // Unsigned: leaves ahead of the part are beyond its length, too.
  for (unsigned leaf = 0; leaf < getNumLeaves(inst.getType()); ++leaf)
    leaf - first < count
        ? addresses.copyLeaf(&inst, leaf, part, leaf - first)
        : addresses.copyLeaf(&inst, leaf, inst.getAggregateOperand(), leaf);
}

/// A bitcast that changes the number of elements of a vector.
void LaneElements::emitBitcast(BitCastInst &inst) {
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

} // namespace triton_xe::cpu
