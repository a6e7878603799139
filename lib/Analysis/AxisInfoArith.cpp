//===- AxisInfoArith.cpp - Axis facts through arithmetic ------------------===//
// SPDX-License-Identifier: MIT
//
// Integer arithmetic on bit patterns. The recurring argument: let `b` be a
// power of two, x a contiguous group of b elements that starts at a multiple of
// b, and y constant over the group and a multiple of b. Then x only varies in
// the bits below b, which are 0 in y. So y lies on one side of the whole group
// (comparisons are constant), x / y is constant, x % y, x | y and x ^ y are
// contiguous, x & y is constant. For signed division and remainder x must not
// be negative, since those round towards 0.
//
//===----------------------------------------------------------------------===//

#include "AxisInfoTransfer.h"

#include "triton/Dialect/Triton/IR/Dialect.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::triton::axis {
namespace {

/// Bits of an integer or of each element of a tensor; what MLIR stores for
/// `index`.
unsigned getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    return IndexType::kInternalStorageBitWidth;
  return element.getIntOrFloatBitWidth();
}

/// Whether the type is an integer, an index or a tensor of them.
bool isInteger(Type type) { return getElementTypeOrSelf(type).isIntOrIndex(); }

/// As AxisInfo stores constants: sign-extended, i1 as 0 or 1.
int64_t toConstant(const APInt &value) {
  return value.getBitWidth() == 1 ? value.getZExtValue() : value.getSExtValue();
}

/// Back from that, cut to `width` bits.
APInt fromConstant(int64_t value, unsigned width) {
  return APInt(width, value, /*isSigned=*/true, /*implicitTrunc=*/true);
}

/// One operand pair of a binary operation and what its visitors share.
struct Binary {
  /// Of the result, and the width of the operands.
  Type type;
  unsigned width;
  /// Of the operands. Both have as many axes as the result.
  const AxisInfo &lhs, &rhs;

  unsigned rank() const { return lhs.getRank(); }

  /// Facts that any function of the two has: equal operands, equal results.
  AxisInfo elementwise() const {
    SmallVector<Axis, 4> axes;
    for (unsigned dim = 0; dim < rank(); ++dim)
      axes.push_back(
          {1, 1, std::min(lhs.getConstancy(dim), rhs.getConstancy(dim))});
    return AxisInfo(std::move(axes), getUnit(type));
  }

  /// The largest b of the argument above, x and y being the operands.
  int64_t alignedGroup(const AxisInfo &x, const AxisInfo &y,
                       unsigned dim) const {
    // In a group of more values the sign would change.
    int64_t half = int64_t(1) << std::min(62u, width - 1);
    return std::min({x.getAlignedContiguity(dim), y.getConstancy(dim),
                     y.getElementDivisibility(), half});
  }
};

/// Sets what holds for all elements along every axis.
void setElementDivisibility(AxisInfo &info, int64_t divisibility) {
  for (unsigned dim = 0; dim < info.getRank(); ++dim)
    info.refine(dim, Axis{1, divisibility, 1});
}

/// Whether both operands are known not to be negative.
bool areNonNegative(const Binary &op) {
  return op.lhs.isNonNegative() && op.rhs.isNonNegative();
}

/// Sets the range of a sum, difference or product; returns whether it visibly
/// may not fit into the type.
bool setRange(AxisInfo &result, const Binary &op, bool isNonNegative,
              bool isProduct) {
  unsigned bits = AxisInfo::kUnknownBits;
  // Bits without the sign. A sum takes one more, a product all of both.
  if (op.lhs.isBounded() && op.rhs.isBounded()) {
    unsigned l = op.lhs.getBits(), r = op.rhs.getBits();
    // The product of the two most negative values is one beyond.
    bits = isProduct ? l + r + !isNonNegative : std::max(l, r) + 1;
    // It may wrap around: then only the width of the type is sure.
    if (bits >= op.width) {
      result.setRange(/*isNonNegative=*/false, op.width - 1);
      return true;
    }
  }
  result.setRange(isNonNegative, bits);
  return false;
}

