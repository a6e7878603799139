//===- SymbolicArithmetic.cpp - Expressions of results --------------------===//
// SPDX-License-Identifier: MIT

#include "SymbolicTypes.h"
#include "intel/Analysis/Symbolic/SymbolicReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;
using namespace mlir::triton::gpu::intel;

std::optional<unsigned> gpu::intel::getWidth(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isIndex())
    return 64;
  auto integer = dyn_cast<IntegerType>(element);
  return integer && integer.getWidth() <= 64 ? std::optional(integer.getWidth())
                                             : std::nullopt;
}

SymbolicRange gpu::intel::getResultRange(Value value) {
  std::optional<unsigned> width = getWidth(value.getType());
  if (!width)
    return {};
  if (auto extension = value.getDefiningOp<arith::ExtUIOp>())
    if (std::optional<unsigned> from = getWidth(extension.getIn().getType());
        from && *from < 64)
      return {0, static_cast<int64_t>(llvm::maxUIntN(*from))};
  return {llvm::minIntN(*width), llvm::maxIntN(*width)};
}

int64_t gpu::intel::getUnitBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<triton::PointerType>(element) && !isTensorPointerType(element)
             ? getPointeeBytes(element)
             : 1;
}

/// Adds a symbol for a result of which only bounds are known.
SymbolicExpr SymbolicReader::addBetween(Value result, const SymbolicExpr &min,
                                        const SymbolicExpr &max) {
  SymbolicExpr expr =
      SymbolicExpr::getSymbol(facts.addSymbol(getResultRange(result)));
  facts.assumeNonNegative(expr - min);
  facts.assumeNonNegative(max - expr);
  return expr;
}

/// Reads a quotient, which is rounded toward zero, or the remainder.
SymbolicExpr SymbolicReader::readDivision(Operation *op,
                                          const SymbolicExpr &lhs,
                                          const SymbolicExpr &rhs) {
  Value result = op->getResult(0);
  bool isRemainder = isa<arith::RemSIOp, arith::RemUIOp>(op);
  std::optional<int64_t> divisor = rhs.getConstant();
  // Nothing is rounded in the quotient of a multiple.
  if (isa<arith::DivSIOp, arith::RemSIOp>(op) && divisor && *divisor > 0 &&
      facts.getDivisor(lhs) % *divisor == 0)
    return isRemainder ? 0 : facts.getQuotient(lhs, rhs);
  if (isa<arith::DivUIOp, arith::RemUIOp>(op) && getGroups) {
    SymbolicExpr dividend = readUnsigned(lhs, result.getType()),
                 by = readUnsigned(rhs, result.getType());
    return isRemainder ? facts.getRemainder(dividend, by)
                       : facts.getQuotient(dividend, by);
  }
  bool isDividendNonNegative = isNonNegative(lhs);
  // Without negative numbers, toward zero is down.
  if (isDividendNonNegative && isNonNegative(rhs - 1))
    return isRemainder ? facts.getRemainder(lhs, rhs)
                       : facts.getQuotient(lhs, rhs);
  if (isa<arith::DivUIOp, arith::RemUIOp>(op))
    return SymbolicExpr::getUnknown();
  // A division by zero is undefined, so that the divisor is positive here.
  if (isDividendNonNegative && isNonNegative(rhs))
    return addBetween(result, 0, isRemainder ? rhs - 1 : lhs);
  // A remainder has the sign of the dividend, whatever the divisor is.
  if (isDividendNonNegative && isRemainder)
    return addBetween(result, 0, lhs);
  if (!divisor || *divisor <= 0)
    return SymbolicExpr::getUnknown();
  if (isRemainder)
    return addBetween(result, 1 - *divisor, *divisor - 1);
  SymbolicRange range = facts.getRange(lhs);
  return range.min && range.max
             ? addBetween(result, *range.min / *divisor, *range.max / *divisor)
             : SymbolicExpr::getUnknown();
}

/// Reads a combination of bits.
SymbolicExpr SymbolicReader::readBits(Operation *op, const SymbolicExpr &lhs,
                                      const SymbolicExpr &rhs) {
  Value result = op->getResult(0);
  if (!isa<arith::AndIOp>(op)) {
    if (facts.haveDisjointBits(lhs, rhs))
      return lhs + rhs;
    // The result has no bit that the sum of disjoint bits does not have.
    return isNonNegative(lhs) && isNonNegative(rhs)
               ? addBetween(result, 0, lhs + rhs)
               : SymbolicExpr::getUnknown();
  }
  // Bits below, or from, a power of two on: a remainder, or a multiple.
  if (std::optional<int64_t> mask = rhs.getConstant()) {
    if (*mask > 0 && llvm::isPowerOf2_64(*mask + 1))
      return facts.getRemainder(lhs, *mask + 1);
    if (*mask < 0 && *mask > std::numeric_limits<int64_t>::min() &&
        llvm::isPowerOf2_64(-*mask))
      return lhs - facts.getRemainder(lhs, -*mask);
  }
  // The result has no bit that an operand does not have.
  if (isNonNegative(lhs))
    return addBetween(
        result, 0, facts.isNonNegative(rhs) ? facts.getMinimum(lhs, rhs) : lhs);
  return isNonNegative(rhs) ? addBetween(result, 0, rhs)
                            : SymbolicExpr::getUnknown();
}

