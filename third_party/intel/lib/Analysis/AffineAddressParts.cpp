//===- AffineAddressParts.cpp - Affine forms of parts ---------------------===//
// SPDX-License-Identifier: MIT
//
// If a whole tensor has an affine form, a part of it has this form with shifted
// coordinates. In addition, three operations have a form for a part that lies
// within one group of elements: quotients, which are one number; remainders,
// which continue from that of the first element; and lookups at an address that
// is the same for the whole part. Shifts and masks are quotients and remainders
// by powers of two.
//
// Groups begin at multiples of their size, and quotients are rounded toward
// zero. A value that is not known to be non-negative is therefore assumed to be
// so, at the least value that it has in the loops around it.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/AffineAddress.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Returns `form` with the same number for all elements, on the same
/// assumptions.
static AffineAddress makeUniform(const AffineAddress &form,
                                 const SymbolicExpr &number) {
  AffineAddress result;
  result.dims.resize(form.dims.size());
  result.rest = number;
  result.assumptions = form.assumptions;
  return result;
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

/// Returns the least value that a sum has in the loops around `op`, as far as
/// it can be told, but for positive constants in it.
SymbolicExpr AffineAddressReader::getLeast(SymbolicExpr sum, Operation *op) {
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    Value counter = loop.getInductionVar();
    std::optional<APInt> step = loop.getConstantStep();
    if (!step || !step->isStrictlyPositive() || loop.getUnsignedCmp())
      break;
    // The counter grows, and with it the sum, if that has multiples of it
    // alone.
    if (llvm::any_of(sum.getSummands(), [&](const SymbolicExpr &term) {
          SmallVector<Value> factors = values.getFactors(term);
          return llvm::is_contained(factors, counter) &&
                 (factors.size() > 1 || term.getTerms().begin()->second < 0);
        }))
      break;
    SymbolicExpr first = sum.substitute(values.getSymbol(counter),
                                        readNumber(loop.getLowerBound()));
    if (!first.isKnown())
      break;
    sum = first;
  }
  SymbolicExpr least;
  for (const SymbolicExpr &term : sum.getSummands())
    if (std::optional<int64_t> known = term.getConstant(); !known || *known < 0)
      least = least + term;
  return least;
}

std::optional<AffineAddress>
AffineAddressReader::readPart(Value tensor, Value mask, TensorPart part) {
  end = std::nullopt;
  if (mask)
    if (std::optional<MaskBounds> bounds =
            readMask(mask, MaskReading::SomeBounds))
      for (const MaskBound &bound : bounds->upper)
        if (bound.dim == part.dim)
          end = bound.bound - bound.start;
  Form form = readUnder(mask, [&] { return readPart(tensor, part); });
  partForms.clear();
  return form;
}

/// Returns whether `mask`, of a tensor that is read in parts, holds wherever
/// the mask of the access does.
bool AffineAddressReader::holdsForAccess(Value mask, TensorPart part) {
  hasChoices = true;
  if (conditions.count({mask.getAsOpaquePointer(), accessDims}))
    return true;
  // This is the same bound, compared in another shape.
  MaskBounds bounds;
  return end && readMaskInto(mask, bounds) && bounds.lower.empty() &&
         llvm::all_of(bounds.upper, [&](const MaskBound &bound) {
           return bound.dim == part.dim && bound.bound - bound.start == *end;
         });
}

std::optional<AffineAddress> AffineAddressReader::readPart(Value tensor,
                                                           TensorPart part) {
  llvm::SaveAndRestore restore(accessDims);
  enterAccess(tensor);
  if (Form form = read(tensor); form && form->assumptions.empty()) {
    std::optional<Coordinate> &coordinate = form->dims[part.dim];
    if (coordinate && coordinate->numbers)
      return decline("numbers of rows");
    if (coordinate)
      coordinate->start = coordinate->start + SymbolicExpr(part.first);
    return form;
  }
  Operation *op = tensor.getDefiningOp();
  auto type = cast<RankedTensorType>(tensor.getType());
  // Of one element there is no smaller part.
  if (!op || type.getDimSize(part.dim) == 1)
    return decline("a tensor that has no parts");
  auto [entry, isNew] = partForms.try_emplace(
      std::tuple(getPlace(tensor), part.dim, part.first, part.size));
  if (isNew) {
    // Others may be added to the table; entries stay where they are.
    entry->second = readPartUncached(op, part);
    if (entry->second && !isKnown(*entry->second))
      entry->second = decline("an address of too many terms");
  }
  return entry->second;
}

