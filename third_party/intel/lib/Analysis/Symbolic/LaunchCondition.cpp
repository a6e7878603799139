//===- LaunchCondition.cpp - Conditions on launches -----------------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/Symbolic/LaunchCondition.h"

#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// Returns an expression as a sum of another one and a constant.
static std::pair<AffineExpr, int64_t> splitConstant(AffineExpr expression) {
  // Where there is a constant, it comes last.
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expression);
      sum && sum.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS()))
      return {sum.getLHS(), constant.getValue()};
  return {expression, 0};
}

/// Returns the upper or the lower bound of an expression, whatever arguments
/// and extents of the grid are, if it has one.
static std::optional<int64_t> getBound(AffineExpr expression, bool isUpper) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return std::nullopt;
  auto right = dyn_cast<AffineConstantExpr>(binary.getRHS());
  // A remainder is never negative, and less than its divisor.
  if (binary.getKind() == AffineExprKind::Mod && right && right.getValue() > 0)
    return isUpper ? right.getValue() - 1 : 0;
  if (binary.getKind() == AffineExprKind::Mul && right) {
    auto factor = getBound(binary.getLHS(), isUpper == right.getValue() >= 0);
    return factor ? llvm::checkedMul(*factor, right.getValue()) : std::nullopt;
  }
  if (binary.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto first = getBound(binary.getLHS(), isUpper);
  auto second = getBound(binary.getRHS(), isUpper);
  return first && second ? llvm::checkedAdd(*first, *second) : std::nullopt;
}

/// A constant needs no constraint: it is the answer by itself.
bool LaunchCondition::requireNonNegative(AffineExpr expression) {
  if (auto known = dyn_cast<AffineConstantExpr>(expression))
    return known.getValue() >= 0;
  // A constraint that holds in each launch needs no check.
  if (getBound(expression, /*isUpper=*/false).value_or(-1) >= 0)
    return true;
  // x >= 0 implies more than x + 255 >= 0.
  auto [variable, constant] = splitConstant(expression);
  for (auto [other, mustBeZero] : constraints) {
    auto [otherVariable, otherConstant] = splitConstant(other);
    if (!mustBeZero && otherVariable == variable && otherConstant <= constant)
      return true;
  }
  // The other way round, the weaker constraint adds nothing.
  constraints.remove_if([&, variable = variable](auto constraint) {
    auto [other, mustBeZero] = constraint;
    return !mustBeZero && splitConstant(other).first == variable;
  });
  // 0 and 1 represent `mustBeZero`, so that one set holds both kinds in the
  // order in which they were requested.
  constraints.insert({expression, 0u});
  return true;
}

LaunchCondition::LaunchCondition(LaunchConditionOp op)
    : kernel(op->getParentOfType<FuncOp>()) {
  if (!op.getLegal())
    return;
  // In the operation, symbols count the arguments that it has.
  SmallVector<AffineExpr> symbols =
      llvm::map_to_vector(op.getArguments(), [&](Value argument) {
        return getAffineSymbolExpr(cast<BlockArgument>(argument).getArgNumber(),
                                   op.getContext());
      });
  for (auto [expression, isZero] : llvm::zip_equal(
           op.getLegal()->getConstraints(), op.getLegal()->getEqFlags()))
    constraints.insert({expression.replaceSymbols(symbols), isZero});
}

bool LaunchCondition::requireZero(AffineExpr expression) {
  if (auto known = dyn_cast<AffineConstantExpr>(expression))
    return known.getValue() == 0;
  constraints.insert({expression, 1u});
  return true;
}

bool LaunchCondition::requireDisjoint(BlockArgument first, BlockArgument second,
                                      bool mayBeSame) {
  if (first == second || !getArgument(first) || !getArgument(second))
    return false;
  // One order for both forms of the query.
  auto &pairs = mayBeSame ? disjointOrSame : disjoint;
  pairs.insert(std::minmax(first.getArgNumber(), second.getArgNumber()));
  return true;
}

/// A condition is about launches of one kernel: symbols of another one would
/// name other arguments.
bool LaunchCondition::setKernel(FuncOp function) {
  if (!kernel)
    kernel = function;
  return kernel == function;
}

