//===- LaneDebug.cpp - Records of variables for debuggers -----------------===//
// SPDX-License-Identifier: MIT

#include "LaneDebug.h"

#include "LaneRows.h"

#include "llvm/BinaryFormat/Dwarf.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Returns the scalar that `value` is for all lanes, or null. A value that
/// differs between lanes is not a scalar of Python, or is only about to become
/// one. Unlike other users, a record may be where its value is not defined.
Value *LaneDebug::getValue(Value *value, Instruction &at) {
  // Constants hold everywhere.
  if (isa<ConstantInt, ConstantFP>(value))
    return value;
  Type *type = value->getType();
  if (!isa<Instruction, Argument>(value) || context.functionMask ||
      unguarded.contains(value) ||
      !(type->isIntegerTy() || type->isFloatingPointTy()))
    return nullptr;
  // The value is defined on some ways only.
  if (auto *inst = dyn_cast<Instruction>(value);
      inst && !context.flow.dominators.dominates(inst, &at))
    return nullptr;
  LaneShape shape = context.getShape(value);
  if (shape.isUnknown() || !shape.isUniform())
    return nullptr;
  // Uniform, but nothing was emitted for it.
  if ((!shape.getConstant() || !type->isIntegerTy()) &&
      !values.getEmitted(value, /*element=*/0))
    return nullptr;
  return values.getBase(value);
}

/// In a divergent region, what depends on memory, calls and ways through it is
/// not that of Python in a sub-group of which no lane gets there. Arithmetic is
/// done by all of them.
void LaneDebug::recordUnguarded(Instruction &inst) {
  if (!context.isMasked())
    return;
  bool isArithmetic =
      isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst>(inst) &&
      !inst.isIntDivRem();
  if (!isArithmetic || any_of(inst.operands(), [&](Use &operand) {
        return unguarded.contains(operand);
      }))
    unguarded.insert(&inst);
}

/// Returns the memory of a record's variable, or of the part that the record is
/// about, to which it refers from now on.
AllocaInst *LaneDebug::getVariableSlot(DbgVariableRecord &record,
                                       uint64_t bytes) {
  std::optional<DIExpression::FragmentInfo> part =
      record.getExpression()->getFragmentInfo();
  auto *expression =
      DIExpression::get(builder.getContext(), {dwarf::DW_OP_deref});
  if (part)
    expression = *DIExpression::createFragmentExpression(
        expression, part->OffsetInBits, part->SizeInBits);
  AllocaInst *&slot = variableSlots[{record.getVariable(), expression}];
  if (!slot)
    slot = context.createAlloca(bytes, "variable");
  record.replaceVariableLocationOp(0u, slot);
  record.setExpression(expression);
  return slot;
}

/// Keeps the value of a record in memory from here on: registers lose it after
/// its last use. False for what is more than the value.
bool LaneDebug::keepValue(DbgVariableRecord &record, Value *value) {
  Type *type = value->getType();
  // A bit comes with a mask for the rest of its register.
  if (!record.isDbgValue() || record.hasArgList() ||
      (record.getExpression()->getNumElements() && !type->isIntegerTy(1)))
    return false;
  if (type->isIntegerTy(1))
    value = builder.CreateZExt(value, builder.getInt8Ty());
  record.setExpression(DIExpression::get(builder.getContext(), {}));
  // Volatile: a store that is never read would be removed.
  builder.CreateStore(value,
                      getVariableSlot(record, context.layout.getTypeStoreSize(
                                                  value->getType())),
                      /*isVolatile=*/true);
  return true;
}

/// Returns whether each scalar element has an emitted value. A known integer
/// has none: its users create a constant.
bool LaneDebug::isEmitted(Instruction &inst) {
  for (unsigned element = 0; element < getNumScalars(inst.getType());
       ++element) {
    LaneShape shape = context.getShape(&inst, element);
    bool isKnown = shape.getConstant() &&
                   getScalarElementType(inst.getType(), element)->isIntegerTy();
    if (shape.isUnknown() || (!isKnown && !values.getEmitted(&inst, element)))
      return false;
  }
  return true;
}

/// Keeps the registers of a tensor in the same way, for all lanes. Unlike other
/// users, the record may be where its value is not defined.
bool LaneDebug::keepRows(DbgVariableRecord &record, Instruction &at) {
  Value *value = record.getVariableLocationOp(0);
  auto *inst = dyn_cast<Instruction>(value);
  DIExpression *expression = record.getExpression();
  if (!record.isDbgValue() || record.hasArgList() || context.isMasked() ||
      context.functionMask || isa<UndefValue>(value) ||
      expression->getNumElements() != (expression->isFragment() ? 3 : 0) ||
      (inst && !context.flow.dominators.dominates(inst, &at)))
    return false;
  if (inst && !values.getStackSlot(value) && !isEmitted(*inst))
    return false;
  Elements rows = values.getRows(value);
  for (Value *&row : rows)
    if (row->getType()->getScalarType()->isIntegerTy(1))
      row = builder.CreateZExt(
          row, row->getType()->getWithNewType(builder.getInt8Ty()));
  uint64_t bytes = context.layout.getTypeStoreSize(rows.front()->getType());
  AllocaInst *slot = getVariableSlot(record, rows.size() * bytes);
  for (auto [index, row] : enumerate(rows))
    builder.CreateAlignedStore(
        row,
        builder.CreateConstGEP1_64(builder.getInt8Ty(), slot, index * bytes),
        getRowAlignment(bytes), /*isVolatile=*/true);
  return true;
}

/// Copies the records ahead of `inst`, with the current values in their place.
/// One missing value ends the variable's range: an old value would be a wrong
/// one.
void LaneDebug::emitRecords(Instruction &inst) {
  IRBuilder<>::InsertPointGuard guard(builder);
  for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
    DbgVariableRecord *copy = record.clone();
    // The stores belong to no line, so that a debugger stops at the line's own
    // code, where the variable has its value.
    const DILocation *place = record.getDebugLoc();
    builder.SetCurrentDebugLocation(
        DILocation::get(builder.getContext(), /*Line=*/0, /*Column=*/0,
                        place->getScope(), place->getInlinedAt()));
    if (isa_and_present<DICompositeType>(record.getVariable()->getType())) {
      if (!keepRows(*copy, inst))
        copy->setKillLocation();
      builder.GetInsertBlock()->insertDbgRecordBefore(copy,
                                                      builder.GetInsertPoint());
      continue;
    }
    for (unsigned index = 0; index < record.getNumVariableLocationOps();
         ++index) {
      Value *emitted = getValue(record.getVariableLocationOp(index), inst);
      if (!emitted) {
        copy->setKillLocation();
        break;
      }
      if (!keepValue(*copy, emitted))
        copy->replaceVariableLocationOp(index, emitted);
    }
    builder.GetInsertBlock()->insertDbgRecordBefore(copy,
                                                    builder.GetInsertPoint());
  }
}

} // namespace triton::intel::cpu
