//===- LaneAddresses.cpp - Addresses that probably run along --------------===//
// SPDX-License-Identifier: MIT
//
// The lanes' indices `row * stride + column` are consecutive in 32 bits, but
// are then extended to 64 bits. If the stride is not known, some of them may
// wrap around, so the extended index varies between lanes. Wrapping is very
// rare, though. So a guard is computed together with the extension, on scalars,
// and passed on with the values that are computed from it. An access is a
// vector access if the guard holds, and lane by lane otherwise.
//
//===----------------------------------------------------------------------===//

#include "LaneAddresses.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Returns base and offsets, either proven (without a guard) or recorded; none
/// if the lanes do not run along.
std::optional<LaneAddress> LaneAddresses::get(Value *value, unsigned element) {
  LaneShape shape = context.getShape(value, element);
  if (shape.isAffine()) {
    LaneAddress address{values.getBase(value, element), {}, nullptr};
    for (unsigned lane = 0; lane < context.numLanes; ++lane)
      address.offsets.push_back(shape.getOffset(lane));
    return address;
  }
  auto found = addresses.find({value, element});
  if (found == addresses.end())
    return std::nullopt;
  return found->second;
}

/// Both must hold; null means true.
static Value *combineGuards(IRBuilder<> &builder, Value *lhs, Value *rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  return builder.CreateAnd(lhs, rhs);
}

/// Returns the extension of an index that runs along: it does so as well if
/// neither the lowest nor the highest of the lanes' indices wraps around.
std::optional<LaneAddress> LaneAddresses::extendAddress(CastInst &inst,
                                                        unsigned element) {
  std::optional<LaneAddress> address = get(inst.getOperand(0), element);
  bool isSigned = inst.getOpcode() == Instruction::SExt;
  Type *narrow = inst.getOperand(0)->getType()->getScalarType();
  // An index under a guard is not extended again.
  if (!address || address->guard || narrow->getIntegerBitWidth() < 16)
    return std::nullopt;
  auto [lowest, highest] =
      std::minmax_element(address->offsets.begin(), address->offsets.end());
  unsigned bits = narrow->getIntegerBitWidth();
  // Offsets themselves must fit the type that is added in.
  if (!isIntN(bits - 1, *lowest) || !isIntN(bits - 1, *highest))
    return std::nullopt;
  // Between the lowest and the highest, no address wraps if they do not.
  for (int64_t offset : {*lowest, *highest}) {
    if (offset == 0)
      continue;
    if (!isSigned && offset < 0)
      return std::nullopt;
    Value *sum = builder.CreateBinaryIntrinsic(
        isSigned ? Intrinsic::sadd_with_overflow
                 : Intrinsic::uadd_with_overflow,
        address->base, ConstantInt::getSigned(narrow, offset));
    Value *fits = builder.CreateNot(builder.CreateExtractValue(sum, 1));
    address->guard = combineGuards(builder, address->guard, fits);
  }
  Type *wide = inst.getType()->getScalarType();
  address->base = isSigned ? builder.CreateSExt(address->base, wide)
                           : builder.CreateZExt(address->base, wide);
  return address;
}

/// Bases and offsets of all indices, scaled to bytes.
std::optional<LaneAddress>
LaneAddresses::computePointer(GetElementPtrInst &inst, unsigned element) {
  auto getOperand = [&](Value *operand) {
    return get(operand, operand->getType()->isVectorTy() ? element : 0);
  };
  std::optional<LaneAddress> result = getOperand(inst.getPointerOperand());
  if (!result)
    return std::nullopt;
  SmallVector<Value *> indices;
  for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end;
       ++it) {
    std::optional<LaneAddress> index = getOperand(it.getOperand());
    // Structs and indices that a GEP would extend by itself are not looked at.
    if (!index || it.getStructTypeOrNull() ||
        index->base->getType()->getIntegerBitWidth() < 64)
      return std::nullopt;
    auto stride =
        static_cast<int64_t>(it.getSequentialElementStride(context.layout));
    for (unsigned lane = 0; lane < context.numLanes; ++lane)
      result->offsets[lane] += index->offsets[lane] * stride;
    indices.push_back(index->base);
    result->guard = combineGuards(builder, result->guard, index->guard);
  }
  result->base =
      builder.CreateGEP(inst.getSourceElementType(), result->base, indices);
  return result;
}