SymbolicExpr SymbolicReader::readRightShift(Operation *op,
                                            const SymbolicExpr &lhs,
                                            std::optional<int64_t> shift) {
  // Both round down; the unsigned one takes the sign for a digit.
  if (!isa<arith::ShRSIOp>(op) && !isNonNegative(lhs))
    return SymbolicExpr::getUnknown();
  if (shift && *shift >= 0 && *shift <= 62)
    return facts.getQuotient(lhs, int64_t(1) << *shift);
  return isNonNegative(lhs) ? addBetween(op->getResult(0), 0, lhs)
                            : SymbolicExpr::getUnknown();
}

/// Reads an address that is cast, in units of its new pointee.
SymbolicExpr SymbolicReader::readAddress(Operation *op,
                                         const SymbolicExpr &source) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (!getGroups || !isa<triton::PointerType>(getElementTypeOrSelf(to)))
    return SymbolicExpr::getUnknown();
  int64_t bytes = getUnitBytes(to);
  SymbolicExpr address = source * getUnitBytes(from);
  return facts.getDivisor(address) % bytes == 0
             ? facts.getQuotient(address, bytes)
             : SymbolicExpr::getUnknown();
}

SymbolicExpr SymbolicReader::readUnsigned(const SymbolicExpr &expr, Type type) {
  if (isNonNegative(expr))
    return expr;
  std::optional<unsigned> width = getWidth(type);
  if (!getGroups || !width || *width > 32)
    return SymbolicExpr::getUnknown();
  // The digit of the sign counts 2^width more.
  return expr + facts.getIndicator(-expr - 1) * (int64_t(1) << *width);
}

SymbolicExpr SymbolicReader::readComparison(arith::CmpIOp compare,
                                            const SymbolicExpr &lhs,
                                            const SymbolicExpr &rhs) {
  using Predicate = arith::CmpIPredicate;
  switch (compare.getPredicate()) {
  case Predicate::slt:
    return -facts.getIndicator(rhs - lhs - 1);
  case Predicate::sle:
    return -facts.getIndicator(rhs - lhs);
  case Predicate::sgt:
    return -facts.getIndicator(lhs - rhs - 1);
  case Predicate::sge:
    return -facts.getIndicator(lhs - rhs);
  default:
    return SymbolicExpr::getUnknown();
  }
}

SymbolicExpr SymbolicReader::readArithmetic(
    Operation *op, llvm::function_ref<SymbolicExpr(Value)> readOperand) {
  auto operand = [&](unsigned number) {
    return readOperand(op->getOperand(number));
  };
  // Operations other than sums and products see the number that the operand
  // has, which may have wrapped around.
  auto number = [&](unsigned index) {
    return wrap(operand(index), op->getOperand(index).getType());
  };
  // Narrow numbers are no offsets of a whole tensor: they always wrap around.
  auto finish = [&](SymbolicExpr expr) {
    Type type = op->getResult(0).getType();
    bool isNarrow = getWidth(type).value_or(64) < 32;
    return isNarrow || !isExact(op->getResult(0)) ? wrap(expr, type) : expr;
  };
  auto unknown = [] { return SymbolicExpr::getUnknown(); };
  return llvm::TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case<arith::AddIOp, AddPtrOp>(
          [&](Operation *) { return finish(operand(0) + operand(1)); })
      .Case([&](arith::SubIOp) { return finish(operand(0) - operand(1)); })
      .Case([&](arith::MulIOp) { return finish(operand(0) * operand(1)); })
      .Case<arith::DivSIOp, arith::RemSIOp, arith::DivUIOp, arith::RemUIOp>(
          [&](Operation *) { return readDivision(op, number(0), number(1)); })
      .Case([&](arith::MinSIOp) {
        return facts.getMinimum(number(0), number(1));
      })
      .Case([&](arith::MaxSIOp) {
        return facts.getMaximum(number(0), number(1));
      })
      .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(
          [&](Operation *) { return readBits(op, number(0), number(1)); })
      .Case<IntToPtrOp, triton::BitcastOp>(
          [&](Operation *) { return readAddress(op, number(0)); })
      .Case([&](arith::CmpIOp compare) {
        return getGroups ? readComparison(compare, number(0), number(1))
                         : unknown();
      })
      .Case([&](arith::SelectOp) {
        SymbolicExpr lhs = number(1), rhs = number(2);
        // A condition is -1 if it is true.
        return getGroups ? rhs - operand(0) * (lhs - rhs)
                         : facts.getEither(lhs, rhs);
      })
      .Case([&](arith::ExtSIOp) { return operand(0); })
      .Case([&](arith::TruncIOp trunc) {
        return bitEnumContainsAll(trunc.getOverflowFlags(),
                                  arith::IntegerOverflowFlags::nsw)
                   ? operand(0)
                   : wrap(operand(0), trunc.getType());
      })
      .Case([&](arith::IndexCastOp cast) {
        return wrap(operand(0), cast.getType());
      })
      .Case([&](arith::ExtUIOp extension) {
        return readUnsigned(number(0), extension.getIn().getType());
      })
      .Case([&](arith::ShLIOp) {
        std::optional<int64_t> shift = operand(1).getConstant();
        if (!shift || *shift < 0 || *shift > 62)
          return unknown();
        return finish(operand(0) * (int64_t(1) << *shift));
      })
      .Case<arith::ShRSIOp, arith::ShRUIOp>([&](Operation *) {
        return readRightShift(op, number(0), operand(1).getConstant());
      })
      .Default([&](Operation *) { return unknown(); });
}
