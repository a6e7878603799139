//===- LaneArithmetic.cpp - Operations on elements ------------------------===//
// SPDX-License-Identifier: MIT

#include "LaneArithmetic.h"

#include "intel/Target/NarrowDoubles.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Emits one operation per scalar element: on scalars if that is enough, on
/// rows otherwise.
void LaneArithmetic::emit(Instruction &inst) {
  for (unsigned element = 0; element < getNumScalars(inst.getType());
       ++element) {
    LaneShape shape = context.getShape(&inst, element);
    // Known integers are written where they are used.
    if (shape.isUnknown() ||
        (shape.getConstant() &&
         getScalarElementType(inst.getType(), element)->isIntegerTy()))
      continue;
    values.setElement(&inst, element,
                      shape.isVarying() ? emitRow(inst, element)
                                        : emitBase(inst, element));
    // The parts of an address decide how memory is accessed.
    if (shape.isVarying())
      addresses.record(inst, element);
  }
}

/// Creates the scalar of a uniform result, or the base of an affine one.
Value *LaneArithmetic::emitBase(Instruction &inst, unsigned element) {
  bool isUniform = all_of(inst.operands(), [&](Use &operand) {
    return context.getShape(operand, getOperandElement(operand, element))
        .isUniform();
  });
  SmallVector<Value *> operands;
  for (Value *operand : inst.operands())
    operands.push_back(
        values.getBase(operand, getOperandElement(operand, element)));
  Type *type =
      context.convertType(getScalarElementType(inst.getType(), element));
  if (isUniform) {
    // Division by what an inactive sub-group has must not trap.
    if (inst.isIntDivRem() && context.isMasked())
      operands[1] = builder.CreateSelect(
          context.isAny(context.mask), operands[1], ConstantInt::get(type, 1));
    return emitWithOperands(inst, operands, type);
  }
  // Bases of affine results. The analysis has proved that offsets do not reach
  // the base's bits, so a logical operation is a sum.
  switch (inst.getOpcode()) {
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Add:
    return builder.CreateAdd(operands[0], operands[1]);
  case Instruction::Sub:
    return builder.CreateSub(operands[0], operands[1]);
  case Instruction::Mul:
    return builder.CreateMul(operands[0], operands[1]);
  case Instruction::Shl:
    return builder.CreateShl(operands[0], operands[1]);
  case Instruction::LShr:
    return builder.CreateLShr(operands[0], operands[1]);
  case Instruction::AShr:
    return builder.CreateAShr(operands[0], operands[1]);
  case Instruction::Trunc:
    return builder.CreateTrunc(operands[0], type);
  default:
    return emitWithOperands(inst, operands, type);
  }
}

/// Creates the result as a row.
Value *LaneArithmetic::emitRow(Instruction &inst, unsigned element) {
  SmallVector<Value *> operands;
  for (auto [index, operand] : enumerate(inst.operands())) {
    unsigned operandElement = getOperandElement(operand, element);
    // A select between rows takes a scalar condition as it is.
    bool isCondition = isa<SelectInst>(inst) && index == 0;
    operands.push_back(
        isCondition && context.getShape(operand, operandElement).isUniform()
            ? values.getBase(operand, operandElement)
            : values.getRow(operand, operandElement));
  }
  Type *type =
      context.getRowType(getScalarElementType(inst.getType(), element));
  if (inst.isIntDivRem())
    return math.emitDivision(inst, operands[0], operands[1]);
  return emitWithOperands(inst, operands, type);
}

/// Creates the operation of `inst` on other operands, all scalars or all rows;
/// `type` is that of the result.
Value *LaneArithmetic::emitWithOperands(Instruction &inst,
                                        ArrayRef<Value *> operands,
                                        Type *type) {
  Value *result = nullptr;
  Type *source = operands[0]->getType();
  // x86 has no instruction for it; the library has it for rows only.
  if (inst.getOpcode() == Instruction::FRem) {
    if (source->isVectorTy())
      return math.emitRemainder(operands[0], operands[1]);
    return builder.CreateExtractElement(
        math.emitRemainder(context.splat(operands[0]),
                           context.splat(operands[1])),
        uint64_t(0));
  }
  if (isa<FPTruncInst>(inst) && source->getScalarType()->isDoubleTy() &&
      type->getScalarType()->isHalfTy())
    return narrowToHalf(builder, operands[0]);
  if (auto *binary = dyn_cast<BinaryOperator>(&inst))
    result = builder.CreateBinOp(binary->getOpcode(), operands[0], operands[1]);
  else if (auto *unary = dyn_cast<UnaryOperator>(&inst))
    result = builder.CreateUnOp(unary->getOpcode(), operands[0]);
  // All memory is in one address space.
  else if (isa<AddrSpaceCastInst>(inst))
    result = operands[0];
  else if (auto *cast = dyn_cast<CastInst>(&inst))
    result = builder.CreateCast(cast->getOpcode(), operands[0], type);
  else if (auto *compare = dyn_cast<CmpInst>(&inst))
    result =
        builder.CreateCmp(compare->getPredicate(), operands[0], operands[1]);
  else if (isa<SelectInst>(inst))
    result = builder.CreateSelect(operands[0], operands[1], operands[2]);
  else
    result = builder.CreateFreeze(operands[0]);
  // The builder may have folded the operation into another, or into a constant,
  // that the flags do not fit.
  if (auto *created = dyn_cast<Instruction>(result);
      created && created->getOpcode() == inst.getOpcode() &&
      !isa<AddrSpaceCastInst>(inst))
    created->copyIRFlags(&inst);
  return result;
}

} // namespace triton::intel::cpu
