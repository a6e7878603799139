//===- LaneTransfer.cpp - Shapes of results from shapes of operands -------===//
// SPDX-License-Identifier: MIT
//
// The transfer functions of LaneDivergence.
//
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "intel/Target/CPU/LaneDivergence.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace triton::intel::cpu {

/// Returns the operation on constants, per lane. `lhs` and `rhs` have constant
/// bases; `bits` is the width of the type. Varying where the result is poison
/// in a lane, or the operation is none of these.
LaneShape LaneDivergence::evaluate(unsigned opcode, unsigned bits,
                                   const LaneShape &lhs, const LaneShape &rhs) {
  LaneOffsets values(numLanes);
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    // Constants are kept sign extended: cut to the width first.
    APInt a(bits, *lhs.getConstant() + lhs.getOffset(lane), true, true);
    APInt b(bits, *rhs.getConstant() + rhs.getOffset(lane), true, true);
    APInt result(bits, 0);
    switch (opcode) {
    case Instruction::Add:
      result = a + b;
      break;
    case Instruction::Sub:
      result = a - b;
      break;
    case Instruction::Mul:
      result = a * b;
      break;
    case Instruction::And:
      result = a & b;
      break;
    case Instruction::Or:
      result = a | b;
      break;
    case Instruction::Xor:
      result = a ^ b;
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      if (b.uge(bits))
        return LaneShape::varying();
      result = opcode == Instruction::Shl    ? a.shl(b)
               : opcode == Instruction::LShr ? a.lshr(b)
                                             : a.ashr(b);
      break;
    case Instruction::UDiv:
    case Instruction::URem:
      if (b.isZero())
        return LaneShape::varying();
      result = opcode == Instruction::UDiv ? a.udiv(b) : a.urem(b);
      break;
    default:
      return LaneShape::varying();
    }
    values[lane] = result.getSExtValue();
  }
  // Shapes begin at the first lane, so that runs of neighbours look alike. They
  // are modulo 2^64, as sums of bases and offsets are.
  int64_t base = values.front();
  for (int64_t &value : values)
    value = static_cast<int64_t>(static_cast<uint64_t>(value) -
                                 static_cast<uint64_t>(base));
  return LaneShape::known(intern(std::move(values)), base);
}

/// Returns whether all offsets (all values, if they are constants) are too
/// small to carry into what an alignment leaves to the base, and below
/// 2^`bits`? The sum of base and offset is then free of carries: their bits do
/// not overlap.
static bool staysBelow(const LaneShape &shape, unsigned alignment,
                       unsigned bits, unsigned numLanes) {
  alignment = std::min(alignment, bits);
  for (unsigned lane = 0; lane < numLanes; ++lane) {
    auto offset = static_cast<uint64_t>(shape.getOffset(lane)) +
                  static_cast<uint64_t>(shape.getConstant().value_or(0));
    constexpr unsigned signBit = 63;
    if (offset >> std::min(alignment, signBit))
      return false;
  }
  return true;
}

/// A shift by a constant that is the same for all lanes keeps affine values
/// affine:
///
///   (base + o) << n  =  (base << n) + (o << n)
///   (base + o) >> n  =  (base >> n) + (o >> n)   if the base is a multiple of
///                                                2^n and o carries nothing
LaneShape LaneDivergence::transferShift(BinaryOperator &inst,
                                        const LaneShape &lhs,
                                        const LaneShape &rhs) {
  // Shifting by the width or more is poison.
  if (!rhs.isUniform() || !rhs.getConstant() || *rhs.getConstant() < 0 ||
      *rhs.getConstant() >= inst.getType()->getScalarSizeInBits())
    return LaneShape::varying();
  auto amount = static_cast<unsigned>(*rhs.getConstant());
  // Modulo the width, hence always.
  if (inst.getOpcode() == Instruction::Shl)
    return LaneShape::affine(
        combine(lhs, rhs,
                [&](uint64_t offset, uint64_t) { return offset << amount; }),
        std::min(lhs.getAlignment() + amount, LaneShape::maxAlignment));
  // Bits that are shifted out must not borrow from the base.
  unsigned bits = inst.getType()->getScalarSizeInBits();
  // Nor may the sum reach the sign.
  if (inst.getOpcode() == Instruction::AShr)
    --bits;
  if (amount > lhs.getAlignment() ||
      !staysBelow(lhs, lhs.getAlignment(), bits, numLanes))
    return LaneShape::varying();
  return LaneShape::affine(
      combine(lhs, rhs,
              [&](int64_t offset, int64_t) { return offset >> amount; }),
      lhs.getAlignment() - amount);
}