//===----------------------------------------------------------------------===//
// Addition and multiplication
//===----------------------------------------------------------------------===//

/// lhs - rhs. A group that counts up on the left, minus the same for all of it,
/// counts up.
AxisInfo inferSub(const Binary &op) {
  AxisInfo result = op.elementwise();
  // What divides both divides the difference.
  setElementDivisibility(result, std::min(op.lhs.getElementDivisibility(),
                                          op.rhs.getElementDivisibility()));
  bool mayWrap = setRange(result, op, /*isNonNegative=*/false,
                          /*isProduct=*/false);
  for (unsigned dim = 0; dim < op.rank(); ++dim) {
    // First elements of groups of this size are differences of first elements.
    auto getDivisibility = [&](int64_t group) {
      return std::min(op.lhs.getDivisibilityOfGroups(dim, group),
                      op.rhs.getDivisibilityOfGroups(dim, group));
    };
    // Of the right operand, only constancy helps: minus a range counts down.
    int64_t group =
        std::min(op.lhs.getContiguity(dim), op.rhs.getConstancy(dim));
    // A group that starts at a multiple of its own size does not wrap within.
    if (mayWrap)
      group = std::min(group, getDivisibility(group));
    result.refine(dim, Axis{group, getDivisibility(group), 1});
  }
  return result;
}

/// lhs * rhs. Facts about groups are lost: their elements are no neighbours any
/// more.
AxisInfo inferMul(const Binary &op) {
  // Zero times anything, and one times anything.
  if (op.lhs.getConstantValue() == 0 || op.rhs.getConstantValue() == 0)
    return AxisInfo::getConstant(op.type, 0);
  // i1 has the multiplicative unit 1 too.
  if (op.lhs.getConstantValue() == 1)
    return op.rhs;
  if (op.rhs.getConstantValue() == 1)
    return op.lhs;
  AxisInfo result = op.elementwise();
  // Divisors multiply.
  setElementDivisibility(result,
                         multiplyDivisors(op.lhs.getElementDivisibility(),
                                          op.rhs.getElementDivisibility()));
  setRange(result, op, areNonNegative(op), /*isProduct=*/true);
  return result;
}

/// lhs << rhs: a product, if the shift is known.
AxisInfo inferShl(const Binary &op) {
  std::optional<int64_t> shift = op.rhs.getConstantValue();
  if (!shift) {
    // A shift to the left keeps what divides, whatever it shifts by.
    AxisInfo result = op.elementwise();
    setElementDivisibility(result, op.lhs.getElementDivisibility());
    return result;
  }
  // The result is poison.
  if (*shift < 0 || *shift >= op.width)
    return AxisInfo::getPessimistic(op.type);
  // Factors from 2^62 on are not computed with.
  if (*shift >= 62)
    return op.elementwise();
  AxisInfo factor = AxisInfo::getConstant(op.type, int64_t(1) << *shift);
  return inferMul(Binary{op.type, op.width, op.lhs, factor});
}

//===----------------------------------------------------------------------===//
// Division and shifts to the right
//===----------------------------------------------------------------------===//

/// lhs / rhs where that rounds as floor does. `exactDivisor` is rhs where it is
/// a constant power of two, otherwise 0.
AxisInfo inferFloorDiv(const Binary &op, int64_t exactDivisor) {
  AxisInfo result = op.elementwise();
  for (unsigned dim = 0; dim < op.rank(); ++dim)
    result.refine(dim, Axis{1, 1, op.alignedGroup(op.lhs, op.rhs, dim)});
  int64_t divisibility = op.lhs.getElementDivisibility();
  if (exactDivisor > 0 && divisibility >= exactDivisor)
    setElementDivisibility(result, divisibility / exactDivisor);
  return result;
}

/// The divisor, if it is a constant power of two.
int64_t getPowerOfTwoDivisor(std::optional<int64_t> divisor) {
  return divisor && *divisor > 0 && llvm::isPowerOf2_64(*divisor) ? *divisor
                                                                  : 0;
}