std::optional<AffineExpr> LaunchCondition::getArgument(BlockArgument argument) {
  auto function = dyn_cast<FuncOp>(argument.getOwner()->getParentOp());
  if (!function || !function.isPublic() ||
      !argument.getOwner()->isEntryBlock() || !setKernel(function))
    return std::nullopt;
  return getAffineSymbolExpr(argument.getArgNumber(), argument.getContext());
}

FuncOp getOnlyKernel(ModuleOp module) {
  FuncOp found;
  for (auto function : module.getOps<FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (found)
      return {};
    found = function;
  }
  return found;
}

/// Returns the kernel that `op` runs in: the function around it, or the only
/// one of the module.
static FuncOp findKernel(Operation *op) {
  auto function = op->getParentOfType<FuncOp>();
  if (!function || function.isPublic())
    return function;
  return getOnlyKernel(function->getParentOfType<ModuleOp>());
}

std::optional<AffineExpr> LaunchCondition::getGridExtent(Operation *op,
                                                         unsigned axis) {
  FuncOp function = findKernel(op);
  if (!function || !setKernel(function))
    return std::nullopt;
  return getAffineDimExpr(axis, op->getContext());
}

SmallVector<AffineExpr> LaunchCondition::getNonNegative() const {
  SmallVector<AffineExpr> expressions;
  for (auto [expression, mustBeZero] : constraints)
    if (!mustBeZero)
      expressions.push_back(expression);
  return expressions;
}

LaunchCondition LaunchCondition::without(AffineExpr nonNegative) const {
  LaunchCondition rest = *this;
  rest.constraints.remove({nonNegative, 0u});
  return rest;
}

bool LaunchCondition::append(const LaunchCondition &other) {
  // Conditions of two kernels cannot be one.
  if (other.kernel && !setKernel(other.kernel))
    return false;
  disjoint.insert_range(other.disjoint);
  disjointOrSame.insert_range(other.disjointOrSame);
  // Through the checks again, as constraints of both may imply each other.
  return llvm::all_of(other.constraints, [&](auto constraint) {
    auto [expression, mustBeZero] = constraint;
    return mustBeZero ? requireZero(expression)
                      : requireNonNegative(expression);
  });
}

bool LaunchCondition::create(std::optional<int32_t> surface) const {
  if (isTrue())
    return false;
  SmallVector<AffineExpr> expressions;
  SmallVector<bool> isZero;
  for (auto [expression, mustBeZero] : constraints) {
    expressions.push_back(expression);
    isZero.push_back(mustBeZero);
  }
  // Symbols for the arguments that constraints have, and no others.
  MLIRContext *context = FuncOp(kernel).getContext();
  SmallVector<Value> arguments;
  SmallVector<AffineExpr> symbols;
  for (BlockArgument argument : FuncOp(kernel).getArguments()) {
    symbols.push_back(getAffineSymbolExpr(arguments.size(), context));
    if (llvm::any_of(expressions, [&](AffineExpr expression) {
          return expression.isFunctionOfSymbol(argument.getArgNumber());
        }))
      arguments.push_back(argument);
  }
  for (AffineExpr &expression : expressions)
    expression = expression.replaceSymbols(symbols);
  // Dimensions are the three extents of the grid, where any is used.
  bool hasExtents = llvm::any_of(expressions, [](AffineExpr expression) {
    return expression.isFunctionOfDim(0) || expression.isFunctionOfDim(1) ||
           expression.isFunctionOfDim(2);
  });
  // Two pointers may be the whole condition.
  IntegerSetAttr legal;
  if (!expressions.empty())
    legal = IntegerSetAttr::get(
        IntegerSet::get(/*dimCount=*/hasExtents ? 3 : 0,
                        /*symbolCount=*/arguments.size(), expressions, isZero));
  auto getPointers = [&](const auto &pairs) {
    SmallVector<Value> pointers;
    for (auto [first, second] : pairs) {
      pointers.push_back(FuncOp(kernel).getArgument(first));
      pointers.push_back(FuncOp(kernel).getArgument(second));
    }
    return pointers;
  };
  // After the existing conditions.
  Block &entry = FuncOp(kernel).getBody().front();
  OpBuilder builder(&entry,
                    llvm::find_if_not(entry, llvm::IsaPred<LaunchConditionOp>));
  auto number = surface ? builder.getI32IntegerAttr(*surface) : IntegerAttr();
  Location loc = FuncOp(kernel).getLoc();
  if (legal || !disjoint.empty())
    LaunchConditionOp::create(builder, loc, legal, arguments,
                              getPointers(disjoint), /*mayBeSame=*/UnitAttr(),
                              number);
  if (!disjointOrSame.empty())
    LaunchConditionOp::create(builder, loc, IntegerSetAttr(), ValueRange(),
                              getPointers(disjointOrSame),
                              builder.getUnitAttr(), number);
  return true;
}

