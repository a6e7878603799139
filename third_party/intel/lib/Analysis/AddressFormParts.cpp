//===- AddressFormParts.cpp - Forms of parts of tensors -------------------===//
//
// What all of a tensor has a form for, a part of it has: coordinates begin
// later. Beyond that, three operations have a form for a part that lies within
// one group of elements: quotients, which are one number, remainders, which go
// on from that of the first element, and lookups at an address that is the same
// for all of the part.
//
//===----------------------------------------------------------------------===//

#include "intel/Analysis/AddressForm.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// A form of `rank` dimensions, of the same number for all elements.
static AddressForm makeUniform(unsigned rank, const UniformSum &number) {
  AddressForm form;
  form.dims.resize(rank);
  form.rest = number;
  return form;
}

std::optional<AddressForm>
AddressFormReader::readPart(Value tensor, Value mask, TensorPart part,
                            ModuleAxisInfoAnalysis &axisInfo,
                            ValueSources &sources) {
  this->axisInfo = &axisInfo;
  this->sources = &sources;
  Form form = readUnder(mask, [&] { return readPart(tensor, part); });
  partForms.clear();
  return form;
}

std::optional<AddressForm> AddressFormReader::readPart(Value tensor,
                                                       TensorPart part) {
  if (Form form = read(tensor); form && form->assumptions.empty()) {
    std::optional<Coordinate> &coordinate = form->dims[part.dim];
    if (coordinate && coordinate->numbers)
      return decline(tensor.getDefiningOp(), "numbers of rows");
    if (coordinate)
      coordinate->start = coordinate->start + UniformSum(part.first);
    return form;
  }
  Operation *op = tensor.getDefiningOp();
  auto type = cast<RankedTensorType>(tensor.getType());
  // Of one element there is no smaller part.
  if (!op || type.getDimSize(part.dim) == 1)
    return decline(op, "a tensor that has no parts");
  auto [entry, isNew] = partForms.try_emplace(
      std::tuple(tensor.getAsOpaquePointer(), part.dim, part.first, part.size));
  if (isNew) {
    // Others may be added to the table; entries stay where they are.
    entry->second = readPartUncached(op, part);
  }
  return entry->second;
}

std::optional<AddressForm>
AddressFormReader::readPartUncached(Operation *op, TensorPart part) {
  return llvm::TypeSwitch<Operation *, Form>(op)
      .Case([&](ExpandDimsOp expand) -> Form {
        // The new dimension has one element, and is not that of the part.
        TensorPart inner = part;
        inner.dim -= part.dim > expand.getAxis();
        Form form = readPart(expand.getSrc(), inner);
        return form ? this->expand(std::move(*form), expand.getAxis()) : form;
      })
      .Case([&](TransOp trans) -> Form {
        TensorPart inner = part;
        inner.dim = trans.getOrder()[part.dim];
        Form form = readPart(trans.getSrc(), inner);
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
        hasChoices = true;
        if (!conditions.contains(select.getCondition()))
          return decline(op, "a choice by something else than the mask");
        return readPart(select.getTrueValue(), part);
      })
      .Case<arith::DivSIOp, arith::RemSIOp>(
          [&](Operation *op) { return readQuotient(op, part); })
      .Case([&](LoadOp load) { return readLookup(load, part); })
      .Default([&](Operation *op) {
        return decline(op,
                       "the result of `" + op->getName().getStringRef() + "`");
      });
}

/// What divides a sum, as far as is known; 0 for the empty sum.
int64_t AddressFormReader::getDivisor(const UniformSum &sum) {
  int64_t divisor = 0;
  for (const UniformSum &term : sum.getTerms()) {
    // No kernel asks for more, and products stay small.
    constexpr int64_t enough = int64_t(1) << 20;
    int64_t known = std::gcd(term.getFactor(), enough);
    for (Value value : term.getValues(values))
      if (const AxisInfo *info = axisInfo->getAxisInfo(value))
        known = std::min(
            enough, known * std::gcd(info->getElementDivisibility(), enough));
    divisor = std::gcd(divisor, known);
  }
  return divisor;
}