/// lhs / rhs, which rounds towards zero.
AxisInfo inferDiv(const Binary &op, bool isSigned) {
  std::optional<int64_t> divisor = op.rhs.getConstantValue();
  // Undefined.
  if (divisor == 0)
    return AxisInfo::getPessimistic(op.type);
  // As i1 is stored as 0 or 1, its signed division by 1 is one by -1.
  if (divisor == 1 && op.width > 1)
    return op.lhs;
  int64_t exactDivisor = getPowerOfTwoDivisor(divisor);
  AxisInfo result = op.elementwise();
  // Without negative dividends, rounding towards zero is rounding down.
  if (!isSigned || op.lhs.isNonNegative())
    result = inferFloorDiv(op, exactDivisor);
  // An exact quotient does not round at all.
  else if (exactDivisor && op.lhs.getElementDivisibility() >= exactDivisor)
    setElementDivisibility(result,
                           op.lhs.getElementDivisibility() / exactDivisor);
  // A quotient is no larger than the dividend; see "What is assumed" for
  // divisors of unknown sign.
  bool isPositive = !isSigned || op.rhs.isNonNegative() || !op.rhs.isBounded();
  if (op.lhs.isNonNegative() && isPositive)
    result.setRange(/*isNonNegative=*/true, op.lhs.getBits());
  return result;
}

/// Arithmetic shifts are floor divisions of negative numbers too.
AxisInfo inferShr(const Binary &op) {
  std::optional<int64_t> shift = op.rhs.getConstantValue();
  if (shift && (*shift < 0 || *shift >= op.width))
    return AxisInfo::getPessimistic(op.type);
  if (shift == 0)
    return op.lhs;
  AxisInfo result = op.elementwise();
  // The divisor as a constant of its own.
  if (shift && *shift < 62) {
    int64_t factor = int64_t(1) << *shift;
    AxisInfo divisor = AxisInfo::getConstant(op.type, factor);
    result = inferFloorDiv(Binary{op.type, op.width, op.lhs, divisor}, factor);
  }
  if (op.lhs.isNonNegative())
    result.setRange(/*isNonNegative=*/true, op.lhs.getBits());
  return result;
}

/// lhs % rhs, with the sign of the dividend.
AxisInfo inferRem(const Binary &op, bool isSigned) {
  std::optional<int64_t> divisor = op.rhs.getConstantValue();
  if (divisor == 0)
    return AxisInfo::getPessimistic(op.type);
  bool isNonNegative = op.lhs.isNonNegative();
  // Dividends that are all less than the divisor stay what they are.
  if (isNonNegative && divisor && op.lhs.getBits() < 63 &&
      *divisor >= int64_t(1) << op.lhs.getBits())
    return op.lhs;
  AxisInfo result = op.elementwise();
  // What divides both divides the remainder.
  setElementDivisibility(result, std::min(op.lhs.getElementDivisibility(),
                                          op.rhs.getElementDivisibility()));
  // For negative dividends nothing is known of groups.
  if (isSigned && !isNonNegative)
    return result;
  for (unsigned dim = 0; dim < op.rank(); ++dim) {
    int64_t group = op.alignedGroup(op.lhs, op.rhs, dim);
    result.refine(dim, Axis{group,
                            std::min(op.lhs.getDivisibilityOfGroups(dim, group),
                                     op.rhs.getElementDivisibility()),
                            1});
  }
  // The remainder is less than the divisor, and no more than the dividend.
  bool isSmall = divisor && *divisor > 0;
  unsigned bits = isSmall ? getBitsOf(*divisor - 1) : AxisInfo::kUnknownBits;
  if (isNonNegative)
    bits = std::min(bits, op.lhs.getBits());
  result.setRange(isNonNegative || isSmall, bits);
  return result;
}

//===----------------------------------------------------------------------===//
// Bits, minimum and maximum, comparisons
//===----------------------------------------------------------------------===//

