//===- AffineElements.cpp -------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "AffineElements.h"

#include "SymbolicTypes.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

std::optional<SymbolicExpr> AffineElements::read(Value tensor,
                                                 Indices indices) {
  SymbolicExpr expr = readElement(tensor, indices, execution);
  return view.split(expr) ? std::optional(expr) : std::nullopt;
}

/// Reads a tensor whose coordinates are not those of the result.
std::optional<SymbolicExpr> AffineElements::readAside(Value tensor,
                                                      Indices indices) {
  llvm::SaveAndRestore restore(starts);
  return read(tensor, indices);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

SymbolicExpr AffineElements::readShared(Value scalar) {
  // The flag states that the narrower number is the same.
  auto isSame = [](arith::TruncIOp trunc) {
    return trunc && bitEnumContainsAll(trunc.getOverflowFlags(),
                                       arith::IntegerOverflowFlags::nsw);
  };
  for (auto trunc = scalar.getDefiningOp<arith::TruncIOp>(); isSame(trunc);
       trunc = scalar.getDefiningOp<arith::TruncIOp>())
    scalar = trunc.getIn();
  SymbolicExpr expr = readScalar(scalar, execution);
  if (reading != Reading::Number || isa<triton::PointerType>(scalar.getType()))
    return expr;
  // A symbol is whatever the value is.
  SymbolicExpr symbol = createSymbol(scalar, /*units=*/1);
  return expr == symbol || view.isExact(scalar, expr, expr) ? expr : symbol;
}

SymbolicExpr AffineElements::readUncached(Value scalar, Execution &execution) {
  Operation *op = scalar.getDefiningOp();
  if (!op) {
    auto loop = dyn_cast<scf::ForOp>(
        cast<BlockArgument>(scalar).getOwner()->getParentOp());
    if (!loop || !isa<triton::PointerType>(scalar.getType()))
      return SymbolicExpr::getUnknown();
    // A pointer that a loop carries otherwise is a base, like one that it
    // advances.
    llvm::SaveAndRestore restore(view.obstacle);
    execution.setIteration(loop, 0);
    return SymbolicReader::readUncached(scalar, execution);
  }
  // Numbers of less than 32 bits are no offsets, and wrap around.
  bool isNarrow = getWidth(scalar.getType()).value_or(64) < 32;
  if (isa<arith::ConstantOp>(op) ||
      (!isNarrow &&
       isa<AddPtrOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(op)))
    return SymbolicReader::readUncached(scalar, execution);
  // A zero extension of a negative number is another number. A flag is 0 or -1.
  auto extension = dyn_cast<arith::ExtSIOp>(op);
  if (!extension || isNarrow || extension.getIn().getType().isInteger(1))
    return SymbolicExpr::getUnknown();
  SymbolicExpr source = readScalar(extension.getIn(), execution);
  return reading != Reading::Number ||
                 view.isExact(extension.getIn(), source, source)
             ? source
             : createSymbol(extension.getIn(), /*units=*/1);
}

SymbolicExpr AffineElements::createSymbol(Value value, int64_t units) {
  if (!isa<RankedTensorType>(value.getType()))
    return SymbolicExpr::getSymbol(view.values.getSymbol(value));
  if (Operation *op = value.getDefiningOp())
    view.decline("the result of `" + op->getName().getStringRef() + "`");
  else
    view.decline("a tensor that comes from elsewhere");
  return view.getUnreadable();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SymbolicExpr AffineElements::readElementUncached(Value tensor, Indices indices,
                                                 Execution &execution) {
  SymbolicExpr expr = readOperation(tensor, indices, execution);
  if (!expr.isKnown() || !view.split(expr)) {
    if (expr.isKnown() && !isa_and_nonnull<ReshapeOp>(tensor.getDefiningOp()))
      view.decline("a sum or product without a form");
    // Any integers along one dimension have a form, if the reader takes rows by
    // their numbers.
    expr = readNumbers(tensor, indices);
    if (!expr.isKnown())
      return expr;
  }
  noteStart(tensor, expr);
  return expr;
}

/// Notes a coordinate. The part that all elements share is its start, and stays
/// that when the coordinate is multiplied by a stride.
void AffineElements::noteStart(Value tensor, const SymbolicExpr &expr) {
  auto coordinate = view.getCoordinate(expr);
  if (!coordinate)
    return;
  Start &noted = starts[coordinate->number->dim];
  if (!(noted.start == coordinate->start))
    noted = {coordinate->start, getWidth(tensor.getType()).value_or(64)};
}

/// Reads integers along one dimension, whatever they are.
SymbolicExpr AffineElements::readNumbers(Value tensor, Indices indices) {
  auto type = cast<RankedTensorType>(tensor.getType());
  // Integers of any other width are no row numbers that messages take.
  if (!view.takesNumbers || !(type.getElementType().isInteger(32) ||
                              type.getElementType().isInteger(64)))
    return SymbolicExpr::getUnknown();
  for (auto [index, size] : llvm::zip_equal(indices, type.getShape())) {
    // One of size 1 counts nothing.
    auto coordinate = view.getCoordinate(index);
    if (size != type.getNumElements() || size == 1 || !coordinate ||
        !coordinate->start.isZero())
      continue;
    view.forgetObstacle();
    return view.getElementNumber(coordinate->number->dim, size, tensor);
  }
  return SymbolicExpr::getUnknown();
}

SymbolicExpr AffineElements::readOperation(Value tensor, Indices indices,
                                           Execution &execution) {
  auto readBase = [&] {
    return SymbolicReader::readElementUncached(tensor, indices, execution);
  };
  Operation *op = tensor.getDefiningOp();
  if (!op) {
    if (auto loop = dyn_cast<scf::ForOp>(
            cast<BlockArgument>(tensor).getOwner()->getParentOp()))
      execution.setIteration(loop, 0);
    return readBase();
  }
  return llvm::TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case([&](SplatOp splat) { return readShared(splat.getSrc()); })
      .Case([&](arith::ConstantOp) {
        // A tensor constant has a form only if all elements are the same.
        SymbolicExpr expr = readBase();
        return expr.isKnown() ? expr
                              : refuse("a constant of different elements");
      })
      .Case<MakeRangeOp, ExpandDimsOp, triton::BroadcastOp, TransOp, ReshapeOp>(
          [&](Operation *) { return readBase(); })
      .Case<AddPtrOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *) { return readSum(tensor, indices, execution); })
      .Case([&](arith::ExtSIOp extension) {
        return readExtension(extension, indices);
      })
      .Case<arith::DivSIOp, arith::RemSIOp, arith::ShRSIOp, arith::ShRUIOp,
            arith::AndIOp>(
          [&](Operation *op) { return readQuotient(op, indices); })
      .Case([&](arith::SelectOp select) { return readSelect(select, indices); })
      .Case([&](scf::IfOp branch) {
        return readBranches(cast<OpResult>(tensor), branch, indices);
      })
      .Case([&](LoadOp load) {
        return part ? readLookup(load, indices) : SymbolicExpr::getUnknown();
      })
      .Default([](Operation *) { return SymbolicExpr::getUnknown(); });
}

