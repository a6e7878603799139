//===- ScalarValues.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/ScalarValues.h"

#include "intel/Analysis/ValueProver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Bounds the operations that are read for one expression, and so the time of
/// it. Kernels of the suite and of `static_cost.py` have up to 7.
static constexpr unsigned kMaxSteps = 64;

SymbolicExpr ScalarValues::read(Value scalar) {
  unsigned numSteps = 0;
  return read(scalar, numSteps);
}

SymbolicExpr ScalarValues::read(Value scalar, unsigned &numSteps) {
  APInt constant;
  // Constants of more than 64 bits stay values.
  if (matchPattern(scalar, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return constant.getSExtValue();
  auto operand = [&](unsigned number) {
    return read(scalar.getDefiningOp()->getOperand(number), numSteps);
  };
  SymbolicExpr expr = SymbolicExpr::getUnknown();
  if (Operation *op = scalar.getDefiningOp(); op && ++numSteps <= kMaxSteps)
    expr = llvm::TypeSwitch<Operation *, SymbolicExpr>(op)
               .Case([&](arith::AddIOp) { return operand(0) + operand(1); })
               .Case([&](arith::SubIOp) { return operand(0) - operand(1); })
               .Case([&](arith::MulIOp) { return operand(0) * operand(1); })
               // Only sign extensions are read through: a zero extension of a
               // negative number is another number. A flag is 0 or -1.
               .Case([&](arith::ExtSIOp ext) {
                 return ext.getIn().getType().isInteger(1)
                            ? SymbolicExpr::getUnknown()
                            : operand(0);
               })
               .Default([](Operation *) { return SymbolicExpr::getUnknown(); });
  return expr.isKnown() ? expr : SymbolicExpr::getSymbol(getSymbol(scalar));
}

SmallVector<Value> ScalarValues::getFactors(const SymbolicExpr &expr) const {
  SmallVector<Value> factors;
  for (auto &[product, factor] : expr.getTerms())
    for (Symbol symbol : product)
      factors.push_back(getValue(symbol));
  return factors;
}

bool ScalarValues::isNonNegative(const SymbolicExpr &expr,
                                 ValueSources &sources, Operation *at) const {
  return ValueProver(sources, Overflow::Excluded)
      .isNonNegative(
          at, [&](ValueProver::ReadFn read) { return translate(expr, read); });
}

int64_t ScalarValues::getDivisor(const SymbolicExpr &expr,
                                 ValueSources &sources) const {
  return ValueProver(sources, Overflow::Excluded)
      .getDivisor(
          [&](ValueProver::ReadFn read) { return translate(expr, read); });
}

/// Returns the expression with what `read` reads for its values.
SymbolicExpr
ScalarValues::translate(const SymbolicExpr &expr,
                        llvm::function_ref<SymbolicExpr(Value)> read) const {
  return expr.substitute([&](Symbol symbol) { return read(getValue(symbol)); });
}

bool ScalarValues::isDefinedOutside(const SymbolicExpr &expr,
                                    Region &region) const {
  return llvm::none_of(getFactors(expr), [&](Value value) {
    return region.isAncestor(value.getParentRegion());
  });
}

void ScalarValues::print(raw_ostream &os, const SymbolicExpr &expr) const {
  if (expr.isZero())
    // The empty sum has no term that would print.
    os << "0";
  llvm::interleave(
      expr.getTerms(), os,
      [&](auto &term) {
        auto &[product, factor] = term;
        // A factor of 1 is left out, unless it is all that the term has.
        if (factor != 1 || product.empty())
          os << factor << (product.empty() ? "" : " * ");
        llvm::interleave(
            product, os,
            [&](Symbol symbol) {
              getValue(symbol).printAsOperand(os, OpPrintingFlags());
            },
            " * ");
      },
      " + ");
}

Value ScalarValues::create(OpBuilder &builder, Location loc,
                           const SymbolicExpr &expr) const {
  assert(expr.isKnown() && "an unknown expression has no value");
  Type type = builder.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  // The scalars, whose own arithmetic may have 32 bits, are extended first.
  auto extend = [&](Value value) -> Value {
    if (value.getType() == type)
      return value;
    return arith::ExtSIOp::create(builder, loc, type, value);
  };
  Value sum;
  // Term by term, in the order of the map, so that the same sum always becomes
  // the same IR.
  for (auto &[product, factor] : expr.getTerms()) {
    Value value;
    for (Symbol symbol : product) {
      Value next = extend(getValue(symbol));
      value = value
                  ? arith::MulIOp::create(builder, loc, value, next).getResult()
                  : next;
    }
    // The empty product is the constant term.
    if (!value)
      value = constant(factor);
    else if (factor != 1)
      value = arith::MulIOp::create(builder, loc, value, constant(factor));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, value).getResult()
              : value;
  }
  return sum ? sum : constant(0);
}

} // namespace mlir::triton::gpu::intel
