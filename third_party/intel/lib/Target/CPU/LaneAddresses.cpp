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

#include "LaneVectorizer.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace triton_xe::cpu {

/// Base and offsets, either proven (without a guard) or recorded; none if the
/// lanes do not run along.
std::optional<LaneAddress> LaneVectorizer::getAddress(Value *value,
                                                      unsigned leaf) {
  LaneShape shape = context.getShape(value, leaf);
  if (shape.isAffine()) {
    LaneAddress address{values.getBase(value, leaf), {}, nullptr};
    for (unsigned lane = 0; lane < context.numLanes; ++lane)
      address.offsets.push_back(shape.getOffset(lane));
    return address;
  }
  auto found = addresses.find({value, leaf});
  if (found == addresses.end())
    return std::nullopt;
  return found->second;
}

/// Both must hold; null stands for true.
static Value *combineGuards(IRBuilder<> &builder, Value *lhs, Value *rhs) {
  if (!lhs || !rhs || lhs == rhs)
    return lhs ? lhs : rhs;
  return builder.CreateAnd(lhs, rhs);
}

/// The extension of an index that runs along: it does so as well if neither the
/// lowest nor the highest of the lanes' indices wraps around.
std::optional<LaneAddress> LaneVectorizer::extendAddress(CastInst &inst,
                                                         unsigned leaf) {
  std::optional<LaneAddress> address = getAddress(inst.getOperand(0), leaf);
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
  // Between the lowest and the highest nobody wraps if they do not.
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
LaneVectorizer::computePointer(GetElementPtrInst &inst, unsigned leaf) {
  auto get = [&](Value *operand) {
    return getAddress(operand, operand->getType()->isVectorTy() ? leaf : 0);
  };
  std::optional<LaneAddress> result = get(inst.getPointerOperand());
  if (!result)
    return std::nullopt;
  SmallVector<Value *> indices;
  for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end;
       ++it) {
    std::optional<LaneAddress> index = get(it.getOperand());
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

/// What `inst` computes from operands that run along; none for operations that
/// do not keep differences between lanes constant. Emits the scalar code of the
/// base, and of the guard.
std::optional<LaneAddress> LaneVectorizer::computeAddress(Instruction &inst,
                                                          unsigned leaf) {
  unsigned opcode = inst.getOpcode();
  if (opcode == Instruction::SExt || opcode == Instruction::ZExt)
    return extendAddress(cast<CastInst>(inst), leaf);
  if (auto *pointer = dyn_cast<GetElementPtrInst>(&inst))
    return computePointer(*pointer, leaf);
  if (!isa<BinaryOperator, PtrToIntInst, IntToPtrInst, AddrSpaceCastInst>(inst))
    return std::nullopt;
  std::optional<LaneAddress> result = getAddress(inst.getOperand(0), leaf);
  if (!result)
    return std::nullopt;
  Type *type = context.convertType(getLeafType(inst.getType(), leaf));
  if (auto *cast = dyn_cast<CastInst>(&inst)) {
    // Pointers and integers of 64 bits alone: nothing is cut or extended.
    if (cast->getSrcTy()->getScalarSizeInBits() % 64 ||
        cast->getDestTy()->getScalarSizeInBits() % 64)
      return std::nullopt;
    if (!isa<AddrSpaceCastInst>(cast))
      result->base = builder.CreateCast(cast->getOpcode(), result->base, type);
    return result;
  }
  std::optional<LaneAddress> other = getAddress(inst.getOperand(1), leaf);
  if (!other || !type->isIntegerTy(64))
    return std::nullopt;
  // Only a factor or an amount that is a constant scales offsets to constants.
  LaneShape shape = context.getShape(inst.getOperand(1), leaf);
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

/// Called for leaves that vary.
void LaneVectorizer::recordAddress(Instruction &inst, unsigned leaf) {
  std::optional<LaneAddress> address = computeAddress(inst, leaf);
  // Without a guard it would be affine, and not come here.
  if (address && address->guard)
    addresses[{&inst, leaf}] = std::move(*address);
}

/// Rows that come out are joined by phis. Both sides may end in other blocks
/// than they began in.
Leaves LaneVectorizer::emitGuarded(Value *guard,
                                   function_ref<Leaves()> emitFast,
                                   function_ref<Leaves()> emitSlow) {
  // Proven: no second version.
  if (!guard)
    return emitFast();
  BasicBlock *fast = context.createBlock("along"),
             *slow = context.createBlock("wrapped"),
             *after = context.createBlock("accessed");
  builder.CreateCondBr(
      guard, fast, slow,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());
  builder.SetInsertPoint(fast);
  Leaves fastRows = emitFast();
  BasicBlock *fastEnd = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(slow);
  Leaves slowRows = emitSlow();
  BasicBlock *slowEnd = builder.GetInsertBlock();
  builder.CreateBr(after);
  builder.SetInsertPoint(after);
  Leaves rows;
  for (auto [first, second] : zip_equal(fastRows, slowRows)) {
    PHINode *phi = builder.CreatePHI(first->getType(), 2);
    phi->addIncoming(first, fastEnd);
    phi->addIncoming(second, slowEnd);
    rows.push_back(phi);
  }
  return rows;
}

} // namespace triton_xe::cpu