SymbolicExpr AffineElements::readSum(Value tensor, Indices indices,
                                     Execution &execution) {
  // Narrow numbers are no offsets, and wrap around.
  if (getWidth(tensor.getType()).value_or(64) < 32)
    return refuse("arithmetic with less than 32 bits");
  for (Value operand : tensor.getDefiningOp()->getOperands())
    if (!read(operand, indices))
      return SymbolicExpr::getUnknown();
  SymbolicExpr expr =
      SymbolicReader::readElementUncached(tensor, indices, execution);
  return expr.isKnown() ? expr : refuse("an address of too many terms");
}

/// Extensions do not change what has not wrapped around.
SymbolicExpr AffineElements::readExtension(arith::ExtSIOp extension,
                                           Indices indices) {
  std::optional<SymbolicExpr> expr = read(extension.getIn(), indices);
  if (!expr)
    return SymbolicExpr::getUnknown();
  if (reading == Reading::Number && !view.isExact(extension.getIn(), *expr))
    return refuse("a sum that may overflow");
  return *expr;
}

//===----------------------------------------------------------------------===//
// Quotients and remainders
//===----------------------------------------------------------------------===//

SymbolicExpr AffineElements::readQuotient(Operation *op, Indices indices) {
  if (part) {
    SymbolicExpr quotient = isa<arith::DivSIOp>(op)
                                ? readExactQuotient(op, indices)
                                : SymbolicExpr::getUnknown();
    return quotient.isKnown() ? quotient : readGroup(op, indices);
  }
  if (isa<arith::DivSIOp>(op))
    return readExactQuotient(op, indices);
  return isa<arith::RemSIOp>(op) ? readRemainder(op, indices)
                                 : SymbolicExpr::getUnknown();
}