/// lhs & rhs.
AxisInfo inferAnd(const Binary &op) {
  if (op.lhs.getConstantValue() == 0 || op.rhs.getConstantValue() == 0)
    return AxisInfo::getConstant(op.type, 0);
  AxisInfo result = op.elementwise();
  // A zero in the low bits of either is one in the result.
  setElementDivisibility(result, std::max(op.lhs.getElementDivisibility(),
                                          op.rhs.getElementDivisibility()));
  for (auto [x, y] :
       {std::pair{&op.lhs, &op.rhs}, std::pair{&op.rhs, &op.lhs}}) {
    // A mask of low bits, plus maybe others that stay the same in a group.
    int64_t lowOnes = 1;
    if (auto mask = y->getConstantValue())
      lowOnes = int64_t(1) << std::min(62, llvm::countr_one(uint64_t(*mask)));
    for (unsigned dim = 0; dim < op.rank(); ++dim) {
      // Within such a group only bits that the mask keeps are counted.
      int64_t group = std::min(x->getAlignedContiguity(dim), lowOnes);
      // A group of one element may be constant at a larger scale instead.
      result.refine(dim, Axis{group, x->getDivisibilityOfGroups(dim, group),
                              group > 1 ? 1 : op.alignedGroup(*x, *y, dim)});
    }
    // The result is no larger than an operand that is not negative.
    if (y->isNonNegative())
      result.setRange(true, std::min(y->getBits(), result.getBits()));
  }
  return result;
}

/// Inclusive or exclusive.
AxisInfo inferOr(const Binary &op) {
  AxisInfo result = op.elementwise();
  setElementDivisibility(result, std::min(op.lhs.getElementDivisibility(),
                                          op.rhs.getElementDivisibility()));
  for (auto [x, y] :
       {std::pair{&op.lhs, &op.rhs}, std::pair{&op.rhs, &op.lhs}}) {
    for (unsigned dim = 0; dim < op.rank(); ++dim) {
      int64_t group = op.alignedGroup(*x, *y, dim);
      result.refine(dim, Axis{group,
                              std::min(x->getDivisibilityOfGroups(dim, group),
                                       y->getElementDivisibility()),
                              1});
    }
  }
  result.setRange(areNonNegative(op),
                  std::max(op.lhs.getBits(), op.rhs.getBits()));
  return result;
}

/// min(lhs, rhs) or max(lhs, rhs).
AxisInfo inferMinMax(const Binary &op, bool isMin, bool isSigned) {
  // min(x, bound) with x known to be no larger is x.
  for (auto [x, y] :
       {std::pair{&op.lhs, &op.rhs}, std::pair{&op.rhs, &op.lhs}}) {
    std::optional<int64_t> bound = y->getConstantValue();
    // `x` has at most this many bits, so it cannot be beyond the bound.
    if (!x->isNonNegative() || x->getBits() >= 63 || !bound ||
        *bound < (int64_t(1) << x->getBits()) - 1)
      continue;
    return isMin ? *x : AxisInfo::getConstant(op.type, *bound);
  }
  AxisInfo result = op.elementwise();
  setElementDivisibility(result, std::min(op.lhs.getElementDivisibility(),
                                          op.rhs.getElementDivisibility()));
  // One operand is enough for the larger of signed, the smaller of unsigned
  // values.
  bool isNonNegative = areNonNegative(op);
  if (isMin != isSigned)
    isNonNegative |= op.lhs.isNonNegative() || op.rhs.isNonNegative();
  result.setRange(isNonNegative, std::max(op.lhs.getBits(), op.rhs.getBits()));
  return result;
}

/// Is the predicate constant over an aligned group on the left against a
/// multiple on the right? Then x < y holds for all or for none, but x <= y may
/// hold for the first alone.
bool isMonotoneInGroup(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  return llvm::is_contained({P::slt, P::sge, P::ult, P::uge}, predicate);
}

