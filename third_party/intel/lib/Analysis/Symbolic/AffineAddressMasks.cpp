//===- AffineAddressMasks.cpp - Bounds in masks, and exact numbers --------===//
// SPDX-License-Identifier: MIT
//
// Reads the bounds of coordinates in masks. An operand of a comparison may wrap
// around, and has the form that its expressions state only if it does not.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/Symbolic/AffineAddress.h"

#include "AffineElements.h"
#include "intel/Analysis/Symbolic/ElementMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

//===----------------------------------------------------------------------===//
// Exactness
//===----------------------------------------------------------------------===//

void AffineAddressReader::beginAccess(Operation *op, Value pointers,
                                      LaunchCondition *condition) {
  access = op;
  parts = AddressParts(pointers);
  this->condition = condition;
}

/// Returns whether a value is what its expressions state, of which the least
/// and the largest are given for all elements.
bool AffineAddressReader::isExact(Value value, const SymbolicExpr &least,
                                  const SymbolicExpr &largest) {
  if (parts.contains(value))
    return true;
  // Numbers of 64 bits are to be less than what fits, so that bounds of them
  // fit themselves.
  Type type = getElementTypeOrSelf(value.getType());
  unsigned width =
      type.isIndex() ? 63 : std::min(63u, type.getIntOrFloatBitWidth());
  LaunchCondition before = condition ? *condition : LaunchCondition();
  if (isNonNegativeAtLaunch(least - llvm::minIntN(width)) &&
      isNonNegativeAtLaunch(SymbolicExpr(llvm::maxIntN(width)) - largest))
    return true;
  if (condition)
    *condition = before;
  return false;
}

bool AffineAddressReader::isNonNegative(const SymbolicExpr &expr) {
  return isComputable(expr) &&
         values.isNonNegative(expr, sources, access, parts);
}

bool AffineAddressReader::isNonNegativeAtLaunch(const SymbolicExpr &expr) {
  return isComputable(expr) &&
         values.isNonNegative(expr, sources, access, parts, condition);
}

/// Returns the same for all elements of a tensor.
bool AffineAddressReader::isExact(Value tensor, const SymbolicExpr &element) {
  std::optional<LinearSum> sum = split(element);
  if (!sum || sum->base)
    return false;
  SymbolicExpr least = sum->rest, largest = sum->rest;
  for (auto &[symbol, factor] : sum->strides) {
    const ElementNumber &number = *findElementNumber(symbol);
    std::optional<int64_t> stride = factor.getConstant();
    if (!stride || number.numbers)
      return parts.contains(tensor);
    SymbolicExpr last = factor * (number.size - 1);
    (*stride < 0 ? least : largest) = (*stride < 0 ? least : largest) + last;
  }
  return isExact(tensor, least, largest);
}

SymbolicExpr AffineAddressReader::readScalar(Value scalar, Reading reading) {
  return AffineElements(*this, reading).readShared(scalar);
}

SymbolicExpr AffineAddressReader::readNumber(Value scalar) {
  return readScalar(scalar, Reading::Number);
}

SymbolicExpr AffineAddressReader::readAsWritten(Value scalar) {
  return readScalar(scalar, Reading::AsWritten);
}