/// Returns an expression with the names of the arguments for its symbols.
static std::string spell(AffineExpr expression, ArrayRef<std::string> names) {
  std::string raw, text;
  llvm::raw_string_ostream(raw) << expression;
  // Symbols and dimensions are a letter and their number.
  for (StringRef rest = raw; !rest.empty();) {
    unsigned position;
    StringRef before = rest;
    if (rest.consume_front("s") && !rest.consumeInteger(10, position)) {
      text += names[position];
      continue;
    }
    rest = before;
    if (rest.consume_front("d") && !rest.consumeInteger(10, position)) {
      text += ("num_programs(" + Twine(position) + ")").str();
      continue;
    }
    text += before.front();
    rest = before.drop_front();
  }
  return text;
}

/// Returns the expression without its negative terms, and those with the other
/// sign.
static std::pair<AffineExpr, AffineExpr> splitSigns(AffineExpr expression) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    auto [left, minusLeft] = splitSigns(binary.getLHS());
    auto [right, minusRight] = splitSigns(binary.getRHS());
    return {left + right, minusLeft + minusRight};
  }
  AffineExpr zero = getAffineConstantExpr(0, expression.getContext());
  AffineExpr factor = expression;
  if (binary && binary.getKind() == AffineExprKind::Mul)
    factor = binary.getRHS();
  auto constant = dyn_cast<AffineConstantExpr>(factor);
  if (constant && constant.getValue() < 0)
    return {zero, -expression};
  return {expression, zero};
}

/// Returns a number in decimal digits, but large powers of 2 as such.
static std::string spellNumber(int64_t number) {
  // Up to 16 bits the digits are easier to read.
  constexpr unsigned kFewBits = 16;
  for (bool isLess : {false, true}) {
    uint64_t power = uint64_t(number) + isLess;
    if (number > 0 && llvm::isPowerOf2_64(power) &&
        llvm::Log2_64(power) >= kFewBits)
      return "2^" + std::to_string(llvm::Log2_64(power)) +
             (isLess ? " - 1" : "");
  }
  return std::to_string(number);
}

/// Returns a constraint without a minus, and with what varies on the left.
static std::string spellConstraint(AffineExpr expression, bool isZero,
                                   ArrayRef<std::string> names) {
  auto [left, right] = splitSigns(expression);
  StringRef relation = isZero ? " == " : " >= ";
  if (isa<AffineConstantExpr>(left)) {
    std::swap(left, right);
    relation = isZero ? " == " : " <= ";
  } else if (auto [variable, constant] = splitConstant(left);
             constant && isa<AffineConstantExpr>(right)) {
    // x + 63 >= 0
    left = variable;
    right = right - constant;
  }
  auto limit = dyn_cast<AffineConstantExpr>(right);
  return spell(left, names) + relation.str() +
         (limit ? spellNumber(limit.getValue()) : spell(right, names));
}

namespace {

/// The numbers that constraints permit for one argument, or for one extent of
/// the grid.
struct ValueLimits {
  std::optional<int64_t> min, max;
  int64_t divisor = 1;

  /// Adds a constraint that is about `value` times `factor`, plus a constant.
  /// Returns false for one that is no limit of the value.
  bool addBound(int64_t factor, int64_t constant, bool isZero) {
    // The negative numbers would not fit.
    constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
    if (factor == kLeast || constant == kLeast || (isZero && constant % factor))
      return false;
    int64_t limit = factor > 0 ? llvm::divideCeilSigned(-constant, factor)
                               : llvm::divideFloorSigned(constant, -factor);
    if (isZero || factor > 0)
      min = std::max(limit, min.value_or(limit));
    if (isZero || factor < 0)
      max = std::min(limit, max.value_or(limit));
    return true;
  }