/// The predicate p' with p(x, y) = p'(y, x).
arith::CmpIPredicate swapOperands(arith::CmpIPredicate predicate) {
  using P = arith::CmpIPredicate;
  switch (predicate) {
  case P::eq:
  case P::ne:
    return predicate;
  case P::slt:
    return P::sgt;
  case P::sle:
    return P::sge;
  case P::sgt:
    return P::slt;
  case P::sge:
    return P::sle;
  case P::ult:
    return P::ugt;
  case P::ule:
    return P::uge;
  case P::ugt:
    return P::ult;
  case P::uge:
    return P::ule;
  }
  llvm_unreachable("all predicates are handled");
}

/// A comparison: two constants have a result, groups on one side have the same
/// one.
AxisInfo inferCmp(arith::CmpIOp cmp, const Binary &op) {
  auto l = op.lhs.getConstantValue(), r = op.rhs.getConstantValue();
  if (l && r) {
    unsigned width = getWidth(cmp.getLhs().getType());
    return AxisInfo::getConstant(
        op.type,
        arith::applyCmpPredicate(cmp.getPredicate(), fromConstant(*l, width),
                                 fromConstant(*r, width)));
  }
  AxisInfo result = op.elementwise();
  for (unsigned dim = 0; dim < op.rank(); ++dim) {
    int64_t constancy = 1;
    // x is the group, or y is.
    if (isMonotoneInGroup(cmp.getPredicate()))
      constancy = op.alignedGroup(op.lhs, op.rhs, dim);
    else if (isMonotoneInGroup(swapOperands(cmp.getPredicate())))
      constancy = op.alignedGroup(op.rhs, op.lhs, dim);
    result.refine(dim, Axis{1, 1, constancy});
  }
  return result;
}

/// A choice: one for all elements, or one for each.
AxisInfo inferSelect(arith::SelectOp op, Operands operands) {
  const AxisInfo &condition = *operands[0];
  // Known which one it is.
  if (auto value = condition.getConstantValue())
    return *value ? *operands[1] : *operands[2];
  // Facts that hold for both hold whichever is chosen.
  AxisInfo either = AxisInfo::join(*operands[1], *operands[2]);
  if (!isa<RankedTensorType>(op.getCondition().getType()) ||
      either.getConstantValue())
    return either;
  SmallVector<Axis, 4> axes;
  for (unsigned dim = 0; dim < either.getRank(); ++dim) {
    // Either all of the group comes from one operand ...
    int64_t group =
        std::min(either.getContiguity(dim), condition.getConstancy(dim));
    axes.push_back(
        {group, either.getDivisibilityOfGroups(dim, group),
         std::min(either.getConstancy(dim), condition.getConstancy(dim))});
  }
  AxisInfo result(std::move(axes), either.getUnit());
  result.setRange(either.isNonNegative(),
                  std::max(operands[1]->getBits(), operands[2]->getBits()));
  return result;
}

//===----------------------------------------------------------------------===//
// Constants and casts
//===----------------------------------------------------------------------===//

/// Integers, splats and other dense constants.
AxisInfo inferConstant(arith::ConstantOp op) {
  Type type = op.getType();
  if (auto integer = dyn_cast<IntegerAttr>(op.getValue());
      integer && integer.getValue().getBitWidth() <= 64)
    return AxisInfo::getConstant(type, toConstant(integer.getValue()));
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  AxisInfo result = AxisInfo::getPessimistic(type);
  // Also of floats: the same everywhere.
  if (elements && elements.isSplat())
    for (auto [dim, size] : llvm::enumerate(getAxisShape(type)))
      result.refine(dim, Axis{1, 1, size});
  // Of an integer tensor with different elements, what divides all of them.
  auto integers = dyn_cast_or_null<DenseIntElementsAttr>(elements);
  if (!integers || getWidth(type) > 64)
    return result;
  if (integers.isSplat())
    return AxisInfo::getConstant(type,
                                 toConstant(integers.getSplatValue<APInt>()));
  int64_t divisibility = AxisInfo::kMaxDivisibility;
  for (const APInt &value : integers.getValues<APInt>())
    divisibility =
        std::min(divisibility, getPowerOfTwoFactor(value.getSExtValue()));
  setElementDivisibility(result, divisibility);
  return result;
}

