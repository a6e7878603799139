//===- LaneValues.cpp - Vectorized values ---------------------------------===//
// SPDX-License-Identifier: MIT

#include "LaneValues.h"

#include "LaneRows.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace triton::intel::cpu {

LaneValues::LaneValues(LaneContext &context)
    : context(context), builder(context.builder),
      accumulators(context.shapes, context.flow) {}

/// Returns the value that represents a global of the source: the shared memory
/// of the group, to which the state points, or a copy in the new module's code.
Value *LaneValues::convertGlobal(GlobalVariable *global) {
  Value *&converted = globals[global];
  if (converted)
    return converted;
  IRBuilder<>::InsertPointGuard guard(builder);
  // The one variable in it is all of a kernel's shared memory, and every group
  // that runs has its own.
  if (global->getAddressSpace() == kSharedAddressSpace)
    return converted = context.loadState(
               StateSharedMemory, PointerType::get(builder.getContext(), 0));
  auto *copy =
      new GlobalVariable(*context.target.getParent(), global->getValueType(),
                         global->isConstant(), GlobalValue::InternalLinkage,
                         global->getInitializer(), global->getName() + ".cpu");
  copy->setAlignment(global->getAlign());
  return converted = copy;
}

/// Returns scalar element `element` of a constant, with globals replaced. Lanes
/// must agree on what undef is: the analysis takes it for uniform.
Value *LaneValues::convertConstant(Constant *constant, unsigned element) {
  Type *type =
      context.convertType(getScalarElementType(constant->getType(), element));
  if (isa<PoisonValue>(constant))
    return PoisonValue::get(type);
  // An undefined value becomes the same one for every lane and every time.
  if (isa<UndefValue>(constant) || constant->isNullValue())
    return Constant::getNullValue(type);
  if (auto *global = dyn_cast<GlobalVariable>(constant))
    return convertGlobal(global);
  // Fields of structs, which may be aggregates themselves.
  if (auto *aggregate = dyn_cast<ConstantAggregate>(constant);
      aggregate && !constant->getType()->isVectorTy()) {
    for (Use &operand : aggregate->operands()) {
      unsigned count = getNumScalars(operand->getType());
      if (element < count)
        return convertConstant(cast<Constant>(operand), element);
      element -= count;
    }
  }
  if (constant->getType()->isVectorTy() || constant->getType()->isArrayTy())
    if (Constant *part = constant->getAggregateElement(element))
      return convertConstant(part, 0);
  return constant;
}

/// Returns the value of a uniform scalar element or the base of an affine one,
/// whose definition has been emitted.
Value *LaneValues::getBase(Value *value, unsigned element) {
  if (auto *constant = dyn_cast<Constant>(value))
    return convertConstant(constant, element);
  Type *type =
      context.convertType(getScalarElementType(value->getType(), element));
  LaneShape shape = context.getShape(value, element);
  if (shape.isUnknown())
    return PoisonValue::get(type);
  // Nothing is emitted for the definition of a known integer: every use makes a
  // separate constant.
  if (shape.getConstant() && type->isIntegerTy())
    return ConstantInt::getSigned(type, *shape.getConstant(),
                                  /*ImplicitTrunc=*/true);
  assert(!shape.isVarying() && "a row has no base");
  Value *base = elements.lookup(value)[element];
  assert(base && "use ahead of the definition");
  return base;
}

/// Returns a row of the offsets, cut to the width of `integer`: sums are modulo
/// that width anyway.
Constant *LaneValues::getOffsetRow(const LaneShape &shape, Type *integer) {
  SmallVector<Constant *> offsets;
  for (unsigned lane = 0; lane < context.numLanes; ++lane)
    offsets.push_back(ConstantInt::getSigned(integer, shape.getOffset(lane),
                                             /*ImplicitTrunc=*/true));
  return ConstantVector::get(offsets);
}