/// A mask of low bits that the base does not reach leaves constants.
/// For example, `x & 15` of a base that is a multiple of 16 is the offset's low
/// bits in every lane, whatever the base.
LaneShape LaneDivergence::transferAnd(const LaneShape &lhs,
                                      const LaneShape &rhs) {
  const LaneShape &value = rhs.isUniform() ? lhs : rhs;
  const LaneShape &mask = rhs.isUniform() ? rhs : lhs;
  if (!mask.isUniform() || !mask.getConstant() || *mask.getConstant() < 0)
    return LaneShape::varying();
  auto bits = static_cast<uint64_t>(*mask.getConstant());
  // The mask reaches bits of the base.
  if (value.getAlignment() < 64 && bits >> value.getAlignment())
    return LaneShape::varying();
  return LaneShape::known(combine(value, mask,
                                  [&](int64_t offset, int64_t) {
                                    return static_cast<int64_t>(offset & bits);
                                  }),
                          0);
}

/// Unknown as long as an operand is: the fixed point comes back.
LaneShape LaneDivergence::transferBinary(BinaryOperator &inst,
                                         unsigned element) {
  LaneShape lhs = get(inst.getOperand(0), element);
  LaneShape rhs = get(inst.getOperand(1), element);
  if (lhs.isUnknown() || rhs.isUnknown())
    return LaneShape();
  if (lhs.isVarying() || rhs.isVarying())
    return LaneShape::varying();
  Type *type = inst.getType()->getScalarType();
  unsigned opcode = inst.getOpcode();
  bool isUniform = lhs.isUniform() && rhs.isUniform();
  // Floating point has no offsets, and wide integers do not fit them.
  if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
    return isUniform ? LaneShape::uniform() : LaneShape::varying();
  // Both are constants in every lane: computed here.
  if (lhs.getConstant() && rhs.getConstant()) {
    LaneShape shape = evaluate(opcode, type->getIntegerBitWidth(), lhs, rhs);
    if (!shape.isVarying())
      return shape;
    return isUniform ? LaneShape::uniform() : shape;
  }
  // A sum is a multiple of what both parts are multiples of.
  unsigned least = std::min(lhs.getAlignment(), rhs.getAlignment());
  auto add = [](uint64_t a, uint64_t b) { return a + b; };
  switch (opcode) {
  case Instruction::Add:
    return LaneShape::affine(combine(lhs, rhs, add), least);
  case Instruction::Sub:
    return LaneShape::affine(
        combine(lhs, rhs, [](uint64_t a, uint64_t b) { return a - b; }), least);
  case Instruction::Mul: {
    unsigned alignment = std::min(lhs.getAlignment() + rhs.getAlignment(),
                                  LaneShape::maxAlignment);
    if (isUniform)
      return LaneShape::uniform(alignment);
    // Offsets are multiplied, too, and have to stay constants: the factor has
    // to be one.
    const LaneShape &factor = lhs.isUniform() ? lhs : rhs;
    if (!factor.isUniform() || !factor.getConstant())
      return LaneShape::varying();
    int64_t number = *factor.getConstant();
    const LaneShape &other = lhs.isUniform() ? rhs : lhs;
    return LaneShape::affine(
        combine(other, other,
                [&](uint64_t offset, uint64_t) { return offset * number; }),
        alignment);
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: {
    LaneShape shape = transferShift(inst, lhs, rhs);
    // Uniform operands have a uniform result, whatever the amount.
    return isUniform && shape.isVarying() ? LaneShape::uniform() : shape;
  }
  case Instruction::Or:
    if (isUniform)
      return LaneShape::uniform(least);
    // Disjoint bits: or is a sum.
    if (cast<PossiblyDisjointInst>(inst).isDisjoint())
      return LaneShape::affine(combine(lhs, rhs, add), least);
    [[fallthrough]];
  case Instruction::Xor: {
    if (isUniform)
      return LaneShape::uniform(least);
    // Constants below what the other side's base leaves free.
    const LaneShape &known = lhs.getConstant() ? lhs : rhs;
    const LaneShape &other = lhs.getConstant() ? rhs : lhs;
    if (known.getConstant() && other.isUniform() &&
        staysBelow(known, other.getAlignment(), type->getIntegerBitWidth(),
                   numLanes))
      return LaneShape::affine(combine(lhs, rhs, add), least);
    return LaneShape::varying();
  }
  case Instruction::And:
    // A multiple of 16 in one operand has zeros there in the result.
    if (isUniform)
      return LaneShape::uniform(
          std::max(lhs.getAlignment(), rhs.getAlignment()));
    return transferAnd(lhs, rhs);
  // Divisions, of which only known ones are affine.
  default:
    return isUniform ? LaneShape::uniform() : LaneShape::varying();
  }
}

/// Casts between integers and pointers keep shapes as far as no lane wraps
/// around on the way.
LaneShape LaneDivergence::transferCast(CastInst &inst, unsigned element) {
  Value *source = inst.getOperand(0);
  // Elements are regrouped: those of equal numbers do not belong together.
  if (getNumScalars(source->getType()) != getNumScalars(inst.getType()))
    return areOperandsUniform(inst)    ? LaneShape::uniform()
           : isAnyOperandUnknown(inst) ? LaneShape()
                                       : LaneShape::varying();
  LaneShape shape = get(source, element);
  if (shape.isUnknown() || shape.isVarying())
    return shape;
  Type *type = inst.getType()->getScalarType();
  switch (inst.getOpcode()) {
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return shape;
  case Instruction::Trunc:
    if (shape.getConstant()) {
      unsigned bits = type->getIntegerBitWidth();
      // A sum at the narrow width cuts every lane.
      LaneShape zero = LaneShape::constant(0);
      return bits > 64 ? LaneShape::varying()
                       : evaluate(Instruction::Add, bits, shape, zero);
    }
    // Differences modulo the new width.
    return LaneShape::affine(shape.getOffsets(), shape.getAlignment());
  case Instruction::SExt:
  case Instruction::ZExt: {
    if (shape.isUniform() && !shape.getConstant())
      return LaneShape::uniform(shape.getAlignment());
    if (shape.getConstant()) {
      // Constants are kept sign extended.
      bool isZero = inst.getOpcode() == Instruction::ZExt;
      // One negative lane changes its offset to the others when it is extended
      // with zeros.
      unsigned bits = source->getType()->getScalarSizeInBits();
      for (unsigned lane = 0; lane < numLanes; ++lane)
        if (isZero && *shape.getConstant() + shape.getOffset(lane) < 0) {
          if (shape.isUniform() && bits < 64)
            return LaneShape::constant(*shape.getConstant() &
                                       maskTrailingOnes<uint64_t>(bits));
          return shape.isUniform() ? LaneShape::uniform()
                                   : LaneShape::varying();
        }
      return shape;
    }
    // No lane may wrap around: none carries out of the low bits.
    unsigned bits = source->getType()->getScalarSizeInBits();
    // The sign bit has to stay as it is.
    if (inst.getOpcode() == Instruction::SExt)
      --bits;
    return staysBelow(shape, shape.getAlignment(), bits, numLanes)
               ? LaneShape::affine(shape.getOffsets(), shape.getAlignment())
               : LaneShape::varying();
  }
  // Bits of floats are no numbers with offsets.
  case Instruction::BitCast:
    if (type->isIntegerTy() && source->getType()->isIntOrIntVectorTy())
      return shape;
    [[fallthrough]];
  default:
    return shape.isUniform() ? LaneShape::uniform() : LaneShape::varying();
  }
}

/// base + index * stride, in bytes; an index that is a constant in all lanes,
/// or affine, keeps the pointer affine. This is where runs of neighbouring
/// elements are recognized from.
LaneShape LaneDivergence::transferGEP(GetElementPtrInst &inst,
                                      unsigned element) {
  auto getOperand = [&](Value *operand) {
    return get(operand, operand->getType()->isVectorTy() ? element : 0);
  };
  const DataLayout &layout = module.getDataLayout();
  LaneShape result = getOperand(inst.getPointerOperand());
  for (auto it = gep_type_begin(inst), end = gep_type_end(inst); it != end;
       ++it) {
    LaneShape index = getOperand(it.getOperand());
    if (result.isUnknown() || index.isUnknown())
      return LaneShape();
    if (result.isVarying() || index.isVarying())
      return LaneShape::varying();
    // Fields of structs are at constant places, the same for all lanes.
    if (it.getStructTypeOrNull())
      continue;
    // A narrow index is sign extended, which may wrap around between lanes.
    unsigned bits = it.getOperand()->getType()->getScalarSizeInBits();
    if (bits < 64 && !index.getConstant() && !index.isUniform() &&
        !staysBelow(index, index.getAlignment(), bits - 1, numLanes))
      return LaneShape::varying();
    // Bytes from one index to the next.
    auto stride = static_cast<int64_t>(it.getSequentialElementStride(layout));
    unsigned alignment =
        std::min(index.getAlignment() + LaneShape::getAlignmentOf(stride),
                 LaneShape::maxAlignment);
    result = LaneShape::affine(
        combine(result, index,
                [&](uint64_t a, uint64_t b) { return a + b * stride; }),
        std::min(result.getAlignment(), alignment));
  }
  return result;
}

/// At a join lanes come from different predecessors, each with its own value;
/// elsewhere all lanes come the same way.
LaneShape LaneDivergence::transferPhi(FunctionDivergence &function,
                                      PHINode &phi, unsigned element) {
  if (function.joins.contains(phi.getParent()))
    return LaneShape::varying();
  LaneShape result;
  for (Value *incoming : phi.incoming_values())
    result = result.meet(get(incoming, element));
  // A base that a loop changes is no constant, whatever it starts from.
  return result;
}

/// Lanes that choose alike have what both values have in common.
LaneShape LaneDivergence::transferSelect(SelectInst &inst, unsigned element) {
  LaneShape condition =
      get(inst.getCondition(),
          inst.getCondition()->getType()->isVectorTy() ? element : 0);
  LaneShape first = get(inst.getTrueValue(), element);
  LaneShape second = get(inst.getFalseValue(), element);
  if (condition.isUnknown())
    return LaneShape();
  if (!condition.isUniform())
    return LaneShape::varying();
  return first.meet(second);
}

/// Constant indices move the shapes of elements, other indices mix them.
void LaneDivergence::transferVector(Instruction &inst,
                                    SmallVectorImpl<LaneShape> &result) {
  bool isUniform = areOperandsUniform(inst);
  if (auto *extract = dyn_cast<ExtractElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(extract->getIndexOperand());
    if (index &&
        index->getValue().ult(getNumScalars(extract->getVectorOperandType())))
      result[0] = get(extract->getVectorOperand(), index->getZExtValue());
    else
      result[0] = isUniform ? LaneShape::uniform() : LaneShape::varying();
    return;
  }
  if (auto *insert = dyn_cast<InsertElementInst>(&inst)) {
    auto *index = dyn_cast<ConstantInt>(insert->getOperand(2));
    for (auto [element, shape] : enumerate(result)) {
      // Any element may have been replaced.
      if (!index)
        shape = isUniform ? LaneShape::uniform() : LaneShape::varying();
      else
        shape = index->getValue() == element
                    ? get(insert->getOperand(1))
                    : get(insert->getOperand(0), element);
    }
    return;
  }
  auto &shuffle = cast<ShuffleVectorInst>(inst);
  unsigned width = getNumScalars(shuffle.getOperand(0)->getType());
  for (auto [element, source] : enumerate(shuffle.getShuffleMask()))
    if (source >= 0)
      result[element] = get(shuffle.getOperand(unsigned(source) / width),
                            unsigned(source) % width);
}

/// Shapes of what a call returns.
void LaneDivergence::transferCall(CallInst &call,
                                  SmallVectorImpl<LaneShape> &result) {
  auto fill = [&](LaneShape shape) { result.assign(result.size(), shape); };
  Function *callee = call.getCalledFunction();
  // The module's own functions: the forms of their return values. Offsets are
  // not part of a signature, so affine results come back as rows.
  if (callee && !callee->isDeclaration()) {
    // A masked function returns rows, since lanes may return different ways.
    FunctionDivergence &function = getFunction(*callee);
    for (auto [shape, other] : zip_equal(result, function.result))
      shape = other.isUnknown()                         ? other
              : other.isUniform() && !function.isMasked ? LaneShape::uniform()
                                                        : LaneShape::varying();
    return;
  }
  switch (getBuiltin(call).kind) {
  case BuiltinKind::LaneId: {
    LaneOffsets lanes(numLanes);
    for (unsigned lane = 0; lane < numLanes; ++lane)
      lanes[lane] = lane;
    return fill(LaneShape::known(intern(std::move(lanes)), 0));
  }
  // One for the whole sub-group.
  case BuiltinKind::SubGroupId:
  case BuiltinKind::GroupId:
  case BuiltinKind::NumGroups:
  case BuiltinKind::WorkGroupAny:
  case BuiltinKind::ReadClock:
  case BuiltinKind::SliceId:
  case BuiltinKind::ProcessorId:
  case BuiltinKind::Reduce:
    return fill(LaneShape::uniform());
  case BuiltinKind::Shuffle:
    // One lane's value, for all of them.
    if (get(call.getArgOperand(1)).isUniform())
      return fill(LaneShape::uniform());
    break;
  // Each lane has a part of the result: elements of a matrix, in rows of
  // memory; and emitPrintf returns a row.
  case BuiltinKind::MatrixMad:
  case BuiltinKind::Printf:
    return fill(LaneShape::varying());
  default:
    break;
  }
  if (isAnyOperandUnknown(call))
    return;
  // Functions of elements, and others that are called with one.
  for (auto [element, shape] : enumerate(result)) {
    bool isUniform = true;
    for (Value *operand : call.args()) {
      unsigned count = getNumScalars(operand->getType());
      if (count == result.size())
        isUniform &= get(operand, element).isUniform();
      else
        for (unsigned other = 0; other < count; ++other)
          isUniform &= get(operand, other).isUniform();
    }
    shape = isUniform ? LaneShape::uniform() : LaneShape::varying();
  }
}

/// Returns a uniform shape if the scalar elements of all operands are uniform.
/// Operands that are constants but undefined hold nothing up.
LaneShape LaneDivergence::transferElementwise(Instruction &inst,
                                              unsigned element) {
  bool isUniform = true;
  for (Value *operand : inst.operands()) {
    LaneShape shape = get(operand, element);
    if (shape.isUnknown() && !isa<Constant>(operand))
      return LaneShape();
    isUniform &= shape.isUniform();
  }
  return isUniform ? LaneShape::uniform() : LaneShape::varying();
}

/// Returns the shapes of all scalar elements of a result, from those of the
/// operands as they are now. Marks results that point into private memory on
/// the way.
SmallVector<LaneShape> LaneDivergence::transfer(FunctionDivergence &function,
                                                Instruction &inst) {
  SmallVector<LaneShape> result(getNumScalars(inst.getType()));
  auto forEachElement = [&](auto &&getShape) {
    for (auto [element, shape] : enumerate(result))
      shape = getShape(element);
    return result;
  };
  auto markPrivate = [&](Value *pointer) {
    if (isPrivate(pointer))
      privatePointers.insert(&inst);
  };
  auto fill = [&](LaneShape shape) {
    result.assign(result.size(), shape);
    return result;
  };
  switch (inst.getOpcode()) {
  // Pointers into private memory stay so through phis, selects, address
  // arithmetic and casts.
  case Instruction::PHI:
    for (Value *incoming : cast<PHINode>(inst).incoming_values())
      markPrivate(incoming);
    return forEachElement([&](unsigned element) {
      return transferPhi(function, cast<PHINode>(inst), element);
    });
  case Instruction::Select:
    markPrivate(inst.getOperand(1));
    markPrivate(inst.getOperand(2));
    return forEachElement([&](unsigned element) {
      return transferSelect(cast<SelectInst>(inst), element);
    });
  case Instruction::GetElementPtr:
    markPrivate(inst.getOperand(0));
    return forEachElement([&](unsigned element) {
      return transferGEP(cast<GetElementPtrInst>(inst), element);
    });
  case Instruction::Alloca:
    privatePointers.insert(&inst);
    // Where it is, is the same for all lanes; what is in it is not.
    return fill(LaneShape::uniform());
  // Every lane has its own private memory, where it may have stored a different
  // value; other memory gives the same to all at the same address.
  case Instruction::Load:
    if (isPrivate(inst.getOperand(0)) && !isUniformMemory(inst.getOperand(0)))
      return fill(LaneShape::varying());
    if (get(inst.getOperand(0)).isUnknown())
      return result;
    return fill(get(inst.getOperand(0)).isUniform() ? LaneShape::uniform()
                                                    : LaneShape::varying());
  case Instruction::AtomicRMW:
  // Lanes run one after the other and see each other's results.
  case Instruction::AtomicCmpXchg:
    return fill(LaneShape::varying());
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    transferVector(inst, result);
    return result;
  // Aggregates: shapes move with the scalar elements.
  case Instruction::ExtractValue: {
    auto &extract = cast<ExtractValueInst>(inst);
    Value *source = extract.getAggregateOperand();
    unsigned first = getFirstScalar(source->getType(), extract.getIndices());
    return forEachElement([&](unsigned i) { return get(source, first + i); });
  }
  case Instruction::InsertValue: {
    auto &insert = cast<InsertValueInst>(inst);
    Value *part = insert.getInsertedValueOperand();
    unsigned first = getFirstScalar(inst.getType(), insert.getIndices());
    unsigned count = getNumScalars(part->getType());
    return forEachElement([&](unsigned element) {
      return element - first < count
                 ? get(part, element - first)
                 : get(insert.getAggregateOperand(), element);
    });
  }
  case Instruction::Freeze:
    return forEachElement(
        [&](unsigned element) { return get(inst.getOperand(0), element); });
  case Instruction::Call:
    transferCall(cast<CallInst>(inst), result);
    return result;
  default:
    break;
  }
  if (isa<BinaryOperator>(inst))
    return forEachElement([&](unsigned element) {
      return transferBinary(cast<BinaryOperator>(inst), element);
    });
  if (isa<CastInst>(inst)) {
    if (inst.getOpcode() == Instruction::AddrSpaceCast)
      markPrivate(inst.getOperand(0));
    return forEachElement([&](unsigned element) {
      return transferCast(cast<CastInst>(inst), element);
    });
  }
  // Comparisons and negations.
  return forEachElement(
      [&](unsigned element) { return transferElementwise(inst, element); });
}

} // namespace triton::intel::cpu