/// The low bits alone.
AxisInfo inferTrunc(Type to, const AxisInfo &info) {
  unsigned width = getWidth(to);
  if (auto value = info.getConstantValue())
    return AxisInfo::getConstant(to, toConstant(fromConstant(*value, width)));
  // Cut to what is sure: the truncation may be meant to wrap around.
  SmallVector<Axis, 4> axes;
  for (unsigned dim = 0; dim < info.getRank(); ++dim) {
    int64_t group = info.getAlignedContiguity(dim);
    axes.push_back({group, info.getDivisibilityOfGroups(dim, group),
                    info.getConstancy(dim)});
  }
  AxisInfo result(std::move(axes), getUnit(to));
  if (info.getBits() < width)
    result.setRange(info.isNonNegative(), info.getBits());
  else if (info.isBounded())
    result.setRange(/*isNonNegative=*/false, width - 1);
  return result;
}

/// Extensions, truncations and casts to and from `index`; nothing for others.
std::optional<AxisInfo> inferCast(Operation *op, const AxisInfo &info) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  bool isSigned = isa<arith::ExtSIOp, arith::IndexCastOp>(op);
  if (!isSigned &&
      !isa<arith::ExtUIOp, arith::IndexCastUIOp, arith::TruncIOp>(op))
    return std::nullopt;
  // Casts of indices may go either way.
  if (getWidth(to) < getWidth(from))
    return inferTrunc(to, info);
  return inferExtension(from, to, info, isSigned);
}

//===----------------------------------------------------------------------===//
// Constant folding
//===----------------------------------------------------------------------===//

/// The value of an integer operation on constants; none where it is undefined.
std::optional<APInt> fold(Operation *op, const APInt &l, const APInt &r) {
  using Result = std::optional<APInt>;
  auto ifDefined = [](bool defined, auto compute) -> Result {
    return defined ? Result(compute()) : std::nullopt;
  };
  // Where these do not hold, the operation is undefined or poison.
  bool canDivide = !r.isZero();
  bool canDivideSigned = canDivide && !(l.isMinSignedValue() && r.isAllOnes());
  bool canShift = r.ult(l.getBitWidth());
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) { return l + r; })
      .Case([&](arith::SubIOp) { return l - r; })
      .Case([&](arith::MulIOp) { return l * r; })
      .Case([&](arith::AndIOp) { return l & r; })
      .Case([&](arith::OrIOp) { return l | r; })
      .Case([&](arith::XOrIOp) { return l ^ r; })
      .Case([&](arith::MinSIOp) { return llvm::APIntOps::smin(l, r); })
      .Case([&](arith::MaxSIOp) { return llvm::APIntOps::smax(l, r); })
      .Case([&](arith::MinUIOp) { return llvm::APIntOps::umin(l, r); })
      .Case([&](arith::MaxUIOp) { return llvm::APIntOps::umax(l, r); })
      .Case([&](arith::DivUIOp) {
        return ifDefined(canDivide, [&] { return l.udiv(r); });
      })
      .Case([&](arith::RemUIOp) {
        return ifDefined(canDivide, [&] { return l.urem(r); });
      })
      .Case([&](arith::DivSIOp) {
        return ifDefined(canDivideSigned, [&] { return l.sdiv(r); });
      })
      .Case([&](arith::RemSIOp) {
        return ifDefined(canDivideSigned, [&] { return l.srem(r); });
      })
      .Case([&](arith::ShLIOp) {
        return ifDefined(canShift, [&] { return l.shl(r); });
      })
      .Case([&](arith::ShRUIOp) {
        return ifDefined(canShift, [&] { return l.lshr(r); });
      })
      .Case([&](arith::ShRSIOp) {
        return ifDefined(canShift, [&] { return l.ashr(r); });
      })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