/// Returns what `inst` computes from operands with constant differences between
/// lanes; none for operations that do not keep differences constant. Emits the
/// scalar code of the base, and of the guard.
std::optional<LaneAddress> LaneAddresses::computeAddress(Instruction &inst,
                                                         unsigned element) {
  unsigned opcode = inst.getOpcode();
  if (opcode == Instruction::SExt || opcode == Instruction::ZExt)
    return extendAddress(cast<CastInst>(inst), element);
  if (auto *pointer = dyn_cast<GetElementPtrInst>(&inst))
    return computePointer(*pointer, element);
  if (!isa<BinaryOperator, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst>(inst))
    return std::nullopt;
  std::optional<LaneAddress> result = get(inst.getOperand(0), element);
  if (!result)
    return std::nullopt;
  Type *type =
      context.convertType(getScalarElementType(inst.getType(), element));
  if (auto *cast = dyn_cast<CastInst>(&inst)) {
    // Pointers and integers of 64 bits alone: nothing is cut or extended.
    if (cast->getSrcTy()->getScalarSizeInBits() % 64 ||
        cast->getDestTy()->getScalarSizeInBits() % 64)
      return std::nullopt;
    if (!isa<AddrSpaceCastInst>(cast))
      result->base = builder.CreateCast(cast->getOpcode(), result->base, type);
    return result;
  }
  std::optional<LaneAddress> other = get(inst.getOperand(1), element);
  if (!other || !type->isIntegerTy(64))
    return std::nullopt;
  // Only a factor or an amount that is a constant scales offsets to constants.
  LaneShape shape = context.getShape(inst.getOperand(1), element);
  bool isConstant = shape.isUniform() && shape.getConstant();
  result->guard = combineGuards(builder, result->guard, other->guard);
  bool isDisjoint = opcode == Instruction::Or &&
                    cast<PossiblyDisjointInst>(inst).isDisjoint();
  for (unsigned lane = 0; lane < context.numLanes; ++lane) {
    int64_t &offset = result->offsets[lane];
    // Addresses wrap around at 64 bits, as unsigned numbers do.
    uint64_t number = offset, added = other->offsets[lane];
    if (opcode == Instruction::Add || isDisjoint)
      number += added;
    else if (opcode == Instruction::Sub)
      number -= added;
    else if (opcode == Instruction::Shl && isConstant &&
             uint64_t(*shape.getConstant()) < 64)
      number <<= *shape.getConstant();
    else if (opcode == Instruction::Mul && isConstant)
      number *= *shape.getConstant();
    else
      return std::nullopt;
    offset = number;
  }
  // Bases of disjoint parts are added as offsets are.
  auto base =
      isDisjoint ? Instruction::Add : cast<BinaryOperator>(inst).getOpcode();
  result->base = builder.CreateBinOp(base, result->base, other->base);
  return result;
}

/// Called for scalar elements that vary.
void LaneAddresses::record(Instruction &inst, unsigned element) {
  std::optional<LaneAddress> address = computeAddress(inst, element);
  // Without a guard it would be affine, and not come here.
  if (address && address->guard)
    addresses[{&inst, element}] = std::move(*address);
}

void LaneAddresses::copyElement(Value *value, unsigned element, Value *from,
                                unsigned sourceElement) {
  values.copyElement(value, element, from, sourceElement);
  // A copy first: the map may move its entries when one is added.
  if (auto found = addresses.find({from, sourceElement});
      found != addresses.end()) {
    LaneAddress address = found->second;
    addresses[{value, element}] = std::move(address);
  }
}

/// Private memory has a row for each of its elements. A place that differs
/// between lanes is refused by its users.
void LaneAddresses::emitPrivateGEP(GetElementPtrInst &inst) {
  Type *i64 = builder.getInt64Ty();
  Value *offset = builder.getInt64(0);
  // Bytes within one lane's memory, from all indices.
  for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end;
       ++it) {
    if (StructType *structure = it.getStructTypeOrNull()) {
      unsigned field = cast<ConstantInt>(it.getOperand())->getZExtValue();
      uint64_t bytes =
          context.layout.getStructLayout(structure)->getElementOffset(field);
      offset = builder.CreateAdd(offset, builder.getInt64(bytes));
      continue;
    }
    if (!context.getShape(it.getOperand()).isUniform())
      return;
    Value *index =
        builder.CreateSExtOrTrunc(values.getBase(it.getOperand()), i64);
    uint64_t stride = it.getSequentialElementStride(context.layout);
    offset = builder.CreateAdd(
        offset, builder.CreateMul(index, builder.getInt64(stride)));
  }
  if (!context.getShape(inst.getPointerOperand()).isUniform())
    return;
  // Each byte of a lane takes one byte per lane here.
  offset = builder.CreateMul(offset, builder.getInt64(context.numLanes));
  values.setElement(&inst, 0,
                    builder.CreateGEP(builder.getInt8Ty(),
                                      values.getBase(inst.getPointerOperand()),
                                      offset));
}

/// Emits an address for every scalar element of a vector of pointers.
void LaneAddresses::emitGEP(GetElementPtrInst &inst) {
  if (context.shapes.isPrivate(&inst))
    return emitPrivateGEP(inst);
  // A GEP takes scalars beside rows: what is uniform stays scalar.
  for (unsigned element = 0; element < getNumScalars(inst.getType());
       ++element) {
    LaneShape shape = context.getShape(&inst, element);
    if (shape.isUnknown())
      continue;
    SmallVector<Value *> operands;
    for (Value *operand : inst.operands()) {
      unsigned operandElement = getOperandElement(operand, element);
      operands.push_back(
          shape.isVarying() &&
                  !context.getShape(operand, operandElement).isUniform()
              ? values.getRow(operand, operandElement)
              : values.getBase(operand, operandElement));
    }
    values.setElement(&inst, element,
                      builder.CreateGEP(inst.getSourceElementType(),
                                        operands[0],
                                        ArrayRef(operands).drop_front()));
    if (shape.isVarying())
      record(inst, element);
  }
}

} // namespace triton::intel::cpu
