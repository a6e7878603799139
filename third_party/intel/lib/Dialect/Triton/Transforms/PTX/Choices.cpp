//===- Choices.cpp - Moves, comparisons and choices of PTX ----------------===//
// SPDX-License-Identifier: MIT
//
// See "Comparison and Selection Instructions" of the PTX ISA, and its `mov`.
//
//===----------------------------------------------------------------------===//

#include "Translator.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::triton::intel::ptx;

namespace ptx = mlir::triton::intel::ptx;

namespace {

/// `mov` from or to a vector: a register's parts.
LogicalResult translateParts(Translator &t, NumberType type, bool packs) {
  const Operand &vector = t.instruction->operands[packs ? 1 : 0];
  unsigned count = vector.elements.size();
  if (count == 0 || type.getWidth() % count != 0)
    return t.fail("`{}` has " + Twine(count) + " parts of " +
                  Twine(type.getWidth()) + " bits");
  NumberType part{
      NumberType::Kind::Bits, type.getWidth() / count, 1, {}, false};
  if (packs) {
    SmallVector<Value> values;
    for (const Operand &element : vector.elements) {
      FailureOr<Value> value = t.readOperand(element, part, /*isLow=*/false);
      if (failed(value))
        return failure();
      values.push_back(*value);
    }
    return t.write(t.builder.concatenate(values));
  }
  FailureOr<Value> value = t.read(1, type);
  if (failed(value))
    return failure();
  for (auto [i, element] : llvm::enumerate(vector.elements))
    if (failed(t.write(element,
                       t.builder.slice(*value, i * part.width, part.width))))
      return failure();
  return success();
}

LogicalResult translateMove(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(2)))
    return failure();
  ArrayRef<Operand> operands = t.instruction->operands;
  if (operands[0].kind == Operand::Kind::Vector)
    return translateParts(t, *type, /*packs=*/false);
  if (operands[1].kind == Operand::Kind::Vector)
    return translateParts(t, *type, /*packs=*/true);
  FailureOr<Value> value = t.read(1, *type);
  return failed(value) ? failure() : t.write(*value);
}

/// Returns the comparison of integers of this name. Bits are only the same or
/// not, and some names are for numbers without a sign.
std::optional<arith::CmpIPredicate> getIntegerPredicate(StringRef name,
                                                        NumberType::Kind kind) {
  using Predicate = arith::CmpIPredicate;
  bool isSigned = kind == NumberType::Kind::Signed;
  if (kind == NumberType::Kind::Unsigned)
    name = llvm::StringSwitch<StringRef>(name)
               .Case("lo", "lt")
               .Case("ls", "le")
               .Case("hi", "gt")
               .Case("hs", "ge")
               .Default(name);
  if (kind == NumberType::Kind::Bits && name != "eq" && name != "ne")
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Predicate>>(name)
      .Case("eq", Predicate::eq)
      .Case("ne", Predicate::ne)
      .Case("lt", isSigned ? Predicate::slt : Predicate::ult)
      .Case("le", isSigned ? Predicate::sle : Predicate::ule)
      .Case("gt", isSigned ? Predicate::sgt : Predicate::ugt)
      .Case("ge", isSigned ? Predicate::sge : Predicate::uge)
      .Default(std::nullopt);
}

/// Returns the comparison of floats of this name. Comparisons whose names end
/// in `u` hold for NaN.
std::optional<arith::CmpFPredicate> getFloatPredicate(StringRef name) {
  using Predicate = arith::CmpFPredicate;
  return llvm::StringSwitch<std::optional<Predicate>>(name)
      .Case("eq", Predicate::OEQ)
      .Case("ne", Predicate::ONE)
      .Case("lt", Predicate::OLT)
      .Case("le", Predicate::OLE)
      .Case("gt", Predicate::OGT)
      .Case("ge", Predicate::OGE)
      .Case("equ", Predicate::UEQ)
      .Case("neu", Predicate::UNE)
      .Case("ltu", Predicate::ULT)
      .Case("leu", Predicate::ULE)
      .Case("gtu", Predicate::UGT)
      .Case("geu", Predicate::UGE)
      .Case("num", Predicate::ORD)
      .Case("nan", Predicate::UNO)
      .Default(std::nullopt);
}

/// Compares two numbers of a type; fails if the modifiers name no comparison.
FailureOr<Value> compareNumbers(Translator &t, NumberType type, StringRef name,
                                Value lhs, Value rhs) {
  if (type.isFloat()) {
    if (auto predicate = getFloatPredicate(name))
      return t.builder.compare(*predicate, lhs, rhs);
  } else if (auto predicate = getIntegerPredicate(name, type.kind)) {
    return t.builder.compare(*predicate, lhs, rhs);
  }
  return t.fail("`." + name + "` does not compare numbers of this type");
}

/// `setp`: a comparison, that may be combined with a predicate, and its
/// opposite.
LogicalResult translateComparison(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type))
    return failure();
  StringRef combination;
  for (StringRef name : {"and", "or", "xor"})
    if (t.take(name))
      combination = name;
  FailureOr<StringRef> comparison = t.takeLast();
  if (failed(comparison) || failed(t.finish(combination.empty() ? 3 : 4)))
    return failure();
  FailureOr<Value> lhs = t.read(1, *type), rhs = t.read(2, *type);
  if (failed(lhs) || failed(rhs))
    return failure();
  SmallVector<Value> left = t.split(*lhs, *type), right = t.split(*rhs, *type);
  SmallVector<Value> results;
  for (auto [a, b] : llvm::zip_equal(left, right)) {
    FailureOr<Value> result = compareNumbers(t, *type, *comparison, a, b);
    if (failed(result))
      return failure();
    results.push_back(*result);
  }
  const Operand &destination = t.instruction->operands[0];
  bool isPair = destination.kind == Operand::Kind::Pair;
  if (isPair ? destination.elements.size() != 2 : results.size() != 1)
    return t.fail("expected two predicates, as in `p|q`");
  // Two numbers have a predicate each; one has its opposite beside it.
  if (isPair && results.size() == 1)
    results.push_back(t.builder.invert(results[0]));
  for (Value &result : results) {
    if (combination.empty())
      continue;
    FailureOr<Value> other = t.read(3, 1);
    if (failed(other))
      return failure();
    ptx::Builder &b = t.builder;
    if (combination == "and")
      result = b.create<arith::AndIOp>(result, *other);
    else if (combination == "or")
      result = b.create<arith::OrIOp>(result, *other);
    else
      result = b.create<arith::XOrIOp>(result, *other);
  }
  if (!isPair)
    return t.write(results[0]);
  return success(succeeded(t.write(destination.elements[0], results[0])) &&
                 succeeded(t.write(destination.elements[1], results[1])));
}

/// `selp`: a choice by a predicate.
LogicalResult translateSelection(Translator &t) {
  FailureOr<NumberType> type = t.takeType();
  if (failed(type) || failed(t.finish(4)))
    return failure();
  FailureOr<Value> lhs = t.read(1, *type), rhs = t.read(2, *type),
                   condition = t.read(3, 1);
  if (failed(lhs) || failed(rhs) || failed(condition))
    return failure();
  return t.write(t.builder.select(*condition, *lhs, *rhs));
}

} // namespace

std::optional<LogicalResult> Translator::translateChoice(StringRef name) {
  if (name == "mov")
    return translateMove(*this);
  if (name == "setp")
    return translateComparison(*this);
  if (name == "selp")
    return translateSelection(*this);
  return std::nullopt;
}