/// The visitor of each operation; nothing for those without one.
std::optional<AxisInfo> dispatchBinary(Operation *op, const Binary &binary) {
  using Result = std::optional<AxisInfo>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) {
        return inferSum(binary.type, binary.lhs, binary.rhs);
      })
      .Case([&](arith::SubIOp) { return inferSub(binary); })
      .Case([&](arith::MulIOp) { return inferMul(binary); })
      .Case([&](arith::ShLIOp) { return inferShl(binary); })
      .Case([&](arith::DivSIOp) { return inferDiv(binary, true); })
      .Case([&](arith::DivUIOp) { return inferDiv(binary, false); })
      .Case<arith::ShRSIOp, arith::ShRUIOp>(
          [&](auto) { return inferShr(binary); })
      .Case([&](arith::RemSIOp) { return inferRem(binary, true); })
      .Case([&](arith::RemUIOp) { return inferRem(binary, false); })
      .Case([&](arith::AndIOp) { return inferAnd(binary); })
      .Case<arith::OrIOp, arith::XOrIOp>([&](auto) { return inferOr(binary); })
      .Case([&](arith::MinSIOp) { return inferMinMax(binary, true, true); })
      .Case([&](arith::MaxSIOp) { return inferMinMax(binary, false, true); })
      .Case([&](arith::MinUIOp) { return inferMinMax(binary, true, false); })
      .Case([&](arith::MaxUIOp) { return inferMinMax(binary, false, false); })
      .Case([&](arith::CmpIOp cmp) { return inferCmp(cmp, binary); })
      .Default([](Operation *) -> Result { return std::nullopt; });
}

/// Any integer operation with two operands, on equal shapes.
std::optional<AxisInfo> inferBinary(Operation *op, Operands operands) {
  Type type = op->getResult(0).getType();
  // Wider integers than AxisInfo's constants are not looked at.
  if (operands.size() != 2 || !isInteger(op->getOperand(0).getType()) ||
      operands[0]->getRank() != operands[1]->getRank() ||
      getWidth(op->getOperand(0).getType()) > 64)
    return std::nullopt;
  unsigned width = getWidth(op->getOperand(0).getType());
  Binary binary{type, width, *operands[0], *operands[1]};
  // Two constants give a constant, where that is defined.
  auto l = binary.lhs.getConstantValue(), r = binary.rhs.getConstantValue();
  if (l && r)
    if (auto value = fold(op, fromConstant(*l, width), fromConstant(*r, width)))
      return AxisInfo::getConstant(type, toConstant(*value));
  std::optional<AxisInfo> result = dispatchBinary(op, binary);
  // What is made of visible values is visible.
  if (result && !result->isBounded() && binary.lhs.isBounded() &&
      binary.rhs.isBounded())
    result->setRange(result->isNonNegative(), getWidth(type) - 1);
  return result;
}

/// Any other function of single elements: equal operands give equal results.
std::optional<AxisInfo> inferElementwise(Operation *op, Operands operands) {
  if (!op->hasTrait<OpTrait::Elementwise>() || !isMemoryEffectFree(op) ||
      operands.empty())
    return std::nullopt;
  // Equal along an axis as far as all operands are.
  AxisInfo result = AxisInfo::getPessimistic(op->getResult(0).getType());
  for (unsigned dim = 0; dim < result.getRank(); ++dim) {
    int64_t constancy = AxisInfo::kMaxDivisibility;
    for (const AxisInfo *operand : operands) {
      if (operand->getRank() != result.getRank())
        return std::nullopt;
      constancy = std::min(constancy, operand->getConstancy(dim));
    }
    result.refine(dim, Axis{1, 1, constancy});
  }
  return result;
}

} // namespace

