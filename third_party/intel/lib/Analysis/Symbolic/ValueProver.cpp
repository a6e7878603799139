//===- ValueProver.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/ValueProver.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

// The limits bound the time of a query. A value beyond them has the bounds
// of its type. Kernels of the suite and of `static_cost.py` have up to 5
// nested queries, and up to 59 for one query.

/// Bounds the loops, branches and calls that a value is followed through.
static constexpr unsigned kMaxDepth = 8;
/// Bounds the values that are followed for one query.
static constexpr unsigned kMaxQuestions = 64;

Operation *ValueProver::getMaker(Value value) {
  if (Operation *maker = value.getDefiningOp())
    return maker;
  Block *block = cast<BlockArgument>(value).getOwner();
  return block->empty() ? nullptr : &block->front();
}

ValueProver::Query::Query(ValueProver &prover, Operation *at)
    : reader(
          facts, prover.overflow,
          [&prover](Value value) { return prover.getBoundsOfSources(value); }),
      nested(prover.depth, prover.depth + 1) {
  reader.setExactParts(prover.parts);
  if (prover.depth == 1) {
    prover.known.clear();
    prover.numQuestions = 0;
  }
  ++prover.numQuestions;
  prover.start(*this, at);
}

void ValueProver::start(Query &query, Operation *at) {
  if (at)
    query.reader.assumeReached(at, sources, query.execution);
}

SymbolicExpr ValueProver::Query::read(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value.getType().isIntOrIndex() ? reader.readScalar(value, execution)
                                          : SymbolicExpr::getUnknown();
  if (!type.getElementType().isIntOrIndex())
    return SymbolicExpr::getUnknown();
  if (indices.empty())
    for (int64_t size : type.getShape())
      indices.push_back(
          SymbolicExpr::getSymbol(facts.addSymbol({0, size - 1})));
  return reader.readElement(value, indices, execution);
}

bool ValueProver::isNonNegative(Value value) {
  Query query(*this, getMaker(value));
  return query.facts.isNonNegative(query.read(value));
}

bool ValueProver::isNonNegative(Operation *at, MakeExprFn makeExpr) {
  Query query(*this, at);
  return query.facts.isNonNegative(
      makeExpr(query.facts, [&](Value value) { return query.read(value); }));
}

ValueProver::Bounds ValueProver::getBoundsOf(Value value) {
  bool isPointer = isa<triton::PointerType>(value.getType());
  // An address has no bounds.
  if (isPointer && !wantsDivisors)
    return {};
  Query query(*this, getMaker(value));
  if (isPointer)
    return {{}, getPointerDivisor(value, query)};
  SymbolicExpr expr = query.read(value);
  if (wantsDivisors)
    return {{}, query.facts.getDivisor(expr)};
  SymbolicRange range = query.facts.getRange(expr);
  // Proofs by cases find more than bounds.
  if ((!range.min || *range.min < 0) && query.reader.isNonNegative(expr))
    range.min = 0;
  return {range};
}

int64_t ValueProver::getDivisor(Value scalar) {
  llvm::SaveAndRestore divisors(wantsDivisors, true);
  return getBoundsOf(scalar).divisor;
}

int64_t ValueProver::getDivisor(MakeExprFn makeExpr) {
  llvm::SaveAndRestore divisors(wantsDivisors, true);
  Query query(*this, nullptr);
  return query.facts.getDivisor(
      makeExpr(query.facts, [&](Value value) { return query.read(value); }));
}

/// Returns a number of bytes that divides a pointer.
int64_t ValueProver::getPointerDivisor(Value pointer, Query &query) {
  const SymbolicFacts &facts = query.facts;
  auto [base, offsets] = splitPointer(pointer);
  int64_t divisor =
      isa<triton::PointerType>(base.getType())
          ? std::lcm(getBoundsOfSources(base).divisor, getHintedDivisor(base))
          : facts.getDivisor(query.read(base));
  for (auto [offset, bytes] : offsets)
    divisor = std::gcd(divisor, facts.getDivisor(query.read(offset)) * bytes);
  return divisor == 0 ? 0 : std::lcm(divisor, getHintedDivisor(pointer));
}

bool ValueProver::isExhausted() const {
  return depth > kMaxDepth || numQuestions > kMaxQuestions;
}

