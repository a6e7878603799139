//===- LaunchProver.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/LaunchProver.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

// The limits bound the time of a query, and the constraints that a launch
// checks for it. Kernels of the suite and of `static_cost.py` need 2
// expressions and 8 steps at most.

/// Bounds the expressions that a number is one of.
static constexpr size_t kMaxExpressions = 4;
/// Bounds the symbols that are replaced in one search, with those that it leads
/// to: a value that a loop carries is read from the one that it carried before,
/// and every reading may be a separate requirement.
static constexpr unsigned kMaxSteps = 32;

//===----------------------------------------------------------------------===//
// Expressions of values that the launch knows
//===----------------------------------------------------------------------===//

/// Distinguishes which expressions of one query the launch knows, in one
/// search.
class LaunchProver::Terms {
public:
  Terms(LaunchProver &prover, Query &query)
      : prover(prover), condition(prover.condition), query(query),
        facts(query.facts), reader(query.reader), numSteps(prover.numSteps),
        nested(prover.numSearches, prover.numSearches + 1) {
    if (prover.numSearches == 1)
      numSteps = 0;
  }

  /// Returns what a symbol is at launch; none if it is not known.
  std::optional<AffineExpr> getLaunchValue(Symbol symbol);
  /// Returns the expression in terms of the launch; none if it is not known.
  std::optional<AffineExpr> getLaunchValue(const SymbolicExpr &expr);

  /// Returns the expressions, all of them known at launch, of which one is the
  /// number; none if the number depends on anything else.
  SmallVector<SymbolicExpr> getChoices(const SymbolicExpr &expr);
  /// Returns expressions, all of them known at launch, of which the least is
  /// not more than the number; none if no bound is known.
  SmallVector<SymbolicExpr> getLowerBounds(const SymbolicExpr &expr) {
    return resolve(expr, /*isGoal=*/false);
  }
  SmallVector<SymbolicExpr> getUpperBounds(const SymbolicExpr &expr) {
    return negate(getLowerBounds(-expr));
  }
  /// Returns expressions, all of them known at launch, so that `expr` is not
  /// negative if none of them is; none if no such are known.
  SmallVector<SymbolicExpr> getPremises(const SymbolicExpr &expr) {
    return resolve(expr, /*isGoal=*/true);
  }

  /// Reads an expression of the condition.
  SymbolicExpr read(AffineExpr expr);

  SmallVector<SymbolicExpr> getSigns(const SymbolicExpr &expr);

  AffineExpr getResidueBound(const SymbolicExpr &expr, int64_t factor,
                             int64_t modulus);
  AffineExpr getResidueBound(Value pointer, int64_t factor, int64_t modulus,
                             llvm::SmallPtrSetImpl<Value> &seen);

private:
  using Exprs = SmallVector<SymbolicExpr>;

  /// Returns the arguments of the kernel that an expression consists of, where
  /// they are not known to be positive.
  Exprs getArguments(const SymbolicExpr &expr);

  static Exprs negate(Exprs exprs) {
    for (SymbolicExpr &expr : exprs)
      expr = -expr;
    return exprs;
  }
  /// Adds an expression that is not in the list yet.
  static void add(Exprs &exprs, const SymbolicExpr &expr) {
    if (!llvm::is_contained(exprs, expr))
      exprs.push_back(expr);
  }

  bool isKernelArgument(const SymbolicReader::Scalar &scalar);
  std::optional<Symbol> findUnknown(const SymbolicExpr &expr);
  Exprs getAlternatives(Symbol symbol);
  Exprs getOrigins(Symbol symbol);
  Exprs getBounds(Symbol symbol, bool isLower);
  Exprs getIterationBounds(scf::ForOp loop, bool isLower);
  std::optional<bool> isAdded(const SymbolicExpr &factor);
  Exprs resolve(const SymbolicExpr &expr, bool isGoal);
  std::optional<SymbolicExpr> loosenGroup(const SymbolicExpr &rest,
                                          const SymbolicExpr &group,
                                          Symbol quotient);

