//===- ScalarValues.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/ScalarValues.h"

#include "intel/Analysis/Symbolic/LaunchProver.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

Symbol ScalarValues::getSymbol(Value value) {
  auto [it, isNew] = symbols.try_emplace(value);
  if (isNew) {
    it->second = facts.addSymbol();
    numbers[it->second] = {value, value.getParentRegion(), nullptr};
  }
  return it->second;
}

Value ScalarValues::findPointer(Symbol symbol) const {
  auto it = numbers.find(symbol);
  return it != numbers.end() && !it->second.computation &&
                 isa<triton::PointerType>(Value(it->second.value).getType())
             ? it->second.value
             : Value();
}

static Region *getRegion(CreationPoint point) {
  if (auto *block = dyn_cast<Block *>(point))
    return block->getParent();
  return cast<Operation *>(point)->getParentRegion();
}

SymbolicExpr ScalarValues::addComputed(Key key, Computation computation) {
  auto [it, isNew] = computedSymbols.try_emplace(std::move(key));
  if (isNew) {
    it->second = facts.addSymbol();
    Region *region = getRegion(computation.point);
    numbers[it->second] = {
        Value(), region,
        std::make_shared<const Computation>(std::move(computation))};
  }
  return SymbolicExpr::getSymbol(it->second);
}

SymbolicExpr ScalarValues::divide(const SymbolicExpr &dividend,
                                  const SymbolicExpr &divisor, Type type,
                                  CreationPoint point) {
  std::optional<int64_t> lhs = dividend.getConstant(),
                         rhs = divisor.getConstant();
  // No quotient of other constants overflows.
  if (lhs && rhs && *rhs > 0)
    return *lhs / *rhs;
  return addComputed({point.getOpaqueValue(), nullptr, dividend.getTerms(),
                      divisor.getTerms()},
                     {point, dividend, divisor, type, std::nullopt});
}

SymbolicExpr ScalarValues::wrap(const SymbolicExpr &expr, CreationPoint point) {
  return addComputed({point.getOpaqueValue(), nullptr, expr.getTerms(), {}},
                     {point, expr, SymbolicExpr(), Type(), std::nullopt});
}

SymbolicExpr ScalarValues::load(const SharedLoad &shared) {
  Operation *point = shared.load;
  return addComputed({point, shared.base.getAsOpaquePointer(),
                      shared.offset.getTerms(), shared.first.getTerms()},
                     {point, SymbolicExpr(), SymbolicExpr(), Type(), shared});
}

SmallVector<Value> ScalarValues::getFactors(const SymbolicExpr &expr) const {
  SmallVector<Value> factors;
  for (auto &[product, factor] : expr.getTerms())
    for (Symbol symbol : product)
      if (!numbers.at(symbol).computation)
        factors.push_back(numbers.at(symbol).value);
  return factors;
}

bool ScalarValues::isNonNegative(const SymbolicExpr &expr,
                                 ValueSources &sources, Operation *at,
                                 const AddressParts &parts,
                                 LaunchCondition *condition) const {
  if (std::optional<int64_t> known = expr.getConstant())
    return *known >= 0;
  auto makeExpr = [&](SymbolicFacts &facts, ValueProver::ReadFn read) {
    std::map<Symbol, SymbolicExpr> computed;
    return translate(expr, facts, read, computed);
  };
  return ValueProver(sources, Overflow::Wraps, &parts)
             .isNonNegative(at, makeExpr) ||
         (condition &&
          LaunchProver(sources, Overflow::Wraps, *condition, &parts)
              .isNonNegativeAtLaunch(at, makeExpr));
}

int64_t ScalarValues::getDivisor(const SymbolicExpr &expr,
                                 ValueSources &sources) const {
  return ValueProver(sources, Overflow::Wraps)
      .getDivisor([&](SymbolicFacts &facts, ValueProver::ReadFn read) {
        std::map<Symbol, SymbolicExpr> computed;
        return translate(expr, facts, read, computed);
      });
}

/// Returns the expression with what `read` reads for the kernel's values, and
/// with what is known of computed numbers, each of which is kept in `computed`.
SymbolicExpr
ScalarValues::translate(const SymbolicExpr &expr, SymbolicFacts &facts,
                        llvm::function_ref<SymbolicExpr(Value)> read,
                        std::map<Symbol, SymbolicExpr> &computed) const {
  return expr.substitute([&](Symbol symbol) -> SymbolicExpr {
    const Number &number = numbers.at(symbol);
    if (!number.computation)
      return read(number.value);
    if (auto it = computed.find(symbol); it != computed.end())
      return it->second;
    const Computation &from = *number.computation;
    SymbolicExpr result = SymbolicExpr::getUnknown();
    if (from.isWrapped()) {
      result = facts.wrap(translate(from.dividend, facts, read, computed), 32);
    } else if (!from.shared) {
      SymbolicExpr dividend = translate(from.dividend, facts, read, computed),
                   divisor = translate(from.divisor, facts, read, computed);
      // Rounding toward zero is rounding down if nothing is negative.
      if (facts.isNonNegative(dividend) && facts.isNonNegative(divisor - 1))
        result = facts.getQuotient(dividend, divisor);
    }
    if (!result.isKnown())
      result = SymbolicExpr::getSymbol(facts.addSymbol());
    return computed[symbol] = result;
  });
}

