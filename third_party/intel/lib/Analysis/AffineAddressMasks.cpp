//===- AffineAddressMasks.cpp - Bounds in masks, and exact numbers --------===//
// SPDX-License-Identifier: MIT
//
// Reads the bounds of coordinates in masks. An operand of a comparison may wrap
// around, and has the form that its expressions state only if it does not.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/AffineAddress.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// The stride of a coordinate that counts elements one by one.
static const SymbolicExpr kOne(1);

//===----------------------------------------------------------------------===//
// Exactness
//===----------------------------------------------------------------------===//

void AffineAddressReader::beginAccess(Operation *op, Value pointers,
                                      LaunchCondition *condition) {
  access = op;
  parts = AddressParts(pointers);
  this->condition = condition;
  // These forms depend on the access, whose parts are exact.
  for (auto it = forms.begin(); it != forms.end();)
    it = std::get<Reading>(it->first) == Reading::Number ? forms.erase(it)
                                                         : std::next(it);
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
  return expr.isKnown() && values.isNonNegative(expr, sources, access, parts);
}

bool AffineAddressReader::isNonNegativeAtLaunch(const SymbolicExpr &expr) {
  return expr.isKnown() &&
         values.isNonNegative(expr, sources, access, parts, condition);
}

bool AffineAddressReader::isExact(Value tensor, const AffineAddress &form) {
  SymbolicExpr least = form.rest, largest = form.rest;
  auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
  for (auto [dim, size] : llvm::zip_equal(form.dims, shape)) {
    if (!dim)
      continue;
    std::optional<int64_t> stride = dim->stride.getConstant();
    if (!stride || dim->numbers)
      return parts.contains(tensor);
    SymbolicExpr first = dim->start * *stride;
    SymbolicExpr last = (dim->start + (size - 1)) * *stride;
    least = least + (*stride < 0 ? last : first);
    largest = largest + (*stride < 0 ? first : last);
  }
  return isExact(tensor, least, largest);
}

/// Reads a scalar that all elements of a tensor share.
SymbolicExpr AffineAddressReader::readScalar(Value scalar) {
  if (current != Reading::Number)
    return values.read(scalar);
  return values.read(scalar, [&](Value value, const SymbolicExpr &expr) {
    // A symbol is whatever the value is.
    return expr == SymbolicExpr::getSymbol(values.getSymbol(value)) ||
           isExact(value, expr, expr);
  });
}

SymbolicExpr AffineAddressReader::readNumber(Value scalar) {
  if (current == Reading::AsWritten)
    return values.read(scalar);
  llvm::SaveAndRestore restore(current, Reading::Number);
  return readScalar(scalar);
}

