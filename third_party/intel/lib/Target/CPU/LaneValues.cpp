//===- LaneValues.cpp - What stands for the values of the source ----------===//
// SPDX-License-Identifier: MIT

#include "LaneValues.h"

#include "LaneRows.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace triton_xe::cpu {

LaneValues::LaneValues(LaneContext &context)
    : context(context), builder(context.builder),
      accumulators(context.shapes, context.flow) {}

/// Returns the value that stands for a global of the source: the shared memory
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

/// Leaf `leaf` of a constant, with globals replaced. Lanes must agree on what
/// undef is: the analysis takes it for uniform.
Value *LaneValues::convertConstant(Constant *constant, unsigned leaf) {
  Type *type = context.convertType(getLeafType(constant->getType(), leaf));
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
      unsigned count = getNumLeaves(operand->getType());
      if (leaf < count)
        return convertConstant(cast<Constant>(operand), leaf);
      leaf -= count;
    }
  }
  if (constant->getType()->isVectorTy() || constant->getType()->isArrayTy())
    if (Constant *element = constant->getAggregateElement(leaf))
      return convertConstant(element, 0);
  return constant;
}

/// Defined for uniform and affine leaves only; the definition is emitted
/// already.
Value *LaneValues::getBase(Value *value, unsigned leaf) {
  if (auto *constant = dyn_cast<Constant>(value))
    return convertConstant(constant, leaf);
  Type *type = context.convertType(getLeafType(value->getType(), leaf));
  LaneShape shape = context.getShape(value, leaf);
  if (shape.isUnknown())
    return PoisonValue::get(type);
  // Nothing is emitted for the definition of a known integer: every use makes a
  // constant of its own.
  if (shape.getConstant() && type->isIntegerTy())
    return ConstantInt::getSigned(type, *shape.getConstant(),
                                  /*ImplicitTrunc=*/true);
  assert(!shape.isVarying() && "a row has no base");
  Value *base = leaves.lookup(value)[leaf];
  assert(base && "use ahead of the definition");
  return base;
}

/// A row of the offsets, cut to the width of `integer`: sums are modulo that
/// width anyway.
Constant *LaneValues::getOffsetRow(const LaneShape &shape, Type *integer) {
  SmallVector<Constant *> offsets;
  for (unsigned lane = 0; lane < context.numLanes; ++lane)
    offsets.push_back(ConstantInt::getSigned(integer, shape.getOffset(lane),
                                             /*ImplicitTrunc=*/true));
  return ConstantVector::get(offsets);
}

/// The leaf as a row, made of base and offsets where that is needed.
Value *LaneValues::getRow(Value *value, unsigned leaf) {
  LaneShape shape = context.getShape(value, leaf);
  // Rows that are made here dominate the rest of this block, and perhaps
  // nothing else.
  if (rowCacheBlock != builder.GetInsertBlock()) {
    rowCache.clear();
    rowCacheBlock = builder.GetInsertBlock();
  }
  // A value that stays in memory has no row in `leaves`.
  if (Value *home = getHome(value)) {
    Value *&row = rowCache[{value, leaf}];
    if (!row)
      row = reloadRow(context, home, getLeafType(value->getType(), leaf), leaf);
    return row;
  }
  if (shape.isVarying()) {
    Value *row = leaves.lookup(value)[leaf];
    assert(row && "use ahead of the definition");
    return row;
  }
  // Nobody has given it a value.
  if (shape.isUnknown() && !isa<Constant>(value))
    return PoisonValue::get(
        context.getRowType(getLeafType(value->getType(), leaf)));
  Value *base = getBase(value, leaf);
  if (auto *constant = dyn_cast<Constant>(base); constant && shape.isUniform())
    return ConstantVector::getSplat(ElementCount::getFixed(context.numLanes),
                                    constant);
  Value *&row = rowCache[{value, leaf}];
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

/// All leaves of a value as rows.
Leaves LaneValues::getRows(Value *value) {
  Leaves rows;
  for (unsigned leaf = 0; leaf < getNumLeaves(value->getType()); ++leaf)
    rows.push_back(getRow(value, leaf));
  return rows;
}

/// Records what was emitted for a leaf; for an affine one that is its base.
void LaneValues::setLeaf(Value *value, unsigned leaf, Value *emitted) {
  Leaves &list = leaves[value];
  list.resize(getNumLeaves(value->getType()));
  list[leaf] = emitted;
}

void LaneValues::copyLeaf(Value *value, unsigned leaf, Value *from,
                          unsigned sourceLeaf) {
  // Nothing is emitted for what nobody set, nor for known values.
  LaneShape shape = context.getShape(value, leaf);
  if (shape.isUnknown() || shape.getConstant())
    return;
  setLeaf(value, leaf,
          shape.isVarying() ? getRow(from, sourceLeaf)
                            : getBase(from, sourceLeaf));
}

/// As setLeaf, for all leaves of a value.
void LaneValues::setRows(Instruction &inst, ArrayRef<Value *> rows) {
  for (auto [leaf, row] : enumerate(rows))
    setLeaf(&inst, leaf, row);
}

/// For functions of the library that take a vector, and for casts.
Value *LaneValues::getUniformVector(Value *value) {
  if (!value->getType()->isVectorTy())
    return getBase(value);
  unsigned count = getNumLeaves(value->getType());
  Type *element = context.convertType(getLeafType(value->getType(), 0));
  Value *vector = PoisonValue::get(FixedVectorType::get(element, count));
  for (unsigned leaf = 0; leaf < count; ++leaf)
    vector = builder.CreateInsertElement(vector, getBase(value, leaf), leaf);
  return vector;
}

Value *LaneValues::getEmitted(Value *value, unsigned leaf) const {
  auto found = leaves.find(value);
  return found == leaves.end() ? nullptr : found->second[leaf];
}

//===----------------------------------------------------------------------===//
// Accumulators
//===----------------------------------------------------------------------===//

/// Made when it is asked for first: webs of code that is never emitted get no
/// memory.
Value *LaneValues::getHome(Value *value) {
  Value *web = accumulators.getWeb(value);
  if (!web)
    return nullptr;
  AllocaInst *&home = homes[web];
  if (!home) {
    Type *row =
        context.getRowType(getMemoryType(getLeafType(web->getType(), 0)));
    home = context.createAlloca(
        context.layout.getTypeStoreSize(row).getFixedValue() *
            getNumLeaves(web->getType()),
        "accumulator");
  }
  return home;
}

void LaneValues::moveHome(Instruction &inst) {
  Value *home = getHome(&inst);
  if (!home)
    return;
  Leaves rows = leaves.lookup(&inst);
  // A result that the library wrote in place has no rows.
  if (!rows.empty())
    storeRows(context, home, rows);
  leaves.erase(&inst);
}

} // namespace triton_xe::cpu