  LaunchProver &prover;
  LaunchCondition &condition;
  Query &query;
  SymbolicFacts &facts;
  SymbolicReader &reader;
  /// Counts the symbols that gave way to others, in this search and in those
  /// around it.
  unsigned &numSteps;
  llvm::SaveAndRestore<unsigned> nested;
};

bool LaunchProver::Terms::isKernelArgument(
    const SymbolicReader::Scalar &scalar) {
  // A flag of one bit is no number, and the address of a tensor is read in
  // elements.
  auto argument = dyn_cast_or_null<BlockArgument>(scalar.value);
  return argument && argument.getType().isIntOrIndex() &&
         !argument.getType().isInteger(1) && condition.getArgument(argument);
}

std::optional<AffineExpr> LaunchProver::Terms::getLaunchValue(Symbol symbol) {
  SymbolicReader::Scalar scalar = reader.getScalar(symbol);
  if (isKernelArgument(scalar)) {
    AffineExpr argument =
        *condition.getArgument(cast<BlockArgument>(scalar.value));
    return scalar.divisor == 1 ? argument : argument.floorDiv(scalar.divisor);
  }
  if (scalar.extentAxis)
    return condition.getGridExtent(prover.kernelCode, *scalar.extentAxis);
  const std::optional<SymbolicFacts::Division> &division =
      facts.getDivision(symbol);
  if (!division)
    return std::nullopt;
  // Launches divide by constants only.
  std::optional<int64_t> divisor = division->divisor.getConstant();
  std::optional<AffineExpr> dividend =
      divisor ? getLaunchValue(division->dividend) : std::nullopt;
  return dividend ? std::optional(dividend->floorDiv(*divisor)) : std::nullopt;
}

std::optional<AffineExpr>
LaunchProver::Terms::getLaunchValue(const SymbolicExpr &expr) {
  if (!expr.isKnown())
    return std::nullopt;
  AffineExpr sum = getAffineConstantExpr(0, prover.kernelCode->getContext());
  for (auto &[product, factor] : expr.getTerms()) {
    int64_t rest = factor;
    AffineExpr term = getAffineConstantExpr(1, sum.getContext());
    for (Symbol symbol : product) {
      SymbolicReader::Scalar scalar = reader.getScalar(symbol);
      std::optional<AffineExpr> value = getLaunchValue(symbol);
      if (!value)
        return std::nullopt;
      // A multiple of an argument that is read as a multiple of a symbol.
      if (isKernelArgument(scalar) && rest % scalar.divisor == 0) {
        rest /= scalar.divisor;
        value = condition.getArgument(cast<BlockArgument>(scalar.value));
      }
      // Affine sets have no products of two extents of the grid.
      if (!term.isSymbolicOrConstant() && !value->isSymbolicOrConstant())
        return std::nullopt;
      term = term * *value;
    }
    sum = sum + term * rest;
  }
  return sum;
}

SymbolicExpr LaunchProver::Terms::read(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return query.read(condition.getKernel().getArgument(symbol.getPosition()));
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return reader.getGridExtent(dim.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  SymbolicExpr lhs = read(binary.getLHS()), rhs = read(binary.getRHS());
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return facts.getQuotient(lhs, rhs);
  case AffineExprKind::Mod:
    return facts.getRemainder(lhs, rhs);
  default:
    return SymbolicExpr::getUnknown();
  }
}

SmallVector<SymbolicExpr>
LaunchProver::Terms::getArguments(const SymbolicExpr &expr) {
  Exprs arguments;
  for (Symbol symbol : facts.getOrigins(expr))
    if (SymbolicReader::Scalar scalar = reader.getScalar(symbol);
        isKernelArgument(scalar))
      if (SymbolicExpr argument =
              SymbolicExpr::getSymbol(symbol) * scalar.divisor;
          !facts.isPositive(argument))
        arguments.push_back(argument);
  return arguments;
}

