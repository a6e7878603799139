//===- LaunchCondition.cpp - What a launch has to satisfy -----------------===//
// SPDX-License-Identifier: MIT

#include "intel/Analysis/LaunchCondition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "triton/Dialect/Triton/IR/Dialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::triton;

namespace mlir::triton::gpu::intel {

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

/// An expression as a sum of another one and a constant.
static std::pair<AffineExpr, int64_t> splitConstant(AffineExpr expression) {
  // Where there is a constant, it comes last.
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expression);
      sum && sum.getKind() == AffineExprKind::Add)
    if (auto constant = dyn_cast<AffineConstantExpr>(sum.getRHS()))
      return {sum.getLHS(), constant.getValue()};
  return {expression, 0};
}

/// A constant needs no constraint: it is the answer by itself.
bool LaunchCondition::requireNonNegative(AffineExpr expression) {
  if (auto known = dyn_cast<AffineConstantExpr>(expression))
    return known.getValue() >= 0;
  // x >= 0 says more than x + 255 >= 0.
  auto [variable, constant] = splitConstant(expression);
  for (auto [other, mustBeZero] : constraints) {
    auto [otherVariable, otherConstant] = splitConstant(other);
    if (!mustBeZero && otherVariable == variable && otherConstant <= constant)
      return true;
  }
  // The other way round, the weaker constraint has nothing left to say.
  constraints.remove_if([&, variable = variable](auto constraint) {
    auto [other, mustBeZero] = constraint;
    return !mustBeZero && splitConstant(other).first == variable;
  });
  // 0 and 1 stand for `mustBeZero`, so that one set holds both kinds in the
  // order in which they were asked for.
  constraints.insert({expression, 0u});
  return true;
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
  // One order for both ways to ask.
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

/// The kernel that `op` runs in: the function around it, or the only one of the
/// module.
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
  // Dimensions are the three extents of the grid, where any is asked for.
  bool hasExtents = llvm::any_of(expressions, [](AffineExpr expression) {
    return expression.isFunctionOfDim(0) || expression.isFunctionOfDim(1) ||
           expression.isFunctionOfDim(2);
  });
  // Two pointers may be all that the condition is about.
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
  // Behind the conditions that are there already.
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

/// An expression with the names of the arguments for its symbols.
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

/// The expression without its negative terms, and those with the other sign.
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

/// A constraint without a minus, and with what varies on the left.
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
  return spell(left, names) + relation.str() + spell(right, names);
}

