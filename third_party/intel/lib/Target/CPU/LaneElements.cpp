//===- LaneElements.cpp - Elements of vectors and structures --------------===//
// SPDX-License-Identifier: MIT

#include "LaneElements.h"

#include "LaneRows.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace triton::intel::cpu {

/// An element of a vector is known, hence needs no code, unless the index is a
/// value.
void LaneElements::emitExtractElement(ExtractElementInst &inst) {
  Value *vector = inst.getVectorOperand();
  Value *index = inst.getIndexOperand();
  unsigned count = getNumScalars(vector->getType());
  if (auto *constant = dyn_cast<ConstantInt>(index)) {
    // An index out of range gives poison: nothing to record.
    if (constant->getValue().ult(count))
      addresses.copyElement(&inst, 0, vector, constant->getZExtValue());
    return;
  }
  if (context.getShape(&inst).isUnknown())
    return;
  // An index that only the launch knows: a chain of selects, since rows are not
  // in memory.
  bool isVarying = context.getShape(&inst).isVarying();
  auto get = [&](Value *value, unsigned element) {
    return isVarying ? values.getRow(value, element)
                     : values.getBase(value, element);
  };
  // It starts with element 0, so that an index out of range reads something.
  Value *place = get(index, 0);
  Value *result = get(vector, 0);
  for (unsigned element = 1; element < count; ++element)
    result = builder.CreateSelect(
        builder.CreateICmpEQ(place,
                             ConstantInt::get(place->getType(), element)),
        get(vector, element), result);
  values.setElement(&inst, 0, result);
}

/// Copies all elements except the one that is set.
void LaneElements::emitInsertElement(InsertElementInst &inst) {
  Value *vector = inst.getOperand(0), *inserted = inst.getOperand(1);
  Value *index = inst.getOperand(2);
  auto *constant = dyn_cast<ConstantInt>(index);
  for (unsigned element = 0; element < getNumScalars(inst.getType());
       ++element) {
    // Without code.
    if (constant) {
      constant->getValue() == element
          ? addresses.copyElement(&inst, element, inserted, 0)
          : addresses.copyElement(&inst, element, vector, element);
      continue;
    }
    LaneShape shape = context.getShape(&inst, element);
    if (shape.isUnknown())
      continue;
    auto get = [&](Value *value, unsigned part) {
      return shape.isVarying() ? values.getRow(value, part)
                               : values.getBase(value, part);
    };
    // Any element may be the one: a select for each.
    Value *place = get(index, 0);
    values.setElement(
        &inst, element,
        builder.CreateSelect(
            builder.CreateICmpEQ(place,
                                 ConstantInt::get(place->getType(), element)),
            get(inserted, 0), get(vector, element)));
  }
}

/// Elements move within a lane: they get other numbers. Elements that are
/// undefined get no value.
void LaneElements::emitShuffleVector(ShuffleVectorInst &inst) {
  unsigned width = getNumScalars(inst.getOperand(0)->getType());
  for (auto [element, source] : enumerate(inst.getShuffleMask()))
    if (source >= 0)
      addresses.copyElement(&inst, element,
                            inst.getOperand(unsigned(source) / width),
                            unsigned(source) % width);
}

void LaneElements::emitExtractValue(ExtractValueInst &inst) {
  Value *aggregate = inst.getAggregateOperand();
  unsigned first = getFirstScalar(aggregate->getType(), inst.getIndices());
  for (unsigned element = 0; element < getNumScalars(inst.getType()); ++element)
    addresses.copyElement(&inst, element, aggregate, first + element);
}

void LaneElements::emitInsertValue(InsertValueInst &inst) {
  Value *part = inst.getInsertedValueOperand();
  unsigned first = getFirstScalar(inst.getType(), inst.getIndices());
  unsigned count = getNumScalars(part->getType());
  // Unsigned: elements ahead of the part are beyond its length, too.
  for (unsigned element = 0; element < getNumScalars(inst.getType()); ++element)
    element - first < count
        ? addresses.copyElement(&inst, element, part, element - first)
        : addresses.copyElement(&inst, element, inst.getAggregateOperand(),
                                element);
}

/// Emits a bitcast that changes the number of elements of a vector.
void LaneElements::emitBitcast(BitCastInst &inst) {
  Value *operand = inst.getOperand(0);
  if (context.getShape(&inst).isUnknown())
    return;
  Type *type = inst.getType();
  if (context.getShape(&inst).isVarying())
    return values.setRows(inst, castRows(context, values.getRows(operand),
                                         getScalarElementType(type, 0)));
  Value *cast = builder.CreateBitCast(values.getUniformVector(operand), type);
  if (!type->isVectorTy())
    return values.setElement(&inst, 0, cast);
  for (unsigned element = 0; element < getNumScalars(type); ++element)
    values.setElement(&inst, element,
                      builder.CreateExtractElement(cast, element));
}

} // namespace triton::intel::cpu