/// Returns the newest symbol among those that the launch does not know: it may
/// consist of the others.
std::optional<Symbol>
LaunchProver::Terms::findUnknown(const SymbolicExpr &expr) {
  std::optional<Symbol> found;
  for (auto &term : expr.getTerms())
    for (Symbol symbol : term.first)
      if ((!found || symbol > *found) && !getLaunchValue(symbol))
        found = symbol;
  return found;
}

//===----------------------------------------------------------------------===//
// Numbers that are one of several
//===----------------------------------------------------------------------===//

/// Returns expressions of which one is the symbol, after one step.
SmallVector<SymbolicExpr> LaunchProver::Terms::getAlternatives(Symbol symbol) {
  if (const auto &choice = facts.getChoice(symbol))
    return {choice->lhs, choice->rhs};
  Exprs alternatives;
  if (std::optional<SymbolicFacts::Division> division =
          facts.getDivision(symbol)) {
    std::optional<Symbol> unknown = findUnknown(division->dividend);
    if (!unknown || !division->divisor.getConstant())
      return {};
    for (const SymbolicExpr &origin : getOrigins(*unknown))
      alternatives.push_back(facts.getQuotient(
          division->dividend.substitute(*unknown, origin), division->divisor));
    return alternatives;
  }
  SymbolicReader::Scalar scalar = reader.getScalar(symbol);
  SmallVector<Value> found;
  if (!scalar.value || !prover.sources.getSources(scalar.value, found))
    return {};
  for (Value source : found)
    // No use of the value depends on poison.
    if (!isa_and_nonnull<ub::PoisonOp>(source.getDefiningOp()))
      alternatives.push_back(
          facts.getQuotient(query.read(source), scalar.divisor));
  return alternatives;
}

/// Returns expressions of which one is the symbol. None of them is a symbol
/// that is one of several expressions itself.
SmallVector<SymbolicExpr> LaunchProver::Terms::getOrigins(Symbol symbol) {
  Exprs origins;
  llvm::SetVector<Symbol> worklist;
  worklist.insert(symbol);
  for (unsigned i = 0; i < worklist.size(); ++i) {
    if (++numSteps > kMaxSteps)
      return {};
    Exprs alternatives = getAlternatives(worklist[i]);
    if (alternatives.empty() && i > 0)
      add(origins, SymbolicExpr::getSymbol(worklist[i]));
    for (const SymbolicExpr &alternative : alternatives) {
      std::optional<Symbol> unknown = findUnknown(alternative);
      if (unknown && alternative == SymbolicExpr::getSymbol(*unknown))
        worklist.insert(*unknown);
      else
        add(origins, alternative);
    }
  }
  // A number that depends on itself may be anything.
  for (const SymbolicExpr &origin : origins)
    for (Symbol part : facts.getOrigins(origin))
      if (worklist.contains(part) && !(origin == SymbolicExpr::getSymbol(part)))
        return {};
  return origins;
}