  std::string spell() const {
    SmallVector<std::string> parts;
    if (divisor > 1)
      parts.push_back("divisible by " + spellNumber(divisor));
    if (min && min == max)
      parts.push_back(spellNumber(*min));
    else if (min && max)
      parts.push_back("from " + spellNumber(*min) + " to " + spellNumber(*max));
    else if (min)
      parts.push_back("at least " + spellNumber(*min));
    else if (max)
      parts.push_back("at most " + spellNumber(*max));
    return llvm::join(parts, " and ");
  }
};

/// Limits of values in the order in which constraints mention them.
using Limits = llvm::MapVector<AffineExpr, ValueLimits>;

} // namespace

/// Returns an argument or an extent of the grid, and what it is multiplied by;
/// null for other expressions.
static std::pair<AffineExpr, int64_t> splitFactor(AffineExpr expression) {
  int64_t factor = 1;
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expression);
      product && product.getKind() == AffineExprKind::Mul)
    if (auto constant = dyn_cast<AffineConstantExpr>(product.getRHS())) {
      factor = constant.getValue();
      expression = product.getLHS();
    }
  bool isValue = isa<AffineSymbolExpr, AffineDimExpr>(expression) && factor;
  return {isValue ? expression : AffineExpr(), factor};
}

/// Adds a constraint to the limits of the value that it is about. Returns false
/// for a constraint that is about several values, or that is no limit.
static bool addToLimits(AffineExpr constraint, bool isZero, Limits &limits) {
  // A remainder is never negative: at most zero means zero.
  AffineExpr zero = constraint;
  if (auto product = dyn_cast<AffineBinaryOpExpr>(constraint);
      product && product.getKind() == AffineExprKind::Mul && !isZero)
    if (auto factor = dyn_cast<AffineConstantExpr>(product.getRHS());
        factor && factor.getValue() < 0) {
      zero = product.getLHS();
      isZero = isa<AffineBinaryOpExpr>(zero) &&
               zero.getKind() == AffineExprKind::Mod;
    }
  if (auto remainder = dyn_cast<AffineBinaryOpExpr>(zero);
      remainder && remainder.getKind() == AffineExprKind::Mod && isZero) {
    auto [value, factor] = splitFactor(remainder.getLHS());
    auto modulus = dyn_cast<AffineConstantExpr>(remainder.getRHS());
    if (!value || !modulus || modulus.getValue() <= 0)
      return false;
    ValueLimits &known = limits[value];
    int64_t divisor = modulus.getValue() / std::gcd(factor, modulus.getValue());
    known.divisor = std::lcm(known.divisor, divisor);
    return true;
  }
  auto [variable, constant] = splitConstant(constraint);
  auto [value, factor] = splitFactor(variable);
  return value && limits[value].addBound(factor, constant, isZero);
}

std::string LaunchCondition::describe() const {
  // Names are those in the source, where its locations have them; otherwise
  // arguments are named by their number.
  SmallVector<std::string> names;
  for (BlockArgument argument : FuncOp(kernel).getArguments()) {
    auto name = dyn_cast<NameLoc>(argument.getLoc());
    names.push_back(name ? name.getName().str()
                         : ("#" + Twine(argument.getArgNumber())).str());
  }
  // In words where these are equal to the formula.
  Limits limits;
  SmallVector<std::string> formulas, lines;
  for (auto [constraint, isZero] : constraints)
    if (!addToLimits(constraint, isZero, limits))
      formulas.push_back(spellConstraint(constraint, isZero, names));
  for (const auto &[value, known] : limits) {
    std::string text = known.spell();
    if (text.empty())
      continue;
    auto symbol = dyn_cast<AffineSymbolExpr>(value);
    bool isPointer =
        symbol &&
        isa<PointerType>(
            FuncOp(kernel).getArgument(symbol.getPosition()).getType());
    lines.push_back((isPointer ? "the address of " : "") + spell(value, names) +
                    " is " + text);
  }
  llvm::append_range(lines, formulas);
  for (auto [first, second] : disjoint)
    lines.push_back(names[first] + " and " + names[second] + " do not overlap");
  for (auto [first, second] : disjointOrSame)
    lines.push_back(names[first] + " and " + names[second] +
                    " are the same or do not overlap");
  return llvm::join(lines, ", ");
}

} // namespace mlir::triton::gpu::intel