ValueProver::Sources ValueProver::collectSources(Value value) {
  Sources all;
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (unsigned i = 0; i < seen.size(); ++i) {
    Value next = seen[i];
    // A separate induction, or a hint, determines more about these.
    bool isOrigin =
        i != 0 && (assumed.contains(next) || getCountingLoop(next) ||
                   getHintedDivisor(next) != 1);
    SmallVector<Value> found;
    if (!isOrigin && sources.getSources(next, found)) {
      all.passed.push_back(next);
      seen.insert_range(found);
    } else if (!isa_and_nonnull<ub::PoisonOp>(next.getDefiningOp())) {
      // No use of the value depends on poison.
      all.origins.push_back(next);
    }
  }
  return all;
}

/// Returns the facts that hold for all origins, provided that `assumption` is
/// known of the values that they are passed on as.
ValueProver::Bounds ValueProver::getBoundsOfOrigins(const Sources &all,
                                                    const Bounds &assumption) {
  for (Value value : all.passed)
    assumed[value] = assumption;
  std::optional<Bounds> united;
  for (Value origin : all.origins) {
    Bounds one = getBoundsOf(origin);
    united = united ? Bounds{united->range.unite(one.range),
                             std::gcd(united->divisor, one.divisor)}
                    : one;
  }
  for (Value value : all.passed)
    assumed.erase(value);
  return united.value_or(Bounds());
}

ValueProver::Bounds ValueProver::getBoundsOfSources(Value value) {
  if (auto it = assumed.find(value); it != assumed.end())
    return it->second;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (isExhausted())
    return {};
  Bounds result;
  if (getCountingLoop(value)) {
    // The query is about all iterations. Inside of the loop, the counter is
    // an expression.
    assumed[value] = {};
    result = getBoundsOf(value);
    assumed.erase(value);
  } else {
    // Loops may carry several values in turns, each of which is a source of the
    // others, so that one induction is about all of them.
    Sources all = collectSources(value);
    if (all.passed.empty())
      return {};
    // The assumption becomes weaker until it holds.
    if (wantsDivisors) {
      Bounds assumption{{}, kMaxDivisor};
      result = getBoundsOfOrigins(all, assumption);
      while (result.divisor % assumption.divisor != 0) {
        assumption.divisor = std::gcd(assumption.divisor, result.divisor);
        result = getBoundsOfOrigins(all, assumption);
      }
      // All numbers divide a value that is always 0.
      if (result.divisor == 0)
        result.divisor = kMaxDivisor;
    } else {
      result = getBoundsOfOrigins(all, {{0, std::nullopt}});
      if (!result.range.min || *result.range.min < 0)
        result = getBoundsOfOrigins(all, {});
    }
  }
  // A result that was found under an assumption may be wrong without it.
  if (assumed.empty())
    known[value] = result;
  return result;
}

std::optional<bool> ValueProver::decide(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  Query query(*this, compare);
  const SymbolicFacts &facts = query.facts;
  SymbolicExpr lhs = query.read(compare.getLhs()),
               rhs = query.read(compare.getRhs());
  if (!lhs.isKnown() || !rhs.isKnown())
    return std::nullopt;
  // Returns whether lhs is less than rhs, if that is known.
  auto isLess = [&](const SymbolicExpr &lhs,
                    const SymbolicExpr &rhs) -> std::optional<bool> {
    if (facts.isPositive(rhs - lhs))
      return true;
    if (facts.isNonNegative(lhs - rhs))
      return false;
    return std::nullopt;
  };
  auto invert = [](std::optional<bool> result) {
    return result ? std::optional(!*result) : std::nullopt;
  };
  Predicate predicate = compare.getPredicate();
  bool isUnsigned = predicate == Predicate::ult ||
                    predicate == Predicate::ule ||
                    predicate == Predicate::ugt || predicate == Predicate::uge;
  // Both orders are the same without negative numbers.
  if (isUnsigned && (!facts.isNonNegative(lhs) || !facts.isNonNegative(rhs)))
    return std::nullopt;
  switch (predicate) {
  case Predicate::eq:
  case Predicate::ne:
    if (facts.areEqual(lhs, rhs))
      return predicate == Predicate::eq;
    if (facts.areDistinct(lhs, rhs))
      return predicate == Predicate::ne;
    return std::nullopt;
  case Predicate::slt:
  case Predicate::ult:
    return isLess(lhs, rhs);
  case Predicate::sge:
  case Predicate::uge:
    return invert(isLess(lhs, rhs));
  case Predicate::sgt:
  case Predicate::ugt:
    return isLess(rhs, lhs);
  case Predicate::sle:
  case Predicate::ule:
    return invert(isLess(rhs, lhs));
  }
  llvm_unreachable("all predicates are handled");
}

} // namespace mlir::triton::gpu::intel
