//===- Bits.cpp - Logic, shifts and permutations of PTX -------------------===//
// SPDX-License-Identifier: MIT
//
// See "Logic and Shift Instructions" of the PTX ISA, and its `prmt`, `bfe`,
// `bfi` and `brev`.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

namespace {

/// `and`, `or`, `xor`, `not` and `cnot`.
LogicalResult translateLogic(Translator &t, StringRef name) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  ptx::Builder &b = t.builder;
  if (name == "not")
    return t.translateUniform(
        *type, 1, [&](ArrayRef<Value> in) { return b.invert(in[0]); });
  if (name == "cnot")
    return t.translateUniform(*type, 1, [&](ArrayRef<Value> in) {
      return b.resize(b.compare(arith::CmpIPredicate::eq, in[0], 0),
                      type->width);
    });
  return t.translateUniform(*type, 2, [&](ArrayRef<Value> in) -> Value {
    if (name == "and")
      return b.create<arith::AndIOp>(in[0], in[1]);
    if (name == "or")
      return b.create<arith::OrIOp>(in[0], in[1]);
    return b.create<arith::XOrIOp>(in[0], in[1]);
  });
}

/// Returns the function of two bits whose value for (a, b) is bit 2a + b of
/// `table`; null if it does not depend on them.
Value getLogic(ptx::Builder &b, unsigned table, Value lhs, Value rhs) {
  // Half of the functions are the inverse of another one.
  if (table & 1) {
    Value inverse = getLogic(b, ~table & 0xf, lhs, rhs);
    return inverse ? b.invert(inverse) : Value();
  }
  switch (table) {
  case 0x2:
    return b.create<arith::AndIOp>(b.invert(lhs), rhs);
  case 0x4:
    return b.create<arith::AndIOp>(lhs, b.invert(rhs));
  case 0x6:
    return b.create<arith::XOrIOp>(lhs, rhs);
  case 0x8:
    return b.create<arith::AndIOp>(lhs, rhs);
  case 0xa:
    return rhs;
  case 0xc:
    return lhs;
  case 0xe:
    return b.create<arith::OrIOp>(lhs, rhs);
  default:
    return Value();
  }
}

/// Returns the function of three bits whose value for (a, b, c) is bit
/// 4a + 2b + c of `table`.
Value getLogic(ptx::Builder &b, unsigned table, Value first, Value second,
               Value third) {
  // The functions of the first two bits where the third one is 0 and 1.
  unsigned zero = 0, one = 0;
  for (unsigned row = 0; row < 4; ++row) {
    zero |= (table >> (2 * row) & 1) << row;
    one |= (table >> (2 * row + 1) & 1) << row;
  }
  unsigned width = ptx::Builder::getWidth(first);
  auto get = [&](unsigned part) {
    Value value = getLogic(b, part, first, second);
    return value ? value : b.constant(width, part == 0 ? 0 : ~uint64_t(0));
  };
  Value base = get(zero);
  if (zero == one)
    return base;
  // The third bit changes the result where the functions differ.
  Value change = b.create<arith::AndIOp>(get(zero ^ one), third);
  return b.create<arith::XOrIOp>(base, change);
}

/// `lop3`: any function of three operands.
LogicalResult translateTernaryLogic(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(5)))
    return failure();
  const Operand &table = t.instruction->operands[4];
  if (table.kind != Operand::Kind::Integer || table.bits > 0xff)
    return t.fail("expected a table from 0 to 255 as the last operand");
  FailureOr<Value> first = t.read(1, 32), second = t.read(2, 32),
                   third = t.read(3, 32);
  if (failed(first) || failed(second) || failed(third))
    return failure();
  return t.write(getLogic(t.builder, table.bits, *first, *second, *third));
}

/// `shl` and `shr`, whose amount always has 32 bits.
LogicalResult translateShift(Translator &t, bool isLeft) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(3)))
    return failure();
  FailureOr<Value> value = t.read(1, *type), amount = t.read(2, 32);
  if (failed(value) || failed(amount))
    return failure();
  return t.write(isLeft
                     ? t.builder.shiftLeft(*value, *amount)
                     : t.builder.shiftRight(*value, *amount, type->isSigned()));
}

/// `shf`: a shift of two registers, of which one is the result.
LogicalResult translateFunnelShift(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  bool isLeft = t.take("l");
  bool wraps = t.take("wrap");
  if ((!isLeft && !t.take("r")) || (!wraps && !t.take("clamp")))
    return t.fail("expected `.l` or `.r`, and `.wrap` or `.clamp`");
  if (failed(t.finish(4)))
    return failure();
  FailureOr<Value> low = t.read(1, 32), high = t.read(2, 32),
                   amount = t.read(3, 32);
  if (failed(low) || failed(high) || failed(amount))
    return failure();
  ptx::Builder &b = t.builder;
  Value steps = wraps ? b.with<arith::AndIOp>(*amount, 31)
                      : b.with<arith::MinUIOp>(*amount, 32);
  steps = b.resize(steps, 64);
  Value both = b.concatenate({*low, *high});
  if (isLeft)
    return t.write(b.slice(b.create<arith::ShLIOp>(both, steps), 32, 32));
  return t.write(b.resize(b.create<arith::ShRUIOp>(both, steps), 32));
}

/// Returns a mask whose number of ones, from the lowest bit on, is the value.
Value getOnes(ptx::Builder &b, unsigned width, Value count) {
  return b.invert(b.shiftLeft(b.constant(width, ~uint64_t(0)), count));
}