/// Returns the scalar element as a row, built from base and offsets where that
/// is needed.
Value *LaneValues::getRow(Value *value, unsigned element) {
  LaneShape shape = context.getShape(value, element);
  // Rows that are made here dominate the rest of this block, and perhaps
  // nothing else.
  if (rowCacheBlock != builder.GetInsertBlock()) {
    rowCache.clear();
    rowCacheBlock = builder.GetInsertBlock();
  }
  // A value that stays in memory has no row in `elements`.
  if (Value *stackSlot = getStackSlot(value)) {
    Value *&row = rowCache[{value, element}];
    if (!row)
      row = reloadRow(context, stackSlot,
                      getScalarElementType(value->getType(), element), element);
    return row;
  }
  if (shape.isVarying()) {
    Value *row = elements.lookup(value)[element];
    assert(row && "use ahead of the definition");
    return row;
  }
  // It was never given a value.
  if (shape.isUnknown() && !isa<Constant>(value))
    return PoisonValue::get(
        context.getRowType(getScalarElementType(value->getType(), element)));
  Value *base = getBase(value, element);
  if (auto *constant = dyn_cast<Constant>(base); constant && shape.isUniform())
    return ConstantVector::getSplat(ElementCount::getFixed(context.numLanes),
                                    constant);
  Value *&row = rowCache[{value, element}];
  if (row)
    return row;
  // Rows of constants cost nothing; others are made once a block.
  if (shape.isUniform())
    return row = context.splat(base);
  // Pointers move by bytes, whatever they point to.
  if (base->getType()->isPointerTy())
    return row = builder.CreateGEP(builder.getInt8Ty(), base,
                                   getOffsetRow(shape, builder.getInt64Ty()));
  return row = builder.CreateAdd(context.splat(base),
                                 getOffsetRow(shape, base->getType()));
}

/// Returns all scalar elements of a value as rows.
Elements LaneValues::getRows(Value *value) {
  Elements rows;
  for (unsigned element = 0; element < getNumScalars(value->getType());
       ++element)
    rows.push_back(getRow(value, element));
  return rows;
}

/// Records what was emitted for a scalar element; for an affine one that is its
/// base.
void LaneValues::setElement(Value *value, unsigned element, Value *emitted) {
  Elements &list = elements[value];
  list.resize(getNumScalars(value->getType()));
  list[element] = emitted;
}

void LaneValues::copyElement(Value *value, unsigned element, Value *from,
                             unsigned sourceElement) {
  // Nothing is emitted for a value that was never set, nor for known values.
  LaneShape shape = context.getShape(value, element);
  if (shape.isUnknown() || shape.getConstant())
    return;
  setElement(value, element,
             shape.isVarying() ? getRow(from, sourceElement)
                               : getBase(from, sourceElement));
}

/// Records rows as setElement does, for all scalar elements of a value.
void LaneValues::setRows(Instruction &inst, ArrayRef<Value *> rows) {
  for (auto [element, row] : enumerate(rows))
    setElement(&inst, element, row);
}

/// For functions of the library that take a vector, and for casts.
Value *LaneValues::getUniformVector(Value *value) {
  if (!value->getType()->isVectorTy())
    return getBase(value);
  unsigned count = getNumScalars(value->getType());
  Type *type = context.convertType(getScalarElementType(value->getType(), 0));
  Value *vector = PoisonValue::get(FixedVectorType::get(type, count));
  for (unsigned element = 0; element < count; ++element)
    vector =
        builder.CreateInsertElement(vector, getBase(value, element), element);
  return vector;
}

Value *LaneValues::getEmitted(Value *value, unsigned element) const {
  auto found = elements.find(value);
  return found == elements.end() ? nullptr : found->second[element];
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Created on the first request: webs of code that is never emitted get no
/// memory.
Value *LaneValues::getStackSlot(Value *value) {
  Value *web = accumulators.getWeb(value);
  if (!web)
    return nullptr;
  AllocaInst *&stackSlot = stackSlots[web];
  if (!stackSlot) {
    Type *row = context.getRowType(
        getMemoryType(getScalarElementType(web->getType(), 0)));
    stackSlot = context.createAlloca(
        context.layout.getTypeStoreSize(row).getFixedValue() *
            getNumScalars(web->getType()),
        "accumulator");
  }
  return stackSlot;
}

void LaneValues::moveToStackSlot(Instruction &inst) {
  Value *stackSlot = getStackSlot(&inst);
  if (!stackSlot)
    return;
  Elements rows = elements.lookup(&inst);
  // A result that the library wrote in place has no rows.
  if (!rows.empty())
    storeRows(context, stackSlot, rows);
  elements.erase(&inst);
}

} // namespace triton::intel::cpu