/// Returns the form of an operand of a comparison. A coordinate that a
/// selection chooses by the comparison is exact where it is chosen.
std::optional<AffineAddress> AffineAddressReader::readOperand(Value operand,
                                                              Value selected) {
  bool isChosen = selected && AddressParts(selected).contains(operand);
  llvm::SaveAndRestore restore(
      current, isChosen || current == Reading::AsWritten ? Reading::AsWritten
                                                         : Reading::Number);
  Form form = read(operand);
  if (form && current == Reading::Number && !isExact(operand, *form))
    return decline("a comparison of what may overflow");
  return form;
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

/// Reads `lhs < rhs` (or <= with `orEqual`), which bounds a coordinate from
/// above or, where its stride is -1, from below. With `takesMultiples` it may
/// bound a multiple of a coordinate from above.
static bool addBound(const AffineAddress &difference, bool orEqual,
                     bool takesMultiples, SmallVectorImpl<MaskBound> &bounds,
                     SmallVectorImpl<MaskBound> &lowerBounds) {
  // Exactly one dimension may have a coordinate.
  std::optional<unsigned> found;
  for (auto [dim, coordinate] : llvm::enumerate(difference.dims))
    if (coordinate) {
      if (found)
        return false;
      found = dim;
    }
  if (!found || difference.base || !difference.assumptions.empty())
    return false;
  const Coordinate &coordinate = *difference.dims[*found];
  if (coordinate.numbers)
    return false;
  if (!isKnown(difference))
    return false;
  // `a <= b` is `a < b + 1`.
  SymbolicExpr bound{int64_t(orEqual)};
  // start + i + rest < bound, so start + i < bound - rest.
  if (coordinate.stride == kOne) {
    bounds.push_back({*found, coordinate.start, bound - difference.rest});
    return true;
  }
  // rest + stride * (start + i) < bound
  if (std::optional<int64_t> stride = coordinate.stride.getConstant();
      takesMultiples && stride && *stride > 1) {
    bounds.push_back({*found, coordinate.stride * coordinate.start,
                      bound - difference.rest, *stride});
    return true;
  }
  // rest - start - i < bound, so start + i > rest - bound.
  if (!(coordinate.stride == SymbolicExpr(-1)))
    return false;
  lowerBounds.push_back(
      {*found, coordinate.start, difference.rest - bound + SymbolicExpr(1)});
  return true;
}

/// Reads a comparison of a coordinate with something uniform into bounds.
/// False, with an obstacle, if it is anything else.
bool AffineAddressReader::readComparison(arith::CmpIOp compare,
                                         MaskBounds &found, MaskReading reading,
                                         Value selected) {
  Form lhs = readOperand(compare.getLhs(), selected);
  Form rhs = lhs ? readOperand(compare.getRhs(), selected) : std::nullopt;
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
    decline("a comparison that bounds nothing");
    return false;
  }
  if (isSwapped)
    std::swap(lhs, rhs);
  // Both sides may depend on the index; only the difference has to be one
  // coordinate.
  Form difference = add(*lhs, multiply(*rhs, -1));
  size_t numUpper = found.upper.size();
  if (!difference ||
      !addBound(*difference, orEqual, reading == MaskReading::StridedBounds,
                found.upper, found.lower)) {
    decline("a comparison of something else than a coordinate");
    return false;
  }
  for (MaskBound &bound : llvm::drop_begin(found.upper, numUpper)) {
    bound.compare = compare;
    if (getCoordinateDim(*lhs) == bound.dim)
      bound.compared = lhs->dims[bound.dim]->start;
  }
  // A negative number is a large one.
  if (isUnsigned) {
    std::optional<unsigned> dim = getCoordinateDim(*lhs);
    if (!dim) {
      decline("a comparison of something else than a coordinate");
      return false;
    }
    found.lower.push_back({*dim, lhs->dims[*dim]->start, SymbolicExpr()});
  }
  return true;
}

/// Adds what `mask` says to `found`; false, with an obstacle, if `reading` does
/// not allow for what it is.
bool AffineAddressReader::readMaskInto(Value mask, MaskBounds &found,
                                       MaskReading reading, Value selected) {
  auto type = cast<RankedTensorType>(mask.getType());
  // A column of booleans picks rows; a true constant says nothing.
  if (reading == MaskReading::BoundsAndRows && type.getRank() == 2 &&
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
  // A conjunction has the bounds of both sides. If some bounds suffice, one
  // side that can be read does.
  if (isa<arith::AndIOp>(op)) {
    bool first = readMaskInto(op->getOperand(0), found, reading, selected);
    if (!first && reading != MaskReading::SomeBounds)
      return false;
    bool second = readMaskInto(op->getOperand(1), found, reading, selected);
    return reading == MaskReading::SomeBounds ? first || second : second;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return readComparison(compare, found, reading, selected);
  // Bounds hold along dimensions that a broadcast leaves alone; along the
  // broadcast one there is none.
  if (isa<triton::BroadcastOp>(op))
    return readMaskInto(op->getOperand(0), found, reading, selected);
  // Dimensions from the new axis on are one further.
  if (auto expand = dyn_cast<ExpandDimsOp>(op)) {
    MaskBounds inner;
    if (!readOperand<bool>(expand, [&] {
          return readMaskInto(expand.getSrc(), inner, reading, selected);
        }))
      return false;
    auto move = [&](SmallVectorImpl<MaskBound> &from,
                    SmallVectorImpl<MaskBound> &to) {
      for (MaskBound &bound : from) {
        bound.dim += bound.dim >= expand.getAxis();
        to.push_back(std::move(bound));
      }
    };
    move(inner.upper, found.upper);
    move(inner.lower, found.lower);
    return true;
  }
  decline("a mask by `" + op->getName().getStringRef() + "`");
  return false;
}

std::optional<MaskBounds> AffineAddressReader::readMask(Value mask,
                                                        MaskReading reading) {
  llvm::SaveAndRestore restore(accessDims);
  enterAccess(mask);
  MaskBounds bounds;
  if (!readMaskInto(mask, bounds, reading))
    return std::nullopt;
  return bounds;
}

std::optional<MaskBounds>
AffineAddressReader::readMaskAsWritten(Value mask, MaskReading reading) {
  llvm::SaveAndRestore restore(current, Reading::AsWritten);
  return readMask(mask, reading);
}

} // namespace mlir::triton::gpu::intel
