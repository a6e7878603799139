//===- ValueProver.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/ValueProver.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

/// Values that are handed on through more loops and branches have the bounds of
/// their types.
static constexpr unsigned kMaxDepth = 8;
/// The same if more values hand each other on.
static constexpr unsigned kMaxQuestions = 64;

/// The operation that runs when a value is made.
static Operation *getMaker(Value value) {
  if (Operation *maker = value.getDefiningOp())
    return maker;
  Block *block = cast<BlockArgument>(value).getOwner();
  return block->empty() ? nullptr : &block->front();
}

/// Holds the facts of one question.
struct ValueProver::Question {
  /// With what is known where `at` runs, unless that is null.
  Question(ValueProver &prover, Operation *at)
      : reader(
            facts, prover.overflow,
            [&prover](Value value) { return prover.getRangeOfSources(value); }),
        nested(prover.depth, prover.depth + 1) {
    if (prover.depth == 1) {
      prover.known.clear();
      prover.numQuestions = 0;
    }
    ++prover.numQuestions;
    if (at)
      reader.assumeReached(at, prover.sources, execution);
  }

  /// A scalar, or an element whose indices are those of the question.
  SymbolicExpr read(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return value.getType().isIntOrIndex()
                 ? reader.readScalar(value, execution)
                 : SymbolicExpr::getUnknown();
    if (!type.getElementType().isIntOrIndex())
      return SymbolicExpr::getUnknown();
    if (indices.empty())
      for (int64_t size : type.getShape())
        indices.push_back(
            SymbolicExpr::getSymbol(facts.addSymbol({0, size - 1})));
    return reader.readElement(value, indices, execution);
  }

  SymbolicFacts facts;
  SymbolicReader reader;
  SymbolicReader::Execution execution;
  SmallVector<SymbolicExpr> indices;
  llvm::SaveAndRestore<unsigned> nested;
};

bool ValueProver::isNonNegative(Value value) {
  Question question(*this, getMaker(value));
  return question.facts.isNonNegative(question.read(value));
}

bool ValueProver::isNonNegative(
    Operation *at, llvm::function_ref<SymbolicExpr(ReadFn)> makeExpr) {
  Question question(*this, at);
  return question.facts.isNonNegative(
      makeExpr([&](Value value) { return question.read(value); }));
}

SymbolicRange ValueProver::getRange(Value value) {
  return getRangeWhereMade(value);
}

SymbolicRange ValueProver::getRangeWhereMade(Value value) {
  Question question(*this, getMaker(value));
  SymbolicExpr expr = question.read(value);
  SymbolicRange range = question.facts.getRange(expr);
  // Proofs by cases find more than bounds.
  if ((!range.min || *range.min < 0) && question.facts.isNonNegative(expr))
    range.min = 0;
  return range;
}

/// Bounds that all sources of a value have, if those of earlier iterations have
/// the ones that are assumed.
SymbolicRange ValueProver::getRangeOfSources(Value value,
                                             llvm::ArrayRef<Value> found,
                                             SymbolicRange assumption) {
  assumed[value] = assumption;
  std::optional<SymbolicRange> all;
  for (Value source : found) {
    // Poison stands where nobody uses the value.
    if (isa_and_nonnull<ub::PoisonOp>(source.getDefiningOp()))
      continue;
    SymbolicRange range = getRangeWhereMade(source);
    if (!all) {
      all = range;
      continue;
    }
    auto unite = [](std::optional<int64_t> lhs, std::optional<int64_t> rhs,
                    auto choose) -> std::optional<int64_t> {
      return lhs && rhs ? std::optional(choose(*lhs, *rhs)) : std::nullopt;
    };
    all->min = unite(all->min, range.min,
                     [](int64_t a, int64_t b) { return std::min(a, b); });
    all->max = unite(all->max, range.max,
                     [](int64_t a, int64_t b) { return std::max(a, b); });
  }
  assumed.erase(value);
  return all.value_or(SymbolicRange{});
}

SymbolicRange ValueProver::getRangeOfSources(Value value) {
  if (auto it = assumed.find(value); it != assumed.end())
    return it->second;
  if (auto it = known.find(value); it != known.end())
    return it->second;
  if (depth > kMaxDepth || numQuestions > kMaxQuestions)
    return {};
  SymbolicRange range;
  if (getCountingLoop(value)) {
    // Asked from where it is not known in which iteration.
    assumed[value] = {};
    range = getRangeWhereMade(value);
    assumed.erase(value);
  } else {
    SmallVector<Value> found;
    if (!sources.getSources(value, found))
      return {};
    range = getRangeOfSources(value, found, {0, std::nullopt});
    if (!range.min || *range.min < 0)
      range = getRangeOfSources(value, found, {});
  }
  // What follows from an assumption may be wrong without it.
  if (assumed.empty())
    known[value] = range;
  return range;
}

std::optional<bool> ValueProver::decide(arith::CmpIOp compare) {
  using Predicate = arith::CmpIPredicate;
  Question question(*this, compare);
  const SymbolicFacts &facts = question.facts;
  SymbolicExpr lhs = question.read(compare.getLhs()),
               rhs = question.read(compare.getRhs());
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
  switch (compare.getPredicate()) {
  case Predicate::eq:
  case Predicate::ne:
    if (facts.areEqual(lhs, rhs))
      return compare.getPredicate() == Predicate::eq;
    if (facts.areDistinct(lhs, rhs))
      return compare.getPredicate() == Predicate::ne;
    return std::nullopt;
  case Predicate::ult:
  case Predicate::ule:
  case Predicate::ugt:
  case Predicate::uge:
    // Both orders are the same without negative numbers.
    if (!facts.isNonNegative(lhs) || !facts.isNonNegative(rhs))
      return std::nullopt;
    break;
  default:
    break;
  }
  switch (compare.getPredicate()) {
  case Predicate::slt:
  case Predicate::ult:
    return isLess(lhs, rhs);
  case Predicate::sge:
  case Predicate::uge:
    return invert(isLess(lhs, rhs));
  case Predicate::sgt:
  case Predicate::ugt:
    return isLess(rhs, lhs);
  default:
    return invert(isLess(rhs, lhs));
  }
}

} // namespace mlir::triton::gpu::intel