std::string LaunchCondition::describe() const {
  // Names are those in the source, where its locations have them; otherwise
  // arguments are told by their number.
  SmallVector<std::string> names;
  for (BlockArgument argument : FuncOp(kernel).getArguments()) {
    auto name = dyn_cast<NameLoc>(argument.getLoc());
    names.push_back(name ? name.getName().str()
                         : ("#" + Twine(argument.getArgNumber())).str());
  }
  SmallVector<std::string> lines;
  for (auto [constraint, isZero] : constraints)
    lines.push_back(spellConstraint(constraint, isZero, names));
  for (auto [first, second] : disjoint)
    lines.push_back(names[first] + " and " + names[second] + " do not overlap");
  for (auto [first, second] : disjointOrSame)
    lines.push_back(names[first] + " and " + names[second] +
                    " are the same or do not overlap");
  return llvm::join(lines, ", ");
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {

/// Arithmetic on exact integers whose operands an expression is known for.
class ExpressionBuilder {
public:
  ExpressionBuilder(MLIRContext *context, ValueSources &sources,
                    LaunchCondition &condition)
      : context(context), sources(sources), condition(condition) {}

  /// The expression that `value` is, or nothing. What it relies on, such as
  /// arithmetic that fits its type, is added to the condition.
  std::optional<AffineExpr> get(Value value);

private:
  /// Conditions of a long chain would cost more than they are worth.
  static constexpr unsigned kMaxOperations = 32;

  /// See the definitions below. Each gives nothing where a value is not known
  /// at launch.
  std::optional<AffineExpr> getCommon(ValueRange values);
  std::optional<AffineExpr> getArgument(BlockArgument argument);
  std::optional<AffineExpr> getResult(Operation *op);
  std::optional<AffineExpr> getBinary(Operation *op);
  std::optional<AffineExpr> getPointer(AddPtrOp op);
  /// The expression, provided that it fits `type`.
  std::optional<AffineExpr> fit(AffineExpr expression, Type type);

  /// Makes the expressions unique.
  MLIRContext *context;
  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// What has to hold for the expressions to be exact.
  LaunchCondition &condition;
  /// Values looked at so far.
  unsigned numOperations = 0;
};

std::optional<AffineExpr> ExpressionBuilder::get(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64)
    return getAffineConstantExpr(constant.getSExtValue(), context);
  if (++numOperations > kMaxOperations)
    return std::nullopt;
  SmallVector<Value> found;
  // Values that only hand others on, such as results of branches.
  if (sources.getSources(value, found))
    return getCommon(found);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getArgument(argument);
  return getResult(value.getDefiningOp());
}

/// What all values are, if it is the same.
std::optional<AffineExpr> ExpressionBuilder::getCommon(ValueRange values) {
  std::optional<AffineExpr> common;
  for (Value value : values) {
    std::optional<AffineExpr> expression = get(value);
    if (!expression || (common && *common != *expression))
      return std::nullopt;
    common = expression;
  }
  return common;
}

/// An argument that nobody in the module passes: the launch does, to a kernel.
std::optional<AffineExpr>
ExpressionBuilder::getArgument(BlockArgument argument) {
  Type type = argument.getType();
  // A flag of one bit has no use as a number here.
  bool isNumber = isa<triton::PointerType>(type) ||
                  (isa<IntegerType>(type) && !type.isInteger(1));
  return isNumber ? condition.getArgument(argument) : std::nullopt;
}

std::optional<AffineExpr> ExpressionBuilder::fit(AffineExpr expression,
                                                 Type type) {
  // Exact integers of the condition have 64 bits, so only narrower types can
  // overflow.
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits >= 64)
    return expression;
  // -limit <= expression < limit, as two constraints.
  int64_t limit = int64_t(1) << (bits - 1);
  if (condition.requireNonNegative(expression + limit) &&
      condition.requireNonNegative(limit - 1 - expression))
    return expression;
  return std::nullopt;
}

/// Pointers count in bytes here, offsets in elements of the pointee.
std::optional<AffineExpr> ExpressionBuilder::getPointer(AddPtrOp op) {
  auto type = dyn_cast<triton::PointerType>(op.getType());
  if (!type || !type.getPointeeType().isIntOrFloat())
    return std::nullopt;
  std::optional<AffineExpr> pointer = get(op.getPtr());
  std::optional<AffineExpr> offset = get(op.getOffset());
  if (!pointer || !offset)
    return std::nullopt;
  int64_t bytes =
      llvm::divideCeil(type.getPointeeType().getIntOrFloatBitWidth(), 8);
  return *pointer + *offset * bytes;
}

