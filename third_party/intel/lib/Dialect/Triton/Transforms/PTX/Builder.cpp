//===- Builder.cpp - Bits of PTX registers as values ----------------------===//
// SPDX-License-Identifier: MIT

#include "Builder.h"

using namespace mlir;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

Value ptx::Builder::splat(TypedAttr attribute) const {
  if (shape)
    attribute = DenseElementsAttr::get(
        cast<ShapedType>(getType(attribute.getType())), Attribute(attribute));
  return arith::ConstantOp::create(builder, loc, attribute);
}

Value ptx::Builder::constant(unsigned bits, uint64_t value) const {
  return splat(builder.getIntegerAttr(builder.getIntegerType(bits),
                                      APInt(bits, value, /*isSigned=*/false,
                                            /*implicitTrunc=*/true)));
}

Value ptx::Builder::constantFloat(Type element, double value) const {
  return splat(builder.getFloatAttr(element, value));
}

Value ptx::Builder::resize(Value value, unsigned bits, bool isSigned) {
  unsigned width = getWidth(value);
  if (bits == width)
    return value;
  if (bits < width)
    return arith::TruncIOp::create(builder, loc, getInt(bits), value);
  if (isSigned)
    return arith::ExtSIOp::create(builder, loc, getInt(bits), value);
  return arith::ExtUIOp::create(builder, loc, getInt(bits), value);
}

Value ptx::Builder::slice(Value value, unsigned first, unsigned count) {
  if (first != 0)
    value = with<arith::ShRUIOp>(value, first);
  return resize(value, count);
}

Value ptx::Builder::concatenate(ArrayRef<Value> parts) {
  unsigned bits = 0;
  for (Value part : parts)
    bits += getWidth(part);
  Value whole = resize(parts.front(), bits);
  unsigned first = getWidth(parts.front());
  for (Value part : parts.drop_front()) {
    Value moved = with<arith::ShLIOp>(resize(part, bits), first);
    whole = create<arith::OrIOp>(whole, moved);
    first += getWidth(part);
  }
  return whole;
}

Value ptx::Builder::bitcast(Value value, Type element) {
  Type type = getType(element);
  if (value.getType() == type)
    return value;
  // Casts of casts would hide what an instruction computes with.
  if (auto cast = value.getDefiningOp<arith::BitcastOp>())
    return bitcast(cast.getIn(), element);
  return arith::BitcastOp::create(builder, loc, type, value);
}

Value ptx::Builder::convertFloat(Value value, Type element) {
  unsigned from = getWidth(value), to = element.getIntOrFloatBitWidth();
  Type type = getType(element);
  if (value.getType() == type)
    return value;
  // Neither of bf16 and f16 has all numbers of the other.
  if (from == to)
    return convertFloat(convertFloat(value, getF32()), element);
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, value);
  return arith::TruncFOp::create(builder, loc, type, value);
}

Value ptx::Builder::getBits(Value value) {
  return bitcast(value, builder.getIntegerType(getWidth(value)));
}

std::pair<Value, Value> ptx::Builder::limitShift(Value value, Value amount) {
  unsigned width = getWidth(value);
  Value tooFar = compare(arith::CmpIPredicate::uge, amount, width);
  // The comparison is about all bits of the amount.
  return {resize(amount, width), tooFar};
}

Value ptx::Builder::shiftLeft(Value value, Value amount) {
  auto [steps, tooFar] = limitShift(value, amount);
  return select(tooFar, constant(getWidth(value), 0),
                create<arith::ShLIOp>(value, steps));
}

Value ptx::Builder::shiftRight(Value value, Value amount, bool isSigned) {
  auto [steps, tooFar] = limitShift(value, amount);
  unsigned width = getWidth(value);
  if (!isSigned)
    return select(tooFar, constant(width, 0),
                  create<arith::ShRUIOp>(value, steps));
  return create<arith::ShRSIOp>(
      value, select(tooFar, constant(width, width - 1), steps));
}