/// Every eighth row, divided by eight, is a coordinate again. A dividend is no
/// part of an address, and may wrap around, unless all of it is known.
SymbolicExpr AffineElements::readExactQuotient(Operation *op, Indices indices) {
  std::optional<SymbolicExpr> dividend = readAside(op->getOperand(0), indices);
  if (!dividend)
    return SymbolicExpr::getUnknown();
  APInt divisor;
  unsigned width = *getWidth(op->getResult(0).getType());
  // Nothing but the indices has bounds here.
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
      !divisor.isStrictlyPositive() ||
      !view.values.getFacts().fits(*dividend, width))
    return refuse("a quotient of something other than known numbers");
  SymbolicExpr rest;
  SymbolicExpr quotient = dividend->divide(divisor.getSExtValue(), rest);
  return rest.isZero() ? quotient : refuse("a quotient that is rounded");
}

/// Takes a coordinate for itself where it is below a modulus. The caller of the
/// reader has to see to it: by a check, or since no result depends on others.
SymbolicExpr AffineElements::takeUnwrapped(const SymbolicExpr &dividend,
                                           const SymbolicExpr &modulus) {
  auto coordinate = view.getCoordinate(dividend);
  if (!coordinate || coordinate->number->numbers ||
      !view.isComputable(coordinate->start) || !view.isComputable(modulus))
    return SymbolicExpr::getUnknown();
  return view.getWrapped(dividend, {coordinate->number->dim, coordinate->start,
                                    coordinate->number->size, modulus, false});
}

/// `coordinate % uniform` is taken for the coordinate, on an assumption.
SymbolicExpr AffineElements::readRemainder(Operation *op, Indices indices) {
  std::optional<SymbolicExpr> lhs = read(op->getOperand(0), indices);
  std::optional<SymbolicExpr> rhs =
      lhs ? view.readOperand(op->getOperand(1), indices, Value(), reading)
          : std::nullopt;
  if (!lhs || !rhs)
    return SymbolicExpr::getUnknown();
  SymbolicExpr expr = takeUnwrapped(*lhs, *rhs);
  return expr.isKnown()
             ? expr
             : refuse("a remainder of something other than a coordinate");
}

/// Returns how large the groups are by whose number, or by the place within
/// which, `op` is; nothing if it is no such operation.
static std::optional<int64_t> getGroupSize(Operation *op) {
  APInt constant;
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      constant.isNegative())
    return std::nullopt;
  if (isa<arith::DivSIOp, arith::RemSIOp>(op))
    return constant.isZero() ? std::nullopt
                             : std::optional(constant.getSExtValue());
  // Indices of tensors have 32 bits.
  constexpr unsigned mostBits = 32;
  if (isa<arith::ShRSIOp, arith::ShRUIOp>(op))
    return constant.ult(mostBits)
               ? std::optional(int64_t(1) << constant.getZExtValue())
               : std::nullopt;
  // All bits below a power of two.
  return constant.isMask() && constant.getActiveBits() <= mostBits
             ? std::optional(constant.getSExtValue() + 1)
             : std::nullopt;
}