/// `bfe`: a field of bits. Bits outside of the register are the sign of the
/// field, as are the bits above the field.
LogicalResult translateExtract(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(4)))
    return failure();
  FailureOr<Value> value = t.read(1, *type), first = t.read(2, 32),
                   length = t.read(3, 32);
  if (failed(value) || failed(first) || failed(length))
    return failure();
  ptx::Builder &b = t.builder;
  unsigned width = type->width;
  Value place = b.with<arith::AndIOp>(*first, 0xff);
  Value count = b.with<arith::AndIOp>(*length, 0xff);
  Value field = b.shiftRight(*value, place, type->isSigned());
  Value ones = getOnes(b, width, count);
  Value low = b.create<arith::AndIOp>(field, ones);
  if (!type->isSigned())
    return t.write(low);
  // An empty field has no sign. That of others is their highest bit, or that
  // of the register, which the shift has brought in.
  Value last =
      b.with<arith::MinUIOp>(b.with<arith::SubIOp>(count, 1), width - 1);
  Value sign = b.with<arith::AndIOp>(b.shiftRight(field, last), 1);
  Value isEmpty = b.compare(arith::CmpIPredicate::eq, count, 0);
  Value fill = b.create<arith::SubIOp>(
      b.constant(width, 0), b.select(isEmpty, b.constant(width, 0), sign));
  Value high = b.create<arith::AndIOp>(fill, b.invert(ones));
  return t.write(b.create<arith::OrIOp>(low, high));
}

/// `bfi`: replaces a field of bits.
LogicalResult translateInsert(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(5)))
    return failure();
  FailureOr<Value> field = t.read(1, *type), base = t.read(2, *type),
                   first = t.read(3, 32), length = t.read(4, 32);
  if (failed(field) || failed(base) || failed(first) || failed(length))
    return failure();
  ptx::Builder &b = t.builder;
  Value place = b.with<arith::AndIOp>(*first, 0xff);
  Value count = b.with<arith::AndIOp>(*length, 0xff);
  Value mask = b.shiftLeft(getOnes(b, type->width, count), place);
  Value moved = b.create<arith::AndIOp>(b.shiftLeft(*field, place), mask);
  Value kept = b.create<arith::AndIOp>(*base, b.invert(mask));
  return t.write(b.create<arith::OrIOp>(kept, moved));
}

/// `brev`: swaps ever larger groups of bits.
LogicalResult translateReverse(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  return t.translateUniform(*type, 1, [&](ArrayRef<Value> in) {
    ptx::Builder &b = t.builder;
    Value value = in[0];
    for (unsigned size = 1; size < type->width; size *= 2) {
      uint64_t mask = APInt::getSplat(64, APInt::getLowBitsSet(2 * size, size))
                          .getZExtValue();
      Value up =
          b.with<arith::ShLIOp>(b.with<arith::AndIOp>(value, mask), size);
      Value down =
          b.with<arith::AndIOp>(b.with<arith::ShRUIOp>(value, size), mask);
      value = b.create<arith::OrIOp>(up, down);
    }
    return value;
  });
}

/// Returns the byte of `bytes` that four bits of a selector name: three have
/// its number, and the last one repeats its sign.
Value selectByte(ptx::Builder &b, Value bytes, Value selector) {
  Value number = b.with<arith::AndIOp>(selector, 7);
  Value shift = b.resize(b.with<arith::ShLIOp>(number, 3), 64);
  Value byte = b.resize(b.create<arith::ShRUIOp>(bytes, shift), 8);
  Value repeats = b.compare(arith::CmpIPredicate::ne,
                            b.with<arith::AndIOp>(selector, 8), 0);
  return b.select(repeats, b.with<arith::ShRSIOp>(byte, 7), byte);
}

/// `prmt`: any four bytes of two registers.
LogicalResult translatePermute(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(4)))
    return failure();
  FailureOr<Value> low = t.read(1, 32), high = t.read(2, 32);
  if (failed(low) || failed(high))
    return failure();
  ptx::Builder &b = t.builder;
  SmallVector<Value> bytes;
  const Operand &control = t.instruction->operands[3];
  if (control.kind == Operand::Kind::Integer) {
    for (unsigned i = 0; i < 4; ++i) {
      unsigned selector = control.bits >> (4 * i) & 0xf;
      Value byte = b.slice(selector & 4 ? *high : *low, 8 * (selector & 3), 8);
      bytes.push_back(selector & 8 ? b.with<arith::ShRSIOp>(byte, 7) : byte);
    }
    return t.write(b.concatenate(bytes));
  }
  FailureOr<Value> selectors = t.read(3, 32);
  if (failed(selectors))
    return failure();
  Value both = b.concatenate({*low, *high});
  for (unsigned i = 0; i < 4; ++i)
    bytes.push_back(
        selectByte(b, both, b.with<arith::ShRUIOp>(*selectors, 4 * i)));
  return t.write(b.concatenate(bytes));
}

} // namespace

std::optional<LogicalResult> Translator::translateBits(StringRef name) {
  if (llvm::is_contained({"and", "or", "xor", "not", "cnot"}, name))
    return translateLogic(*this, name);
  if (name == "lop3")
    return translateTernaryLogic(*this);
  if (name == "shl" || name == "shr")
    return translateShift(*this, name == "shl");
  if (name == "shf")
    return translateFunnelShift(*this);
  if (name == "bfe")
    return translateExtract(*this);
  if (name == "bfi")
    return translateInsert(*this);
  if (name == "brev")
    return translateReverse(*this);
  if (name == "prmt")
    return translatePermute(*this);
  return std::nullopt;
}