std::optional<AffineAddress>
AffineAddressReader::readPartUncached(Operation *op, TensorPart part) {
  return llvm::TypeSwitch<Operation *, Form>(op)
      .Case([&](ExpandDimsOp expand) -> Form {
        // The new dimension has one element, and is not that of the part.
        TensorPart inner = part;
        inner.dim -= part.dim > expand.getAxis();
        Form form = readOperand<Form>(
            expand, [&] { return readPart(expand.getSrc(), inner); });
        return form ? this->expand(std::move(*form), expand.getAxis()) : form;
      })
      .Case([&](TransOp trans) -> Form {
        TensorPart inner = part;
        inner.dim = trans.getOrder()[part.dim];
        Form form = readOperand<Form>(
            trans, [&] { return readPart(trans.getSrc(), inner); });
        return form ? transpose(*form, trans.getOrder()) : form;
      })
      .Case<triton::BroadcastOp, arith::ExtSIOp>(
          [&](Operation *op) { return readPart(op->getOperand(0), part); })
      .Case<AddPtrOp, arith::AddIOp, arith::SubIOp, arith::MulIOp>(
          [&](Operation *op) -> Form {
            Form lhs = readPart(op->getOperand(0), part);
            Form rhs = lhs ? readPart(op->getOperand(1), part) : std::nullopt;
            return lhs && rhs ? combine(op, *lhs, *rhs) : std::nullopt;
          })
      .Case([&](arith::SelectOp select) -> Form {
        if (!isa<RankedTensorType>(select.getCondition().getType()) ||
            !holdsForAccess(select.getCondition(), part))
          return decline("a choice by something else than the mask");
        return readPart(select.getTrueValue(), part);
      })
      .Case<arith::DivSIOp, arith::RemSIOp, arith::ShRSIOp, arith::ShRUIOp,
            arith::AndIOp>(
          [&](Operation *op) { return readQuotient(op, part); })
      .Case([&](LoadOp load) { return readLookup(load, part); })
      .Default([&](Operation *op) {
        return decline("the result of `" + op->getName().getStringRef() + "`");
      });
}

/// Returns the quotient or remainder of a part within one group.
std::optional<AffineAddress>
AffineAddressReader::readQuotient(Operation *op, TensorPart part) {
  Form form = readPart(op->getOperand(0), part);
  if (!form)
    return form;
  std::optional<int64_t> groupSize = getGroupSize(op);
  std::optional<unsigned> dim = getCoordinateDim(*form);
  if (!groupSize || (dim ? *dim != part.dim : !isUniform(*form) || form->base))
    return decline("a quotient of something else than a coordinate");
  int64_t divisor = *groupSize;
  const SymbolicExpr start = dim ? form->dims[*dim]->start : form->rest;
  if (dim && part.size > std::gcd(values.getDivisor(start, sources), divisor))
    return decline("elements of several groups");
  // A dividend is no part of the address.
  if (!isExact(op->getOperand(0), start, dim ? start + (part.size - 1) : start))
    return decline("a quotient of what may overflow");
  // Quotients are rounded toward zero: down for what is not negative.
  if (!isNonNegative(start)) {
    SymbolicExpr least = getLeast(start, op);
    if (!isNonNegative(least))
      form->assumptions.push_back({part.dim, least, /*size=*/0, SymbolicExpr(),
                                   /*isSurplusUnobserved=*/true});
  }
  // What is known to be a multiple needs no division.
  SymbolicExpr rest, quotient = start.divide(SymbolicExpr(divisor), rest);
  if (std::optional<int64_t> known = rest.getConstant(); known && *known >= 0) {
    quotient = quotient + SymbolicExpr(*known / divisor);
  } else {
    quotient = values.divide(
        start, divisor, getElementTypeOrSelf(op->getResult(0).getType()), op);
  }
  if (isa<arith::DivSIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return makeUniform(*form, quotient);
  SymbolicExpr &result = dim ? form->dims[*dim]->start : form->rest;
  result = result - quotient * divisor;
  if (!result.isKnown())
    return decline("a remainder of too many terms");
  return form;
}

/// Returns the number that is loaded for all elements of a part.
std::optional<AffineAddress> AffineAddressReader::readLookup(LoadOp load,
                                                             TensorPart part) {
  auto type = cast<RankedTensorType>(load.getType());
  Type element = type.getElementType();
  if (load.getIsVolatile() || !(element.isInteger(32) || element.isInteger(64)))
    return decline("a load of something else than numbers");
  Form form = readPart(load.getPtr(), part);
  if (!form)
    return form;
  if (!isUniform(*form) || !form->base)
    return decline("a load from several addresses");
  // What is there instead of an element that is not loaded is of no account to
  // an access under the same mask, or without a word about it.
  Value mask = load.getMask();
  MaskBounds bounds;
  if (mask) {
    if (load.getOther() && !holdsForAccess(mask, part))
      return decline("a load under another mask");
    if (!readMaskInto(mask, bounds) || bounds.upper.size() != 1 ||
        !bounds.lower.empty() || bounds.upper.front().dim != part.dim)
      return decline("a load under something else than a bound");
  }
  SharedLoad shared{load, form->base, form->rest, SymbolicExpr(), std::nullopt};
  // If any element of the part is loaded, the first one is. A page that is not
  // loaded has an address all the same.
  if (mask) {
    const MaskBound &bound = bounds.upper.front();
    shared.first = bound.start + SymbolicExpr(part.first);
    shared.bound = bound.bound;
  }
  return makeUniform(*form, values.load(shared));
}

} // namespace mlir::triton::gpu::intel