AxisInfo inferSum(Type type, const AxisInfo &lhs, const AxisInfo &rhs) {
  // Bytes for pointers, whose offsets count elements.
  int64_t unit = getUnit(type);
  bool isPointer = !isInteger(type);
  // Divisors of the right operand, in the unit of the left one.
  int64_t scale = isPointer ? unit : 1;
  Binary op{type, isPointer ? kPointerBitWidth : getWidth(type), lhs, rhs};
  AxisInfo result = op.elementwise();
  // What divides both summands divides the sum.
  setElementDivisibility(
      result, std::min(lhs.getElementDivisibility(),
                       multiplyDivisors(rhs.getElementDivisibility(), scale)));
  bool mayWrap = !isPointer && setRange(result, op, areNonNegative(op),
                                        /*isProduct=*/false);
  // One summand counts up, the other one is the same for the group.
  for (unsigned dim = 0; dim < lhs.getRank(); ++dim) {
    int64_t group =
        std::max(std::min(lhs.getContiguity(dim), rhs.getConstancy(dim)),
                 std::min(lhs.getConstancy(dim), rhs.getContiguity(dim)));
    auto getDivisibility = [&](int64_t group) {
      return std::min(
          lhs.getDivisibilityOfGroups(dim, group),
          multiplyDivisors(rhs.getDivisibilityOfGroups(dim, group), scale));
    };
    // See inferSub.
    if (mayWrap)
      group = std::min(group, getDivisibility(group));
    result.refine(dim, Axis{group, getDivisibility(group), 1});
  }
  return result;
}

AxisInfo inferExtension(Type from, Type to, const AxisInfo &info,
                        bool isSigned) {
  unsigned width = getWidth(from);
  if (width == getWidth(to))
    return info;
  // A constant is extended as one, if AxisInfo can hold it.
  if (auto value = info.getConstantValue()) {
    APInt bits = fromConstant(*value, width);
    APInt wide = isSigned ? bits.sext(getWidth(to)) : bits.zext(getWidth(to));
    if (getWidth(to) <= 64)
      return AxisInfo::getConstant(to, toConstant(wide));
  }
  // A group that is not aligned might wrap around within; see "What is assumed"
  // for where that is ruled out. Unsigned values wrap around at 0 already.
  bool mayKeep = width >= 32 && (isSigned || info.isNonNegative());
  SmallVector<Axis, 4> axes;
  for (unsigned dim = 0; dim < info.getRank(); ++dim) {
    int64_t group = info.getContiguity(dim);
    // A group of this size, aligned, does not cross the point where the sign
    // changes or unsigned values wrap around.
    if (!mayKeep) {
      int64_t limit = int64_t(1) << std::min(62u, isSigned ? width - 1 : width);
      group = std::min(info.getAlignedContiguity(dim), limit);
    }
    axes.push_back({group, info.getDivisibilityOfGroups(dim, group),
                    info.getConstancy(dim)});
  }
  AxisInfo result(std::move(axes), getUnit(to));
  // Small integers are visibly bounded by their width.
  unsigned bits =
      width < 32 ? std::min(info.getBits(), width - 1) : info.getBits();
  if (isSigned || info.isNonNegative())
    result.setRange(info.isNonNegative(), bits);
  // Any value of the narrow type, as a non-negative one of the wide type.
  else
    result.setRange(/*isNonNegative=*/true, width);
  return result;
}

std::optional<AxisInfo> inferArith(Operation *op, Operands operands) {
  // Facts are of one result; operations with several have visitors elsewhere.
  if (op->getNumResults() != 1)
    return std::nullopt;
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return inferConstant(constant);
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return inferSelect(select, operands);
  if (isa<ub::PoisonOp>(op)) {
    // Any value will do: 0.
    Type type = op->getResult(0).getType();
    if (isInteger(type))
      return AxisInfo::getConstant(type, 0);
    return AxisInfo::getPessimistic(type);
  }
  // Casts first, then binary operations, then what all functions have in
  // common.
  if (operands.size() == 1 && isInteger(op->getOperand(0).getType()))
    if (auto info = inferCast(op, *operands[0]))
      return info;
  if (auto info = inferBinary(op, operands))
    return info;
  return inferElementwise(op, operands);
}

} // namespace mlir::triton::axis