SmallVector<SymbolicExpr>
LaunchProver::Terms::getChoices(const SymbolicExpr &expr) {
  if (!expr.isKnown())
    return {};
  Exprs choices, worklist{expr};
  for (unsigned i = 0; i < worklist.size(); ++i) {
    SymbolicExpr next = worklist[i];
    std::optional<Symbol> unknown = findUnknown(next);
    if (!unknown) {
      add(choices, next);
      continue;
    }
    Exprs origins = getOrigins(*unknown);
    if (origins.empty())
      return {};
    for (const SymbolicExpr &origin : origins) {
      SymbolicExpr choice = next.substitute(*unknown, origin);
      if (!choice.isKnown())
        return {};
      add(worklist, choice);
    }
    if (worklist.size() > kMaxSteps)
      return {};
  }
  return choices.size() <= kMaxExpressions ? choices : Exprs();
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Returns bounds of a symbol that the launch does not know.
SmallVector<SymbolicExpr> LaunchProver::Terms::getBounds(Symbol symbol,
                                                         bool isLower) {
  if (std::optional<unsigned> axis = reader.getScalar(symbol).programAxis)
    return {isLower ? SymbolicExpr(0) : reader.getGridExtent(*axis) - 1};
  if (scf::ForOp loop = query.execution.getCountedLoop(symbol))
    return getIterationBounds(loop, isLower);
  std::optional<SymbolicFacts::Division> division = facts.getDivision(symbol);
  if (!division)
    return getOrigins(symbol);
  if (!division->divisor.getConstant())
    return {};
  Exprs bounds = isLower ? getLowerBounds(division->dividend)
                         : getUpperBounds(division->dividend);
  for (SymbolicExpr &bound : bounds)
    bound = facts.getQuotient(bound, division->divisor);
  return bounds;
}

/// Returns bounds of the number of an iteration that runs, which the bounds of
/// its loop allow.
SmallVector<SymbolicExpr>
LaunchProver::Terms::getIterationBounds(scf::ForOp loop, bool isLower) {
  std::optional<APInt> step = loop.getConstantStep();
  if (!prover.mayBoundIterations || loop.getUnsignedCmp() || !step ||
      !step->isStrictlyPositive())
    return {};
  if (isLower)
    return {0};
  SymbolicExpr distance =
      query.read(loop.getUpperBound()) - 1 - query.read(loop.getLowerBound());
  return {facts.getQuotient(distance, step->getSExtValue())};
}

/// Returns whether a factor is not negative, or not positive. If neither is
/// proved, it is required that its arguments are not negative.
std::optional<bool> LaunchProver::Terms::isAdded(const SymbolicExpr &factor) {
  for (bool isPositive : {true, false})
    if (facts.isNonNegative(isPositive ? factor : -factor))
      return isPositive;
  for (bool isPositive : {true, false})
    if (SymbolicExpr expr = isPositive ? factor : -factor;
        !getSigns(expr).empty() && reader.isNonNegative(expr))
      return isPositive;
  return std::nullopt;
}

/// Replaces symbols that the launch does not know, the last one first, until
/// there are none: returns expressions of which the least is not more than
/// `expr`. For a goal, `expr` is not negative if none of them is.
SmallVector<SymbolicExpr> LaunchProver::Terms::resolve(const SymbolicExpr &expr,
                                                       bool isGoal) {
  if (!expr.isKnown() || ++numSteps > kMaxSteps)
    return {};
  std::optional<Symbol> unknown = findUnknown(expr);
  if (!unknown)
    return {expr};
  // The expression has to be factor * symbol + rest.
  SymbolicExpr rest = expr.substitute(*unknown, 0);
  SymbolicExpr factor = expr.substitute(*unknown, 1) - rest;
  if (!(factor * SymbolicExpr::getSymbol(*unknown) + rest == expr))
    return {};
  if (isGoal)
    if (std::optional<SymbolicExpr> premise =
            loosenGroup(rest, -factor, *unknown))
      return resolve(*premise, isGoal);
  std::optional<bool> isLower = isAdded(factor);
  if (!isLower)
    return {};
  using Choice = SymbolicFacts::Choice;
  std::optional<Choice> choice = facts.getChoice(*unknown);
  Exprs all, bounds;
  if (choice)
    bounds = {choice->lhs, choice->rhs};
  else
    bounds = getBounds(*unknown, *isLower);
  // A maximum is no less than either operand: the one with fewer expressions
  // is the better bound.
  bool isEither = choice && choice->kind == (*isLower ? Choice::Kind::Maximum
                                                      : Choice::Kind::Minimum);
  for (const SymbolicExpr &bound : bounds) {
    Exprs some = resolve(expr.substitute(*unknown, bound), isGoal);
    if (isEither) {
      if (all.empty() || (!some.empty() && some.size() < all.size()))
        all = some;
      continue;
    }
    if (some.empty())
      return {};
    for (const SymbolicExpr &one : some)
      add(all, one);
  }
  return all.size() <= kMaxExpressions ? all : Exprs();
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

/// The goal is that r - g * q is not negative, where r is `rest`, g is `group`
/// and q is `quotient`. If q is d / (g * t), returns t * (r + 1) - 1 - d: the
/// goal is true if this is not negative.
std::optional<SymbolicExpr>
LaunchProver::Terms::loosenGroup(const SymbolicExpr &rest,
                                 const SymbolicExpr &group, Symbol quotient) {
  std::optional<SymbolicFacts::Division> division = facts.getDivision(quotient);
  if (!division || group.getTerms().size() != 1)
    return std::nullopt;
  SymbolicExpr other, tiles = division->divisor.divide(group, other);
  // The divisor is positive, so that both factors are if one of them is.
  if (!other.isZero() || !reader.isNonNegative(group - 1))
    return std::nullopt;
  return tiles * (rest + 1) - 1 - division->dividend;
}

/// Returns as few signs of arguments as suffice for `expr` not to be negative;
/// none if they do not.
SmallVector<SymbolicExpr>
LaunchProver::Terms::getSigns(const SymbolicExpr &expr) {
  auto suffice = [&](ArrayRef<SymbolicExpr> signs) {
    SmallVector<SymbolicExpr> constraints(signs);
    constraints.push_back(-expr - 1);
    return facts.isContradiction(constraints);
  };
  Exprs arguments = getArguments(expr);
  if (arguments.empty())
    return {};
  for (int64_t least : {0, 1}) {
    Exprs signs;
    for (const SymbolicExpr &argument : arguments)
      signs.push_back(argument - least);
    if (!suffice(signs))
      continue;
    // The loop leaves out, or weakens, each sign that the proof does not need.
    for (size_t i = 0; i < signs.size();) {
      Exprs fewer = signs;
      fewer.erase(fewer.begin() + i);
      if (suffice(fewer)) {
        signs = fewer;
        continue;
      }
      Exprs weaker = signs;
      weaker[i] = weaker[i] + least;
      if (suffice(weaker))
        signs = weaker;
      ++i;
    }
    return signs;
  }
  return {};
}

bool LaunchProver::require(Query &query, const SymbolicExpr &expr) {
  if (!expr.isKnown() || expr.getConstant())
    return false;
  if (!mayRequire) {
    wasRefused = true;
    return false;
  }
  // The bound of a loop-carried value depends on the iteration before. A
  // requirement that needs itself cannot be derived from further requirements.
  std::pair<const Query *, SymbolicExpr> self{&query, expr};
  if (llvm::is_contained(pending, self))
    return false;
  pending.push_back(self);
  llvm::scope_exit done([&] { pending.pop_back(); });
  Terms terms(*this, query);
  // Signs of arguments are what launches satisfy most often.
  SmallVector<SymbolicExpr> premises = terms.getSigns(expr);
  if (premises.empty())
    premises = terms.getPremises(expr);
  if (premises.empty())
    return false;
  // Nothing is proved of launches that there are none of.
  if (query.facts.isContradiction(premises))
    return false;
  // Requirements that the premises added stay in the condition even if this
  // requirement fails, because the facts of the query contain them.
  LaunchCondition needed = condition;
  for (const SymbolicExpr &premise : premises) {
    if (query.facts.isNonNegative(premise))
      continue;
    std::optional<AffineExpr> value = terms.getLaunchValue(premise);
    if (!value || !needed.requireNonNegative(*value))
      return false;
  }
  condition = needed;
  for (const SymbolicExpr &premise : premises)
    query.facts.assumeNonNegative(premise);
  query.facts.assumeNonNegative(expr);
  return true;
}

void LaunchProver::start(Query &query, Operation *at) {
  for (AffineExpr constraint : condition.getNonNegative())
    query.facts.assumeNonNegative(Terms(*this, query).read(constraint));
  query.reader.setRequire([this, &query](const SymbolicExpr &expr) {
    return require(query, expr);
  });
  llvm::SaveAndRestore around(mayRequire, mayRequire && mayRequireAround);
  ValueProver::start(query, at);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Computes an answer. Without one, nothing is required.
template <typename Answer>
Answer
LaunchProver::queryWithRequirements(Operation *at,
                                    llvm::function_ref<Answer()> compute) {
  kernelCode = at;
  LaunchCondition before = condition;
  Answer answer = compute();
  if (answer == Answer())
    condition = before;
  return answer;
}

/// Takes back everything that has been required since `before` and that the
/// proof does not need.
void LaunchProver::dropRequirements(const LaunchCondition &before,
                                    llvm::function_ref<bool()> isProved) {
  llvm::SaveAndRestore onlyKnown(mayRequire, false);
  LaunchCondition needed = condition;
  SmallVector<AffineExpr> constraints = condition.getNonNegative();
  for (AffineExpr constraint : llvm::reverse(constraints)) {
    // Constraints of the caller stay, unless a stronger one implies them.
    condition = before;
    if (!condition.append(needed.without(constraint)))
      llvm_unreachable("both are conditions of one kernel");
    if (condition.getNonNegative().size() < needed.getNonNegative().size() &&
        isProved())
      needed = condition;
  }
  condition = needed;
}

bool LaunchProver::isNonNegativeAtLaunch(Value value) {
  return proveAtLaunch(getMaker(value), [&] {
    Query query(*this, getMaker(value));
    return query.reader.isNonNegative(query.read(value));
  });
}

bool LaunchProver::isNonNegativeAtLaunch(Operation *at, MakeExprFn makeExpr) {
  llvm::SaveAndRestore bounding(mayBoundIterations, true);
  return proveAtLaunch(at, [&] {
    Query query(*this, at);
    SymbolicExpr expr =
        makeExpr(query.facts, [&](Value value) { return query.read(value); });
    return expr.isKnown() && query.reader.isNonNegative(expr);
  });
}

bool LaunchProver::proveAtLaunch(Operation *at,
                                 llvm::function_ref<bool()> isProved) {
  LaunchCondition before = condition;
  wasRefused = false;
  if (queryWithRequirements<bool>(at, isProved))
    return true;
  // Bounds of loops may have to fit their types. Most of them do not matter.
  if (!wasRefused)
    return false;
  llvm::SaveAndRestore around(mayRequireAround, true);
  if (!queryWithRequirements<bool>(at, isProved))
    return false;
  dropRequirements(before, isProved);
  return true;
}

SmallVector<AffineExpr> LaunchProver::getExpressions(Value value) {
  return queryWithRequirements<SmallVector<AffineExpr>>(getMaker(value), [&] {
    Query query(*this, nullptr);
    SymbolicExpr expr = query.read(value);
    Terms terms(*this, query);
    SmallVector<AffineExpr> expressions;
    for (const SymbolicExpr &choice : terms.getChoices(expr))
      expressions.push_back(*terms.getLaunchValue(choice));
    return expressions;
  });
}

LaunchBounds LaunchProver::getBounds(Value value) {
  return queryWithRequirements<LaunchBounds>(getMaker(value), [&] {
    Query query(*this, nullptr);
    SymbolicExpr expr = query.read(value);
    Terms terms(*this, query);
    LaunchBounds bounds;
    for (const SymbolicExpr &bound : terms.getLowerBounds(expr))
      bounds.lower.push_back(*terms.getLaunchValue(bound));
    for (const SymbolicExpr &bound : terms.getUpperBounds(expr))
      bounds.upper.push_back(*terms.getLaunchValue(bound));
    return bounds;
  });
}

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

/// Returns an upper bound of an integer times `factor`, modulo `modulus`.
AffineExpr LaunchProver::Terms::getResidueBound(const SymbolicExpr &expr,
                                                int64_t factor,
                                                int64_t modulus) {
  MLIRContext *context = prover.kernelCode->getContext();
  auto getConstant = [&](int64_t value) {
    return getAffineConstantExpr(value, context);
  };
  // The largest residue of multiples of a divisor.
  auto getLargest = [&](int64_t divisor) {
    return modulus - std::gcd(modulus, divisor);
  };
  if (!expr.isKnown())
    return getConstant(getLargest(factor));
  // The launch knows what is left of all terms that it knows, in one.
  SymbolicExpr known;
  AffineExpr sum = getConstant(0);
  for (auto &[product, coefficient] : expr.getTerms()) {
    SymbolicExpr knownFactor(coefficient), unknownFactor(1), term(coefficient);
    for (Symbol symbol : product) {
      SymbolicExpr &part = getLaunchValue(symbol) ? knownFactor : unknownFactor;
      part = part * SymbolicExpr::getSymbol(symbol);
      term = term * SymbolicExpr::getSymbol(symbol);
    }
    if (facts.getDivisor(term * factor) % modulus == 0)
      continue;
    if (unknownFactor.getConstant()) {
      known = known + term;
      continue;
    }
    // If the known factor makes the product a multiple of the modulus, nothing
    // is left.
    int64_t scale = factor * std::gcd(modulus, facts.getDivisor(unknownFactor));
    int64_t largest = getLargest(facts.getDivisor(term * factor));
    AffineExpr residue = getConstant(largest);
    if (!knownFactor.getConstant())
      residue =
          ((*getLaunchValue(knownFactor) * scale) % modulus).ceilDiv(modulus) *
          largest;
    sum = sum + residue;
  }
  return sum + (*getLaunchValue(known) * factor) % modulus;
}

/// Returns the same bound of a pointer in bytes. `seen` holds what has been
/// looked through: loops lead back to it.
AffineExpr
LaunchProver::Terms::getResidueBound(Value pointer, int64_t factor,
                                     int64_t modulus,
                                     llvm::SmallPtrSetImpl<Value> &seen) {
  AffineExpr sum = getAffineConstantExpr(0, pointer.getContext());
  int64_t divisor =
      factor *
      ValueProver(prover.sources, Overflow::Excluded).getDivisor(pointer);
  if (divisor % modulus == 0)
    return sum;
  if (auto [base, offsets] = splitPointer(pointer); base != pointer) {
    sum = isa<triton::PointerType>(base.getType())
              ? getResidueBound(base, factor, modulus, seen)
              : getResidueBound(query.read(base), factor, modulus);
    for (auto [offset, bytes] : offsets)
      sum = sum + getResidueBound(query.read(offset), factor * bytes, modulus);
    return sum;
  }
  if (auto argument = dyn_cast<BlockArgument>(pointer))
    if (std::optional<AffineExpr> address = condition.getArgument(argument))
      return (*address * factor) % modulus;
  SmallVector<Value> found;
  if (!seen.insert(pointer).second ||
      !prover.sources.getSources(pointer, found))
    return sum + (modulus - std::gcd(modulus, divisor));
  // Whichever it is: no residue is negative.
  for (Value source : llvm::SetVector<Value>(found.begin(), found.end()))
    sum = sum + getResidueBound(source, factor, modulus, seen);
  return sum;
}

AffineExpr LaunchProver::getResidueBound(Value value, int64_t factor,
                                         int64_t modulus) {
  kernelCode = getMaker(value);
  // Arithmetic that wraps around does so in multiples of the modulus.
  llvm::SaveAndRestore withoutRequirements(mayRequire, false);
  Query query(*this, nullptr);
  Terms terms(*this, query);
  if (isa<triton::PointerType>(value.getType())) {
    llvm::SmallPtrSet<Value, 8> seen;
    return terms.getResidueBound(value, factor, modulus, seen);
  }
  SymbolicExpr expr = query.read(value);
  SmallVector<SymbolicExpr> choices = terms.getChoices(expr);
  if (choices.empty())
    choices = {expr};
  AffineExpr sum = getAffineConstantExpr(0, value.getContext());
  for (const SymbolicExpr &choice : choices)
    sum = sum + terms.getResidueBound(choice, factor, modulus);
  return sum;
}

} // namespace mlir::triton::gpu::intel