/// Returns an element of an operand of a comparison. A coordinate that a
/// selection chooses by the comparison is exact where it is chosen.
std::optional<SymbolicExpr>
AffineAddressReader::readOperand(Value operand, ArrayRef<SymbolicExpr> indices,
                                 Value selected, Reading reading) {
  bool isChosen = selected && AddressParts(selected).contains(operand);
  if (reading == Reading::Address)
    reading = isChosen ? Reading::AsWritten : Reading::Number;
  AffineElements elements(*this, reading);
  std::optional<SymbolicExpr> expr = elements.read(operand, indices);
  if (!expr)
    return std::nullopt;
  if (reading == Reading::Number && !isExact(operand, *expr))
    return decline("a comparison of what may overflow");
  if (!(unwrap(*expr) == *expr) || !elements.getAssumptions().empty())
    return decline("a comparison of something other than a coordinate");
  return expr;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Reads `difference < 0` (or <= with `orEqual`), which bounds a coordinate
/// from above or, where its stride is -1, from below. With `takesMultiples` it
/// may bound a multiple of a coordinate from above.
bool AffineAddressReader::addBound(const SymbolicExpr &difference, bool orEqual,
                                   bool takesMultiples,
                                   MaskBounds &found) const {
  std::optional<LinearSum> sum = split(difference);
  // Exactly one dimension may have a coordinate.
  if (!sum || sum->base || sum->strides.size() != 1)
    return false;
  auto &[symbol, factor] = sum->strides.front();
  const ElementNumber &number = *findElementNumber(symbol);
  std::optional<int64_t> stride = factor.getConstant();
  if (number.numbers || !stride)
    return false;
  // `a <= b` is `a < b + 1`.
  SymbolicExpr bound = SymbolicExpr(int64_t(orEqual)) - sum->rest;
  if (!isComputable(bound))
    return false;
  // rest + stride * i < orEqual
  if (*stride == 1 || (takesMultiples && *stride > 1)) {
    found.upper.push_back({number.dim, bound, *stride});
    return true;
  }
  // rest - i < orEqual, so i > rest - orEqual.
  if (*stride != -1)
    return false;
  found.lower.push_back({number.dim, SymbolicExpr(1) - bound});
  return true;
}

/// Reads a comparison of a coordinate with something uniform into bounds.
/// False, with an obstacle, if it is anything else.
bool AffineAddressReader::readComparison(arith::CmpIOp compare,
                                         ArrayRef<SymbolicExpr> indices,
                                         MaskBounds &found, MaskReading bounds,
                                         Reading reading, Value selected) {
  auto refuse = [&](const Twine &reason) {
    decline(reason);
    return false;
  };
  std::optional<SymbolicExpr> lhs =
      readOperand(compare.getLhs(), indices, selected, reading);
  std::optional<SymbolicExpr> rhs =
      lhs ? readOperand(compare.getRhs(), indices, selected, reading)
          : std::nullopt;
  if (!lhs || !rhs)
    return false;
  // Every predicate becomes `lhs < rhs` or `lhs <= rhs`.
  bool isSwapped = false, orEqual = false, isUnsigned = false;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    break;
  case arith::CmpIPredicate::sle:
    orEqual = true;
    break;
  case arith::CmpIPredicate::sgt:
    isSwapped = true;
    break;
  case arith::CmpIPredicate::sge:
    isSwapped = orEqual = true;
    break;
  case arith::CmpIPredicate::ult:
    isUnsigned = true;
    break;
  default:
    return refuse("a comparison that bounds nothing");
  }
  if (isSwapped)
    std::swap(lhs, rhs);
  // Both sides may depend on the index; only the difference has to be one
  // coordinate.
  size_t numUpper = found.upper.size();
  if (!addBound(*lhs - *rhs, orEqual, bounds == MaskReading::StridedBounds,
                found))
    return refuse("a comparison of something other than a coordinate");
  std::optional<StartedNumber> coordinate = getCoordinate(*lhs);
  for (MaskBound &bound : llvm::drop_begin(found.upper, numUpper)) {
    bound.compare = compare;
    if (coordinate && coordinate->number->dim == bound.dim)
      bound.compared = coordinate->start;
  }
  // A negative number is a large one.
  if (isUnsigned) {
    if (!coordinate || !isComputable(coordinate->start))
      return refuse("a comparison of something other than a coordinate");
    if (reading != Reading::AsWritten && !isNonNegativeAtLaunch(*rhs))
      return refuse("an unsigned comparison with what may be negative");
    found.lower.push_back({coordinate->number->dim, -coordinate->start});
  }
  return true;
}

/// Adds the bounds that elements of `mask` state to `found`. Returns false,
/// with an obstacle, if `bounds` does not allow for such a mask.
bool AffineAddressReader::readMaskInto(Value mask,
                                       ArrayRef<SymbolicExpr> indices,
                                       MaskBounds &found, MaskReading bounds,
                                       Reading reading, Value selected) {
  auto type = cast<RankedTensorType>(mask.getType());
  // A column of booleans picks rows; a true constant excludes nothing.
  if (bounds == MaskReading::BoundsAndRows && type.getRank() == 2 &&
      type.getDimSize(1) == 1 && !matchPattern(mask, m_One())) {
    found.rows.push_back(mask);
    return true;
  }
  Operation *op = mask.getDefiningOp();
  if (!op) {
    decline("a mask from elsewhere");
    return false;
  }
  if (matchPattern(mask, m_One()))
    return true;
  auto readOperandInto = [&](unsigned number,
                             ArrayRef<SymbolicExpr> operandIndices) {
    return readMaskInto(op->getOperand(number), operandIndices, found, bounds,
                        reading, selected);
  };
  // A conjunction has the bounds of both sides. If some bounds suffice, one
  // side that can be read does.
  if (isa<arith::AndIOp>(op)) {
    bool first = readOperandInto(0, indices);
    if (!first && bounds != MaskReading::SomeBounds)
      return false;
    bool second = readOperandInto(1, indices);
    return bounds == MaskReading::SomeBounds ? first || second : second;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return readComparison(compare, indices, found, bounds, reading, selected);
  if (std::optional<Indices> places =
          mapElement(op, indices, values.getFacts()))
    return readOperandInto(0, *places);
  decline("a mask by `" + op->getName().getStringRef() + "`");
  return false;
}

std::optional<MaskBounds> AffineAddressReader::readMask(Value mask,
                                                        MaskReading reading) {
  MaskBounds bounds;
  if (!readMaskInto(mask, getIndices(mask), bounds, reading, Reading::Address))
    return std::nullopt;
  return bounds;
}

std::optional<MaskBounds>
AffineAddressReader::readMaskAsWritten(Value mask, MaskReading reading) {
  MaskBounds bounds;
  if (!readMaskInto(mask, getIndices(mask), bounds, reading,
                    Reading::AsWritten))
    return std::nullopt;
  return bounds;
}

} // namespace mlir::triton::gpu::intel