std::optional<AffineExpr> ExpressionBuilder::getBinary(Operation *op) {
  std::optional<AffineExpr> lhs = get(op->getOperand(0));
  std::optional<AffineExpr> rhs = get(op->getOperand(1));
  if (!lhs || !rhs)
    return std::nullopt;
  // Affine expressions divide by positive constants only.
  auto divisor = dyn_cast<AffineConstantExpr>(*rhs);
  bool divides = divisor && divisor.getValue() > 0;
  auto fitted = [&](AffineExpr expression) {
    return fit(expression, op->getResult(0).getType());
  };
  return llvm::TypeSwitch<Operation *, std::optional<AffineExpr>>(op)
      .Case([&](arith::AddIOp) { return fitted(*lhs + *rhs); })
      .Case([&](arith::SubIOp) { return fitted(*lhs - *rhs); })
      // A product of two arguments is semi-affine, which the runtime's notation
      // has as well.
      .Case([&](arith::MulIOp) { return fitted(*lhs * *rhs); })
      .Case<arith::DivSIOp, arith::DivUIOp>(
          [&](auto) -> std::optional<AffineExpr> {
            // Rounds towards zero, which is down where nothing is negative.
            if (!divides || !condition.requireNonNegative(*lhs))
              return std::nullopt;
            return lhs->floorDiv(divisor.getValue());
          })
      // As for the division: the signs of operands matter.
      .Case<arith::RemSIOp, arith::RemUIOp>(
          [&](auto) -> std::optional<AffineExpr> {
            if (!divides || !condition.requireNonNegative(*lhs))
              return std::nullopt;
            return *lhs % divisor.getValue();
          })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<AffineExpr> ExpressionBuilder::getResult(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<AffineExpr>>(op)
      // An exact integer is the same number in a wider type.
      .Case([&](arith::ExtSIOp ext) { return get(ext.getIn()); })
      // Zero extension keeps numbers that are not negative; others it turns
      // into large ones.
      .Case([&](arith::ExtUIOp ext) -> std::optional<AffineExpr> {
        std::optional<AffineExpr> in = get(ext.getIn());
        if (!in || !condition.requireNonNegative(*in))
          return std::nullopt;
        return in;
      })
      // Truncation keeps what fits.
      .Case([&](arith::TruncIOp trunc) -> std::optional<AffineExpr> {
        std::optional<AffineExpr> in = get(trunc.getIn());
        return in ? fit(*in, trunc.getType()) : std::nullopt;
      })
      // A pointer to other elements is the same address.
      .Case([&](triton::BitcastOp cast) -> std::optional<AffineExpr> {
        if (!isa<triton::PointerType>(cast.getType()))
          return std::nullopt;
        return get(cast.getSrc());
      })
      .Case([&](AddPtrOp add) { return getPointer(add); })
      // The extents of the grid are known at launch, as opposed to a program's
      // number.
      .Case([&](GetNumProgramsOp extent) {
        return condition.getGridExtent(extent, extent.getAxisAsInt());
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::DivSIOp,
            arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
          [&](auto binary) { return getBinary(binary); })
      .Default([](Operation *) { return std::nullopt; });
}

} // namespace

/// `value` in terms of the arguments of the kernel; none if it depends on
/// anything else, such as a program's number or memory.
static std::optional<AffineExpr>
getLaunchExpression(Value value, ValueSources &sources,
                    LaunchCondition &condition) {
  return ExpressionBuilder(value.getContext(), sources, condition).get(value);
}

SmallVector<AffineExpr> getLaunchExpressions(Value value, ValueSources &sources,
                                             LaunchCondition &condition) {
  // More than a kernel chooses from would cost more than it is worth.
  constexpr unsigned maxExpressions = 4;
  // Kept apart from the caller's condition, to which nothing must be added if
  // any of the values is not known.
  LaunchCondition assumed;
  llvm::SetVector<AffineExpr> expressions;
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (unsigned index = 0; index < worklist.size(); ++index) {
    Value next = worklist[index];
    // Sign extensions hand a number on, so that what is chosen before one is
    // found as well.
    if (auto ext = next.getDefiningOp<arith::ExtSIOp>()) {
      worklist.insert(ext.getIn());
      continue;
    }
    SmallVector<Value> found;
    if (sources.getSources(next, found)) {
      worklist.insert_range(found);
      continue;
    }
    // Poison stands where nobody uses the value: it needs no expression.
    if (isa_and_nonnull<ub::PoisonOp>(next.getDefiningOp()))
      continue;
    std::optional<AffineExpr> expression =
        getLaunchExpression(next, sources, assumed);
    if (!expression)
      return {};
    expressions.insert(*expression);
    if (expressions.size() > maxExpressions)
      return {};
  }
  if (!condition.append(assumed))
    return {};
  return expressions.takeVector();
}

//===----------------------------------------------------------------------===//
// Residues
//===----------------------------------------------------------------------===//

namespace {

/// Bounds what is left of a value modulo a power of two.
class ResidueBuilder {
public:
  /// `modulus` is a power of two, in bytes.
  ResidueBuilder(MLIRContext *context, int64_t modulus,
                 ModuleAxisInfoAnalysis &axisInfo, ValueSources &sources,
                 LaunchCondition &condition)
      : context(context), modulus(modulus), axisInfo(axisInfo),
        sources(sources), condition(condition) {}

  /// At most what is left of `value` * `factor` modulo the modulus, as an
  /// expression of the launch's arguments; its worst case is a constant.
  AffineExpr get(Value value, int64_t factor);

private:
  /// The same for a product.
  AffineExpr getProduct(arith::MulIOp op, int64_t factor);
  /// What is known of a value without any condition: side conditions of an
  /// exact expression would be in the way of values that only a residue is
  /// asked of.
  std::optional<AffineExpr> getArgument(Value value) {
    LaunchCondition assumed;
    std::optional<AffineExpr> expression =
        getLaunchExpression(value, sources, assumed);
    if (!expression || !assumed.isTrue() || !condition.append(assumed))
      return std::nullopt;
    return expression;
  }
  /// A multiple of `divisor` below the modulus.
  AffineExpr getMultiple(int64_t divisor) {
    return getAffineConstantExpr(modulus - std::min(modulus, divisor), context);
  }
  /// The power of two that divides a value, up to the modulus.
  int64_t getDivisor(Value value) {
    const AxisInfo *info = axisInfo.getAxisInfo(value);
    return info ? std::min(modulus, info->getElementDivisibility()) : 1;
  }

  /// Makes the expressions unique.
  MLIRContext *context;
  /// What residues are left of: a power of two.
  int64_t modulus;
  /// Knows which powers of two divide values.
  ModuleAxisInfoAnalysis &axisInfo;
  /// Knows where values go through loops, branches and calls.
  ValueSources &sources;
  /// What the expressions rely on; nothing but arguments is ever needed.
  LaunchCondition &condition;
  /// What has been looked through: loops lead back to it.
  llvm::SmallPtrSet<Value, 8> handedOn;
};

AffineExpr ResidueBuilder::get(Value value, int64_t factor) {
  // Arithmetic that wraps does so in multiples of the modulus.
  int64_t known = getDivisor(value) * factor;
  if (known % modulus == 0)
    return getAffineConstantExpr(0, context);
  // The residue of a sum is at most the sum of the residues.
  if (auto add = value.getDefiningOp<AddPtrOp>()) {
    Type pointee = getPointeeType(add.getType());
    if (!pointee.isIntOrFloat())
      return getMultiple(known);
    int64_t bytes = llvm::divideCeil(pointee.getIntOrFloatBitWidth(), 8);
    return get(add.getPtr(), factor) + get(add.getOffset(), factor * bytes);
  }
  if (auto cast = value.getDefiningOp<triton::BitcastOp>();
      cast && isa<triton::PointerType>(cast.getType()))
    return get(cast.getSrc(), factor);
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    return get(add.getLhs(), factor) + get(add.getRhs(), factor);
  if (auto ext = value.getDefiningOp<arith::ExtSIOp>())
    return get(ext.getIn(), factor);
  // An exact expression is better than anything below.
  if (std::optional<AffineExpr> expression = getArgument(value))
    return (*expression * factor) % modulus;
  if (auto product = value.getDefiningOp<arith::MulIOp>())
    return getProduct(product, factor);
  // A value that leads back to itself in a loop, or is of unknown origin, may
  // leave anything that its divisor allows for.
  SmallVector<Value> found;
  if (!handedOn.insert(value).second || !sources.getSources(value, found))
    return getMultiple(known);
  // Whichever it is: no residue is negative.
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (Value source : found)
    sum = sum + get(source, factor);
  return sum;
}

/// What nobody knows at launch (the number of a program) times a stride: if the
/// stride is a multiple of the modulus, so is the product.
AffineExpr ResidueBuilder::getProduct(arith::MulIOp op, int64_t factor) {
  APInt constant;
  // A constant factor moves into `factor`, modulo the modulus, which keeps it
  // from growing.
  if (matchPattern(op.getRhs(), m_ConstantInt(&constant)) &&
      constant.isStrictlyPositive() && constant.getActiveBits() < 32)
    return get(op.getLhs(), factor * constant.getSExtValue() % modulus);
  // Without more knowledge: anything that the divisor of the product allows
  // for.
  AffineExpr worst = getMultiple(getDivisor(op.getResult()) * factor);
  AffineExpr best = worst;
  // Either operand may be the one that the launch knows.
  for (auto [known, other] : {std::pair(op.getLhs(), op.getRhs()),
                              std::pair(op.getRhs(), op.getLhs())}) {
    std::optional<AffineExpr> expression = getArgument(known);
    if (!expression || isa<AffineConstantExpr>(*expression))
      continue;
    int64_t scale = factor * getDivisor(other);
    // 0 if the known operand makes the product a multiple of the modulus, else
    // 1.
    AffineExpr isMisaligned =
        ((*expression * scale) % modulus).ceilDiv(modulus);
    best = isMisaligned * cast<AffineConstantExpr>(worst).getValue();
  }
  return best;
}

} // namespace

AffineExpr getResidueBound(Value value, int64_t factor, int64_t modulus,
                           ModuleAxisInfoAnalysis &axisInfo,
                           ValueSources &sources, LaunchCondition &condition) {
  return ResidueBuilder(value.getContext(), modulus, axisInfo, sources,
                        condition)
      .get(value, factor);
}

} // namespace mlir::triton::gpu::intel