/// Reads the quotient or remainder of a part within one group.
SymbolicExpr AffineElements::readGroup(Operation *op, Indices indices) {
  std::optional<SymbolicExpr> dividend = readAside(op->getOperand(0), indices);
  if (!dividend)
    return SymbolicExpr::getUnknown();
  std::optional<int64_t> groupSize = getGroupSize(op);
  auto coordinate = view.getCoordinate(*dividend);
  SymbolicExpr start = coordinate ? coordinate->start : *dividend;
  if (!groupSize || !view.isComputable(start) ||
      (coordinate &&
       (coordinate->number->dim != part->dim || coordinate->number->numbers)))
    return refuse("a quotient of something other than a coordinate");
  ScalarValues &values = view.values;
  int64_t divisor = *groupSize;
  if (coordinate &&
      part->size > std::gcd(values.getDivisor(start, view.sources), divisor))
    return refuse("elements of several groups");
  // A dividend is no part of the address.
  if (!view.isExact(op->getOperand(0), start,
                    coordinate ? start + (part->size - 1) : start))
    return refuse("a quotient of what may overflow");
  // Quotients are rounded toward zero: down for what is not negative.
  if (!view.isNonNegative(start)) {
    SymbolicExpr least = view.getLeast(start, op);
    if (!view.isNonNegative(least))
      assumptions.push_back({part->dim, least, /*size=*/0, SymbolicExpr(),
                             /*isSurplusUnobserved=*/true});
  }
  // A known multiple needs no division.
  SymbolicExpr rest, quotient = start.divide(SymbolicExpr(divisor), rest);
  if (std::optional<int64_t> known = rest.getConstant(); known && *known >= 0) {
    quotient = quotient + SymbolicExpr(*known / divisor);
  } else {
    quotient = values.divide(
        start, divisor, getElementTypeOrSelf(op->getResult(0).getType()), op);
  }
  if (isa<arith::DivSIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return quotient;
  SymbolicExpr result = *dividend - quotient * divisor;
  return result.isKnown() ? result : refuse("a remainder of too many terms");
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// `coordinate < bound ? coordinate : other` is taken for the coordinate: what
/// is selected in its place is where a mask hides it, or no element is.
SymbolicExpr AffineElements::readSelect(arith::SelectOp op, Indices indices) {
  Value condition = op.getCondition();
  // A scalar condition chooses one of two whole tensors.
  if (!isa<RankedTensorType>(condition.getType()))
    return refuse("a choice between two addresses");
  bool isUnderMask = view.holdsForAccess(condition, indices);
  if (part && !isUnderMask)
    return refuse("a choice by something other than the mask");
  std::optional<SymbolicExpr> expr = read(op.getTrueValue(), indices);
  if (!expr)
    return SymbolicExpr::getUnknown();
  if (isUnderMask)
    return *expr;
  MaskBounds bounds;
  if (!view.readMaskInto(condition, indices, bounds, MaskReading::Bounds,
                         reading, op.getTrueValue()))
    return SymbolicExpr::getUnknown();
  // Exactly one bound from above, of the same coordinate.
  auto coordinate = view.getCoordinate(*expr);
  SymbolicExpr taken =
      coordinate && bounds.upper.size() == 1 && bounds.lower.empty() &&
              bounds.upper.front().dim == coordinate->number->dim
          ? takeUnwrapped(*expr, bounds.upper.front().bound + coordinate->start)
          : SymbolicExpr::getUnknown();
  return taken.isKnown() ? taken
                         : refuse("a choice by something other than a bound");
}

/// Both branches compute the same, perhaps with other hints.
SymbolicExpr AffineElements::readBranches(OpResult result, scf::IfOp op,
                                          Indices indices) {
  unsigned number = result.getResultNumber();
  std::optional<SymbolicExpr> expr =
      read(op.thenYield().getOperand(number), indices);
  std::optional<SymbolicExpr> other =
      expr ? read(op.elseYield().getOperand(number), indices) : std::nullopt;
  if (!expr || !other)
    return SymbolicExpr::getUnknown();
  // Equal forms are built from the same scalars, so it does not matter which
  // branch runs.
  if (!(*expr == *other))
    return refuse("a branch between two addresses");
  // A form of scalars within a branch could not be used after it.
  for (Region &region : op->getRegions())
    if (!view.isDefinedOutside(*expr, region))
      return refuse("an address that is made in a branch");
  return *expr;
}

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

/// Reads the number that is loaded for all elements of a part.
SymbolicExpr AffineElements::readLookup(LoadOp load, Indices indices) {
  Type element = cast<RankedTensorType>(load.getType()).getElementType();
  if (load.getIsVolatile() || !(element.isInteger(32) || element.isInteger(64)))
    return refuse("a load of something other than numbers");
  std::optional<SymbolicExpr> pointer = readAside(load.getPtr(), indices);
  if (!pointer)
    return SymbolicExpr::getUnknown();
  std::optional<AffineAddressReader::LinearSum> sum = view.split(*pointer);
  if (!sum->strides.empty() || !sum->base || !view.isComputable(sum->rest))
    return refuse("a load from several addresses");
  SharedLoad shared{load, sum->base, sum->rest, SymbolicExpr(), std::nullopt};
  // An access under the same mask does not depend on the values of elements
  // that are not loaded, nor does one of a load without such values.
  if (Value mask = load.getMask()) {
    if (load.getOther() && !view.holdsForAccess(mask, indices))
      return refuse("a load under another mask");
    MaskBounds bounds;
    if (!view.readMaskInto(mask, indices, bounds, MaskReading::Bounds,
                           reading) ||
        bounds.upper.size() != 1 || !bounds.lower.empty() ||
        bounds.upper.front().dim != part->dim ||
        !view.isComputable(bounds.upper.front().bound))
      return refuse("a load under something other than a bound");
    // If any element of the part is loaded, the first one is. A page that is
    // not loaded has an address nevertheless.
    shared.first = -bounds.upper.front().bound;
    shared.bound = SymbolicExpr();
  }
  return view.values.load(shared);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Symbol AffineElements::createCarried() {
  Symbol symbol = SymbolicReader::createCarried();
  view.carried.insert(symbol);
  return symbol;
}

/// The product of a step and the number of iterations holds only for a step
/// that is the same in all of them.
bool AffineElements::isInvariant(const SymbolicExpr &expr, scf::ForOp loop) {
  if (!expr.isKnown() || !view.split(expr))
    return false;
  for (Symbol symbol : expr.getSymbols()) {
    std::string reason;
    if (view.findElementNumber(symbol))
      reason = "a step that differs between elements";
    else if (!view.values.isNumber(symbol))
      reason = "a loop carries it on by more than a step";
    else if (!view.values.isDefinedOutside(SymbolicExpr::getSymbol(symbol),
                                           loop.getRegion()))
      reason = "a step that changes between iterations";
    if (reason.empty())
      continue;
    view.decline(reason);
    return false;
  }
  return true;
}

SymbolicExpr AffineElements::getProgress(scf::ForOp loop, const SymbolicExpr &,
                                         const SymbolicExpr &step) {
  SymbolicExpr steps = view.getTrips(loop, step, reading);
  return steps.isKnown() ? steps : refuse("a step of too many terms");
}

} // namespace mlir::triton::gpu::intel