/// The quotient or remainder of a part within one group.
std::optional<AddressForm> AddressFormReader::readQuotient(Operation *op,
                                                           TensorPart part) {
  Form form = readPart(op->getOperand(0), part);
  if (!form)
    return form;
  APInt constant;
  std::optional<unsigned> dim = getCoordinateDim(*form);
  if (!matchPattern(op->getOperand(1), m_ConstantInt(&constant)) ||
      !constant.isStrictlyPositive() ||
      (dim ? *dim != part.dim : !isUniform(*form) || form->base))
    return decline(op, "a quotient of something else than a coordinate");
  int64_t divisor = constant.getSExtValue();
  const UniformSum start = dim ? form->dims[*dim]->start : form->rest;
  // Quotients are rounded toward zero: down for what is not negative.
  if (!start.isKnownNonNegative(values, *sources, op) ||
      (dim && part.size > std::gcd(getDivisor(start), divisor)))
    return decline(op, "elements of several groups");
  // What is known to be a multiple needs no division.
  UniformSum rest, quotient = start.divide(UniformSum(divisor), rest);
  if (std::optional<int64_t> known = rest.getConstant(); known && *known >= 0) {
    quotient = quotient + UniformSum(*known / divisor);
  } else {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    Value number = start.create(builder, loc, values);
    Value by = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(number.getType(), divisor));
    quotient = UniformSum::get(arith::DivSIOp::create(builder, loc, number, by),
                               values);
  }
  if (isa<arith::DivSIOp>(op))
    return makeUniform(form->dims.size(), quotient);
  std::optional<UniformSum> before = quotient * UniformSum(divisor);
  if (!before)
    return decline(op, "a remainder of too many terms");
  UniformSum &result = dim ? form->dims[*dim]->start : form->rest;
  result = result - *before;
  return form;
}

/// The number that is loaded for all elements of a part.
std::optional<AddressForm> AddressFormReader::readLookup(LoadOp load,
                                                         TensorPart part) {
  auto type = cast<RankedTensorType>(load.getType());
  Type element = type.getElementType();
  if (load.getIsVolatile() || !(element.isInteger(32) || element.isInteger(64)))
    return decline(load, "a load of something else than numbers");
  Form form = readPart(load.getPtr(), part);
  if (!form)
    return form;
  if (!isUniform(*form) || !form->base)
    return decline(load, "a load from several addresses");
  // What is there instead of an element that is not loaded is of no account to
  // an access under the same mask, or without a word about it.
  Value mask = load.getMask();
  MaskBounds bounds;
  if (mask) {
    hasChoices = true;
    if (load.getOther() && !conditions.contains(mask))
      return decline(load, "a load under another mask");
    if (!readMaskInto(mask, bounds) || bounds.upper.size() != 1 ||
        !bounds.lower.empty() || bounds.upper.front().dim != part.dim)
      return decline(load, "a load under something else than a bound");
  }
  OpBuilder builder(load);
  Location loc = load.getLoc();
  // If any element of the part is loaded, the first one is.
  Value condition, other;
  if (mask) {
    const MaskBound &bound = bounds.upper.front();
    UniformSum first = bound.start + UniformSum(part.first);
    condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      first.create(builder, loc, values),
                                      bound.bound.create(builder, loc, values));
    // A page that is not read has an address all the same.
    other = arith::ConstantOp::create(builder, loc,
                                      builder.getIntegerAttr(element, 0));
  }
  Value pointer = form->base;
  if (!form->rest.isZero())
    pointer = AddPtrOp::create(builder, loc, pointer.getType(), pointer,
                               form->rest.create(builder, loc, values));
  Value number =
      LoadOp::create(builder, loc, pointer, condition, other, load.getCache(),
                     load.getEvict(), /*isVolatile=*/false);
  return makeUniform(type.getRank(), UniformSum::get(number, values));
}

} // namespace mlir::triton::gpu::intel