bool ScalarValues::isDefinedOutside(const SymbolicExpr &expr,
                                    Region &region) const {
  return llvm::none_of(expr.getTerms(), [&](auto &term) {
    return llvm::any_of(term.first, [&](Symbol symbol) {
      return region.isAncestor(numbers.at(symbol).region);
    });
  });
}

bool ScalarValues::dominates(const SymbolicExpr &expr, Operation *op,
                             const DominanceInfo &dominance) const {
  return llvm::all_of(expr.getSymbols(), [&](Symbol symbol) {
    const Number &number = numbers.at(symbol);
    return number.value && dominance.properlyDominates(number.value, op);
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
        // A factor of 1 is left out, unless the term has no other factor.
        if (factor != 1 || product.empty())
          os << factor << (product.empty() ? "" : " * ");
        llvm::interleave(
            product, os, [&](Symbol symbol) { print(os, symbol); }, " * ");
      },
      " + ");
}

void ScalarValues::print(raw_ostream &os, Symbol symbol) const {
  const Number &number = numbers.at(symbol);
  if (!number.computation) {
    number.value.printAsOperand(os, OpPrintingFlags());
  } else if (auto &shared = number.computation->shared) {
    shared->base.printAsOperand(os, OpPrintingFlags());
    os << "[";
    print(os, shared->offset);
    os << "]";
  } else if (number.computation->isWrapped()) {
    os << "i32(";
    print(os, number.computation->dividend);
    os << ")";
  } else {
    os << "((";
    print(os, number.computation->dividend);
    os << ") / (";
    print(os, number.computation->divisor);
    os << "))";
  }
}

/// Returns the value of a number, and creates its operations if there is none.
Value ScalarValues::getValue(Symbol symbol) {
  // The list may grow while operands are created.
  if (!numbers.at(symbol).value) {
    Value created = create(*numbers.at(symbol).computation);
    numbers.at(symbol).value = created;
  }
  return numbers.at(symbol).value;
}

void ScalarValues::createNumbers(const SymbolicExpr &expr) {
  for (auto &[product, factor] : expr.getTerms())
    llvm::for_each(product, [&](Symbol symbol) { getValue(symbol); });
}

/// Converts a part of an address to another integer type that can hold it.
static Value convert(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex() || type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  if (value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtSIOp::create(builder, loc, type, value);
  return arith::TruncIOp::create(builder, loc, type, value,
                                 arith::IntegerOverflowFlags::nsw);
}

Value ScalarValues::create(const Computation &computation) {
  auto *op = dyn_cast<Operation *>(computation.point);
  auto *block = dyn_cast<Block *>(computation.point);
  OpBuilder builder = op ? OpBuilder(op) : OpBuilder::atBlockBegin(block);
  Location loc = op ? op->getLoc() : block->getParentOp()->getLoc();
  if (computation.isWrapped())
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                   create(builder, loc, computation.dividend));
  if (!computation.shared) {
    auto createOperand = [&](const SymbolicExpr &expr) {
      return convert(builder, loc, create(builder, loc, expr),
                     computation.type);
    };
    Value dividend = createOperand(computation.dividend);
    return arith::DivSIOp::create(builder, loc, dividend,
                                  createOperand(computation.divisor));
  }
  const SharedLoad &shared = *computation.shared;
  LoadOp load = shared.load;
  Value condition, other;
  if (shared.bound) {
    condition = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      create(builder, loc, shared.first),
                                      create(builder, loc, *shared.bound));
    other = arith::ConstantOp::create(
        builder, loc,
        builder.getIntegerAttr(getElementTypeOrSelf(load.getType()), 0));
  }
  Value pointer = shared.base;
  if (!shared.offset.isZero())
    pointer = AddPtrOp::create(builder, loc, pointer.getType(), pointer,
                               create(builder, loc, shared.offset));
  return LoadOp::create(builder, loc, pointer, condition, other,
                        load.getCache(), load.getEvict(),
                        /*isVolatile=*/false);
}

Value ScalarValues::create(OpBuilder &builder, Location loc,
                           const SymbolicExpr &expr) {
  assert(expr.isKnown() && "an unknown expression has no value");
  Type type = builder.getI64Type();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value sum;
  // Term by term, in the order of the map, so that the same sum always becomes
  // the same IR.
  for (auto &[product, factor] : expr.getTerms()) {
    Value value;
    for (Symbol symbol : product) {
      // The arithmetic of the scalars may have 32 bits.
      Value next = convert(builder, loc, getValue(symbol), type);
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
